//! The queries of Bind blocks, in edits.

use expect_test::expect;
use taskloom_document::{BlockText, Document, Edit};

use super::{check_on, name, record};

const HIDE: &str = r#"{
    "taskloom": 4,
    "types": { "foe": { "parent": "object" }, "spot": { "parent": "object" } },
    "objects": { "orc": { "type": "foe" } },
    "facts": { "near": {}, "feared": { "value": { "object": "foe" } } },
    "compound_tasks": { "hide": { "params": ["?f: foe"], "method": {
        "blocks": {
            "a": { "kind": "begin" },
            "b": { "kind": "bind", "variable": "?s: spot", "query": "near(?f, orc, feared)" }
        },
        "wires": ["a.out -> b"]
    } } }
}"#;

#[test]
fn arguments_are_renamed_and_the_query_is_not() {
    check_on(
        HIDE,
        &[
            Edit::Rename(record("fact:near"), name("close")),
            Edit::Rename(record("fact:feared"), name("enemy")),
            Edit::Rename(record("object:orc"), name("elf")),
            Edit::RenameVariable(record("compound:hide"), name("f"), name("who")),
        ],
        expect![[r#"
            - "orc": {
            + "elf": {
            - "feared": {
            + "close": {
            + "value": "boolean",
            + "source": "memory"
            + },
            + "enemy": {
            - },
            - "near": {
            - "value": "boolean",
            - "source": "memory"
            - "?f: foe"
            + "?who: foe"
            - "query": "near(?f, orc, feared)"
            + "query": "near(?who, elf, enemy)""#]],
    );
}

#[test]
fn arguments_are_uses_in_the_scope_of_the_block() {
    let document = Document::from_json(HIDE).expect("the file opens");
    let field = BlockText::Query.field(&"b".parse().expect("an id"));
    let place = (record("compound:hide"), field.clone());
    assert!(document.uses(&record("object:orc")).contains(&place));
    assert!(document.uses(&record("fact:feared")).contains(&place));
    assert_eq!(document.uses(&record("fact:near")), []);
    let read = Document::from_json(&document.to_json()).expect("what was written");
    assert_eq!(read, document);
}
