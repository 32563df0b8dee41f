//! The search for a plan, run in slices.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use taskloom_domain::world::World as NamedWorld;
use taskloom_planner::plan::{
    Budget, Engine, GroundTask, Invalid, Outcome, Plan, Progress, StartSearch, Statistics,
    Strategy, Validation,
};

use crate::Error;
use crate::situation::{Level, Situation};

/// Starts the searches.
#[cfg(feature = "portfolio")]
const START: StartSearch = taskloom_portfolio::search;
#[cfg(not(feature = "portfolio"))]
const START: StartSearch = Strategy::search;

/// A search for a plan in a snapshot of a [`Situation`], taken when the search started. The caller
/// runs as many [steps](Self::step) as there is time for.
pub struct Planning {
    level: Arc<Level>,
    world: NamedWorld,
    tasks: Vec<GroundTask>,
    budget: Budget,
    strategy: Strategy,
    work: Work,
}

enum Work {
    Prepare,
    /// Locked by nobody: an engine is not `Sync` by itself.
    Search(Mutex<Box<dyn Engine>>),
    Validate(Arc<Plan>, Box<Validation>),
    Done,
}

impl fmt::Debug for Planning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planning")
            .field("tasks", &self.tasks)
            .field("statistics", &self.statistics())
            .finish_non_exhaustive()
    }
}

impl Planning {
    pub(crate) fn new(from: &Situation, tasks: Vec<GroundTask>, budget: Budget) -> Self {
        Self {
            level: from.level.clone(),
            world: from.inner.clone(),
            tasks,
            budget,
            strategy: from.level.strategy,
            work: Work::Prepare,
        }
    }

    /// Restarts the search with another strategy. [`Strategy::Fastest`] needs the feature `portfolio`;
    /// without it, it searches for the first plan.
    #[must_use]
    pub fn with_strategy(self, strategy: Strategy) -> Self {
        Self {
            strategy,
            work: Work::Prepare,
            ..self
        }
    }

    /// Runs one slice: sets the search up, takes about this many more decisions, or replays this many
    /// pieces of the plan that was found. Returns the outcome once the search has ended; a plan has
    /// been validated by then.
    ///
    /// # Errors
    /// Returns an error if the planner found an invalid plan, which is an internal error.
    pub fn step(&mut self, decisions: u64) -> Option<Result<Outcome, Error>> {
        match std::mem::replace(&mut self.work, Work::Done) {
            Work::Prepare => {
                let problem = &self.level.problem;
                let problem = problem.with_state(&self.world, Some(&self.tasks));
                let search = START(self.strategy, &problem, self.budget, 0);
                self.work = Work::Search(Mutex::new(search));
            }
            Work::Search(mut search) => {
                let engine = search.get_mut().unwrap_or_else(PoisonError::into_inner);
                if engine.step(decisions) == Progress::Running {
                    self.work = Work::Search(search);
                    return None;
                }
                let outcome = match (engine.outcome(), engine.best()) {
                    (Some(Outcome::GaveUp(_)), Some(best)) => Outcome::Plan(best.clone()),
                    (outcome, _) => outcome.unwrap_or(Outcome::Stopped),
                };
                let Outcome::Plan(plan) = outcome else {
                    return Some(Ok(outcome));
                };
                let tasks = self.tasks.iter().cloned().map(Ok).collect();
                let validation = Validation::new(&plan, self.world.values().clone(), tasks);
                self.work = Work::Validate(plan, Box::new(validation));
            }
            Work::Validate(plan, mut validation) => {
                let validated = validation.step(&self.level.validator, &plan, decisions);
                let Some(validated) = validated else {
                    self.work = Work::Validate(plan, validation);
                    return None;
                };
                let error = |invalid: Invalid| Error::InvalidPlan(invalid.to_string());
                return Some(validated.map(|()| Outcome::Plan(plan)).map_err(error));
            }
            Work::Done => return Some(Ok(Outcome::Stopped)),
        }
        None
    }

    /// Runs the search to its end, or to the end of its budget.
    ///
    /// # Errors
    /// See [`step`](Self::step).
    pub fn finish(mut self) -> Result<Outcome, Error> {
        loop {
            if let Some(outcome) = self.step(u64::MAX) {
                return outcome;
            }
        }
    }

    /// Returns what the search has used so far. All zero before it has started and after it has ended.
    pub fn statistics(&self) -> Statistics {
        match &self.work {
            Work::Search(engine) => engine
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .statistics(),
            _ => Statistics::default(),
        }
    }
}
