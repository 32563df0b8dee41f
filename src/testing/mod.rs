//! A browser for tests that run natively: tabs, storage, locks and files in virtual time, and an
//! executor for the page's asynchronous tasks.

pub mod executor;
pub mod world;
