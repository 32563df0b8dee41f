//! Runs of the shipped camp and of the shipped gatehouse, where characters have goals.

use std::sync::Arc;

use expect_test::{Expect, expect};
use taskloom_document::{Agent, Document};

use super::shipped::lines_of;
use super::{domain, name};

/// Returns one character's part of the run, from a tick to another. A character without an active
/// goal checks its goals whenever anything changes: those plannings are omitted.
pub fn check(document: &Document, scenario: &str, who: &str, ticks: [u32; 2], expected: Expect) {
    let is_included = |line: &String| {
        let tick = line.split(' ').next().and_then(|tick| tick.parse().ok());
        let is_idle = line.ends_with("plans after an event");
        !is_idle && tick.is_some_and(|tick: u32| ticks[0] <= tick && tick <= ticks[1])
    };
    let lines = lines_of(document, scenario, who);
    let report: Vec<String> = lines.into_iter().filter(is_included).collect();
    expected.assert_eq(&report.join("\n"));
}

fn with_agent(mut document: Document, agent: &str, change: impl Fn(&mut Agent)) -> Document {
    let agent = document.agents.get_mut(&name(agent)).expect("an agent");
    change(Arc::make_mut(agent));
    document
}

#[test]
fn second_request_makes_the_miner_drop_the_pick() {
    let camp = domain::example("rts");
    let larder = "case-2-an-empty-larder";
    check(
        &camp,
        larder,
        "A",
        [0, 32],
        expect![[r#"
            0 A plans: look-around, ask-for(food), look-around, ask-for(food), look-around, look-around, look-around, look-around, look-around, look-around
            0 A look-around Complete acted at 4 ended at 4: reviews = 7
            4 A ask-for(food) Complete acted at 4 ended at 4: wish(food) = 2
            4 A look-around Complete acted at 8 ended at 8: reviews = 6
            8 A ask-for(food) Complete acted at 8 ended at 8: wish(food) = 4
            8 A look-around Complete acted at 12 ended at 12: reviews = 5
            12 A look-around Complete acted at 16 ended at 16: reviews = 4
            16 A look-around Complete acted at 20 ended at 20: reviews = 3
            20 A look-around Complete acted at 24 ended at 24: reviews = 2
            24 A look-around Complete acted at 28 ended at 28: reviews = 1
            28 A plans as time goes by: call-off(food), look-around
            28 A call-off(food) Complete acted at 28 ended at 28: wish(food) = 0
            28 A look-around Complete acted at 32 ended at 32: reviews = 0"#]],
    );
    check(
        &camp,
        larder,
        "C",
        [0, 45],
        expect![[r#"
            0 C plans: walk-to(mine), dig, walk-to(store), unload(ore)
            0 C walk-to(mine) Complete acted at 6 ended at 6: place_of(max) = mine
            6 C dig Failed ended at 8: interrupted by a new plan
            8 C plans for what is worth more: walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food)
            8 C walk-to(field) Complete acted at 18 ended at 18: place_of(max) = field
            18 C harvest Complete acted at 21 ended at 21: carries(max, food) = true
            21 C walk-to(store) Complete acted at 25 ended at 25: place_of(max) = store
            24 C plans for what is worth more: walk-to(store), eat
            25 C eat Complete acted at 26 ended at 26: hunger(max) = 0, stock(food) = 3
            27 C goes on: unload(food)
            27 C unload(food) Complete acted at 28 ended at 28: carries(max, food) = false, stock(food) = 5
            29 C goes on: walk-to(mine), dig, walk-to(store), unload(ore)
            29 C walk-to(mine) Complete acted at 35 ended at 35: place_of(max) = mine
            35 C dig Complete acted at 38 ended at 38: carries(max, ore) = true
            38 C walk-to(store) Complete acted at 44 ended at 44: place_of(max) = store
            44 C unload(ore) Complete acted at 45 ended at 45: carries(max, ore) = false, stock(ore) = 4"#]],
    );
    // No request ever raises a goal's value by this much.
    let stubborn = with_agent(camp.clone(), "miner", |miner| {
        miner.triggers.goal = Some(20.0)
    });
    check(
        &stubborn,
        larder,
        "C",
        [0, 17],
        expect![[r#"
        0 C plans: walk-to(mine), dig, walk-to(store), unload(ore)
        0 C walk-to(mine) Complete acted at 6 ended at 6: place_of(max) = mine
        6 C dig Complete acted at 9 ended at 9: carries(max, ore) = true
        9 C walk-to(store) Complete acted at 15 ended at 15: place_of(max) = store
        15 C unload(ore) Complete acted at 16 ended at 16: carries(max, ore) = false, stock(ore) = 4
        17 C goes on: walk-to(field), harvest, walk-to(store), unload(food)
        17 C walk-to(field) Complete acted at 21 ended at 21: place_of(max) = field"#]],
    );
    // A request for twice as much is successful the first time.
    let mut camp = camp;
    let ask = camp
        .primitive_tasks
        .get_mut(&name("ask-for"))
        .expect("the captain asks");
    Arc::make_mut(ask).effects[0].text = "wish(?what) += 4".to_owned();
    check(
        &camp,
        larder,
        "C",
        [0, 8],
        expect![[r#"
        0 C plans: walk-to(mine), dig, walk-to(store), unload(ore)
        0 C walk-to(mine) Failed ended at 4: interrupted by a new plan
        4 C plans for what is worth more: walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food)
        4 C walk-to(field) Complete acted at 8 ended at 8: place_of(max) = field
        8 C harvest Complete acted at 11 ended at 11: carries(max, food) = true"#]],
    );
}

#[test]
fn miner_keeps_mining_without_a_captain() {
    let camp = domain::example("rts");
    check(
        &camp,
        "case-5-without-a-captain",
        "B",
        [0, 15],
        expect![[r#"
            0 B plans: walk-to(mine), dig, walk-to(store), unload(ore)
            0 B walk-to(mine) Complete acted at 6 ended at 6: place_of(max) = mine
            6 B dig Complete acted at 9 ended at 9: carries(max, ore) = true
            9 B walk-to(store) Complete acted at 15 ended at 15: place_of(max) = store
            15 B unload(ore) Complete acted at 16 ended at 16: carries(max, ore) = false, stock(ore) = 4"#]],
    );
}

#[test]
fn farmer_mines_while_requested_and_returns_to_the_field() {
    check(
        &domain::example("rts"),
        "case-3-no-ore",
        "B",
        [0, 60],
        expect![[r#"
            0 B plans: walk-to(field), harvest, walk-to(store), unload(food)
            0 B walk-to(field) Complete acted at 6 ended at 6: place_of(fay) = field
            6 B harvest Failed ended at 8: interrupted by a new plan
            8 B plans for what is worth more: walk-to(mine), dig, walk-to(store), unload(ore), walk-to(mine), dig, walk-to(store), unload(ore)
            8 B walk-to(mine) Complete acted at 18 ended at 18: place_of(fay) = mine
            18 B dig Complete acted at 21 ended at 21: carries(fay, ore) = true
            21 B walk-to(store) Complete acted at 27 ended at 27: place_of(fay) = store
            27 B unload(ore) Complete acted at 28 ended at 28: carries(fay, ore) = false, stock(ore) = 2
            28 B walk-to(mine) Complete acted at 34 ended at 34: place_of(fay) = mine
            34 B dig Complete acted at 37 ended at 37: carries(fay, ore) = true
            37 B walk-to(store) Complete acted at 43 ended at 43: place_of(fay) = store
            43 B unload(ore) Complete acted at 44 ended at 44: carries(fay, ore) = false, stock(ore) = 4
            45 B goes on: walk-to(field), harvest, walk-to(store), unload(food)
            45 B walk-to(field) Complete acted at 49 ended at 49: place_of(fay) = field
            49 B harvest Complete acted at 52 ended at 52: carries(fay, food) = true
            52 B walk-to(store) Complete acted at 56 ended at 56: place_of(fay) = store
            56 B unload(food) Complete acted at 57 ended at 57: carries(fay, food) = false, stock(food) = 6
            58 B goes on
            58 Complete"#]],
    );
}

#[test]
fn soldier_retries_until_a_weapon_is_forged() {
    check(
        &domain::example("rts"),
        "case-4-raiders",
        "D",
        [0, 60],
        expect![[r#"
            0 D plans
            5 D plans after an event: NoPlan
            7 D plans after an event: walk-to(store), eat
            7 D walk-to(store) Complete acted at 13 ended at 13: place_of(sol) = store
            13 D eat Complete acted at 14 ended at 14: hunger(sol) = 0, stock(food) = 5
            15 D goes on: NoPlan
            16 D plans after an event: NoPlan
            18 D plans after an event: NoPlan
            20 D plans after an event: take-weapon, walk-to(gate), strike, strike, strike, strike, strike, strike, strike, strike
            20 D take-weapon Complete acted at 21 ended at 21: armed(sol) = true, stock(weapons) = 0
            21 D walk-to(gate) Complete acted at 27 ended at 27: place_of(sol) = gate
            27 D strike Complete acted at 29 ended at 29: raid = 7
            29 D strike Complete acted at 31 ended at 31: raid = 6
            31 D strike Complete acted at 33 ended at 33: raid = 5
            33 D strike Complete acted at 35 ended at 35: raid = 4
            35 D strike Complete acted at 37 ended at 37: raid = 2
            37 D strike Complete acted at 39 ended at 39: raid = 0
            39 D plans for what is worth more
            58 Complete"#]],
    );
}

#[test]
fn farmer_is_called_to_arms_while_raiders_are_present() {
    check(
        &domain::example("rts"),
        "case-4-raiders",
        "B",
        [20, 60],
        expect![[r#"
            22 B unload(food) Complete acted at 23 ended at 23: carries(fay, food) = false, stock(food) = 7
            24 B goes on
            28 B plans after an event: take-weapon, walk-to(gate), strike, strike, strike, strike, strike, strike, strike, strike
            28 B take-weapon Complete acted at 29 ended at 29: armed(fay) = true, stock(weapons) = 0
            29 B walk-to(gate) Complete acted at 35 ended at 35: place_of(fay) = gate
            35 B strike Complete acted at 37 ended at 37: raid = 3
            37 B strike Complete acted at 39 ended at 39: raid = 1
            39 B strike Failed ended at 40: interrupted by a new plan
            40 B plans for what is worth more
            58 Complete"#]],
    );
}

#[test]
fn reactive_hand_decides_after_each_step() {
    check(
        &domain::example("rts"),
        "case-6-a-day-hand",
        "",
        [0, 60],
        expect![[r#"
            0 plans: walk-to(field)
            0 walk-to(field) Complete acted at 4 ended at 4: place_of(nils) = field
            4 goes on: harvest
            4 harvest Complete acted at 7 ended at 7: carries(nils, food) = true
            7 goes on: walk-to(store)
            7 walk-to(store) Complete acted at 11 ended at 11: place_of(nils) = store
            11 goes on: unload(food)
            11 unload(food) Complete acted at 12 ended at 12: carries(nils, food) = false, stock(food) = 4
            12 goes on: walk-to(field)
            12 walk-to(field) Complete acted at 16 ended at 16: place_of(nils) = field
            15 event 0: stock(food) = 7
            16 goes on
            16 Complete"#]],
    );
}

#[test]
fn sentry_replans_during_a_long_step_and_recruit_does_not() {
    let post = domain::example("sentry");
    check(
        &post,
        "case-2-into-sight",
        "",
        [0, 60],
        expect![[r#"
            0 plans: inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
            0 inspect(east-wall) Failed ended at 5: interrupted by a new plan
            5 event 0: place_of(ivo) = yard
            5 perceives: place_of(ivo) = yard
            5 plans for what is worth more: shoot(ivo)
            5 shoot(ivo) Complete acted at 6 ended at 6: bolts(gwen) = 2, down(ivo) = true
            7 goes on: inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
            7 inspect(east-wall) Complete acted at 13 ended at 13: visited(east-wall) = true
            13 walk(tower) Complete acted at 15 ended at 15: place_of(gwen) = tower
            15 inspect(tower) Complete acted at 21 ended at 21: visited(tower) = true
            21 walk(west-wall) Complete acted at 23 ended at 23: place_of(gwen) = west-wall
            23 inspect(west-wall) Complete acted at 29 ended at 29: visited(west-wall) = true
            30 goes on: walk(yard), walk(gatehouse), reload
            30 walk(yard) Complete acted at 32 ended at 32: place_of(gwen) = yard
            32 walk(gatehouse) Complete acted at 34 ended at 34: place_of(gwen) = gatehouse
            34 reload Complete acted at 37 ended at 37: bolts(gwen) = 3
            38 goes on
            47 Complete"#]],
    );
    check(
        &post,
        "case-3-the-recruit",
        "",
        [0, 60],
        expect![[r#"
            0 plans: inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
            0 inspect(east-wall) Complete acted at 6 ended at 6: visited(east-wall) = true
            5 event 0: place_of(ivo) = yard
            5 perceives: place_of(ivo) = yard
            6 walk(tower) Complete acted at 8 ended at 8: place_of(gwen) = tower
            8 inspect(tower) Complete acted at 14 ended at 14: visited(tower) = true
            14 event 1: place_of(ivo) = keep
            14 walk(west-wall) Complete acted at 16 ended at 16: place_of(gwen) = west-wall
            16 inspect(west-wall) Complete acted at 22 ended at 22: visited(west-wall) = true
            18 event 2: robbed = true
            18 perceives: place_of(ivo) = none
            23 goes on
            32 Complete"#]],
    );
    let recruit = lines_of(&post, "case-3-the-recruit", "");
    let post = with_agent(post, "sentry", |sentry| sentry.triggers.goal = None);
    assert_eq!(lines_of(&post, "case-2-into-sight", ""), recruit);
}

#[test]
fn bolts_are_fetched_as_a_plan_needs_them() {
    check(
        &domain::example("sentry"),
        "case-4-out-of-bolts",
        "",
        [0, 9],
        expect![[r#"
            0 plans: walk(gatehouse), reload, walk(yard), shoot(ivo)
            0 walk(gatehouse) Complete acted at 2 ended at 2: place_of(gwen) = gatehouse
            2 reload Complete acted at 5 ended at 5: bolts(gwen) = 3
            5 walk(yard) Complete acted at 7 ended at 7: place_of(gwen) = yard
            7 shoot(ivo) Complete acted at 8 ended at 8: bolts(gwen) = 2, down(ivo) = true
            9 goes on: walk(east-wall), inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
            9 walk(east-wall) Complete acted at 11 ended at 11: place_of(gwen) = east-wall"#]],
    );
}

#[test]
fn badly_hurt_character_values_escape_higher() {
    check(
        &domain::example("sentry"),
        "case-5-badly-hurt",
        "",
        [0, 60],
        expect![[r#"
            0 plans: inspect(tower), walk(east-wall), inspect(east-wall), walk(tower), walk(west-wall), inspect(west-wall)
            0 inspect(tower) Failed ended at 3: interrupted by a new plan
            3 event 0: place_of(ivo) = west-wall
            3 event 1: health(gwen) = 1
            3 perceives: health(gwen) = 1, place_of(ivo) = west-wall
            3 plans for what is worth more: walk(east-wall), walk(yard), walk(gatehouse), bar-the-door
            3 walk(east-wall) Complete acted at 5 ended at 5: place_of(gwen) = east-wall
            5 walk(yard) Complete acted at 7 ended at 7: place_of(gwen) = yard
            7 walk(gatehouse) Complete acted at 9 ended at 9: place_of(gwen) = gatehouse
            9 bar-the-door Complete acted at 10 ended at 10: barred = true
            11 goes on
            19 perceives: place_of(ivo) = none
            20 Complete"#]],
    );
}
