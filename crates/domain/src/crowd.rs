//! The texts of a scenario's crowds, read once for all actors of each.

use taskloom_document::Crowd;

use crate::lang::typed::{Call, Initial};
use crate::lang::{Me, Scope, read_initial, read_task_call};
use crate::text::{TextReader, TypedText};

/// The texts of a crowd, read for its first actor, with the locations in them as they are in the
/// document. Those of a crowd without an agent aren't read.
#[derive(Debug, Default)]
pub(crate) struct TypedCrowd {
    /// The initial values of each actor.
    pub initial: Vec<TypedText<Initial>>,
    /// The tasks of each actor.
    pub tasks: Vec<TypedText<Call>>,
    /// The beliefs of each actor.
    pub beliefs: Vec<TypedText<Initial>>,
}

/// Reads the texts of crowds in the scope of their scenario.
pub(crate) fn read_all(texts: &TextReader, crowds: &[Crowd], scope: &Scope) -> Vec<TypedCrowd> {
    let crowds = crowds.iter();
    crowds
        .map(|crowd| read(texts, crowd, scope).unwrap_or_default())
        .collect()
}

fn read(texts: &TextReader, crowd: &Crowd, scope: &Scope) -> Option<TypedCrowd> {
    let agent = scope.document.agents.get(&crowd.agent)?;
    let scope = &Scope {
        me: Some(Me {
            of: agent.of.clone(),
            object: Some(crowd.actor(1)),
        }),
        ..scope.clone()
    };
    Some(TypedCrowd {
        initial: texts.read_all(&crowd.initial, scope, read_initial),
        tasks: texts.read_all(&crowd.tasks, scope, read_task_call),
        beliefs: texts.read_all(&crowd.beliefs, scope, read_initial),
    })
}
