//! What happens in the shipped examples that have several characters.

use std::sync::Arc;

use expect_test::{Expect, expect};
use taskloom::document::Document;
use taskloom::planner::plan::Budget;
use taskloom::runtime::{Run, simulate};

use crate::{domain, name, told};

fn run(document: &Document, scenario: &str) -> Run {
    simulate(document, &name(scenario), Budget::default(), 200)
}

/// What the run says of one character, `A` being the first, and how it ends.
fn check(document: &Document, scenario: &str, who: &str, expected: Expect) {
    let told = told(&run(document, scenario));
    let of = |line: &&str| {
        let mut words = line.split(' ').skip(1);
        let first = words.next();
        first == Some(who) || words.next().is_none()
    };
    let lines: Vec<&str> = told.lines().filter(of).collect();
    expected.assert_eq(&lines.join("\n"));
}

/// The same document, in which an agent keeps to its plan whatever it perceives.
fn without_perception(mut document: Document, agent: &str) -> Document {
    let agent = document.agents.get_mut(&name(agent)).expect("an agent");
    Arc::make_mut(agent).triggers.perception = false;
    document
}

#[test]
fn a_call_to_a_wary_clerk_raises_the_alarm_and_is_not_tried_again() {
    check(
        &domain::example("office"),
        "case-3-the-wrong-man",
        "A",
        expect![[r#"
        0 A plans: telephone(ben), log-in(ben)
        0 A telephone(ben) Complete acted at 3 ended at 3: alert = 1, called(ben) = true
        2 A perceives: place_of(ben) = none
        3 A log-in(ben) Failed ended at 3: precondition password_of(ben)
        5 A plans, as log-in(ben) failed: walk-to(kitchen), pick-up(ben-badge), walk-to(archive), copy-file, walk-to(street)
        5 A walk-to(kitchen) Complete acted at 7 ended at 7: place_of(mallory) = kitchen
        7 A pick-up(ben-badge) Complete acted at 8 ended at 8: where_is(ben-badge) = mallory
        8 A walk-to(archive) Complete acted at 10 ended at 10: place_of(mallory) = archive
        10 A copy-file Complete acted at 14 ended at 14: has_file(mallory) = true
        12 A perceives: place_of(anna) = none
        12 A plans, noticing place_of(anna): copy-file, walk-to(street)
        14 A walk-to(street) Complete acted at 16 ended at 16: place_of(mallory) = street
        16 Complete"#]],
    );
}

#[test]
fn who_perceives_an_open_screen_goes_there_and_is_seen_off() {
    let office = domain::example("office");
    check(
        &office,
        "case-4-an-open-screen",
        "A",
        expect![[r#"
        0 A plans: loiter, loiter, loiter, loiter, give-up
        0 A loiter Complete acted at 3 ended at 3: patience = 3
        2 A perceives: place_of(ben) = none
        3 A loiter Failed ended at 6: it follows another plan now
        6 A perceives: at_desk(anna) = false, place_of(anna) = none
        6 A plans, noticing at_desk(anna): walk-to(lobby), read-screen(anna), walk-to(street)
        6 A walk-to(lobby) Complete acted at 8 ended at 8: place_of(mallory) = lobby
        8 A read-screen(anna) Failed ended at 11: it follows another plan now
        10 A perceives: place_of(anna) = kitchen, place_of(ben) = kitchen
        10 A plans, noticing place_of(anna): read-screen(anna), walk-to(street)
        11 A perceives: place_of(anna) = lobby
        11 A plans, noticing place_of(anna): walk-to(street), give-up
        11 A walk-to(street) Failed ended at 13: it follows another plan now
        12 A perceives: at_desk(anna) = true, place_of(ben) = none
        13 A perceives: place_of(mallory) = street
        13 A plans, noticing place_of(mallory): loiter, loiter, give-up
        13 A loiter Complete acted at 16 ended at 16: patience = 2
        16 A loiter Complete acted at 19 ended at 19: patience = 1
        19 A give-up Complete acted at 19 ended at 19: gave_up = true
        21 Complete"#]],
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
fn a_badge_that_has_gone_is_missed_when_it_is_reached_for() {
    check(
        &domain::example("office"),
        "case-6-gone-again",
        "A",
        expect![[r#"
        0 A plans: walk-to(kitchen), pick-up(ben-badge), walk-to(archive), copy-file, walk-to(street)
        0 A walk-to(kitchen) Complete acted at 2 ended at 2: place_of(mallory) = kitchen
        2 A perceives: place_of(ben) = none
        2 A plans, noticing place_of(ben): walk-to(kitchen), pick-up(ben-badge), walk-to(archive), copy-file, walk-to(street)
        2 A pick-up(ben-badge) Failed ended at 2: the world denies place_of(?me) = where_is(ben-badge) (place_of(mallory) is kitchen, where_is(ben-badge) is ben); learns where_is(ben-badge) = ben
        4 A plans, as pick-up(ben-badge) failed: walk-to(street), loiter, loiter, give-up
        4 A walk-to(street) Complete acted at 6 ended at 6: place_of(mallory) = street
        6 A loiter Complete acted at 9 ended at 9: patience = 1
        9 A loiter Complete acted at 12 ended at 12: patience = 0
        12 A give-up Complete acted at 12 ended at 12: gave_up = true
        12 Complete"#]],
    );
}
