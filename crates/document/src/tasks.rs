//! Actions, primitive tasks and compound tasks (semantics, section 2).
//!
//! Every formula, number, effect and call is the text that the designer typed;
//! `lang` reads it. A text that does not parse stays as it is, with a diagnostic.

use serde::{Deserialize, Serialize};

use super::flowchart::Flowchart;
use super::world::Param;

/// The engine's method that does something.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// How long it takes, in ticks: a numeric expression of its arguments and of the world when it
    /// starts, rounded up; empty: 0.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub duration: String,
    /// What carries it out, such as legs or a voice: steps of different executors may go on side by
    /// side; empty: the one that has no name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub executor: String,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// When an effect counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EffectTiming {
    /// In the planner's forecast and when the task is executed.
    #[default]
    PlannedAndExecuted,
    /// In the forecast; in the game its own systems will make it true. The
    /// simulator makes it true as well, unless the scenario says otherwise.
    Planned,
    /// Only when the task is executed; the planner does not count on it.
    Executed,
}

impl EffectTiming {
    /// Whether this is the timing that a file leaves out.
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
    /// When it counts.
    #[serde(default, skip_serializing_if = "EffectTiming::is_default")]
    pub timing: EffectTiming,
}

/// An operator: what an agent can do in one step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PrimitiveTask {
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// The action it calls, with arguments: `WalkTo(?place)`. Empty: none, the
    /// task takes no time and only has effects.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub action: String,
    /// Formulas that hold when it starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<String>,
    /// Formulas that hold at every tick while it runs, or it fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integrity: Vec<String>,
    /// Formulas that hold when it ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub completion: Vec<String>,
    /// What it changes. Deletes apply before adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// A numeric expression of the state in which it starts; empty: 1.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cost: String,
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
    /// Formulas that hold while any of its subtasks runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integrity: Vec<String>,
    /// How it is decomposed.
    #[serde(default)]
    pub method: Flowchart,
    /// Free text shown instead of the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}
