//! The errors of a game's calls.

use taskloom_document::FileError;
use taskloom_document::diagnostic::{Diagnostic, Span};
use taskloom_domain::lang::Mistake;

/// The reason why a call failed. It displays as one sentence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text isn't a document. Each mistake has its position.
    #[error(transparent)]
    Document(#[from] FileError),
    /// A document has mistakes, such as a text that names something unknown. Warnings aren't among them.
    #[error("{}", mistakes(.0))]
    Mistakes(Vec<Diagnostic>),
    /// There is no scenario of this name.
    #[error("there is no scenario '{0}'")]
    UnknownScenario(String),
    /// There is no such actor.
    #[error("{}", unknown_actor(.scenario, .actor, .cast))]
    UnknownActor {
        /// The scenario.
        scenario: String,
        /// The name that was given.
        actor: String,
        /// The names of the scenario's actors.
        cast: Vec<String>,
    },
    /// There is no agent of this name.
    #[error("there is no agent '{0}'")]
    UnknownAgent(String),
    /// An object doesn't exist, or is of another type.
    #[error("{message}")]
    InvalidObject {
        /// The object.
        object: String,
        /// The reason.
        message: String,
    },
    /// There is no type of this name.
    #[error("there is no type '{0}'")]
    UnknownType(String),
    /// An object can't be added: there is one of this name.
    #[error("there is an object '{0}' already")]
    ObjectExists(String),
    /// An object can't be removed: a text names it, or may name it.
    #[error("{message}")]
    ObjectNeeded {
        /// The object.
        object: String,
        /// The reason.
        message: String,
    },
    /// A text doesn't name a ground fact.
    #[error("{message}")]
    InvalidFact {
        /// The text.
        text: String,
        /// The reason.
        message: String,
    },
    /// A ground fact can't have a value.
    #[error("{message}")]
    InvalidValue {
        /// The ground fact.
        fact: String,
        /// The reason.
        message: String,
    },
    /// A text, such as a condition or a task, is invalid or can't be evaluated.
    #[error("{message}")]
    InvalidText {
        /// The text.
        text: String,
        /// The part of the text that is wrong, in bytes; `None` if it is the text as a whole.
        span: Option<Span>,
        /// The reason.
        message: String,
    },
    /// The planner found an invalid plan. This is an internal error.
    #[error("the planner found an invalid plan: {0}")]
    InvalidPlan(String),
    /// A saved game has a version that this library doesn't read.
    #[error("the saved game has version {found}, but only version {known} can be loaded")]
    SavedVersion {
        /// The version of the saved game.
        found: u32,
        /// The version that can be loaded.
        known: u32,
    },
}

impl Error {
    /// Creates the error of a text with these mistakes, or that can't be evaluated.
    pub fn invalid_text(text: &str, mistakes: &[Mistake], message: String) -> Self {
        let first = mistakes.first();
        Self::InvalidText {
            text: text.to_owned(),
            span: first.map(|mistake| mistake.span),
            message: first.map_or(message, |mistake| mistake.message.clone()),
        }
    }
}

fn mistakes(found: &[Diagnostic]) -> String {
    let first = found.first().map(ToString::to_string);
    let others = match found.len().saturating_sub(1) {
        0 => String::new(),
        1 => " (and 1 other mistake)".to_owned(),
        others => format!(" (and {others} other mistakes)"),
    };
    format!(
        "the document is invalid: {}{others}",
        first.unwrap_or_default()
    )
}

/// The maximum number of actors that a message names.
const NAMED: usize = 8;

fn unknown_actor(scenario: &str, actor: &str, cast: &[String]) -> String {
    match cast {
        [] => format!("scenario '{scenario}' has no cast, so it has no actor '{actor}'"),
        names => {
            let listed = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
            let others = match names.len().saturating_sub(NAMED) {
                0 => String::new(),
                others => format!(" and {others} more"),
            };
            format!(
                "scenario '{scenario}' has no actor '{actor}'; its cast is {}{others}",
                listed.join(", ")
            )
        }
    }
}
