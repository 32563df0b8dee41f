//! Evaluation of conditions and expressions over the values that were reached, and its cost.

use super::{Relaxed, Sum};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::goals::formula::{Case, Cond, Num, Obj, Test};
use crate::plan::goals::literals::Literal;
use crate::plan::interval::Interval;
use crate::plan::rows::NONE;

impl Relaxed {
    /// Returns `true` if a condition may hold.
    pub fn may_hold(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Constant(value) => *value,
            Cond::All(parts) => parts.iter().all(|part| self.may_hold(part)),
            Cond::Any(parts) => parts.iter().any(|part| self.may_hold(part)),
            Cond::Literal(Test::Is(..))
            | Cond::Literal(Test::Same(..))
            | Cond::Literal(Test::IsDefined(_)) => self.cost(cond, Sum::Max) < f64::INFINITY,
            Cond::Literal(Test::Compare(comparison, both, expected)) => {
                let (a, b) = (self.interval(&both.0), self.interval(&both.1));
                Interval::may_compare(*comparison, a, b, *expected)
            }
            Cond::Literal(Test::Case(case)) => self.any_case(case, |part, _| self.may_hold(part)),
        }
    }

    fn any_case<T>(&self, case: &Case<T>, is: impl Fn(&T, f64) -> bool) -> bool {
        let mut found = false;
        self.objects(&case.selector, &mut |object, cost| {
            found |= !found && is(case.select(object), cost);
        });
        found
    }

    /// Returns the cost of a condition; infinity if it can't hold.
    pub fn cost(&self, cond: &Cond, sum: Sum) -> f64 {
        let join = |a: f64, b: f64| match sum {
            Sum::Max => a.max(b),
            Sum::Add => a + b,
        };
        if let Some(literal) = Literal::of(cond) {
            return self.cost_of(literal);
        }
        match cond {
            Cond::Constant(true) => 0.0,
            Cond::Constant(false) | Cond::Literal(Test::Is(..)) => f64::INFINITY,
            Cond::All(parts) => {
                let costs = parts.iter().map(|part| self.cost(part, sum));
                costs.fold(0.0, join)
            }
            Cond::Any(parts) => {
                let costs = parts.iter().map(|part| self.cost(part, sum));
                costs.fold(f64::INFINITY, f64::min)
            }
            Cond::Literal(Test::Same(both, expected)) => {
                let mut least = f64::INFINITY;
                self.objects(&both.0, &mut |a, cost_a| {
                    self.objects(&both.1, &mut |b, cost_b| {
                        if (a == b && a != UNDEFINED) == *expected {
                            least = least.min(join(cost_a, cost_b));
                        }
                    });
                });
                least
            }
            Cond::Literal(Test::IsDefined(object)) => {
                let mut least = f64::INFINITY;
                self.objects(object, &mut |object, cost| {
                    if object != UNDEFINED {
                        least = least.min(cost);
                    }
                });
                least
            }
            Cond::Literal(Test::Compare(..)) => {
                if !self.may_hold(cond) {
                    return f64::INFINITY;
                }
                let mut steps = 0;
                let mut total = 0.0;
                let mut variables = vec![];
                cond.reads(&mut |variable, boolean| {
                    if !boolean && !variables.contains(&variable) {
                        variables.push(variable);
                    }
                });
                for variable in variables {
                    let widenings = &self.numbers[variable as usize];
                    let needed = self.first_sufficient(cond, variable);
                    if let Some(step) = widenings.get(needed) {
                        total = join(total, step.cost);
                        steps += needed;
                    }
                }
                if steps == 0 { 0.0 } else { total }
            }
            Cond::Literal(Test::Case(case)) => {
                let mut least = f64::INFINITY;
                self.objects(&case.selector, &mut |object, cost| {
                    least = least.min(join(cost, self.cost(case.select(object), sum)));
                });
                least
            }
        }
    }

    /// Returns the first widening of a variable after which a comparison may hold, with the current
    /// values of all other variables.
    pub(super) fn first_sufficient(&self, cond: &Cond, variable: u32) -> usize {
        let steps = self.numbers[variable as usize].len();
        let holds = |step: usize| {
            let limited = Limited {
                relaxed: self,
                variable,
                step,
            };
            limited.may_hold(cond)
        };
        // The condition is monotonic: more widenings never make it impossible.
        let (mut low, mut high) = (0, steps.saturating_sub(1));
        while low < high {
            let middle = (low + high) / 2;
            if holds(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Calls `note` for each object that an expression may evaluate to, including [`UNDEFINED`], with
    /// its cost.
    pub(super) fn objects(&self, object: &Obj, note: &mut dyn FnMut(u32, f64)) {
        match object {
            Obj::Object(object) => note(*object, 0.0),
            Obj::Var(variable) => {
                for value in self.tables.propositions.domains.of(*variable) {
                    let proposition = self.tables.propositions.object(*variable, *value);
                    if proposition != NONE && self.is_closed[proposition as usize] {
                        note(*value, self.reached.cost(proposition));
                    }
                }
            }
            Obj::Case(case) => self.objects(&case.selector, &mut |of, cost| {
                self.objects(case.select(of), &mut |object, more| {
                    note(object, cost.max(more));
                });
            }),
        }
    }

    /// Returns the numbers that an expression may evaluate to.
    pub fn interval(&self, number: &Num) -> Interval {
        self.interval_by(number, &|variable| self.number(variable as usize))
    }

    fn interval_by(&self, number: &Num, of: &dyn Fn(u32) -> Interval) -> Interval {
        match number {
            Num::Constant(number) => Interval::of(*number),
            Num::Var(variable) => of(*variable),
            Num::Case(case) => {
                let mut all: Option<Interval> = None;
                self.objects(&case.selector, &mut |object, _| {
                    let part = self.interval_by(case.select(object), of);
                    all = Some(all.map_or(part, |all| all.or(part)));
                });
                all.unwrap_or(Interval::UNDEFINED)
            }
            Num::Negative(number) => self.interval_by(number, of).negated(),
            Num::Arithmetic(operator, both) => {
                let (a, b) = (self.interval_by(&both.0, of), self.interval_by(&both.1, of));
                Interval::calculate(*operator, a, b)
            }
            Num::Function(function, both) => {
                let (a, b) = (self.interval_by(&both.0, of), self.interval_by(&both.1, of));
                Interval::call(*function, a, b)
            }
            Num::Aggregate(aggregate, parts) => {
                let parts = parts.iter();
                let parts = parts
                    .filter(|(cond, _)| self.may_hold(cond))
                    .map(|(cond, number)| {
                        let always = *cond == Cond::Constant(true);
                        (always, self.interval_by(number, of))
                    });
                Interval::aggregate(*aggregate, parts)
            }
        }
    }
}

/// Relaxed values, with an earlier interval for one variable.
struct Limited<'a> {
    relaxed: &'a Relaxed,
    variable: u32,
    step: usize,
}

impl Limited<'_> {
    fn may_hold(&self, cond: &Cond) -> bool {
        let Cond::Literal(Test::Compare(comparison, both, expected)) = cond else {
            return self.relaxed.may_hold(cond);
        };
        let of = |variable: u32| {
            if variable == self.variable {
                self.relaxed.numbers[variable as usize][self.step].to
            } else {
                self.relaxed.number(variable as usize)
            }
        };
        let a = self.relaxed.interval_by(&both.0, &of);
        let b = self.relaxed.interval_by(&both.1, &of);
        Interval::may_compare(*comparison, a, b, *expected)
    }
}
