//! A wire under the pointer: its possible targets, and the result of releasing it.

use std::collections::BTreeSet;

use super::{Context, Pointer};
use crate::canvas::geometry::Vec2;
use crate::canvas::intent::Intent;
use crate::canvas::scene::{End, Node, Side, Wire};

/// The distance, in pixels, within which a loose wire snaps to a port.
const MAGNET: f64 = 26.0;

/// A wire with one loose end.
#[derive(Debug, Clone, PartialEq)]
pub struct Loose {
    /// The end that is fixed.
    pub fixed: End,
    /// The wire whose end it was.
    pub instead_of: Option<Wire>,
    /// The position of the loose end, in graph units.
    pub at: Vec2,
    /// The ports that can take it.
    pub targets: BTreeSet<End>,
    /// The port that it would snap to.
    pub target: Option<End>,
    /// `true` if the port was only tapped: the wire waits for a tap on another.
    pub tapped: bool,
}

impl Loose {
    pub(super) fn drag(&mut self, context: &Context<'_>, p: Vec2) {
        self.at = p;
        let fits = |end: &End| self.targets.contains(end);
        let near = context
            .scene
            .socket_near(p, MAGNET / context.camera.zoom, fits);
        // Anywhere on a node is enough if exactly one of its ports fits.
        let on_node = || {
            let under = |node: &Node| {
                let shape = context.scene.nodes.get(node);
                shape.is_some_and(|s| s.rect.contains(p))
            };
            let mut ends = self.targets.iter().filter(|end| under(&end.node));
            let first = ends.next()?;
            ends.next().is_none().then(|| first.clone())
        };
        self.target = near.or_else(on_node);
    }

    pub(super) fn release(self, context: &Context<'_>, pointer: Pointer) -> Option<Intent> {
        if let Some(target) = self.target {
            let (from, to) = match self.fixed.port.side() {
                Side::Output => (self.fixed, target),
                Side::Input => (target, self.fixed),
            };
            let before = self.instead_of.as_ref();
            if before.is_some_and(|wire| wire.from == from && wire.to == to) {
                return None;
            }
            return Some(Intent::Connect {
                from,
                to,
                instead_of: self.instead_of,
            });
        }
        let p = context.camera.to_graph(pointer.at);
        let mut nodes = context.scene.nodes.iter();
        let on_node = nodes.any(|(node, shape)| node.body(shape.rect).contains(p));
        match self.instead_of {
            _ if on_node => None,
            Some(wire) => Some(Intent::Disconnect(wire)),
            None => Some(Intent::Search {
                from: self.fixed,
                at: pointer.at,
            }),
        }
    }
}
