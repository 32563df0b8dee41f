//! The result of a simulation: the record of what happened.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::aborts::Abort;
use taskloom_document::Name;
use taskloom_domain::world::claimed_by;
use taskloom_planner::compile::QueryAnswer;
use taskloom_planner::plan::{Atom, Change, GoalValue, GroundTask, Outcome, Plan};

/// The state of a task in execution (Krylov & Abramov 2020, section 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// In the plan, but not yet started.
    Planned,
    /// Being executed, or waiting for its completion conditions.
    InProgress,
    /// Executed successfully.
    Complete,
    /// Failed because of its own conditions, or those of a task above it.
    Failed,
    /// In the background of a task whose main branch is complete: it was stopped then, or skipped if it
    /// hadn't started.
    Stopped,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum RunEnd {
    /// All tasks are complete, and the goal is true.
    Complete,
    /// All tasks are complete, but the goal is false in the resulting world; with the part of it that
    /// is false.
    GoalMissed(String),
    /// There is no plan, and no later event could make one possible.
    #[default]
    Failed,
    /// The last allowed tick was reached.
    OutOfTicks,
    /// Too many plans failed, or the same one was made again and again.
    OutOfPlans,
    /// The only characters with anything left to do are those that begin again endlessly.
    Endless,
    /// The planner was stopped.
    Stopped,
}

/// A simulated run: the plans in order, their executed steps, and everything else that
/// happened.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Run {
    /// All plannings, in order, at most one per character and tick.
    pub plans: Vec<Planning>,
    /// The steps that were started, in the order in which they ended. Steps still in progress are
    /// the last of each character.
    pub executed: Vec<StepExecution>,
    /// The scenario's events that occurred, in order.
    pub events: Vec<EventOccurrence>,
    /// The changes of characters' beliefs by their senses, in order.
    pub perceptions: Vec<Perception>,
    /// The facts for which each character has a sense; all other facts are always visible to it.
    pub senses: Vec<Vec<Name>>,
    /// The way in which the run ended.
    pub end: RunEnd,
    /// The tick at which the run ended.
    pub ticks: u32,
}

impl Run {
    /// The index of an [`EventOccurrence`] that is no event of the scenario: the game has set facts.
    pub const SET_BY_GAME: usize = usize::MAX;

    /// Removes the entries of characters that don't exist any more. `cast` has the new index of each character.
    /// Returns the new indices of the plannings and of the steps.
    pub(crate) fn keep_characters(
        &mut self,
        cast: &[Option<usize>],
    ) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
        let new = |indices: &[Option<usize>], old: usize| indices.get(old).copied().flatten();
        let plannings = renumbered(&mut self.plans, |planning| {
            planning.character = new(cast, planning.character)?;
            Some(())
        });
        let steps = renumbered(&mut self.executed, |step| {
            step.plan = new(&plannings, step.plan)?;
            Some(())
        });
        for planning in &mut self.plans {
            if let Cause::Failure(step) = &mut planning.cause {
                *step = new(&steps, *step).unwrap_or(*step);
            }
        }
        self.perceptions.retain_mut(|perception| {
            let character = new(cast, perception.character);
            perception.character = character.unwrap_or(perception.character);
            character.is_some()
        });
        (plannings, steps)
    }
}

/// Keeps the entries that `keep` adapts. Returns the new index of each.
fn renumbered<T>(
    entries: &mut Vec<T>,
    mut keep: impl FnMut(&mut T) -> Option<()>,
) -> Vec<Option<usize>> {
    let mut count = 0;
    let mut indices = vec![];
    entries.retain_mut(|entry| {
        let index = keep(entry).map(|()| count);
        count += usize::from(index.is_some());
        indices.push(index);
        index.is_some()
    });
    indices
}

/// One planning of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planning {
    /// The character, by its index in the cast.
    pub character: usize,
    /// The tick of the planning.
    pub tick: u32,
    /// The reason for it.
    pub cause: Cause,
    /// The ground fact whose change the character noticed, if that is the reason.
    pub noticed: Option<Atom>,
    /// The values of the character's goals, if it has any.
    pub goal_values: Vec<GoalValue>,
    /// The outcome, in the world at that time; or the reason why the validator rejected the
    /// plan, which is an internal error of the planner. A plan for what is left of tasks under way is below them.
    pub outcome: Result<Outcome, String>,
    /// The nodes of its plan that are tasks under way: they were decomposed by earlier plans.
    #[serde(default)]
    pub under_way: Vec<usize>,
    /// The aborted tasks that the plan cleans up after before anything else, in this order, or whose cleanups
    /// it drops.
    #[serde(default)]
    pub aborts: Vec<Abort>,
    /// The game's answers to queries, in the order in which they were asked.
    #[serde(default)]
    pub answers: Vec<QueryAnswer>,
}

impl Planning {
    /// Returns the plan, if one was found.
    pub fn plan(&self) -> Option<&Plan> {
        match &self.outcome {
            Ok(Outcome::Plan(plan)) => Some(plan),
            _ => None,
        }
    }
}

/// The maximum number of a character's plans that may fail before its tasks are complete. A plan that
/// it abandons for another has not failed.
pub const MAX_PLANS: usize = 20;

/// The reason for a planning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The run begins.
    Start,
    /// A step failed: its index in [`Run::executed`].
    Failure(usize),
    /// There was no plan, and the character's beliefs have changed since.
    Event,
    /// The character's tasks are complete, and it begins again.
    Again,
    /// The character noticed a change of a fact that its plan depends on.
    Perception,
    /// The character replans at an interval.
    Every,
    /// The character continues: after a partial plan, with its next goal or, if it is reactive,
    /// with the next step.
    Onward,
    /// Another goal has a higher value now, or the pursued one no longer has a value.
    Goal,
    /// A goal or a task is retried that had failed or was cooling down.
    Retry,
    /// An earlier alternative than the current one has become possible.
    Alternative,
    /// The rest of the plan may depend on what tasks in the background would have done that were stopped.
    Background,
}

