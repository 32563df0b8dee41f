//! Compilation of actions into operators: one for each condition of their effects, and for each
//! value that their effects or cost depend on.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use taskloom_domain::lang::ast::{Comparison, Operator};

use super::{Alternatives, Compiler, Conjunction};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::goals::formula::{Cond, Num, Obj, Test};
use crate::plan::goals::operators::NumberChange;
use crate::plan::goals::task::{Action, Change, Kind};
use crate::plan::rows::NONE;

impl Compiler {
    /// Returns the conditions that keep the numbers that an action changes in their ranges, each
    /// with the condition of its effect.
    pub(super) fn ranges(&self, action: &Action) -> Vec<(Cond, Cond)> {
        let mut all = vec![];
        for effect in &action.effects {
            let (number, by) = match &effect.change {
                Change::Is(_) | Change::Object(_) => continue,
                Change::Number(number) => (number.clone(), None),
                Change::Add(number) => {
                    let both = (Num::Var(effect.variable), number.clone());
                    let sum = Num::Arithmetic(Operator::Add, Box::new(both));
                    (sum, Some(number))
                }
            };
            let Kind::Number { min, max, .. } = self.task.kinds[effect.variable as usize] else {
                continue;
            };
            let sign = match by {
                Some(Num::Constant(by)) => *by,
                _ => f64::NAN,
            };
            let bounds = [
                (Comparison::GreaterOrEqual, min, sign > 0.0),
                (Comparison::LessOrEqual, max, sign < 0.0),
            ];
            for (comparison, bound, is_implied) in bounds {
                if bound.is_finite() && !is_implied {
                    let both = Box::new((number.clone(), Num::Constant(bound)));
                    all.push((
                        effect.when.clone(),
                        Cond::Literal(Test::Compare(comparison, both, true)),
                    ));
                }
            }
        }
        // Several changes of one number add up, so a single one determines nothing.
        let is_changed_twice = action.effects.iter().enumerate().any(|(n, effect)| {
            let is_number = |change: &Change| matches!(change, Change::Number(_) | Change::Add(_));
            is_number(&effect.change)
                && action.effects[..n]
                    .iter()
                    .any(|other| other.variable == effect.variable && is_number(&other.change))
        });
        if is_changed_twice { vec![] } else { all }
    }

    /// Returns the preconditions of an action; `None` if it is never applicable.
    pub(super) fn preconditions(&mut self, action: &Action) -> Option<Conjunction> {
        let mut all = Conjunction::new();
        for literal in &action.literals {
            all.push(self.literal(*literal)?);
        }
        for need in &action.needs {
            if !self.require(need, &mut all) {
                return None;
            }
        }
        for (when, range) in self.ranges(action) {
            if when == Cond::Constant(true) && !self.require(&range, &mut all) {
                return None;
            }
        }
        Some(all)
    }

    /// Creates propositions for everything that an action reads.
    pub(super) fn read(&mut self, action: &Action) {
        if self.preconditions(action).is_none() {
            return;
        }
        let mut variables = vec![];
        // Conditional effects may have to be prevented, too.
        let mut conditional = vec![];
        for effect in &action.effects {
            self.require(&effect.when, &mut Conjunction::new());
            let mut note = |variable, boolean| conditional.push((variable, boolean));
            effect.when.reads(&mut note);
            match &effect.change {
                Change::Is(_) => {}
                Change::Object(object) => {
                    let _ = self.alternatives(object);
                }
                Change::Number(number) | Change::Add(number) => {
                    number.reads(&mut |variable, boolean| variables.push((variable, boolean)));
                }
            }
        }
        for (variable, is_boolean) in &variables {
            if !is_boolean {
                self.built.changes.is_number_read[*variable as usize] = true;
            }
        }
        self.watch(variables);
        self.watch(conditional);
        let _ = self.numbers(&action.cost);
    }

