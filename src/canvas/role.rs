//! What the inputs of the Board's cards stand for.

use taskloom::document::Kind;

/// As what a record needs another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A condition's formula.
    Formula,
    /// Holds when the task starts.
    Precondition,
    /// Holds while it runs.
    Integrity,
    /// Holds when it ends.
    Completion,
    /// The action that a primitive task calls.
    Action,
    /// A task of a compound task's method.
    Subtask,
}

impl Role {
    /// All, in the order of the legend.
    pub const ALL: [Self; 6] = [
        Self::Precondition,
        Self::Integrity,
        Self::Completion,
        Self::Formula,
        Self::Action,
        Self::Subtask,
    ];

    /// Its name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Formula => "formula",
            Self::Precondition => "precondition",
            Self::Integrity => "integrity",
            Self::Completion => "completion",
            Self::Action => "action",
            Self::Subtask => "subtasks",
        }
    }

    /// Its name where there is little room.
    pub fn short(self) -> &'static str {
        match self {
            Self::Formula => "formula",
            Self::Precondition => "pre",
            Self::Integrity => "while",
            Self::Completion => "until",
            Self::Action => "calls",
            Self::Subtask => "subtasks",
        }
    }

    /// The class of its wires.
    pub fn class(self) -> &'static str {
        match self {
            Self::Formula => "role-formula",
            Self::Precondition => "role-precondition",
            Self::Integrity => "role-integrity",
            Self::Completion => "role-completion",
            Self::Action => "role-action",
            Self::Subtask => "role-subtask",
        }
    }

    /// The custom property of its colour.
    pub fn tint(self) -> &'static str {
        match self {
            Self::Formula => "--cond",
            Self::Precondition => "--accent",
            Self::Integrity => "--warn",
            Self::Completion => "--sensor",
            Self::Action => "--action",
            Self::Subtask => "--comp",
        }
    }

    /// The needs that a kind of record has.
    pub fn of(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Condition => &[Self::Formula],
            Kind::PrimitiveTask => &[
                Self::Precondition,
                Self::Integrity,
                Self::Completion,
                Self::Action,
            ],
            Kind::CompoundTask => &[Self::Precondition, Self::Integrity, Self::Subtask],
            _ => &[],
        }
    }

    /// The kinds of record that can meet it.
    pub fn takes(self, kind: Kind) -> bool {
        match self {
            Self::Action => kind == Kind::Action,
            Self::Subtask => matches!(kind, Kind::PrimitiveTask | Kind::CompoundTask),
            _ => matches!(kind, Kind::Fact | Kind::Condition),
        }
    }
}
