//! Cancellation at a chosen moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use taskloom_document::stop::Stop;

/// Returns a [`Stop`] that cancels at a check, the first being 1, and the number of checks so far.
pub fn stop_at(look: u64) -> (Stop, Arc<AtomicU64>) {
    let looks = Arc::new(AtomicU64::new(0));
    let counted = looks.clone();
    let stop = Stop::when(move || counted.fetch_add(1, Ordering::Relaxed) + 1 >= look);
    (stop, looks)
}
