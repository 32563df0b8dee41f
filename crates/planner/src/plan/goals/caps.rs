//! Caps of numbers that only grow, such as the time: from a cap on, no greater number makes a
//! difference, so a state has the cap instead. Otherwise a search would reach ever new states that
//! differ in such a number only, and never prove that there is no plan.
//!
//! A number has a cap if it has no maximum, every addition to it is nonnegative, and it is read
//! nowhere but in comparisons with constants. The cap is then greater than all of these constants:
//! each comparison has the same result for all numbers from the cap on, which additions never leave
//! again. Costs, values of effects, and comparisons with other numbers depend on the exact number,
//! so a number that they read has no cap. A plan is executed again without caps before it is
//! returned.

use super::domains::Domains;
use super::formula::{Cond, Num, Test};
use super::task::{Action, Change, Effect, Kind, Task};

/// The largest number to which caps apply: up to here, additions in a search stay exact.
const MAX: f64 = 1e12;

/// The largest addition to a number with a cap: that of a duration to the time.
const MAX_ADDITION: f64 = u32::MAX as f64;

/// The greatest number of a variable that is distinguished in a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cap {
    /// The variable.
    pub variable: u32,
    /// The number.
    pub number: f64,
}

/// Returns the caps of a task's numbers, for searches from a state for goals with these conditions.
pub fn caps<'a>(
    task: &Task,
    domains: &Domains,
    from: &[u64],
    goals: impl Iterator<Item = &'a Cond>,
) -> Vec<Cap> {
    let mut readers = Readers {
        largest: vec![f64::NEG_INFINITY; task.kinds.len()],
    };
    goals.for_each(|goal| readers.condition(goal));
    task.actions
        .iter()
        .for_each(|action| readers.action(action));
    for effect in task.actions.iter().flat_map(|action| &action.effects) {
        if !is_growth(task, domains, effect) {
            readers.largest[effect.variable as usize] = f64::INFINITY;
        }
    }
    let start = task.values(from);
    let variables = (0..).zip(&task.kinds).zip(&readers.largest);
    let caps = variables.filter_map(|((variable, kind), largest)| {
        let number = cap(*kind, start.number(variable), *largest)?;
        Some(Cap { variable, number })
    });
    caps.collect()
}

/// Returns the cap of a variable that is compared with numbers up to `largest`.
fn cap(kind: Kind, start: f64, largest: f64) -> Option<f64> {
    let Kind::Number { whole, min, max } = kind else {
        return None;
    };
    // Additions keep a number whole only if it is at first.
    if max < f64::INFINITY || whole && start.fract() != 0.0 {
        return None;
    }
    let above = if largest == f64::NEG_INFINITY {
        0.0
    } else {
        largest.floor() + 1.0
    };
    let cap = above.max(min.ceil()) + 0.0;
    (cap.abs() <= MAX && start.abs() <= MAX).then_some(cap)
}

/// Returns `true` if an effect doesn't decrease a number by an addition.
fn is_growth(task: &Task, domains: &Domains, effect: &Effect) -> bool {
    let Change::Add(number) = &effect.change else {
        return true;
    };
    let added = domains.interval(task, number);
    // It is empty if the number is always undefined, which makes the action inapplicable.
    added.is_empty() || added.low >= 0.0 && added.high <= MAX_ADDITION
}

/// The readers of numbers.
struct Readers {
    /// For each variable, the largest constant that it is compared with; infinity if its exact
    /// number is read.
    largest: Vec<f64>,
}

impl Readers {
    fn action(&mut self, action: &Action) {
        action.needs.iter().for_each(|need| self.condition(need));
        self.number(&action.cost);
        for effect in &action.effects {
            self.condition(&effect.when);
            if let Change::Number(number) | Change::Add(number) = &effect.change {
                self.number(number);
            }
        }
    }

    fn condition(&mut self, condition: &Cond) {
        condition.each_literal(&mut |test| match test {
            Test::Compare(_, both, _) => self.comparison(&both.0, &both.1),
            Test::Case(case) => case.by.iter().for_each(|part| self.condition(part)),
            Test::Is(..) | Test::Same(..) | Test::IsDefined(_) => {}
        });
    }

    fn comparison(&mut self, a: &Num, b: &Num) {
        match (a, b) {
            (Num::Var(variable), other) | (other, Num::Var(variable))
                if let Some(constant) = largest_constant(other) =>
            {
                let largest = &mut self.largest[*variable as usize];
                *largest = largest.max(constant);
            }
            _ => {
                self.number(a);
                self.number(b);
            }
        }
    }

    /// Notes the variables whose exact numbers an expression depends on.
    fn number(&mut self, number: &Num) {
        match number {
            Num::Constant(_) => {}
            Num::Var(variable) => self.largest[*variable as usize] = f64::INFINITY,
            Num::Case(case) => case.by.iter().for_each(|part| self.number(part)),
            Num::Negative(of) => self.number(of),
            Num::Arithmetic(_, both) | Num::Function(_, both) => {
                self.number(&both.0);
                self.number(&both.1);
            }
            Num::Aggregate(_, parts) => {
                for (condition, number) in parts {
                    self.condition(condition);
                    self.number(number);
                }
            }
        }
    }
}

/// Returns the largest number that an expression without numeric variables evaluates to, ignoring
/// those that every number compares with in the same way; `None` for other expressions.
fn largest_constant(number: &Num) -> Option<f64> {
    match number {
        Num::Constant(number) if number.is_finite() => Some(*number),
        Num::Constant(_) => Some(f64::NEG_INFINITY),
        Num::Case(case) => {
            let mut parts = case.by.iter().map(largest_constant);
            parts.try_fold(f64::NEG_INFINITY, |largest, part| Some(largest.max(part?)))
        }
        _ => None,
    }
}
