//! Plan files of tasks that were done by a search for their goals, and of agents that have goals.

use taskloom_document::Name;
use taskloom_hddl::syntax::read_plan;
use testkit::domain::document;
use testkit::random::Random;

use crate::shuffled::{Situation, check_plans};

/// A room that is lit and heated.
const ROOM: &str = "
sensor fact lit
sensor fact warm
action Act 1
primitive light = Act
  eff lit
primitive heat = Act
  pre lit
  eff warm
primitive douse = Act
  eff not lit
compound cosy
  goal warm
compound bright
  goal lit
";

/// Returns the scenario `s` of the room with the rest of a domain.
fn room(rest: &str) -> Situation {
    let scenario = Name::new("s").expect("a name");
    Situation::of(document(&format!("{ROOM}{rest}")), scenario)
}

#[test]
fn tasks_done_by_their_goals_are_read_in_any_order() {
    // One goal is true again before its task, and false before the next one.
    let situation = room(
        "
compound evening
  block a begin
  block b task cosy
  block c task bright
  block d task douse
  block e task bright
  wire a.out -> b
  wire a.out -> c
  wire c.out -> d
  wire d.out -> e
scenario s
  task evening
  task bright
",
    );
    let count = check_plans(&situation, &mut Random(5));
    assert!(count >= 2, "{count} plans");
}

#[test]
fn task_is_done_by_its_goal_only_while_that_is_false() {
    let situation = room(
        "
compound evening
  block a begin
  block b task douse
  block c task bright
  wire a.out -> b
  wire a.out -> c
scenario s
  initial lit
  task evening
",
    );
    let judge = |steps: &str| {
        let tasks = "root 0\n0 evening -> m-evening 1 2\n2 bright -> by-goal 3\n";
        let plan = read_plan(&format!("==>\n{steps}{tasks}<==\n")).plan;
        situation.judge(&plan).map(|plan| plan.cost)
    };
    assert_eq!(judge("1 douse\n3 light\n"), Ok(2.0));
    let why = "step 1: method 'by-goal' of 'bright' is not applicable: its goal is true, so it has no subtasks";
    assert_eq!(judge("3 light\n1 douse\n"), Err(why.to_owned()));
}

#[test]
fn plan_is_for_the_most_valuable_goal_that_it_reaches() {
    // The less valuable goal is on the way to the other.
    let situation = room(
        "
type person
object ann: person
goal brightness: lit
  priority 1
goal warmth: warm
  priority 2
agent guest: person
  wants brightness
  wants warmth
scenario s
  cast ann as guest
",
    );
    let count = check_plans(&situation, &mut Random(6));
    assert!(count >= 2, "{count} plans");
}
