//! Steps that replanning doesn't interrupt.

use expect_test::expect;

use super::check_text;

/// A guard that flees from an alarm, whatever it does.
fn guard(wave: &str, scenario: &str) -> String {
    format!(
        "
type person
object ann: person
sensor fact alarm
sensor fact wet
memory fact waved
action Wave 5
action Run 2
action Sing 3 by voice
action Talk 2 by voice
primitive wave = Wave
  {wave}
  eff waved
primitive run = Run
primitive sing = Sing
  {wave}
primitive talk = Talk
compound greet
  block a begin
  block b branch alarm
  block c task run
  block d task wave
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
compound perform
  block a begin
  block b branch alarm
  block c task run
  block d task wave
  block e task talk
  block f task sing
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
  wire b.false -> e
  wire e.out -> f
agent guard: person
  perception
scenario s
  cast ann as guard
{scenario}"
    )
}

#[test]
fn replanning_waits_for_an_uninterruptible_step() {
    let scenario = "  does greet\n  does greet\n  event 2 alarm\n";
    check_text(
        &guard("", scenario),
        expect![[r#"
            0 plans: wave, wave
            0 wave Failed ended at 2: interrupted by a new plan
            2 event 0: alarm = true
            2 plans, noticing alarm: run, run
            2 run Complete acted at 4 ended at 4
            4 run Complete acted at 6 ended at 6
            6 Complete"#]],
    );
    check_text(
        &guard("uninterruptible", scenario),
        expect![[r#"
            0 plans: wave, wave
            0 wave Complete acted at 5 ended at 5: waved = true
            2 event 0: alarm = true
            5 plans, noticing alarm: run
            5 run Complete acted at 7 ended at 7
            7 Complete"#]],
    );
}

#[test]
fn integrity_rules_end_uninterruptible_steps() {
    check_text(
        &guard(
            "uninterruptible\n  integrity not wet",
            "  does greet\n  event 2 alarm\n  event 3 wet\n",
        ),
        expect![[r#"
            0 plans: wave
            0 wave Failed ended at 3: integrity rule of wave: not wet
            2 event 0: alarm = true
            3 event 1: wet = true
            4 plans, as wave failed: run
            4 run Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn no_other_uninterruptible_step_starts_while_replanning_waits() {
    check_text(
        &guard("uninterruptible", "  does perform\n  event 1 alarm\n"),
        expect![[r#"
            0 plans: wave, talk, sing
            0 wave Complete acted at 5 ended at 5: waved = true
            0 talk Complete acted at 2 ended at 2
            1 event 0: alarm = true
            5 plans, noticing alarm: run
            5 run Complete acted at 7 ended at 7
            7 Complete"#]],
    );
}

#[test]
fn reason_to_replan_is_dropped_with_a_plan_that_ends_first() {
    check_text(
        &guard("uninterruptible", "  does greet\n  event 2 alarm\n"),
        expect![[r#"
            0 plans: wave
            0 wave Complete acted at 5 ended at 5: waved = true
            2 event 0: alarm = true
            5 Complete"#]],
    );
}
