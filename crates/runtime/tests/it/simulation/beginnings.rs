//! The first step of a plan.

use expect_test::expect;

use super::check_text;

/// A task whose integrity rule is false now isn't where a plan begins: it would fail at once.
#[test]
fn no_plan_begins_with_a_step_that_would_fail_at_once() {
    let text = |agent: &str, rules: [&str; 2]| {
        format!(
            "
type person
object ann: person
sensor fact safe
memory fact has
memory fact resting
action Pick 1
action Walk 3
action Hand 2
primitive pick = Pick
  eff has
{}primitive walk = Walk
  pre has
primitive hand = Hand
primitive drop = Pick
  eff not has
primitive wait = Hand
compound carry
  sequence pick; walk
{}compound deliver
  block a begin
  block b choice carry, hand
  block c task carry abort drop
  block d task hand
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
agent worker: person
{agent}
scenario s
  cast ann as worker
  does deliver
  initial safe
  event 2 not safe",
            rules[0], rules[1]
        )
    };
    let rule = "  integrity safe\n";
    check_text(
        &text("", ["", rule]),
        expect![[r#"
        0 plans: pick, walk
        0 pick Complete acted at 1 ended at 1: has = true
        1 walk Failed ended at 2: integrity rule of carry: safe
        2 event 0: safe = false
        3 plans, as walk failed: drop, hand; aborts carry by drop
        3 drop Complete acted at 4 ended at 4: has = false
        4 hand Complete acted at 6 ended at 6
        6 Complete"#]],
    );
    check_text(
        &text("  cheapest", ["", rule]),
        expect![[r#"
        0 plans: hand
        0 hand Complete acted at 2 ended at 2
        2 event 0: safe = false
        2 Complete"#]],
    );
    check_text(
        &text("  reactive", ["", rule]),
        expect![[r#"
        0 plans: pick
        0 pick Complete acted at 1 ended at 1: has = true
        1 goes on: walk
        1 walk Failed ended at 2: integrity rule of carry: safe
        2 event 0: safe = false
        3 plans, as walk failed: drop; aborts carry by drop
        3 drop Complete acted at 4 ended at 4: has = false
        4 goes on: hand
        4 hand Complete acted at 6 ended at 6
        6 Complete"#]],
    );
    // What comes later may have changed by then.
    let later = text("", [rule, ""]).replace("  initial safe\n", "");
    let later = later.replace("  sequence pick; walk", "  sequence wait; pick; walk");
    check_text(
        &later.replace("event 2 not safe", "event 2 safe"),
        expect![[r#"
            0 plans: wait, pick, walk
            0 wait Complete acted at 2 ended at 2
            2 event 0: safe = true
            2 pick Complete acted at 3 ended at 3: has = true
            3 walk Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}
