//! The random cases that a test tries, and their distribution over threads.
//!
//! A case depends on nothing but its seed. The first seeds are tried in every run, so that a regression is found
//! by the commit that causes it. The others start at a number that depends on `TASKLOOM_SEED`, which `cargo xtask
//! test` sets to another text for each commit: over time, ever more cases are tried. Without it, they are always
//! the same.
//!
//! A case that fails is reported with its seed; `TASKLOOM_CASE=<seed>` tries it alone. `TASKLOOM_CASES=<number>` tries
//! that many. Seeds of bugs that were fixed are listed in their tests (`seeds_and`).

use std::env;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Set to try all cases of each test instead of a tenth.
const THOROUGH: &str = "TASKLOOM_THOROUGH";
/// Any text. It selects the cases that aren't always the same.
const SEED: &str = "TASKLOOM_SEED";
/// The seed of the only case to try.
const CASE: &str = "TASKLOOM_CASE";
/// The number of cases to try.
const CASES: &str = "TASKLOOM_CASES";
/// The time after which a case is reported while it runs: a case that never ends has no other message.
const LONG: Duration = Duration::from_secs(60);

/// Returns the number of random cases that a test tries: all of them if `TASKLOOM_THOROUGH` is set,
/// else a tenth.
pub fn cases(all: u64) -> u64 {
    match env::var_os(THOROUGH) {
        Some(_) => all,
        None => all / 10,
    }
}

/// Returns the seeds of the random cases that a test tries, [`cases`] in number.
///
/// # Panics
/// If `TASKLOOM_CASE` or `TASKLOOM_CASES` is set and no number.
pub fn seeds(all: u64) -> Vec<u64> {
    seeds_and(all, &[])
}

/// Returns the seeds of as many random cases as a test always tries.
///
/// # Panics
/// If `TASKLOOM_CASE` or `TASKLOOM_CASES` is set and no number.
pub fn seeds_of_each_run(count: u64) -> Vec<u64> {
    selected(count, count.div_ceil(10), &[])
}

/// Returns the seeds of the random cases that a test tries, after those of cases that once failed.
///
/// # Panics
/// If `TASKLOOM_CASE` or `TASKLOOM_CASES` is set and no number.
pub fn seeds_and(all: u64, failed_once: &[u64]) -> Vec<u64> {
    selected(cases(all), (all / 10).div_ceil(10), failed_once)
}

fn selected(count: u64, fixed: u64, failed_once: &[u64]) -> Vec<u64> {
    if let Some(case) = number(CASE) {
        return vec![case];
    }
    let count = number(CASES).unwrap_or(count);
    let fixed = fixed.min(count);
    let seed = env::var_os(SEED).unwrap_or_default();
    let first = first_seed(seed.as_encoded_bytes());
    let mut seeds = failed_once.to_vec();
    seeds.extend(choose(fixed, count, first));
    seeds
}

/// Returns the number in a variable, if it is set.
fn number(variable: &str) -> Option<u64> {
    let text = env::var_os(variable)?;
    let number = text.to_str().and_then(|text| text.parse().ok());
    Some(number.unwrap_or_else(|| panic!("{variable} is {}, no number", text.display())))
}

/// Returns `true` if assertions about the number of certain outcomes don't apply: only one case is tried, or a
/// chosen number of them, or a tenth of all cases that depends on the commit, which may have too few of them by chance.
pub fn is_sample() -> bool {
    let is_seeded = env::var_os(SEED).is_some_and(|seed| !seed.is_empty());
    let is_chosen = [CASE, CASES].iter().any(|one| env::var_os(one).is_some());
    is_chosen || is_seeded && env::var_os(THOROUGH).is_none()
}

/// Returns the first of the seeds that depend on a text: a 31-bit number, so that tests can derive
/// others from it by addition. It is 0 if there is no text.
fn first_seed(text: &[u8]) -> u64 {
    if text.is_empty() {
        return 0;
    }
    // FNV-1a.
    let hash = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    hash >> 33
}

/// Returns so many seeds: the fixed ones, and the others from the first one onwards.
fn choose(fixed: u64, count: u64, first: u64) -> impl Iterator<Item = u64> {
    (0..fixed).chain(first + fixed..first + count)
}

/// Calls a function for each seed, on all of the machine's cores. Returns the results in the order
/// of the seeds, so they don't depend on the number of cores.
///
/// # Panics
/// If the function panics, after reporting the seed.
pub fn on_all_cores<T: Send>(
    seeds: impl IntoIterator<Item = u64>,
    case: impl Fn(u64) -> T + Sync,
) -> Vec<T> {
    spread(seeds, thread::Builder::new, case)
}

