//! When a step starts, acts, waits, is complete or fails.

use super::{check, check_text, name, report};
use crate::reference::simulate;
use expect_test::expect;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use testkit::domain::{document, example};

#[test]
fn an_open_box() {
    check(
        &example("ball-in-the-box"),
        "case-1-box-open",
        expect![[r#"
            0 plans: walk-to(box), take-ball
            0 walk-to(box) Complete acted at 3 ended at 3: at(box) = true, at(table) = false
            3 take-ball Complete acted at 5 ended at 5: ball_in_box = false, has(ball) = true
            5 Complete"#]],
    );
}

#[test]
fn replans_when_the_box_slams_shut() {
    check(
        &example("ball-in-the-box"),
        "case-5-the-box-slams-shut",
        expect![[r#"
            0 plans: walk-to(box), take-ball
            0 walk-to(box) Complete acted at 3 ended at 3: at(box) = true, at(table) = false
            3 take-ball Failed ended at 4: integrity rule of take-ball: box_open
            4 event 0: box_open = false
            5 plans, as take-ball failed: open-box, take-ball
            5 open-box Complete acted at 6 ended at 6: box_open = true
            6 take-ball Complete acted at 8 ended at 8: ball_in_box = false, has(ball) = true
            8 Complete"#]],
    );
}

#[test]
fn a_locked_box_and_a_hammer() {
    check(
        &example("ball-in-the-box"),
        "case-4-hammer-in-the-shed",
        expect![[r#"
            0 plans: walk-to(box), walk-to(shed), pick-up(hammer), walk-to(box), smash-box, take-ball
            0 walk-to(box) Complete acted at 3 ended at 3: at(box) = true, at(table) = false
            3 walk-to(shed) Complete acted at 6 ended at 6: at(box) = false, at(shed) = true
            6 pick-up(hammer) Complete acted at 7 ended at 7: has(hammer) = true, item_at(hammer, shed) = false
            7 walk-to(box) Complete acted at 10 ended at 10: at(box) = true, at(shed) = false
            10 smash-box Complete acted at 14 ended at 14: box_open = true
            14 take-ball Complete acted at 16 ended at 16: ball_in_box = false, has(ball) = true
            16 Complete"#]],
    );
}

#[test]
fn no_way_in() {
    check(
        &example("ball-in-the-box"),
        "case-6-no-way-in",
        expect![[r#"
            0 plans: NoPlan
            0 Failed"#]],
    );
}

const OPEN: &str = "
fact open
fact stuck
action Open 2
primitive open-it = Open
";

#[test]
fn completed_tasks_still_take_their_duration() {
    let text = format!("{OPEN}  done open\n  eff open\nscenario s\n  task open-it\n  goal open");
    check_text(
        &text,
        expect![[r#"
            0 plans: open-it
            0 open-it Complete acted at 2 ended at 2: open = true
            2 Complete"#]],
    );
}

#[test]
fn planned_and_executed_effects_apply_when_the_duration_ends() {
    let text = format!("{OPEN}  planned open\n  executed stuck\nscenario s\n  task open-it");
    check_text(
        &text,
        expect![[r#"
            0 plans: open-it
            0 open-it Complete acted at 2 ended at 2: open = true, stuck = true
            2 Complete"#]],
    );
}

#[test]
fn a_step_waits_for_its_completion_conditions_and_does_not_act_again() {
    let text = "
number n
fact rested
action Sleep 1
primitive sleep = Sleep
  done rested
  eff n += 1
primitive rise
scenario s
  task sleep
  task rise
  event 5 rested";
    check_text(
        text,
        expect![[r#"
            0 plans: sleep, rise
            0 sleep Complete acted at 1 ended at 5: n = 1
            5 event 0: rested = true
            5 rise Complete acted at 5 ended at 5
            5 Complete"#]],
    );
}

#[test]
fn integrity_rules_apply_while_a_step_waits() {
    let text = "
number n
fact never
action Sleep 1
primitive sleep = Sleep
  integrity n < 2
  done never
  eff n += 1
scenario s
  task sleep
  event 4 n += 1";
    let run = simulate(
        &Domain::from(&document(text)),
        &name("s"),
        Budget::default(),
        5,
    );
    expect![[r#"
        0 plans: sleep
        0 sleep Failed acted at 1 ended at 4: integrity rule of sleep: n < 2 (n is 2); n = 1
        4 event 0: n = 2
        5 plans, as sleep failed: NoPlan
        5 Failed"#]]
    .assert_eq(&report(&run));
    let text = "
fact calm
fact never
action Shout 1
primitive shout = Shout
  pre calm
  integrity calm
  done never
  eff not calm
scenario s
  initial calm
  task shout";
    check_text(
        text,
        expect![[r#"
            0 plans: shout
            0 shout Failed acted at 1 ended at 2: integrity rule of shout: calm; calm = false
            3 plans, as shout failed: NoPlan
            3 Failed"#]],
    );
}

#[test]
fn compound_integrity_rules_apply_during_its_steps() {
    let text = "
fact night
fact home
action Walk 3
primitive walk = Walk
primitive go-home
  eff home
compound watch
  integrity night
  sequence patrol
compound patrol
  sequence walk; walk
compound serve
  block a begin
  block b choice watch, leave
  block c task watch
  block d task go-home
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
scenario s
  initial night
  task serve
  event 4 not night";
    // The method has no condition, so it watches again, and fails again, although it could do
    // better.
    let run = simulate(
        &Domain::from(&document(text)),
        &name("s"),
        Budget::default(),
        6,
    );
    expect![[r#"
        0 plans: walk, walk
        0 walk Complete acted at 3 ended at 3
        3 walk Failed ended at 4: integrity rule of watch: night
        4 event 0: night = false
        5 plans, as walk failed: go-home
        5 go-home Complete acted at 5 ended at 5: home = true
        5 Complete"#]]
    .assert_eq(&report(&run));
}

#[test]
fn cut_off_step_reports_its_pending_condition() {
    let text = format!("{OPEN}  done stuck\n  eff open\nscenario s\n  task open-it");
    check_text(
        &text,
        expect![[r#"
            0 plans: open-it
            0 open-it InProgress acted at 2: waits for stuck; open = true
            200 OutOfTicks"#]],
    );
    let text = format!("{OPEN}scenario s\n  task open-it");
    let run = simulate(
        &Domain::from(&document(&text)),
        &name("s"),
        Budget::default(),
        1,
    );
    expect![[r#"
        0 plans: open-it
        0 open-it InProgress: runs until tick 2
        1 OutOfTicks"#]]
    .assert_eq(&report(&run));
}

#[test]
fn pending_conditions_include_values() {
    let text = "
type place
object hall: place
number ammo
value place_of: place
action Wait 1
primitive wait = Wait
  done ammo >= 3 and place_of = hall
scenario s
  initial ammo = 1
  task wait
  event 3 ammo := 4";
    check_text(
        text,
        expect![[r#"
            0 plans: wait
            0 wait InProgress acted at 1: waits for place_of = hall (place_of is none)
            3 event 0: ammo = 4
            200 OutOfTicks"#]],
    );
}

#[test]
fn duration_depends_on_arguments_and_world() {
    let text = "
type place
object hut: place
object lake: place
number distance(?p: place)
fact afraid
fact shouts
action Run(?p: place) distance(?p) / (1 + count ?q: place. afraid)
primitive run(?p: place) = Run(?p)
  executed shouts when afraid
scenario s
  initial distance(hut) = 5
  initial distance(lake) = 8
  task run(hut)
  task run(lake)
  event 3 afraid";
    // A character that is afraid is three times as fast; the last of 8 / 3 ticks is a whole one.
    check_text(
        text,
        expect![[r#"
        0 plans: run(hut), run(lake)
        0 run(hut) Complete acted at 5 ended at 5: shouts = true
        3 event 0: afraid = true
        5 run(lake) Complete acted at 8 ended at 8
        8 Complete"#]],
    );
}
