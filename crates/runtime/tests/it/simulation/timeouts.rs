//! Tasks that fail if they aren't complete in time.

use expect_test::expect;
use taskloom_document::{Edit, Name};

use super::{check, check_text};
use testkit::domain::document;

/// A courier who hands a parcel over, or leaves it at the door if it rains. The lines are those of the
/// block that hands it over, of the block that rings, of the agent, and of the scenario.
fn courier([hand_over, ring]: [&str; 2], agent: &str, scenario: &str) -> String {
    format!(
        "
type person
object ann: person
sensor fact signed
sensor fact rain
blackboard fact left
action Walk 3
action Ring 1
action Sing 9 by voice
primitive walk = Walk
primitive ring = Ring
  done signed
primitive leave = Ring
  eff left
primitive sing = Sing
  uninterruptible
compound hand-over
  block a begin
  block b task walk
  block c task ring {ring}
  wire a.out -> b
  wire b.out -> c
compound deliver
  block a begin
  block b branch rain
  block c task leave
  block d task hand-over {hand_over}
  wire a.out -> b
  wire b.true -> c
  wire b.false -> d
compound perform
  block a begin
  block b task walk repeat 2
  block c task sing
  wire a.out -> b
  wire a.out -> c
compound show
  block a begin
  block b task perform timeout 7
  wire a.out -> b
agent courier: person
{agent}
scenario s
  cast ann as courier
{scenario}"
    )
}

#[test]
fn task_that_waits_too_long_fails_and_the_task_above_is_planned_again() {
    // The task above is decomposed again, from its first step on.
    check_text(
        &courier(
            ["", "timeout 3"],
            "",
            "  does hand-over\n  event 9 signed\n",
        ),
        expect![[r#"
            0 plans: walk, ring
            0 walk Complete acted at 3 ended at 3
            3 ring Failed acted at 4 ended at 7: ring timed out after 3 ticks
            8 plans, as ring failed: walk, ring
            8 walk Complete acted at 11 ended at 11
            9 event 0: signed = true
            11 ring Complete acted at 12 ended at 12
            12 Complete"#]],
    );
}

#[test]
fn compound_task_fails_and_another_alternative_is_planned() {
    check_text(
        &courier(["timeout 5", ""], "", "  does deliver\n  event 4 rain\n"),
        expect![[r#"
            0 plans: walk, ring
            0 walk Complete acted at 3 ended at 3
            3 ring Failed acted at 4 ended at 6: hand-over timed out after 5 ticks
            4 event 0: rain = true
            7 plans, as ring failed: leave
            7 leave Complete acted at 8 ended at 8: left = true
            8 Complete"#]],
    );
}

#[test]
fn step_of_as_many_ticks_as_its_timeout_is_in_time() {
    let signed = "  does hand-over\n  initial signed\n";
    check_text(
        &courier(["", "timeout 0"], "  failure never\n", signed),
        expect![[r#"
            0 plans: walk, ring
            0 walk Complete acted at 3 ended at 3
            3 ring Failed ended at 4: ring timed out after 0 ticks
            4 Failed"#]],
    );
    check_text(
        &courier(["", "timeout 1"], "", signed),
        expect![[r#"
        0 plans: walk, ring
        0 walk Complete acted at 3 ended at 3
        3 ring Complete acted at 4 ended at 4
        4 Complete"#]],
    );
}

#[test]
fn failure_below_a_task_under_way_does_not_restart_its_clock() {
    let scenario = "  does deliver\n  fail ring time 1\n  event 7 rain\n";
    check_text(
        &courier(["timeout 7", ""], "", scenario),
        expect![[r#"
            0 plans: walk, ring
            0 walk Complete acted at 3 ended at 3
            3 ring Failed ended at 4: the scenario makes this action fail
            5 plans, as ring failed: ring
            5 ring Failed acted at 6 ended at 8: hand-over timed out after 7 ticks
            7 event 0: rain = true
            9 plans, as ring failed: leave
            9 leave Complete acted at 10 ended at 10: left = true
            10 Complete"#]],
    );
    check_text(
        &courier(["timeout 7", ""], "  reactive\n", scenario),
        expect![[r#"
            0 plans: walk
            0 walk Complete acted at 3 ended at 3
            3 goes on: ring
            3 ring Failed ended at 4: the scenario makes this action fail
            5 plans, as ring failed: ring
            5 ring Failed acted at 6 ended at 8: hand-over timed out after 7 ticks
            7 event 0: rain = true
            9 plans, as ring failed: leave
            9 leave Complete acted at 10 ended at 10: left = true
            10 Complete"#]],
    );
}

#[test]
fn all_steps_of_a_task_end_with_it_even_uninterruptible_ones() {
    check_text(
        &courier(["", ""], "  failure never\n", "  does show\n"),
        expect![[r#"
            0 plans: walk, walk, sing
            0 walk Complete acted at 3 ended at 3
            0 sing Failed ended at 8: perform timed out after 7 ticks
            3 walk Complete acted at 6 ended at 6
            8 Failed"#]],
    );
}

#[test]
fn muted_block_with_a_timeout_does_nothing() {
    let drawn = courier(["timeout 2", ""], "", "  does deliver\n  event 6 signed\n");
    let name = |text: &str| Name::new(text).expect("a name");
    let ids = vec!["d".parse().expect("an id")];
    let muted = document(&drawn).apply(&Edit::Mute(name("deliver"), ids, true));
    check(
        &muted.expect("it can be muted"),
        "s",
        expect![[r#"
        0 plans
        0 Complete"#]],
    );
}
