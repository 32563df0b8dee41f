use std::sync::Arc;

use taskloom_document::{Action, Alternative, CompoundTask, Param, PrimitiveTask};

use crate::canvas::scene::Side;

use super::*;

pub fn id(text: &str) -> BlockId {
    text.parse().unwrap()
}

/// Returns a document with the primitive task `walk-to`, and the compound task `go` with this
/// method.
pub fn document(blocks: &[(&str, Block, (i32, i32))], wires: &[&str]) -> Document {
    let method = Flowchart {
        blocks: blocks
            .iter()
            .map(|(name, block, _)| (id(name), Arc::new(block.clone())))
            .collect(),
        wires: wires.iter().map(|wire| wire.parse().unwrap()).collect(),
        ..Flowchart::default()
    };
    let places = blocks
        .iter()
        .map(|(name, _, (x, y))| (id(name), Point { x: *x, y: *y }));
    let mut document = Document::default();
    let go: Name = "go".parse().unwrap();
    let walk = PrimitiveTask {
        params: vec![Param::from_str("?to: place").unwrap()],
        ..Default::default()
    };
    document
        .primitive_tasks
        .insert("walk-to".parse().unwrap(), Arc::new(walk));
    document
        .layout
        .methods
        .insert(go.clone(), Arc::new(places.collect()));
    let task = CompoundTask {
        method,
        ..Default::default()
    };
    document.compound_tasks.insert(go, Arc::new(task));
    document
}

use std::str::FromStr;

pub fn task(call: &str) -> Block {
    Block::task(call)
}

pub fn branch(condition: &str) -> Block {
    Block::Branch {
        condition: condition.into(),
    }
}

/// Begin -> Branch -> yes: go, no: walk-to -> End
pub fn example() -> Document {
    document(
        &[
            ("b", Block::Begin {}, (0, 0)),
            ("q", branch("at(box)"), (140, 0)),
            ("y", task("go"), (400, 0)),
            ("n", task("walk-to(box)"), (400, 100)),
            ("e", Block::End {}, (700, 100)),
        ],
        &["b.out -> q", "q.true -> y", "q.false -> n", "n.out -> e"],
    )
}

fn flow(document: &Document) -> &Flowchart {
    &document.compound_tasks.values().next().unwrap().method
}

fn end(node: &str, port: &str) -> End {
    match port {
        "in" => input(&id(node)),
        out => output(&id(node), out.parse().unwrap()),
    }
}

