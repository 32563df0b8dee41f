//! Routes of wires without bend points, around the blocks.

use taskloom_layout::{Area, Line};

use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{End, Node, Scene};
use taskloom_document::sort::map_of;

/// The maximum number of blocks for which wires are routed; among more, they are plain curves.
const MAX_BLOCKS: usize = 150;

/// Routes the wires of a method.
pub fn route(scene: &mut Scene) {
    let blocks = scene.nodes.iter().filter(|(node, _)| node.is_solid());
    let blocks: Vec<(&Node, Rect)> = blocks.map(|(node, shape)| (node, shape.rect)).collect();
    if blocks.len() > MAX_BLOCKS {
        return;
    }
    let places = map_of(blocks.iter().enumerate().map(|(at, (node, _))| (*node, at)));
    let boxes: Vec<Area> = blocks.iter().map(|(_, rect)| area(rect)).collect();
    let line = |from: &End, to: &End| {
        Some(Line {
            from: scene.socket(from)?.to_point(),
            to: scene.socket(to)?.to_point(),
            boxes: [*places.get(&from.node)?, *places.get(&to.node)?],
        })
    };
    let straight = scene.wires.keys().filter(|w| !scene.bends.contains_key(w));
    let lines = straight.filter_map(|wire| Some((wire.clone(), line(&wire.from, &wire.to)?)));
    let (wires, lines): (Vec<_>, Vec<Line>) = lines.unzip();
    let routes = taskloom_layout::route(&boxes, &lines).into_iter();
    let routes = routes.map(|corners| corners.into_iter().map(Vec2::from).collect());
    scene.routes = map_of(wires.into_iter().zip(routes));
}

fn area(rect: &Rect) -> Area {
    let [near, far] = [rect.corner(), Vec2::new(rect.right(), rect.bottom())].map(|p| p.to_point());
    Area {
        left: near.x,
        top: near.y,
        right: far.x,
        bottom: far.y,
    }
}

#[cfg(test)]
mod tests {
    use super::super::chart::{self, tests::document, tests::task};
    use taskloom_document::{Block, Wire};

    #[test]
    fn wires_are_routed_around_blocks() {
        let blocks = |y| {
            let between = ("m", task("go"), (300, y));
            [
                ("b", Block::Begin {}, (0, 0)),
                between,
                ("x", task("go"), (700, 0)),
            ]
        };
        let corners = |y| {
            let scene = chart::scene(
                &document(&blocks(y), &["b.out -> x"]),
                &"go".parse().unwrap(),
            );
            let wire: Wire = "b.out -> x".parse().unwrap();
            let drawn = chart::drawn_wire(&wire);
            let curve = scene.curve(&drawn).unwrap();
            let between = scene.nodes.values().filter(|shape| shape.rect.x == 300.0);
            let between: Vec<_> = between.collect();
            assert_eq!(between.len(), 1);
            assert!(!curve.crosses(&between[0].rect));
            scene.routes[&drawn].len()
        };
        assert_eq!((corners(-10), corners(200)), (4, 0));
    }
}