/// The execution of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepExecution {
    /// The index of its planning in [`Run::plans`].
    pub plan: usize,
    /// The step's index in that plan.
    pub step: usize,
    /// The tick at which it started.
    pub start: u32,
    /// The tick at which its duration ends.
    pub due: u32,
    /// The tick at which its duration ended and its effects applied, once it has.
    pub acted: Option<u32>,
    /// The tick at which it was complete or failed, once it has.
    pub end: Option<u32>,
    /// The step's state: in progress, complete, failed or stopped.
    pub state: TaskState,
    /// The objects that it has claimed.
    #[serde(default)]
    pub claims: Vec<Name>,
    /// The reason why it failed or, if it is in progress, what it waits for.
    pub reason: Option<Reason>,
    /// The tasks that its actor gives up because of its failure: its own, or ones above it.
    #[serde(default)]
    pub gave_up: Vec<GroundTask>,
    /// The changes by its effects.
    pub changes: Vec<Change>,
    /// The other changes of the character's beliefs because of it: effects that were already true in
    /// the world, or beliefs that turned out to be false.
    pub learned: Vec<Change>,
}

/// The reason why a step failed, or what it waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// Failed: a precondition was false when it should have started.
    Precondition(String),
    /// Failed: a precondition was true in the character's beliefs, but false in the world.
    Denied(String),
    /// Failed: before it acted, at the same tick, another actor made this precondition false; with the name of that actor.
    Forestalled(String, Option<Name>),
    /// Failed: another actor claimed this object when it should have started; with the name of that actor.
    Claimed(Name, Option<Name>),
    /// Failed: interrupted by a new plan.
    Interrupted,
    /// Failed: stopped because the rest of its plan is no longer possible, with the reason.
    Impossible(String),
    /// Failed: aborted because this step of its plan failed in parallel.
    ParallelFailure(GroundTask),
    /// Failed: an integrity rule of this task, its own or one above it, was violated.
    Integrity(GroundTask, String),
    /// Failed: it was the last step of this task above it, whose goal isn't reached.
    MissedGoal(GroundTask, String),
    /// Failed: this task, its own or one above it, wasn't complete this many ticks after its start.
    Timeout(GroundTask, u32),
    /// Failed: its effects could not be applied.
    Effects(String),
    /// Failed: the scenario makes its action fail.
    Action,
    /// Failed: its action has failed in the game, with the reason.
    Body(String),
    /// Failed: the actor was stopped, removed, or given other tasks.
    Ordered,
    /// Stopped: it was in the background of this task, whose main branch is complete.
    MainBranchEnded(GroundTask),
    /// Failed: this object, which the task names or which the actor is, was removed.
    Removed(Name),
    /// Waits: its duration ends at this tick.
    Duration(u32),
    /// Waits: a completion condition is false.
    Completion(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Precondition(rule) => write!(f, "precondition is false: {rule}"),
            Self::Denied(rule) => write!(f, "precondition is false in the world: {rule}"),
            Self::Forestalled(rule, Some(actor)) => {
                write!(
                    f,
                    "'{actor}' acted first, so a precondition is false: {rule}"
                )
            }
            Self::Forestalled(rule, None) => {
                write!(
                    f,
                    "another actor acted first, so a precondition is false: {rule}"
                )
            }
            Self::Claimed(object, actor) => f.write_str(&claimed_by(object, actor.as_ref())),
            Self::Interrupted => f.write_str("interrupted by a new plan"),
            Self::Impossible(why) => write!(f, "the plan is no longer possible: {why}"),
            Self::ParallelFailure(task) => write!(f, "aborted because {task} failed in parallel"),
            Self::Integrity(task, rule) => write!(f, "integrity rule of {task}: {rule}"),
            Self::MissedGoal(task, goal) => write!(f, "goal of {task} not reached: {goal}"),
            Self::Timeout(task, 1) => write!(f, "{task} timed out after 1 tick"),
            Self::Timeout(task, ticks) => write!(f, "{task} timed out after {ticks} ticks"),
            Self::Effects(why) => f.write_str(why),
            Self::Action => f.write_str("the scenario makes this action fail"),
            Self::Body(why) => write!(f, "the action has failed: {why}"),
            Self::Ordered => f.write_str("stopped by an order"),
            Self::MainBranchEnded(task) => {
                write!(f, "stopped because the main branch of {task} is complete")
            }
            Self::Removed(object) => write!(f, "'{object}' was removed"),
            Self::Duration(tick) => write!(f, "runs until tick {tick}"),
            Self::Completion(rule) => write!(f, "waits for {rule}"),
        }
    }
}

/// A change of a character's beliefs by its senses, or by forgetting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Perception {
    /// The tick of the observation.
    pub tick: u32,
    /// The character, by its index in the cast.
    pub character: usize,
    /// The changes of its beliefs.
    pub changes: Vec<Change>,
}

/// An occurrence of one of the scenario's events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventOccurrence {
    /// The tick at which it occurred.
    pub tick: u32,
    /// The event's index in the scenario.
    pub event: usize,
    /// The changes that it made.
    pub changes: Vec<Change>,
    /// The reason why its effect could not be applied and changed nothing.
    pub refused: Option<String>,
}