fn written(ends: BTreeSet<End>) -> String {
    let one = |end: &End| format!("{}.{}", end.node.block().unwrap(), end.port.key());
    ends.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn calls_without_arguments_show_how_long_they_take() {
    let mut document = example();
    let mut shown = |duration: &str| {
        let action = Action {
            duration: duration.into(),
            ..Action::default()
        };
        let rest = PrimitiveTask {
            action: "Rest".into(),
            ..PrimitiveTask::default()
        };
        let name = |text: &str| text.parse().unwrap();
        document.actions.insert(name("Rest"), Arc::new(action));
        document
            .primitive_tasks
            .insert(name("rest"), Arc::new(rest));
        face(&document, &task("rest")).lines.join("/")
    };
    assert_eq!(shown("3"), "3 ticks");
    assert_eq!(shown("1"), "1 tick");
    assert_eq!(shown("2 * weight"), "primitive task");
    assert_eq!(shown(""), "primitive task");
}

#[test]
fn options_of_a_task_are_marks_after_its_title() {
    let document = example();
    let plain = task("walk-to(box)");
    let limited = plain.with_repeat(Some(3)).with_timeout(Some(10));
    let limited = limited.with_retry(Some(2)).with_on_abort("rest");
    let limited = limited.with_background(true);
    let face = |block: &Block| face(&document, block);
    assert_eq!(face(&plain).aside, "");
    assert_eq!(face(&limited).aside, "∥ ×3 ≤10 ↻2 ↶");
    assert_eq!(
        face(&limited).full,
        "walk-to(box)\nin the background, repeat 3 times, fails after 10 ticks, gives up after 2 retries, if aborted: rest"
    );
    let guarded = plain.with_repeat_while("not has(ball)");
    assert_eq!(face(&guarded).aside, "while");
    assert_eq!(face(&guarded).full, "walk-to(box)\nonly if not has(ball)");
    assert_eq!(
        face(&guarded.with_repeat(Some(3))).full,
        "walk-to(box)\nrepeat 3 times while not has(ball)"
    );
    // The marks have space beside the title.
    assert!(face(&limited).width() > face(&plain).width());
    assert_eq!(face(&limited).lines, face(&plain).lines);
}

#[test]
fn faces_show_the_content_of_blocks() {
    let document = example();
    let shown = |block: &Block| {
        let face = face(&document, block);
        let rows: Vec<_> = face.rows.iter().map(|row| row.text.as_str()).collect();
        format!(
            "{}|{}|{}|{}",
            face.look.class(),
            face.title,
            face.lines.join("/"),
            rows.join(",")
        )
    };
    assert_eq!(shown(&task("walk-to(box)")), "primitive|walk-to|box|");
    assert_eq!(shown(&task("go")), "compound|go|5 blocks|");
    assert_eq!(shown(&task("fly")), "unknown|fly|unknown task|");
    assert_eq!(shown(&task("")), "unknown|no task yet|unknown task|");
    assert_eq!(shown(&branch("at(box)")), "branch|Branch|at(box)|yes,no");
    assert_eq!(shown(&branch(" ")), "branch|Branch|no condition yet|yes,no");
    let alternatives = ["1 with the key", "7 "].map(|a| Alternative::from_str(a).unwrap());
    let choice = Block::Choice {
        policy: ChoicePolicy::Highest,
        alternatives: alternatives.into(),
        scores: [(Port::Alternative(7), " 2 * ammo ".to_owned())].into(),
    };
    let expected = "choice|Choice|highest first|1 with the key,2 (2 * ammo)";
    assert_eq!(shown(&choice), expected);
    let bind = Block::Bind {
        variable: Param::from_str("?p: place").unwrap(),
        condition: "key_at(?p)".into(),
        order_by: "distance(?p)".into(),
        query: "near(?me)".into(),
    };
    assert_eq!(
        shown(&bind),
        "bind|?p: place|key_at(?p)/asks near(?me)/by distance(?p)|"
    );
}

#[test]
fn ports_are_on_block_edges_one_per_row() {
    let scene = scene(&example(), &"go".parse().unwrap());
    for shape in scene.nodes.values() {
        for socket in &shape.sockets {
            let x = match socket.port.side() {
                Side::Input => 0.0,
                Side::Output => shape.rect.w,
            };
            assert_eq!(socket.at.x, x);
            assert!(socket.at.y < shape.rect.h);
        }
    }
    let branch = &scene.nodes[&Node::Block(id("q"))];
    assert_eq!(branch.sockets.len(), 3);
    let begin = scene.socket(&end("b", "out")).unwrap();
    let input = scene.socket(&end("q", "in")).unwrap();
    assert_eq!(begin.y, input.y, "blocks in a row are wired straight");
    assert_eq!(scene.wires.len(), 4);
}

#[test]
fn rejects_duplicate_and_cyclic_wires() {
    let document = example();
    let from = |node, port, without: Option<&str>| {
        let without: Option<Wire> = without.map(|w| w.parse().unwrap());
        written(targets(flow(&document), &end(node, port), without.as_ref()))
    };
    assert_eq!(from("n", "out", None), "y.in");
    assert_eq!(from("y", "out", None), "e.in n.in");
    assert_eq!(from("q", "true", None), "e.in n.in");
    assert_eq!(from("q", "true", Some("q.true -> y")), "e.in n.in y.in");
    assert_eq!(from("n", "in", None), "b.out q.true y.out");
    assert_eq!(from("b", "out", None), "e.in n.in y.in");
    assert_eq!(from("e", "in", None), "b.out q.true q.false y.out");
}

#[test]
fn reading_order_follows_the_wires_even_with_cycles() {
    let ids = |document: &Document| {
        let scene = scene(document, &"go".parse().unwrap());
        let order = reading_order(flow(document), &scene);
        order.iter().map(|b| b.to_string()).collect::<String>()
    };
    assert_eq!(ids(&example()), "bqyne");
    let cycle = document(
        &[
            ("b", Block::Begin {}, (0, 0)),
            ("x", task("go"), (0, 0)),
            ("z", task("go"), (0, 0)),
        ],
        &["x.out -> z", "z.out -> x"],
    );
    assert_eq!(ids(&cycle), "bxz");
}
