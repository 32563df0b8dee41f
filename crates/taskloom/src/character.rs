//! A character that plans and acts in a world that the game owns.

use taskloom_planner::plan::{Budget, Outcome, Plan, Step};
use taskloom_runtime::{Cause, Progress, StepExecution};

use crate::{Error, Planning, World};

/// A character with tasks or goals. It plans, executes its plan tick by tick, and replans if the plan
/// fails, or if there was no plan and the world has changed.
///
/// A game calls [`think`](Self::think) in each frame for as long as it has time, and
/// [`act`](Self::act) once a tick. Neither reads a clock.
#[derive(Debug)]
pub struct Character {
    execution: taskloom_runtime::Character,
    /// `true` if it plans for its agent's goals.
    has_goals: bool,
    budget: Budget,
    planning: Option<Planning>,
    /// The outcome of its last planning.
    outcome: Option<Result<Outcome, Error>>,
    /// The world's revision when it last planned, or last checked for active goals.
    stuck_at: u64,
}

impl Character {
    /// Creates a character that has tasks to do in sequence, and no plan yet. The tasks are its [own in the
    /// scenario](World::tasks), or others. Without tasks it plans for its goals, one after the other. The budget
    /// applies to each planning.
    ///
    /// # Errors
    /// Returns an error if a task is invalid.
    pub fn new(world: &World, tasks: &[impl AsRef<str>], budget: Budget) -> Result<Self, Error> {
        Ok(Self {
            execution: taskloom_runtime::Character::new(Some(world.read_tasks(tasks)?)),
            has_goals: tasks.is_empty() && world.inner.actor().has_goals(),
            budget,
            planning: None,
            outcome: None,
            stuck_at: 0,
        })
    }

    /// Replaces its tasks, and drops its plan and steps in progress.
    ///
    /// # Errors
    /// Returns an error if a task is invalid. The character then continues with the old tasks.
    pub fn assign(&mut self, world: &World, tasks: &[impl AsRef<str>]) -> Result<(), Error> {
        *self = Self::new(world, tasks, self.budget)?;
        Ok(())
    }

    /// Plans for a slice, if it needs a plan: one [step](Planning::step) of about this many
    /// decisions. Returns `true` if it needs another call to finish planning.
    ///
    /// # Errors
    /// Returns an error if the planner found an invalid plan, which is an internal error. The
    /// character then waits until a fact changes.
    pub fn think(&mut self, world: &World, decisions: u64) -> Result<bool, Error> {
        if world.inner.revision() != self.stuck_at {
            if self.execution.is_waiting() {
                self.execution.notice();
            } else if self.execution.has_no_active_goal() {
                self.stuck_at = world.inner.revision();
                if world.has_active_goal() {
                    self.execution.request_plan();
                }
            }
        }
        if self.execution.needs_plan().is_none() {
            return Ok(false);
        }
        let execution = &self.execution;
        let planning = self.planning.get_or_insert_with(|| {
            self.stuck_at = world.inner.revision();
            let tasks = execution.tasks(&world.inner);
            Planning::new(world, tasks, self.budget)
        });
        let Some(outcome) = planning.step(decisions) else {
            return Ok(true);
        };
        self.planning = None;
        let result = outcome.as_ref().map_err(ToString::to_string);
        self.execution.planned(&result.cloned(), None);
        self.outcome = Some(outcome.clone());
        outcome.map(|_| false)
    }

    /// Executes its plan up to the end of a step or of this tick: call it again at the same
    /// tick for as long as it returns that a step has [ended](Progress::Ended). Durations of
    /// actions are counted in ticks, and their effects change the world.
    ///
    /// A character with goals is [complete](Progress::Complete) once none of its goals is active,
    /// and may continue when the world changes.
    pub fn act(&mut self, world: &mut World, tick: u32) -> Progress {
        world.set_time(tick);
        let progress = self.execution.act(&mut world.inner, tick);
        // After a partial plan it plans for the rest, from the next tick on.
        self.execution.wake(tick.saturating_add(1));
        if progress == Progress::Complete && self.has_goals && !self.execution.has_no_active_goal()
        {
            self.execution.rest();
        }
        progress
    }

    /// Returns the plan that it executes.
    pub fn plan(&self) -> Option<&Plan> {
        self.execution.plan().map(|(plan, _)| &**plan)
    }

    /// Returns the step of its plan that is in progress, and how far it is. If there are several, the
    /// first in the plan.
    pub fn current_step(&self) -> Option<(&Step, &StepExecution)> {
        self.running_steps().next()
    }

    /// Returns the steps of its plan that are in progress in parallel, in the order of the plan: at most
    /// one per executor.
    pub fn running_steps(&self) -> impl Iterator<Item = (&Step, &StepExecution)> {
        self.execution.executions().filter_map(|execution| {
            let step = self.plan()?.steps.get(execution.step)?;
            Some((step, execution))
        })
    }

    /// Returns why it needs a plan, or `None` if it has one or waits for the world to change.
    pub fn needs_plan(&self) -> Option<Cause> {
        self.execution.needs_plan()
    }

    /// Returns `true` if no plan was found in the current world: it waits for a change.
    pub fn is_stuck(&self) -> bool {
        self.execution.is_waiting()
    }

    /// Returns the outcome of its last planning.
    pub fn outcome(&self) -> Option<&Result<Outcome, Error>> {
        self.outcome.as_ref()
    }
}
