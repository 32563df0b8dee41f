//! What a search is for: conditions to be met one after the other, and how far it is to there.

use taskloom_document::Heuristic;

use super::formula::Cond;
use super::relax::{Relaxed, Sum, cost_of};
use super::task::Task;

/// What tells how far it is to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate(pub Heuristic);

impl Estimate {
    /// Whether it is never more than what it takes.
    pub fn is_admissible(self) -> bool {
        match self.0 {
            Heuristic::Blind | Heuristic::Hmax => true,
            Heuristic::Unmet | Heuristic::Hadd | Heuristic::Ff => false,
        }
    }
}

/// Where a search starts, and where it is to get to.
#[derive(Debug)]
pub struct Aim {
    /// The words of the state at first; the last of them counts the stages behind it.
    pub from: Vec<u64>,
    /// What is to hold, one after the other; the last one in the end.
    stages: Vec<Cond>,
    /// By stage: all that is still to hold then.
    left: Vec<Cond>,
    estimate: Estimate,
    relaxed: Relaxed,
    /// What would be done, and how often, of what was estimated last.
    plan: Vec<(u32, u32)>,
}

impl Aim {
    /// From a state, through these stages, of which there is one at least.
    pub fn new(task: &Task, from: Vec<u64>, stages: Vec<Cond>, estimate: Estimate) -> Self {
        let left = (0..stages.len()).map(|stage| Cond::all(stages[stage..].iter().cloned()));
        Self {
            from,
            left: left.collect(),
            stages,
            estimate,
            relaxed: Relaxed::new(task),
            plan: vec![],
        }
    }

    /// The condition that has to hold in the end.
    pub fn last(&self) -> &Cond {
        &self.stages[self.stages.len() - 1]
    }

    /// Whether there are conditions to be met on the way.
    pub fn has_stages(&self) -> bool {
        self.stages.len() > 1
    }

    /// Counts the stages that a state is behind. A condition on the way is met once it holds.
    pub fn advance(&self, task: &Task, state: &mut [u64]) {
        if !self.has_stages() {
            return;
        }
        let last = state.len() - 1;
        while (state[last] as usize) < self.stages.len() - 1
            && self.stages[state[last] as usize].holds(task.values(state))
        {
            state[last] += 1;
        }
    }

    /// Whether a state is the end.
    pub fn is_reached(&self, task: &Task, state: &[u64]) -> bool {
        let stage = state[state.len() - 1] as usize;
        stage + 1 == self.stages.len() && self.stages[stage].holds(task.values(state))
    }

    /// How far it is from a state to the end; infinity where it is out of reach.
    pub fn estimate(&mut self, task: &Task, state: &[u64]) -> f64 {
        let left = &self.left[state[state.len() - 1] as usize];
        match self.estimate.0 {
            Heuristic::Blind => 0.0,
            Heuristic::Unmet => {
                let values = task.values(state);
                f64::from(unmet(left, &|part| part.holds(values)))
            }
            Heuristic::Hmax => self.relaxed.run(task, state, Some(left), Sum::Max),
            Heuristic::Hadd => self.relaxed.run(task, state, Some(left), Sum::Add),
            Heuristic::Ff => match self.relaxed.run(task, state, Some(left), Sum::Add) {
                f64::INFINITY => f64::INFINITY,
                _ => {
                    self.plan = self.relaxed.plan(task, left);
                    cost_of(task, task.values(state), &self.plan)
                }
            },
        }
    }

    /// What would be done of what was estimated last if nothing ever became false, and how often;
    /// only `ff` knows.
    pub fn plan(&self) -> &[(u32, u32)] {
        &self.plan
    }

    /// The relaxed search that was run last.
    pub fn relaxed(&self) -> &Relaxed {
        &self.relaxed
    }

    /// The relaxed search, after everything was reached from the start.
    pub fn reached(&mut self, task: &Task) -> &Relaxed {
        let sum = match self.estimate.0 {
            Heuristic::Hadd | Heuristic::Ff => Sum::Add,
            Heuristic::Blind | Heuristic::Unmet | Heuristic::Hmax => Sum::Max,
        };
        self.relaxed.run(task, &self.from, None, sum);
        &self.relaxed
    }
}

/// How many of the parts that all have to hold do not.
pub fn unmet(cond: &Cond, holds: &dyn Fn(&Cond) -> bool) -> u32 {
    match cond {
        Cond::All(parts) => parts.iter().map(|part| u32::from(!holds(part))).sum(),
        part => u32::from(!holds(part)),
    }
}