    /// Adds the operators of an action.
    pub(super) fn add(&mut self, number: u32, action: &Action) {
        let Some(preconditions) = self.preconditions(action) else {
            return;
        };
        let costs = self.costs(action);
        let ranges = self.ranges(action);
        // All effects with the same condition form one operator.
        let mut by_condition: Vec<(&Cond, Vec<u32>, Vec<NumberChange>)> = vec![];
        let mut indices: FxHashMap<u64, SmallVec<[usize; 1]>> = FxHashMap::default();
        let mut split = vec![];
        for effect in &action.effects {
            let mut hasher = FxHasher::default();
            effect.when.hash(&mut hasher);
            let alike = indices.entry(hasher.finish()).or_default();
            let found = alike.iter().find(|n| *by_condition[**n].0 == effect.when);
            let place = match found {
                Some(place) => *place,
                None => {
                    alike.push(by_condition.len());
                    by_condition.push((&effect.when, vec![], vec![]));
                    by_condition.len() - 1
                }
            };
            let (_, adds, changes) = &mut by_condition[place];
            match &effect.change {
                Change::Is(expected) => {
                    adds.push(self.built.propositions.boolean(effect.variable, *expected))
                }
                Change::Object(Obj::Object(object)) => {
                    adds.push(self.built.propositions.object(effect.variable, *object));
                }
                Change::Object(object) => split.push((&effect.when, effect.variable, object)),
                Change::Number(number) | Change::Add(number) => changes.push(NumberChange {
                    variable: effect.variable,
                    is_added: matches!(effect.change, Change::Add(_)),
                    number: number.clone(),
                }),
            }
        }
        for (when, mut adds, changes) in by_condition {
            adds.retain(|add| *add != NONE);
            if adds.is_empty() && changes.is_empty() {
                continue;
            }
            let mut all = preconditions.clone();
            let mut in_range = ranges.iter().filter(|(cond, _)| cond == when);
            if self.require(when, &mut all)
                && in_range.all(|(_, range)| self.require(range, &mut all))
            {
                self.by_cost(number, &costs, &all, &adds, &changes);
            }
        }
        for (when, variable, object) in split {
            let mut all = preconditions.clone();
            if !self.require(when, &mut all) {
                continue;
            }
            // If the alternatives are too many, any object is possible.
            let alternatives = self.alternatives(object).unwrap_or_else(|| {
                let objects = self.built.propositions.domains.of(variable).iter();
                objects
                    .map(|object| (Conjunction::new(), *object))
                    .collect()
            });
            for (conditions, object) in alternatives {
                let add = self.built.propositions.object(variable, object);
                if object != UNDEFINED && add != NONE {
                    let all: Conjunction = all.iter().copied().chain(conditions).collect();
                    self.by_cost(number, &costs, &all, &[add], &[]);
                }
            }
        }
    }

    pub(super) fn by_cost(
        &mut self,
        number: u32,
        costs: &[(Conjunction, f64)],
        preconditions: &[u32],
        adds: &[u32],
        changes: &[NumberChange],
    ) {
        for (conditions, cost) in costs {
            let all: Conjunction = preconditions.iter().chain(conditions).copied().collect();
            self.operator(number, *cost, &all, adds, changes);
        }
    }

    /// Returns the costs that an action can have, or else their minimum, and what each one
    /// requires.
    pub(super) fn costs(&mut self, action: &Action) -> Alternatives<f64> {
        if let Some(mut costs) = self.numbers(&action.cost) {
            for (_, cost) in &mut costs {
                *cost = if cost.is_nan() { 1.0 } else { cost.max(0.0) };
            }
            return costs;
        }
        let any = self
            .built
            .propositions
            .domains
            .interval(&self.task, &action.cost);
        let least = if any.may_be_undefined {
            any.low.min(1.0)
        } else {
            any.low
        };
        vec![(Conjunction::new(), least.max(0.0))]
    }
}
