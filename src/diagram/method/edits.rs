//! Gestures on a flowchart as edits of the document: one gesture, one edit.

use std::collections::BTreeSet;

use taskloom_document::{Block, BlockId, Document, Edit, Name, Port, Wire};

use super::chart::{face, scene};
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::SNAP;
use crate::canvas::scene::{Node, Scene};

/// The gap between two blocks in a row, in graph units.
pub const GAP: f64 = taskloom_layout::GAP as f64;
/// The vertical distance within which a block on a wire is placed in the row of one of its ends.
const IN_ROW: f64 = 80.0;

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

/// Splits a wire and inserts a block between its ends, near `at`, with a gap on both sides: the rest
/// of the row makes room.
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
    let (corner, row, by) = room_on_wire(&scene, wire, at, face(document, block).size());
    edits.push(Edit::MoveBlocks(
        task.clone(),
        vec![(id.clone(), corner.to_point())],
    ));
    if by > 0.0 {
        edits.push(moved(&scene, task, &row, Vec2::new(by, 0.0)));
    }
    edits
}

/// Returns the corner of a block of this size on a wire, and the blocks after it that have to move
/// to the right, with the distance.
fn room_on_wire(scene: &Scene, wire: &Wire, at: Vec2, size: Vec2) -> (Vec2, BTreeSet<Node>, f64) {
    let rect = |id: &BlockId| scene.nodes.get(&Node::Block(id.clone())).map(|s| s.rect);
    let (Some(from), Some(to)) = (rect(&wire.from), rect(&wire.to)) else {
        return (at, BTreeSet::new(), 0.0);
    };
    let start = from.right() + GAP;
    let [above, below] = [from.y, to.y].map(|y| (at.y - y).abs());
    let leads_back = to.x < from.right();
    let corner = if below <= above && below <= IN_ROW {
        let x = if leads_back { to.x } else { at.x.max(start) };
        Vec2::new(x, to.y)
    } else if above <= IN_ROW {
        let wanted = Vec2::new(if leads_back { start } else { at.x.max(start) }, from.y);
        scene.free_place(wanted, size.x, size.y, SNAP)
    } else {
        at
    };
    let placed = Rect::at(corner, size.x, size.y);
    let short = placed.right() + GAP - to.x;
    let in_row = |rect: &Rect| rect.y < placed.bottom() && placed.y < rect.bottom();
    if short <= 0.0 || to.right() <= corner.x || !in_row(&to) {
        return (corner, BTreeSet::new(), 0.0);
    }
    let mut row = scene.downstream(&[Node::Block(wire.to.clone())].into());
    row.retain(|node| {
        let rect = scene.nodes.get(node).map(|shape| shape.rect);
        rect.is_some_and(|rect| in_row(&rect) && rect.x >= to.x)
    });
    let step = 2.0 * SNAP;
    (corner, row, (short / step).ceil() * step)
}

#[cfg(test)]
mod tests {
    use super::super::chart::tests::{branch, document, example, id, task};
    use super::*;
    use taskloom_document::Point;

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
                // Begin is 80 wide, and the Branch 120.
                Edit::MoveBlocks(go(), vec![to("n", 120)]),
                Edit::MoveBlocks(go(), vec![to("x", 280), to("y", 540)]),
            ]
        );
    }

    #[test]
    fn block_inserted_before_the_next_row_starts_that_row() {
        let document = document(
            &[
                ("b", Block::Begin {}, (0, 0)),
                ("x", task("go"), (400, 0)),
                ("y", task("go"), (40, 120)),
                ("z", task("go"), (180, 120)),
                ("e", Block::End {}, (40, 300)),
            ],
            &["b.out -> x", "x.out -> y", "y.out -> z", "z.out -> e"],
        );
        let wire: Wire = "x.out -> y".parse().unwrap();
        let place = |at| {
            let scene = scene(&document, &go());
            room_on_wire(&scene, &wire, at, Vec2::new(100.0, 64.0))
        };
        let (corner, row, by) = place(Vec2::new(30.0, 90.0));
        assert_eq!((corner, by), (Vec2::new(40.0, 120.0), 140.0));
        let moved = ["y", "z"].map(|name| Node::Block(id(name)));
        assert_eq!(row, moved.into(), "the next row stays");
        // Near its other end, it continues the row above.
        let right = scene(&document, &go()).nodes[&Node::Block(id("x"))]
            .rect
            .right();
        let (corner, row, _) = place(Vec2::new(500.0, 10.0));
        assert_eq!((corner, row.len()), (Vec2::new(right + GAP, 0.0), 0));
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
