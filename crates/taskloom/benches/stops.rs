//! How soon plannings end that are told to stop at random moments, and reading and writing
//! files: `cargo bench -p taskloom --bench stops`, with how many plannings behind `--`
//! (1,000 by default), and a third as many files. Prints the slowest; ends with status 1
//! where one took longer than 100 ms. Of files it prints first how long each takes from one
//! look to the next.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::TestRunner;
use taskloom::document::stop::Stop;
use taskloom::document::{Document, Name};
use taskloom::planner::compile::compile_until;
use taskloom::planner::plan::{Budget, Outcome, Progress, Strategy, validate_until};

#[path = "../tests/domain/mod.rs"]
mod domain;
#[allow(dead_code)]
#[path = "../tests/stopping/hostile.rs"]
mod hostile;
#[allow(dead_code)] // What the tests compare with is not used here.
#[path = "../tests/cheapest/random.rs"]
mod random;
#[path = "../tests/stopping/works.rs"]
mod works;
#[allow(dead_code)]
#[path = "../tests/xorshift/mod.rs"]
mod xorshift;

/// A planning has to end so soon after it was told to.
const MOST: Duration = Duration::from_millis(100);
/// The last moment at which one is told to.
const LATEST: usize = 400;

/// Tells a planning to stop at a moment, and how long it went on since.
struct Told {
    is_told: Arc<AtomicBool>,
    began: Instant,
    /// When it was told to, and when it looked last, in microseconds.
    at: Arc<AtomicU64>,
}

impl Told {
    fn after(time: Duration) -> (Self, Stop) {
        let told = Self {
            is_told: Arc::default(),
            began: Instant::now(),
            at: Arc::default(),
        };
        let (is_told, at, began) = (told.is_told.clone(), told.at.clone(), told.began);
        let flag = is_told.clone();
        thread::spawn(move || {
            thread::sleep(time);
            at.store(began.elapsed().as_micros() as u64, Ordering::Relaxed);
            is_told.store(true, Ordering::Release);
        });
        (told, Stop::when(move || flag.load(Ordering::Acquire)))
    }

    /// How long ago it was told to; none where it has not been yet.
    fn ago(&self) -> Option<Duration> {
        let is_told = self.is_told.load(Ordering::Acquire);
        let at = Duration::from_micros(self.at.load(Ordering::Relaxed));
        is_told.then(|| self.began.elapsed().saturating_sub(at))
    }
}

/// Compiles, searches and validates, until stopped. What it was at when that was heard.
fn plan(
    document: &Document,
    scenario: &Name,
    strategy: Strategy,
    memory: u64,
    stop: &Stop,
) -> &'static str {
    let Ok(problem) = compile_until(document, (scenario, 0), stop) else {
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
    match validate_until(document, (scenario, 0), &plan, stop) {
        Ok(valid) => {
            valid.expect("a plan that is one");
            "done"
        }
        Err(_) => "validating",
    }
}

/// How large the files are.
const SIZE: usize = 10;

/// How long it takes from one look to the next at most, as a line each.
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

/// Tells works on files to stop at random moments.
fn stop_works(works: &[works::Work], count: usize, random: &mut xorshift::Random) -> bool {
    let mut took: Vec<(Duration, String)> = vec![];
    for number in 0..count {
        let work = &works[number % works.len()];
        let time = random.below(LATEST * 1_000) as u64;
        let (told, stop) = Told::after(Duration::from_micros(time));
        drop((work.run)(&stop));
        if let Some(ago) = told.ago() {
            took.push((ago, format!("{}, told after {time} µs", work.name)));
        }
    }
    let (all, told) = (count, took.len());
    println!("{all} times reading and writing files, {told} told to stop before they were done");
    show(took)
}

/// Shows how long it took; whether nothing took too long.
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
    let mut random = xorshift::Random(0x5eed);
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
    let mut told_late = 0;
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
        let strategy = *random.pick(&[Strategy::First, Strategy::Cheapest, Strategy::Any]);
        let memory = *random.pick(&[64 << 20, 512 << 20, 2 << 30]);
        let time = random.below(LATEST * 1_000) as u64;
        let time = if name == "a random domain" {
            time / 100
        } else {
            time
        };
        let (told, stop) = Told::after(Duration::from_micros(time));
        let stage = plan(document, &scenario, strategy, memory, &stop);
        *stages.entry(stage).or_default() += 1;
        match told.ago() {
            Some(ago) => {
                let what = format!(
                    "{name}, {strategy:?}, {} MB, {stage}, told after {time} µs",
                    memory >> 20
                );
                took.push((ago, what));
            }
            None => told_late += 1,
        }
    }
    println!(
        "{count} plannings, {told_late} over before they were told to stop; ended at {stages:?}"
    );
    let are_soon = show(took);
    let works = works::all(SIZE);
    between_looks(&works);
    let are_works_soon = stop_works(&works, count / 3, &mut random);
    ExitCode::from(u8::from(!are_soon || !are_works_soon))
}
