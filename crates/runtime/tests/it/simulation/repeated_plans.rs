//! A plan that is made again and again without being completed ends the run.

use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Run, RunEnd};

use super::{document, name};
use crate::reference::simulate;

const TEXT: &str = "
type person
object ann: person
memory fact dug
memory fact charged
action Charge 10 by eyes
action Dig 3 by hands
action Use 2
primitive charge = Charge
  eff charged
primitive dig = Dig
  eff dug
primitive use = Use
  pre charged
compound work
  block a begin
  block b task charge background
  block c task dig
  wire a.out -> b
  wire a.out -> c
compound all
  sequence work; use
agent worker: person
scenario s
  cast ann as worker
  does all";

fn run(text: &str) -> Run {
    let domain = Domain::from(&document(text));
    simulate(&domain, &name("s"), Budget::default(), 1_000)
}

#[test]
fn plan_that_is_never_completed_is_given_up() {
    let stuck = run(&format!("{TEXT}\n  fail dig\n"));
    assert_eq!(stuck.end, RunEnd::OutOfPlans);
    assert_eq!(stuck.plans.len(), 20);
}

#[test]
fn plan_that_is_completed_again_and_again_goes_on() {
    let patrol = run(&TEXT.replace(
        "use\nagent worker: person",
        "dig\nagent worker: person\n  again",
    ));
    assert_eq!(patrol.end, RunEnd::Endless);
}

#[test]
fn plan_that_needs_its_background_is_completed() {
    for policy in ["", "  cheapest\n", "  reactive\n"] {
        let text = TEXT.replace("worker: person\n", &format!("worker: person\n{policy}"));
        assert_eq!(run(&text).end, RunEnd::Complete, "{policy}");
    }
    let ahead = run(TEXT);
    assert_eq!(ahead.plans.len(), 1);
}