/// Like [`on_all_cores`], with threads whose stacks are as small as that of a Web Worker.
///
/// # Panics
/// If the function panics, after reporting the seed.
pub fn on_small_stacks<T: Send>(
    seeds: impl IntoIterator<Item = u64>,
    case: impl Fn(u64) -> T + Sync,
) -> Vec<T> {
    spread(seeds, || thread::Builder::new().stack_size(1 << 20), case)
}

fn spread<T: Send>(
    seeds: impl IntoIterator<Item = u64>,
    builder: fn() -> thread::Builder,
    case: impl Fn(u64) -> T + Sync,
) -> Vec<T> {
    let seeds: Vec<u64> = seeds.into_iter().collect();
    let next = AtomicUsize::new(0);
    // The harness names the thread of a test after it.
    let test = thread::current().name().unwrap_or_default().to_owned();
    let running = Running::default();
    let work = || {
        let mut results = vec![];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(seed) = seeds.get(number) else {
                return results;
            };
            let _case = running.start(*seed);
            match catch_unwind(AssertUnwindSafe(|| case(*seed))) {
                Ok(result) => results.push((number, result)),
                Err(panic) => {
                    // The other threads end after their current case.
                    next.store(seeds.len(), Ordering::Relaxed);
                    eprintln!("{}", message(*seed, "failed", &test));
                    resume_unwind(panic);
                }
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut results = thread::scope(|scope| {
        let start = |_| {
            let started = builder().spawn_scoped(scope, work);
            started.expect("a thread can be started")
        };
        let started: Vec<_> = (0..threads.min(seeds.len())).map(start).collect();
        let (end, ended) = channel::<()>();
        scope.spawn(|| {
            let ended = ended;
            while ended.recv_timeout(LONG / 10) == Err(RecvTimeoutError::Timeout) {
                running.report(&test);
            }
        });
        let results: Vec<_> = started.into_iter().map(|thread| thread.join()).collect();
        drop(end);
        let results = results
            .into_iter()
            .map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)));
        results.flatten().collect::<Vec<_>>()
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The cases that run at the moment.
#[derive(Default)]
struct Running(Mutex<Vec<Case>>);

struct Case {
    seed: u64,
    start: Instant,
    /// The time after which it is reported again.
    report_after: Duration,
}

impl Running {
    /// Notes that a case starts. It ends when what is returned is dropped.
    fn start(&self, seed: u64) -> impl Drop {
        struct End<'a>(&'a Running, u64);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.cases().retain(|case| case.seed != self.1);
            }
        }
        self.cases().push(Case {
            seed,
            start: Instant::now(),
            report_after: LONG,
        });
        End(self, seed)
    }

    /// Names the cases that take long, past the harness: it would hold the message back until the test ends.
    fn report(&self, test: &str) {
        for case in self.cases().iter_mut() {
            let time = case.start.elapsed();
            if time > case.report_after {
                case.report_after = 2 * time;
                let what = format!("has been running for {} s", time.as_secs());
                let line = message(case.seed, &what, test) + "\n";
                let _ = stderr().write_all(line.as_bytes());
            }
        }
    }

    fn cases(&self) -> MutexGuard<'_, Vec<Case>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a message about a case: its seed, and how to repeat it.
fn message(seed: u64, what: &str, test: &str) -> String {
    // Cargo sets it when it runs a test.
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    format!(
        "the case with seed {seed} {what}; to repeat it: {CASE}={seed} cargo test --package {package} {test}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_seeds_are_fixed_and_the_others_depend_on_the_text() {
        let first = first_seed(b"4fbbde5a");
        assert_eq!(first, 380_844_593);
        let chosen: Vec<u64> = choose(2, 5, first).collect();
        assert_eq!(chosen, [0, 1, first + 2, first + 3, first + 4]);
    }

    #[test]
    fn without_a_text_the_seeds_are_the_first_ones() {
        let chosen: Vec<u64> = choose(2, 5, first_seed(b"")).collect();
        assert_eq!(chosen, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn results_are_in_the_order_of_the_seeds() {
        let seeds = [7, 3, 1_000, 4];
        assert_eq!(on_all_cores(seeds, |seed| seed + 1), [8, 4, 1_001, 5]);
        assert_eq!(on_small_stacks(seeds, |seed| seed + 1), [8, 4, 1_001, 5]);
    }

    #[test]
    #[should_panic(expected = "an odd case")]
    fn panic_of_a_case_is_that_of_the_test() {
        on_all_cores(0..100, |seed| assert!(seed % 2 == 0, "an odd case"));
    }

    #[test]
    fn message_says_how_to_repeat_a_case() {
        assert_eq!(
            message(5, "failed", "counts::all"),
            "the case with seed 5 failed; to repeat it: TASKLOOM_CASE=5 cargo test --package testkit counts::all"
        );
    }
}
