//! Searches until the clock or Ctrl+C says to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use taskloom_core::plan::{Engine, Limit, Outcome, Progress};
use taskloom_core::stop::Stop;

use crate::clock;

/// Seconds of processor time after the limit in which a plan found by then may be validated.
const TO_VALIDATE: f64 = 1.0;

/// What ends a search before it ends by itself.
#[derive(Debug)]
pub struct Limits {
    /// Seconds of processor time.
    until: f64,
    interrupted: Arc<AtomicBool>,
}

impl Limits {
    /// Catches Ctrl+C and SIGTERM from now on.
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

    /// Stops soon after the limit: what was found until then has yet to be validated.
    pub fn stop_validating(&self) -> Stop {
        let until = self.until + TO_VALIDATE;
        Stop::when(move || clock::seconds() >= until)
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

/// Does what nothing of can be saved. If processor time reaches `until` meanwhile, `give_up` is done instead, and the
/// program ends with the status that it gives.
pub fn within<T>(
    until: f64,
    give_up: impl FnOnce() -> u8 + Send + 'static,
    work: impl FnOnce() -> T,
) -> T {
    if !until.is_finite() {
        return work();
    }
    let done = Arc::new(Mutex::new(false));
    let watched = done.clone();
    thread::spawn(move || {
        loop {
            let left = until - clock::seconds();
            if left > 0.0 {
                // Time passes at least as fast as this program uses the processor.
                thread::sleep(Duration::from_secs_f64(left.clamp(0.001, 3600.0)));
                continue;
            }
            let done = watched.lock().unwrap_or_else(PoisonError::into_inner);
            if !*done {
                std::process::exit(give_up().into());
            }
            break;
        }
    });
    let result = work();
    *done.lock().unwrap_or_else(PoisonError::into_inner) = true;
    result
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
