//! Domains as text and random domains, shared by the tests of several crates.
//!
//! It depends on the document's crate alone, so that every crate's tests can use it and none has to
//! build more for it.

pub mod charts;
pub mod counts;
pub mod crowd;
pub mod domain;
pub mod goals;
#[cfg(not(target_arch = "wasm32"))]
pub mod networks;
#[cfg(not(target_arch = "wasm32"))]
pub mod properties;
pub mod random;
pub mod stopping;
