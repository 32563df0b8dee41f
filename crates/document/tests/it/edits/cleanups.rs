//! The cleanups of Task blocks in edits.

use expect_test::expect;
use taskloom_document::{BlockText, Document, Edit};

use super::{check_on, name, record};

const TOOL: &str = r#"{
    "taskloom": 4,
    "types": { "tool": { "parent": "object" } },
    "objects": { "saw": { "type": "tool" } },
    "primitive_tasks": { "use": { "params": ["?t: tool"] }, "drop": { "params": ["?t: tool"] } },
    "compound_tasks": { "job": { "params": ["?t: tool"], "method": {
        "blocks": {
            "a": { "kind": "begin" },
            "b": { "kind": "task", "call": "use(?t)", "on_abort": "drop(?t)" },
            "c": { "kind": "task", "call": "use(saw)", "on_abort": "drop(saw" }
        },
        "wires": ["a.out -> b", "b.out -> c"]
    } } }
}"#;

#[test]
fn cleanup_is_renamed_like_a_call() {
    check_on(
        TOOL,
        &[
            Edit::Rename(record("primitive:drop"), name("put-down")),
            Edit::Rename(record("object:saw"), name("axe")),
            Edit::RenameVariable(record("compound:job"), name("t"), name("tool")),
        ],
        expect![[r#"
            - "saw": {
            + "axe": {
            - "drop": {
            + "put-down": {
            - "?t: tool"
            + "?tool: tool"
            - "call": "use(?t)",
            - "on_abort": "drop(?t)"
            + "call": "use(?tool)",
            + "on_abort": "put-down(?tool)"
            - "call": "use(saw)",
            - "on_abort": "drop(saw"
            + "call": "use(axe)",
            + "on_abort": "put-down(axe""#]],
    );
}

#[test]
fn removing_its_task_removes_the_cleanup_but_not_the_block() {
    check_on(
        TOOL,
        &[Edit::RemoveWithUses(record("primitive:drop"))],
        expect![[r#"
            - "drop": {
            - "params": [
            - "?t: tool"
            - ]
            - },
            - "call": "use(?t)",
            - "on_abort": "drop(?t)"
            + "call": "use(?t)"
            - "call": "use(saw)",
            - "on_abort": "drop(saw"
            + "call": "use(saw)""#]],
    );
}

#[test]
fn cleanup_is_found_and_replaced_and_in_scope_of_the_block() {
    let document = Document::from_json(TOOL).expect("the file opens");
    let uses = document.uses(&record("primitive:drop"));
    let id = "b".parse().expect("an id");
    let field = BlockText::Abort.field(&id);
    assert!(uses.contains(&(record("compound:job"), field.clone())));
    let scope = document.scope(&record("compound:job"), &field);
    assert_eq!(scope.len(), 1);
    check_on(
        TOOL,
        &[Edit::SetText(
            record("compound:job"),
            field,
            "use(saw)".into(),
        )],
        expect![[r#"
            - "on_abort": "drop(?t)"
            + "on_abort": "use(saw)""#]],
    );
}
