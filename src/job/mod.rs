//! Jobs that the page gives to the worker, and what comes back.

mod client;
mod export;
mod message;
mod serve;

pub use client::{Planner, Planning};
pub use message::{Answer, Format};
pub use serve::serve;
