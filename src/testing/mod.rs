//! A browser for tests that run natively: tabs, storage, locks and files in virtual time, and
//! an executor for what the page does in its own time.

pub mod executor;
pub mod world;
