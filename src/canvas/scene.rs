//! The geometry of a canvas: boxes with sockets, wires between them, and hit tests. Method and
//! Board are both scenes.

mod hit;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};
use std::sync::OnceLock;

use super::colour::Colour;
use super::curve::Curve;
use super::geometry::{Rect, Vec2};
use super::index::Index;
pub use super::node::{End, Node, Side, Slot, TITLE, Wire, blocks, cards, frames, wire_of};
pub use hit::Hit;
use taskloom_document::sort::set_of;

/// The position of a port on its node.
#[derive(Debug, Clone, PartialEq)]
pub struct Socket {
    /// The port.
    pub port: Slot,
    /// Its center, relative to the node's upper left corner.
    pub at: Vec2,
}

/// A node's outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Its position and size.
    pub rect: Rect,
    /// The height of its head.
    pub head: f64,
    /// Its ports.
    pub sockets: Vec<Socket>,
    /// Its colour, if it is too small for more.
    pub colour: Colour,
}

/// All nodes and wires of a canvas. It is rebuilt whenever one of them changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// The nodes.
    pub nodes: BTreeMap<Node, Shape>,
    /// The wires and their colours. A wire with an end that is not among the nodes' ports is not
    /// drawn.
    pub wires: BTreeMap<Wire, Colour>,
    /// Nodes that are not shown, each with the ports where its wires end instead. Must be set before
    /// the first query.
    pub folded: BTreeMap<Node, Shape>,
    /// `true` if only the wires of selected nodes can be hit, since all others are invisible.
    pub hides_wires: bool,
    /// The parts of the picture that are no nodes.
    pub others: Vec<Rect>,
    /// The bend points of some wires. Must be set before the first query.
    pub bends: BTreeMap<Wire, Vec<Vec2>>,
    /// The corners of wires that have horizontal and vertical parts. Must be set before the first
    /// query.
    pub routes: BTreeMap<Wire, Vec<Vec2>>,
    /// Built for the first query.
    places: Places,
}

/// Positioned items, in order, with their spatial index.
struct Placed<T> {
    items: Vec<T>,
    index: Index,
}

impl<T> Placed<T> {
    fn new(items: impl Iterator<Item = (T, Rect)>) -> Self {
        let (items, rects): (_, Vec<Rect>) = items.unzip();
        let index = Index::new(&rects);
        Self { items, index }
    }

    fn meeting(&self, window: &Rect) -> impl DoubleEndedIterator<Item = &T> {
        let near = self.index.meeting(window).into_iter();
        near.filter_map(|at| self.items.get(at))
    }
}

/// The spatial indices of nodes and wires.
#[derive(Default)]
struct Places(OnceLock<(Placed<Node>, Placed<Wire>)>);
impl Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Places")
    }
}
impl Clone for Places {
    fn clone(&self) -> Self {
        Self::default()
    }
}
impl PartialEq for Places {
    /// They are derived from the nodes and the wires.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The selection of a canvas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selected {
    /// Nodes.
    pub nodes: BTreeSet<Node>,
    /// Wires.
    pub wires: BTreeSet<Wire>,
}

impl Selected {
    /// Selects a single node.
    pub fn node(node: Node) -> Self {
        Self {
            nodes: [node].into(),
            ..Self::default()
        }
    }

    /// Selects a single wire.
    pub fn wire(wire: Wire) -> Self {
        Self {
            wires: [wire].into(),
            ..Self::default()
        }
    }

    /// Returns the selected blocks or cards.
    pub fn solid(&self) -> BTreeSet<Node> {
        let nodes = self.nodes.iter().filter(|node| node.is_solid());
        set_of(nodes.cloned())
    }
}

/// A direction of spatial navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

impl Scene {
    /// Creates a scene.
    pub fn new(nodes: BTreeMap<Node, Shape>, wires: BTreeMap<Wire, Colour>) -> Self {
        Self {
            nodes,
            wires,
            folded: BTreeMap::new(),
            hides_wires: false,
            others: vec![],
            bends: BTreeMap::new(),
            routes: BTreeMap::new(),
            places: Places::default(),
        }
    }

