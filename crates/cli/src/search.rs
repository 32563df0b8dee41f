//! Runs work until a limit or Ctrl+C stops it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use taskloom_document::stop::{Stop, Stopped};
use taskloom_planner::plan::{Engine, Limit, Outcome, Progress};

use crate::args::LimitArgs;
use crate::{Failure, clock, memory};

/// The grace period for validating a plan found before the limit or Ctrl+C, in seconds of CPU time.
const TO_VALIDATE: f64 = 1.0;

/// Limits that stop a search or other work early.
#[derive(Debug)]
pub struct Limits {
    /// The deadline in seconds of CPU time and waiting.
    until: f64,
    /// The program's memory limit while it reads, in bytes.
    memory: u64,
    /// Nanoseconds spent waiting for input.
    waited: Arc<AtomicU64>,
    is_out_of_memory: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
}

impl Limits {
    /// Catches Ctrl+C and SIGTERM from now on.
    pub fn new(args: &LimitArgs) -> Self {
        Self {
            until: args.time_limit.unwrap_or(f64::INFINITY),
            memory: args.memory_limit,
            waited: Arc::default(),
            is_out_of_memory: Arc::default(),
            interrupted: interruption(),
        }
    }

    /// Returns a stop at the time limit and on interruption.
    pub fn stop(&self) -> Stop {
        let (until, interrupted) = (self.until, self.interrupted.clone());
        let waited = self.waited.clone();
        Stop::when(move || interrupted.load(Ordering::Relaxed) || used(&waited) >= until)
    }

    /// Like [`stop`](Self::stop), and also stops at the memory limit.
    pub fn stop_reading(&self) -> Stop {
        let (stop, most) = (self.stop(), self.memory);
        let is_out_of_memory = self.is_out_of_memory.clone();
        Stop::when(move || {
            is_out_of_memory.fetch_or(memory::resident() > most, Ordering::Relaxed);
            stop.poll() || is_out_of_memory.load(Ordering::Relaxed)
        })
    }

    /// Returns the memory limit for a search, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns `true` if a file's bytes alone exceed the memory limit.
    pub fn is_too_much(&self, bytes: usize) -> bool {
        let is_too_much = bytes as u64 > self.memory;
        self.is_out_of_memory
            .fetch_or(is_too_much, Ordering::Relaxed);
        is_too_much
    }

    /// Adds time that was spent waiting for input.
    pub fn wait(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.waited.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// Returns a stop shortly after the limit or an interruption: a plan found by then still has to
    /// be validated.
    pub fn stop_validating(&self) -> Stop {
        let (until, interrupted) = (self.until, self.interrupted.clone());
        let waited = self.waited.clone();
        let stopped_at = OnceLock::new();
        Stop::when(move || {
            let now = used(&waited);
            let ended = if interrupted.load(Ordering::Relaxed) {
                until.min(*stopped_at.get_or_init(|| now))
            } else {
                until
            };
            now >= ended + TO_VALIDATE
        })
    }

    /// Returns the outcome of work that was stopped.
    pub fn why(&self) -> Outcome {
        if self.interrupted.load(Ordering::Relaxed) {
            Outcome::Stopped
        } else if self.is_out_of_memory.load(Ordering::Relaxed) {
            Outcome::GaveUp(Limit::Memory)
        } else {
            Outcome::GaveUp(Limit::Time)
        }
    }

    /// Returns the failure of a command that was stopped.
    pub fn failure(&self) -> Failure {
        Failure::Stopped(self.reached())
    }

    /// Returns the reason why work was stopped, in words.
    pub fn stopped(&self) -> String {
        gave_up(self.reached())
    }

    /// Returns the limit that was reached; `None` if Ctrl+C stopped the work.
    fn reached(&self) -> Option<Limit> {
        match self.why() {
            Outcome::GaveUp(limit) => Some(limit),
            _ => None,
        }
    }

    /// Returns the result of work, or the reason why it was stopped.
    pub fn result<T>(&self, result: Result<T, Stopped>) -> Result<T, Failure> {
        result.map_err(|Stopped| self.failure())
    }

    /// Runs the search until it ends or is stopped.
    pub fn search(&self, engine: &mut dyn Engine) -> Outcome {
        if self.stop().poll() {
            return self.why();
        }
        while engine.step(u64::MAX) == Progress::Running {}
        match engine.outcome() {
            None | Some(Outcome::Stopped) => self.why(),
            Some(outcome) => outcome,
        }
    }
}

/// Returns the seconds of CPU time and of waiting for input.
fn used(waited: &AtomicU64) -> f64 {
    clock::seconds() + waited.load(Ordering::Relaxed) as f64 / 1e9
}

/// Returns the budget's name and the option that sets it.
pub fn budget_of(limit: Limit) -> (&'static str, &'static str) {
    match limit {
        Limit::Nodes => ("decisions", "--node-limit"),
        Limit::Depth => ("depth", "--depth-limit"),
        Limit::Memory => ("memory", "--memory-limit"),
        Limit::Time => ("time", "--time-limit"),
    }
}

/// Returns a message that names the budget that ran out; `None` if Ctrl+C stopped the work.
pub fn gave_up(limit: Option<Limit>) -> String {
    match limit {
        Some(limit) => {
            let (budget, option) = budget_of(limit);
            format!("gave up: {budget} limit reached (see {option})")
        }
        None => "stopped".to_owned(),
    }
}

/// Returns a flag that the first Ctrl+C or SIGTERM sets; the second ends the program at once.
fn interruption() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // A signal that can't be caught ends the program by default.
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, interrupted.clone());
        let _ = flag::register(signal, interrupted.clone());
    }
    interrupted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupted_validation_ends_within_a_second() {
        let limits = Limits {
            until: f64::INFINITY,
            memory: u64::MAX,
            waited: Arc::default(),
            is_out_of_memory: Arc::default(),
            interrupted: Arc::default(),
        };
        let stop = limits.stop_validating();
        assert!(!stop.poll(), "nobody has interrupted it");
        limits.interrupted.store(true, Ordering::Relaxed);
        let begun = clock::seconds();
        assert!(!stop.poll(), "what was found may be validated");
        while !stop.poll() {}
        assert!(clock::seconds() >= begun + TO_VALIDATE);
        assert_eq!(limits.why(), Outcome::Stopped);
    }
}
