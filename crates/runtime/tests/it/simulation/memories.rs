//! Memories, beliefs, observations and forgetting of several characters, where they differ.

use crate::reference::simulate;
use expect_test::{Expect, expect};
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::TaskState;

use super::{check_text, name, report};
use testkit::domain::document;

/// Characters of one agent, in a world with a fact of each kind.
fn text(agent: &str, scenario: &str) -> String {
    format!(
        "memory fact angry
memory number tries integer 0..9
sensor fact lit(?r: object)
blackboard fact alarm
object ann
object ben
object hall
action Rest 4
action Act 1
primitive rest = Rest
primitive shout = Act
  pre angry
primitive try = Act
  eff tries += 1
primitive light(?r: object) = Act
  eff lit(?r)
primitive read = Act
  pre lit(hall)
primitive flee = Act
  pre alarm
primitive fight = Act
  integrity not angry
agent one: object
{agent}scenario s
{scenario}"
    )
}

fn check(agent: &str, scenario: &str, expected: Expect) {
    check_text(&text(agent, scenario), expected);
}

const BOTH_SHOUT: &str = "  cast ann as one
  does shout
  believes angry
  believes alarm
  cast ben as one
  does shout
";

#[test]
fn initial_memory_applies_with_and_without_senses() {
    for agent in ["", "  sense lit 1\n"] {
        let run = simulate(
            &Domain::from(&document(&text(agent, BOTH_SHOUT))),
            &name("s"),
            Budget::default(),
            9,
        );
        assert_eq!(
            report(&run),
            "0 A plans: shout
0 A shout Complete acted at 1 ended at 1
0 B plans: NoPlan
1 Failed"
        );
    }
}

