//! Planning for goals without tasks: which ground actions lead to a state in which a condition
//! holds (Orkin 2003 for games; Ghallab, Nau and Traverso 2004).
//!
//! [`ground`] makes actions of the domain's primitive tasks, of those that [`reachable`] finds
//! possible; their conditions are [`formula`]s over numbered variables, in a [`task`]. A [`compiler`]
//! makes [`operators`] of it, its delete relaxation in flat tables, and [`successors`] tells which
//! actions are possible in a state; [`grounded`] is all of these, as far as it matters. An [`aim`] is
//! what to get to and an estimate of how far it is to there, by [`relax`]; [`landmarks`] and
//! [`necessities`] tell what every plan comes by.
//!
//! [`anytime`] is the search for one goal: [`greedy`] finds a plan soon, [`astar`] improves it, and
//! [`regress`] does so from the goal back. [`search`] takes the goals that a character has one after
//! the other; [`tracing`] tells what it came upon.

mod aim;
mod anytime;
mod astar;
mod compiler;
mod domains;
mod formula;
mod greedy;
mod ground;
mod grounded;
mod landmarks;
mod literals;
mod lower;
mod necessities;
mod open_list;
mod operators;
mod reachable;
mod regress;
mod relax;
mod require;
mod search;
mod states;
mod successors;
mod survey;
mod task;
mod tracing;
mod treatments;
mod worth;

pub use search::Search;
pub use worth::Want;

/// How plans are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As the agent says: soon, and then better for a while.
    Configured,
    /// Until the plan is proven to be one of least cost.
    Optimal,
    /// Until there is any plan.
    Satisficing,
}

/// How a search among states ended.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    /// At a state where the goal holds.
    Found(u32),
    /// Everything was looked at, but for what is too deep or too much where it was cut.
    Exhausted { cut: bool },
}

/// Returns `true` if a cost is less than another one by more than rounding makes of sums.
fn is_cheaper(cost: f64, other: f64) -> bool {
    cost < other - other.abs().min(f64::MAX) * 1e-9
}
