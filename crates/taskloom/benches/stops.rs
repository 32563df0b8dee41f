//! Measures the time until plannings, and the reading and writing of files, end after they were
//! cancelled at random moments: `cargo bench -p taskloom --bench stops`, with the number of
//! plannings after `--` (1,000 by default), and a third as many files. Prints the slowest; exits
//! with status 1 if one took longer than 100 ms. For files it first prints the maximum time between
//! two checks for cancellation.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::TestRunner;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile_cancellable;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, validate_cancellable};
use testkit::{domain, random::Random};

#[allow(dead_code)]
#[path = "../../planner/tests/it/stopping/hostile.rs"]
mod hostile;
#[allow(dead_code)] // The tests' references are not used here.
#[path = "../../planner/tests/it/cheapest/random.rs"]
mod random;
#[path = "../../export/tests/it/stopping/works.rs"]
mod works;

/// The maximum time from the cancellation of a planning to its end.
const MOST: Duration = Duration::from_millis(100);
/// The latest moment of a cancellation, in milliseconds.
const LATEST: usize = 400;

/// Cancels a planning after some time, and measures how long it takes to end.
struct Cancellation {
    is_cancelled: Arc<AtomicBool>,
    began: Instant,
    /// The time of the cancellation, in microseconds.
    at: Arc<AtomicU64>,
}

impl Cancellation {
    fn after(time: Duration) -> (Self, Stop) {
        let cancelled = Self {
            is_cancelled: Arc::default(),
            began: Instant::now(),
            at: Arc::default(),
        };
        let is_cancelled = cancelled.is_cancelled.clone();
        let (at, began) = (cancelled.at.clone(), cancelled.began);
        let flag = is_cancelled.clone();
        thread::spawn(move || {
            thread::sleep(time);
            at.store(began.elapsed().as_micros() as u64, Ordering::Relaxed);
            is_cancelled.store(true, Ordering::Release);
        });
        (cancelled, Stop::when(move || flag.load(Ordering::Acquire)))
    }

    /// Returns the time since the cancellation; `None` if it has not been cancelled yet.
    fn ago(&self) -> Option<Duration> {
        let is_cancelled = self.is_cancelled.load(Ordering::Acquire);
        let at = Duration::from_micros(self.at.load(Ordering::Relaxed));
        is_cancelled.then(|| self.began.elapsed().saturating_sub(at))
    }
}

/// Compiles, searches and validates, until cancelled. Returns the stage that was cancelled.
fn plan(
    document: &Document,
    scenario: &Name,
    strategy: Strategy,
    memory: u64,
    stop: &Stop,
) -> &'static str {
    let Ok(problem) = compile_cancellable(&Domain::from(document), (scenario, 0), stop) else {
        return "compiling";
    };
    let budget = Budget {
        nodes: u64::MAX,
        depth: 1_000_000,
        memory,
    };
    let mut engine = strategy.search(&problem, budget, 1_000);
    while engine.step(u64::MAX) == Progress::Running {}
    let Some(Outcome::Plan(plan)) = engine.outcome() else {
        return "searching";
    };
    match validate_cancellable(&Domain::from(document), (scenario, 0), &plan, stop) {
        Ok(valid) => {
            valid.expect("a plan that is one");
            "done"
        }
        Err(_) => "validating",
    }
}

/// The size of the files.
const SIZE: usize = 10;

/// Prints the maximum time between two checks for cancellation, one line per work.
fn between_looks(works: &[works::Work]) {
    for work in works {
        let began = Instant::now();
        let last = Arc::new(AtomicU64::new(0));
        let most = Arc::new(AtomicU64::new(0));
        let (seen, longest) = (last.clone(), most.clone());
        let look = move || {
            let now = began.elapsed().as_micros() as u64;
            longest.fetch_max(now - seen.swap(now, Ordering::Relaxed), Ordering::Relaxed);
        };
        let looking = look.clone();
        let stop = Stop::when(move || {
            looking();
            false
        });
        let done = (work.run)(&stop);
        look();
        let took = began.elapsed();
        drop(done);
        let most = Duration::from_micros(most.load(Ordering::Relaxed));
        println!("{most:>12.1?} of {took:>10.1?}: {}", work.name);
    }
}

