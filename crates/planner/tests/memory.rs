//! The memory use that a search reports, compared with its allocations.

use std::sync::{Mutex, PoisonError};

use goal_benchmark::classical;
use peak_alloc::PeakAlloc;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_hddl::import::read_planning_files;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Limit, Outcome, Progress, Strategy};

#[path = "it/stopping/hostile.rs"]
#[allow(dead_code)]
mod hostile;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Smaller amounts are not compared.
const LARGE: usize = 4 << 20;

/// Errands in any order, each with two alternatives. None of them leads to the goal, since each
/// undoes half of it, but all orders must be explored to find that out.
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

/// A plan with 2 to the power of the number of levels steps: each level does the one below it
/// twice.
fn doubled(levels: usize) -> (Document, Name) {
    let domain = "(define (domain d) (:types level)
        (:predicates (below ?a ?b - level) (lowest ?a - level) (on))
        (:task run :parameters (?a - level))
        (:method twice :parameters (?a ?b - level) :task (run ?a) :precondition (below ?b ?a)
            :ordered-subtasks (and (run ?b) (run ?b)))
        (:method once :parameters (?a - level) :task (run ?a) :precondition (lowest ?a)
            :ordered-subtasks (flip ?a))
        (:action flip :parameters (?a - level) :precondition ()
            :effect (and (when (on) (not (on))) (when (not (on)) (on)))))";
    let below: Vec<String> = (0..levels)
        .map(|n| format!("(below l{n} l{})", n + 1))
        .collect();
    let names: Vec<String> = (0..=levels).map(|n| format!("l{n}")).collect();
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {} - level)
         (:htn :subtasks (run l{levels})) (:init (lowest l0) {}))",
        names.join(" "),
        below.join(" ")
    );
    let read = read_planning_files(domain, Some(&problem)).expect("planning files");
    (read.document, read.scenario)
}

/// Serializes the tests, since the allocations of others would be counted for a search.
static ALONE: Mutex<()> = Mutex::new(());

const STRATEGIES: [Strategy; 3] = [Strategy::First, Strategy::Cheapest, Strategy::Fastest];

/// The outcome of a search and its peak memory use, as reported and as allocated.
struct Searched {
    outcome: Outcome,
    counted: usize,
    held: usize,
}

fn search(
    (document, scenario): &(Document, Name),
    strategy: Strategy,
    nodes: u64,
    memory: usize,
) -> Searched {
    let problem = compile(&Domain::from(document), scenario);
    let budget = Budget {
        nodes,
        depth: 1_000_000,
        memory: memory as u64,
    };
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let mut search = taskloom_portfolio::search(strategy, &problem, budget, 0);
    while search.step(1_000) == Progress::Running {}
    let held = ALLOCATED.peak_usage() - before;
    let counted = search.statistics().memory as usize;
    let outcome = search.outcome().expect("it has ended");
    let name = outcome_name(&outcome);
    let is_for_goals = problem.is_for_goals();
    if held >= LARGE {
        // The tables of goals have many small parts, and the allocator's rounding of these isn't
        // counted.
        let tolerance = if is_for_goals { held / 2 } else { held / 4 };
        assert!(
            counted.abs_diff(held) <= tolerance,
            "{scenario}, {strategy:?}, {memory}: {name}, counted {counted}, held {held}"
        );
    }
    let quarters = if is_for_goals { 6 } else { 5 };
    assert!(
        held.max(LARGE) <= memory.max(LARGE) / 4 * quarters,
        "{scenario}, {strategy:?}, {memory}: {name}, held {held}"
    );
    Searched {
        outcome,
        counted,
        held,
    }
}

fn outcome_name(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Plan(plan) => format!("a plan of {} steps", plan.steps.len()),
        other => format!("{other:?}"),
    }
}

#[test]
fn memory_use_is_accurate_and_stays_near_the_limit() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let hostile = [
        hostile::depth(),
        hostile::grounding(4, 60),
        hostile::grounding(9, 30),
    ];
    let mut problems: Vec<(Document, Name)> = hostile.map(|h| (h.document, h.scenario)).into();
    problems.extend([16, 24].map(errands));
    let mut large = 0;
    for problem in &problems {
        for strategy in STRATEGIES {
            for memory in [32 << 20, 128 << 20] {
                let searched = search(problem, strategy, 400_000, memory);
                large += usize::from(searched.held >= LARGE);
            }
        }
    }
    assert!(large >= 14, "{large} searches held much");
}

#[test]
fn memory_use_of_goal_search_includes_its_tables() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut random = fastrand::Rng::with_seed(1);
    let mut large = 0;
    for files in [
        classical::logistics(&mut random, 8, 5, 40),
        classical::blocks(&mut random, 40),
        classical::gripper(60, 4),
    ] {
        let read = read_planning_files(&files.domain, Some(&files.problem)).expect("files");
        let problem = (read.document, read.scenario);
        for strategy in STRATEGIES {
            for memory in [8 << 20, 32 << 20] {
                let searched = search(&problem, strategy, 20_000, memory);
                large += usize::from(searched.held >= LARGE);
            }
        }
    }
    assert!(large >= 9, "{large} searches held much");
}

#[test]
fn plans_beyond_the_memory_limit_are_not_assembled() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let problem = doubled(13);
    let (mut plans, mut gave_up) = (0, 0);
    for strategy in STRATEGIES {
        let all = search(&problem, strategy, u64::MAX, 1 << 30);
        let Outcome::Plan(plan) = all.outcome else {
            panic!("{strategy:?}: {}", outcome_name(&all.outcome));
        };
        assert_eq!(plan.steps.len(), 1 << 13);
        assert!(all.held > LARGE, "{strategy:?}: {}", all.held);
        for eighths in [1, 3, 5, 6, 7, 10, 16] {
            match search(&problem, strategy, u64::MAX, all.counted / 8 * eighths).outcome {
                Outcome::Plan(found) => {
                    assert_eq!(found, plan);
                    plans += 1;
                }
                Outcome::GaveUp(Limit::Memory) => gave_up += 1,
                other => panic!("{strategy:?}, {eighths} eighths: {}", outcome_name(&other)),
            }
        }
    }
    assert!(
        plans >= 4 && gave_up >= 12,
        "{plans} plans, {gave_up} without"
    );
}

#[test]
fn cheapest_uses_little_more_memory_than_first_for_sequences() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let problem = hostile::sequence(20_000);
    let problem = (problem.document, problem.scenario);
    let [first, cheapest] = [Strategy::First, Strategy::Cheapest]
        .map(|strategy| search(&problem, strategy, u64::MAX, 1 << 30));
    for searched in [&first, &cheapest] {
        assert!(
            matches!(&searched.outcome, Outcome::Plan(plan) if plan.steps.len() == 20_000),
            "{}",
            outcome_name(&searched.outcome)
        );
    }
    assert!(
        cheapest.held <= 4 * first.held.max(LARGE),
        "first {}, cheapest {}",
        first.held,
        cheapest.held
    );
}
