//! The numeric effects of one action, merged into one per function, and the range limits.
//!
//! A task makes its assignments first, and then its additions; PDDL allows one numeric effect per
//! function, and no ranges.

use super::cases::Case;
use super::effects::same_term;
use super::formula::Lowering;
use super::simplify::{and, not, or};
use crate::syntax::ast::{Atom, Change, Comparison, Effect, Formula, Number};
use taskloom_document::ValueKind;

/// All numeric effects on one function under one condition.
#[derive(Clone)]
struct Sum {
    when: Formula,
    function: Atom,
    assigned: Option<Number>,
    added: Option<Number>,
}

/// Adds two numbers, and folds constants.
fn add(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Constant(a), Number::Constant(b)) => Number::Constant(a + b),
        (a, Number::Constant(b)) if b < 0.0 => {
            Number::Arithmetic('-', Box::new(a), Box::new(Number::Constant(-b)))
        }
        (a, Number::Negative(b)) => Number::Arithmetic('-', Box::new(a), b),
        (a, b) => Number::Arithmetic('+', Box::new(a), Box::new(b)),
    }
}

fn negative(number: Number) -> Number {
    match number {
        Number::Constant(value) => Number::Constant(-value),
        Number::Negative(inner) => *inner,
        other => Number::Negative(Box::new(other)),
    }
}

impl Sum {
    fn add(&mut self, number: Number) {
        self.added = Some(match self.added.take() {
            Some(sum) => add(sum, number),
            None => number,
        });
    }

    /// Returns the function's new value.
    fn after(&self) -> Number {
        let before = || Number::Function(self.function.clone());
        let start = self.assigned.clone().unwrap_or_else(before);
        match &self.added {
            Some(added) => add(start, added.clone()),
            None => start,
        }
    }

    fn change(self) -> Option<Change> {
        let value = self.after();
        let function = self.function;
        if self.assigned.is_some() {
            return Some(Change::Assign(function, value));
        }
        Some(match self.added? {
            Number::Constant(0.0) => return None,
            Number::Constant(by) if by < 0.0 => Change::Decrease(function, Number::Constant(-by)),
            Number::Negative(by) => Change::Decrease(function, *by),
            by => Change::Increase(function, by),
        })
    }

    /// Returns the condition under which both sums are of the same function and have an effect.
    fn meets(&self, other: &Self) -> Formula {
        if self.function.name != other.function.name {
            return Formula::FALSE;
        }
        let args = self.function.args.iter().zip(&other.function.args);
        and([self.when.clone(), other.when.clone()]
            .into_iter()
            .chain(args.map(same_term)))
    }

    /// Returns the condition under which the function stays within its fact's range.
    fn stays(&self, lowering: &Lowering) -> Formula {
        let Some(ValueKind::Number { min, max, .. }) = lowering.value_of(&self.function) else {
            return Formula::TRUE;
        };
        let by = match (&self.assigned, &self.added) {
            (None, Some(Number::Constant(by))) => *by,
            _ => 0.0,
        };
        let after = self.after();
        let within = |bound: &Option<f64>, comparison| {
            let bound = (*bound)?;
            Some(match &after {
                Number::Constant(value) => match comparison {
                    Comparison::GreaterOrEqual if *value < bound => Formula::FALSE,
                    Comparison::LessOrEqual if *value > bound => Formula::FALSE,
                    _ => Formula::TRUE,
                },
                _ => Formula::Compare(comparison, after.clone(), Number::Constant(bound)),
            })
        };
        // A change away from a bound can't violate it.
        let least = within(min, Comparison::GreaterOrEqual).filter(|_| by <= 0.0);
        let most = within(max, Comparison::LessOrEqual).filter(|_| by >= 0.0);
        or([not(self.when.clone()), and(least.into_iter().chain(most))])
    }
}

/// Sums of the same function that have an effect together.
#[derive(Clone)]
struct Together<'s> {
    /// Their sum.
    sum: Sum,
    /// The others.
    others: Vec<&'s Sum>,
}

impl<'s> Together<'s> {
    /// Adds a sum. `wins` is `true` if its assignment replaces those so far.
    fn with(&self, other: &'s Sum, meets: &Formula, wins: bool) -> Self {
        let mut all = self.clone();
        all.sum.when = and([self.sum.when.clone(), meets.clone()]);
        // Two objects can't be the same one.
        if self.others.iter().any(|one| one.meets(other).is_false()) {
            all.sum.when = Formula::FALSE;
        }
        if wins {
            let assigned = other.assigned.clone();
            all.sum.assigned = assigned.or(all.sum.assigned);
        }
        if let Some(number) = &other.added {
            all.sum.add(number.clone());
        }
        all.others.push(other);
        all
    }
}

/// Returns the condition under which the function of a sum stays within its fact's range, together with all other sums
/// of the same function: those under other conditions, and those of which an argument may be the same object.
fn stays_with_others(lowering: &Lowering, sums: &[Sum], number: usize) -> Formula {
    let Some(sum) = sums.get(number) else {
        return Formula::TRUE;
    };
    let mut cases = vec![Together {
        sum: sum.clone(),
        others: vec![],
    }];
    for (at, other) in sums.iter().enumerate().filter(|(at, _)| *at != number) {
        let meets = sum.meets(other);
        if meets.is_false() {
            continue;
        }
        if !lowering.spend(cases.len()) {
            break;
        }
        // The last assignment counts.
        let wins = at > number || sum.assigned.is_none();
        let with = cases.iter().map(|case| case.with(other, &meets, wins));
        let with = Vec::from_iter(with);
        for case in &mut cases {
            case.sum.when = and([case.sum.when.clone(), not(meets.clone())]);
        }
        cases.extend(with);
        cases.retain(|case| !case.sum.when.is_false());
    }
    and(cases.iter().map(|case| case.sum.stays(lowering)))
}

/// Merges the numeric effects of a case into one per function.
pub fn settle(lowering: &Lowering, case: Case) -> Case {
    let mut sums: Vec<Sum> = vec![];
    let mut effects = vec![];
    for effect in case.effects {
        let (Change::Assign(function, _)
        | Change::Increase(function, _)
        | Change::Decrease(function, _)) = &effect.change
        else {
            effects.push(effect);
            continue;
        };
        if !lowering.spend(1 + sums.len() / 16) {
            break;
        }
        let at = sums
            .iter()
            .position(|sum| sum.function == *function && sum.when == effect.when);
        let at = at.unwrap_or_else(|| {
            sums.push(Sum {
                when: effect.when.clone(),
                function: function.clone(),
                assigned: None,
                added: None,
            });
            sums.len() - 1
        });
        if let Some(sum) = sums.get_mut(at) {
            match effect.change {
                Change::Assign(_, number) => sum.assigned = Some(number),
                Change::Increase(_, number) => sum.add(number),
                Change::Decrease(_, number) => sum.add(negative(number)),
                Change::Add(_) | Change::Delete(_) => {}
            }
        }
    }
    let stay: Vec<Formula> = (0..sums.len())
        .map(|number| stays_with_others(lowering, &sums, number))
        .collect();
    effects.extend(sums.into_iter().filter_map(|sum| {
        let when = sum.when.clone();
        let change = sum.change()?;
        Some(Effect {
            forall: vec![],
            when,
            change,
        })
    }));
    Case {
        precondition: and([case.precondition].into_iter().chain(stay)),
        effects,
        ..case
    }
}
