//! What an interpreted run leaves: everything that happened.

use taskloom::planner::plan::{Outcome, Plan};
use taskloom::runtime::TaskState;

use super::model::{Call, Object};
use super::state::{Changed, State};

/// Why a step failed, or what it waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    Action,
    Precondition(String),
    Denied(String),
    Interrupted,
    Impossible,
    Beside,
    Integrity(String, String),
    Effects,
    Duration,
    Completion(String),
}

/// A step that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub plan: usize,
    pub step: usize,
    pub start: u32,
    /// When its duration is over.
    pub due: u32,
    pub acted: Option<u32>,
    pub end: Option<u32>,
    pub state: TaskState,
    pub why: Option<Why>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Start,
    Failure(usize),
    Event,
    Again,
    Perception,
    Every,
    Onward,
    Goal,
    Retry,
    Alternative,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Complete,
    GoalMissed(String),
    Failed,
    OutOfTicks,
    OutOfPlans,
    Endless,
}

/// A planning.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    pub character: usize,
    pub tick: u32,
    pub cause: Cause,
    pub wants: Vec<Wanted>,
    pub outcome: Outcome,
}

/// A goal of a character's, and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    pub goal: usize,
    pub worth: i32,
    pub holds: bool,
}

impl Wanted {
    pub fn is_wanted(&self) -> bool {
        !self.holds && self.worth > 0
    }
}

/// What is planned: by whom, from what, for what, with which seed.
#[derive(Debug)]
pub struct Asked<'a> {
    pub character: usize,
    pub tick: u32,
    pub believed: &'a State,
    pub tasks: &'a [Call],
    pub seed: u64,
    /// The number of steps that were done since the planning that the seed is of.
    pub steps_before: usize,
    /// Goals that are not planned for now.
    pub barred: Vec<usize>,
    /// Tasks that no plan contains.
    pub excluded: Vec<(usize, Object)>,
}

/// A plan by its number, and the states of all its nodes.
pub type Followed = (usize, Vec<TaskState>);

/// Everything that happened.
#[derive(Debug, Default)]
pub struct Record {
    pub plans: Vec<Planned>,
    /// Those that ended, as they did; then those in progress.
    pub steps: Vec<Step>,
    /// The tick, which event, and whether it could happen.
    pub events: Vec<(u32, usize, bool)>,
    /// The tick, whose, and what is believed otherwise.
    pub perceptions: Vec<(u32, usize, Vec<Changed>)>,
    /// The world at the end of each tick.
    pub worlds: Vec<State>,
    /// What each character believes at the end of each tick.
    pub beliefs: Vec<Vec<State>>,
    /// At the end of each tick, of each character, the states of all nodes of the plan that it
    /// follows or has followed last: which plan, and the states.
    pub states: Vec<Vec<Option<Followed>>>,
    pub end: Option<End>,
    /// How often a plan was given up for another one, and how often its step was gone on with.
    pub interrupted: usize,
    pub continued: usize,
    /// How often something better was looked for in vain.
    pub kept: usize,
    /// How often a plan was no longer possible when it was checked again, and how often that stopped it.
    pub impossible: usize,
    pub stopped: usize,
    /// How often what was open was planned below tasks under way.
    pub repaired: usize,
    /// How often a task was excluded that had failed.
    pub excluded: usize,
}

impl Record {
    /// A plan by its number.
    pub fn plan(&self, number: usize) -> &Plan {
        match &self.plans[number].outcome {
            Outcome::Plan(plan) => plan,
            _ => panic!("it follows a plan"),
        }
    }
}
