//! Which numbers something may be, where variables may be several.

use taskloom_domain::lang::ast::{Aggregate, Comparison, Function, Operator};

/// All numbers from one to another; or none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The least.
    pub low: f64,
    /// The greatest. Less than the least: there is none.
    pub high: f64,
    /// Whether there may be no value.
    pub nothing: bool,
}

impl Interval {
    /// No number.
    pub const NOTHING: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        nothing: true,
    };

    /// Any number, or none.
    const ANYTHING: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        nothing: true,
    };

    /// This number alone.
    pub fn of(number: f64) -> Self {
        if number.is_nan() {
            Self::NOTHING
        } else {
            Self::new(number, number)
        }
    }

    /// The numbers between these.
    pub fn new(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            nothing: false,
        }
    }

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// The numbers of both.
    pub fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nothing: self.nothing || other.nothing,
        }
    }

    /// The opposites.
    pub fn negative(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
            ..self
        }
    }

    /// What arithmetic may give.
    pub fn calculate(operator: Operator, a: Self, b: Self) -> Self {
        if a.is_empty() || b.is_empty() {
            return Self::NOTHING;
        }
        let nothing = a.nothing || b.nothing;
        let ends = |of: fn(f64, f64) -> f64| {
            let ends = [
                of(a.low, b.low),
                of(a.low, b.high),
                of(a.high, b.low),
                of(a.high, b.high),
            ];
            if ends.iter().any(|end| end.is_nan()) {
                Self::ANYTHING
            } else {
                Self {
                    low: ends.iter().copied().fold(f64::INFINITY, f64::min),
                    high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                    nothing,
                }
            }
        };
        match operator {
            Operator::Add => ends(|a, b| a + b),
            Operator::Subtract => ends(|a, b| a - b),
            Operator::Multiply => ends(|a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b }),
            Operator::Divide if b.low <= 0.0 && b.high >= 0.0 => Self::ANYTHING,
            Operator::Divide => ends(|a, b| a / b),
        }
    }

    /// What a function may give.
    pub fn call(function: Function, a: Self, b: Self) -> Self {
        if a.is_empty() || b.is_empty() {
            return Self::NOTHING;
        }
        let nothing = a.nothing || b.nothing;
        let (low, high) = match function {
            Function::Min => (a.low.min(b.low), a.high.min(b.high)),
            Function::Max => (a.low.max(b.low), a.high.max(b.high)),
            Function::Floor => (a.low.floor(), a.high.floor()),
            Function::Ceil => (a.low.ceil(), a.high.ceil()),
            Function::Abs if a.low >= 0.0 => (a.low, a.high),
            Function::Abs if a.high <= 0.0 => (-a.high, -a.low),
            Function::Abs => (0.0, a.high.max(-a.low)),
            Function::Sqrt if a.high < 0.0 => return Self::NOTHING,
            Function::Sqrt => {
                return Self {
                    low: a.low.max(0.0).sqrt(),
                    high: a.high.sqrt(),
                    nothing: nothing || a.low < 0.0,
                };
            }
        };
        Self { low, high, nothing }
    }

    /// What many may come to together: each is there always, or may not be.
    pub fn aggregate(aggregate: Aggregate, parts: impl Iterator<Item = (bool, Self)>) -> Self {
        let mut all: Option<Self> = None;
        let mut some = false;
        for (always, part) in parts {
            some |= always;
            let sum = matches!(aggregate, Aggregate::Count | Aggregate::Sum);
            let part = if sum && !always {
                part.or(Self::of(0.0))
            } else {
                part
            };
            all = Some(match all {
                None => part,
                Some(all) if sum => Self::calculate(Operator::Add, all, part),
                Some(all) => all.or(part),
            });
        }
        match (aggregate, all) {
            (Aggregate::Count | Aggregate::Sum, None) => Self::of(0.0),
            (Aggregate::Count | Aggregate::Sum, Some(all)) => all,
            (Aggregate::Min | Aggregate::Max, None) => Self::NOTHING,
            (Aggregate::Min | Aggregate::Max, Some(all)) => Self {
                nothing: all.nothing || !some,
                ..all
            },
        }
    }

    /// Whether two of their numbers may compare so, or not so.
    pub fn may(comparison: Comparison, a: Self, b: Self, so: bool) -> bool {
        if a.nothing || b.nothing {
            // A comparison with no value is not so, and only `!=` is.
            let without = matches!(comparison, Comparison::NotEqual);
            if without == so {
                return true;
            }
        }
        if a.is_empty() || b.is_empty() {
            return false;
        }
        match (comparison, so) {
            (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
                a.low <= b.high && b.low <= a.high
            }
            (Comparison::Equal, false) | (Comparison::NotEqual, true) => {
                !(a.low == a.high && b.low == b.high && a.low == b.low)
            }
            (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => a.low < b.high,
            (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => a.low <= b.high,
            (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => a.high > b.low,
            (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => a.high >= b.low,
        }
    }
}
