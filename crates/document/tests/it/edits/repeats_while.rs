//! The formulas while which Task blocks repeat, in edits.

use expect_test::expect;
use taskloom_document::{BlockText, Document, Edit};

use super::{check_on, name, record};

const FIGHT: &str = r#"{
    "taskloom": 4,
    "types": { "foe": { "parent": "object" } },
    "objects": { "orc": { "type": "foe" } },
    "facts": { "alive": { "params": ["?f: foe"] }, "loaded": {} },
    "primitive_tasks": { "shoot": { "params": ["?f: foe"] } },
    "compound_tasks": { "fight": { "params": ["?f: foe"], "method": {
        "blocks": {
            "a": { "kind": "begin" },
            "b": { "kind": "task", "call": "shoot(?f)", "repeat_while": "alive(?f) and loaded" },
            "c": { "kind": "task", "call": "shoot(orc)", "repeat": 3, "repeat_while": "alive(orc" }
        },
        "wires": ["a.out -> b", "b.out -> c"]
    } } }
}"#;

#[test]
fn formula_is_renamed_with_what_it_names() {
    check_on(
        FIGHT,
        &[
            Edit::Rename(record("fact:alive"), name("fit")),
            Edit::Rename(record("object:orc"), name("elf")),
            Edit::RenameVariable(record("compound:fight"), name("f"), name("who")),
        ],
        expect![[r#"
            - "orc": {
            + "elf": {
            - "alive": {
            + "fit": {
            - "?f: foe"
            + "?who: foe"
            - "call": "shoot(?f)",
            - "repeat_while": "alive(?f) and loaded"
            + "call": "shoot(?who)",
            + "repeat_while": "fit(?who) and loaded"
            - "call": "shoot(orc)",
            + "call": "shoot(elf)",
            - "repeat_while": "alive(orc"
            + "repeat_while": "fit(elf""#]],
    );
}

#[test]
fn removing_a_fact_removes_its_clause() {
    check_on(
        FIGHT,
        &[Edit::RemoveWithUses(record("fact:loaded"))],
        expect![[r#"
            - },
            - "loaded": {
            - "value": "boolean",
            - "source": "memory"
            - "repeat_while": "alive(?f) and loaded"
            + "repeat_while": "alive(?f)""#]],
    );
}

#[test]
fn formula_is_a_use_and_has_the_scope_of_its_block() {
    let document = Document::from_json(FIGHT).expect("the file opens");
    let uses = document.uses(&record("fact:loaded"));
    let field = BlockText::While.field(&"b".parse().expect("an id"));
    assert!(uses.contains(&(record("compound:fight"), field.clone())));
    assert_eq!(document.scope(&record("compound:fight"), &field).len(), 1);
}
