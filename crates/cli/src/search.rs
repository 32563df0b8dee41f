//! Runs a search in slices, and looks at the clock and at Ctrl+C in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use taskloom_core::compile::Problem;
use taskloom_core::plan::{
    Budget, Cheapest, Limit, Outcome, Plan, Progress, Search, Statistics, Trace, any,
};

use crate::args::Strategy;
use crate::clock;

/// Seconds that a slice should take.
const SLICE: f64 = 0.005;

/// A search of one of the strategies.
pub enum Engine {
    First(Box<Search>),
    Cheapest(Box<Cheapest>),
    Any(Box<any::Search>),
}

impl Engine {
    pub fn new(strategy: Strategy, problem: &Problem, budget: Budget, trace: usize) -> Self {
        match strategy {
            Strategy::First => Self::First(Box::new(Search::new(problem, budget, trace))),
            Strategy::Cheapest => Self::Cheapest(Box::new(Cheapest::new(problem, budget, trace))),
            Strategy::Any => Self::Any(Box::new(any::Search::new(problem, budget))),
        }
    }

    /// Searches until it ends by itself, processor time reaches `until`, or it is interrupted.
    pub fn run(&mut self, until: f64, interrupted: &AtomicBool) -> Outcome {
        let mut nodes = 64;
        let mut before = clock::seconds();
        loop {
            if self.step(nodes) == Progress::Done {
                return self.outcome().unwrap_or(Outcome::NoPlan);
            }
            if interrupted.load(Ordering::Relaxed) {
                return Outcome::Stopped;
            }
            let now = clock::seconds();
            if now >= until {
                return Outcome::GaveUp(Limit::Time);
            }
            if now - before < SLICE / 2.0 {
                nodes = (nodes * 2).min(1 << 24);
            } else if now - before > SLICE * 2.0 {
                nodes = (nodes / 2).max(1);
            }
            before = now;
        }
    }

    fn step(&mut self, nodes: u64) -> Progress {
        match self {
            Self::First(search) => search.step(nodes),
            Self::Cheapest(search) => search.step(nodes),
            Self::Any(search) => search.step(nodes),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::First(search) => search.outcome(),
            Self::Cheapest(search) => search.outcome(),
            Self::Any(search) => search.outcome(),
        }
    }

    /// The cheapest plan so far, of a search that has not ended by itself.
    pub fn best(&self) -> Option<&Plan> {
        match self {
            Self::Cheapest(search) => search.best(),
            Self::First(_) | Self::Any(_) => None,
        }
    }

    /// What every plan costs at least, as far as that is known.
    pub fn bound(&self) -> Option<f64> {
        match self {
            Self::Cheapest(search) => Some(search.bound()),
            Self::First(_) | Self::Any(_) => None,
        }
    }

    pub fn statistics(&self) -> Statistics {
        match self {
            Self::First(search) => search.statistics(),
            Self::Cheapest(search) => search.statistics(),
            Self::Any(search) => search.statistics(),
        }
    }

    pub fn trace(&self) -> Option<&Trace> {
        match self {
            Self::First(search) => Some(search.trace()),
            Self::Cheapest(search) => Some(search.trace()),
            Self::Any(_) => None,
        }
    }
}

/// Set by the first Ctrl+C or SIGTERM; the second ends the program at once.
pub fn interruption() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Where a signal cannot be caught it ends the program, as it does by itself.
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, interrupted.clone());
        let _ = flag::register(signal, interrupted.clone());
    }
    interrupted
}