    fn places(&self) -> &(Placed<Node>, Placed<Wire>) {
        self.places.0.get_or_init(|| {
            let nodes = self.nodes.iter();
            let bodies = nodes.map(|(node, shape)| (node.clone(), node.body(shape.rect)));
            let wires = self.wires.keys();
            // A wire that isn't drawn is nowhere near.
            let bounds = wires.filter_map(|wire| Some((wire.clone(), self.curve(wire)?.bounds())));
            (Placed::new(bodies), Placed::new(bounds))
        })
    }

    /// Returns the frames.
    pub fn frames(&self) -> impl Iterator<Item = (&Node, &Shape)> {
        // They come before all others.
        let nodes = self.nodes.iter();
        nodes.take_while(|(node, _)| node.frame().is_some())
    }

    /// Returns these nodes and everything that is entirely inside the frames among them.
    pub fn with_contents(&self, nodes: &BTreeSet<Node>) -> BTreeSet<Node> {
        let frames = self.frames().filter(|(frame, _)| nodes.contains(*frame));
        let frames: Vec<Rect> = frames.map(|(_, shape)| shape.rect).collect();
        let mut all = nodes.clone();
        if !frames.is_empty() {
            let held = |shape: &Shape| frames.iter().any(|f| f.encloses(&shape.rect));
            let contents = self.nodes.iter().filter(|(_, shape)| held(shape));
            all.extend(contents.map(|(node, _)| node.clone()));
        }
        all
    }

    /// Returns the frames that contain some of these nodes and no others.
    pub fn frames_around_only(&self, nodes: &BTreeSet<Node>) -> BTreeSet<Node> {
        let around_only = |frame: &Shape| {
            let held = self.nodes.iter().filter(|(node, _)| node.is_solid());
            let mut held = held
                .filter(|(_, shape)| frame.rect.encloses(&shape.rect))
                .peekable();
            held.peek().is_some() && held.all(|(node, _)| nodes.contains(node))
        };
        let frames = self.frames().filter(|(_, shape)| around_only(shape));
        set_of(frames.map(|(node, _)| node.clone()))
    }

    /// Returns the nodes that intersect a rectangle.
    pub fn nodes_near(&self, rect: &Rect) -> impl DoubleEndedIterator<Item = (&Node, &Shape)> {
        let near = self.places().0.meeting(rect);
        near.filter_map(|node| self.nodes.get_key_value(node))
    }

    /// Returns the wires whose bounds intersect a rectangle, with their colours.
    pub fn wires_near(&self, rect: &Rect) -> impl Iterator<Item = (&Wire, Colour)> {
        let near = self.places().1.meeting(rect);
        near.filter_map(|wire| Some((wire, *self.wires.get(wire)?)))
    }

    /// Returns the position of a port.
    pub fn socket(&self, end: &End) -> Option<Vec2> {
        let shape = self.nodes.get(&end.node);
        let shape = shape.or_else(|| self.folded.get(&end.node))?;
        let socket = shape.sockets.iter().find(|s| s.port == end.port)?;
        Some(shape.rect.corner() + socket.at)
    }

    /// Returns the shape of a wire.
    pub fn curve(&self, wire: &Wire) -> Option<Curve> {
        self.curve_moved(wire, &|_| Vec2::default())
    }

