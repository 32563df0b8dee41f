//! Looking for a plan, a slice at a time.

use std::fmt;
use std::sync::Arc;

use taskloom_domain::world::Values;
use taskloom_planner::plan::{
    Budget, Engine, GroundTask, Invalid, Outcome, Plan, Progress, Statistics, Strategy, Validation,
};

use crate::world::Level;
use crate::{Error, World};

/// A search for a plan in a [`World`] as it was when it began. Whoever runs it gives it as
/// many [steps](Self::step) as there is time for.
pub struct Planning {
    level: Arc<Level>,
    values: Arc<Values>,
    /// None where one of them has no value for an argument.
    tasks: Option<Vec<GroundTask>>,
    budget: Budget,
    strategy: Strategy,
    work: Work,
}

enum Work {
    Prepare,
    Search(Box<dyn Engine>),
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
    pub(crate) fn new(world: &World, tasks: Option<Vec<GroundTask>>, budget: Budget) -> Self {
        Self {
            level: world.level.clone(),
            values: world.values(),
            tasks,
            budget,
            strategy: world.level.strategy,
            work: Work::Prepare,
        }
    }

    /// The same by another strategy, from the beginning.
    #[must_use]
    pub fn by(self, strategy: Strategy) -> Self {
        Self {
            strategy,
            work: Work::Prepare,
            ..self
        }
    }

    /// Goes on: sets the search up, takes about so many more decisions, or replays so many
    /// pieces of the plan that was found. What it came to, once it has ended; a plan has passed its replay.
    ///
    /// # Errors
    /// Why a plan that was found is wrong: that is a fault of the planner's.
    pub fn step(&mut self, decisions: u64) -> Option<Result<Outcome, Error>> {
        match std::mem::replace(&mut self.work, Work::Done) {
            Work::Prepare => {
                let (level, tasks) = (&self.level, self.tasks.as_deref());
                let problem = level.with(self.values.clone(), |world| {
                    level.problem.anew(&world, tasks)
                });
                self.work = Work::Search(self.strategy.search(&problem, self.budget, 0));
            }
            Work::Search(mut engine) => {
                if engine.step(decisions) == Progress::Running {
                    self.work = Work::Search(engine);
                    return None;
                }
                let outcome = match (engine.outcome(), engine.best()) {
                    (Some(Outcome::GaveUp(_)), Some(best)) => Outcome::Plan(best.clone()),
                    (outcome, _) => outcome.unwrap_or(Outcome::Stopped),
                };
                let Outcome::Plan(plan) = outcome else {
                    return Some(Ok(outcome));
                };
                let Some(tasks) = &self.tasks else {
                    let reason = "an argument of the task is undefined";
                    return Some(Err(Error(reason.to_owned())));
                };
                let tasks = tasks.iter().cloned().map(Ok).collect();
                let validation = Validation::new(&plan, self.values.clone(), tasks);
                self.work = Work::Validate(plan, Box::new(validation));
            }
            Work::Validate(plan, mut validation) => {
                let validated = self
                    .level
                    .validate(|validator| validation.step(validator, &plan, decisions));
                let Some(validated) = validated else {
                    self.work = Work::Validate(plan, validation);
                    return None;
                };
                let wrong = |invalid: Invalid| Error(invalid.to_string());
                return Some(validated.map(|()| Outcome::Plan(plan)).map_err(wrong));
            }
            Work::Done => return Some(Ok(Outcome::Stopped)),
        }
        None
    }

    /// Goes on to the end of the budget.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn finish(mut self) -> Result<Outcome, Error> {
        loop {
            if let Some(outcome) = self.step(u64::MAX) {
                return outcome;
            }
        }
    }

    /// What the search has used so far; nothing before it has begun and after it has ended.
    pub fn statistics(&self) -> Statistics {
        match &self.work {
            Work::Search(engine) => engine.statistics(),
            _ => Statistics::default(),
        }
    }
}