/// Cancels the reading and writing of files at random moments.
fn stop_works(works: &[works::Work], count: usize, random: &mut Random) -> bool {
    let mut took: Vec<(Duration, String)> = vec![];
    for number in 0..count {
        let work = &works[number % works.len()];
        let time = random.below(LATEST * 1_000) as u64;
        let (cancelled, stop) = Cancellation::after(Duration::from_micros(time));
        drop((work.run)(&stop));
        if let Some(ago) = cancelled.ago() {
            took.push((ago, format!("{}, cancelled after {time} µs", work.name)));
        }
    }
    let (all, cancelled) = (count, took.len());
    println!("read and wrote files {all} times, {cancelled} of them cancelled before the end");
    show(took)
}

/// Prints the times. Returns `true` if none was too long.
fn show(mut took: Vec<(Duration, String)>) -> bool {
    took.sort();
    for (percent, name) in [(50, "half of them"), (99, "99 %"), (100, "all")] {
        let at = (took.len() * percent / 100).clamp(1, took.len());
        println!("{name} ended within {:?}", took[at - 1].0);
    }
    println!("the slowest:");
    for (time, what) in took.iter().rev().take(10) {
        println!("  {time:?}: {what}");
    }
    took.last().is_none_or(|(time, _)| *time <= MOST)
}

fn main() -> ExitCode {
    let count = std::env::args().find_map(|argument| argument.parse().ok());
    let count: usize = count.unwrap_or(1_000);
    let mut random = Random(0x5eed);
    let mut runner = TestRunner::deterministic();
    let mut fixtures = vec![
        hostile::conditions(18),
        hostile::conditions(90),
        hostile::depth(),
        hostile::sequence(20_000),
        hostile::grounding(4, 60),
        hostile::grounding(9, 30),
    ];
    for width in [20, 60, 1_000] {
        fixtures.extend(hostile::quantifiers(width));
    }
    let mut took: Vec<(Duration, String)> = vec![];
    let mut stages: BTreeMap<&str, usize> = BTreeMap::new();
    let mut uncancelled = 0;
    for number in 0..count {
        let own;
        let (name, document, scenario) = if number % 3 == 0 {
            let tree = random::domains().new_tree(&mut runner).expect("a domain");
            own = domain::document(&random::written(&tree.current()));
            ("a random domain", &own, Name::new("s").expect("a name"))
        } else {
            let fixture = random.pick(&fixtures);
            (fixture.name, &fixture.document, fixture.scenario.clone())
        };
        let strategy = *random.pick(&[Strategy::First, Strategy::Cheapest, Strategy::Fastest]);
        let memory = *random.pick(&[64 << 20, 512 << 20, 2 << 30]);
        let time = random.below(LATEST * 1_000) as u64;
        let time = if name == "a random domain" {
            time / 100
        } else {
            time
        };
        let (cancelled, stop) = Cancellation::after(Duration::from_micros(time));
        let stage = plan(document, &scenario, strategy, memory, &stop);
        *stages.entry(stage).or_default() += 1;
        match cancelled.ago() {
            Some(ago) => {
                let what = format!(
                    "{name}, {strategy:?}, {} MB, {stage}, cancelled after {time} µs",
                    memory >> 20
                );
                took.push((ago, what));
            }
            None => uncancelled += 1,
        }
    }
    println!(
        "{count} plannings, {uncancelled} over before the cancellation; ended while {stages:?}"
    );
    let are_soon = show(took);
    let works = works::all(SIZE);
    between_looks(&works);
    let are_works_soon = stop_works(&works, count / 3, &mut random);
    ExitCode::from(u8::from(!are_soon || !are_works_soon))
}
