//! Jobs that the page gives to the worker, and what comes back.

mod client;
mod message;

pub use client::{Planner, Planning};
pub use message::{Answer, Format, Verdict};
