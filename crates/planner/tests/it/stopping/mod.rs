//! Long operations check for cancellation regularly, and end when cancelled. No clock is involved:
//! checks are counted.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use taskloom_document::stop::{Stop, Stopped};
use taskloom_domain::Domain;
use taskloom_planner::compile::{compile, compile_cancellable};
use taskloom_planner::plan::{
    Budget, Outcome, Plan, Progress, Strategy, initial_state_cancellable, validate_cancellable,
};

mod hostile;

use hostile::Hostile;
use testkit::stopping::stop_at;

/// The maximum amount of work between two checks.
const MAX_BETWEEN: u64 = 5_000;

const STRATEGIES: [Strategy; 3] = [Strategy::First, Strategy::Cheapest, Strategy::Fastest];

/// An unlimited budget.
fn unlimited() -> Budget {
    Budget {
        nodes: u64::MAX,
        depth: 1_000_000,
        memory: 1 << 30,
    }
}

fn search(hostile: &Hostile, strategy: Strategy, trace: usize, stop: &Stop) -> Outcome {
    let problem = compile(&Domain::from(&hostile.document), &hostile.scenario);
    let problem = problem.with_stop(stop);
    let mut engine = taskloom_portfolio::search(strategy, &problem, unlimited(), trace);
    while engine.step(u64::MAX) == Progress::Running {}
    engine.outcome().expect("it has ended")
}

fn is_settled(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Plan(_) | Outcome::NoPlan)
}

/// Quantifiers everywhere, and conditions: small enough to finish.
fn small() -> Vec<Hostile> {
    let mut all = hostile::quantifiers(12);
    all.push(hostile::conditions(14));
    all
}

#[test]
fn evaluation_polls_in_proportion_to_its_work() {
    for hostile in small() {
        for trace in [0, 100] {
            let (stop, looks) = stop_at(u64::MAX);
            let outcome = search(&hostile, Strategy::First, trace, &stop);
            assert!(is_settled(&outcome), "{}: {outcome:?}", hostile.name);
            let looks = looks.load(Ordering::Relaxed);
            assert!(
                looks * MAX_BETWEEN >= hostile.work,
                "{}: {looks} looks for {} pieces of work",
                hostile.name,
                hostile.work
            );
        }
    }
}

#[test]
fn validation_polls_in_proportion_to_its_work() {
    let mut validated = 0;
    for hostile in small() {
        let outcome = search(&hostile, Strategy::First, 0, &Stop::default());
        let Outcome::Plan(plan) = outcome else {
            continue;
        };
        let (document, scenario) = (&hostile.document, &hostile.scenario);
        let (stop, looks) = stop_at(u64::MAX);
        assert_eq!(
            validate_cancellable(&Domain::from(document), (scenario, 0), &plan, &stop),
            Ok(Ok(())),
            "{}",
            hostile.name
        );
        let looks = looks.load(Ordering::Relaxed);
        assert!(
            looks * MAX_BETWEEN >= hostile.work,
            "{}: {looks} looks",
            hostile.name
        );
        let (stop, _) = stop_at(looks / 2);
        let stopped = validate_cancellable(&Domain::from(document), (scenario, 0), &plan, &stop);
        assert_eq!(stopped, Err(Stopped), "{}", hostile.name);
        validated += 1;
    }
    assert!(validated >= 4, "only {validated} had plans");
}

fn plan_of(hostile: &Hostile) -> Arc<Plan> {
    match search(hostile, Strategy::First, 0, &Stop::default()) {
        Outcome::Plan(plan) => plan,
        other => panic!("{}: {other:?}", hostile.name),
    }
}

/// Problems that would take years, or all memory. Each of them would hang here.
#[test]
fn every_strategy_can_be_cancelled() {
    let mut all = hostile::quantifiers(1_000);
    all.push(hostile::conditions(90));
    all.push(hostile::depth());
    all.push(hostile::sequence(3_000));
    all.push(hostile::grounding(9, 30));
    let mut stopped = 0;
    for hostile in &all {
        for strategy in STRATEGIES {
            for look in [1, 2, 5, 40] {
                let (stop, looks) = stop_at(look);
                match search(hostile, strategy, 50, &stop) {
                    Outcome::Stopped => {
                        stopped += 1;
                        assert_eq!(looks.load(Ordering::Relaxed), look, "asked on");
                    }
                    outcome => assert!(
                        looks.load(Ordering::Relaxed) < look,
                        "{} with {strategy:?} goes on after look {look}: {outcome:?}",
                        hostile.name
                    ),
                }
            }
        }
    }
    assert!(stopped > 50, "only {stopped} were stopped");
}

/// Values computed after cancellation are discarded: otherwise there would be an invalid plan, or
/// an invalid proof that there is none.
#[test]
fn stopped_search_has_no_other_outcome() {
    let mut stopped = 0;
    for hostile in small() {
        for strategy in STRATEGIES {
            let (stop, looks) = stop_at(u64::MAX);
            let outcome = search(&hostile, strategy, 0, &stop);
            let all = looks.load(Ordering::Relaxed);
            for look in (1..=all).step_by(1 + all as usize / 8) {
                let (stop, _) = stop_at(look);
                let ended = search(&hostile, strategy, 20, &stop);
                assert!(
                    ended == Outcome::Stopped || ended == outcome,
                    "{} with {strategy:?}, look {look} of {all}: {ended:?}",
                    hostile.name
                );
                stopped += u32::from(ended == Outcome::Stopped);
            }
        }
    }
    assert!(stopped > 50, "only {stopped} were stopped");
}

#[test]
fn compilation_polls_once_per_text() {
    let hostile = hostile::sequence(6_000);
    let (document, scenario) = (&hostile.document, &hostile.scenario);
    let (stop, looks) = stop_at(u64::MAX);
    compile_cancellable(&Domain::from(document), (scenario, 0), &stop).expect("nothing stops it");
    let all = looks.load(Ordering::Relaxed);
    assert!(all * MAX_BETWEEN >= hostile.work, "{all} looks");
    for look in [1, all / 2, all] {
        let (stop, _) = stop_at(look);
        assert!(compile_cancellable(&Domain::from(document), (scenario, 0), &stop).is_err());
    }
    let plan = plan_of(&hostile);
    let (stop, looks) = stop_at(u64::MAX);
    assert_eq!(
        validate_cancellable(&Domain::from(document), (scenario, 0), &plan, &stop),
        Ok(Ok(()))
    );
    assert!(looks.load(Ordering::Relaxed) * MAX_BETWEEN >= hostile.work);
    let (stop, _) = stop_at(1);
    let grounding = hostile::grounding(2, 100);
    let listed = initial_state_cancellable(
        &Domain::from(&grounding.document),
        &grounding.scenario,
        &stop,
    );
    assert_eq!(listed, Err(Stopped));
}

/// The cost of a decision depends on its own size, not on the number of open tasks: with ten
/// thousand open tasks, there are as many decisions between two checks as otherwise.
#[test]
fn open_tasks_keep_decisions_cheap() {
    let hostile = hostile::depth();
    let problem = compile(&Domain::from(&hostile.document), &hostile.scenario);
    let (stop, _) = stop_at(400);
    let budget = Budget {
        depth: 20_000,
        ..unlimited()
    };
    let mut engine = Strategy::First.search(&problem.with_stop(&stop), budget, 0);
    while engine.step(u64::MAX) == Progress::Running {}
    let statistics = engine.statistics();
    assert_eq!(engine.outcome(), Some(Outcome::Stopped));
    assert_eq!(statistics.depth, 20_000);
    assert!(statistics.backtracks > 100_000, "{statistics:?}");
}
