//! A task with a goal fails if its goal is false when its last step is complete.

use expect_test::expect;

use super::check_text;

/// Somebody lights two lamps, in one of three ways, and somebody else interferes.
fn lamps(agent: &str, method: &str, scenario: &str) -> String {
    format!(
        "
type person
type lamp
object ann: person
object l1: lamp
object l2: lamp
blackboard fact lit(?l: lamp)
blackboard fact tidy
memory fact tired
action Light 1
action Rest 2
primitive light(?l: lamp) = Light
  pre not lit(?l)
  eff lit(?l)
primitive rest = Rest
  eff tired
primitive sweep = Rest
  eff tidy
compound light-all
  goal forall ?l: lamp. lit(?l)
{method}compound evening
  sequence light-all; rest
agent worker: person
{agent}scenario s
  cast ann as worker
  does evening
{scenario}"
    )
}

#[test]
fn task_whose_goal_was_undone_is_done_again() {
    check_text(
        &lamps("", "", "  event 2 not lit(l1)"),
        expect![[r#"
        0 plans: light(l1), light(l2), rest
        0 light(l1) Complete acted at 1 ended at 1: lit(l1) = true
        1 light(l2) Failed acted at 2 ended at 2: goal of light-all not reached: lit(l1); lit(l2) = true
        2 event 0: lit(l1) = false
        3 plans, as light(l2) failed: light(l1), rest
        3 light(l1) Complete acted at 4 ended at 4: lit(l1) = true
        4 rest Complete acted at 6 ended at 6: tired = true
        6 Complete"#]],
    );
    check_text(
        &lamps("  cheapest\n", "", "  event 2 not lit(l1)"),
        expect![[r#"
            0 plans: light(l1), light(l2), rest
            0 light(l1) Complete acted at 1 ended at 1: lit(l1) = true
            1 light(l2) Failed acted at 2 ended at 2: goal of light-all not reached: lit(l1); lit(l2) = true
            2 event 0: lit(l1) = false
            3 plans, as light(l2) failed: light(l1), rest
            3 light(l1) Complete acted at 4 ended at 4: lit(l1) = true
            4 rest Complete acted at 6 ended at 6: tired = true
            6 Complete"#]],
    );
    check_text(
        &lamps("  reactive\n", "", "  event 2 not lit(l1)"),
        expect![[r#"
            0 plans: light(l1)
            0 light(l1) Complete acted at 1 ended at 1: lit(l1) = true
            1 goes on: light(l2)
            1 light(l2) Failed acted at 2 ended at 2: goal of light-all not reached: lit(l1); lit(l2) = true
            2 event 0: lit(l1) = false
            3 plans, as light(l2) failed: light(l1)
            3 light(l1) Complete acted at 4 ended at 4: lit(l1) = true
            4 goes on: rest
            4 rest Complete acted at 6 ended at 6: tired = true
            6 Complete"#]],
    );
    check_text(
        &lamps(
            "",
            "  sequence light(l1); light(l2)\n",
            "  event 2 not lit(l1)",
        ),
        expect![[r#"
            0 plans: light(l1), light(l2), rest
            0 light(l1) Complete acted at 1 ended at 1: lit(l1) = true
            1 light(l2) Failed acted at 2 ended at 2: goal of light-all not reached: lit(l1); lit(l2) = true
            2 event 0: lit(l1) = false
            3 plans, as light(l2) failed: light(l1), rest
            3 light(l1) Complete acted at 4 ended at 4: lit(l1) = true
            4 rest Complete acted at 6 ended at 6: tired = true
            6 Complete"#]],
    );
}

#[test]
fn drawn_way_that_does_not_reach_the_goal_fails_at_its_end() {
    check_text(
        &lamps(
            "",
            "  sequence sweep\n",
            "  event 7 lit(l1)\n  event 7 lit(l2)",
        ),
        expect![[r#"
            0 plans: sweep, rest
            0 sweep Failed acted at 2 ended at 2: goal of light-all not reached: lit(l1); tidy = true
            3 plans, as sweep failed: sweep, rest
            3 sweep Failed acted at 5 ended at 5: goal of light-all not reached: lit(l1)
            6 plans, as sweep failed: sweep, rest
            6 sweep Complete acted at 8 ended at 8
            7 event 0: lit(l1) = true
            7 event 1: lit(l2) = true
            8 rest Complete acted at 10 ended at 10: tired = true
            10 Complete"#]],
    );
    check_text(
        &lamps(
            "  reactive\n",
            "  sequence sweep; sweep\n",
            "  event 3 lit(l1)\n  event 6 lit(l2)",
        ),
        expect![[r#"
        0 plans: sweep
        0 sweep Complete acted at 2 ended at 2: tidy = true
        2 goes on: sweep
        2 sweep Failed acted at 4 ended at 4: goal of light-all not reached: lit(l2)
        3 event 0: lit(l1) = true
        5 plans, as sweep failed: sweep
        5 sweep Complete acted at 7 ended at 7
        6 event 1: lit(l2) = true
        7 goes on: sweep
        7 sweep Complete acted at 9 ended at 9
        9 goes on: rest
        9 rest Complete acted at 11 ended at 11: tired = true
        11 Complete"#]],
    );
}

#[test]
fn only_the_last_step_of_a_task_is_checked() {
    // The goal is true at the end, although it was false in between, and nobody looks afterwards.
    check_text(
        &lamps(
            "",
            "  sequence sweep; light(l1); light(l2)\n",
            "  event 1 lit(l1)\n  event 2 not lit(l1)\n  event 5 not lit(l1)",
        ),
        expect![[r#"
            0 plans: sweep, light(l1), light(l2), rest
            0 sweep Complete acted at 2 ended at 2: tidy = true
            1 event 0: lit(l1) = true
            2 event 1: lit(l1) = false
            2 light(l1) Complete acted at 3 ended at 3: lit(l1) = true
            3 light(l2) Complete acted at 4 ended at 4: lit(l2) = true
            4 rest Complete acted at 6 ended at 6: tired = true
            5 event 2: lit(l1) = false
            6 Complete"#]],
    );
}
