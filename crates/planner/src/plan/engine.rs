//! The common interface of the searches.

use std::sync::Arc;

use super::{Outcome, Plan, Statistics, Trace};

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It continues with the next `step`.
    Running,
    /// Its `outcome` has the answer.
    Done,
}

/// A search that is run in slices.
pub trait Engine: Send {
    /// Takes about `nodes` more decisions, as counted by [`spent`](Self::spent). It exceeds them by less
    /// than one indivisible step, such as the evaluation of a state. The result doesn't depend on how
    /// the search is divided into calls.
    fn step(&mut self, nodes: u64) -> Progress;
    /// Returns the number of decisions taken so far. Other work counts as
    /// decisions too: 8 evaluations of a quantifier's body as one; in a search for goals, 64 units of
    /// work as one, such as parts of ground actions, and propositions and operators visited.
    fn spent(&self) -> u64;
    /// Returns the outcome; `None` while the search is running. A plan has yet to be validated.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the best plan so far of a search that continues after its first one.
    fn best(&self) -> Option<&Arc<Plan>> {
        None
    }
    /// Returns a lower bound of the cost of all plans, if one is known.
    fn bound(&self) -> Option<f64> {
        None
    }
    /// Returns the resources used so far.
    fn statistics(&self) -> Statistics;
    /// Returns the trace so far; `None` if the search doesn't keep one.
    fn trace(&self) -> Option<&Trace> {
        None
    }
}
