//! Typical senses of games, expressed by numbers and conditions: vision cones with walls in
//! between, hearing, and goals that follow from observations.

use crate::reference::simulate;
use expect_test::{Expect, expect};
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;

use super::{name, report};

/// A guard at the origin looks along x. It sees in a long cone, up to the nearest wall, and very
/// close things all around; and it hears sufficiently loud things.
const YARD: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" }, "spot": { "parent": "object" }, "wall": { "parent": "object" } },
  "objects": {
    "rook": { "type": "person" },
    "anna": { "type": "person" }, "ben": { "type": "person" }, "cleo": { "type": "person" },
    "dora": { "type": "person" }, "emil": { "type": "person" },
    "post": { "type": "spot" }, "before": { "type": "spot" }, "screened": { "type": "spot" },
    "beside": { "type": "spot" }, "behind": { "type": "spot" }, "distant": { "type": "spot" },
    "fence": { "type": "wall" }
  },
  "facts": {
    "x": { "params": ["?s: spot"], "value": { "number": {} }, "source": "sensor" },
    "y": { "params": ["?s: spot"], "value": { "number": {} }, "source": "sensor" },
    "along": { "params": ["?w: wall"], "value": { "number": {} }, "source": "sensor" },
    "low": { "params": ["?w: wall"], "value": { "number": {} }, "source": "sensor" },
    "high": { "params": ["?w: wall"], "value": { "number": {} }, "source": "sensor" },
    "looks_x": { "params": ["?p: person"], "value": { "number": {} }, "source": "sensor" },
    "looks_y": { "params": ["?p: person"], "value": { "number": {} }, "source": "sensor" },
    "spot_of": { "params": ["?p: person"], "value": { "object": "spot" }, "source": "sensor" },
    "loudness": { "params": ["?p: person"], "value": { "number": { "min": 0 } }, "source": "sensor" }
  },
  "conditions": {
    "close": { "params": ["?a: spot", "?b: spot"], "formula": "sqrt((x(?b) - x(?a)) * (x(?b) - x(?a)) + (y(?b) - y(?a)) * (y(?b) - y(?a))) <= 2" },
    "afar": { "params": ["?a: spot", "?b: spot"], "formula": "sqrt((x(?b) - x(?a)) * (x(?b) - x(?a)) + (y(?b) - y(?a)) * (y(?b) - y(?a))) <= 8" },
    "ahead": { "params": ["?p: person", "?a: spot", "?b: spot"], "formula": "(x(?b) - x(?a)) * looks_x(?p) + (y(?b) - y(?a)) * looks_y(?p) >= 0.7 * sqrt((x(?b) - x(?a)) * (x(?b) - x(?a)) + (y(?b) - y(?a)) * (y(?b) - y(?a)))" },
    "screens": { "params": ["?w: wall", "?a: spot", "?b: spot"], "formula": "min(x(?a), x(?b)) < along(?w) and along(?w) < max(x(?a), x(?b)) and low(?w) <= y(?a) + (along(?w) - x(?a)) * (y(?b) - y(?a)) / (x(?b) - x(?a)) and y(?a) + (along(?w) - x(?a)) * (y(?b) - y(?a)) / (x(?b) - x(?a)) <= high(?w)" }
  },
  "actions": { "Wait": { "duration": "6" } },
  "primitive_tasks": { "wait": { "action": "Wait()" } },
  "agents": { "guard": { "type": "person", "senses": [SENSES] } },
  "scenarios": { "s": {
    "initial": [
      "x(before) = 5", "x(screened) = 5", "y(screened) = 4", "y(beside) = 5", "x(behind) = -1", "x(distant) = 9",
      "along(fence) = 3", "low(fence) = 1", "high(fence) = 5", "looks_x(rook) = 1", "spot_of(rook) = post",
      "spot_of(anna) = before", "spot_of(ben) = screened", "spot_of(cleo) = beside", "spot_of(dora) = behind", "spot_of(emil) = distant"
    ],
    "cast": [{ "object": "rook", "agent": "guard", "tasks": ["wait"], "beliefs": [
      "spot_of(anna) = post", "spot_of(ben) = post", "spot_of(cleo) = post", "spot_of(dora) = post", "spot_of(emil) = post"
    ] }],
    "events": [EVENTS]
  } }
}"#;

const CONE: &str = r#"{ "fact": "spot_of", "every": 1, "when": "afar(spot_of(?me), spot_of(?p)) and ahead(?me, spot_of(?me), spot_of(?p)) and not exists ?w: wall. screens(?w, spot_of(?me), spot_of(?p))" }"#;
const CLOSE: &str =
    r#"{ "fact": "spot_of", "every": 1, "when": "close(spot_of(?me), spot_of(?p))" }"#;
const EARS: &str = r#"{ "fact": "spot_of", "every": 2, "when": "loudness(?p) >= sqrt(x(spot_of(?p)) * x(spot_of(?p)) + y(spot_of(?p)) * y(spot_of(?p)))" }"#;

fn check(text: &str, expected: Expect) {
    let document = Document::from_json(text).unwrap_or_else(|error| panic!("{error}"));
    let found = taskloom_domain::check::check(&Domain::from(&document));
    assert!(found.is_empty(), "{found:#?}");
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 40);
    expected.assert_eq(&report(&run));
}

fn check_yard(senses: &[&str], events: &str, expected: Expect) {
    let senses = senses.join(", ");
    let text = YARD.replace("SENSES", &senses).replace("EVENTS", events);
    check(&text, expected);
}

