//! Named conditions: their meaning, which of them call each other, and whether all called
//! conditions are valid.

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use taskloom_document::Name;

use super::{Domain, TypedText};
use crate::call_cycles::CallCycles;
use crate::lang::typed::{Formula, FormulaKind, Number};
use crate::lang::{condition_calls, read_formula, recursive_condition};

/// Expressions that are still to be visited.
type Open<T> = SmallVec<[T; 8]>;

impl Domain {
    /// Returns `true` if every condition that a formula calls, directly or indirectly, is valid.
    pub fn calls_are_readable(&self, formula: &Formula) -> bool {
        self.are_readable(called(formula))
    }

    /// Returns `true` if every condition that a number's aggregates call is valid.
    pub fn number_is_readable(&self, number: &Number) -> bool {
        let mut formulas = Open::new();
        formulas_in(number, &mut formulas);
        self.are_readable(called_in(formulas))
    }

    fn are_readable(&self, called_first: Vec<&Name>) -> bool {
        called_first.into_iter().all(|name| {
            let is_readable = |(): &()| {
                let mut met: FxHashSet<&Name> = FxHashSet::from_iter([name]);
                let mut open = vec![name];
                while let Some(name) = open.pop() {
                    match self.condition(name).and_then(|read| read.value.as_ref()) {
                        Some(formula) => {
                            open.extend(
                                called(formula).into_iter().filter(|name| met.insert(name)),
                            );
                        }
                        None => return false,
                    }
                }
                true
            };
            self.0
                .readable
                .get(name, is_readable)
                .is_some_and(|readable| *readable)
        })
    }

    /// Returns the body of a named condition. A condition that calls itself, directly or through
    /// others, is invalid.
    pub fn condition(&self, name: &Name) -> Option<&TypedText<Formula>> {
        let text = self.condition_alone(name)?;
        let value = text.value.as_ref();
        if value.is_some_and(|formula| called(formula).is_empty()) {
            return Some(text);
        }
        let recursive = self.0.recursive.get(name, |()| {
            if self.stop().is_cancelled() {
                return None;
            }
            let names = self.document().conditions.keys();
            let cycles = || CallCycles::new(names, |name| self.condition_calls(name));
            let cycle = self.0.call_cycles.get_or_init(cycles).back_to(name)?;
            let mistake = recursive_condition(&text.text, name, &cycle);
            Some(TypedText {
                text: text.text.clone(),
                value: None,
                mistakes: text.mistakes.iter().cloned().chain([mistake]).collect(),
            })
        });
        Some(recursive.and_then(Option::as_ref).unwrap_or(text))
    }

    /// Returns the body of a named condition, regardless of the conditions it calls.
    fn condition_alone(&self, name: &Name) -> Option<&TypedText<Formula>> {
        self.0.conditions.get(name, |record| {
            let scope = &self.scope(record.params.clone());
            self.read(&record.formula, scope, read_formula)
        })
    }

    /// Returns the conditions that a condition calls, the last first.
    fn condition_calls(&self, name: &Name) -> Vec<Name> {
        let Some(text) = self.condition_alone(name) else {
            return vec![];
        };
        match &text.value {
            Some(formula) => called(formula).into_iter().cloned().collect(),
            None => condition_calls(self.document(), &text.text),
        }
    }
}

/// Returns the conditions that a formula calls, the last first.
fn called(formula: &Formula) -> Vec<&Name> {
    called_in(smallvec![formula])
}

/// Returns the conditions that these formulas call.
fn called_in(mut open: Open<&Formula>) -> Vec<&Name> {
    let mut called = vec![];
    while let Some(formula) = open.pop() {
        match &formula.kind {
            FormulaKind::Condition(name, _) => called.push(name),
            FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => open.push(a),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => open.extend(parts),
            FormulaKind::Imply(a, b) => open.extend([&**a, &**b]),
            FormulaKind::Compare(_, a, b) => {
                formulas_in(b, &mut open);
                formulas_in(a, &mut open);
            }
            FormulaKind::Constant(_) | FormulaKind::Fact(..) | FormulaKind::Same(..) => {}
        }
    }
    called
}

/// Adds the formulas that select the objects of a number's aggregates.
fn formulas_in<'f>(number: &'f Number, found: &mut Open<&'f Formula>) {
    let mut open: Open<&Number> = smallvec![number];
    while let Some(number) = open.pop() {
        match number {
            Number::Constant(_) | Number::Fact(..) | Number::Time => {}
            Number::Arithmetic(_, a, b) => open.extend([&**a, &**b]),
            Number::Negative(a) => open.push(a),
            Number::Aggregate(_, _, value, of) => {
                found.extend(of.as_deref());
                open.push(value);
            }
            Number::Function(_, numbers) => open.extend(numbers),
        }
    }
}
