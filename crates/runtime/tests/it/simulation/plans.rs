//! The reasons for replanning, and the ends of a run.

use std::sync::Arc;

use super::{check_text, name, report};
use crate::reference::simulate;
use expect_test::expect;
use taskloom_domain::Domain;
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Budget, Outcome, Plan};
use taskloom_runtime::{RunEnd, TaskState, default_planner, simulate_by};
use testkit::domain::document;

#[test]
fn events_at_tick_0_happen_before_the_run_plans() {
    let text = "
fact open
primitive open-it
  pre not open
  eff open
primitive go
  pre open
compound enter
  block a begin
  block b branch open
  block c task go
  block d task open-it
  block e task go
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire d.out -> e
scenario s
  initial open
  task enter
  event 0 not open";
    check_text(
        text,
        expect![[r#"
            0 event 0: open = false
            0 plans: open-it, go
            0 open-it Complete acted at 0 ended at 0: open = true
            0 go Complete acted at 0 ended at 0
            0 Complete"#]],
    );
}

#[test]
fn character_without_a_plan_waits_for_an_event() {
    let text = "
fact open
fact lit
number n integer 0..1
primitive go
  pre open
scenario s
  task go
  event 2 lit
  event 3 lit
  event 4 n += 2
  event 6 open
  event 9 not open";
    check_text(
        text,
        expect![[r#"
            0 plans: NoPlan
            2 event 0: lit = true
            2 plans after an event: NoPlan
            3 event 1
            4 event 2: refused, n would rise to 2, above its range
            6 event 3: open = true
            6 plans after an event: go
            6 go Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn run_without_a_plan_ends_with_its_last_event() {
    let text = "
fact open
fact lit
primitive go
  pre open
scenario s
  task go
  event 5 not lit
  event 3 lit";
    check_text(
        text,
        expect![[r#"
            0 plans: NoPlan
            3 event 1: lit = true
            3 plans after an event: NoPlan
            5 event 0: lit = false
            5 plans after an event: NoPlan
            5 Failed"#]],
    );
}

#[test]
fn reports_goals_undone_by_events() {
    let text = "
fact lit
fact home
action Walk 3
primitive light
  eff lit
primitive walk = Walk
  eff home
scenario s
  task light
  task walk
  goal lit and home
  event 2 not lit";
    check_text(
        text,
        expect![[r#"
            0 plans: light, walk
            0 light Complete acted at 0 ended at 0: lit = true
            0 walk Complete acted at 3 ended at 3: home = true
            2 event 0: lit = false
            3 GoalMissed("lit")"#]],
    );
}

#[test]
fn tasks_before_the_failed_one_are_complete() {
    let text = "
fact a
fact b
fact clear
action Move 2
primitive do-a = Move
  eff a
primitive do-b = Move
  integrity clear
  eff b
compound nothing
  block a begin
compound both
  sequence do-a; do-b
scenario s
  initial clear
  task do-a
  task nothing
  task both
  task nothing
  task do-a
  event 5 not clear
  event 6 clear";
    check_text(
        text,
        expect![[r#"
            0 plans: do-a, do-a, do-b, do-a
            0 do-a Complete acted at 2 ended at 2: a = true
            2 do-a Complete acted at 4 ended at 4
            4 do-b Failed ended at 5: integrity rule of do-b: clear
            5 event 0: clear = false
            6 event 1: clear = true
            6 plans, as do-b failed: do-a, do-b, do-a
            6 do-a Complete acted at 8 ended at 8
            8 do-b Complete acted at 10 ended at 10: b = true
            10 do-a Complete acted at 12 ended at 12
            12 Complete"#]],
    );
}

#[test]
fn run_ends_at_the_plan_limit_if_a_step_always_fails() {
    let text = "
fact done
action Push
primitive push = Push
  eff done
scenario s
  task push
  fail push";
    let run = simulate(
        &Domain::from(&document(text)),
        &name("s"),
        Budget::default(),
        1000,
    );
    assert_eq!(run.end, RunEnd::OutOfPlans);
    assert_eq!(
        (run.plans.len(), run.executed.len(), run.ticks),
        (20, 20, 20)
    );
    assert!(run.executed.iter().all(|e| e.state == TaskState::Failed));
}

#[test]
fn replanning_starts_from_exact_world_values() {
    let text = "
type place
object hall: place
number n
number m(?p: place)
value place_of: place
fact shut
action Wait 2
primitive wait = Wait
  integrity not shut
primitive look
  pre n = -2.5 and m(hall) = 0.1 and place_of = hall
compound both
  sequence wait; look
scenario s
  task both
  event 1 n -= 2.5
  event 1 m(hall) := 1 / 10
  event 1 place_of := hall
  event 1 shut
  event 3 not shut";
    check_text(
        text,
        expect![[r#"
            0 plans: NoPlan
            1 event 0: n = -2.5
            1 event 1: m(hall) = 0.1
            1 event 2: place_of = hall
            1 event 3: shut = true
            1 plans after an event: NoPlan
            3 event 4: shut = false
            3 plans after an event: wait, look
            3 wait Complete acted at 5 ended at 5
            5 look Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

#[test]
fn invalid_plans_are_never_executed() {
    let text = "
fact open
fact shut
action Open 2
primitive open-it = Open
  integrity not shut
  eff open
scenario s
  task open-it
  event 1 shut
  event 5 not shut";
    let document = document(text);
    let s = name("s");
    let mut right = default_planner(Budget::default());
    let mut times = 0;
    let mut plan = |problem: &Problem| {
        times += 1;
        match (times, right(problem)) {
            (2, Outcome::Plan(plan)) => Outcome::Plan(Arc::new(Plan {
                cost: 7.0,
                ..Arc::unwrap_or_clone(plan)
            })),
            (_, found) => found,
        }
    };
    let run = simulate_by(&Domain::from(&document), &s, None, &mut plan, 200);
    expect![[r#"
        0 plans: open-it
        0 open-it Failed ended at 1: integrity rule of open-it: not shut
        1 event 0: shut = true
        2 plans, as open-it failed: NoPlan
        5 event 1: shut = false
        5 plans after an event: open-it
        5 open-it Complete acted at 7 ended at 7: open = true
        7 Complete"#]]
    .assert_eq(&report(&run));
}

#[test]
fn run_ends_when_its_planner_is_stopped() {
    let document = document("primitive go\nscenario s\n  task go");
    let run = simulate_by(
        &Domain::from(&document),
        &name("s"),
        None,
        &mut |_| Outcome::Stopped,
        200,
    );
    assert_eq!(run.end, RunEnd::Stopped);
}
