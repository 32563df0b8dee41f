//! Being told to stop.
//!
//! The core has no clock and sees no button. Whoever has work done hands in a
//! [`Stop`], which asks: is it enough? What takes long counts its work, and asks
//! after so much of it that two looks are never far apart.
//!
//! Once the answer is yes it stays so. Then every loop that counts its work ends
//! at once, and what it has come to means nothing: who began the work sees that
//! the stop [was heard](Stop::is_heard), and answers so.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Units of work between two looks. A unit is what takes a microsecond or less:
/// a condition looked at, a text's word read, a row of a table.
const INTERVAL: u32 = 4096;

/// Who is asked whether to go on. Copies of it are one and the same; the default
/// never stops anything.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<Asked>>);

struct Asked {
    ask: Box<dyn Fn() -> bool + Send + Sync>,
    /// Work until the next look; 0 once the stop was heard.
    left: AtomicU32,
    heard: AtomicBool,
}

/// The work was stopped, and has come to nothing.
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
            .field("heard", &self.is_heard())
            .finish_non_exhaustive()
    }
}

impl Stop {
    /// Stops when `ask` says so. It is asked some thousand times a second, and so
    /// may look at a clock.
    pub fn when(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Asked {
            ask: Box::new(ask),
            left: AtomicU32::new(INTERVAL),
            heard: AtomicBool::new(false),
        })))
    }

    /// Counts so many units of work, and looks where it is time to. Whether to
    /// stop.
    #[inline]
    pub fn after(&self, work: usize) -> bool {
        let Some(asked) = &self.0 else {
            return false;
        };
        let left = asked.left.load(Ordering::Relaxed) as usize;
        if work < left {
            asked.left.store((left - work) as u32, Ordering::Relaxed);
            return false;
        }
        asked.look()
    }

    /// Looks now. Whether to stop.
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked.look())
    }

    /// Whether an earlier look came to a stop: what was worked out since then
    /// means nothing.
    #[inline]
    pub fn is_heard(&self) -> bool {
        let asked = self.0.as_ref();
        asked.is_some_and(|asked| asked.heard.load(Ordering::Relaxed))
    }

    /// Whether it can stop anything at all.
    pub fn is_never(&self) -> bool {
        self.0.is_none()
    }

    /// What was worked out, or that it means nothing.
    ///
    /// # Errors
    /// Where the stop was heard.
    pub fn unless_heard<T>(&self, value: T) -> Result<T, Stopped> {
        if self.is_heard() {
            Err(Stopped)
        } else {
            Ok(value)
        }
    }
}

impl Asked {
    #[cold]
    fn look(&self) -> bool {
        let heard = self.heard.load(Ordering::Relaxed) || (self.ask)();
        self.heard.store(heard, Ordering::Relaxed);
        let left = if heard { 0 } else { INTERVAL };
        self.left.store(left, Ordering::Relaxed);
        heard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn it_looks_after_so_much_work_and_never_again_once_it_is_heard() {
        let looks = Arc::new(AtomicUsize::new(0));
        let counted = looks.clone();
        let stop = Stop::when(move || counted.fetch_add(1, Ordering::Relaxed) == 2);
        let also = stop.clone();
        let mut work = 0;
        while !stop.after(1) && !also.after(3) {
            work += 4;
        }
        assert_eq!(work / INTERVAL, 2, "stopped after {work} units of work");
        assert!(also.is_heard() && also.is_asked() && also.after(0));
        assert_eq!(looks.load(Ordering::Relaxed), 3);
        assert_eq!(also.unless_heard(1), Err(Stopped));
    }

    #[test]
    fn by_default_nothing_stops() {
        let never = Stop::default();
        assert!(never.is_never());
        assert!(!never.after(usize::MAX) && !never.is_asked() && !never.is_heard());
    }
}
