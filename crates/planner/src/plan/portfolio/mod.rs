//! The strategy `any`: a portfolio of engines that finds a plan as fast as possible.

mod achievers;
mod assemble;
mod bound_condition;
mod decomposition;
mod descend;
mod facts;
mod ground;
mod grounded;
mod hoist;
mod join;
mod landmarks;
mod lift;
mod linear;
mod model;
mod progress;
mod rules;
mod search;
mod split;

pub use search::Search;
