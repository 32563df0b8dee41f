//! The flowchart of a method after a search: the reasons at its rejected blocks.

use expect_test::{Expect, expect};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::explain::{Mark, highlight};
use taskloom_planner::plan::{Budget, Engine, Progress, Search};
use testkit::domain::{document, example};

/// Compares the reasons at the blocks of a task's method, in the order of the blocks.
fn check(document: &Document, scenario: &str, task: &str, reasons: &Expect) {
    let problem = compile(
        &Domain::from(document),
        &Name::new(scenario).expect("a name"),
    );
    let mut search = Search::new(&problem, Budget::default(), 1_000);
    while search.step(u64::MAX) == Progress::Running {}
    let trace = search.trace().expect("a recorded search").clone();
    let outcome = search.outcome().expect("it ended").clone();
    let task = Name::new(task).expect("a name");
    let flow = &document.compound_tasks[&task].method;
    let shown = highlight(&task, flow, &outcome, &trace, None).expect("it was tried");
    let rejected = shown.blocks.iter().filter_map(|(id, mark)| match mark {
        Mark::Rejected(Some(why)) => Some(format!("{id}: {why}\n")),
        _ => None,
    });
    reasons.assert_eq(&rejected.collect::<String>());
}

const HOUSE: &str = "
type place
fact at(?p: place)
fact key_at(?p: place)
fact open
fact done
object box: place
object drawer: place
object shed: place
primitive go(?p: place)
  eff at(?p)
primitive smash
  pre at(box)
  eff open
primitive tidy
  pre not done
  eff done
primitive finish
  pre open
  eff done
compound get-key
  block a begin
  block b bind ?p: place where key_at(?p)
  block c task go(?p)
  wire a.out -> b
  wire b.out -> c
compound enter
  block a begin
  block b choice key, nothing
  block c task get-key
  block d task smash
  block e task go(shed)
  block f end
  wire a.out -> b
  wire b.1 -> c
  wire c.out -> d
  wire b.2 -> e
  wire d.out -> f
  wire e.out -> f
compound twice
  block a begin
  block b task tidy
  block c task tidy
  wire a.out -> b
  wire b.out -> c
compound later
  block a begin
  block b task get-key
  block c task finish
  wire a.out -> b
  wire b.out -> c
scenario drawer
  initial key_at(drawer)
  task enter
scenario nowhere
  task enter
scenario twice
  task twice
scenario later
  initial key_at(drawer)
  initial key_at(shed)
  task later
";

#[test]
fn reason_stands_at_the_last_task_reached() {
    let document = document(HOUSE);
    check(
        &document,
        "drawer",
        "enter",
        &expect![["d: smash: at(box) does not hold\n"]],
    );
    check(
        &document,
        "twice",
        "twice",
        &expect![[r#"
        c: tidy: not done does not hold: done is true
    "#]],
    );
}

#[test]
fn unfit_objects_of_a_bind_are_one_reason() {
    let document = document(HOUSE);
    check(
        &document,
        "nowhere",
        "enter",
        &expect![["c: get-key: no ?p fits: key_at(box) is false, and 2 more\n"]],
    );
    let document = example("ball-in-the-box");
    check(
        &document,
        "case-6-no-way-in",
        "get-ball",
        &expect![[r#"
        bjtmv36y: get-hammer: no ?place fits: hammer_at(box) is false, and 3 more
        k22u3mnn: get-key: no ?place fits: key_at(box) is false, and 3 more
    "#]],
    );
}

#[test]
fn alternative_is_rejected_because_of_a_later_task() {
    check(
        &document(HOUSE),
        "later",
        "get-key",
        &expect![[r#"
        c: later, finish: open does not hold
    "#]],
    );
}
