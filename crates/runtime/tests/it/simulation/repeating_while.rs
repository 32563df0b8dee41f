//! Task blocks that do their task while a formula is true, in a run.

use expect_test::expect;

use super::check_text;

/// A gunner who shoots at what lives; the lines are those of the blocks after Begin `a` and Bind `b` of `fight`,
/// of the agent, and of the scenario.
fn gunner(method: &str, agent: &str, scenario: &str) -> String {
    format!(
        "
type person
type foe
object ann: person
object rat: foe
object wolf: foe
sensor fact alive(?foe: foe)
sensor number ammo integer 0..9
sensor number noise integer 0..9
action Shoot 2
action Shout 1 by voice
primitive shoot(?foe: foe) = Shoot
  pre ammo > 0
  eff ammo -= 1
primitive shout = Shout
  eff noise += 1
primitive rest = Shoot
compound fight
  block a begin
  block b bind ?foe: foe where alive(?foe)
  wire a.out -> b
{method}
compound loud
  goal noise >= 3
agent gunner: person
{agent}
scenario s
  cast ann as gunner
  initial alive(wolf)
  initial ammo = 4
  does fight
{scenario}"
    )
}

const SHOOT: &str = "  block c task shoot(?foe) repeat 5 while alive(?foe) and ammo > 1
  block d task rest
  wire b.out -> c
  wire c.out -> d
";

