//! What a search did, for a reader: why it did not go on, in words, and which path of a flowchart it took.

mod against;
mod light;

use crate::plan::{Atom, Pruned, TraceKind, Value};

pub use against::{Against, Obstacle, against};
pub use light::{Light, Mark, light};

/// A reason against a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// What is wrong, without a full stop.
    pub text: String,
    /// The facts that it read, and their values.
    pub seen: Vec<String>,
}

/// What is wrong by an event of a search; none where it went on, or says nothing new.
pub fn reason(kind: &TraceKind) -> Option<Reason> {
    let unseen = |text: String| Reason { text, seen: vec![] };
    Some(match kind {
        TraceKind::Failed { conjunct, .. } if conjunct.is_empty() => {
            unseen("cannot be read yet".to_owned())
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
            text: format!(
                "the tasks can be done, but the goal {conjunct} does not hold at the end"
            ),
            seen: seen(conjunct, saw),
        },
        TraceKind::NoObject { of, .. } => unseen(format!("there is no object of type {of}")),
        TraceKind::Pruned(why @ (Pruned::Circle | Pruned::TooDeep | Pruned::Hopeless)) => {
            unseen(why.to_string())
        }
        TraceKind::Pruned(Pruned::Known | Pruned::TooDear)
        | TraceKind::Task
        | TraceKind::Alternative { .. }
        | TraceKind::Backtrack => return None,
    })
}

/// `box_open is false`, of all that was read but what the text says itself.
fn seen(conjunct: &str, saw: &[(Atom, Value)]) -> Vec<String> {
    let tells = |(atom, _): &&(Atom, Value)| atom.to_string() != conjunct;
    let said = saw.iter().filter(tells);
    said.map(|(atom, value)| format!("{atom} is {value}"))
        .collect()
}
