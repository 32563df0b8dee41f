//! Times planning natively: `latency FILE...` prints one JSON object that
//! `run.mjs` compares with the same in WebAssembly.
//!
//! Times are processor time of this thread, in microseconds, so that other
//! programs on the machine make no difference.

use std::alloc::System;
use std::hint::black_box;
use std::process::ExitCode;

use cap::Cap;
use cpu_time::ThreadTime;
use latency::{Subject, scenarios};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Each scenario is planned so often, after a tenth as often for warming up.
const SAMPLES: usize = 2_000;
/// And so often for the cheapest plan, which takes longer.
const SAMPLES_OF_CHEAPEST: usize = 100;
/// Plans, over all scenarios in turn, between two looks at the bytes allocated.
const PLANS: usize = 1_000_000;

fn main() -> ExitCode {
    let mut subjects = vec![];
    for file in std::env::args().skip(1) {
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

/// Processor time of each call in turn.
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

/// Bytes allocated after one plan of each scenario, and after many.
fn allocated(subjects: &[(String, Subject)]) -> (usize, usize) {
    let once = |count: usize| {
        for (_, subject) in subjects.iter().cycle().take(count) {
            black_box(subject.first());
        }
        ALLOCATOR.allocated()
    };
    (once(subjects.len()), once(PLANS))
}
