//! Repeated and conditional events, and actions that the scenario makes fail.

use std::collections::BTreeMap;

use super::{check_text, name};
use crate::reference::simulate;
use expect_test::expect;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::Reason;
use testkit::domain::document;

#[test]
fn events_repeat_and_wait_for_conditions() {
    let text = "
fact rain
number water integer 0..9
action Rest 7
primitive rest = Rest()
scenario s
  task rest
  event 1+2 water += 1
  event 2+2 if water >= 2 : water -= 1
  event 0 if water >= 2 : rain
  event 4 if rain : not rain";
    check_text(
        text,
        expect![[r#"
        0 plans: rest
        0 rest Complete acted at 7 ended at 7
        1 event 0: water = 1
        3 event 0: water = 2
        3 event 2: rain = true
        4 event 1: water = 1
        4 event 3: rain = false
        5 event 0: water = 2
        6 event 1: water = 1
        7 event 0: water = 2
        7 Complete"#]],
    );
}

#[test]
fn rejects_events_with_too_large_conditions() {
    let objects: String = (0..40).map(|n| format!("object o{n}\n")).collect();
    let text = format!(
        "{objects}
fact a(?x)
fact rain
action Rest 2
primitive rest = Rest()
scenario s
  task rest
  event 0 if not exists ?p, ?q, ?r, ?s, ?t. a(?p) and a(?q) and a(?r) and a(?s) and a(?t) : rain"
    );
    check_text(
        &text,
        expect![[r#"
        0 event 0: refused, 'not exists ?p, ?q, ?r, ?s, ?t. a(?p) and a(?q) and a(?r) and a(?s) and a(?t)': a quantifier or aggregate ranges over too many objects
        0 plans: rest
        0 rest Complete acted at 2 ended at 2
        2 Complete"#]],
    );
}

#[test]
fn waits_for_chained_events_without_a_plan() {
    let text = "
fact open
fact lit
primitive go
  pre open
scenario s
  task go
  event 3 lit
  event 0 if lit : open
  event 9 if open and not open : lit";
    check_text(
        text,
        expect![[r#"
        0 plans: NoPlan
        3 event 0: lit = true
        3 event 1: open = true
        3 plans after an event: go
        3 go Complete acted at 3 ended at 3
        3 Complete"#]],
    );
}

#[test]
fn forced_failure_fails_the_given_occurrence() {
    let text = "
fact at(?p: object)
object shed: object
object hut: object
action Walk(?p: object) 2
primitive walk(?p: object) = Walk(?p)
  eff at(?p)
primitive sit
scenario s
  task walk(shed)
  task walk(hut)
  task sit
  fail walk(hut) time 1
  fail sit time 2
  fail walk time 1";
    check_text(
        text,
        expect![[r#"
        0 plans: walk(shed), walk(hut), sit
        0 walk(shed) Failed ended at 2: the scenario makes this action fail
        3 plans, as walk(shed) failed: walk(shed), walk(hut), sit
        3 walk(shed) Complete acted at 5 ended at 5: at(shed) = true
        5 walk(hut) Failed ended at 7: the scenario makes this action fail
        8 plans, as walk(hut) failed: walk(hut), sit
        8 walk(hut) Complete acted at 10 ended at 10: at(hut) = true
        10 sit Complete acted at 10 ended at 10
        10 Complete"#]],
    );
}

/// The time as a number that an event increases: what is cheaper at night is done at night.
#[test]
fn clock_makes_costs_time_dependent() {
    let text = "
number clock
fact fed
action Go 3
primitive hunt = Go
  eff fed
  cost 10 - clock
primitive harvest = Go
  eff fed
  cost 4 + clock
scenario s
  goal fed
  event 1+1 clock += 1
  event 5 not fed";
    check_text(
        text,
        expect![[r#"
        0 plans: harvest
        0 harvest Complete acted at 3 ended at 3: fed = true
        1 event 0: clock = 1
        2 event 0: clock = 2
        3 event 0: clock = 3
        3 Complete"#]],
    );
    let night = text.replace("scenario s", "scenario s\n  initial clock = 6");
    check_text(
        &night,
        expect![[r#"
        0 plans: hunt
        0 hunt Complete acted at 3 ended at 3: fed = true
        1 event 0: clock = 7
        2 event 0: clock = 8
        3 event 0: clock = 9
        3 Complete"#]],
    );
}

/// Returns the number of seeds for each number of ticks.
#[test]
fn random_failures_depend_on_the_seed() {
    let mut ends: BTreeMap<usize, u32> = BTreeMap::new();
    for seed in 0..200 {
        let text = format!(
            "
primitive try
scenario s
  task try
  seed {seed}
  fail try chance 0.5"
        );
        let run = || {
            simulate(
                &Domain::from(&document(&text)),
                &name("s"),
                Budget::default(),
                1000,
            )
        };
        assert_eq!(run(), run());
        let mut failed = run().executed;
        failed.pop();
        assert!(
            failed
                .iter()
                .all(|step| step.reason == Some(Reason::Action))
        );
        *ends.entry(failed.len()).or_default() += 1;
    }
    let share = |failures: usize| f64::from(*ends.get(&failures).unwrap_or(&0)) / 200.0;
    for (failures, expected) in [(0, 0.5), (1, 0.25), (2, 0.125)] {
        assert!((share(failures) - expected).abs() < 0.1, "{ends:?}");
    }
}
