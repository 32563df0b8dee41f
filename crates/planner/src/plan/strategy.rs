//! The choice of a search by the kind of plan.

use serde::{Deserialize, Serialize};

use super::cheapest::Cheapest;
use super::engine::{Engine, Progress};
use super::goals::{self, Mode};
use super::search::Search;
use crate::compile::Problem;
use crate::plan::{Budget, Outcome};
use taskloom_document::{Name, Policy};
use taskloom_domain::Domain;

/// The plan to search for (semantics, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Strategy {
    /// The first plan in the designer's order.
    #[default]
    First,
    /// An optimal plan: one of minimum total cost.
    Cheapest,
    /// Any plan: the one that is found fastest.
    Fastest,
}

impl Strategy {
    /// Starts a search. At most `trace_bound` events are kept.
    ///
    /// For tasks, the search for any plan is the one for the first plan. A faster one, of the crate
    /// `taskloom-portfolio`, starts in the same way: see [`StartSearch`].
    pub fn search(self, problem: &Problem, budget: Budget, trace_bound: usize) -> Box<dyn Engine> {
        if problem.is_for_goals() {
            let mode = match self {
                Self::First => Mode::Configured,
                Self::Cheapest => Mode::Optimal,
                Self::Fastest => Mode::Satisficing,
            };
            return Box::new(goals::Search::new(problem, budget, mode, trace_bound));
        }
        match self {
            Self::Cheapest => Box::new(Cheapest::new(problem, budget, trace_bound)),
            Self::First | Self::Fastest => Box::new(Search::new(problem, budget, trace_bound)),
        }
    }
}

/// A function that starts a search, such as [`Strategy::search`]. Its caller chooses it, so a program
/// contains only the searches that it offers.
pub type StartSearch = fn(Strategy, &Problem, Budget, usize) -> Box<dyn Engine>;

impl From<Policy> for Strategy {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::First => Self::First,
            Policy::Cheapest => Self::Cheapest,
        }
    }
}

/// Returns the policy of the n-th character of a scenario: `Cheapest` if that is how its agent
/// decomposes tasks.
pub fn policy(domain: &Domain, scenario: &Name, actor: usize) -> Policy {
    domain.scene_or_empty(scenario).actor(actor).policy()
}

/// Searches for the first plan until the end of the budget. The plan has yet to be validated.
pub fn plan(problem: &Problem, budget: Budget) -> Outcome {
    plan_by(Policy::First, problem, budget)
}

/// Searches for the plan that a policy asks for until the end of the budget, and returns it or else
/// the best one so far. The plan has yet to be validated.
pub fn plan_by(policy: Policy, problem: &Problem, budget: Budget) -> Outcome {
    let mut search = Strategy::from(policy).search(problem, budget, 0);
    while search.step(u64::MAX) == Progress::Running {}
    match (search.outcome(), search.best()) {
        (Some(Outcome::GaveUp(_)), Some(best)) => Outcome::Plan(best.clone()),
        (outcome, _) => outcome.unwrap_or(Outcome::Stopped),
    }
}
