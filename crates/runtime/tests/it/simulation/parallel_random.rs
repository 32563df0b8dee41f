//! Random task networks, executed in parallel and in sequence.

use std::fmt::Write;

use super::{document, name};
use crate::reference::simulate;
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Moment, Run, RunEnd, world_at};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;

/// Generates a network of tasks with three executors, which read and change arbitrary facts.
fn random_network(seed: u64) -> String {
    let random = &mut Random(seed);
    let mut text = String::from(
        "object a\nobject b\nvalue held: object\nfact f(?x: object)\nfact g(?x: object)\nfact h\n\
         number n integer 0..9\nnumber m(?x: object) integer 0..9\ncondition known(?x: object): f(?x) or h\n",
    );
    for executor in 0..3 {
        let by = random.pick(&[" by one", " by two", " by three", ""]);
        let ticks = random.pick(&["1", "2", "3", "5", "1 + n", "2 * m(a)"]);
        let _ = writeln!(text, "action A{executor} {ticks}{by}");
    }
    let test = |random: &mut Random, x: &str| match random.below(8) {
        0 => format!("f({x})"),
        1 => format!("not g({x})"),
        2 => "held != a".to_owned(),
        3 => format!("known({x})"),
        4 => "n < 4".to_owned(),
        5 => format!("exists ?y: object. (f(?y) or m(?y) < 3 or held = {x})"),
        6 => format!("m({x}) <= count ?y: object. not h"),
        _ => "true".to_owned(),
    };
    for task in 0..6 {
        let _ = writeln!(text, "primitive t{task}(?x: object) = A{}", random.below(3));
        for _ in 0..random.below(2) {
            let _ = writeln!(text, "  pre {}", test(random, "?x"));
        }
        for _ in 0..1 + random.below(2) {
            let change = random.pick(&[
                "f(?x)",
                "not f(?x)",
                "g(?x)",
                "h",
                "n += 1",
                "m(?x) += 1",
                "m(?x) := n",
                "held := ?x",
                "f(held)",
                "forall ?y: object. not g(?y)",
                "g(?x) when f(?x)",
                "n := m(?x)",
            ]);
            let kind = random.pick(&["eff", "eff", "eff", "executed"]);
            let _ = writeln!(text, "  {kind} {change}");
        }
    }
    let arg = |random: &mut Random| *random.pick(&["a", "b"]);
    for part in 0..2 {
        let _ = writeln!(
            text,
            "compound part{part}(?x: object)\n  block a begin\n  block b branch {}\n  block c task t{}(?x)\n  \
             block d task t{}({})\n  wire a.out -> b\n  wire b.true -> c\n  wire b.false -> d",
            test(random, "?x"),
            random.below(6),
            random.below(6),
            arg(random)
        );
    }
    text.push_str("compound go\n  block a begin\n");
    let count = 3 + random.below(5);
    for block in 0..count {
        let called = random.pick(&["t0", "t1", "t2", "t3", "t4", "t5", "part0", "part1"]);
        let _ = writeln!(text, "  block b{block} task {called}({})", arg(random));
        let before = (0..block)
            .filter(|_| random.below(4) == 0)
            .collect::<Vec<_>>();
        if before.is_empty() {
            let _ = writeln!(text, "  wire a.out -> b{block}");
        }
        for before in before {
            let _ = writeln!(text, "  wire b{before}.out -> b{block}");
        }
    }
    text.push_str("scenario s\n  task go\n  initial held = b\n  initial m(a) = 1\n");
    text
}

/// Parallel steps have the same effects as in sequence, and are never later.
#[test]
fn parallel_execution_of_random_networks_gives_the_same_result() {
    let runs = on_all_cores(seeds(10_000), |seed| {
        let text = random_network(seed + 1);
        let alone = text
            .replace(" by one", "")
            .replace(" by two", "")
            .replace(" by three", "");
        let (document, alone) = (document(&text), document(&alone));
        let of = |document| simulate(document, &name("s"), Budget::default(), 500);
        let (beside, after) = (of(&Domain::from(&document)), of(&Domain::from(&alone)));
        // A step may fail because of executed-only effects.
        if after.plans.len() > 1 || after.end != RunEnd::Complete {
            return None;
        }
        let end = |document: &Document, run: &Run| {
            let domain = Domain::from(document);
            let scene = domain.scene_or_empty(&name("s"));
            world_at(&domain, &scene, run, Moment::Tick(run.ticks)).as_initial_values()
        };
        assert_eq!(beside.plans, after.plans, "{text}");
        assert_eq!(beside.end, RunEnd::Complete, "{text}");
        assert_eq!(end(&document, &beside), end(&alone, &after), "{text}");
        assert!(beside.ticks <= after.ticks, "{text}");
        Some(beside.ticks < after.ticks)
    });
    let complete = runs.iter().flatten().count();
    let sooner = runs
        .iter()
        .flatten()
        .filter(|is_sooner| **is_sooner)
        .count();
    assert!(
        is_sample() || (complete > runs.len() / 8 && sooner > runs.len() / 40),
        "{complete} are complete, {sooner} sooner"
    );
}
