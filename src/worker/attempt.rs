//! A plan that is looked for in slices, without anything that is to be shown of the search.

use std::sync::Arc;

use self_cell::self_cell;
use taskloom::document::stop::{Stop, Stopped};
use taskloom::document::{Document, Name};
use taskloom::planner::compile::{Compilation, Problem};
use taskloom::planner::plan::{
    Budget, Engine, Limit, Outcome, Plan, Progress, Strategy, validate_until,
};

/// Decisions between two looks at the clock.
pub const STRIDE: u64 = 256;
/// Time for a plan, and for validating one, in milliseconds.
pub const AGAIN: f64 = 5_000.0;
/// The budget of a search that nothing but time shall end: as much memory as a page
/// may be trusted to have.
const LARGE: Budget = Budget {
    nodes: u64::MAX,
    depth: 100_000,
    memory: 1 << 30,
};

self_cell!(
    struct Steps {
        owner: Document,
        #[not_covariant]
        dependent: Compilation,
    }
);

/// What a character of a scenario of a document has to plan, being compiled.
pub struct Compiling(Steps);

impl Compiling {
    /// Nothing is compiled yet.
    pub fn new(document: &Document, whose: (&Name, usize), stop: &Stop) -> Self {
        let whole = document.without_muted().into_owned();
        Self(Steps::new(whole, |document| {
            Compilation::new(document, whose, stop)
        }))
    }

    /// Takes in a little more; the problem, once that is all.
    pub fn step(&mut self) -> Option<Problem> {
        self.0
            .with_dependent_mut(|_, compilation| compilation.step())
    }
}

/// A plan that is looked for.
pub struct Attempt {
    engine: Box<dyn Engine>,
}

impl Attempt {
    /// Looks for a plan of a problem, from now on.
    pub fn new(problem: &Problem, strategy: Strategy, now: fn() -> f64) -> Self {
        let problem = problem.until(&until(now, now() + AGAIN));
        Self {
            engine: strategy.search(&problem, budget(strategy), 0),
        }
    }

    /// Goes on a little; what it came to in the end. The plan has yet to be validated.
    pub fn step(&mut self) -> Option<Outcome> {
        match self.engine.step(STRIDE) {
            Progress::Running => None,
            Progress::Done => Some(best_of(ended(&*self.engine), self.engine.best())),
        }
    }
}

/// What planning for a character of a scenario came to, its plan validated.
///
/// # Errors
/// Why the validator refuses the plan, which is a fault of the planner's.
pub fn validated(
    document: &Document,
    whose: (&Name, usize),
    outcome: Outcome,
    now: fn() -> f64,
) -> Result<Outcome, String> {
    let Outcome::Plan(plan) = &outcome else {
        return Ok(outcome);
    };
    let stop = until(now, now() + AGAIN);
    match validate_until(document, whose, plan, &stop) {
        Ok(Ok(())) => Ok(outcome),
        Ok(Err(invalid)) => Err(invalid.to_string()),
        Err(Stopped) => Ok(Outcome::GaveUp(Limit::Time)),
    }
}

/// What a search by a strategy may use.
pub fn budget(strategy: Strategy) -> Budget {
    match strategy {
        Strategy::First => Budget::default(),
        Strategy::Cheapest | Strategy::Any => LARGE,
    }
}

/// Stops at a time.
pub fn until(now: fn() -> f64, deadline: f64) -> Stop {
    Stop::when(move || now() >= deadline)
}

/// How a search ended. What stopped it from within is its time.
pub fn ended(engine: &dyn Engine) -> Outcome {
    match engine.outcome() {
        Some(Outcome::Stopped) => Outcome::GaveUp(Limit::Time),
        outcome => outcome.unwrap_or(Outcome::Stopped),
    }
}

/// A search's outcome, or its best plan so far where it did not end by itself.
pub fn best_of(outcome: Outcome, best: Option<&Arc<Plan>>) -> Outcome {
    match (outcome, best) {
        (Outcome::GaveUp(_) | Outcome::Stopped, Some(best)) => Outcome::Plan(best.clone()),
        (outcome, _) => outcome,
    }
}
