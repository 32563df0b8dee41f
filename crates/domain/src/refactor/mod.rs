//! Changes of a document that keep what it means: a part of a method becomes a
//! compound task of its own, and a call becomes what it calls.
//!
//! All of a method's conditions are looked at where its task is decomposed. In a
//! task of its own a part is decided later, so not every part can be taken out:
//! [`part`] says which, and why another cannot.

mod extract;
mod inline;
mod part;

pub use extract::{Extracted, extract};
pub use inline::inline;
