//! Edits of a flowchart.

use expect_test::{Expect, expect};
use taskloom_document::{Block, Document, Edit, Point, Record, Wire};

use super::{block, name, wire};

#[test]
fn edits_keep_flowcharts_valid() {
    let add = |id: &str, value: Block| Edit::AddBlock {
        task: name("t"),
        id: block(id),
        block: value,
        at: Point { x: 10, y: 20 },
    };
    let call = || Block::task("work");
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
        expect!["In 't', the wire x.out -> y already exists"],
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
        expect!["the method of 't' already has a Begin block"],
    );
    check(
        add("x", Block::End {}),
        expect!["'t' already has a block x"],
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
