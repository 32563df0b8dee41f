//! Weighted sums of functions.

use crate::syntax::ast::{Atom, Number};
use taskloom_document::syntax::decimal::rounded;

/// A weighted sum, without its constant part.
#[derive(Debug, Default)]
pub struct Sum {
    /// Each function once, with a weight other than 0.
    pub weights: Vec<(Atom, f64)>,
    constant: f64,
}

impl Sum {
    /// Returns a number as a weighted sum, if it is one. `value` returns the values of functions
    /// that never change, which may be weights.
    pub fn of(number: &Number, value: &dyn Fn(&Atom) -> Option<f64>) -> Option<Self> {
        let mut sum = Self::read(number, value)?;
        sum.weights.retain(|(_, weight)| *weight != 0.0);
        let is_finite = sum.weights.iter().all(|(_, weight)| weight.is_finite());
        is_finite.then_some(sum)
    }

    fn read(number: &Number, value: &dyn Fn(&Atom) -> Option<f64>) -> Option<Self> {
        // A sum of many numbers is nested as deeply on its left.
        let mut first = number;
        let mut rest = vec![];
        while let Number::Arithmetic(sign @ ('+' | '-'), a, b) = first {
            rest.push((*sign, b));
            first = a;
        }
        let mut sum = Self::read_part(first, value)?;
        for (sign, part) in rest.into_iter().rev() {
            let part = Self::read(part, value)?;
            sum = sum.plus(if sign == '-' { part.times(-1.0) } else { part });
        }
        Some(sum)
    }

    /// Reads a number that is no sum.
    fn read_part(number: &Number, value: &dyn Fn(&Atom) -> Option<f64>) -> Option<Self> {
        Some(match number {
            Number::Constant(value) => Self {
                constant: *value,
                weights: vec![],
            },
            Number::Function(atom) => Self {
                constant: 0.0,
                weights: vec![(atom.clone(), 1.0)],
            },
            Number::Negative(part) => Self::read(part, value)?.times(-1.0),
            Number::Arithmetic(sign, a, b) => {
                let (a, b) = (Self::read(a, value)?, Self::read(b, value)?);
                match sign {
                    '*' => match (a.value(value), b.value(value)) {
                        (_, Some(factor)) => a.times(factor),
                        (Some(factor), None) => b.times(factor),
                        (None, None) => return None,
                    },
                    _ => {
                        let divisor = b.value(value).filter(|divisor| *divisor != 0.0)?;
                        a.times(1.0 / divisor)
                    }
                }
            }
        })
    }

    /// Returns its value if it never changes.
    fn value(&self, value: &dyn Fn(&Atom) -> Option<f64>) -> Option<f64> {
        let parts = self.weights.iter();
        let mut sum = self.constant;
        for (atom, weight) in parts {
            sum = rounded(sum + rounded(weight * value(atom)?));
        }
        Some(sum)
    }

    fn times(mut self, factor: f64) -> Self {
        self.constant = rounded(self.constant * factor);
        for (_, weight) in &mut self.weights {
            *weight = rounded(*weight * factor);
        }
        self
    }

    fn plus(mut self, other: Self) -> Self {
        self.constant = rounded(self.constant + other.constant);
        for (atom, weight) in other.weights {
            match self.weights.iter_mut().find(|(known, _)| *known == atom) {
                Some((_, known)) => *known = rounded(*known + weight),
                None => self.weights.push((atom, weight)),
            }
        }
        self
    }
}

/// Returns the value of a number that reads no function.
pub fn constant(number: &Number) -> Option<f64> {
    let sum = Sum::read(number, &|_| None)?;
    sum.value(&|_| None)
}

/// The functions that conditions and numbers read.
pub mod reads {
    use crate::syntax::ast::{Formula, Number};

    /// Returns `true` if a number depends on a function.
    pub fn number(number: &Number, name: &str) -> bool {
        match number {
            Number::Constant(_) => false,
            Number::Function(atom) => atom.name == *name,
            Number::Arithmetic(_, a, b) => self::number(a, name) || self::number(b, name),
            Number::Negative(a) => self::number(a, name),
        }
    }

    /// Returns `true` if a formula depends on a function.
    pub fn formula(formula: &Formula, name: &str) -> bool {
        let reads = |part: &Formula| self::formula(part, name);
        match formula {
            Formula::Compare(_, a, b) => number(a, name) || number(b, name),
            Formula::Not(part) | Formula::Forall(_, part) | Formula::Exists(_, part) => reads(part),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(reads),
            Formula::Imply(a, b) => reads(a) || reads(b),
            Formula::Atom(_) | Formula::Equal(..) | Formula::OfType(..) => false,
        }
    }
}
