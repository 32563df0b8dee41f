//! Gestures on a flowchart as edits of the document: one gesture, one edit.

use std::collections::BTreeSet;

use taskloom::document::{Block, BlockId, Document, Edit, Name, Port, Wire};

use super::adding::PORT_OFFSET;
use super::chart::{face, output, scene};
use crate::canvas::geometry::Vec2;
use crate::canvas::gesture::SNAP;
use crate::canvas::scene::{Node, Scene};

/// The gap between two blocks in a row, in graph units.
pub const GAP: f64 = 60.0;

/// Returns the edit that moves dragged or nudged blocks.
pub fn moved(scene: &Scene, task: &Name, nodes: &BTreeSet<Node>, by: Vec2) -> Edit {
    let places = nodes.iter().filter_map(|node| {
        let shape = scene.nodes.get(node)?;
        Some((node.block()?.clone(), (shape.rect.corner() + by).to_point()))
    });
    Edit::MoveBlocks(task.clone(), places.collect())
}

/// Returns the first output of a block.
pub fn first_output(block: &Block) -> Option<Port> {
    block.ports().first().copied()
}

/// Splits a wire and inserts a block between its ends; the following blocks make room if the block,
/// placed at `at`, would cover them.
pub fn inserted(
    document: &Document,
    task: &Name,
    id: &BlockId,
    block: &Block,
    at: Vec2,
    wire: &Wire,
) -> Vec<Edit> {
    let Some(port) = first_output(block).filter(|_| block.has_input()) else {
        return vec![];
    };
    let connect = |wire| Edit::Connect(task.clone(), wire);
    let mut edits = vec![
        Edit::Disconnect(task.clone(), wire.clone()),
        connect(Wire {
            to: id.clone(),
            ..wire.clone()
        }),
        connect(Wire {
            from: id.clone(),
            port,
            to: wire.to.clone(),
        }),
    ];
    let mut scene = scene(document, task);
    scene.nodes.remove(&Node::Block(id.clone()));
    let right = at.x + face(document, block).size().x + GAP;
    let next = Node::Block(wire.to.clone());
    if let Some(shape) = scene.nodes.get(&next) {
        let short = right - shape.rect.x;
        if short > 0.0 && shape.rect.right() > at.x {
            let followers = scene.downstream(&[next].into());
            let step = 2.0 * SNAP;
            let by = Vec2::new((short / step).ceil() * step, 0.0);
            edits.push(moved(&scene, task, &followers, by));
        }
    }
    edits
}

/// Returns the corner for a block inserted at a point of a wire: clear of the block before it, and
/// with its input level with the output that it will be connected to if it nearly is.
pub fn corner_on_wire(document: &Document, task: &Name, wire: &Wire, pointed: Vec2) -> Vec2 {
    let scene = scene(document, task);
    let mut corner = pointed - PORT_OFFSET;
    let before = scene.nodes.get(&Node::Block(wire.from.clone()));
    if let Some(level) = scene.socket(&output(&wire.from, wire.port))
        && (level.y - pointed.y).abs() <= 2.0 * SNAP
    {
        corner.y = level.y - PORT_OFFSET.y;
    }
    if let Some(before) = before.map(|shape| shape.rect)
        && before.y <= pointed.y
        && pointed.y <= before.bottom()
    {
        let step = 2.0 * SNAP;
        let clear = ((before.right() + GAP) / step).floor() * step;
        corner.x = corner.x.max(clear);
    }
    corner
}

#[cfg(test)]
mod tests {
    use super::super::chart::tests::{branch, document, example, id, task};
    use super::*;
    use taskloom::document::Point;

    fn go() -> Name {
        "go".parse().unwrap()
    }

    #[test]
    fn inserting_a_block_on_a_wire_moves_downstream_blocks() {
        let document = document(
            &[
                ("b", Block::Begin {}, (0, 0)),
                ("x", task("go"), (140, 0)),
                ("y", task("go"), (400, 0)),
                ("n", branch(""), (200, 200)),
            ],
            &["b.out -> x", "x.out -> y"],
        );
        let wire: Wire = "b.out -> x".parse().unwrap();
        let at = Vec2::new(100.0, 0.0);
        let edits = inserted(&document, &go(), &id("n"), &branch(""), at, &wire);
        let connect = |wire: &str| Edit::Connect(go(), wire.parse().unwrap());
        let to = |name: &str, x| (id(name), Point { x, y: 0 });
        assert_eq!(
            edits,
            [
                Edit::Disconnect(go(), wire),
                connect("b.out -> n"),
                connect("n.true -> x"),
                Edit::MoveBlocks(go(), vec![to("x", 360), to("y", 620)]),
            ]
        );
    }

    #[test]
    fn inserted_blocks_align_with_the_output_before_them() {
        let document = document(
            &[
                ("b", Block::Begin {}, (0, 0)),
                ("x", task("go"), (140, 0)),
                ("y", task("go"), (900, 0)),
            ],
            &["b.out -> x", "x.out -> y"],
        );
        let wire: Wire = "x.out -> y".parse().unwrap();
        let scene = scene(&document, &go());
        let before = scene.nodes[&Node::Block(id("x"))].rect;
        let level = scene.socket(&output(&id("x"), wire.port)).unwrap();
        let near = Vec2::new(before.right() + 5.0, level.y + 10.0);
        let corner = corner_on_wire(&document, &go(), &wire, near);
        assert!(
            corner.x >= before.right() + GAP / 2.0,
            "{corner:?} {before:?}"
        );
        assert_eq!(corner.y + PORT_OFFSET.y, level.y);
        let far = Vec2::new(800.0, level.y);
        assert_eq!(corner_on_wire(&document, &go(), &wire, far).x, 800.0);
    }

    #[test]
    fn end_blocks_cannot_be_inserted_on_wires() {
        let wire: Wire = "b.out -> q".parse().unwrap();
        let none = inserted(
            &example(),
            &go(),
            &id("e"),
            &Block::End {},
            Vec2::default(),
            &wire,
        );
        assert_eq!(none, []);
    }
}
