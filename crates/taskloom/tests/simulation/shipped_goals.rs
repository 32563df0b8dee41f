//! What happens in the shipped examples whose characters have goals.

use expect_test::expect;

use crate::domain;
use crate::shipped::check;

#[test]
fn rts_case_1_a_good_day() {
    check(&domain::example("rts"), "case-1-a-good-day", "", expect![[r#"
        0 A plans: look-around, ask-for(patrol), look-around, look-around, look-around
        0 A look-around Complete acted at 3 ended at 3: reviews = 3
        0 B plans: walk-to(field), harvest, walk-to(store), unload(food)
        0 B walk-to(field) Complete acted at 3 ended at 3: place_of(fay) = field
        0 C plans: walk-to(mine), dig, walk-to(store), unload(ore)
        0 C walk-to(mine) Complete acted at 4 ended at 4: place_of(max) = mine
        0 D plans: walk-fence
        0 D walk-fence Complete acted at 6 ended at 6: fence_walked = true
        3 A ask-for(patrol) Complete acted at 4 ended at 4: wish(patrol) = 2
        3 B harvest Complete acted at 6 ended at 6: carries(fay, food) = true
        4 A look-around Complete acted at 7 ended at 7: reviews = 2
        4 C dig Complete acted at 7 ended at 7: carries(max, ore) = true
        6 B walk-to(store) Complete acted at 9 ended at 9: place_of(fay) = store
        7 A look-around Complete acted at 10 ended at 10: reviews = 1
        7 C walk-to(store) Complete acted at 11 ended at 11: place_of(max) = store
        7 D goes on
        9 event 0: hunger(fay) = 1, hunger(hugo) = 1, hunger(max) = 1, hunger(sol) = 3
        9 B unload(food) Complete acted at 10 ended at 10: carries(fay, food) = false, stock(food) = 6
        9 D plans after an event: walk-to(store), eat
        9 D walk-to(store) Complete acted at 14 ended at 14: place_of(sol) = store
        10 A look-around Complete acted at 13 ended at 13: reviews = 0
        11 B goes on
        11 C unload(ore) Complete acted at 12 ended at 12: carries(max, ore) = false, stock(ore) = 4
        12 B plans after an event
        13 B plans after an event
        13 C goes on
        14 D eat Complete acted at 15 ended at 15: hunger(sol) = 0, stock(food) = 5
        15 B plans after an event
        15 C plans after an event
        16 event 1: fence_walked = false
        16 B plans after an event: walk-to(field), harvest, walk-to(store), unload(food)
        16 B walk-to(field) Complete acted at 19 ended at 19: place_of(fay) = field
        16 C plans after an event
        16 D goes on: walk-to(gate), walk-fence
        16 D walk-to(gate) Complete acted at 21 ended at 21: place_of(sol) = gate
        19 B harvest Complete acted at 22 ended at 22: carries(fay, food) = true
        19 C plans after an event
        21 D walk-fence Complete acted at 27 ended at 27: fence_walked = true
        22 B walk-to(store) Complete acted at 25 ended at 25: place_of(fay) = store
        22 C plans after an event
        25 B unload(food) Complete acted at 26 ended at 26: carries(fay, food) = false, stock(food) = 7
        25 C plans after an event
        26 C plans after an event
        27 B goes on
        28 B plans after an event
        28 C plans after an event
        28 D goes on
        28 Complete"#]]);
}

#[test]
fn rts_case_2_an_empty_larder() {
    check(&domain::example("rts"), "case-2-an-empty-larder", "", expect![[r#"
        0 A plans: look-around, ask-for(food), look-around, ask-for(food), look-around, look-around, look-around
        0 A look-around Complete acted at 3 ended at 3: reviews = 4
        0 B plans: walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food)
        0 B walk-to(field) Complete acted at 3 ended at 3: place_of(fay) = field
        0 C plans: walk-to(mine), dig, walk-to(store), unload(ore), walk-to(mine), dig, walk-to(store), unload(ore)
        0 C walk-to(mine) Complete acted at 4 ended at 4: place_of(max) = mine
        0 D plans
        3 A ask-for(food) Complete acted at 4 ended at 4: wish(food) = 2
        3 B harvest Complete acted at 6 ended at 6: carries(fay, food) = true
        3 D plans after an event
        4 A look-around Complete acted at 7 ended at 7: reviews = 3
        4 C dig Complete acted at 7 ended at 7: carries(max, ore) = true
        4 D plans after an event
        5 event 0: hunger(fay) = 1, hunger(hugo) = 1, hunger(max) = 1, hunger(sol) = 1
        5 D plans after an event
        6 B walk-to(store) Complete acted at 9 ended at 9: place_of(fay) = store
        6 D plans after an event
        7 A ask-for(food) Complete acted at 8 ended at 8: wish(food) = 4
        7 C walk-to(store) Complete acted at 11 ended at 11: place_of(max) = store
        7 D plans after an event
        8 A look-around Complete acted at 11 ended at 11: reviews = 2
        8 C plans for what is worth more: walk-to(store), unload(ore), walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food)
        8 D plans after an event
        9 B unload(food) Complete acted at 10 ended at 10: carries(fay, food) = false, stock(food) = 2
        9 D plans after an event
        10 event 1: hunger(fay) = 2, hunger(hugo) = 2, hunger(max) = 2, hunger(sol) = 2
        10 B walk-to(field) Complete acted at 13 ended at 13: place_of(fay) = field
        10 D plans after an event
        11 A look-around Complete acted at 14 ended at 14: reviews = 1
        11 C unload(ore) Complete acted at 12 ended at 12: carries(max, ore) = false, stock(ore) = 2
        11 D plans after an event
        12 C walk-to(field) Complete acted at 15 ended at 15: place_of(max) = field
        12 D plans after an event
        13 B harvest Complete acted at 16 ended at 16: carries(fay, food) = true
        13 D plans after an event
        14 A look-around Complete acted at 17 ended at 17: reviews = 0
        15 event 2: hunger(fay) = 3, hunger(hugo) = 3, hunger(max) = 3, hunger(sol) = 3
        15 C harvest Complete acted at 18 ended at 18: carries(max, food) = true
        15 D plans after an event: walk-to(store), eat
        15 D walk-to(store) Complete acted at 20 ended at 20: place_of(sol) = store
        16 B walk-to(store) Complete acted at 19 ended at 19: place_of(fay) = store
        18 C walk-to(store) Complete acted at 21 ended at 21: place_of(max) = store
        19 B unload(food) Complete acted at 20 ended at 20: carries(fay, food) = false, stock(food) = 4
        20 B walk-to(field) Complete acted at 23 ended at 23: place_of(fay) = field
        20 C plans for what is worth more: walk-to(store), eat
        20 D eat Complete acted at 21 ended at 21: hunger(sol) = 0, stock(food) = 3
        21 C eat Complete acted at 22 ended at 22: hunger(max) = 0, stock(food) = 2
        22 D goes on
        23 B harvest Complete acted at 26 ended at 26: carries(fay, food) = true
        23 C goes on: unload(food)
        23 C unload(food) Complete acted at 24 ended at 24: carries(max, food) = false, stock(food) = 4
        23 D plans after an event
        24 D plans after an event
        25 C goes on: walk-to(mine), dig, walk-to(store), unload(ore)
        25 C walk-to(mine) Complete acted at 29 ended at 29: place_of(max) = mine
        26 B walk-to(store) Complete acted at 29 ended at 29: place_of(fay) = store
        26 D plans after an event
        29 B unload(food) Complete acted at 30 ended at 30: carries(fay, food) = false, stock(food) = 6
        29 C dig Complete acted at 32 ended at 32: carries(max, ore) = true
        29 D plans after an event
        30 D plans after an event
        31 B goes on: eat
        31 B eat Complete acted at 32 ended at 32: hunger(fay) = 0, stock(food) = 5
        32 C walk-to(store) Complete acted at 36 ended at 36: place_of(max) = store
        32 D plans after an event
        33 B goes on: walk-to(field), harvest, walk-to(store), unload(food)
        33 B walk-to(field) Complete acted at 36 ended at 36: place_of(fay) = field
        36 B harvest Complete acted at 39 ended at 39: carries(fay, food) = true
        36 C unload(ore) Complete acted at 37 ended at 37: carries(max, ore) = false, stock(ore) = 4
        36 D plans after an event
        37 D plans after an event
        38 C goes on
        39 B walk-to(store) Complete acted at 42 ended at 42: place_of(fay) = store
        39 C plans after an event
        39 D plans after an event
        42 B unload(food) Complete acted at 43 ended at 43: carries(fay, food) = false, stock(food) = 7
        42 C plans after an event
        42 D plans after an event
        43 C plans after an event
        43 D plans after an event
        44 B goes on
        44 Complete"#]]);
}

#[test]
fn rts_case_3_raiders() {
    check(&domain::example("rts"), "case-3-raiders", "", expect![[r#"
        0 A plans: look-around, look-around, look-around, look-around, look-around, look-around, look-around, look-around
        0 A look-around Complete acted at 3 ended at 3: reviews = 7
        0 B plans
        0 C plans: dig, walk-to(store), unload(ore)
        0 C dig Complete acted at 3 ended at 3: carries(max, ore) = true
        0 D plans
        3 A look-around Complete acted at 6 ended at 6: reviews = 6
        3 C walk-to(store) Complete acted at 7 ended at 7: place_of(max) = store
        3 D plans after an event
        4 B plans after an event
        5 event 0: raid = 3
        5 B plans after an event
        5 D plans after an event: NoPlan
        6 A look-around Complete acted at 9 ended at 9: reviews = 5
        7 event 1: hunger(fay) = 1, hunger(hugo) = 1, hunger(max) = 1, hunger(sol) = 3
        7 B plans after an event
        7 C unload(ore) Complete acted at 8 ended at 8: carries(max, ore) = false, stock(ore) = 4
        7 D plans after an event: walk-to(store), eat
        7 D walk-to(store) Complete acted at 12 ended at 12: place_of(sol) = store
        8 B plans after an event
        8 D tries again: walk-to(store), eat
        9 A look-around Complete acted at 12 ended at 12: reviews = 4
        9 B plans after an event
        9 C goes on
        11 D tries again: walk-to(store), eat
        12 A plans as time goes by: look-around, ask-for(defence), look-around, ask-for(weapons), look-around, look-around, look-around
        12 A ask-for(defence) Complete acted at 13 ended at 13: wish(defence) = 2
        12 D eat Complete acted at 13 ended at 13: hunger(sol) = 0, stock(food) = 5
        13 A look-around Complete acted at 16 ended at 16: reviews = 3
        13 B plans after an event
        13 C plans after an event
        14 event 2: hunger(fay) = 2, hunger(hugo) = 2, hunger(max) = 2, hunger(sol) = 1
        14 B plans after an event: harvest, walk-to(store), unload(food)
        14 B harvest Complete acted at 17 ended at 17: carries(fay, food) = true
        14 C plans after an event
        14 D goes on: NoPlan
        16 A plans as time goes by: look-around, ask-for(weapons), look-around, look-around, look-around
        16 A ask-for(weapons) Complete acted at 17 ended at 17: wish(weapons) = 2
        17 A look-around Complete acted at 20 ended at 20: reviews = 2
        17 B walk-to(store) Complete acted at 20 ended at 20: place_of(fay) = store
        17 C plans after an event: walk-to(smithy), forge
        17 C walk-to(smithy) Complete acted at 18 ended at 18: place_of(max) = smithy
        17 D plans after an event: NoPlan
        18 C forge Complete acted at 22 ended at 22: stock(ore) = 2, stock(weapons) = 1
        18 D plans after an event: NoPlan
        20 A plans as time goes by: look-around, look-around, look-around
        20 A look-around Complete acted at 23 ended at 23: reviews = 1
        20 B unload(food) Complete acted at 21 ended at 21: carries(fay, food) = false, stock(food) = 7
        20 D plans after an event: NoPlan
        21 D plans after an event: NoPlan
        22 B goes on
        22 D plans after an event: NoPlan
        23 A look-around Complete acted at 26 ended at 26: reviews = 0
        23 B plans after an event
        23 C goes on: walk-to(mine), dig, walk-to(store), unload(ore)
        23 C walk-to(mine) Failed ended at 25: it follows another plan now
        23 D tries again: take-weapon, walk-to(gate), strike, strike, strike
        23 D take-weapon Complete acted at 24 ended at 24: armed(sol) = true, stock(weapons) = 0
        24 A plans as time goes by: look-around, draft(sol)
        24 D walk-to(gate) Complete acted at 29 ended at 29: place_of(sol) = gate
        25 A plans, noticing armed(sol): look-around
        25 B plans after an event
        25 C plans for what is worth more: forge
        25 C forge Complete acted at 29 ended at 29: stock(ore) = 0, stock(weapons) = 1
        29 D strike Complete acted at 31 ended at 31: raid = 2
        30 B plans after an event
        30 C goes on: walk-to(mine), dig, walk-to(store), unload(ore), walk-to(mine), dig, walk-to(store), unload(ore)
        30 C walk-to(mine) Complete acted at 33 ended at 33: place_of(max) = mine
        31 D strike Complete acted at 33 ended at 33: raid = 1
        32 B plans after an event
        33 C dig Complete acted at 36 ended at 36: carries(max, ore) = true
        33 D strike Complete acted at 35 ended at 35: raid = 0
        34 B plans after an event
        36 B plans after an event
        36 C walk-to(store) Complete acted at 40 ended at 40: place_of(max) = store
        36 D goes on
        37 B plans after an event
        40 C unload(ore) Complete acted at 41 ended at 41: carries(max, ore) = false, stock(ore) = 2
        40 D plans after an event
        41 B plans after an event
        41 C walk-to(mine) Complete acted at 45 ended at 45: place_of(max) = mine
        41 D plans after an event
        42 B plans after an event
        45 C dig Complete acted at 48 ended at 48: carries(max, ore) = true
        45 D plans after an event
        46 B plans after an event
        48 C walk-to(store) Complete acted at 52 ended at 52: place_of(max) = store
        48 D plans after an event
        49 B plans after an event
        52 C unload(ore) Complete acted at 53 ended at 53: carries(max, ore) = false, stock(ore) = 4
        52 D plans after an event
        53 B plans after an event
        53 D plans after an event
        54 B plans after an event
        54 C goes on
        54 Complete"#]]);
}

#[test]
fn rts_case_4_without_a_captain() {
    check(&domain::example("rts"), "case-4-without-a-captain", "", expect![[r#"
        0 A plans: walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food)
        0 A walk-to(field) Complete acted at 3 ended at 3: place_of(fay) = field
        0 B plans: walk-to(mine), dig, walk-to(store), unload(ore), walk-to(mine), dig, walk-to(store), unload(ore)
        0 B walk-to(mine) Complete acted at 4 ended at 4: place_of(max) = mine
        0 C plans
        3 A harvest Complete acted at 6 ended at 6: carries(fay, food) = true
        3 C plans after an event
        4 B dig Complete acted at 7 ended at 7: carries(max, ore) = true
        4 C plans after an event
        5 event 0: hunger(fay) = 1, hunger(max) = 1, hunger(sol) = 1
        5 C plans after an event
        6 A walk-to(store) Complete acted at 9 ended at 9: place_of(fay) = store
        6 C plans after an event
        7 B walk-to(store) Complete acted at 11 ended at 11: place_of(max) = store
        7 C plans after an event
        9 A unload(food) Complete acted at 10 ended at 10: carries(fay, food) = false, stock(food) = 2
        9 C plans after an event
        10 event 1: hunger(fay) = 2, hunger(max) = 2, hunger(sol) = 2
        10 A walk-to(field) Complete acted at 13 ended at 13: place_of(fay) = field
        10 C plans after an event
        11 B unload(ore) Complete acted at 12 ended at 12: carries(max, ore) = false, stock(ore) = 2
        11 C plans after an event
        12 B walk-to(mine) Failed ended at 15: it follows another plan now
        12 C plans after an event
        13 A harvest Failed ended at 15: it follows another plan now
        13 C plans after an event
        15 event 2: hunger(fay) = 3, hunger(max) = 3, hunger(sol) = 3
        15 A plans for what is worth more: walk-to(store), eat
        15 A walk-to(store) Complete acted at 18 ended at 18: place_of(fay) = store
        15 B plans for what is worth more: eat
        15 B eat Complete acted at 16 ended at 16: hunger(max) = 0, stock(food) = 1
        15 C plans after an event: walk-to(store), eat
        15 C walk-to(store) Complete acted at 20 ended at 20: place_of(sol) = store
        17 B goes on: walk-to(mine), dig, walk-to(store), unload(ore)
        17 B walk-to(mine) Complete acted at 21 ended at 21: place_of(max) = mine
        18 A eat Complete acted at 19 ended at 19: hunger(fay) = 0, stock(food) = 0
        20 A goes on: walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food), walk-to(field), harvest, walk-to(store), unload(food)
        20 A walk-to(field) Complete acted at 23 ended at 23: place_of(fay) = field
        20 C eat Failed ended at 20: precondition stock(food) >= 1 (stock(food) is 0)
        21 B dig Complete acted at 24 ended at 24: carries(max, ore) = true
        21 C plans, as eat failed: NoPlan
        23 A harvest Complete acted at 26 ended at 26: carries(fay, food) = true
        23 C plans after an event: NoPlan
        24 B walk-to(store) Complete acted at 28 ended at 28: place_of(max) = store
        24 C plans after an event: NoPlan
        26 A walk-to(store) Complete acted at 29 ended at 29: place_of(fay) = store
        26 C plans after an event: NoPlan
        27 C tries again: NoPlan
        28 B unload(ore) Complete acted at 29 ended at 29: carries(max, ore) = false, stock(ore) = 4
        28 C plans after an event: NoPlan
        29 A unload(food) Complete acted at 30 ended at 30: carries(fay, food) = false, stock(food) = 2
        29 C plans after an event: NoPlan
        30 A walk-to(field) Complete acted at 33 ended at 33: place_of(fay) = field
        30 B goes on
        30 C plans after an event: eat
        30 C eat Complete acted at 31 ended at 31: hunger(sol) = 0, stock(food) = 1
        32 B plans after an event
        32 C goes on
        33 A harvest Complete acted at 36 ended at 36: carries(fay, food) = true
        33 B plans after an event
        33 C plans after an event
        36 A walk-to(store) Complete acted at 39 ended at 39: place_of(fay) = store
        36 B plans after an event
        36 C plans after an event
        39 A unload(food) Complete acted at 40 ended at 40: carries(fay, food) = false, stock(food) = 3
        39 B plans after an event
        39 C plans after an event
        40 A walk-to(field) Complete acted at 43 ended at 43: place_of(fay) = field
        40 B plans after an event
        40 C plans after an event
        43 A harvest Complete acted at 46 ended at 46: carries(fay, food) = true
        43 B plans after an event
        43 C plans after an event
        46 A walk-to(store) Complete acted at 49 ended at 49: place_of(fay) = store
        46 B plans after an event
        46 C plans after an event
        49 A unload(food) Complete acted at 50 ended at 50: carries(fay, food) = false, stock(food) = 5
        49 B plans after an event
        49 C plans after an event
        50 B plans after an event
        50 C plans after an event
        51 A goes on: walk-to(field), harvest, walk-to(store), unload(food)
        51 A walk-to(field) Complete acted at 54 ended at 54: place_of(fay) = field
        54 A harvest Complete acted at 57 ended at 57: carries(fay, food) = true
        54 B plans after an event
        54 C plans after an event
        57 A walk-to(store) Complete acted at 60 ended at 60: place_of(fay) = store
        57 B plans after an event
        57 C plans after an event
        60 A unload(food) Complete acted at 61 ended at 61: carries(fay, food) = false, stock(food) = 7
        60 B plans after an event
        60 C plans after an event
        61 B plans after an event
        61 C plans after an event
        62 A goes on
        62 Complete"#]]);
}

#[test]
fn sentry_case_1_a_quiet_night() {
    check(&domain::example("sentry"), "case-1-a-quiet-night", "", expect![[r#"
        0 plans: walk(yard), walk(east-wall), inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
        0 walk(yard) Complete acted at 2 ended at 2: place_of(gwen) = yard
        2 walk(east-wall) Complete acted at 4 ended at 4: place_of(gwen) = east-wall
        4 inspect(east-wall) Complete acted at 10 ended at 10: visited(east-wall) = true
        10 walk(tower) Complete acted at 12 ended at 12: place_of(gwen) = tower
        12 inspect(tower) Complete acted at 18 ended at 18: visited(tower) = true
        18 walk(west-wall) Complete acted at 20 ended at 20: place_of(gwen) = west-wall
        20 inspect(west-wall) Complete acted at 26 ended at 26: visited(west-wall) = true
        27 goes on: walk(yard), walk(gatehouse), reload
        27 walk(yard) Complete acted at 29 ended at 29: place_of(gwen) = yard
        29 walk(gatehouse) Complete acted at 31 ended at 31: place_of(gwen) = gatehouse
        31 reload Complete acted at 34 ended at 34: bolts(gwen) = 3
        35 goes on
        35 Complete"#]]);
}

#[test]
fn sentry_case_2_into_sight() {
    check(&domain::example("sentry"), "case-2-into-sight", "", expect![[r#"
        0 plans: inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
        0 inspect(east-wall) Failed ended at 5: it follows another plan now
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
        38 Complete"#]]);
}

#[test]
fn sentry_case_3_the_recruit() {
    check(&domain::example("sentry"), "case-3-the-recruit", "", expect![[r#"
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
        23 Complete"#]]);
}

#[test]
fn sentry_case_4_out_of_bolts() {
    check(&domain::example("sentry"), "case-4-out-of-bolts", "", expect![[r#"
        0 plans: walk(gatehouse), reload, walk(yard), shoot(ivo)
        0 walk(gatehouse) Complete acted at 2 ended at 2: place_of(gwen) = gatehouse
        2 reload Complete acted at 5 ended at 5: bolts(gwen) = 3
        5 walk(yard) Complete acted at 7 ended at 7: place_of(gwen) = yard
        7 shoot(ivo) Complete acted at 8 ended at 8: bolts(gwen) = 2, down(ivo) = true
        9 goes on: walk(east-wall), inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
        9 walk(east-wall) Complete acted at 11 ended at 11: place_of(gwen) = east-wall
        11 inspect(east-wall) Complete acted at 17 ended at 17: visited(east-wall) = true
        17 walk(tower) Complete acted at 19 ended at 19: place_of(gwen) = tower
        19 inspect(tower) Complete acted at 25 ended at 25: visited(tower) = true
        21 perceives: place_of(ivo) = none
        25 walk(west-wall) Complete acted at 27 ended at 27: place_of(gwen) = west-wall
        27 inspect(west-wall) Complete acted at 33 ended at 33: visited(west-wall) = true
        34 goes on: walk(yard), walk(gatehouse), reload
        34 walk(yard) Complete acted at 36 ended at 36: place_of(gwen) = yard
        36 walk(gatehouse) Complete acted at 38 ended at 38: place_of(gwen) = gatehouse
        37 perceives: place_of(ivo) = keep
        38 reload Complete acted at 41 ended at 41: bolts(gwen) = 3
        42 goes on
        42 Complete"#]]);
}

#[test]
fn sentry_case_5_badly_hurt() {
    check(&domain::example("sentry"), "case-5-badly-hurt", "", expect![[r#"
        0 plans: inspect(tower), walk(west-wall), inspect(west-wall), walk(yard), walk(east-wall), inspect(east-wall)
        0 inspect(tower) Failed ended at 3: it follows another plan now
        3 event 0: place_of(ivo) = east-wall
        3 perceives: place_of(ivo) = east-wall
        3 plans for what is worth more: shoot(ivo)
        3 shoot(ivo) Failed ended at 4: it follows another plan now
        4 event 1: health(gwen) = 1
        4 perceives: health(gwen) = 1
        4 plans for what is worth more: walk(west-wall), walk(yard), walk(gatehouse), bar-the-door
        4 walk(west-wall) Complete acted at 6 ended at 6: place_of(gwen) = west-wall
        6 walk(yard) Complete acted at 8 ended at 8: place_of(gwen) = yard
        8 walk(gatehouse) Complete acted at 10 ended at 10: place_of(gwen) = gatehouse
        10 bar-the-door Complete acted at 11 ended at 11: barred = true
        12 goes on
        12 Complete"#]]);
}

#[test]
fn sentry_case_6_in_the_dark() {
    check(&domain::example("sentry"), "case-6-in-the-dark", "", expect![[r#"
        0 plans: inspect(east-wall), walk(tower), inspect(tower), walk(west-wall), inspect(west-wall)
        0 inspect(east-wall) Complete acted at 6 ended at 6: visited(east-wall) = true
        5 event 0: place_of(ivo) = yard
        6 walk(tower) Complete acted at 8 ended at 8: place_of(gwen) = tower
        8 inspect(tower) Complete acted at 14 ended at 14: visited(tower) = true
        14 event 1: place_of(ivo) = keep
        14 walk(west-wall) Complete acted at 16 ended at 16: place_of(gwen) = west-wall
        16 inspect(west-wall) Complete acted at 22 ended at 22: visited(west-wall) = true
        18 event 2: robbed = true
        23 goes on
        23 Complete"#]]);
}

#[test]
fn opening_case_1_the_commander() {
    check(&domain::example("opening"), "case-1-the-commander", "", expect![[r#"
        0 plans: train(worker), train(worker)
        0 train(worker) Complete acted at 3 ended at 3: has(worker) = 5, minerals = 4, room = 2
        3 train(worker) Complete acted at 6 ended at 6: has(worker) = 6, minerals = 0, room = 1
        7 goes on: mine, build-depot, mine, build(barracks), mine, train(soldier), train(soldier)
        7 mine Complete acted at 11 ended at 11: minerals = 12
        11 build-depot Complete acted at 16 ended at 16: has(depot) = 1, minerals = 4, room = 5
        16 mine Complete acted at 20 ended at 20: minerals = 16
        20 build(barracks) Complete acted at 28 ended at 28: has(barracks) = 1, minerals = 4
        28 mine Complete acted at 32 ended at 32: minerals = 16
        32 train(soldier) Complete acted at 35 ended at 35: has(soldier) = 1, minerals = 12, room = 4
        35 train(soldier) Complete acted at 38 ended at 38: has(soldier) = 2, minerals = 8, room = 3
        39 goes on: build(refinery), mine, draw-gas, build(factory), mine, draw-gas, train(tank)
        39 build(refinery) Complete acted at 44 ended at 44: has(refinery) = 1, minerals = 0
        44 mine Complete acted at 48 ended at 48: minerals = 12
        48 draw-gas Complete acted at 52 ended at 52: gas = 6
        52 build(factory) Complete acted at 60 ended at 60: gas = 0, has(factory) = 1, minerals = 0
        60 mine Complete acted at 64 ended at 64: minerals = 12
        64 draw-gas Complete acted at 68 ended at 68: gas = 6
        68 train(tank) Complete acted at 74 ended at 74: gas = 0, has(tank) = 1, minerals = 2, room = 2
        75 goes on
        75 Complete"#]]);
}

#[test]
fn opening_case_2_three_steps_ahead() {
    check(&domain::example("opening"), "case-2-three-steps-ahead", "", expect![[r#"
        0 plans: train(worker), train(worker)
        0 train(worker) Complete acted at 3 ended at 3: has(worker) = 5, minerals = 4, room = 2
        3 train(worker) Complete acted at 6 ended at 6: has(worker) = 6, minerals = 0, room = 1
        7 goes on: mine, build-depot, mine
        7 mine Complete acted at 11 ended at 11: minerals = 12
        11 build-depot Complete acted at 16 ended at 16: has(depot) = 1, minerals = 4, room = 5
        16 mine Complete acted at 20 ended at 20: minerals = 16
        21 goes on: build(barracks), mine, train(soldier)
        21 build(barracks) Complete acted at 29 ended at 29: has(barracks) = 1, minerals = 4
        29 mine Complete acted at 33 ended at 33: minerals = 16
        33 train(soldier) Complete acted at 36 ended at 36: has(soldier) = 1, minerals = 12, room = 4
        37 goes on: train(soldier)
        37 train(soldier) Complete acted at 40 ended at 40: has(soldier) = 2, minerals = 8, room = 3
        41 goes on: build(refinery), mine, draw-gas
        41 build(refinery) Complete acted at 46 ended at 46: has(refinery) = 1, minerals = 0
        46 mine Complete acted at 50 ended at 50: minerals = 12
        50 draw-gas Complete acted at 54 ended at 54: gas = 6
        55 goes on: build(factory), mine, draw-gas
        55 build(factory) Complete acted at 63 ended at 63: gas = 0, has(factory) = 1, minerals = 0
        63 mine Complete acted at 67 ended at 67: minerals = 12
        67 draw-gas Complete acted at 71 ended at 71: gas = 6
        72 goes on: train(tank)
        72 train(tank) Complete acted at 78 ended at 78: gas = 0, has(tank) = 1, minerals = 2, room = 2
        79 goes on
        79 Complete"#]]);
}

#[test]
fn opening_case_3_an_early_attack() {
    check(&domain::example("opening"), "case-3-an-early-attack", "", expect![[r#"
        0 plans: train(worker), train(worker)
        0 train(worker) Complete acted at 3 ended at 3: has(worker) = 5, minerals = 4, room = 2
        3 train(worker) Failed ended at 5: it follows another plan now
        5 event 0: threat = 4
        5 plans for what is worth more: mine, build(bunker)
        5 mine Complete acted at 9 ended at 9: minerals = 14
        9 build(bunker) Complete acted at 14 ended at 14: has(bunker) = 1, minerals = 6
        15 goes on: train(worker)
        15 train(worker) Complete acted at 18 ended at 18: has(worker) = 6, minerals = 2, room = 1
        19 goes on: mine, mine, build-depot, train(soldier), train(soldier)
        19 mine Complete acted at 23 ended at 23: minerals = 14
        23 mine Complete acted at 27 ended at 27: minerals = 26
        27 build-depot Complete acted at 32 ended at 32: has(depot) = 2, minerals = 18, room = 5
        32 train(soldier) Complete acted at 35 ended at 35: has(soldier) = 1, minerals = 14, room = 4
        35 train(soldier) Complete acted at 38 ended at 38: has(soldier) = 2, minerals = 10, room = 3
        39 goes on: build(refinery), mine, draw-gas, build(factory), mine, draw-gas, train(tank)
        39 build(refinery) Complete acted at 44 ended at 44: has(refinery) = 1, minerals = 2
        44 mine Complete acted at 48 ended at 48: minerals = 14
        48 draw-gas Complete acted at 52 ended at 52: gas = 6
        52 build(factory) Complete acted at 60 ended at 60: gas = 0, has(factory) = 1, minerals = 2
        60 mine Complete acted at 64 ended at 64: minerals = 14
        64 draw-gas Complete acted at 68 ended at 68: gas = 6
        68 train(tank) Complete acted at 74 ended at 74: gas = 0, has(tank) = 1, minerals = 4, room = 2
        75 goes on
        75 Complete"#]]);
}

#[test]
fn opening_case_4_a_late_attack() {
    check(&domain::example("opening"), "case-4-a-late-attack", "", expect![[r#"
        0 plans: train(worker), train(worker)
        0 train(worker) Complete acted at 3 ended at 3: has(worker) = 5, minerals = 4, room = 2
        3 train(worker) Failed ended at 5: it follows another plan now
        5 event 0: threat = 4
        5 plans for what is worth more: mine, build(bunker)
        5 mine Complete acted at 9 ended at 9: minerals = 14
        9 build(bunker) Complete acted at 14 ended at 14: has(bunker) = 1, minerals = 6
        15 goes on: train(worker)
        15 train(worker) Complete acted at 18 ended at 18: has(worker) = 6, minerals = 2, room = 1
        19 goes on: mine, mine, build-depot, train(soldier), train(soldier)
        19 mine Complete acted at 23 ended at 23: minerals = 14
        23 mine Complete acted at 27 ended at 27: minerals = 26
        27 build-depot Complete acted at 32 ended at 32: has(depot) = 2, minerals = 18, room = 5
        32 train(soldier) Complete acted at 35 ended at 35: has(soldier) = 1, minerals = 14, room = 4
        35 train(soldier) Complete acted at 38 ended at 38: has(soldier) = 2, minerals = 10, room = 3
        39 goes on: build(refinery), mine, draw-gas, build(factory), mine, draw-gas, train(tank)
        39 build(refinery) Complete acted at 44 ended at 44: has(refinery) = 1, minerals = 2
        44 mine Complete acted at 48 ended at 48: minerals = 14
        48 draw-gas Complete acted at 52 ended at 52: gas = 6
        52 build(factory) Complete acted at 60 ended at 60: gas = 0, has(factory) = 1, minerals = 2
        60 mine Complete acted at 64 ended at 64: minerals = 14
        64 draw-gas Complete acted at 68 ended at 68: gas = 6
        68 train(tank) Complete acted at 74 ended at 74: gas = 0, has(tank) = 1, minerals = 4, room = 2
        75 goes on
        75 Complete"#]]);
}

#[test]
fn opening_case_5_managers() {
    check(&domain::example("opening"), "case-5-managers", "", expect![[r#"
        0 A plans: call-for(depot), call-for(barracks), call-for(soldier), call-for(soldier)
        0 A call-for(depot) Complete acted at 0 ended at 6: wanted(depot) = 1
        0 B plans
        0 C plans: build-depot
        0 C build-depot Complete acted at 5 ended at 5: has(depot) = 1, minerals = 0, room = 7
        0 D plans
        5 D plans after an event
        6 A call-for(barracks) Complete acted at 6 ended at 23: wanted(barracks) = 1
        6 B plans after an event: mine, mine
        6 B mine Complete acted at 10 ended at 10: minerals = 8
        6 C goes on: NoPlan
        6 D plans after an event
        10 B mine Complete acted at 14 ended at 14: minerals = 16
        10 C plans after an event: NoPlan
        10 D plans after an event
        14 C plans after an event: build(barracks)
        14 C build(barracks) Complete acted at 22 ended at 22: has(barracks) = 1, minerals = 4
        14 D plans after an event
        15 B goes on
        22 D plans after an event
        23 A call-for(soldier) Complete acted at 23 ended at 27: wanted(soldier) = 1
        23 B plans after an event
        23 C goes on
        23 D plans after an event: train(soldier)
        23 D train(soldier) Complete acted at 26 ended at 26: has(soldier) = 1, minerals = 0, room = 6
        27 A call-for(soldier) Complete acted at 27 ended at 35: wanted(soldier) = 2
        27 B plans after an event: mine
        27 B mine Complete acted at 31 ended at 31: minerals = 8
        27 C plans after an event
        27 D goes on: NoPlan
        31 C plans after an event
        31 D plans after an event: train(soldier)
        31 D train(soldier) Complete acted at 34 ended at 34: has(soldier) = 2, minerals = 4, room = 5
        32 B goes on
        35 B plans after an event
        35 C plans after an event
        35 D goes on
        36 A goes on: call-for(refinery), call-for(factory), call-for(tank)
        36 A call-for(refinery) Complete acted at 36 ended at 46: wanted(refinery) = 1
        36 B plans after an event: mine
        36 B mine Complete acted at 40 ended at 40: minerals = 12
        36 C plans after an event: NoPlan
        36 D plans after an event
        40 C plans after an event: build(refinery)
        40 C build(refinery) Complete acted at 45 ended at 45: has(refinery) = 1, minerals = 4
        40 D plans after an event
        41 B goes on
        45 D plans after an event
        46 A call-for(factory) Complete acted at 46 ended at 67: wanted(factory) = 1
        46 B plans after an event: mine
        46 B mine Complete acted at 50 ended at 50: minerals = 12
        46 C goes on: NoPlan
        46 D plans after an event
        50 C plans after an event: NoPlan
        50 D plans after an event
        51 B goes on: draw-gas
        51 B draw-gas Complete acted at 55 ended at 55: gas = 6
        54 C tries again: NoPlan
        55 C plans after an event: NoPlan
        55 D plans after an event
        56 B goes on
        58 C tries again: build(factory)
        58 C build(factory) Complete acted at 66 ended at 66: gas = 0, has(factory) = 1, minerals = 8
        60 event 0: has(depot) = 0
        60 B plans after an event: mine
        60 B mine Complete acted at 64 ended at 64: minerals = 20
        60 D plans after an event
        64 D plans after an event
        65 B goes on
        66 D plans after an event
        67 A call-for(tank) Complete acted at 67 ended at 90: wanted(tank) = 1
        67 B plans after an event: mine, mine
        67 B mine Complete acted at 71 ended at 71: minerals = 16
        67 C goes on: build-depot
        67 C build-depot Complete acted at 72 ended at 72: has(depot) = 1, minerals = 8, room = 9
        67 D plans after an event: NoPlan
        71 B mine Complete acted at 75 ended at 75: minerals = 16
        71 D plans after an event: NoPlan
        72 D plans after an event: NoPlan
        73 C goes on
        75 C plans after an event
        75 D plans after an event: NoPlan
        76 B goes on: draw-gas
        76 B draw-gas Complete acted at 80 ended at 80: gas = 6
        79 D tries again: NoPlan
        80 C plans after an event
        80 D plans after an event: NoPlan
        81 B goes on
        83 D tries again: train(tank)
        83 D train(tank) Complete acted at 89 ended at 89: gas = 0, has(tank) = 1, minerals = 6, room = 8
        90 B plans after an event
        90 C plans after an event
        90 D goes on
        91 A goes on
        91 Complete"#]]);
}
