//! Best-first forward search (progression) through ground task networks.

mod partial;
mod relax;
mod replay;
mod search;
mod sequence;
mod state;
mod tables;

pub use partial::Partial;
pub use relax::Relaxed;
pub use search::{BestFirst, Config, Reached};
pub use sequence::Sequence;
pub use tables::{TableMaker, Tables};
