//! Compound tasks with goals in a run (semantics, sections 3 and 5).

use expect_test::expect;

use super::check_text;

/// A cook. The lines are those of the agent and of the scenario.
fn cook(agent: &str, scenario: &str) -> String {
    format!(
        "
type person
type place
type item
object ann: person
object stove: place
object shelf: place
object cellar: place
object salt: item
object wine: item
value at: place
sensor value place_of(?i: item): place
fact has(?i: item)
fact cooked
action Walk 2
action Take 1
primitive go(?p: place) = Walk
  pre at != ?p
  eff at := ?p
primitive take(?i: item) = Take
  pre place_of(?i) = at
  eff has(?i)
primitive cook = Take
  pre has(salt)
  pre at = stove
  eff cooked
compound get(?i: item)
  goal has(?i)
compound return
  goal at = stove
compound dinner
  block a begin
  block b task get(salt)
  block c task return
  block d task cook
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
agent cook: person
{agent}
scenario s
  initial at := stove
  initial place_of(salt) := shelf
  initial place_of(wine) := cellar
  cast ann as cook
  does dinner
{scenario}"
    )
}

#[test]
fn what_is_left_of_a_goal_is_searched_for_again_once_it_is_impossible() {
    check_text(
        &cook("", ""),
        expect![[r#"
        0 plans: go(shelf), take(salt), go(stove), cook
        0 go(shelf) Complete acted at 2 ended at 2: at = shelf
        2 take(salt) Complete acted at 3 ended at 3: has(salt) = true
        3 go(stove) Complete acted at 5 ended at 5: at = stove
        5 cook Complete acted at 6 ended at 6: cooked = true
        6 Complete"#]],
    );
    check_text(
        &cook("  perception\n", "  event 2 place_of(salt) := cellar\n"),
        expect![[r#"
            0 plans: go(shelf), take(salt), go(stove), cook
            0 go(shelf) Complete acted at 2 ended at 2: at = shelf
            2 event 0: place_of(salt) = cellar
            2 plans, noticing place_of(salt): go(cellar), take(salt), go(stove), cook
            2 go(cellar) Complete acted at 4 ended at 4: at = cellar
            4 take(salt) Complete acted at 5 ended at 5: has(salt) = true
            5 go(stove) Complete acted at 7 ended at 7: at = stove
            7 cook Complete acted at 8 ended at 8: cooked = true
            8 Complete"#]],
    );
    check_text(
        &cook("  reactive\n", "  event 2 place_of(salt) := cellar\n"),
        expect![[r#"
            0 plans: go(shelf)
            0 go(shelf) Complete acted at 2 ended at 2: at = shelf
            2 event 0: place_of(salt) = cellar
            2 goes on: go(cellar)
            2 go(cellar) Complete acted at 4 ended at 4: at = cellar
            4 goes on: take(salt)
            4 take(salt) Complete acted at 5 ended at 5: has(salt) = true
            5 goes on: go(stove)
            5 go(stove) Complete acted at 7 ended at 7: at = stove
            7 goes on: cook
            7 cook Complete acted at 8 ended at 8: cooked = true
            8 Complete"#]],
    );
}

#[test]
fn a_goal_that_becomes_true_leaves_nothing_to_do() {
    check_text(
        &cook("  alternative\n", "  event 1 has(salt)\n"),
        expect![[r#"
            0 plans: go(shelf), take(salt), go(stove), cook
            0 go(shelf) Failed ended at 1: interrupted by a new plan
            1 event 0: has(salt) = true
            1 plans, as something better is possible: cook
            1 cook Complete acted at 2 ended at 2: cooked = true
            2 Complete"#]],
    );
    // Without the trigger, the plan goes on.
    check_text(
        &cook("", "  event 1 has(salt)\n"),
        expect![[r#"
        0 plans: go(shelf), take(salt), go(stove), cook
        0 go(shelf) Complete acted at 2 ended at 2: at = shelf
        1 event 0: has(salt) = true
        2 take(salt) Complete acted at 3 ended at 3
        3 go(stove) Complete acted at 5 ended at 5: at = stove
        5 cook Complete acted at 6 ended at 6: cooked = true
        6 Complete"#]],
    );
}

#[test]
fn a_drawn_way_that_becomes_possible_is_an_earlier_alternative() {
    let text = cook("  alternative\n", "  event 1 has(wine)\n").replace(
        "compound get(?i: item)\n  goal has(?i)\n",
        "primitive trade(?i: item) = Take
  pre has(wine)
  eff has(?i)
compound get(?i: item)
  goal has(?i)
  block a begin
  block b task trade(?i)
  wire a.out -> b
",
    );
    check_text(
        &text,
        expect![[r#"
        0 plans: go(shelf), take(salt), go(stove), cook
        0 go(shelf) Failed ended at 1: interrupted by a new plan
        1 event 0: has(wine) = true
        1 plans, as something better is possible: trade(salt), cook
        1 trade(salt) Complete acted at 2 ended at 2: has(salt) = true
        2 cook Complete acted at 3 ended at 3: cooked = true
        3 Complete"#]],
    );
}

#[test]
fn a_goal_that_cannot_be_reached_is_tried_again_after_a_change() {
    let scenario = "  initial place_of(salt) := stove\n  event 4 has(salt)\n";
    let text =
        cook("", scenario).replace("  pre place_of(?i) = at\n", "  pre place_of(?i) = cellar\n");
    check_text(
        &text,
        expect![[r#"
        0 plans: NoPlan
        4 event 0: has(salt) = true
        4 plans after an event: cook
        4 cook Complete acted at 5 ended at 5: cooked = true
        5 Complete"#]],
    );
}

#[test]
fn a_goal_is_the_task_of_an_actor() {
    let text = cook("", "").replace("  does dinner\n", "  does get(wine)\n  does return\n");
    check_text(
        &text,
        expect![[r#"
        0 plans: go(cellar), take(wine), go(stove)
        0 go(cellar) Complete acted at 2 ended at 2: at = cellar
        2 take(wine) Complete acted at 3 ended at 3: has(wine) = true
        3 go(stove) Complete acted at 5 ended at 5: at = stove
        5 Complete"#]],
    );
}

#[test]
fn a_task_without_steps_stays_complete_when_the_step_after_it_fails() {
    // The goal of the first task is false again once the walk has failed.
    let text = cook(
        "",
        "  fail go time 1\n  event 1 not has(wine)\n  initial has(wine)\n",
    )
    .replace("  does dinner\n", "  does get(wine)\n  does get(salt)\n");
    check_text(
        &text,
        expect![[r#"
        0 plans: go(shelf), take(salt)
        0 go(shelf) Failed ended at 2: the scenario makes this action fail
        1 event 0: has(wine) = false
        3 plans, as go(shelf) failed: go(shelf), take(salt)
        3 go(shelf) Complete acted at 5 ended at 5: at = shelf
        5 take(salt) Complete acted at 6 ended at 6: has(salt) = true
        6 Complete"#]],
    );
}
