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