    /// Returns the shape of a wire while nodes are displaced.
    pub fn curve_moved(&self, wire: &Wire, moved: &dyn Fn(&Node) -> Vec2) -> Option<Curve> {
        let from = self.socket(&wire.from)?;
        let to = self.socket(&wire.to)?;
        let (start, end) = (moved(&wire.from.node), moved(&wire.to.node));
        let Some(bends) = self.bends.get(wire) else {
            let (from, to) = (from + start, to + end);
            return Some(match self.routes.get(wire) {
                None => Curve::between(from, to),
                Some(corners) if start == end => {
                    let corners = corners.iter().map(|corner| *corner + start);
                    Curve::along(from, &Vec::from_iter(corners), to)
                }
                // It is routed again once its ends rest.
                Some(_) => Curve::stepped(from, to),
            });
        };
        // If both ends move equally, so do the points between them.
        let along = if start == end { start } else { Vec2::default() };
        let bends = bends.iter().enumerate().map(|(number, bend)| {
            let own = wire_of(wire).map(|wire| moved(&Node::Bend(wire, number)));
            *bend + own.filter(|by| *by != Vec2::default()).unwrap_or(along)
        });
        let bends: Vec<Vec2> = bends.collect();
        Some(Curve::through(from + start, &bends, to + end))
    }

    /// Returns the wires at a port.
    pub fn wires_at<'a>(&'a self, end: &'a End) -> impl Iterator<Item = &'a Wire> + 'a {
        self.wires.keys().filter(|wire| wire.ends_at(end))
    }

    /// Returns `true` if a node has a wire.
    pub fn is_wired(&self, node: &Node) -> bool {
        self.wires.keys().any(|wire| wire.touches(node))
    }

    /// Returns the shown nodes that are reachable from these by wires, including themselves.
    pub fn downstream(&self, from: &BTreeSet<Node>) -> BTreeSet<Node> {
        let mut followers: BTreeMap<&Node, Vec<&Node>> = BTreeMap::new();
        for wire in self.wires.keys() {
            let next = followers.entry(&wire.from.node).or_default();
            next.push(&wire.to.node);
        }
        let mut reached = from.clone();
        let mut open: Vec<&Node> = from.iter().collect();
        while let Some(node) = open.pop() {
            for &next in followers.get(node).into_iter().flatten() {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        reached.retain(|node| !self.folded.contains_key(node));
        reached
    }

    /// Returns the rectangle around some of the nodes, or around everything if `only` is empty.
    pub fn bounds(&self, only: &BTreeSet<Node>) -> Option<Rect> {
        let all = only.is_empty();
        let nodes = self.nodes.iter();
        let nodes = nodes.filter(|(node, _)| all || only.contains(*node));
        let others = self.others.iter().filter(|_| all);
        Rect::around(nodes.map(|(_, shape)| shape.rect).chain(others.copied()))
    }

    /// Returns the nearest node in a direction, with a preference for those straight ahead.
    pub fn neighbour(&self, node: &Node, towards: Direction) -> Option<&Node> {
        let from = self.nodes.get(node)?.rect.center();
        let cost = |rect: &Rect| {
            let d = rect.center() - from;
            let (ahead, aside) = match towards {
                Direction::Left => (-d.x, d.y.abs()),
                Direction::Right => (d.x, d.y.abs()),
                Direction::Up => (-d.y, d.x.abs()),
                Direction::Down => (d.y, d.x.abs()),
            };
            (ahead > 1.0).then_some(ahead + 2.0 * aside)
        };
        self.nodes
            .iter()
            .filter(|(other, _)| *other != node && other.is_solid())
            .filter_map(|(other, shape)| Some((other, cost(&shape.rect)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(other, _)| other)
    }

    /// Returns the grid point nearest to `wanted` where a box of this size covers no node: straight
    /// below, in steps.
    pub fn free_place(&self, wanted: Vec2, w: f64, h: f64, step: f64) -> Vec2 {
        let mut at = wanted.snapped(step);
        for _ in 0..=self.nodes.len() {
            let rect = Rect::at(at, w, h).grown(step);
            let covered = self
                .nodes
                .iter()
                .filter(|(node, shape)| node.is_solid() && shape.rect.meets(&rect))
                .map(|(_, shape)| shape.rect.bottom())
                .reduce(f64::max);
            match covered {
                None => break,
                Some(bottom) => at.y = ((bottom + 2.0 * step) / step).ceil() * step,
            }
        }
        at
    }
}

#[cfg(test)]
pub mod tests;
