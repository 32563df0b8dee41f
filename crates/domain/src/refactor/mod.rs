//! Refactorings, which preserve the meaning of a document: extracting a part of a method as a
//! compound task, and inlining a call.
//!
//! All conditions of a method are evaluated when its task is decomposed. In a separate task a part
//! is decided later, so not every part can be extracted: [`region`] says which, and why another
//! can't.

mod extract;
mod inline;
mod region;

pub use extract::{Extracted, extract};
pub use inline::inline;