#[test]
fn blackboard_beliefs_match_the_blackboard() {
    let flees = BOTH_SHOUT.replacen("shout", "flee", 1);
    check(
        "  sense lit 1\n",
        &flees,
        expect![[r#"
        0 A plans: NoPlan
        0 B plans: NoPlan
        1 Failed"#]],
    );
}

#[test]
fn event_notifies_only_characters_whose_memory_differs() {
    let calms = BOTH_SHOUT.replacen("shout", "rest\n  does shout", 1);
    let calms = calms + "  event 2 not angry\n";
    check(
        "",
        &calms,
        expect![[r#"
        0 A plans: rest, shout
        0 A rest Complete acted at 4 ended at 4
        0 B plans: NoPlan
        2 event 0: angry = false
        4 A shout Failed ended at 4: precondition is false: angry
        5 A plans, as shout failed: NoPlan
        5 Failed"#]],
    );
}

#[test]
fn event_conditions_read_character_memory() {
    let scenario = "  cast ann as one
  does try
  does rest
  cast ben as one
  does rest
  event 2 if tries >= 1 : tries += 4
";
    check(
        "",
        scenario,
        expect![[r#"
        0 A plans: try, rest
        0 A try Complete acted at 1 ended at 1: tries = 1
        0 B plans: rest
        0 B rest Complete acted at 4 ended at 4
        1 A rest Complete acted at 5 ended at 5
        2 event 0: tries = 5
        5 Complete"#]],
    );
}

#[test]
fn own_effects_are_forgotten_later() {
    let scenario = "  cast ann as one
  does rest
  does light(hall)
  does read
  does rest
  does rest
  event 7 not lit(hall)
";
    let agent = "  sense lit 3 forget 5 when alarm\n";
    check(
        agent,
        scenario,
        expect![[r#"
        0 plans: rest, light(hall), read, rest, rest
        0 rest Complete acted at 4 ended at 4
        4 light(hall) Complete acted at 5 ended at 5: lit(hall) = true
        5 read Complete acted at 6 ended at 6
        6 rest Complete acted at 10 ended at 10
        7 event 0: lit(hall) = false
        10 perceives: lit(hall) = false
        10 rest Complete acted at 14 ended at 14
        14 Complete"#]],
    );
}

#[test]
fn repeated_observations_are_not_forgotten() {
    let scenario = "  initial lit(hall)
  cast ann as one
  does shout
  cast ben as one
  does rest
  does rest
  does rest
  does rest
  event 13 alarm
";
    check(
        "  sense lit 5 forget 8\n",
        scenario,
        expect![[r#"
        0 A plans: NoPlan
        0 B plans: rest, rest, rest, rest
        0 B rest Complete acted at 4 ended at 4
        4 B rest Complete acted at 8 ended at 8
        8 B rest Complete acted at 12 ended at 12
        12 B rest Complete acted at 16 ended at 16
        13 event 0: alarm = true
        13 A plans after an event: NoPlan
        21 Failed"#]],
    );
}

#[test]
fn forgetting_before_the_next_observation_alternates() {
    let scenario = "  initial lit(hall)
  cast ann as one
  does rest
  does rest
  cast ben as one
  does light(ann)
";
    // A character whose tasks are complete no longer observes.
    check(
        "  sense lit 4 forget 3\n",
        scenario,
        expect![[r#"
        0 A plans: rest, rest
        0 A rest Complete acted at 4 ended at 4
        0 B plans: light(ann)
        0 B light(ann) Complete acted at 1 ended at 1: lit(ann) = true
        3 A perceives: lit(hall) = false
        4 A perceives: lit(ann) = true, lit(hall) = true
        4 A rest Complete acted at 8 ended at 8
        7 A perceives: lit(ann) = false, lit(hall) = false
        8 A perceives: lit(ann) = true, lit(hall) = true
        8 Complete"#]],
    );
}

#[test]
fn counts_failed_plans_across_other_plannings() {
    let rests = "  does rest\n".repeat(11);
    let scenario = format!("  cast ann as one\n  does try\n  cast ben as one\n{rests}  fail try\n");
    let run = simulate(
        &Domain::from(&document(&text("  every 1\n", &scenario))),
        &name("s"),
        Budget::default(),
        200,
    );
    let failed = run
        .executed
        .iter()
        .filter(|step| step.state == TaskState::Failed);
    // Steps that are in progress when the run is cut off are in the record, too.
    let last = run.executed.last().expect("a step");
    let last = (last.start, last.state, &last.reason);
    let found = format!("{:?} {} {} {last:?}", run.end, run.ticks, failed.count());
    expect!["OutOfPlans 40 20 (36, InProgress, Some(Duration(40)))"].assert_eq(&found);
}

#[test]
fn plan_shows_its_running_step_until_another_continues_it() {
    let nap = "
compound nap
  block a begin
  block b choice short, long
  block c branch alarm
  block d task rest
  block e task flee
  block f task rest
  wire a.out -> b
  wire b.1 -> c
  wire c.true -> d
  wire d.out -> e
  wire b.2 -> f
";
    let text = text(
        "  every 2\n",
        "  cast ann as one\n  does try\n  does nap\n  event 3 alarm\n",
    );
    let text = text.replace("agent one", &format!("{}agent one", nap.trim_start()));
    let document = document(&text);
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 200);
    let states = (0..6).map(|tick| {
        let plan = run.plans.iter().rposition(|planning| planning.tick <= tick);
        let plan = plan.expect("it plans at once");
        format!("{tick}: plan {plan} {:?}", run.states(plan, tick))
    });
    let states: Vec<String> = states.collect();
    expect![[r#"
        0: plan 0 [InProgress, Planned, Planned]
        1: plan 0 [Complete, InProgress, InProgress]
        2: plan 0 [Complete, InProgress, InProgress]
        3: plan 0 [Complete, InProgress, InProgress]
        4: plan 1 [InProgress, InProgress, Planned]
        5: plan 1 [InProgress, Complete, InProgress]"#]]
    .assert_eq(&states.join("\n"));
}
