//! Runs of the shipped examples with several characters.

use std::sync::Arc;

use crate::reference::simulate;
use expect_test::{Expect, expect};
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::Run;

use super::{domain, name, report};

fn run(document: &Document, scenario: &str) -> Run {
    simulate(
        &Domain::from(document),
        &name(scenario),
        Budget::default(),
        200,
    )
}

/// Returns one character's part of the run, `A` being the first or the only one, and the end of the
/// run.
pub fn lines_of(document: &Document, scenario: &str, who: &str) -> Vec<String> {
    let report = report(&run(document, scenario));
    let of = |line: &&str| {
        let mut words = line.split(' ').skip(1);
        let first = words.next();
        who.is_empty() || first == Some(who) || words.next().is_none()
    };
    report.lines().filter(of).map(str::to_owned).collect()
}

fn check(document: &Document, scenario: &str, who: &str, expected: Expect) {
    expected.assert_eq(&lines_of(document, scenario, who).join("\n"));
}

/// Returns the same document with an agent that keeps to its plan whatever it observes.
fn without_perception(mut document: Document, agent: &str) -> Document {
    let agent = document.agents.get_mut(&name(agent)).expect("an agent");
    Arc::make_mut(agent).triggers.perception = false;
    document
}

#[test]
fn failed_call_raises_the_alarm_and_is_not_retried() {
    check(
        &domain::example("office"),
        "case-3-the-wrong-man",
        "A",
        expect![[r#"
            0 A plans: telephone(ben), log-in(ben)
            0 A telephone(ben) Complete acted at 3 ended at 3: alert = 1, called(ben) = true
            2 A perceives: place_of(ben) = none
            3 A log-in(ben) Failed ended at 3: precondition is false: password_of(ben)
            5 A plans, as log-in(ben) failed: walk-to(kitchen), pick-up(ben-badge), walk-to(archive), copy-file, walk-to(street)
            5 A walk-to(kitchen) Complete acted at 7 ended at 7: place_of(mallory) = kitchen
            7 A pick-up(ben-badge) Complete acted at 8 ended at 8: where_is(ben-badge) = mallory
            8 A walk-to(archive) Complete acted at 10 ended at 10: place_of(mallory) = archive
            10 A copy-file Complete acted at 14 ended at 14: has_file(mallory) = true
            12 A perceives: place_of(anna) = none
            14 A walk-to(street) Complete acted at 16 ended at 16: place_of(mallory) = street
            16 Complete"#]],
    );
}

#[test]
fn observer_of_an_open_screen_goes_there_and_is_chased_off() {
    let office = domain::example("office");
    check(
        &office,
        "case-4-an-open-screen",
        "A",
        expect![[r#"
            0 A plans: loiter, loiter, loiter, loiter, give-up
            0 A loiter Complete acted at 3 ended at 3: patience = 3
            2 A perceives: place_of(ben) = none
            3 A loiter Complete acted at 6 ended at 6: patience = 2
            6 A perceives: at_desk(anna) = false, place_of(anna) = none
            6 A plans, noticing at_desk(anna): walk-to(lobby), read-screen(anna), walk-to(street)
            6 A walk-to(lobby) Complete acted at 8 ended at 8: place_of(mallory) = lobby
            8 A read-screen(anna) Failed ended at 11: integrity rule of read-screen(anna): place_of(anna) != place_of(?me) (place_of(anna) is lobby, place_of(mallory) is lobby)
            10 A perceives: place_of(anna) = kitchen, place_of(ben) = kitchen
            11 A perceives: place_of(anna) = lobby
            12 A perceives: at_desk(anna) = true, place_of(ben) = none
            13 A plans, as read-screen(anna) failed: walk-to(street), loiter, loiter, give-up
            13 A walk-to(street) Complete acted at 15 ended at 15
            15 A perceives: place_of(mallory) = street
            15 A plans, noticing place_of(mallory): loiter, give-up
            15 A loiter Complete acted at 18 ended at 18: patience = 1
            18 A give-up Complete acted at 18 ended at 18: gave_up = true
            20 Complete"#]],
    );
    let office = without_perception(office, "spy");
    check(
        &office,
        "case-4-an-open-screen",
        "A",
        expect![[r#"
        0 A plans: loiter, loiter, loiter, loiter, give-up
        0 A loiter Complete acted at 3 ended at 3: patience = 3
        2 A perceives: place_of(ben) = none
        3 A loiter Complete acted at 6 ended at 6: patience = 2
        6 A perceives: at_desk(anna) = false, place_of(anna) = none
        6 A loiter Complete acted at 9 ended at 9: patience = 1
        9 A loiter Complete acted at 12 ended at 12: patience = 0
        12 A perceives: at_desk(anna) = true, place_of(anna) = lobby
        12 A give-up Complete acted at 12 ended at 12: gave_up = true
        19 Complete"#]],
    );
}

#[test]
fn discovers_a_missing_badge_when_taking_it() {
    check(
        &domain::example("office"),
        "case-6-gone-again",
        "A",
        expect![[r#"
            0 A plans: walk-to(kitchen), pick-up(ben-badge), walk-to(archive), copy-file, walk-to(street)
            0 A walk-to(kitchen) Complete acted at 2 ended at 2: place_of(mallory) = kitchen
            2 A perceives: place_of(ben) = none
            2 A pick-up(ben-badge) Failed ended at 2: precondition is false in the world: place_of(?me) = where_is(ben-badge) (place_of(mallory) is kitchen, where_is(ben-badge) is ben); learns where_is(ben-badge) = none
            4 A plans, as pick-up(ben-badge) failed: walk-to(street), loiter, loiter, give-up
            4 A walk-to(street) Complete acted at 6 ended at 6: place_of(mallory) = street
            6 A loiter Complete acted at 9 ended at 9: patience = 1
            9 A loiter Complete acted at 12 ended at 12: patience = 0
            12 A give-up Complete acted at 12 ended at 12: gave_up = true
            12 Complete"#]],
    );
}

#[test]
fn hunter_searches_the_wrong_room_and_then_sees_her_elsewhere() {
    let house = domain::example("hunter");
    check(
        &house,
        "case-2-the-wrong-room",
        "A",
        expect![[r#"
            0 A plans: walk(library, hall), walk(hall, kitchen), catch(wren, kitchen)
            0 A walk(library, hall) Complete acted at 2 ended at 2: at(rook, hall) = true, at(rook, library) = false
            2 A walk(hall, kitchen) Complete acted at 4 ended at 4: at(rook, hall) = false, at(rook, kitchen) = true
            4 A catch(wren, kitchen) Failed ended at 4: precondition is false in the world: at(wren, kitchen); learns at(wren, kitchen) = false
            5 A plans, as catch(wren, kitchen) failed: walk(kitchen, hall), walk(hall, corridor), walk(corridor, bedroom), search(bedroom), walk(bedroom, library), search(library), walk(library, hall), search(hall), walk(hall, kitchen), search(kitchen), walk(kitchen, hall), walk(hall, corridor), search(corridor), go-home
            5 A walk(kitchen, hall) Complete acted at 7 ended at 7: at(rook, hall) = true, at(rook, kitchen) = false
            6 A perceives: at(wren, hall) = true
            6 A plans, noticing at(wren, hall): walk(kitchen, hall), catch(wren, hall)
            7 A catch(wren, hall) Complete acted at 8 ended at 8: at(wren, hall) = false, caught(wren) = true
            8 A perceives: locked(garden) = false
            8 Complete"#]],
    );
}

#[test]
fn hunter_without_observation_trigger_keeps_his_plan() {
    let house = domain::example("hunter");
    let house = without_perception(house, "seeker");
    check(
        &house,
        "case-2-the-wrong-room",
        "A",
        expect![[r#"
            0 A plans: walk(library, hall), walk(hall, kitchen), catch(wren, kitchen)
            0 A walk(library, hall) Complete acted at 2 ended at 2: at(rook, hall) = true, at(rook, library) = false
            2 A walk(hall, kitchen) Complete acted at 4 ended at 4: at(rook, hall) = false, at(rook, kitchen) = true
            4 A catch(wren, kitchen) Failed ended at 4: precondition is false in the world: at(wren, kitchen); learns at(wren, kitchen) = false
            5 A plans, as catch(wren, kitchen) failed: walk(kitchen, hall), walk(hall, corridor), walk(corridor, bedroom), search(bedroom), walk(bedroom, library), search(library), walk(library, hall), search(hall), walk(hall, kitchen), search(kitchen), walk(kitchen, hall), walk(hall, corridor), search(corridor), go-home
            5 A walk(kitchen, hall) Complete acted at 7 ended at 7: at(rook, hall) = true, at(rook, kitchen) = false
            6 A perceives: at(wren, hall) = true
            7 A walk(hall, corridor) Complete acted at 9 ended at 9: at(rook, corridor) = true, at(rook, hall) = false
            8 A perceives: locked(garden) = false
            9 A walk(corridor, bedroom) Complete acted at 11 ended at 11: at(rook, bedroom) = true, at(rook, corridor) = false
            10 A perceives: at(wren, hall) = false
            11 A search(bedroom) Complete acted at 14 ended at 14: searched(bedroom) = true
            14 A walk(bedroom, library) Complete acted at 16 ended at 16: at(rook, bedroom) = false, at(rook, library) = true
            16 A search(library) Complete acted at 19 ended at 19: searched(library) = true
            19 A walk(library, hall) Complete acted at 21 ended at 21: at(rook, hall) = true, at(rook, library) = false
            21 A search(hall) Complete acted at 24 ended at 24: searched(hall) = true
            24 A walk(hall, kitchen) Complete acted at 26 ended at 26: at(rook, hall) = false, at(rook, kitchen) = true
            26 A search(kitchen) Complete acted at 29 ended at 29: searched(kitchen) = true
            29 A walk(kitchen, hall) Complete acted at 31 ended at 31: at(rook, hall) = true, at(rook, kitchen) = false
            31 A walk(hall, corridor) Complete acted at 33 ended at 33: at(rook, corridor) = true, at(rook, hall) = false
            33 A search(corridor) Complete acted at 36 ended at 36: searched(corridor) = true
            36 A go-home Complete acted at 36 ended at 36
            36 Complete"#]],
    );
}

#[test]
fn distant_characters_are_visible_only_in_light() {
    let house = domain::example("hunter");
    check(
        &house,
        "case-3-in-the-light",
        "A",
        expect![[r#"
            0 A plans: search(bedroom), walk(bedroom, library), search(library), walk(library, hall), search(hall), walk(hall, corridor), search(corridor), walk(corridor, hall), walk(hall, kitchen), search(kitchen), go-home
            0 A search(bedroom) Complete acted at 3 ended at 3: searched(bedroom) = true
            3 A walk(bedroom, library) Complete acted at 5 ended at 5: at(rook, bedroom) = false, at(rook, library) = true
            5 A search(library) Complete acted at 8 ended at 8: searched(library) = true
            8 A perceives: at(wren, hall) = true
            8 A plans, noticing at(wren, hall): walk(library, hall), catch(wren, hall)
            8 A walk(library, hall) Complete acted at 10 ended at 10: at(rook, hall) = true, at(rook, library) = false
            10 A catch(wren, hall) Failed ended at 11: integrity rule of catch(wren, hall): at(wren, hall)
            11 A perceives: at(wren, hall) = false
            12 A perceives: at(wren, corridor) = true
            12 A plans, as catch(wren, hall) failed: walk(hall, corridor), catch(wren, corridor)
            12 A walk(hall, corridor) Complete acted at 14 ended at 14: at(rook, corridor) = true, at(rook, hall) = false
            14 A catch(wren, corridor) Complete acted at 15 ended at 15: at(wren, corridor) = false, caught(wren) = true
            16 Complete"#]],
    );
    check(
        &house,
        "case-4-in-the-dark",
        "A",
        expect![[r#"
            0 A plans: search(bedroom), walk(bedroom, library), search(library), walk(library, hall), search(hall), walk(hall, corridor), search(corridor), walk(corridor, hall), walk(hall, kitchen), search(kitchen), go-home
            0 A search(bedroom) Complete acted at 3 ended at 3: searched(bedroom) = true
            3 A walk(bedroom, library) Complete acted at 5 ended at 5: at(rook, bedroom) = false, at(rook, library) = true
            5 A search(library) Complete acted at 8 ended at 8: searched(library) = true
            8 A walk(library, hall) Complete acted at 10 ended at 10: at(rook, hall) = true, at(rook, library) = false
            10 A search(hall) Complete acted at 13 ended at 13: searched(hall) = true
            11 A perceives: at(wren, hall) = true, locked(garden) = false
            11 A plans, noticing at(wren, hall): search(hall), catch(wren, hall)
            12 A perceives: at(wren, hall) = false
            12 A plans, noticing at(wren, hall): search(hall), walk(hall, corridor), search(corridor), walk(corridor, hall), walk(hall, garden), search(garden), walk(garden, hall), walk(hall, kitchen), search(kitchen), go-home
            13 A plans, noticing escaped(wren)
            13 Complete"#]],
    );
}

#[test]
fn hides_until_the_hunter_has_passed() {
    let house = domain::example("hunter");
    check(
        &house,
        "case-5-behind-the-curtain",
        "B",
        expect![[r#"
            0 B plans: walk(library, hall), walk(hall, kitchen), take(iron-key, kitchen), walk(kitchen, hall), unlock(garden, iron-key), walk(hall, garden), slip-out
            0 B walk(library, hall) Complete acted at 2 ended at 2: at(wren, hall) = true, at(wren, library) = false
            2 B perceives: at(rook, hall) = true
            2 B plans, noticing at(rook, hall): listen, listen, listen, lose-heart
            2 B listen Complete acted at 4 ended at 4: nerve = 2
            4 B perceives: at(rook, hall) = false
            4 B listen Complete acted at 6 ended at 6: nerve = 1
            6 B listen Complete acted at 8 ended at 8: nerve = 0
            8 B plans as time goes by: walk(hall, kitchen), take(iron-key, kitchen), walk(kitchen, hall), unlock(garden, iron-key), walk(hall, garden), slip-out
            8 B walk(hall, kitchen) Complete acted at 10 ended at 10: at(wren, hall) = false, at(wren, kitchen) = true
            10 B take(iron-key, kitchen) Complete acted at 11 ended at 11: has(wren, iron-key) = true, lies(iron-key, kitchen) = false
            11 B walk(kitchen, hall) Failed ended at 12: interrupted by a new plan
            12 B perceives: at(rook, hall) = true
            12 B plans, noticing at(rook, hall): hide, stay-hidden, come-out, lose-heart
            12 B hide Complete acted at 13 ended at 13: hidden(wren) = true
            13 B stay-hidden Complete acted at 19 ended at 19
            14 B perceives: at(rook, hall) = false
            14 B plans, noticing at(rook, hall): stay-hidden, come-out, walk(kitchen, hall), unlock(garden, iron-key), walk(hall, garden), slip-out
            19 B come-out Complete acted at 20 ended at 20: hidden(wren) = false
            20 B walk(kitchen, hall) Complete acted at 22 ended at 22: at(wren, hall) = true, at(wren, kitchen) = false
            22 B unlock(garden, iron-key) Complete acted at 24 ended at 24: locked(garden) = false
            24 B plans as time goes by: walk(hall, garden), slip-out
            24 B walk(hall, garden) Complete acted at 26 ended at 26: at(wren, garden) = true, at(wren, hall) = false
            26 B perceives: at(rook, hall) = true
            26 B slip-out Complete acted at 27 ended at 27: at(wren, garden) = false, escaped(wren) = true
            28 Complete"#]],
    );
}

#[test]
fn searches_for_a_moved_key_until_it_is_seen() {
    let house = domain::example("hunter");
    check(
        &house,
        "case-7-not-where-it-was",
        "",
        expect![[r#"
            0 plans: walk(hall, kitchen), take(iron-key, kitchen), walk(kitchen, hall), unlock(garden, iron-key), walk(hall, garden), slip-out
            0 walk(hall, kitchen) Complete acted at 2 ended at 2: at(wren, hall) = false, at(wren, kitchen) = true
            2 take(iron-key, kitchen) Failed ended at 2: precondition is false in the world: lies(iron-key, kitchen); learns lies(iron-key, kitchen) = false
            3 plans, as take(iron-key, kitchen) failed: glance(kitchen), walk(kitchen, hall), glance(hall), walk(hall, corridor), glance(corridor), walk(corridor, bedroom), glance(bedroom), walk(bedroom, library), glance(library), hide, stay-hidden, come-out, listen, hide, stay-hidden, come-out, listen, hide, stay-hidden, come-out, listen, lose-heart
            3 glance(kitchen) Complete acted at 4 ended at 4: searched(kitchen) = true
            4 walk(kitchen, hall) Complete acted at 6 ended at 6: at(wren, hall) = true, at(wren, kitchen) = false
            6 glance(hall) Complete acted at 7 ended at 7: searched(hall) = true
            7 walk(hall, corridor) Complete acted at 9 ended at 9: at(wren, corridor) = true, at(wren, hall) = false
            9 glance(corridor) Complete acted at 10 ended at 10: searched(corridor) = true
            10 walk(corridor, bedroom) Complete acted at 12 ended at 12: at(wren, bedroom) = true, at(wren, corridor) = false
            12 glance(bedroom) Complete acted at 13 ended at 13: searched(bedroom) = true
            13 perceives: lies(iron-key, bedroom) = true
            13 plans, noticing lies(iron-key, bedroom): take(iron-key, bedroom), walk(bedroom, corridor), walk(corridor, hall), unlock(garden, iron-key), walk(hall, garden), slip-out
            13 take(iron-key, bedroom) Complete acted at 14 ended at 14: has(wren, iron-key) = true, lies(iron-key, bedroom) = false
            14 walk(bedroom, corridor) Complete acted at 16 ended at 16: at(wren, bedroom) = false, at(wren, corridor) = true
            16 walk(corridor, hall) Complete acted at 18 ended at 18: at(wren, corridor) = false, at(wren, hall) = true
            18 unlock(garden, iron-key) Complete acted at 20 ended at 20: locked(garden) = false
            20 walk(hall, garden) Complete acted at 22 ended at 22: at(wren, garden) = true, at(wren, hall) = false
            22 slip-out Complete acted at 23 ended at 23: at(wren, garden) = false, escaped(wren) = true
            23 Complete"#]],
    );
}
