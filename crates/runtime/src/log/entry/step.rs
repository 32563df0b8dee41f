//! The lines about steps.

use serde::{Deserialize, Serialize};

use super::FactChange;

/// The state of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StepState {
    /// It has started.
    Started,
    /// Its effects have applied, and it waits for its completion conditions. Level `all` only.
    Acted,
    /// It is in progress when the run ends, or in a snapshot.
    Running,
    /// It is complete.
    Succeeded,
    /// It has failed.
    Failed,
    /// It was in progress, and was stopped for another reason than its own.
    Stopped,
}

/// A step that has started, acted, or ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepEntry {
    /// The tick.
    pub tick: u32,
    /// The actor.
    pub actor: usize,
    /// The state.
    pub state: StepState,
    /// The task with its objects.
    pub task: String,
    /// Its plan, by the index among the actor's plannings. A new plan may continue it.
    pub plan: usize,
    /// Its index in the plan.
    pub step: usize,
    /// Its number among the actor's steps that have ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The tick at which it started.
    pub start: u32,
    /// The tick at which its duration ends. Level `all` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<u32>,
    /// The tick at which its effects applied, if they have. Level `all` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acted: Option<u32>,
    /// The objects that it claims, or has claimed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
    /// The tasks that its actor gives up because of its failure: its own, or ones above it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gave_up: Vec<String>,
    /// The reason why it failed or was stopped, or what it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<StepReason>,
    /// Its changes of the world and of its actor's memory, at the tick at which it acted. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FactChange>,
    /// The other changes of its actor's beliefs because of it. Level `all` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<FactChange>,
}

/// The reason why a step failed or was stopped, or what it waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StepReason {
    /// A precondition was false in the actor's beliefs.
    Precondition {
        /// The condition.
        rule: String,
    },
    /// A precondition was false in the world.
    Denied {
        /// The condition.
        rule: String,
    },
    /// Before it acted, another actor made a precondition false at the same tick.
    Forestalled {
        /// The condition.
        rule: String,
        /// The name of the other actor, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// Another actor claimed an object that it claims.
    Claimed {
        /// The object.
        object: String,
        /// The name of the other actor, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// An integrity rule was violated.
    Integrity {
        /// The task that has the rule: the step's own, or one above it.
        task: String,
        /// The rule.
        rule: String,
    },
    /// The task's last step is complete, but its goal isn't reached.
    MissedGoal {
        /// The task, which is above the step.
        task: String,
        /// The goal.
        goal: String,
    },
    /// A task wasn't complete in time.
    Timeout {
        /// The task whose block has the timeout: the step's own, or one above it.
        task: String,
        /// The number of ticks after its start.
        ticks: u32,
    },
    /// Its effects could not be applied.
    Effects {
        /// The reason, as a sentence.
        why: String,
    },
    /// The scenario made its action fail.
    Scenario,
    /// Its action failed in the game.
    Body {
        /// The reason, as the game gave it.
        why: String,
    },
    /// A new plan interrupted it.
    NewPlan,
    /// The rest of its plan is no longer possible.
    Impossible {
        /// The reason, as a sentence.
        why: String,
    },
    /// Another step of its plan failed in parallel.
    ParallelFailure {
        /// The task of the other step.
        task: String,
    },
    /// The actor was stopped, removed, or given other tasks.
    Order,
    /// It was in the background of a task whose main branch is complete. This is no failure.
    MainBranchEnded {
        /// The task.
        task: String,
    },
    /// An object was removed that its task names, or that its actor is.
    Removed {
        /// The object.
        object: String,
    },
    /// It waits for the end of its duration.
    Duration {
        /// The tick.
        until: u32,
    },
    /// It waits for a completion condition.
    Completion {
        /// The condition.
        rule: String,
    },
}
