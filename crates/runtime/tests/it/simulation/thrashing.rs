//! Runs that make no progress, and report why.

use std::sync::Arc;

use taskloom_document::Expectation;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{MAX_STEPS, RunEnd, Verdict, default_planner, run_test, simulate};

use super::{document, name};

/// Returns the reason why a run that is expected to recover is cut off at tick 100.
fn why(text: &str) -> String {
    let mut document = document(text);
    let scenario = document
        .scenarios
        .get_mut(&name("s"))
        .expect("the scenario");
    Arc::make_mut(scenario).expect.push(Expectation::Recovers);
    let mut plan = default_planner(Budget::default());
    match &run_test(&Domain::from(&document), &name("s"), &mut plan, 100).verdicts[..] {
        [Verdict::Missed(why)] => why.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn reports_characters_that_keep_replanning() {
    let text = "
type person
object ann: person
object cap: person
blackboard number wish
sensor number food
sensor number ore
action Do 3
action Tick 1
primitive farm = Do
  eff food += 1
primitive mine = Do
  eff ore += 1
primitive up = Tick
  eff wish := 3
primitive down = Tick
  eff wish := -3
goal fed: food >= 2
  priority 10
  bias wish
goal rich: ore >= 2
  priority 11
agent unit: person
  uses farm
  uses mine
  wants fed
  wants rich
  margin 0
agent captain: person
  uses up
  uses down
  task up
  task down
  again
scenario s
  cast cap as captain
  cast ann as unit
";
    assert_eq!(
        why(text),
        "the run was cut off at tick 100: 'ann' keeps replanning without completing a step"
    );
    // The margin is larger than the request's change, so she keeps to her goal.
    let calm = document(&text.replace("margin 0", "margin 5"));
    let run = simulate(&Domain::from(&calm), &name("s"), Budget::default(), 100);
    assert_eq!((run.thrashing(), run.end), (None, RunEnd::Endless));
}

#[test]
fn reports_characters_that_undo_each_other() {
    let text = "
type person
object duke: person
object earl: person
blackboard number wish
action A 1
primitive up = A
  eff wish += 5
primitive down = A
  eff wish -= 5
goal g-up: wish >= 5
  priority 1
goal g-down: wish <= 0
  priority 1
agent duke: person
  uses up
  wants g-up
agent earl: person
  uses down
  wants g-down
scenario s
  cast duke as duke
  cast earl as earl
";
    assert_eq!(
        why(text),
        "the run was cut off at tick 100: 'duke' and 'earl' change wish back and forth"
    );
}

#[test]
fn cuts_off_runs_of_instantaneous_steps() {
    let text = "
type person
object ann: person
sensor number n
primitive hop
  eff n += 1
compound dance
  sequence hop; dance
agent re: person
  reactive
scenario s
  cast ann as re
  does dance
";
    let run = simulate(
        &Domain::from(&document(text)),
        &name("s"),
        Budget::default(),
        10_000,
    );
    assert_eq!(
        (run.executed.len(), run.end),
        (MAX_STEPS, RunEnd::OutOfTicks)
    );
    // The tasks under way do not accumulate.
    let largest = run.plans.iter().filter_map(|planning| planning.plan());
    assert!(largest.map(|plan| plan.nodes.len()).max() <= Some(4));
}
