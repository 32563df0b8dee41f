//! Explains a search to a reader: the reasons why it failed, in words, and the path that it took
//! through a flowchart.

mod failures;
mod highlight;
mod obstacles;

use std::fmt;

use crate::compile::GroundQuery;
use crate::plan::{Atom, Pruned, TraceKind, Value};
use taskloom_document::Name;

pub use highlight::{Highlight, Mark, highlight};
pub use obstacles::{Obstacle, ObstaclesAtStep, obstacles};

/// A reason against a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The reason, without a full stop.
    pub text: String,
    /// The facts that were read.
    pub seen: Vec<Observed>,
}

/// A ground fact that a condition read.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// The ground fact.
    pub atom: Atom,
    /// Its value.
    pub value: Value,
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.atom, self.value)
    }
}

/// Returns the reason why a search event failed, or `None` if it did not fail or says nothing new.
pub fn reason(kind: &TraceKind) -> Option<Reason> {
    let unseen = |text: String| Reason { text, seen: vec![] };
    Some(match kind {
        TraceKind::Failed { conjunct, .. } if conjunct.is_empty() => {
            unseen("the condition is empty or invalid".to_owned())
        }
        TraceKind::Failed { conjunct, saw, .. } => Reason {
            text: format!("{conjunct} does not hold"),
            seen: seen(conjunct, saw),
        },
        TraceKind::Inapplicable { why, saw } => Reason {
            text: why.clone(),
            seen: seen(why, saw),
        },
        TraceKind::GoalFailed { conjunct, saw } => Reason {
            text: format!("the tasks succeed, but the goal {conjunct} does not hold at the end"),
            seen: seen(conjunct, saw),
        },
        TraceKind::NoObject { of, .. } => unseen(format!("there is no object of type {of}")),
        TraceKind::NoAnswer { query, of, .. } => unseen(no_answer(query, of)),
        TraceKind::Pruned {
            why: why @ (Pruned::Circle | Pruned::TooDeep | Pruned::Hopeless),
            ..
        } => unseen(why.to_string()),
        TraceKind::Pruned {
            why: Pruned::Known | Pruned::TooDear,
            ..
        }
        | TraceKind::Task { .. }
        | TraceKind::Alternative { .. }
        | TraceKind::Backtrack => return None,
    })
}

/// Describes an answer of the game without an object of a type.
pub fn no_answer(query: &GroundQuery, of: &Name) -> String {
    format!("the game's answer to {query} has no object of type {of}")
}

/// Describes how long a task or goal is not planned: `cooling down for 4 more ticks`.
pub fn cooling_down(ticks: u32) -> String {
    match ticks {
        1 => "cooling down for 1 more tick".to_owned(),
        ticks => format!("cooling down for {ticks} more ticks"),
    }
}

/// Returns the facts read, except for one that is the conjunct itself.
fn seen(conjunct: &str, saw: &[(Atom, Value)]) -> Vec<Observed> {
    let is_other = |(atom, _): &&(Atom, Value)| atom.to_string() != conjunct;
    let others = saw.iter().filter(is_other);
    others
        .map(|(atom, value)| Observed {
            atom: atom.clone(),
            value: value.clone(),
        })
        .collect()
}
