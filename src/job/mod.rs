//! Jobs that the page gives to the worker, and what comes back.

mod client;
mod export;
mod message;
mod serve;
mod verdict;

pub use client::{Planner, Planning};
pub use message::{Answer, Format, Verdict};
pub use serve::serve;
