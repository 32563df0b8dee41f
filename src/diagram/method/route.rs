//! Routes wires without bend points around blocks in their way.

use crate::canvas::curve::Curve;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{Node, Scene};

/// The maximum number of blocks for which wires are routed.
const MAX_BLOCKS: usize = 300;
/// The distance at which a wire goes around a block, in graph units.
const AROUND: f64 = 26.0;
/// The horizontal space for a wire to leave or to enter a block.
const LEVEL: f64 = 20.0;

/// Routes wires that would cross blocks by points above or below those, if they then cross fewer.
pub fn route(scene: &mut Scene) {
    if scene.nodes.len() > MAX_BLOCKS {
        return;
    }
    let blocks = scene.nodes.iter().filter(|(node, _)| node.is_solid());
    let blocks: Vec<(&Node, Rect)> = blocks
        .map(|(n, shape)| (n, shape.rect.grown(-3.0)))
        .collect();
    let mut routed = vec![];
    for wire in scene.wires.keys() {
        let (Some(from), Some(to)) = (scene.socket(&wire.from), scene.socket(&wire.to)) else {
            continue;
        };
        // A backward wire has to swing around anyway.
        if to.x < from.x || scene.bends.contains_key(wire) {
            continue;
        }
        let crossed = |curve: &Curve| -> Vec<Rect> {
            let met = |(node, rect): &&(&Node, Rect)| !wire.touches(node) && curve.crosses(rect);
            blocks.iter().filter(met).map(|(_, rect)| *rect).collect()
        };
        let straight = crossed(&Curve::between(from, to));
        let Some(all) = Rect::around(straight.iter().copied()) else {
            continue;
        };
        let (left, right) = (all.x.max(from.x + LEVEL), all.right().min(to.x - LEVEL));
        let mut best = (straight.len(), f64::MAX, vec![]);
        for y in [all.y - AROUND, all.bottom() + AROUND] {
            let bends = match right - left > 3.0 * LEVEL {
                true => vec![Vec2::new(left, y), Vec2::new(right, y)],
                false => vec![Vec2::new((left + right) / 2.0, y)],
            };
            let count = crossed(&Curve::through(from, &bends, to)).len();
            let detour = (y - from.y).abs() + (y - to.y).abs();
            let nearer = count == best.0 && !best.2.is_empty() && detour < best.1;
            if count < best.0 || nearer {
                best = (count, detour, bends);
            }
        }
        if !best.2.is_empty() {
            routed.push((wire.clone(), best.2));
        }
    }
    scene.bends.extend(routed);
}

#[cfg(test)]
mod tests {
    use super::super::chart::{self, tests::document, tests::task};
    use taskloom::document::{Block, Wire};

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
        let bends = |y| {
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
            scene.bends.get(&drawn).map_or(0, Vec::len)
        };
        assert_eq!((bends(-10), bends(200)), (2, 0));
    }
}
