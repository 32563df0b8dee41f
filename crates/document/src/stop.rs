//! Cancelling long-running work.
//!
//! The core has no clock and no buttons. The caller of long-running work passes in a [`Stop`], with
//! a function that tells whether to stop. Long-running code counts its work and polls the function
//! at intervals, so that two polls are never far apart.
//!
//! Once the answer is yes, it stays yes. Every loop that counts its work then ends at once, and its
//! result is undefined: the code that started the work sees that [it was stopped](Stop::is_cancelled),
//! and returns that.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Units of work between two polls. A unit takes a microsecond or less: evaluating a condition,
/// reading a token, a row of a table.
const INTERVAL: u32 = 4096;

/// A cancellation token. Copies share their state; the default never stops anything.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<State>>);

struct State {
    ask: Box<dyn Fn() -> bool + Send + Sync>,
    /// The remaining work until the next poll; 0 once it was stopped.
    remaining: AtomicU32,
    stopped: AtomicBool,
}

/// The work was stopped, and has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it was stopped")
    }
}
impl std::error::Error for Stopped {}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stop")
            .field("stopped", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

impl Stop {
    /// Creates a token that stops when `ask` returns `true`. `ask` is called some thousand times a
    /// second, so it may read a clock.
    pub fn when(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(State {
            ask: Box::new(ask),
            remaining: AtomicU32::new(INTERVAL),
            stopped: AtomicBool::new(false),
        })))
    }

    /// Counts this many units of work, and polls if it is time to. Returns `true` if the work
    /// should stop.
    #[inline]
    pub fn after(&self, work: usize) -> bool {
        let Some(state) = &self.0 else {
            return false;
        };
        let remaining = state.remaining.load(Ordering::Relaxed) as usize;
        if work < remaining {
            state
                .remaining
                .store((remaining - work) as u32, Ordering::Relaxed);
            return false;
        }
        state.poll()
    }

    /// Polls now. Returns `true` if the work should stop.
    pub fn poll(&self) -> bool {
        self.0.as_ref().is_some_and(|state| state.poll())
    }

    /// Returns `true` if an earlier poll stopped the work: any result since then is undefined.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        let state = self.0.as_ref();
        state.is_some_and(|state| state.stopped.load(Ordering::Relaxed))
    }

    /// Returns `true` if it can never stop anything.
    pub fn is_never(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the result of the work, unless it was stopped.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the work was stopped.
    pub fn unless_cancelled<T>(&self, value: T) -> Result<T, Stopped> {
        if self.is_cancelled() {
            Err(Stopped)
        } else {
            Ok(value)
        }
    }
}

impl State {
    #[cold]
    fn poll(&self) -> bool {
        let stopped = self.stopped.load(Ordering::Relaxed) || (self.ask)();
        self.stopped.store(stopped, Ordering::Relaxed);
        let remaining = if stopped { 0 } else { INTERVAL };
        self.remaining.store(remaining, Ordering::Relaxed);
        stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn polls_at_intervals_and_never_after_cancellation() {
        let polls = Arc::new(AtomicUsize::new(0));
        let counted = polls.clone();
        let stop = Stop::when(move || counted.fetch_add(1, Ordering::Relaxed) == 2);
        let also = stop.clone();
        let mut work = 0;
        while !stop.after(1) && !also.after(3) {
            work += 4;
        }
        assert_eq!(work / INTERVAL, 2, "stopped after {work} units of work");
        assert!(also.is_cancelled() && also.poll() && also.after(0));
        assert_eq!(polls.load(Ordering::Relaxed), 3);
        assert_eq!(also.unless_cancelled(1), Err(Stopped));
    }

    #[test]
    fn never_cancels_by_default() {
        let never = Stop::default();
        assert!(never.is_never());
        assert!(!never.after(usize::MAX) && !never.poll() && !never.is_cancelled());
    }
}
