//! Tasks and goals that cool down after they have ended.

use expect_test::expect;

use super::check_text;

/// A guard that throws a grenade if it can, and shoots otherwise.
fn guard(lines: [&str; 3], scenario: &str) -> String {
    let [throw, fight, agent] = lines;
    format!(
        "
type person
object ann: person
blackboard fact alarm
action Throw 1
action Shoot 2
primitive throw = Throw
{throw}
primitive shoot = Shoot
compound fight
{fight}
  block a begin
  block b choice grenade, gun
  block c task throw
  block d task shoot
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
agent guard: person
{agent}
scenario s
  cast ann as guard
{scenario}"
    )
}

#[test]
fn task_is_not_planned_while_it_cools_down() {
    let fights = "  does fight\n".repeat(4);
    // A plan that exists is not affected.
    check_text(
        &guard(["  cooldown 4", "", ""], &fights),
        expect![[r#"
            0 plans: throw, throw, throw, throw
            0 throw Complete acted at 1 ended at 1
            1 throw Complete acted at 2 ended at 2
            2 throw Complete acted at 3 ended at 3
            3 throw Complete acted at 4 ended at 4
            4 Complete"#]],
    );
    // A reactive character plans each step when it gets there: the grenade is back at tick 5.
    check_text(
        &guard(["  cooldown 4", "", "  reactive"], &fights),
        expect![[r#"
            0 plans: throw
            0 throw Complete acted at 1 ended at 1
            1 goes on: shoot
            1 shoot Complete acted at 3 ended at 3
            3 goes on: shoot
            3 shoot Complete acted at 5 ended at 5
            5 goes on: throw
            5 throw Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn compound_task_cools_down_after_its_last_step() {
    check_text(
        &guard(
            ["", "  cooldown 5", "  reactive"],
            "  does fight\n  does fight\n",
        ),
        expect![[r#"
            0 plans: throw
            0 throw Complete acted at 1 ended at 1
            1 goes on: NoPlan
            6 tries again: throw
            6 throw Complete acted at 7 ended at 7
            7 Complete"#]],
    );
}

#[test]
fn failed_task_cools_down_but_one_that_could_not_start_does_not() {
    check_text(
        &guard(
            ["  cooldown 4\n  integrity not alarm", "", ""],
            "  does throw\n  event 1 alarm\n  event 2 not alarm\n",
        ),
        expect![[r#"
            0 plans: throw
            0 throw Failed ended at 1: integrity rule of throw: not alarm
            1 event 0: alarm = true
            2 event 1: alarm = false
            2 plans, as throw failed: NoPlan
            5 tries again: throw
            5 throw Complete acted at 6 ended at 6
            6 Complete"#]],
    );
    check_text(
        &guard(
            ["  cooldown 4\n  pre not alarm", "", ""],
            "  does shoot\n  does throw\n  event 1 alarm\n  event 3 not alarm\n",
        ),
        expect![[r#"
            0 plans: shoot, throw
            0 shoot Complete acted at 2 ended at 2
            1 event 0: alarm = true
            2 throw Failed ended at 2: precondition is false: not alarm
            3 event 1: alarm = false
            3 plans, as throw failed: throw
            3 throw Complete acted at 4 ended at 4
            4 Complete"#]],
    );
}

#[test]
fn alternative_trigger_notices_that_a_task_has_cooled_down() {
    check_text(
        &guard(
            ["  cooldown 3", "", "  reactive\n  alternative"],
            &"  does fight\n".repeat(3),
        ),
        expect![[r#"
            0 plans: throw
            0 throw Complete acted at 1 ended at 1
            1 goes on: shoot
            1 shoot Complete acted at 3 ended at 3
            3 goes on: shoot
            3 shoot Failed ended at 4: interrupted by a new plan
            4 plans, as something better is possible: throw
            4 throw Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

/// A character with two goals that are undone again and again.
fn camper(goal: &str, agent: &str, scenario: &str) -> String {
    format!(
        "
type person
object ann: person
sensor fact fed
sensor fact warm
action Eat 2
action Burn 3
primitive eat = Eat
  eff fed
primitive burn = Burn
  eff warm
goal meal: fed
  priority 2
{goal}
goal heat: warm
  priority 1
agent camper: person
  wants meal
  wants heat
{agent}
scenario s
  cast ann as camper
{scenario}"
    )
}

#[test]
fn reached_goal_is_not_pursued_while_it_cools_down() {
    let scenario = "  event 4 not fed\n  event 5 not warm\n";
    check_text(
        &camper("  cooldown 9", "  margin 0", scenario),
        expect![[r#"
            0 plans: eat
            0 eat Complete acted at 2 ended at 2: fed = true
            3 goes on: burn
            3 burn Complete acted at 6 ended at 6: warm = true
            4 event 0: fed = false
            5 event 1
            7 goes on
            11 plans after an event: eat
            11 eat Complete acted at 13 ended at 13: fed = true
            14 goes on
            22 Complete"#]],
    );
}

#[test]
fn goal_that_was_given_up_cools_down() {
    let scenario = "  initial fed\n  event 1 not fed\n  event 3 fed\n  event 4 not fed\n";
    check_text(
        &camper("  cooldown 6", "  margin 0", scenario),
        expect![[r#"
            0 plans: burn
            0 burn Failed ended at 1: interrupted by a new plan
            1 event 0: fed = false
            1 plans for what is worth more: eat
            1 eat Complete acted at 3 ended at 3
            3 event 1: fed = true
            4 event 2: fed = false
            4 goes on: burn
            4 burn Complete acted at 7 ended at 7: warm = true
            8 goes on
            9 plans after an event: eat
            9 eat Complete acted at 11 ended at 11: fed = true
            12 goes on
            17 Complete"#]],
    );
}
