//! Planning for goals without tasks: finding ground actions that lead to a state in which a
//! condition holds (Orkin 2003 for games; Ghallab, Nau and Traverso 2004).
//!
//! [`ground`] turns those of the domain's primitive tasks that [`reachable`] finds possible into
//! actions; their conditions are [`formula`]s over numbered variables, in a [`task`]. A
//! [`compiler`] turns it into [`operators`] over [`propositions`], its delete relaxation, and
//! [`successors`] finds the applicable actions of a state; [`grounded`] is the reachable and
//! relevant part of all of these. Numbers that only grow, such as the time, have [`caps`]. An [`objective`] is a goal with a heuristic, computed by [`relax`];
//! [`landmarks`] and [`necessities`] are what every plan has to reach.
//!
//! [`anytime`] is the search for one goal: [`greedy`] finds a plan quickly, and [`astar`], or
//! [`regress`] backward from the goal, improves it. [`search`] tries a character's goals one after
//! the other; [`tracing`] records the states that were explored.

mod anytime;
mod astar;
mod caps;
mod compiler;
mod domains;
mod enumeration;
mod formula;
mod goal_values;
mod greedy;
mod ground;
mod grounded;
mod instances;
mod landmarks;
mod literals;
mod lower;
mod necessities;
mod objective;
mod open_list;
mod operators;
mod propositions;
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

pub use goal_values::GoalValue;
pub(crate) use instances::KeptInstances;
pub use search::Search;
pub(crate) use survey::Statics;

/// A mode of searching for plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Use the settings of the agent: find a plan quickly, then improve it for a while.
    Configured,
    /// Search until a plan is proven optimal.
    Optimal,
    /// Search until any plan is found.
    Satisficing,
}

/// The end of a state-space search.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    /// A state where the goal holds.
    Found(u32),
    /// The search space is exhausted; if `cut`, except for what a limit excluded.
    Exhausted { cut: bool },
}

/// The work that counts as one decision, in addition to the evaluation of a state.
const WORK_PER_DECISION: u64 = 64;

/// A part of a state-space search, after which its limits are checked. It may be interrupted, and
/// continued later with the same result.
#[derive(Debug, Default)]
pub(super) struct Slice {
    /// The number of states to evaluate.
    states: u64,
    /// The number of states evaluated before it; `None` before it has begun.
    before: Option<u64>,
    /// The number of successors taken.
    successors: u64,
    /// The units of work until it is interrupted.
    work: u64,
    /// `true` if it was interrupted, and continues.
    is_interrupted: bool,
}

impl Slice {
    /// Creates a part in which this many states are evaluated.
    fn new(states: u64) -> Self {
        Self {
            states,
            ..Self::default()
        }
    }

    /// Returns the number of evaluated states at which it ends, if `evaluated` is their current number.
    fn until(&mut self, evaluated: u64) -> u64 {
        *self.before.get_or_insert(evaluated) + self.states
    }
}

/// Returns `true` if a cost is less than another one by more than the rounding of sums.
fn is_cheaper(cost: f64, other: f64) -> bool {
    cost < other - other.abs().min(f64::MAX) * 1e-9
}
