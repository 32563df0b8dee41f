//! Decomposition search.

use super::{Budget, Limit, Outcome, Statistics, Trace};
use crate::compile::Problem;

/// Whether a search has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It goes on with the next [`Search::step`].
    Running,
    /// [`Search::outcome`] has the answer.
    Done,
}

/// A forward decomposition search for the first plan in the designer's order.
#[derive(Debug)]
pub struct Search {
    statistics: Statistics,
    trace: Trace,
}

impl Search {
    /// Starts a search. At most `trace_bound` events are kept; 0 costs nothing.
    pub fn new(_problem: &Problem, _budget: Budget, _trace_bound: usize) -> Self {
        Self {
            statistics: Statistics::default(),
            trace: Trace::default(),
        }
    }

    /// Takes at most `nodes` more decisions.
    pub fn step(&mut self, _nodes: u64) -> Progress {
        Progress::Done
    }

    /// How it ended; `None` while it runs.
    pub fn outcome(&self) -> Option<Outcome> {
        Some(Outcome::GaveUp(Limit::Nodes))
    }

    /// What it used so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// What it did so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }
}

/// Searches to the end of the budget.
pub fn plan(problem: &Problem, budget: Budget) -> Outcome {
    let mut search = Search::new(problem, budget, 0);
    loop {
        if search.step(u64::MAX) == Progress::Done
            && let Some(outcome) = search.outcome()
        {
            return outcome;
        }
    }
}
