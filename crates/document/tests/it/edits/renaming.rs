//! Renaming, everywhere.

use expect_test::expect;
use taskloom_document::{Document, Edit};

use super::{check, check_on, name, record};

#[test]
fn a_fact_is_renamed_in_every_text() {
    check(
        &[Edit::Rename(record("fact:box_locked"), name("locked"))],
        expect![[r#"
            - "box_locked": {
            - "value": "boolean",
            - "source": "sensor",
            - "note": "The lock is shut. A locked box cannot be opened, but it can be smashed."
            - },
            + },
            + "locked": {
            + "value": "boolean",
            + "source": "sensor",
            + "note": "The lock is shut. A locked box cannot be opened, but it can be smashed."
            - "not box_locked"
            + "not locked"
            - "text": "not box_locked"
            + "text": "not locked"
            - "condition": "box_locked"
            + "condition": "locked"
            - "box_locked",
            + "locked",
            - "box_locked",
            + "locked",
            - "box_locked"
            + "locked""#]],
    );
}

#[test]
fn renaming_an_object_skips_facts_of_the_same_name() {
    check(
        &[Edit::Rename(record("object:key"), name("brass-key"))],
        expect![[r#"
            + "brass-key": {
            + "type": "tool"
            + },
            - "key": {
            - "type": "tool"
            - },
            - "formula": "item_at(key, ?place)",
            + "formula": "item_at(brass-key, ?place)",
            - "has(key)"
            + "has(brass-key)"
            - "call": "pick-up(key)"
            + "call": "pick-up(brass-key)"
            - "item_at(key, drawer)",
            + "item_at(brass-key, drawer)",
            - "pick-up(key)",
            + "pick-up(brass-key)","#]],
    );
}

#[test]
fn a_type_is_renamed() {
    check(
        &[Edit::Rename(record("type:place"), name("spot"))],
        expect![[r#"
            - "place": {
            + "spot": {
            - "type": "place"
            + "type": "spot"
            - "type": "place"
            + "type": "spot"
            - "type": "place"
            + "type": "spot"
            - "type": "place"
            + "type": "spot"
            - "?place: place"
            + "?place: spot"
            - "?place: place"
            + "?place: spot"
            - "?place: place"
            + "?place: spot"
            - "?place: place"
            + "?place: spot"
            - "?place: place"
            + "?place: spot"
            - "exists ?p: place. at(?p) and item_at(?item, ?p)"
            + "exists ?p: spot. at(?p) and item_at(?item, ?p)"
            - "text": "forall ?p: place. not item_at(?item, ?p)"
            + "text": "forall ?p: spot. not item_at(?item, ?p)"
            - "?place: place"
            + "?place: spot"
            - "text": "forall ?p: place. not at(?p)"
            + "text": "forall ?p: spot. not at(?p)"
            - "variable": "?place: place",
            + "variable": "?place: spot",
            - "variable": "?place: place",
            + "variable": "?place: spot","#]],
    );
}

#[test]
fn a_task_is_renamed_in_calls_and_expectations() {
    check(
        &[Edit::Rename(record("primitive:open-box"), name("opens"))],
        expect![[r#"
            - "open-box": {
            + "opens": {
            - "call": "open-box"
            + "call": "opens"
            - "open-box",
            + "opens",
            - "open-box",
            + "opens","#]],
    );
}

#[test]
fn rejects_names_in_use() {
    check(
        &[Edit::Rename(record("fact:has"), name("key_at"))],
        expect!["there is already a condition 'key_at'"],
    );
    check(
        &[Edit::Rename(record("fact:has"), name("Forall"))],
        expect!["'Forall' is a reserved word and cannot be a name"],
    );
}

#[test]
fn renames_may_change_only_the_case() {
    check(
        &[Edit::Rename(record("compound:get-key"), name("Get-Key"))],
        expect![[r#"
            - "call": "get-key"
            + "call": "Get-Key"
            - "get-key": {
            + "Get-Key": {
            - "get-key": {
            + "Get-Key": {"#]],
    );
}

const SHADOWS: &str = r#"{ "taskloom": 4,
  "objects": { "key": { "type": "object" } },
  "facts": { "at": { "params": ["?o: object"] }, "lock": {}, "near": { "value": { "object": "object" } } },
  "conditions": {
    "c": { "params": ["?x: object"], "formula": "AT( ?x ) and (lock or at(key)) and broken((" },
    "d": { "formula": "forall ?x: object, ?y: object. at(?x) and lock" }
  },
  "scenarios": {
    "own": { "objects": { "key": { "type": "object" } }, "initial": ["at(key)", "near = key"] },
    "other": { "initial": ["at(key)", "near = key", "not at (key"], "goal": "near = key and key" }
  }
}"#;

#[test]
fn scenario_objects_shadow_global_ones() {
    check_on(
        SHADOWS,
        &[Edit::Rename(record("object:key"), name("k2"))],
        expect![[r#"
            - "key": {
            + "k2": {
            - "formula": "AT( ?x ) and (lock or at(key)) and broken(("
            + "formula": "AT( ?x ) and (lock or at(k2)) and broken(("
            - "at(key)",
            - "near = key",
            - "not at (key"
            + "at(k2)",
            + "near = k2",
            + "not at (k2"
            - "goal": "near = key and key"
            + "goal": "near = k2 and k2""#]],
    );
}

#[test]
fn rejects_renames_that_change_another_texts_meaning() {
    check_on(
        SHADOWS,
        &[Edit::Rename(record("fact:near"), name("key"))],
        expect!["cannot use the name 'key': it would change the meaning of the scenario 'other'"],
    );
}

#[test]
fn renames_inside_unparsable_texts_and_keeps_the_rest() {
    check_on(
        SHADOWS,
        &[
            Edit::Rename(record("fact:at"), name("stands_at")),
            Edit::RenameVariable(record("condition:c"), name("x"), name("who")),
        ],
        expect![[r#"
            - "at": {
            - "params": [
            - "?o: object"
            - ],
            - "value": "boolean",
            - "source": "memory"
            - },
            + },
            + "stands_at": {
            + "params": [
            + "?o: object"
            + ],
            + "value": "boolean",
            + "source": "memory"
            - "?x: object"
            + "?who: object"
            - "formula": "AT( ?x ) and (lock or at(key)) and broken(("
            + "formula": "stands_at( ?who ) and (lock or stands_at(key)) and broken(("
            - "formula": "forall ?x: object, ?y: object. at(?x) and lock"
            + "formula": "forall ?x: object, ?y: object. stands_at(?x) and lock"
            - "at(key)",
            + "stands_at(key)",
            - "not at (key"
            + "not stands_at (key"
            - "at(key)",
            + "stands_at(key)","#]],
    );
}

#[test]
fn claims_are_renamed_and_removed_with_what_they_name() {
    let text = r#"{ "taskloom": 4,
      "objects": { "hammer": { "type": "object" }, "tongs": { "type": "object" } },
      "facts": { "tongs_of": { "params": ["?who: object"], "value": { "object": "object" } } },
      "primitive_tasks": { "forge": { "params": ["?t: object"],
        "claims": ["hammer", "?t", "tongs_of(hammer)"] } } }"#;
    check_on(
        text,
        &[
            Edit::Rename(record("object:hammer"), name("mallet")),
            Edit::Rename(record("fact:tongs_of"), name("tool_of")),
            Edit::RenameVariable(record("primitive:forge"), name("t"), name("tool")),
        ],
        expect![[r#"
            - "hammer": {
            + "mallet": {
            - "tongs_of": {
            + "tool_of": {
            - "?t: object"
            + "?tool: object"
            - "hammer",
            - "?t",
            - "tongs_of(hammer)"
            + "mallet",
            + "?tool",
            + "tool_of(mallet)""#]],
    );
    check_on(
        text,
        &[Edit::RemoveWithUses(record("object:hammer"))],
        expect![[r#"
            - "hammer": {
            - "type": "object"
            - },
            - "hammer",
            - "?t",
            - "tongs_of(hammer)"
            + "?t""#]],
    );
}

#[test]
fn quantified_variables_are_not_renamed() {
    let text = r#"{ "taskloom": 4, "conditions": { "c": { "params": ["?x: object"],
      "formula": "a(?x) and (forall ?x: object, ?y: object. b(?x, ?y)) and c(?x, ?y)" } } }"#;
    let rename = |to| Edit::RenameVariable(record("condition:c"), name("x"), name(to));
    check_on(
        text,
        &[rename("z")],
        expect![[r#"
        - "?x: object"
        + "?z: object"
        - "formula": "a(?x) and (forall ?x: object, ?y: object. b(?x, ?y)) and c(?x, ?y)"
        + "formula": "a(?z) and (forall ?x: object, ?y: object. b(?x, ?y)) and c(?z, ?y)""#]],
    );
    check_on(
        text,
        &[rename("y")],
        expect![[r#"
        - "?x: object"
        + "?y: object"
        - "formula": "a(?x) and (forall ?x: object, ?y: object. b(?x, ?y)) and c(?x, ?y)"
        + "formula": "a(?y) and (forall ?x: object, ?y: object. b(?x, ?y)) and c(?y, ?y)""#]],
    );
    let caught = text
        .replace("?x: object, ?y", "?y")
        .replace("b(?x, ?y)", "b(?x)");
    check_on(
        &caught,
        &[rename("y")],
        expect![
            "cannot use the name '?y': 'a(?x) and (forall ?y: object. b(?x)) and c(?x, ?y)' has a quantifier over '?y'"
        ],
    );
}

#[test]
fn crowds_are_renamed_and_removed_with_what_they_name() {
    let text = r#"{ "taskloom": 4,
      "objects": { "desk": { "type": "object" }, "hall": { "type": "object" } },
      "facts": { "at": { "params": ["?who: object", "?where: object"] } },
      "primitive_tasks": { "work": { "params": ["?at: object"] } },
      "agents": { "clerk": {}, "guard": {} },
      "scenarios": { "day": { "goal": "at(teller-3, desk)", "crowds": [
        { "count": 3, "name": "watch", "agent": "guard" },
        { "count": 12, "name": "teller", "agent": "clerk", "initial": ["at(?me, desk)", "at(?me, hall)"],
          "tasks": ["work(desk)"], "beliefs": ["not at(?me, desk)"] } ] } } }"#;
    check_on(
        text,
        &[
            Edit::Rename(record("agent:clerk"), name("worker")),
            Edit::Rename(record("object:desk"), name("table")),
            Edit::Rename(record("fact:at"), name("near")),
            Edit::Rename(record("primitive:work"), name("toil")),
        ],
        expect![[r#"
            - "desk": {
            + "hall": {
            - "hall": {
            + "table": {
            - "at": {
            + "near": {
            - "work": {
            + "toil": {
            - "clerk": {
            + "guard": {
            - "guard": {
            + "worker": {
            - "agent": "clerk",
            + "agent": "worker",
            - "at(?me, desk)",
            - "at(?me, hall)"
            + "near(?me, table)",
            + "near(?me, hall)"
            - "work(desk)"
            + "toil(table)"
            - "not at(?me, desk)"
            + "not near(?me, table)"
            - "goal": "at(teller-3, desk)"
            + "goal": "near(teller-3, table)""#]],
    );
    check_on(
        text,
        &[Edit::RemoveWithUses(record("object:desk"))],
        expect![[r#"
            - "desk": {
            - "type": "object"
            - },
            - "at(?me, desk)",
            - ],
            - "tasks": [
            - "work(desk)"
            - ],
            - "beliefs": [
            - "not at(?me, desk)"
            - ],
            - "goal": "at(teller-3, desk)"
            + ]"#]],
    );
    check_on(
        text,
        &[Edit::RemoveWithUses(record("agent:guard"))],
        expect![[r#"
            - },
            - "guard": {
            - "planning": {
            - "decomposition": {
            - "tasks": [],
            - "policy": "first"
            - }
            - }
            - "count": 3,
            - "name": "watch",
            - "agent": "guard"
            - },
            - {"#]],
    );
    // An actor of a crowd has this name already.
    let document = Document::from_json(text).unwrap();
    let renamed = document.apply(&Edit::Rename(record("object:hall"), name("Teller-3")));
    assert!(renamed.is_err());
}
