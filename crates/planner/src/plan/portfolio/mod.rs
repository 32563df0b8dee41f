//! The strategy `any`: a portfolio of engines that finds a plan as fast as possible.

mod assemble;
mod decomposition;
mod descend;
mod facts;
mod ground;
mod grounded;
mod hoist;
mod join;
mod lift;
mod linear;
mod model;
mod progress;
mod prospect;
mod rules;
mod search;
mod split;
mod test;
mod watch;

pub use search::Search;