#[test]
fn task_is_repeated_until_the_formula_is_false() {
    check_text(
        &gunner(SHOOT, "", ""),
        expect![[r#"
        0 plans: shoot(wolf), shoot(wolf), shoot(wolf), rest
        0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 3
        2 shoot(wolf) Complete acted at 4 ended at 4: ammo = 2
        4 shoot(wolf) Complete acted at 6 ended at 6: ammo = 1
        6 rest Complete acted at 8 ended at 8
        8 Complete"#]],
    );
}

#[test]
fn formula_that_is_false_at_first_leaves_nothing_to_do() {
    check_text(
        &gunner(SHOOT, "", "  initial ammo = 1\n"),
        expect![[r#"
        0 plans: rest
        0 rest Complete acted at 2 ended at 2
        2 Complete"#]],
    );
}

#[test]
fn number_of_repetitions_is_a_limit() {
    check_text(
        &gunner(&SHOOT.replace("repeat 5", "repeat 2"), "", ""),
        expect![[r#"
            0 plans: shoot(wolf), shoot(wolf), rest
            0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 3
            2 shoot(wolf) Complete acted at 4 ended at 4: ammo = 2
            4 rest Complete acted at 6 ended at 6
            6 Complete"#]],
    );
    // Without a number it is done once, if at all.
    let once = SHOOT.replace(" repeat 5", "");
    check_text(
        &gunner(&once, "", ""),
        expect![[r#"
        0 plans: shoot(wolf), rest
        0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 3
        2 rest Complete acted at 4 ended at 4
        4 Complete"#]],
    );
    check_text(
        &gunner(&once, "", "  initial ammo = 0\n"),
        expect![[r#"
        0 plans: rest
        0 rest Complete acted at 2 ended at 2
        2 Complete"#]],
    );
}

#[test]
fn formula_is_evaluated_again_when_the_rest_is_planned_again() {
    // The wolf dies during the second shot.
    check_text(
        &gunner(SHOOT, "  perception\n", "  event 3 not alive(wolf)\n"),
        expect![[r#"
            0 plans: shoot(wolf), shoot(wolf), shoot(wolf), rest
            0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 3
            2 shoot(wolf) Failed ended at 3: interrupted by a new plan
            3 event 0: alive(wolf) = false
            3 plans, noticing alive(wolf): rest
            3 rest Complete acted at 5 ended at 5
            5 Complete"#]],
    );
    // It gets ammunition after it has shot twice.
    check_text(
        &gunner(
            SHOOT,
            "  perception\n",
            "  initial ammo = 3\n  event 3 ammo += 3\n",
        ),
        expect![[r#"
            0 plans: shoot(wolf), shoot(wolf), rest
            0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 2
            2 shoot(wolf) Complete acted at 4 ended at 4: ammo = 4
            3 event 0: ammo = 5
            3 plans, noticing ammo: shoot(wolf), shoot(wolf), shoot(wolf), shoot(wolf), rest
            4 shoot(wolf) Complete acted at 6 ended at 6: ammo = 3
            6 shoot(wolf) Complete acted at 8 ended at 8: ammo = 2
            8 shoot(wolf) Complete acted at 10 ended at 10: ammo = 1
            10 rest Complete acted at 12 ended at 12
            12 Complete"#]],
    );
}

#[test]
fn formula_that_is_true_requires_the_task() {
    check_text(
        &gunner(&SHOOT.replace(" and ammo > 1", ""), "", ""),
        expect![[r#"
            0 plans: NoPlan
            0 Failed"#]],
    );
}

#[test]
fn reactive_actor_evaluates_it_before_each_repetition() {
    check_text(
        &gunner(SHOOT, "  reactive\n", "  event 3 not alive(wolf)\n"),
        expect![[r#"
            0 plans: shoot(wolf)
            0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 3
            2 goes on: shoot(wolf)
            2 shoot(wolf) Complete acted at 4 ended at 4: ammo = 2
            3 event 0: alive(wolf) = false
            4 goes on
            4 goes on
            4 goes on
            4 goes on: rest
            4 rest Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}

#[test]
fn other_options_apply_to_the_repetitions() {
    let method = SHOOT.replace("shoot(?foe) repeat 5", "shout repeat 5 background");
    let method = method.replace("alive(?foe) and ammo > 1", "noise < 4");
    check_text(
        &gunner(&method, "", ""),
        expect![[r#"
        0 plans: shout, shout, shout, shout, rest
        0 shout Complete acted at 1 ended at 1: noise = 1
        0 rest Complete acted at 2 ended at 2
        1 shout Complete acted at 2 ended at 2: noise = 2
        2 Complete"#]],
    );
    let method = SHOOT.replace("repeat 5", "repeat 5 retry 0 abort shout");
    check_text(
        &gunner(&method, "", "  fail shoot time 2\n"),
        expect![[r#"
        0 plans: shoot(wolf), shoot(wolf), shoot(wolf), rest
        0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 3
        2 shoot(wolf) Failed ended at 4: the scenario makes this action fail
        5 plans, as shoot(wolf) failed: NoPlan
        5 Failed"#]],
    );
}

#[test]
fn repeated_task_may_have_a_goal() {
    let method = SHOOT.replace(
        "shoot(?foe) repeat 5 while alive(?foe) and ammo > 1",
        "loud repeat 2 while noise < 2",
    );
    check_text(
        &gunner(&method, "", ""),
        expect![[r#"
        0 plans: shout, shout, shout, rest
        0 shout Complete acted at 1 ended at 1: noise = 1
        1 shout Complete acted at 2 ended at 2: noise = 2
        2 shout Complete acted at 3 ended at 3: noise = 3
        3 rest Complete acted at 5 ended at 5
        5 Complete"#]],
    );
}

#[test]
fn repertoire_that_has_the_task_has_its_repetitions() {
    let agent = "  uses fight\n  uses shoot\n  uses rest\n";
    check_text(
        &gunner(SHOOT, agent, ""),
        expect![[r#"
        0 plans: shoot(wolf), shoot(wolf), shoot(wolf), rest
        0 shoot(wolf) Complete acted at 2 ended at 2: ammo = 3
        2 shoot(wolf) Complete acted at 4 ended at 4: ammo = 2
        4 shoot(wolf) Complete acted at 6 ended at 6: ammo = 1
        6 rest Complete acted at 8 ended at 8
        8 Complete"#]],
    );
}

#[test]
fn actor_looks_for_another_plan_at_each_tick_while_nothing_is_left_of_its_plan() {
    // The main branch has nothing to do, so what is in the background ends at once, and the rest relies on it.
    check_text(
        "
fact tidy
fact tired
action Work 3
primitive clean = Work
  eff tidy
primitive sleep = Work
primitive leave = Work
  pre tidy
compound house
  block a begin
  block b task clean background
  block c task sleep while tired
  wire a.out -> b
  wire b.out -> c
scenario s
  task house
  task leave
  event 3 tired",
        expect![[r#"
            0 plans: clean, leave
            0 clean Complete acted at 3 ended at 3: tidy = true
            3 event 0: tired = true
            3 leave Complete acted at 6 ended at 6
            6 Complete"#]],
    );
}
