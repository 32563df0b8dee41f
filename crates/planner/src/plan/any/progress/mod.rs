//! Searching forward through ground task networks, best first.

mod partial;
mod relax;
mod replay;
mod search;
mod sequence;
mod state;

pub use partial::Partial;
pub use relax::{Relaxed, TableMaker, Tables};
pub use search::{Config, Progress, Search};
pub use sequence::Sequence;
