//! The dependencies of a plan: the changes that a character with a perception trigger notices.

use expect_test::{Expect, expect};

use super::check_text;

/// A character that fights, hides or sleeps, each for five ticks, and an event at tick 2.
fn check(method: &str, happens: &str, expected: Expect) {
    let text = format!(
        "sensor number danger integer 0..9
sensor fact armed
sensor fact loud
sensor fact shown(?x: object)
object one
object two
action Act 5
primitive fight = Act
primitive hide = Act
  eff not loud
primitive sleep = Act
compound live
{method}agent soul: object
  perception
scenario s
  task live
  cast one as soul
  event 2 {happens}
"
    );
    check_text(&text, expected);
}

#[test]
fn notices_changes_of_scores() {
    check(
        "  block a begin
  block b highest hide @ danger, sleep @ 3
  block c task hide
  block d task sleep
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
",
        "danger = 5",
        expect![[r#"
            0 plans: sleep
            0 sleep Failed ended at 2: interrupted by a new plan
            2 event 0: danger = 5
            2 plans, noticing danger: hide
            2 hide Complete acted at 7 ended at 7
            7 Complete"#]],
    );
}

/// It fights if it is armed and somebody is shown; otherwise it hides.
const GUARDED: &str = "  block a begin
  block b choice fight, hide, sleep
  block c branch armed
  block d bind ?x: object where shown(?x)
  block e task fight
  block f task hide
  block g branch loud
  block h task sleep
  wire a.out -> b
  wire b.1 -> c
  wire c.true -> d
  wire d.out -> e
  wire b.2 -> f
  wire b.3 -> g
  wire g.true -> h
";

#[test]
fn notices_changes_in_conditions_of_earlier_alternatives() {
    check(
        GUARDED,
        "armed\n  initial shown(one)",
        expect![[r#"
            0 plans: hide
            0 hide Failed ended at 2: interrupted by a new plan
            2 event 0: armed = true
            2 plans, noticing armed: fight
            2 fight Complete acted at 7 ended at 7
            7 Complete"#]],
    );
}

#[test]
fn ignores_conditions_not_evaluated_in_earlier_alternatives() {
    check(
        GUARDED,
        "shown(two)",
        expect![[r#"
        0 plans: hide
        0 hide Complete acted at 5 ended at 5
        2 event 0: shown(two) = true
        5 Complete"#]],
    );
}

#[test]
fn ignores_later_alternatives_and_own_effects() {
    check(
        GUARDED,
        "loud",
        expect![[r#"
        0 plans: hide
        0 hide Complete acted at 5 ended at 5: loud = false
        2 event 0: loud = true
        5 Complete"#]],
    );
}
