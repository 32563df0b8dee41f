//! A plan that is made again and again without being completed ends the run.

use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::RunEnd;

use super::{document, name};
use crate::reference::simulate;

/// The plan counts on a task in the background that is stopped before it is complete.
#[test]
fn plan_that_leads_no_further_is_given_up() {
    let text = "
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
    let run = |text: &str| {
        let domain = Domain::from(&document(text));
        simulate(&domain, &name("s"), Budget::default(), 1_000)
    };
    let ended = run(text);
    assert_eq!(ended.end, RunEnd::OutOfPlans);
    // The first plan, and twenty from the same state.
    assert_eq!(ended.plans.len(), 21);
    // One that completes its plans goes on.
    let patrol = run(&text.replace(
        "use\nagent worker: person",
        "dig\nagent worker: person\n  again",
    ));
    assert_eq!(patrol.end, RunEnd::Endless);
}
