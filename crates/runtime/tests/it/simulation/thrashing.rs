//! Runs that make no progress, and report why.

use std::sync::Arc;

use crate::reference::simulate;
use taskloom_document::Expectation;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{MAX_STEPS, RunEnd, Verdict, default_planner, run_test};

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

/// A character whose captain changes the values of its goals all the time.
const SQUAD: &str = "
type person
object ann: person
object cap: person
blackboard number wish
sensor number food
sensor number ore
sensor number walls
action Do 3
action Tick 1
primitive farm = Do
  eff food += 1
primitive mine = Do
  eff ore += 1
primitive build = Do
  eff walls += 1
primitive up = Tick
  eff wish := 3
primitive level = Tick
  eff wish := 0
primitive down = Tick
  eff wish := -3
goal fed: food >= 2
  priority 10
  bias wish
goal rich: ore >= 2
  priority 11
goal safe: walls >= 2
  priority 9
  bias 0 - wish
agent unit: person
  uses farm
  uses mine
  uses build
  wants fed
  wants rich
  margin 0
agent captain: person
  task up
  task down
  again
scenario s
  cast cap as captain
  cast ann as unit
";

const ALTERNATES: &str =
    "the run was cut off at tick 100: 'ann' keeps switching between the goals 'fed' and 'rich'";

#[test]
fn reports_characters_that_alternate_between_goals() {
    assert_eq!(why(SQUAD), ALTERNATES);
    // She completes steps in the meantime, but the captain undoes what she has done.
    let undone = SQUAD.replace("action Do 3", "action Do 1");
    let undone = undone.replace("eff wish := 3", "eff wish := 3\n  eff ore := 0");
    let undone = undone.replace("eff wish := -3", "eff wish := -3\n  eff food := 0");
    assert_eq!(why(&undone.replace(">= 2", ">= 4")), ALTERNATES);
    let calm = |agent: &str| {
        let document = document(&SQUAD.replace("margin 0", agent));
        let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 100);
        assert_eq!((run.thrashing(), run.end), (None, RunEnd::Endless));
    };
    // The margin is larger than the request's change, so she keeps to her goal.
    calm("margin 5");
    // So she does with a commitment that is long enough.
    calm("margin 0\n  commitment 6");
}

#[test]
fn reports_characters_that_keep_replanning() {
    let text = SQUAD.replace("  task down\n", "  task level\n  task down\n");
    let text = text.replace("  wants rich\n", "  wants rich\n  wants safe\n");
    assert_eq!(
        why(&text),
        "the run was cut off at tick 100: 'ann' keeps replanning without completing a step"
    );
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
    let run = taskloom_runtime::simulate(
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
