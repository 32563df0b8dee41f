//! Runs of the shipped opening: numbers, subgoals, partial plans, and managers.

use super::shipped_goals::check;
use expect_test::expect;
use testkit::domain;

#[test]
fn subgoals_are_reached_in_order() {
    check(
        &domain::example("opening"),
        "case-1-the-commander",
        "",
        [0, 100],
        expect![[r#"
            0 plans: train(worker), train(worker)
            0 train(worker) Complete acted at 3 ended at 3: has(worker) = 5, minerals = 4, room = 2
            3 train(worker) Complete acted at 6 ended at 6: has(worker) = 6, minerals = 0, room = 1
            7 goes on: mine, build(depot), mine, build(barracks), mine, train(soldier), train(soldier)
            7 mine Complete acted at 11 ended at 11: minerals = 12
            11 build(depot) Complete acted at 16 ended at 16: has(depot) = 1, minerals = 4, room = 5
            16 mine Complete acted at 20 ended at 20: minerals = 16
            20 build(barracks) Complete acted at 28 ended at 28: has(barracks) = 1, minerals = 4
            28 mine Complete acted at 32 ended at 32: minerals = 16
            32 train(soldier) Complete acted at 35 ended at 35: has(soldier) = 1, minerals = 12, room = 4
            35 train(soldier) Complete acted at 38 ended at 38: has(soldier) = 2, minerals = 8, room = 3
            39 goes on: build(refinery), draw-gas, mine, build(factory), draw-gas, mine, train(tank)
            39 build(refinery) Complete acted at 44 ended at 44: has(refinery) = 1, minerals = 0
            44 draw-gas Complete acted at 48 ended at 48: gas = 6
            44 mine Complete acted at 48 ended at 48: minerals = 12
            48 build(factory) Complete acted at 56 ended at 56: gas = 0, has(factory) = 1, minerals = 0
            56 draw-gas Complete acted at 60 ended at 60: gas = 6
            56 mine Complete acted at 60 ended at 60: minerals = 12
            60 train(tank) Complete acted at 66 ended at 66: gas = 0, has(tank) = 1, minerals = 2, room = 2
            67 goes on
            67 Complete"#]],
    );
}

#[test]
fn partial_plans_are_executed_and_continued() {
    check(
        &domain::example("opening"),
        "case-2-three-steps-ahead",
        "",
        [0, 100],
        expect![[r#"
            0 plans: train(worker), train(worker)
            0 train(worker) Complete acted at 3 ended at 3: has(worker) = 5, minerals = 4, room = 2
            3 train(worker) Complete acted at 6 ended at 6: has(worker) = 6, minerals = 0, room = 1
            7 goes on: mine, build(depot), mine
            7 mine Complete acted at 11 ended at 11: minerals = 12
            11 build(depot) Complete acted at 16 ended at 16: has(depot) = 1, minerals = 4, room = 5
            16 mine Complete acted at 20 ended at 20: minerals = 16
            21 goes on: build(barracks), mine, train(soldier)
            21 build(barracks) Complete acted at 29 ended at 29: has(barracks) = 1, minerals = 4
            29 mine Complete acted at 33 ended at 33: minerals = 16
            33 train(soldier) Complete acted at 36 ended at 36: has(soldier) = 1, minerals = 12, room = 4
            37 goes on: train(soldier)
            37 train(soldier) Complete acted at 40 ended at 40: has(soldier) = 2, minerals = 8, room = 3
            41 goes on: build(refinery), draw-gas, mine
            41 build(refinery) Complete acted at 46 ended at 46: has(refinery) = 1, minerals = 0
            46 draw-gas Complete acted at 50 ended at 50: gas = 6
            46 mine Complete acted at 50 ended at 50: minerals = 12
            51 goes on: build(factory), draw-gas, mine
            51 build(factory) Complete acted at 59 ended at 59: gas = 0, has(factory) = 1, minerals = 0
            59 draw-gas Complete acted at 63 ended at 63: gas = 6
            59 mine Complete acted at 63 ended at 63: minerals = 12
            64 goes on: train(tank)
            64 train(tank) Complete acted at 70 ended at 70: gas = 0, has(tank) = 1, minerals = 2, room = 2
            71 goes on
            71 Complete"#]],
    );
}

#[test]
fn defence_is_chosen_by_current_cost() {
    let opening = domain::example("opening");
    check(
        &opening,
        "case-3-an-early-attack",
        "",
        [3, 14],
        expect![[r#"
            3 train(worker) Failed ended at 5: interrupted by a new plan
            5 event 0: threat = 4
            5 plans for what is worth more: mine, build(bunker)
            5 mine Complete acted at 9 ended at 9: minerals = 14
            9 build(bunker) Complete acted at 14 ended at 14: has(bunker) = 1, minerals = 6"#]],
    );
    check(
        &opening,
        "case-4-a-late-attack",
        "",
        [3, 15],
        expect![[r#"
        3 train(worker) Failed ended at 5: interrupted by a new plan
        5 event 0: threat = 4
        5 plans for what is worth more: mine, train(soldier), train(soldier)
        5 mine Complete acted at 9 ended at 9: minerals = 14
        9 train(soldier) Complete acted at 12 ended at 12: has(soldier) = 1, minerals = 10, room = 1
        12 train(soldier) Complete acted at 15 ended at 15: has(soldier) = 2, minerals = 6, room = 0"#]],
    );
}

#[test]
fn order_is_in_progress_until_the_managers_complete_it() {
    let opening = domain::example("opening");
    check(
        &opening,
        "case-5-managers",
        "A",
        [0, 100],
        expect![[r#"
            0 A plans: call-for(depot), call-for(barracks), call-for(soldier), call-for(soldier)
            0 A call-for(depot) Complete acted at 0 ended at 6: wanted(depot) = 1
            6 A call-for(barracks) Complete acted at 6 ended at 23: wanted(barracks) = 1
            23 A call-for(soldier) Complete acted at 23 ended at 27: wanted(soldier) = 1
            27 A call-for(soldier) Complete acted at 27 ended at 35: wanted(soldier) = 2
            36 A goes on: call-for(refinery), call-for(factory), call-for(tank)
            36 A call-for(refinery) Complete acted at 36 ended at 46: wanted(refinery) = 1
            46 A call-for(factory) Complete acted at 46 ended at 64: wanted(factory) = 1
            64 A call-for(tank) Complete acted at 64 ended at 85: wanted(tank) = 1
            86 A goes on
            86 Complete"#]],
    );
    check(
        &opening,
        "case-5-managers",
        "C",
        [0, 100],
        expect![[r#"
            0 C plans: build(depot)
            0 C build(depot) Complete acted at 5 ended at 5: has(depot) = 1, minerals = 0, room = 7
            6 C goes on: NoPlan
            10 C plans after an event: NoPlan
            14 C plans after an event: build(barracks)
            14 C build(barracks) Complete acted at 22 ended at 22: has(barracks) = 1, minerals = 4
            23 C goes on
            36 C plans after an event: NoPlan
            40 C plans after an event: build(refinery)
            40 C build(refinery) Complete acted at 45 ended at 45: has(refinery) = 1, minerals = 4
            46 C goes on: NoPlan
            50 C plans after an event: NoPlan
            55 C plans after an event: build(factory)
            55 C build(factory) Complete acted at 63 ended at 63: gas = 0, has(factory) = 1, minerals = 0
            64 C goes on: build(depot)
            64 C build(depot) Complete acted at 69 ended at 69: has(depot) = 1, minerals = 8, room = 5
            70 C goes on
            86 Complete"#]],
    );
}
