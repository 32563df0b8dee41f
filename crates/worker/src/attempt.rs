//! A search in slices, without anything to display of the search itself.

use std::sync::Arc;

use taskloom_document::Name;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_domain::Domain;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{
    Budget, Engine, Limit, Outcome, Plan, Progress, StartSearch, Strategy, validate_cancellable,
};

use crate::answer::SearchReport;

/// The number of decisions between two looks at the clock.
pub const STRIDE: u64 = 256;
/// The time for a plan, and for validating one, in milliseconds.
pub const AGAIN: f64 = 5_000.0;
/// The budget of a search that only time should end: as much memory as a page can be expected to
/// have.
const LARGE: Budget = Budget {
    nodes: u64::MAX,
    depth: 100_000,
    memory: 1 << 30,
};

/// A search for a plan.
pub struct Attempt {
    engine: Box<dyn Engine>,
    strategy: Strategy,
}

impl Attempt {
    /// Starts searching for a plan of a problem.
    pub fn new(
        problem: &Problem,
        strategy: Strategy,
        start: StartSearch,
        now: fn() -> f64,
    ) -> Self {
        Self::traced(problem, strategy, start, 0, now)
    }

    /// Starts like [`Self::new`], and keeps this many search events.
    pub fn traced(
        problem: &Problem,
        strategy: Strategy,
        start: StartSearch,
        trace_bound: usize,
        now: fn() -> f64,
    ) -> Self {
        let problem = problem.with_stop(&until(now, now() + AGAIN));
        Self {
            engine: start(strategy, &problem, budget(strategy), trace_bound),
            strategy,
        }
    }

    /// Describes the search, which has taken this long, in microseconds.
    pub fn report(&self, micros: u64) -> SearchReport {
        let is_plan = matches!(ended(&*self.engine), Outcome::Plan(_));
        let proved = self.strategy == Strategy::Cheapest && is_plan;
        SearchReport::of(&*self.engine, proved, micros)
    }

    /// Searches a little further. Returns the outcome at the end; its plan has yet to be validated.
    pub fn step(&mut self) -> Option<Outcome> {
        match self.engine.step(STRIDE) {
            Progress::Running => None,
            Progress::Done => Some(best_of(ended(&*self.engine), self.engine.best())),
        }
    }
}

/// Returns the outcome of planning for a character of a scenario, with its plan validated.
///
/// # Errors
/// Returns the reason why validation rejects the plan, which is a bug in the planner.
pub fn validated(
    domain: &Domain,
    whose: (&Name, usize),
    outcome: Outcome,
    now: fn() -> f64,
) -> Result<Outcome, String> {
    let Outcome::Plan(plan) = &outcome else {
        return Ok(outcome);
    };
    let stop = until(now, now() + AGAIN);
    match validate_cancellable(domain, whose, plan, &stop) {
        Ok(Ok(())) => Ok(outcome),
        Ok(Err(invalid)) => Err(invalid.to_string()),
        Err(Stopped) => Ok(Outcome::GaveUp(Limit::Time)),
    }
}

/// Returns the budget of a search with a strategy.
pub fn budget(strategy: Strategy) -> Budget {
    match strategy {
        Strategy::First => Budget::default(),
        Strategy::Cheapest | Strategy::Fastest => LARGE,
    }
}

/// Returns a `Stop` with this deadline.
pub fn until(now: fn() -> f64, deadline: f64) -> Stop {
    Stop::when(move || now() >= deadline)
}

/// Returns the outcome of a finished search. A search stopped from within has run out of time.
pub fn ended(engine: &dyn Engine) -> Outcome {
    match engine.outcome() {
        Some(Outcome::Stopped) => Outcome::GaveUp(Limit::Time),
        outcome => outcome.unwrap_or(Outcome::Stopped),
    }
}

/// Returns a search's outcome, or its best plan so far if the search was cut short.
pub fn best_of(outcome: Outcome, best: Option<&Arc<Plan>>) -> Outcome {
    match (outcome, best) {
        (Outcome::GaveUp(_) | Outcome::Stopped, Some(best)) => Outcome::Plan(best.clone()),
        (outcome, _) => outcome,
    }
}
