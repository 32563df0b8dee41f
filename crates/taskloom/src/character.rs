//! A character that plans and acts in a world that the game owns.

use taskloom_planner::plan::{Budget, Outcome, Plan, Step};
use taskloom_runtime::{Cause, Execution, Progress};

use crate::{Error, Planning, World};

/// Somebody with tasks: it plans, carries its plan out tick by tick, and plans again where
/// that fails, or where there was no plan and the world has changed.
///
/// A frame of a game calls [`think`](Self::think) for as long as it has time to give, and
/// [`act`](Self::act) once a tick. Neither looks at a clock.
#[derive(Debug)]
pub struct Character {
    execution: taskloom_runtime::Character,
    /// It plans for goals of its agent's.
    has_goals: bool,
    budget: Budget,
    planning: Option<Planning>,
    /// How its last planning ended.
    outcome: Option<Result<Outcome, Error>>,
    /// The world's revision when it last planned, or looked whether it wants anything.
    stuck_at: u64,
}

impl Character {
    /// A character that has these tasks to do, in sequence, and no plan yet: its [own in the
    /// scenario](World::tasks), or others. Without tasks it plans for its goals, one after the other. The budget is
    /// that of each planning.
    ///
    /// # Errors
    /// What is wrong with a task.
    pub fn new(world: &World, tasks: &[impl AsRef<str>], budget: Budget) -> Result<Self, Error> {
        Ok(Self {
            execution: taskloom_runtime::Character::new(Some(world.read_tasks(tasks)?)),
            has_goals: tasks.is_empty() && world.has_goals(),
            budget,
            planning: None,
            outcome: None,
            stuck_at: 0,
        })
    }

    /// Gives it other tasks: whatever it was about is forgotten.
    ///
    /// # Errors
    /// What is wrong with a task. It goes on with the old ones then.
    pub fn give(&mut self, world: &World, tasks: &[impl AsRef<str>]) -> Result<(), Error> {
        *self = Self::new(world, tasks, self.budget)?;
        Ok(())
    }

    /// Plans a little, if it needs a plan: as much as one [step](Planning::step), of so many
    /// decisions. Returns `true` if there is more to think about at once.
    ///
    /// # Errors
    /// Why a plan that was found is wrong: that is a fault of the planner's. The character waits
    /// then until a fact changes.
    pub fn think(&mut self, world: &World, decisions: u64) -> Result<bool, Error> {
        if world.revision() != self.stuck_at {
            if self.execution.is_waiting() {
                self.execution.notice();
            } else if self.execution.is_content() {
                self.stuck_at = world.revision();
                if world.wants_something() {
                    self.execution.want();
                }
            }
        }
        if self.execution.needs_plan().is_none() {
            return Ok(false);
        }
        let execution = &self.execution;
        let planning = self.planning.get_or_insert_with(|| {
            self.stuck_at = world.revision();
            let tasks = world.ask(|world| execution.tasks(&world));
            Planning::new(world, tasks, self.budget)
        });
        let Some(outcome) = planning.step(decisions) else {
            return Ok(true);
        };
        self.planning = None;
        let told = outcome.as_ref().map_err(ToString::to_string);
        self.execution.planned(&told.cloned(), None);
        self.outcome = Some(outcome.clone());
        outcome.map(|_| false)
    }

    /// Carries its plan out, up to the end of a step or of this tick: call it again at the
    /// same tick for as long as it says that a step has [ended](Progress::Ended). Durations
    /// of actions are counted in ticks, and their effects go to the world.
    ///
    /// Who has goals is [complete](Progress::Complete) once all that it wants is true, and wants
    /// something again when the world changes.
    pub fn act(&mut self, world: &mut World, tick: u32) -> Progress {
        world.set_time(tick);
        let progress = world.change(|world| self.execution.act(world, tick));
        // A plan that led a part of the way is followed by the next one, from the next tick on.
        self.execution.wake(tick.saturating_add(1));
        if progress == Progress::Complete && self.has_goals && !self.execution.is_content() {
            self.execution.rest();
        }
        progress
    }

    /// The plan that it follows.
    pub fn plan(&self) -> Option<&Plan> {
        self.execution.plan().map(|(plan, _)| &**plan)
    }

    /// The step of its plan that is in progress, and how far: what it is to be seen doing. Of several,
    /// the first in the plan.
    pub fn doing(&self) -> Option<(&Step, &Execution)> {
        self.all_doing().next()
    }

    /// The steps of its plan that are in progress, side by side, in the order of the plan: one of each
    /// executor at most.
    pub fn all_doing(&self) -> impl Iterator<Item = (&Step, &Execution)> {
        self.execution.executions().filter_map(|execution| {
            let step = self.plan()?.steps.get(execution.step)?;
            Some((step, execution))
        })
    }

    /// Why it needs a plan; none where it has one, or waits for the world to change.
    pub fn needs_plan(&self) -> Option<Cause> {
        self.execution.needs_plan()
    }

    /// Returns `true` if there is no plan in the world as it is: it waits for a change.
    pub fn is_stuck(&self) -> bool {
        self.execution.is_waiting()
    }

    /// How its last planning ended.
    pub fn outcome(&self) -> Option<&Result<Outcome, Error>> {
        self.outcome.as_ref()
    }
}
