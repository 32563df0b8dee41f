//! Runs a search in slices, and looks at the clock and at Ctrl+C in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use taskloom_core::plan::{Engine, Limit, Outcome, Progress};

use crate::clock;

/// Seconds that a slice should take.
const SLICE: f64 = 0.005;

/// Searches until it ends by itself, processor time reaches `until`, or it is interrupted.
pub fn run(search: &mut dyn Engine, until: f64, interrupted: &AtomicBool) -> Outcome {
    let mut nodes = 64;
    let mut before = clock::seconds();
    loop {
        if search.step(nodes) == Progress::Done {
            return search.outcome().unwrap_or(Outcome::NoPlan);
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
