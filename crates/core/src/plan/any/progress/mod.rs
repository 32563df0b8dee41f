//! Searching forward through ground task networks, best first.

mod relax;
mod replay;
mod sequence;
mod state;

pub use super::found::Found;
pub use sequence::Sequence;

/// How far a search got.
#[derive(Debug)]
pub enum Progress {
    /// There is more to search.
    Working,
    /// A plan.
    Found(Found),
    /// Everything was searched: no plan exists.
    Unsolvable,
}

/// A move, for going a way again.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// An action was done.
    Act {
        /// Which of the open tasks it was.
        at: u32,
    },
    /// A task was decomposed.
    Decompose {
        /// Which of the open tasks it was.
        at: u32,
        /// By which method.
        method: u32,
    },
}

/// What a search goes by.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// Whether the costs of all tasks are added up, rather than those of one plan.
    pub additive: bool,
    /// Of nodes with equal values, the newest or the oldest first.
    pub newest_first: bool,
    /// What an action, a method and an open task count.
    pub action: u32,
    /// A method.
    pub method: u32,
    /// An open task.
    pub open: u32,
}
