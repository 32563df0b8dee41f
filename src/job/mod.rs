//! Jobs that the page gives to the worker, and what comes back.

mod message;

pub use message::Answer;
