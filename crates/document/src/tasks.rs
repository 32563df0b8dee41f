//! Actions, primitive tasks and compound tasks (semantics, section 2).
//!
//! Every formula, number, effect and call is a text as the designer typed it, which `lang` reads. A
//! text that does not parse is kept, with a diagnostic.

use serde::{Deserialize, Serialize};

use super::flowchart::Flowchart;
use super::name::Name;
use super::world::Param;

/// Returns `true` if a switch is off, which a file omits.
pub(super) fn is_off(switch: &bool) -> bool {
    !switch
}

/// Returns `true` if a number is 0, which a file omits.
pub(super) fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A method that the game engine implements.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// The duration in ticks: a numeric expression over its arguments and the world when it starts,
    /// rounded up; empty: 0.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub duration: String,
    /// The resource that executes it, such as legs or a voice: steps of different executors may run
    /// in parallel; empty: the unnamed executor.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub executor: String,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// The phase in which an effect applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EffectTiming {
    /// Both in the planner's forecast and when the task is executed.
    #[default]
    PlannedAndExecuted,
    /// Only in the forecast; in the game, its own systems make it true. The simulator applies it
    /// too.
    Planned,
    /// Only when the task is executed; the planner does not rely on it.
    Executed,
}

impl EffectTiming {
    /// Returns `true` if this is the timing that a file omits.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// One effect of a primitive task: `has(ball)`, `not box_locked`, `ammo -= 1`,
/// `forall ?p: place. not at(?p) when ?p != ?to`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The effect, as typed.
    pub text: String,
    /// The phase in which it applies.
    #[serde(default, skip_serializing_if = "EffectTiming::is_default")]
    pub timing: EffectTiming,
}

/// An operator: a task that an agent executes in one step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PrimitiveTask {
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// The action that it calls, with arguments: `WalkTo(?place)`. Empty: none, the task takes no
    /// time and only has effects.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub action: String,
    /// Formulas that must be true when it starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<String>,
    /// Formulas that must be true at every tick while it runs; otherwise it fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integrity: Vec<String>,
    /// Formulas that must be true when it ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub completion: Vec<String>,
    /// The objects that its actor claims while it runs: no other actor can claim them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
    /// The effects. Deletes apply before adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// A numeric expression over the state in which it starts; empty: 1.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cost: String,
    /// If `true`, its actor doesn't replan while it runs: a reason to replan waits until it ends.
    #[serde(default, skip_serializing_if = "is_off")]
    pub uninterruptible: bool,
    /// The number of ticks after its end before it is planned again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cooldown: u32,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A task that is decomposed by its method, a flowchart.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CompoundTask {
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// Formulas common to all its decompositions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<String>,
    /// A formula that it achieves: if it is true, there is nothing to do, and if no way of its
    /// method is possible, primitive tasks that lead to it are searched for. Empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// Formulas that must be true while any of its subtasks runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integrity: Vec<String>,
    /// The number of ticks after its end before it is planned again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cooldown: u32,
    /// The task that it is a part of, if it isn't a task of the document: actors that may use that one may use
    /// this one, too.
    #[serde(skip)]
    pub part_of: Option<Name>,
    /// Its method.
    #[serde(default)]
    pub method: Flowchart,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}
