//! From a document and one of its scenarios to a flat, interned problem that a
//! search can work on.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::document::{Document, Name};

/// What compiling gives: always a problem, and what of the document it had to
/// leave out.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The problem.
    pub problem: Problem,
    /// Texts that could not be read or typed, and what that means for planning.
    pub diagnostics: Vec<Diagnostic>,
}

/// A state, an initial task network and a goal over a flat domain. Cloning it
/// counts a reference.
#[derive(Debug, Clone)]
pub struct Problem(#[allow(dead_code)] Arc<()>);

/// Compiles a scenario of a document. A scenario that does not exist gives a
/// problem without tasks, whose plan is empty.
pub fn compile(_document: &Document, _scenario: &Name) -> Compiled {
    Compiled {
        problem: Problem(Arc::new(())),
        diagnostics: vec![],
    }
}
