//! Works until the clock or Ctrl+C says to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use taskloom::document::stop::Stop;
use taskloom::planner::plan::{Engine, Limit, Outcome, Progress};

use crate::clock;

/// Seconds of processor time after the limit, or after Ctrl+C, in which a plan found by then may be validated.
const TO_VALIDATE: f64 = 1.0;

/// What ends a search, or other work, before it ends by itself.
#[derive(Debug)]
pub struct Limits {
    /// Seconds of processor time.
    until: f64,
    interrupted: Arc<AtomicBool>,
}

impl Limits {
    /// Catches Ctrl+C and SIGTERM from now on: files that may have to be waited for are
    /// opened before.
    pub fn new(until: f64) -> Self {
        Self {
            until,
            interrupted: interruption(),
        }
    }

    /// Stops at the limit and when interrupted.
    pub fn stop(&self) -> Stop {
        let (until, interrupted) = (self.until, self.interrupted.clone());
        Stop::when(move || interrupted.load(Ordering::Relaxed) || clock::seconds() >= until)
    }

    /// Stops soon after the limit, or after being interrupted: what was found until then has yet to be validated.
    pub fn stop_validating(&self) -> Stop {
        let (until, interrupted) = (self.until, self.interrupted.clone());
        let heard = OnceLock::new();
        Stop::when(move || {
            let now = clock::seconds();
            let ended = if interrupted.load(Ordering::Relaxed) {
                until.min(*heard.get_or_init(|| now))
            } else {
                until
            };
            now >= ended + TO_VALIDATE
        })
    }

    /// Nothing but Ctrl+C and SIGTERM, from now on.
    pub fn none() -> Self {
        Self::new(f64::INFINITY)
    }

    /// How a search ended that was stopped.
    pub fn why(&self) -> Outcome {
        if self.interrupted.load(Ordering::Relaxed) {
            Outcome::Stopped
        } else {
            Outcome::GaveUp(Limit::Time)
        }
    }

    /// Searches until the search ends by itself or is stopped.
    pub fn search(&self, engine: &mut dyn Engine) -> Outcome {
        if self.stop().is_asked() {
            return self.why();
        }
        while engine.step(u64::MAX) == Progress::Running {}
        match engine.outcome() {
            None | Some(Outcome::Stopped) => self.why(),
            Some(outcome) => outcome,
        }
    }
}

/// Set by the first Ctrl+C or SIGTERM; the second ends the program at once.
fn interruption() -> Arc<AtomicBool> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_interrupts_a_validation_waits_for_it_a_second_and_no_more() {
        let limits = Limits {
            until: f64::INFINITY,
            interrupted: Arc::default(),
        };
        let stop = limits.stop_validating();
        assert!(!stop.is_asked(), "nobody has interrupted it");
        limits.interrupted.store(true, Ordering::Relaxed);
        let begun = clock::seconds();
        assert!(!stop.is_asked(), "what was found may be validated");
        while !stop.is_asked() {}
        assert!(clock::seconds() >= begun + TO_VALIDATE);
        assert_eq!(limits.why(), Outcome::Stopped);
    }
}
