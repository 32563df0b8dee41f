//! Anytime search: a plan quickly, then better ones, and the best so far whenever the search ends.

use std::sync::atomic::{AtomicU32, Ordering};

use goal_benchmark::{Input, Problem, camp, errands};
use taskloom_document::Document;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Engine, Limit, Outcome, Plan, Progress, Strategy, validate};

use super::{domain, name};

fn document(problem: &Problem) -> Document {
    let Input::Document(text) = &problem.input else {
        panic!("{} is no document", problem.name);
    };
    Document::from_json(text).expect("a document")
}

fn finished(document: &Document, strategy: Strategy, stop: &Stop) -> Box<dyn Engine> {
    let problem = compile(&Domain::from(document), &name("s")).with_stop(stop);
    let mut engine = strategy.search(&problem, Budget::default(), 1_000);
    while engine.step(256) == Progress::Running {}
    engine
}

fn plan(document: &Document, strategy: Strategy) -> (Box<dyn Engine>, Plan) {
    let engine = finished(document, strategy, &Stop::default());
    let Some(Outcome::Plan(plan)) = engine.outcome() else {
        panic!("{:?}", engine.outcome());
    };
    assert_eq!(validate(&Domain::from(document), &name("s"), &plan), Ok(()));
    let plan = Plan::clone(&plan);
    (engine, plan)
}

#[test]
fn proves_one_step_per_symmetric_lamp() {
    for heuristic in ["unmet", "hmax", "hadd", "ff"] {
        let document = document(&errands::lamps(60, heuristic));
        for strategy in [Strategy::First, Strategy::Cheapest] {
            let (engine, plan) = plan(&document, strategy);
            let aim = plan.target.expect("it has a goal");
            assert_eq!(
                (plan.cost, aim.remaining_estimate, aim.is_optimal),
                (60.0, None, true)
            );
            assert_eq!(engine.bound(), Some(60.0));
            assert!(engine.statistics().nodes < 10_000, "{heuristic}");
        }
    }
}

#[test]
fn parcels_are_delivered_at_near_optimal_cost() {
    for parcels in [6, 10, 20, 60] {
        let problem = errands::parcels(parcels, 1.0);
        let document = document(&problem);
        for strategy in [Strategy::First, Strategy::Fastest] {
            let (engine, plan) = plan(&document, strategy);
            let optimal = problem.optimal.expect("the least cost is known");
            assert!(plan.cost <= 1.5 * optimal, "{} of {optimal}", plan.cost);
            assert!(engine.bound() <= Some(optimal));
        }
    }
}

#[test]
fn camps_with_numbers_and_conditional_effects_are_planned_for() {
    for objects in [10, 30] {
        let problem = camp::camp(&mut fastrand::Rng::with_seed(objects as u64), objects);
        plan(&document(&problem), Strategy::First);
    }
}

/// Stops after this many checks.
fn stop_after(looks: u32) -> Stop {
    let asked = AtomicU32::new(0);
    Stop::when(move || asked.fetch_add(1, Ordering::Relaxed) >= looks)
}

#[test]
fn keeps_the_best_plan_when_time_runs_out() {
    let document = document(&errands::parcels(10, 1.0));
    let (_, whole) = plan(&document, Strategy::Fastest);
    let (mut partial, mut complete) = (0, 0);
    for looks in [5, 10, 20, 30, 40, 60, 80, 120, 200, 400, 600] {
        let engine = finished(&document, Strategy::First, &stop_after(looks));
        if engine.outcome() != Some(Outcome::Stopped) {
            continue;
        }
        let Some(plan) = engine.best() else {
            continue;
        };
        assert_eq!(validate(&Domain::from(&document), &name("s"), plan), Ok(()));
        let aim = plan.target.as_ref().expect("it has a goal");
        assert!(!aim.is_optimal);
        match aim.remaining_estimate {
            Some(left) => {
                partial += 1;
                assert!(left > 0.0 && plan.steps.len() < whole.steps.len());
            }
            None => complete += 1,
        }
        // The expanded states remain visible.
        let trace = engine.trace().expect("it keeps one");
        assert!(!trace.states.is_empty() && engine.statistics().nodes > 0);
    }
    assert!(
        partial > 0 && complete > 0,
        "{partial} partial, {complete} complete"
    );
}

#[test]
fn giving_up_is_not_proof_of_no_plan() {
    let unbounded = "number far
primitive east
  eff far += 1
primitive west
  eff far -= 1
fact done
primitive end
  pre far >= 5
  pre far <= 4
  eff done
scenario s
  goal done";
    let problem = compile(&Domain::from(&domain::document(unbounded)), &name("s"));
    let budget = Budget {
        nodes: 500,
        ..Budget::default()
    };
    let mut engine = Strategy::First.search(&problem, budget, 100);
    while engine.step(64) == Progress::Running {}
    assert_eq!(engine.outcome(), Some(Outcome::GaveUp(Limit::Nodes)));
    assert_eq!(engine.statistics().nodes, 500);
    let trace = engine.trace().expect("it keeps one");
    assert_eq!(trace.states.len(), 100);
    assert!(trace.dropped > 0);
    let bounded = unbounded.replace("number far", "number far integer 0..9");
    let engine = finished(
        &domain::document(&bounded),
        Strategy::First,
        &Stop::default(),
    );
    assert_eq!(engine.outcome(), Some(Outcome::NoPlan));
}

#[test]
fn shared_action_is_counted_once() {
    let text = "type lamp: object
object a: lamp
object b: lamp
object c: lamp
fact lit(?l: lamp)
value chosen: lamp
primitive light-all
  eff forall ?l: lamp. lit(?l)
  cost 2
primitive choose(?l: lamp)
  eff chosen := ?l
  cost 0
primitive light
  eff lit(chosen)
scenario s
  initial chosen = a
  goal forall ?l: lamp. lit(?l)";
    let (engine, plan) = plan(&domain::document(text), Strategy::First);
    assert_eq!(plan.cost, 2.0);
    assert!(plan.target.is_some_and(|target| target.is_optimal));
    assert_eq!(engine.bound(), Some(2.0));
}

#[test]
fn removes_redundant_steps() {
    // Relaxed plans count one step for both doors, whichever is opened first.
    let text = "fact left
fact right
fact out
primitive open-left
  eff left
primitive open-right
  eff right
primitive leave
  pre left or right
  eff out
scenario s
  goal out";
    let (_, plan) = plan(&domain::document(text), Strategy::Fastest);
    assert_eq!(plan.steps.len(), 2);
}
