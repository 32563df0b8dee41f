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
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

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
    /// The work up to the last poll.
    done: AtomicU64,
    stopped: AtomicBool,
    /// `true` if it only counts.
    only_counts: bool,
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
        Self::new(Box::new(ask), false)
    }

    fn new(ask: Box<dyn Fn() -> bool + Send + Sync>, only_counts: bool) -> Self {
        Self(Some(Arc::new(State {
            ask,
            remaining: AtomicU32::new(INTERVAL),
            done: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            only_counts,
        })))
    }

    /// Creates a token that never stops anything, but counts the work.
    pub fn counting() -> Self {
        Self::new(Box::new(|| false), true)
    }

    /// Returns the units of work that were counted, unless it was stopped; 0 for the default.
    pub fn work(&self) -> u64 {
        let Some(state) = &self.0 else {
            return 0;
        };
        let since = INTERVAL.saturating_sub(state.remaining.load(Ordering::Relaxed));
        state.done.load(Ordering::Relaxed) + u64::from(since)
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
        state.count((work - remaining) as u64);
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
        self.0.as_ref().is_none_or(|state| state.only_counts)
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
    /// Counts all of the remaining work until the next poll, and this much more.
    fn count(&self, work: u64) {
        let all = self.done.load(Ordering::Relaxed).saturating_add(work);
        self.done.store(all, Ordering::Relaxed);
        self.remaining.store(0, Ordering::Relaxed);
    }

    #[cold]
    fn poll(&self) -> bool {
        let since = INTERVAL.saturating_sub(self.remaining.load(Ordering::Relaxed));
        let done = self.done.load(Ordering::Relaxed);
        let done = done.saturating_add(u64::from(since));
        self.done.store(done, Ordering::Relaxed);
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
    fn counts_work() {
        let stop = Stop::counting();
        for work in [1, 4095, 5000, 0, 4096, 7] {
            assert!(!stop.after(work));
        }
        assert_eq!(stop.work(), 1 + 4095 + 5000 + 4096 + 7);
        assert!(!stop.poll() && stop.clone().after(0) == stop.is_cancelled());
        assert_eq!(stop.work(), 13199);
        assert!(stop.is_never());
        assert_eq!(Stop::default().work(), 0);
    }

    #[test]
    fn never_cancels_by_default() {
        let never = Stop::default();
        assert!(never.is_never());
        assert!(!never.after(usize::MAX) && !never.poll() && !never.is_cancelled());
    }
}
