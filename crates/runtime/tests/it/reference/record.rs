//! The record of an interpreted run.

use std::collections::BTreeSet;

use taskloom_planner::plan::{Outcome, Plan};
use taskloom_runtime::TaskState;

use super::claims::Claimed;
use super::names::{Ground, Object};
use super::state::{Changed, State};

/// The reason why a step failed, or what it waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    Action,
    Precondition(String),
    Denied(String),
    Forestalled(String),
    Claimed(String),
    Interrupted,
    Impossible,
    ParallelFailure,
    /// The task whose main branch is complete.
    MainBranchEnded(String),
    Integrity(String, String),
    /// The task, and its goal.
    MissedGoal(String, String),
    /// The task, and the number of ticks.
    Timeout(String, u32),
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
    /// The tick at which its duration ends.
    pub due: u32,
    pub acted: Option<u32>,
    pub end: Option<u32>,
    pub state: TaskState,
    pub claims: Vec<Object>,
    /// The tasks that are given up because of it, the lowest first.
    pub gave_up: Vec<String>,
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
    Background,
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
    pub goal_values: Vec<GoalRecord>,
    pub outcome: Outcome,
    /// The tasks under way above each root of its plan, the outermost first.
    pub above: Vec<Vec<Ground>>,
    /// The tasks that it aborts.
    pub aborts: Vec<Aborted>,
}

/// A task that is aborted, the task that cleans up after it, and whether that is dropped.
pub type Aborted = (Ground, Ground, bool);

/// A goal of a character, with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalRecord {
    pub goal: usize,
    /// Undefined: the goal isn't active.
    pub value: Option<f64>,
    pub holds: bool,
    /// The number of ticks until it may be pursued again.
    pub cooldown: u32,
}

impl GoalRecord {
    /// Returns its value, which is low if it is undefined.
    pub fn worth(&self) -> f64 {
        self.value.unwrap_or(f64::NEG_INFINITY)
    }

    pub fn is_active(&self) -> bool {
        !self.holds && self.worth() > 0.0 && self.cooldown == 0
    }
}

/// The input of a planning: character, state, tasks and seed.
#[derive(Debug)]
pub struct Asked<'a> {
    pub character: usize,
    pub tick: u32,
    pub believed: &'a State,
    pub tasks: &'a [Ground],
    /// The number of the first ones that clean up.
    pub cleanups: usize,
    /// For each of them, the earlier ones that it waits for, if they aren't a sequence.
    pub order: Option<Vec<Vec<usize>>>,
    pub seed: u64,
    /// The number of steps since the planning that the seed belongs to.
    pub steps_before: usize,
    /// The goals that are excluded.
    pub excluded_goals: Vec<usize>,
    /// The tasks that are excluded.
    pub excluded: Vec<Ground>,
    /// The tasks and the goals that are cooling down, with the number of ticks until they have.
    pub cooling: Vec<(usize, u32)>,
    pub cooling_goals: Vec<(usize, u32)>,
    /// The objects that others claim.
    pub claimed: &'a Claimed,
}

impl Asked<'_> {
    /// Returns `true` if a task is cooling down.
    pub fn cools_down(&self, task: usize) -> bool {
        self.cooling.iter().any(|(cooling, _)| *cooling == task)
    }
}

/// A plan by its number, and the states of all its nodes.
pub type Followed = (usize, Vec<TaskState>);

/// The record of everything that happened.
#[derive(Debug, Default)]
pub struct Record {
    pub plans: Vec<Planned>,
    /// The steps that ended, in that order; then those in progress.
    pub steps: Vec<Step>,
    /// The tick, the event's index, and whether it could occur.
    pub events: Vec<(u32, usize, bool)>,
    /// The tick, the character, and the changes of its beliefs.
    pub perceptions: Vec<(u32, usize, Vec<Changed>)>,
    /// The world at the end of each tick.
    pub worlds: Vec<State>,
    /// Each character's beliefs at the end of each tick.
    pub beliefs: Vec<Vec<State>>,
    /// At the end of each tick, for each character, the states of all nodes of its current or last
    /// plan: the plan's number, and the states.
    pub states: Vec<Vec<Option<Followed>>>,
    pub end: Option<End>,
    /// The number of plans that were abandoned for another one, and of steps that the new plan
    /// continued.
    pub interrupted: usize,
    pub continued: usize,
    /// The number of reasons to plan that waited for an uninterruptible step.
    pub delayed: usize,
    /// The number of reasons to switch goals when a commitment ended.
    pub switched: usize,
    /// The number of tasks, and of goals, that began to cool down.
    pub cooled_tasks: usize,
    pub cooled_goals: usize,
    /// The number of turns at which any had cooled down.
    pub activated: usize,
    /// The number of turns of characters without a plan at which a claim had been released.
    pub released: usize,
    /// The number of unsuccessful searches for a better plan.
    pub kept: usize,
    /// The number of plans that were no longer possible when checked again, and of those that then
    /// stopped.
    pub impossible: usize,
    pub stopped: usize,
    /// The number of plannings of open tasks below tasks under way, and of those that left out tasks of which
    /// only the same task remained.
    pub repaired: usize,
    pub shortened: usize,
    /// The number of ends of main branches that skipped steps in the background, and of those after which
    /// the rest of the plan might have relied on them.
    pub ended_by_background: usize,
    pub relied_on: usize,
    /// The plans of which it went on because the rest of the plan needed it.
    pub needed: BTreeSet<usize>,
    /// The number of failed tasks that were excluded.
    pub excluded: usize,
    /// The number of plans that kept the tasks of steps in progress, instead of aborting them.
    pub kept_tasks: usize,
    /// The number of tasks that were begun again because a reactive actor could not continue.
    pub begun_again: usize,
    /// The number of cleanups that failed.
    pub failed_cleanups: usize,
    /// The number of tasks that were given up, and of those that may be planned again.
    pub gave_up: usize,
    pub resumed: usize,
}

impl Record {
    /// Returns a plan by its number.
    pub fn plan(&self, number: usize) -> &Plan {
        match &self.plans[number].outcome {
            Outcome::Plan(plan) => plan,
            _ => panic!("it follows a plan"),
        }
    }
}
