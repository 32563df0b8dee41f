//! The target of a search: conditions to reach in order, and estimates of the cost to reach them.

use std::sync::Arc;

use taskloom_document::Heuristic;
use taskloom_document::stop::Stop;

use super::formula::Cond;
use super::grounded::Grounded;
use super::necessities::Necessities;
use super::operators::Operators;
use super::relax::{Relaxed, Sum, cost_of};
use super::task::Task;
use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;

/// The heuristic that estimates the cost of reaching a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate(pub Heuristic);

impl Estimate {
    /// Returns `true` if the heuristic never overestimates the cost.
    pub fn is_admissible(self) -> bool {
        match self.0 {
            Heuristic::Blind | Heuristic::Hmax => true,
            Heuristic::Unmet | Heuristic::Hadd | Heuristic::Ff => false,
        }
    }
}

/// A compiled goal.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The conditions to reach in order, at least one. The last one has to hold at the end.
    pub stages: Vec<Cond>,
    /// For each stage, the propositions of everything still to be reached; `None` if it is
    /// unreachable.
    pub propositions: Vec<Option<Vec<u32>>>,
}

/// The start and the goal of a search.
#[derive(Debug)]
pub struct Objective {
    /// The words of the initial state. The last one counts the completed stages.
    pub from: Vec<u64>,
    pub goal: Goal,
    /// For each stage, the conjunction of the conditions still to be reached.
    remaining: Vec<Cond>,
    estimate: Estimate,
    relaxed: Relaxed,
    necessities: Necessities,
}

impl Objective {
    /// Creates the objective of reaching the stages of a goal from a state.
    pub fn new(
        grounded: &Grounded,
        from: Vec<u64>,
        goal: Goal,
        estimate: Estimate,
        stop: &Stop,
    ) -> Self {
        let stages = &goal.stages;
        let remaining = (0..stages.len()).map(|stage| Cond::all(stages[stage..].iter().cloned()));
        let last = goal.propositions.last().and_then(Option::as_deref);
        Self {
            from,
            remaining: remaining.collect(),
            estimate,
            relaxed: Relaxed::new(&grounded.tables, &grounded.task),
            necessities: Necessities::new(&grounded.tables, last.unwrap_or_default(), stop),
            goal,
        }
    }

    /// Returns the condition that has to hold at the end.
    pub fn last(&self) -> &Cond {
        &self.goal.stages[self.goal.stages.len() - 1]
    }

    /// Returns `true` if the goal has intermediate conditions.
    pub fn has_stages(&self) -> bool {
        self.goal.stages.len() > 1
    }

    /// Updates a state's count of completed stages. An intermediate condition only has to hold
    /// once.
    pub fn advance(&self, task: &Task, state: &mut [u64]) {
        if !self.has_stages() {
            return;
        }
        let last = state.len() - 1;
        while (state[last] as usize) < self.goal.stages.len() - 1
            && self.goal.stages[state[last] as usize].holds(task.values(state))
        {
            state[last] += 1;
        }
    }

    /// Returns `true` if a state reaches the goal.
    pub fn is_reached(&self, task: &Task, state: &[u64]) -> bool {
        let stage = state[state.len() - 1] as usize;
        stage + 1 == self.goal.stages.len() && self.last().holds(task.values(state))
    }

    /// Returns the propositions still to be reached from a state; `None` if they are unreachable.
    pub fn propositions(&self, state: &[u64]) -> Option<&[u32]> {
        self.goal.propositions[state[state.len() - 1] as usize].as_deref()
    }

    /// Returns the number of conditions that are still to be reached and don't hold in a state.
    pub fn unmet(&self, task: &Task, state: &[u64]) -> u32 {
        let values = task.values(state);
        unmet(&self.remaining[state[state.len() - 1] as usize], &|part| {
            part.holds(values)
        })
    }

    /// Returns a cheap lower bound of the cost from a state to the goal.
    pub fn lower_bound(&self, task: &Task, state: &[u64]) -> f64 {
        self.necessities.bound(task.values(state)).max(0.0)
    }

    /// Returns the estimated cost from a state to the goal; infinity if it is unreachable.
    pub fn estimate(&mut self, task: &Task, state: &[u64]) -> f64 {
        let values = task.values(state);
        let goal = self.goal.propositions[state[state.len() - 1] as usize].as_deref();
        let Some(goal) = goal else {
            return f64::INFINITY;
        };
        match self.estimate.0 {
            Heuristic::Blind => 0.0,
            Heuristic::Unmet => f64::from(self.unmet(task, state)),
            Heuristic::Hmax => {
                let cost = self.relaxed.run(task, values, Some(goal), Sum::Max);
                cost.max(self.lower_bound(task, state))
            }
            Heuristic::Hadd => self.relaxed.run(task, values, Some(goal), Sum::Add),
            Heuristic::Ff => match self.relaxed.run(task, values, Some(goal), Sum::Add) {
                f64::INFINITY => f64::INFINITY,
                _ => cost_of(task, values, &self.relaxed.plan(task, goal)),
            },
        }
    }

    /// Returns the work done by estimates so far.
    pub fn work(&self) -> u64 {
        self.relaxed.work
    }

    /// Returns the relaxed exploration as the last run left it.
    pub fn relaxed(&mut self) -> &mut Relaxed {
        &mut self.relaxed
    }

    /// Returns the relaxed exploration, after reaching everything that is reachable from the start.
    pub fn reached(&mut self, task: &Task) -> &Relaxed {
        let sum = match self.estimate.0 {
            Heuristic::Hadd | Heuristic::Ff => Sum::Add,
            Heuristic::Blind | Heuristic::Unmet | Heuristic::Hmax => Sum::Max,
        };
        self.relaxed.run(task, task.values(&self.from), None, sum);
        &self.relaxed
    }

    /// Returns the memory use, excluding the tables.
    pub fn memory_use(&self) -> MemoryUse {
        self.relaxed.memory_use()
    }
}

/// Returns the number of conjuncts of a condition that don't hold.
pub fn unmet(cond: &Cond, holds: &dyn Fn(&Cond) -> bool) -> u32 {
    match cond {
        Cond::All(parts) => parts.iter().map(|part| u32::from(!holds(part))).sum(),
        part => u32::from(!holds(part)),
    }
}

/// Returns whether all actions have the same cost, and for each operator the cost that a
/// satisficing search counts: 1 if they do, otherwise the operator's cost plus 1, so that zero-cost
/// steps count too. Axioms cost nothing.
pub fn adjusted_costs(tables: &Arc<Operators>) -> (bool, Vec<f64>) {
    let is_axiom = |operator: usize| tables.actions[operator] == NONE;
    let operators = 0..tables.costs.len();
    let mut of_actions = operators.clone().filter(|operator| !is_axiom(*operator));
    let first = of_actions.next().map(|operator| tables.costs[operator]);
    let is_unit = of_actions.all(|operator| Some(tables.costs[operator]) == first);
    let costs = operators.map(|operator| match is_axiom(operator) {
        true => 0.0,
        false if is_unit => 1.0,
        false => tables.costs[operator] + 1.0,
    });
    (is_unit, costs.collect())
}
