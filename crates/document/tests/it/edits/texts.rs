//! Texts, batches, uses, scopes and fresh names.

use expect_test::expect;
use taskloom_document::{Document, Edit, Field, Kind, Record, Type};

use super::{BALL, check, name, record};

#[test]
fn batches_are_atomic() {
    let add = |of: &str| {
        Edit::Add(
            name(of),
            Record::Type(
                Type {
                    parent: name("object"),
                    title: String::new(),
                    note: String::new(),
                }
                .into(),
            ),
        )
    };
    check(
        &[add("room"), add("Room")],
        expect!["there is already a type 'room'"],
    );
}

#[test]
fn texts_are_replaced_appended_and_removed() {
    let task = record("primitive:smash-box");
    let set = |field, text: &str| Edit::SetText(task.clone(), field, text.to_owned());
    check(
        &[
            set(Field::Cost, "2 *"),
            set(Field::Precondition(2), "has(ham"),
            Edit::RemoveText(task.clone(), Field::Precondition(0)),
            set(Field::Effect(1), "not box_locked"),
        ],
        expect![[r#"
            - "at(box)",
            - "has(hammer)"
            + "has(hammer)",
            + "has(ham"
            + },
            + {
            + "text": "not box_locked"
            - "cost": "5",
            + "cost": "2 *","#]],
    );
    check(
        &[set(Field::Precondition(9), "late")],
        expect!["the primitive task 'smash-box' has no such entry"],
    );
    check(
        &[set(Field::Formula, "none")],
        expect!["the primitive task 'smash-box' has no such entry"],
    );
}

#[test]
fn texts_are_inserted_before_others() {
    let task = record("primitive:smash-box");
    let insert = |field, text: &str| Edit::InsertText(task.clone(), field, text.to_owned());
    check(
        &[
            insert(Field::Precondition(1), "lit"),
            insert(Field::Precondition(3), "dry"),
            insert(Field::Effect(0), "not at(box)"),
        ],
        expect![[r#"
            - "has(hammer)"
            + "lit",
            + "has(hammer)",
            + "dry"
            + "text": "not at(box)"
            + },
            + {"#]],
    );
    check(
        &[insert(Field::Precondition(3), "late")],
        expect!["the primitive task 'smash-box' has no such entry"],
    );
}

#[test]
fn uses_variables_and_fresh_names() {
    let document = Document::from_json(BALL).expect("the file opens");
    let uses = |of: &str| {
        let uses = document.uses(&record(of));
        let lines = uses.iter().map(|(user, field)| format!("{user} {field:?}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        primitive:open-box Effect(0)
        primitive:smash-box Effect(0)
        primitive:take-ball Precondition(0)
        primitive:take-ball Integrity(0)
        compound:get-ball BlockText(BlockId("sjvgiai5"))
        scenario:case-1-box-open Initial(2)
        scenario:case-5-the-box-slams-shut Initial(2)
        scenario:case-5-the-box-slams-shut Event(0)
        scenario:case-5-the-box-slams-shut Expectation(2)"#]]
    .assert_eq(&uses("fact:box_open"));
    expect![[r#"compound:get-ball BlockText(BlockId("k22u3mnn"))"#]]
        .assert_eq(&uses("compound:get-key"));
    let scope = |field: Field| {
        let scope = document.scope(&record("compound:get-key"), &field);
        let params: Vec<_> = scope.iter().map(ToString::to_string).collect();
        params.join(", ")
    };
    let fields = document.view(&record("compound:get-key")).expect("a task");
    let scopes: Vec<_> = fields
        .text_fields()
        .into_iter()
        .map(|(field, _)| format!("{field:?}: {}", scope(field.clone())))
        .collect();
    expect![[r#"
        Goal: 
        BlockText(BlockId("ebcd7qha")): ?place: place
        BlockOrder(BlockId("ebcd7qha")): ?place: place
        BlockQuery(BlockId("ebcd7qha")): ?place: place
        BlockText(BlockId("qdssfefc")): ?place: place
        BlockWhile(BlockId("qdssfefc")): ?place: place
        BlockAbort(BlockId("qdssfefc")): ?place: place
        BlockText(BlockId("s4p4t9fv")): ?place: place
        BlockWhile(BlockId("s4p4t9fv")): ?place: place
        BlockAbort(BlockId("s4p4t9fv")): ?place: place"#]]
    .assert_eq(&scopes.join("\n"));
    let fresh = |kind, base| document.fresh_name(kind, base).to_string();
    let names = [
        fresh(Kind::Fact, "lit"),
        fresh(Kind::Fact, "key"),
        fresh(Kind::PrimitiveTask, "get-ball"),
        fresh(Kind::Goal, "7 ways, so: go!"),
        fresh(Kind::Agent, "…"),
        fresh(Kind::Condition, "not"),
    ];
    expect!["lit key-2 get-ball-2 ways-so-go agent not-2"].assert_eq(&names.join(" "));
}
