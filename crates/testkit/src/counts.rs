//! The number of random cases that a test tries, and their distribution over threads.

use std::env;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Returns the number of random cases that a test tries: all of them if `TASKLOOM_THOROUGH` is set,
/// else a tenth.
pub fn cases(all: u64) -> u64 {
    match env::var_os("TASKLOOM_THOROUGH") {
        Some(_) => all,
        None => all / 10,
    }
}

/// Calls a function for each seed, on all of the machine's cores. Returns the results in the order
/// of the seeds, so they don't depend on the number of cores.
///
/// # Panics
/// If the function panics.
pub fn on_all_cores<T: Send>(seeds: Range<u64>, case: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut results = vec![];
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return results;
            }
            results.push((seed, case(seed)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut results = thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let results = started.into_iter().map(|thread| thread.join());
        let results = results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)));
        results.flatten().collect::<Vec<_>>()
    });
    results.sort_by_key(|(seed, _)| *seed);
    results.into_iter().map(|(_, result)| result).collect()
}
