//! The lines about plannings.

use serde::{Deserialize, Serialize};

use super::{FactChange, FactValues};
use crate::log::number;

/// A planning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlanEntry {
    /// The tick.
    pub tick: u32,
    /// The actor.
    pub actor: usize,
    /// Its index among the actor's plannings.
    pub number: usize,
    /// The reason for it.
    pub cause: PlanCause,
    /// The number of the step that failed, if that is the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_step: Option<usize>,
    /// The ground fact whose change the actor noticed, if that is the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noticed: Option<String>,
    /// The values of the actor's goals, if it has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<LoggedGoal>,
    /// The aborted tasks that the plan cleans up after before anything else, in this order, or whose
    /// cleanups it drops.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aborted: Vec<LoggedAbort>,
    /// The outcome.
    pub outcome: PlanOutcome,
    /// The limit that was reached, if the planner gave up; or why the validator rejected the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The plan, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<LoggedPlan>,
    /// The game's answers to queries, in the order in which they were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<LoggedAnswer>,
    /// The alternatives that were rejected, those that came furthest first. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// The work of the search. Only if the actor searched itself, and the log has a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
}

/// The reason for a planning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlanCause {
    /// The actor begins.
    Start,
    /// A step has failed.
    Failure,
    /// There was no plan, and its beliefs have changed.
    Change,
    /// Its tasks are complete, and it begins again.
    Again,
    /// It noticed a change that its plan depends on.
    Observation,
    /// It replans at an interval.
    Periodic,
    /// It continues after a partial plan, with the next goal or, if it is reactive, with the next step.
    Onward,
    /// Its goals have other values now.
    Goal,
    /// A goal or a task is retried, or has cooled down.
    Retry,
    /// An earlier alternative has become possible.
    Alternative,
    /// The rest of its plan depends on tasks in the background that were stopped.
    Background,
}

/// The outcome of a planning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlanOutcome {
    /// There is a plan.
    Plan,
    /// No plan exists.
    NoPlan,
    /// A limit of the search was reached.
    GaveUp,
    /// The search was stopped.
    Stopped,
    /// A task is invalid, so nothing was planned.
    NotPlanned,
    /// The validator rejected the plan: a bug in Taskloom.
    Invalid,
}

/// The value of a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedGoal {
    /// The goal.
    pub goal: String,
    /// Its value; left out if it is undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(with = "number::optional")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub value: Option<f64>,
    /// `true` if its condition is true.
    pub is_true: bool,
    /// The number of ticks until it may be pursued again; left out if it isn't cooling down.
    #[serde(default, skip_serializing_if = "is_over")]
    pub cooldown: u32,
}

/// A task that was aborted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedAbort {
    /// The task with its objects.
    pub task: String,
    /// The task that cleans up after it.
    pub cleanup: String,
    /// `true` if there was no plan that cleans up; left out if there was.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_dropped: bool,
}

/// A query of a Bind block with the game's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedAnswer {
    /// The query with its objects.
    pub query: String,
    /// The objects of the answer; left out if the game doesn't answer the query, so that the block's condition
    /// alone decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<Vec<String>>,
}

fn is_false(is: &bool) -> bool {
    !is
}

fn is_over(cooldown: &u32) -> bool {
    *cooldown == 0
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedPlan {
    /// The cost of all steps.
    #[serde(with = "number")]
    #[cfg_attr(test, schemars(with = "f64"))]
    pub cost: f64,
    /// The target, if the plan does no tasks but reaches a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<LoggedTarget>,
    /// The steps, in order.
    pub steps: Vec<LoggedStep>,
    /// The tasks of the decomposition; children come after their parents. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<LoggedTask>,
    /// The tasks that are in no other task's decomposition, by their indices. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<usize>,
    /// The tasks under way, which were decomposed by earlier plans, by their indices. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub under_way: Vec<usize>,
}

/// The target of a plan that reaches a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedTarget {
    /// The agent's goal; left out if it is the scenario's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The estimated remaining cost, if the plan only leads closer to the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(with = "number::optional")]
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub remaining: Option<f64>,
    /// `true` if the plan is proven to have minimum cost.
    pub is_optimal: bool,
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedStep {
    /// The primitive task with its objects, such as `walk(yard)`.
    pub task: String,
    /// The cost.
    #[serde(with = "number")]
    #[cfg_attr(test, schemars(with = "f64"))]
    pub cost: f64,
    /// The steps that must come before it, by their indices (direct ones only).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<usize>,
    /// The path to it, from the root down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Above>,
    /// Its index in the plan's `tasks`. Level `all` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The changes that are planned. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FactChange>,
}

/// A compound task above a step, and the block that leads down from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Above {
    /// The compound task with its objects.
    pub task: String,
    /// The id of the Task block in its flowchart; none, if a search for its goal found the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
}

/// A task of a decomposition. It is a step, is decomposed, or is still to be decomposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedTask {
    /// The task with its objects.
    pub task: String,
    /// The task whose decomposition it is part of, by its index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Its Task block in the parent's flowchart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// `true` if that block is in the background.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// The index of its step, if it is primitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Its decomposition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Decomposition>,
}

/// A resolution of a flowchart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decomposition {
    /// The blocks on the path, in topological order.
    pub blocks: Vec<String>,
    /// The wires between them, such as `b1.true -> b2`.
    pub wires: Vec<String>,
    /// The objects of its Bind blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<Binding>,
    /// The subtasks, by their indices.
    pub children: Vec<usize>,
    /// The step before which its conditions were evaluated.
    pub before: usize,
}

/// The object of a Bind block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Binding {
    /// The block.
    pub block: String,
    /// The variable, without its question mark.
    pub variable: String,
    /// The object.
    pub object: String,
}

/// An alternative that a search rejected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rejected {
    /// The number of steps before it.
    pub before: usize,
    /// The task that was not possible; left out for the scenario's goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The block of the condition, if it isn't the task's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// The first reason, such as `open does not hold`.
    pub why: String,
    /// The ground facts that were read, with their values.
    #[serde(default, skip_serializing_if = "FactValues::is_empty")]
    pub values: FactValues,
}

/// The work of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Effort {
    /// The number of decisions.
    pub decisions: u64,
    /// The time from the first to the last decision.
    pub microseconds: u64,
}
