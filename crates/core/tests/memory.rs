//! The memory that a search says it holds, beside what it has from the allocator.
#![cfg(not(target_arch = "wasm32"))]

use peak_alloc::PeakAlloc;
use taskloom_core::compile::compile;
use taskloom_core::document::{Document, Name};
use taskloom_core::import::read_planning_files;
use taskloom_core::plan::{Budget, Outcome, Progress, Strategy};

mod domain;
#[path = "stopping/hostile.rs"]
#[allow(dead_code)]
mod hostile;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What is smaller than this may be counted as anybody likes.
const LARGE: usize = 4 << 20;

/// Errands in any order, each of which can be run in two ways. No way leads to the goal, since each undoes
/// half of it, but all orders have to be looked at to see that.
fn errands(count: usize) -> (Document, Name) {
    let names: Vec<String> = (0..count).map(|n| format!("e{n}")).collect();
    let domain =
        "(define (domain d) (:types errand) (:predicates (done ?e - errand) (left) (right))
        (:task run :parameters (?e - errand))
        (:method go-left :parameters (?e - errand) :task (run ?e) :subtasks (turn-left ?e))
        (:method go-right :parameters (?e - errand) :task (run ?e) :subtasks (turn-right ?e))
        (:action turn-left :parameters (?e - errand) :precondition ()
            :effect (and (done ?e) (left) (not (right))))
        (:action turn-right :parameters (?e - errand) :precondition ()
            :effect (and (done ?e) (right) (not (left)))))";
    let tasks: Vec<String> = names.iter().map(|name| format!("(run {name})")).collect();
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {} - errand) (:htn :subtasks (and {}))
         (:init) (:goal (and (left) (right))))",
        names.join(" "),
        tasks.join(" ")
    );
    let read = read_planning_files(domain, Some(&problem)).expect("planning files");
    (read.document, read.scenario)
}

#[test]
fn what_a_search_holds_is_counted_within_a_quarter() {
    let hostile = [
        hostile::depth(),
        hostile::grounding(4, 60),
        hostile::grounding(9, 30),
    ];
    let mut problems: Vec<(Document, Name)> = hostile.map(|h| (h.document, h.scenario)).into();
    problems.extend([16, 24].map(errands));
    let mut large = 0;
    for (number, (document, scenario)) in problems.iter().enumerate() {
        for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Any] {
            for memory in [32 << 20, 128 << 20] {
                let problem = compile(document, scenario).problem;
                let budget = Budget {
                    nodes: 1_000_000,
                    depth: 1_000_000,
                    memory,
                };
                let before = ALLOCATED.current_usage();
                ALLOCATED.reset_peak_usage();
                let mut search = strategy.search(&problem, budget, 0);
                while search.step(1_000) == Progress::Running {}
                if matches!(search.outcome(), Some(Outcome::Plan(_))) {
                    // A plan is made once the search is over, and not counted.
                    continue;
                }
                let held = ALLOCATED.peak_usage() - before;
                let counted = search.statistics().memory as usize;
                if held < LARGE {
                    continue;
                }
                large += 1;
                assert!(
                    counted.abs_diff(held) <= held / 4,
                    "problem {}, {strategy:?}, {memory}: counted {counted}, held {held}",
                    number
                );
            }
        }
    }
    assert!(large >= 14, "{large} searches held much");
}
