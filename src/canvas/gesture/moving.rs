//! Nodes under the pointer: snapping to the grid, aligning with others, inserting on a wire.

use std::collections::BTreeSet;

use super::{Context, SNAP};
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::scene::{Node, Wire};

/// The distance, in pixels, within which a dragged node snaps into alignment with another.
const ALIGN: f64 = 6.0;
/// The maximum distance, in graph units, of those others.
const NEAR: f64 = 600.0;

/// Nodes being dragged.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The node under the pointer.
    pub held: Node,
    /// All moving nodes.
    pub nodes: BTreeSet<Node>,
    /// The position where the pointer grabbed it, in graph units.
    pub from: Vec2,
    /// Their displacement, snapped.
    pub by: Vec2,
    /// The wire on which the single node would be inserted.
    pub onto: Option<Wire>,
    /// The lines along which it is aligned with others.
    pub guides: Vec<(Vec2, Vec2)>,
}

impl Move {
    pub(super) fn drag(&mut self, context: &Context<'_>, p: Vec2, alt: bool) {
        let Some(shape) = context.scene.nodes.get(&self.held) else {
            return;
        };
        let corner = shape.rect.corner();
        self.guides.clear();
        if alt {
            // Neither grid nor guides, and onto no wire.
            (self.by, self.onto) = (p - self.from, None);
            return;
        }
        self.by = (corner + (p - self.from)).snapped(SNAP) - corner;
        self.align(context, shape.rect.moved(p - self.from), corner);
        let alone = self.nodes.len() == 1 && !context.scene.is_wired(&self.held);
        self.onto = alone
            .then(|| {
                context
                    .scene
                    .wire_under(&self.held, &shape.rect.moved(self.by))
            })
            .flatten()
            .filter(|_| (context.inserts)(&self.held))
            .cloned();
    }

    /// Aligns the dragged node with nearby others if it nearly is: vertically by left sides, right
    /// sides or centers, and horizontally by upper sides or centers.
    fn align(&mut self, context: &Context<'_>, free: Rect, corner: Vec2) {
        let (reach, around) = (ALIGN / context.camera.zoom, free.grown(NEAR));
        let lines = |r: &Rect| {
            [
                [r.x, r.center().x, r.right()],
                [r.y, r.center().y, r.bottom()],
            ]
        };
        let own = lines(&free);
        let mut best = [reach; 2];
        let mut aligned: [Option<(f64, f64, Rect)>; 2] = [None; 2];
        for (node, shape) in context.scene.nodes_near(&around) {
            if self.nodes.contains(node) || !node.is_solid() {
                continue;
            }
            for (axis, theirs) in lines(&shape.rect).into_iter().enumerate() {
                for (mine, line) in own[axis].into_iter().zip(theirs) {
                    let off = line - mine;
                    let nearer = aligned[axis].is_none_or(|(.., rect)| {
                        (rect.center() - free.center()).length()
                            > (shape.rect.center() - free.center()).length()
                    });
                    if off.abs() < best[axis]
                        || (off.abs() <= best[axis] && nearer && off.abs() < reach)
                    {
                        best[axis] = off.abs();
                        aligned[axis] = Some((off, line, shape.rect));
                    }
                }
            }
        }
        if let Some((off, ..)) = aligned[0] {
            self.by.x = free.x + off - corner.x;
        }
        if let Some((off, ..)) = aligned[1] {
            self.by.y = free.y + off - corner.y;
        }
        let at = Rect::at(corner + self.by, free.w, free.h);
        if let Some((_, x, other)) = aligned[0] {
            let (top, bottom) = (at.y.min(other.y), at.bottom().max(other.bottom()));
            self.guides.push((Vec2::new(x, top), Vec2::new(x, bottom)));
        }
        if let Some((_, y, other)) = aligned[1] {
            let (left, right) = (at.x.min(other.x), at.right().max(other.right()));
            self.guides.push((Vec2::new(left, y), Vec2::new(right, y)));
        }
    }
}
