//! Times planning natively: `latency FILE...` prints a JSON object that `run.mjs` compares with
//! WebAssembly.
//!
//! `latency --solve STRATEGY SECONDS DOMAIN PROBLEM` solves planning files, for `solve.mjs`, and
//! prints the time in seconds and the answer.
//!
//! `latency --goals HEURISTIC DIRECTION` plans for goals, for `goals.mjs`, and prints the number of
//! steps and the time for each situation.
//!
//! Times are CPU time of this thread, in microseconds, so that other programs on the machine make
//! no difference.

use std::alloc::System;
use std::hint::black_box;
use std::process::ExitCode;

use cap::Cap;
use cpu_time::ThreadTime;
use latency::{Settlement, Solving, Subject, scenarios};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// The number of samples per scenario, after a tenth as many for warm-up.
const SAMPLES: usize = 2_000;
/// The number of samples for the cheapest plan, which takes longer.
const SAMPLES_OF_CHEAPEST: usize = 100;
/// The number of plans, over all scenarios in turn, between two checks of the allocated memory.
const PLANS: usize = 1_000_000;

/// The memory limit of a search of planning files, in bytes; a WebAssembly memory has 4 GB.
const MEMORY: f64 = 3e9;
/// The number of decisions between two checks of the clock.
const NODES: u32 = 1_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [option, strategy, seconds, domain, problem] = &arguments[..]
        && option == "--solve"
    {
        return solve(strategy, seconds, domain, problem);
    }
    if let [option, heuristic, direction] = &arguments[..]
        && option == "--goals"
    {
        let settlement = Settlement::new(heuristic, direction);
        let plans = (0..settlement.count()).map(|situation| {
            let begun = ThreadTime::now();
            let steps = black_box(settlement.plan(situation));
            json!({ "steps": steps, "micros": begun.elapsed().as_nanos() as f64 / 1000.0 })
        });
        println!("{}", Value::from_iter(plans));
        return ExitCode::SUCCESS;
    }
    let mut subjects = vec![];
    for file in arguments {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let name = file.rsplit(['/', '\\']).next().unwrap_or(&file);
        let name = name.trim_end_matches(".taskloom.json");
        for scenario in scenarios(&text) {
            let subject = Subject::open(&text, &scenario);
            subjects.extend(subject.map(|s| (format!("{name}: {scenario}"), s)));
        }
    }
    let times: Vec<Value> = subjects
        .iter()
        .map(|(name, subject)| {
            json!({
                "name": name,
                "steps": subject.first(),
                "first": times(SAMPLES, || subject.first()),
                "traced": times(SAMPLES, || subject.traced()),
                "compiled": times(SAMPLES, || subject.compiled()),
                "cheapest": times(SAMPLES_OF_CHEAPEST, || subject.cheapest()),
            })
        })
        .collect();
    let (before, after) = allocated(&subjects);
    println!(
        "{}",
        json!({ "times": times, "plans": PLANS, "before": before, "after": after })
    );
    ExitCode::SUCCESS
}

fn solve(strategy: &str, seconds: &str, domain: &str, problem: &str) -> ExitCode {
    let text = |file: &str| std::fs::read_to_string(file);
    let (Ok(domain), Ok(problem), Ok(seconds)) = (text(domain), text(problem), seconds.parse())
    else {
        return ExitCode::FAILURE;
    };
    let begun = ThreadTime::now();
    let Some(mut solving) = Solving::start(&domain, &problem, strategy, MEMORY) else {
        return ExitCode::FAILURE;
    };
    while !solving.step(NODES) && begun.elapsed().as_secs_f64() < seconds {}
    let took = begun.elapsed().as_secs_f64();
    println!("{}", json!({ "seconds": took, "answer": solving.answer() }));
    ExitCode::SUCCESS
}

/// Returns the CPU time of each call.
fn times(samples: usize, mut call: impl FnMut() -> i32) -> Vec<f64> {
    for _ in 0..samples / 10 {
        black_box(call());
    }
    let sample = |_| {
        let begun = ThreadTime::now();
        black_box(call());
        begun.elapsed().as_nanos() as f64 / 1000.0
    };
    (0..samples).map(sample).collect()
}

/// Returns the bytes allocated after one plan of each scenario, and after many.
fn allocated(subjects: &[(String, Subject)]) -> (usize, usize) {
    let once = |count: usize| {
        for (_, subject) in subjects.iter().cycle().take(count) {
            black_box(subject.first());
        }
        ALLOCATOR.allocated()
    };
    (once(subjects.len()), once(PLANS))
}
