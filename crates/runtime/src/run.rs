//! What a simulation answers: the record of what happened.

use std::fmt;

use serde::{Deserialize, Serialize};

use taskloom_document::Name;
use taskloom_planner::plan::{Atom, Change, GroundTask, Outcome, Plan, Want};

/// The state of a task in execution (Krylov & Abramov 2020, section 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// In the plan, not yet started.
    Planned,
    /// Being executed, or waiting for its completion conditions.
    InProgress,
    /// Successfully executed.
    Complete,
    /// A condition of it, or of a task above it, was violated.
    Failed,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum RunEnd {
    /// All tasks are complete, and the goal holds.
    Complete,
    /// All tasks are complete, but the goal does not hold in the world as it came
    /// to be: the part of it that does not.
    GoalMissed(String),
    /// There is no plan, and no event is to come after which there could be one.
    #[default]
    Failed,
    /// The bound of ticks was reached.
    OutOfTicks,
    /// As many plans failed as a run may make.
    OutOfPlans,
    /// Nobody has anything left to do but those who begin again for ever.
    Endless,
    /// The planner was stopped.
    Stopped,
}

/// A simulated run: plans made one after the other, what was executed of them, and
/// what happened meanwhile.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Run {
    /// Each planning, in order, at most one of a character a tick.
    pub plans: Vec<Planning>,
    /// The steps that were started, in the order in which they ended. Those that are still in
    /// progress are the last of each character.
    pub executed: Vec<Execution>,
    /// The scenario's events that happened, in order.
    pub events: Vec<Happening>,
    /// What characters came to believe by their senses, in order.
    pub perceptions: Vec<Perception>,
    /// The facts for which each character has a sense; all others are always visible to it.
    pub senses: Vec<Vec<Name>>,
    /// How it ended.
    pub end: RunEnd,
    /// The tick at which it ended.
    pub ticks: u32,
}

/// One planning of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planning {
    /// Whose, by its place in the cast.
    pub character: usize,
    /// When.
    pub tick: u32,
    /// Why.
    pub cause: Cause,
    /// The ground fact that it noticed, where that is why.
    pub noticed: Option<Atom>,
    /// What its goals were worth, where it has any.
    pub wants: Vec<Want>,
    /// What was found, in the world as it was then; or why the validator refused the
    /// plan that was found, which is a fault of the planner's.
    pub outcome: Result<Outcome, String>,
}

impl Planning {
    /// The plan, if one was found.
    pub fn plan(&self) -> Option<&Plan> {
        match &self.outcome {
            Ok(Outcome::Plan(plan)) => Some(plan),
            _ => None,
        }
    }
}

/// Why a character plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The run begins.
    Start,
    /// A step failed: which of [`Run::executed`].
    Failure(usize),
    /// There was no plan, and what it believes has changed since.
    Event,
    /// Its tasks are complete, and it begins again.
    Again,
    /// It noticed a change of what its plan depends on.
    Perception,
    /// It thinks again every so many ticks.
    Every,
    /// It goes on: from a plan that led only part of the way, to its next goal, or, where it looks
    /// no further than a step, to the next one.
    Onward,
    /// Another goal is worth more now, or the one that it pursued nothing.
    Goal,
    /// A goal is tried again for which there was no plan.
    Retry,
    /// An earlier alternative than the one that it follows has become possible.
    Alternative,
}

/// The execution of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// Which of [`Run::plans`].
    pub plan: usize,
    /// Which of its steps.
    pub step: usize,
    /// The tick at which it started.
    pub start: u32,
    /// The tick at which its duration is over.
    pub due: u32,
    /// The tick at which its duration was over and its effects applied, once it was.
    pub acted: Option<u32>,
    /// The tick at which it was complete or failed, once it was.
    pub end: Option<u32>,
    /// In progress, complete or failed.
    pub state: TaskState,
    /// Why it failed; or what it waits for, where it is in progress.
    pub reason: Option<Reason>,
    /// What its effects changed.
    pub changes: Vec<Change>,
    /// What the character believes otherwise because of it: what its effects brought about that was
    /// so already, or what it found not to be so.
    pub learned: Vec<Change>,
}

/// Why a step failed, or what it waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// Failed: a precondition did not hold when it should have started.
    Precondition(String),
    /// Failed: it believed that a precondition held, and the world denies it.
    Denied(String),
    /// Failed: the character follows another plan now.
    Interrupted,
    /// Failed: it was stopped, as what remains of its plan is no longer possible, and why.
    Impossible(String),
    /// Failed: it was interrupted, as this step of its plan failed beside it.
    Beside(GroundTask),
    /// Failed: an integrity rule of this task, its own or one above it, did not hold.
    Integrity(GroundTask, String),
    /// Failed: its effects could not be applied.
    Effects(String),
    /// Failed: the scenario says that its action does.
    Action,
    /// Waits: its duration is over at this tick.
    Duration(u32),
    /// Waits: a completion condition does not hold.
    Completion(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Precondition(rule) => write!(f, "precondition {rule}"),
            Self::Denied(rule) => write!(f, "precondition is false in the world: {rule}"),
            Self::Interrupted => f.write_str("interrupted by a new plan"),
            Self::Impossible(why) => write!(f, "the plan is no longer possible: {why}"),
            Self::Beside(task) => write!(f, "aborted because {task} failed in parallel"),
            Self::Integrity(task, rule) => write!(f, "integrity rule of {task}: {rule}"),
            Self::Effects(why) => f.write_str(why),
            Self::Action => f.write_str("the scenario makes this action fail"),
            Self::Duration(tick) => write!(f, "runs until tick {tick}"),
            Self::Completion(rule) => write!(f, "waits for {rule}"),
        }
    }
}

/// What a character saw or forgot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Perception {
    /// When.
    pub tick: u32,
    /// Whose, by its place in the cast.
    pub character: usize,
    /// What it believes otherwise.
    pub changes: Vec<Change>,
}

/// An event of the scenario that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// When.
    pub tick: u32,
    /// Which of the scenario's events.
    pub event: usize,
    /// What it changed.
    pub changes: Vec<Change>,
    /// Why it could not happen, and changed nothing.
    pub refused: Option<String>,
}
