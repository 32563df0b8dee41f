//! What edits do to the file of the ball in the box.

use expect_test::{Expect, expect};
use taskloom_core::document::{
    Block, BlockId, Document, Edit, Field, Kind, Name, Point, Record, RecordRef, Type, Wire,
};

const BALL: &str = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn record(text: &str) -> RecordRef {
    text.parse().expect("a record")
}

fn block(text: &str) -> BlockId {
    BlockId::new(text).expect("a block id")
}

fn wire(text: &str) -> Wire {
    text.parse().expect("a wire")
}

/// The lines that one text has and the other has not, in order (the longest
/// common subsequence left out).
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, vec![]);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            lines.push(format!("- {}", old[i].trim()));
            i += 1;
        } else {
            lines.push(format!("+ {}", new[j].trim()));
            j += 1;
        }
    }
    lines.join("\n")
}

fn check(edits: &[Edit], expected: Expect) {
    check_on(BALL, edits, expected);
}

fn check_on(before: &str, edits: &[Edit], expected: Expect) {
    let document = Document::from_json(before).expect("the file opens");
    match document.apply(&Edit::Batch(edits.to_vec())) {
        Ok(after) => expected.assert_eq(&difference(&document.to_json(), &after.to_json())),
        Err(error) => expected.assert_eq(&error.to_string()),
    }
}

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
fn an_object_is_renamed_but_for_facts_and_words_like_it() {
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
fn a_name_that_is_taken_is_refused() {
    check(
        &[Edit::Rename(record("fact:has"), name("key_at"))],
        expect!["there is a condition 'key_at' already"],
    );
    check(
        &[Edit::Rename(record("fact:has"), name("Forall"))],
        expect!["'Forall' is a word of the formula language and cannot be a name"],
    );
}

#[test]
fn case_alone_can_be_renamed() {
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

const SHADOWS: &str = r#"{ "taskloom": 1,
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
fn a_scenarios_own_object_is_another() {
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
fn a_rename_that_would_change_what_another_text_means_is_refused() {
    check_on(
        SHADOWS,
        &[Edit::Rename(record("fact:near"), name("key"))],
        expect!["'key' cannot be the name: in the scenario 'other' it would mean something else"],
    );
}

#[test]
fn texts_that_do_not_parse_take_part_and_keep_all_else() {
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
fn a_variable_that_a_quantifier_binds_is_another() {
    let text = r#"{ "taskloom": 1, "conditions": { "c": { "params": ["?x: object"],
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
            "'?y' cannot be the name: 'a(?x) and (forall ?y: object. b(?x)) and c(?x, ?y)' has a quantifier over '?y'"
        ],
    );
}

#[test]
fn a_fact_is_removed_with_the_clauses_that_name_it() {
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
            - "note": "Leaves wherever the robot was. Effects that unset apply before those that set, so it may walk to where it stands."
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
            - "ajj9z3uc": "560,260",
            - "bxgsbkwc": "1960,140",
            - "um6mxhwk": "1960,300",
            - "dihrbkwy": "560,0",
            - "s4p4t9fv": "560,0","#]],
    );
}

#[test]
fn what_was_of_a_removed_type_is_of_its_parent() {
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
fn a_batch_is_made_as_a_whole_or_not_at_all() {
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
        expect!["there is a type 'room' already"],
    );
}

#[test]
fn a_flowchart_stays_one() {
    let add = |id: &str, value: Block| Edit::AddBlock {
        task: name("t"),
        id: block(id),
        block: value,
        at: Point { x: 10, y: 20 },
    };
    let call = || Block::Task {
        call: "work".to_owned(),
    };
    let connect = |text: &str| Edit::Connect(name("t"), wire(text));
    let built = [
        Edit::Add(name("t"), Record::CompoundTask(Default::default())),
        add("b", Block::Begin {}),
        add("x", call()),
        add("y", call()),
        add("z", call()),
        connect("b.out -> x"),
        connect("x.out -> y"),
        connect("y.out -> z"),
    ];
    let check = |more: Edit, expected: Expect| {
        let edit = Edit::Batch([&built[..], &[more]].concat());
        match Document::default().apply(&edit) {
            Ok(document) => {
                let task = &document.compound_tasks[&name("t")];
                let placed = &document.layout.methods[&name("t")];
                assert!(placed.keys().eq(task.method.blocks.keys()));
                let wires: Vec<_> = task.method.wires.iter().map(Wire::to_string).collect();
                expected.assert_eq(&wires.join(", "));
            }
            Err(error) => expected.assert_eq(&error.to_string()),
        }
    };
    check(
        connect("b.out -> z"),
        expect!["b.out -> x, x.out -> y, y.out -> z, b.out -> z"],
    );
    check(
        connect("z.out -> x"),
        expect![
            "In 't', the wire z.out -> x would close a cycle; to repeat a task, call it from its own method"
        ],
    );
    check(
        connect("x.out -> y"),
        expect!["In 't', the wire x.out -> y is there already"],
    );
    check(
        connect("x.true -> z"),
        expect!["In 't', the wire x.true -> z leaves an output that its block does not have"],
    );
    check(
        connect("x.out -> b"),
        expect!["In 't', the wire x.out -> b enters a Begin block, which has no input"],
    );
    check(
        connect("x.out -> x"),
        expect!["In 't', the wire x.out -> x joins a block to itself"],
    );
    check(
        connect("x.out -> w"),
        expect!["In 't', the wire x.out -> w ends at block w, which does not exist"],
    );
    check(
        add("c", Block::Begin {}),
        expect!["the method of 't' has a Begin block, and begins only once"],
    );
    check(
        add("x", Block::End {}),
        expect!["'t' has a block x already"],
    );
    let xy = vec![block("x"), block("y")];
    check(Edit::RemoveBlocks(name("t"), xy), expect!["b.out -> z"]);
    let branch = Block::Branch {
        condition: "c".to_owned(),
    };
    check(
        Edit::SetBlock(name("t"), block("x"), branch),
        expect!["b.out -> x, y.out -> z"],
    );
}

#[test]
fn texts_are_replaced_appended_and_taken_away() {
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
        BlockText(BlockId("ebcd7qha")): ?place: place
        BlockOrder(BlockId("ebcd7qha")): ?place: place
        BlockText(BlockId("qdssfefc")): ?place: place
        BlockText(BlockId("s4p4t9fv")): ?place: place"#]]
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
