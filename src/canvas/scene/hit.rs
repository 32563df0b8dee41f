//! Hit tests in a scene: at a point, in a marquee, or along a line.

use std::collections::BTreeSet;

use super::{End, Node, Scene, Selected, Side, Slot, Wire};
use crate::canvas::curve::Curve;
use crate::canvas::geometry::{Rect, Vec2};
use taskloom_document::sort::set_of;

/// The side of the resize grip at a frame's lower right corner.
const GRIP: f64 = 18.0;

/// The reach, in graph units, above which the view is too far away for ports and wires to be hit.
const CLOSE: f64 = 20.0;

/// The target under a point.
#[derive(Debug, Clone, PartialEq)]
pub enum Hit {
    /// A port.
    Socket(End),
    /// A wire, near its end on this side of a node: `Input` is where it arrives.
    WireEnd(Wire, Side),
    /// A wire.
    Wire(Wire),
    /// A node.
    Node(Node),
    /// The corner of a frame.
    Corner(Node),
    /// Nothing.
    Empty,
}

impl Scene {
    /// Returns the target under a point of the graph. `reach`, in graph units, is the distance
    /// within which a port or a wire counts; `raised` nodes are drawn on top.
    pub fn hit(&self, p: Vec2, reach: f64, raised: &BTreeSet<Node>) -> Hit {
        let close = reach <= CLOSE;
        let reach = reach.min(CLOSE);
        if close && let Some(end) = self.socket_near(p, reach * 1.5, |_| true) {
            return Hit::Socket(end);
        }
        let point = Rect::at(p, 0.0, 0.0);
        let nodes = || self.nodes_near(&point).rev();
        let top = nodes().find(|(node, _)| raised.contains(*node));
        if let Some((node, _)) = top.or_else(|| nodes().next()) {
            return Hit::Node(node.clone());
        }
        let grip = |rect: &Rect| {
            let corner = Vec2::new(rect.right() - GRIP, rect.bottom() - GRIP);
            Rect::at(corner, GRIP, GRIP).contains(p)
        };
        if let Some((frame, _)) = self.frames().find(|(_, shape)| grip(&shape.rect)) {
            return Hit::Corner(frame.clone());
        }
        let is_raised = |node: &Node| raised.contains(node);
        let is_visible = |wire: &Wire| {
            let is_shown = is_raised(&wire.from.node) || is_raised(&wire.to.node);
            wire.to.port != Slot::Changes && (is_shown || !self.hides_wires)
        };
        let near = self
            .wires_near(&point.grown(reach))
            .filter(|(wire, _)| is_visible(wire))
            .filter_map(|(wire, _)| Some((wire, self.curve(wire)?)))
            .map(|(wire, curve)| (wire, curve.distance(p), curve))
            .filter(|(_, distance, _)| *distance <= reach)
            .min_by(|a, b| a.1.total_cmp(&b.1));
        match near {
            None => Hit::Empty,
            Some((wire, _, curve)) => {
                let (from, to) = (curve.from(), curve.to());
                let grip = (reach * 4.0).min((to - from).length() / 3.0);
                if (p - to).length() <= grip {
                    Hit::WireEnd(wire.clone(), Side::Input)
                } else if (p - from).length() <= grip {
                    Hit::WireEnd(wire.clone(), Side::Output)
                } else {
                    Hit::Wire(wire.clone())
                }
            }
        }
    }

    /// Returns the nearest port within `reach` of a point, among the allowed ones.
    pub fn socket_near(&self, p: Vec2, reach: f64, allowed: impl Fn(&End) -> bool) -> Option<End> {
        let mut best: Option<(f64, End)> = None;
        for (node, shape) in self.nodes_near(&Rect::at(p, 0.0, 0.0).grown(reach)) {
            for socket in &shape.sockets {
                let distance = (shape.rect.corner() + socket.at - p).length();
                if distance > reach || best.as_ref().is_some_and(|(d, _)| *d <= distance) {
                    continue;
                }
                let end = End {
                    node: node.clone(),
                    port: socket.port,
                };
                if allowed(&end) {
                    best = Some((distance, end));
                }
            }
        }
        best.map(|(_, end)| end)
    }

    /// Returns `true` if a marquee selects a node: by touching it or, for a frame, which may
    /// surround the marquee, by enclosing all of it.
    pub fn takes(&self, rect: &Rect, node: &Node) -> bool {
        let shape = self.nodes.get(node);
        shape.is_some_and(|shape| match node {
            Node::Frame(_) => rect.encloses(&shape.rect),
            _ => rect.meets(&shape.rect),
        })
    }

    /// Returns the nodes that a marquee selects, and the wires that it crosses.
    pub fn touching(&self, rect: &Rect) -> Selected {
        let nodes = self.nodes_near(rect).map(|(node, _)| node);
        let nodes = nodes.filter(|node| self.takes(rect, node)).cloned();
        let crossed = |wire: &&Wire| self.curve(wire).is_some_and(|c| c.crosses(rect));
        let wires = self.wires_near(rect).map(|(wire, _)| wire);
        Selected {
            nodes: set_of(nodes),
            wires: set_of(wires.filter(crossed).cloned()),
        }
    }

    /// Returns the wires crossed by a polyline through these points.
    pub fn crossed(&self, line: &[Vec2]) -> Vec<Wire> {
        let crosses = |wire: &&Wire| self.curve(wire).is_some_and(|c| c.is_cut_by(line));
        self.wires.keys().filter(crosses).cloned().collect()
    }

    /// Returns the wire that a node at `rect` would be inserted on.
    pub fn wire_under(&self, node: &Node, rect: &Rect) -> Option<&Wire> {
        let inner = rect.grown(-6.0);
        self.wires_near(&inner)
            .map(|(wire, _)| wire)
            .filter(|wire| !wire.touches(node))
            .filter_map(|wire| Some((wire, self.curve(wire)?)))
            .filter(|(_, curve)| curve.crosses(&inner))
            .min_by(|a, b| {
                let distance = |c: &Curve| c.distance(rect.center());
                distance(&a.1).total_cmp(&distance(&b.1))
            })
            .map(|(wire, _)| wire)
    }
}
