//! Tasks of which only the same task remains: just the inner one is under way.

use expect_test::{Expect, expect};

use super::check_text;

const WORK: &str = "
type person
object ann: person
fact ready
fact noise
fact bored
action Prepare 3
primitive prepare = Prepare
  eff ready
action Work 4
primitive work = Work
  pre ready
primitive rest
  pre bored
compound day
  block a begin
  block b choice rest, work, prepare
  block c task rest
  block d branch ready
  block e task work
  block f task prepare
  block g task day
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
  wire d.true -> e
  wire b.3 -> f
  wire f.out -> g
agent worker: person
  alternative
scenario s
  cast ann as worker
  does day
";

fn check(events: &str, expected: Expect) {
    check_text(&format!("{WORK}{events}"), expected);
}

#[test]
fn alternatives_of_the_outer_task_are_not_tried_again() {
    // Working comes before preparing, but that is what she does already.
    check(
        "  event 5 noise",
        expect![[r#"
            0 plans: prepare, work
            0 prepare Complete acted at 3 ended at 3: ready = true
            3 work Complete acted at 7 ended at 7
            5 event 0: noise = true
            7 Complete"#]],
    );
}

#[test]
fn alternatives_of_the_inner_task_are() {
    check(
        "  event 5 bored",
        expect![[r#"
            0 plans: prepare, work
            0 prepare Complete acted at 3 ended at 3: ready = true
            3 work Failed ended at 5: interrupted by a new plan
            5 event 0: bored = true
            5 plans, as something better is possible: rest
            5 rest Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

#[test]
fn integrity_rules_of_a_task_between_them_still_count() {
    // Work fails, and is planned again as what remains of the shift.
    let text = WORK.replace("  block g task day", "  block g task shift");
    let text = text.replace("  alternative\n", "");
    let text = text.replace(
        "agent worker",
        "fact fire
primitive look
compound shift
  integrity not fire
  block a begin
  block b task look
  block c task day
  wire a.out -> b
  wire b.out -> c
agent worker",
    );
    check_text(
        &format!("{text}  fail work time 1\n  event 9 fire"),
        expect![[r#"
            0 plans: prepare, look, work
            0 prepare Complete acted at 3 ended at 3: ready = true
            3 look Complete acted at 3 ended at 3
            3 work Failed ended at 7: the scenario makes this action fail
            8 plans, as work failed: work
            8 work Failed ended at 9: integrity rule of shift: not fire
            9 event 0: fire = true
            10 plans, as work failed: work
            10 work Complete acted at 14 ended at 14
            14 Complete"#]],
    );
}