#[test]
fn vision_cone_has_length_and_angle_and_ends_at_walls() {
    check_yard(
        &[CONE],
        "",
        expect![[r#"
        0 perceives: spot_of(anna) = before
        0 plans: wait
        0 wait Complete acted at 6 ended at 6
        6 Complete"#]],
    );
    // The wall falls, a person who was too far away comes near, and the guard looks elsewhere.
    check_yard(
        &[CONE],
        r#"{ "at": 2, "effect": "high(fence) := 1" }, { "at": 3, "effect": "x(distant) := 8" },
           { "at": 4, "effect": "looks_x(rook) := 0" }, { "at": 4, "effect": "looks_y(rook) := 1" }"#,
        expect![[r#"
            0 perceives: spot_of(anna) = before
            0 plans: wait
            0 wait Complete acted at 6 ended at 6
            2 event 0: high(fence) = 1
            2 perceives: spot_of(ben) = screened
            3 event 1: x(distant) = 8
            3 perceives: spot_of(emil) = distant
            4 event 2: looks_x(rook) = 0
            4 event 3: looks_y(rook) = 1
            4 perceives: spot_of(cleo) = beside
            6 Complete"#]],
    );
}

#[test]
fn one_of_several_cones_suffices() {
    check_yard(
        &[CONE, CLOSE],
        "",
        expect![[r#"
        0 perceives: spot_of(anna) = before, spot_of(dora) = behind
        0 plans: wait
        0 wait Complete acted at 6 ended at 6
        6 Complete"#]],
    );
}

#[test]
fn hearing_passes_through_walls_and_touch_requires_proximity() {
    check_yard(
        &[CLOSE, EARS],
        r#"{ "at": 3, "effect": "loudness(ben) := 7" }, { "at": 5, "effect": "spot_of(cleo) := behind" }"#,
        expect![[r#"
            0 perceives: spot_of(dora) = behind
            0 plans: wait
            0 wait Complete acted at 6 ended at 6
            3 event 0: loudness(ben) = 7
            4 perceives: spot_of(ben) = screened
            5 event 1: spot_of(cleo) = behind
            5 perceives: spot_of(cleo) = behind
            6 Complete"#]],
    );
}

/// A hunter goes home when there is nothing to do. He has the goals to catch everybody he has seen,
/// and to bring in everybody he has caught.
const HUNT: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" }, "room": { "parent": "object" } },
  "objects": {
    "rook": { "type": "person" }, "wren": { "type": "person" },
    "den": { "type": "room" }, "hall": { "type": "room" }, "yard": { "type": "room" }
  },
  "facts": {
    "room_of": { "params": ["?p: person"], "value": { "object": "room" }, "source": "sensor" },
    "next_to": { "params": ["?a: room", "?b: room"], "source": "sensor" },
    "caught": { "params": ["?p: person"], "source": "sensor" },
    "holds": { "params": ["?p: person"], "source": "memory" }
  },
  "actions": { "Walk": { "duration": "2" }, "Catch": { "duration": "1" } },
  "primitive_tasks": {
    "walk": { "params": ["?to: room"], "preconditions": ["next_to(room_of(?me), ?to) or next_to(?to, room_of(?me))"], "action": "Walk()", "effects": [{ "text": "room_of(?me) := ?to" }] },
    "catch": { "params": ["?p: person"], "preconditions": ["room_of(?p) = room_of(?me)", "?p != ?me"], "action": "Catch()", "effects": [{ "text": "caught(?p)" }, { "text": "holds(?p)" }] },
    "lock-up": { "params": ["?p: person"], "preconditions": ["holds(?p)", "room_of(?me) = den"], "effects": [{ "text": "not holds(?p)" }] }
  },
  "goals": {
    "at-home": { "condition": "room_of(?me) = den", "priority": 1 },
    "captured": { "condition": "caught(wren)", "priority": 5, "relevance": "count ?r: room. (room_of(wren) = ?r)" },
    "brought-in": { "condition": "not exists ?p: person. holds(?p)", "priority": 3 }
  },
  "agents": {
    "hunter": { "type": "person", "planning": { "goals": { "goals": ["at-home", "captured", "brought-in"] } },
      "senses": [{ "fact": "room_of", "every": 1, "when": "room_of(?p) = room_of(?me) or next_to(room_of(?me), room_of(?p))" }],
      "triggers": { "goal": 1 } },
    "hunted": { "type": "person" }
  },
  "scenarios": { "s": {
    "initial": ["room_of(rook) = hall", "next_to(hall, yard)", "next_to(hall, den)"],
    "cast": [{ "object": "rook", "agent": "hunter" }],
    "events": [{ "at": 1, "effect": "room_of(wren) := yard" }]
  } }
}"#;

#[test]
fn observations_and_actions_activate_goals() {
    check(
        HUNT,
        expect![[r#"
        0 plans: walk(den)
        0 walk(den) Failed ended at 1: interrupted by a new plan
        1 event 0: room_of(wren) = yard
        1 perceives: room_of(wren) = yard
        1 plans for what is worth more: walk(yard), catch(wren)
        1 walk(yard) Complete acted at 3 ended at 3: room_of(rook) = yard
        3 catch(wren) Complete acted at 4 ended at 4: caught(wren) = true, holds(wren) = true
        5 goes on: walk(hall), walk(den), lock-up(wren)
        5 walk(hall) Complete acted at 7 ended at 7: room_of(rook) = hall
        7 walk(den) Complete acted at 9 ended at 9: room_of(rook) = den
        9 lock-up(wren) Complete acted at 9 ended at 9: holds(wren) = false
        10 goes on
        10 Complete"#]],
    );
    // Nobody has the goal to catch a person that he has not seen.
    let text = HUNT.replace(r#""next_to(hall, yard)", "#, "");
    check(
        &text,
        expect![[r#"
        0 plans: walk(den)
        0 walk(den) Complete acted at 2 ended at 2: room_of(rook) = den
        1 event 0: room_of(wren) = yard
        3 goes on
        3 Complete"#]],
    );
}
