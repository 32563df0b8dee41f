//! The fastest strategy, for problems like those of planning competitions: three searches share one
//! budget until one of them finds a plan.
//!
//! A [`Search`] alternates between two searches of the lifted model (`lifted`) and one of the ground
//! problem (`grounded`); `assemble` turns the decomposition that one of them finds into a plan.

mod assemble;
mod grounded;
mod grounding;
mod landmarks;
mod lifted;
mod progression;
mod relation;
mod search;

use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Budget, Engine, Strategy};
use taskloom_planner::search_kit::Compiled;

pub use search::Search;

/// Starts a search like [`Strategy::search`], with this crate's [`Search`] for
/// [`Strategy::Fastest`]. It keeps no trace, and knows neither goals without tasks nor answers to
/// queries nor integrity rules: problems with those are left to the planner.
pub fn search(
    strategy: Strategy,
    problem: &Problem,
    budget: Budget,
    trace_bound: usize,
) -> Box<dyn Engine> {
    match strategy {
        Strategy::Fastest
            if !problem.is_for_goals() && problem.answers().is_none() && !problem.has_rules() =>
        {
            Box::new(Search::new(problem, budget))
        }
        _ => strategy.search(problem, budget, trace_bound),
    }
}
