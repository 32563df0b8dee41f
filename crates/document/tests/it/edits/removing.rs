//! Removing records together with their uses.

use expect_test::expect;
use taskloom_document::{Document, Edit};

use super::{block, check, name, record, wire};

#[test]
fn removing_a_fact_removes_clauses_that_reference_it() {
    check(
        &[Edit::RemoveWithUses(record("fact:box_open"))],
        expect![[r#"
            - "box_open": {
            - "value": "boolean",
            - "source": "sensor",
            - "note": "The lid is up."
            - },
            - ],
            - "effects": [
            - {
            - "text": "box_open"
            - }
            - "effects": [
            - {
            - "text": "box_open"
            - }
            - ],
            - "box_open",
            - "integrity": [
            - "box_open"
            - ],
            - "condition": "box_open"
            + "condition": ""
            - "ball_in_box",
            - "box_open"
            + "ball_in_box"
            - "ball_in_box",
            - "box_open"
            + "ball_in_box"
            - "events": [
            - {
            - "at": 4,
            - "effect": "not box_open"
            - }
            - ],
            - "finally": "has(ball) and box_open"
            + "finally": "has(ball)""#]],
    );
}

#[test]
fn a_task_is_removed_with_the_blocks_that_call_it() {
    check(
        &[Edit::RemoveWithUses(record("primitive:walk-to"))],
        expect![[r#"
            - },
            - "walk-to": {
            - "params": [
            - "?place: place"
            - ],
            - "action": "WalkTo(?place)",
            - "effects": [
            - {
            - "text": "forall ?p: place. not at(?p)"
            - },
            - {
            - "text": "at(?place)"
            - }
            - ],
            - "note": "Leaves the place where the robot was. Effects that unset apply before those that set, so the robot may also walk to the place where it already stands."
            - "ajj9z3uc": {
            - "kind": "task",
            - "call": "walk-to(box)"
            - },
            - "bxgsbkwc": {
            - "kind": "task",
            - "call": "walk-to(box)"
            - },
            - "um6mxhwk": {
            - "kind": "task",
            - "call": "walk-to(box)"
            - },
            - "xkn65ny3.false -> ajj9z3uc",
            - "ajj9z3uc.out -> sjvgiai5",
            + "xkn65ny3.false -> sjvgiai5",
            - "k22u3mnn.out -> bxgsbkwc",
            - "bxgsbkwc.out -> udxqqe88",
            + "k22u3mnn.out -> udxqqe88",
            - "bjtmv36y.out -> um6mxhwk",
            - "um6mxhwk.out -> wwsgcraz",
            + "bjtmv36y.out -> wwsgcraz",
            - "dihrbkwy": {
            - "kind": "task",
            - "call": "walk-to(?place)"
            - },
            - "qem4pt2j.out -> dihrbkwy",
            - "dihrbkwy.out -> p5scme9c",
            + "qem4pt2j.out -> p5scme9c",
            - "s4p4t9fv": {
            - "kind": "task",
            - "call": "walk-to(?place)"
            - },
            - "ebcd7qha.out -> s4p4t9fv",
            - "s4p4t9fv.out -> qdssfefc",
            + "ebcd7qha.out -> qdssfefc",
            - "plan": [
            - "walk-to(box)",
            - "take-ball"
            - ]
            - },
            - {
            - "plan": [
            - "walk-to(box)",
            - "open-box",
            - "take-ball"
            - ]
            - },
            - {
            - "plan": [
            - "walk-to(box)",
            - "walk-to(drawer)",
            - "pick-up(key)",
            - "walk-to(box)",
            - "unlock-box",
            - "open-box",
            - "take-ball"
            - ]
            - },
            - {
            - "plan": [
            - "walk-to(box)",
            - "walk-to(shed)",
            - "pick-up(hammer)",
            - "walk-to(box)",
            - "smash-box",
            - "take-ball"
            - ]
            - },
            - {
            - {
            - "plan": [
            - "walk-to(box)",
            - "take-ball"
            - ]
            - },
            - "ajj9z3uc": "280,0",
            - "bxgsbkwc": "400,328",
            - "um6mxhwk": "420,464",
            - "dihrbkwy": "360,0",
            - "s4p4t9fv": "360,0","#]],
    );
}

#[test]
fn objects_of_a_removed_type_get_its_parent() {
    check(
        &[Edit::RemoveWithUses(record("type:tool"))],
        expect![[r#"
        - },
        - "tool": {
        - "parent": "item",
        - "note": "An item that helps to open things."
        - "type": "tool"
        + "type": "item"
        - "type": "tool"
        + "type": "item""#]],
    );
}

#[test]
fn consecutive_calls_of_a_removed_task_are_replaced_by_a_single_wire() {
    let text = r#"{ "taskloom": 4, "primitive_tasks": { "rest": {}, "walk": {} },
      "compound_tasks": { "go": { "method": {
        "blocks": { "a": { "kind": "begin" }, "b": { "kind": "task", "call": "walk" },
          "c": { "kind": "task", "call": "walk", "on_abort": "walk" },
          "d": { "kind": "task", "call": "walk" }, "e": { "kind": "task", "call": "rest" } },
        "wires": ["a.out -> b", "b.out -> c", "c.out -> d", "d.out -> e"] } } } }"#;
    let document = Document::from_json(text).expect("the file opens");
    let edit = Edit::RemoveWithUses(record("primitive:walk"));
    let removed = document.apply(&edit).expect("an edit");
    let method = &removed.compound_tasks[&name("go")].method;
    assert_eq!(
        Vec::from_iter(method.blocks.keys()),
        [&block("a"), &block("e")]
    );
    assert_eq!(method.wires, [wire("a.out -> e")]);
}
