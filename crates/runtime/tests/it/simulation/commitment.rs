//! Characters that keep to a goal for a minimum number of ticks.

use expect_test::expect;

use super::check_text;
use super::goal_selection::text;

#[test]
fn commitment_delays_a_switch_to_a_goal_with_a_higher_value() {
    let scenario = "  event 1 wood\n  event 1 lit\n";
    check_text(
        &text("  margin 0\n", scenario),
        expect![[r#"
            0 plans: eat
            0 eat Failed ended at 1: interrupted by a new plan
            1 event 0: wood = true
            1 event 1: lit = true
            1 plans for what is worth more: burn
            1 burn Complete acted at 2 ended at 2: warm = true
            3 goes on: eat
            3 eat Complete acted at 7 ended at 7: fed = true
            8 goes on
            8 Complete"#]],
    );
    check_text(
        &text("  margin 0\n  commitment 3\n", scenario),
        expect![[r#"
            0 plans: eat
            0 eat Failed ended at 3: interrupted by a new plan
            1 event 0: wood = true
            1 event 1: lit = true
            3 plans for what is worth more: burn
            3 burn Complete acted at 4 ended at 4: warm = true
            5 goes on: eat
            5 eat Complete acted at 9 ended at 9: fed = true
            10 goes on
            10 Complete"#]],
    );
}

/// A character whose meal becomes worth more than what it does.
fn hungry(agent: &str, scenario: &str) -> String {
    text(
        &format!("  uses chop\n  margin 0\n{agent}"),
        &format!("  initial lit\n{scenario}"),
    )
    .replace("action Quick 1", "action Quick 6")
}

#[test]
fn goal_trigger_applies_when_a_commitment_ends_without_another_change() {
    check_text(
        &hungry("", "  event 2 wish += 4\n"),
        expect![[r#"
            0 plans: chop, burn
            0 chop Failed ended at 2: interrupted by a new plan
            2 event 0: wish = 4
            2 plans for what is worth more: eat
            2 eat Complete acted at 6 ended at 6: fed = true
            7 goes on: chop, burn
            7 chop Complete acted at 13 ended at 13: wish = 9, wood = true
            13 burn Complete acted at 19 ended at 19: warm = true
            20 goes on
            20 Complete"#]],
    );
    check_text(
        &hungry("  commitment 4\n", "  event 2 wish += 4\n"),
        expect![[r#"
            0 plans: chop, burn
            0 chop Failed ended at 4: interrupted by a new plan
            2 event 0: wish = 4
            4 plans for what is worth more: eat
            4 eat Complete acted at 8 ended at 8: fed = true
            9 goes on: chop, burn
            9 chop Complete acted at 15 ended at 15: wish = 9, wood = true
            15 burn Complete acted at 21 ended at 21: warm = true
            22 goes on
            22 Complete"#]],
    );
}

#[test]
fn commitment_ends_with_the_plan_and_with_the_goal() {
    // The plan becomes impossible.
    check_text(
        &hungry(
            "  commitment 50\n  perception\n",
            "  event 2 wish += 4\n  event 3 not lit\n",
        ),
        expect![[r#"
            0 plans: chop, burn
            0 chop Failed ended at 3: interrupted by a new plan
            2 event 0: wish = 4
            3 event 1: lit = false
            3 plans, noticing lit: eat
            3 eat Complete acted at 7 ended at 7: fed = true
            8 goes on: NoPlan
            8 Failed"#]],
    );
    // The goal is reached by somebody else.
    check_text(
        &hungry("  commitment 50\n", "  event 2 wish += 4\n  event 3 warm\n"),
        expect![[r#"
            0 plans: chop, burn
            0 chop Failed ended at 3: interrupted by a new plan
            2 event 0: wish = 4
            3 event 1: warm = true
            3 plans for what is worth more: eat
            3 eat Complete acted at 7 ended at 7: fed = true
            8 goes on
            8 Complete"#]],
    );
}
