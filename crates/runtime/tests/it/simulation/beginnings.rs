//! What a plan may begin with.

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
  block c task carry
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
        3 plans, as walk failed: drop, pick, walk; aborts carry by drop
        3 drop Complete acted at 4 ended at 4: has = false
        4 pick Failed ended at 4: integrity rule of carry: safe
        5 plans, as pick failed: drop, pick, walk; aborts carry by drop
        5 drop Complete acted at 6 ended at 6
        6 pick Failed ended at 6: integrity rule of carry: safe
        7 plans, as pick failed: drop, pick, walk; aborts carry by drop
        7 drop Complete acted at 8 ended at 8
        8 pick Failed ended at 8: integrity rule of carry: safe
        9 plans, as pick failed: drop, pick, walk; aborts carry by drop
        9 drop Complete acted at 10 ended at 10
        10 pick Failed ended at 10: integrity rule of carry: safe
        11 plans, as pick failed: drop, pick, walk; aborts carry by drop
        11 drop Complete acted at 12 ended at 12
        12 pick Failed ended at 12: integrity rule of carry: safe
        13 plans, as pick failed: drop, pick, walk; aborts carry by drop
        13 drop Complete acted at 14 ended at 14
        14 pick Failed ended at 14: integrity rule of carry: safe
        15 plans, as pick failed: drop, pick, walk; aborts carry by drop
        15 drop Complete acted at 16 ended at 16
        16 pick Failed ended at 16: integrity rule of carry: safe
        17 plans, as pick failed: drop, pick, walk; aborts carry by drop
        17 drop Complete acted at 18 ended at 18
        18 pick Failed ended at 18: integrity rule of carry: safe
        19 plans, as pick failed: drop, pick, walk; aborts carry by drop
        19 drop Complete acted at 20 ended at 20
        20 pick Failed ended at 20: integrity rule of carry: safe
        21 plans, as pick failed: drop, pick, walk; aborts carry by drop
        21 drop Complete acted at 22 ended at 22
        22 pick Failed ended at 22: integrity rule of carry: safe
        23 plans, as pick failed: drop, pick, walk; aborts carry by drop
        23 drop Complete acted at 24 ended at 24
        24 pick Failed ended at 24: integrity rule of carry: safe
        25 plans, as pick failed: drop, pick, walk; aborts carry by drop
        25 drop Complete acted at 26 ended at 26
        26 pick Failed ended at 26: integrity rule of carry: safe
        27 plans, as pick failed: drop, pick, walk; aborts carry by drop
        27 drop Complete acted at 28 ended at 28
        28 pick Failed ended at 28: integrity rule of carry: safe
        29 plans, as pick failed: drop, pick, walk; aborts carry by drop
        29 drop Complete acted at 30 ended at 30
        30 pick Failed ended at 30: integrity rule of carry: safe
        31 plans, as pick failed: drop, pick, walk; aborts carry by drop
        31 drop Complete acted at 32 ended at 32
        32 pick Failed ended at 32: integrity rule of carry: safe
        33 plans, as pick failed: drop, pick, walk; aborts carry by drop
        33 drop Complete acted at 34 ended at 34
        34 pick Failed ended at 34: integrity rule of carry: safe
        35 plans, as pick failed: drop, pick, walk; aborts carry by drop
        35 drop Complete acted at 36 ended at 36
        36 pick Failed ended at 36: integrity rule of carry: safe
        37 plans, as pick failed: drop, pick, walk; aborts carry by drop
        37 drop Complete acted at 38 ended at 38
        38 pick Failed ended at 38: integrity rule of carry: safe
        39 plans, as pick failed: drop, pick, walk; aborts carry by drop
        39 drop Complete acted at 40 ended at 40
        40 pick Failed ended at 40: integrity rule of carry: safe
        41 OutOfPlans"#]],
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
