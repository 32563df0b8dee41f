//! What stands on a canvas, as geometry: boxes with sockets, wires between
//! them, and what is under a point. Method and Board are both scenes.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::sync::OnceLock;

use taskloom_core::order;
use taskloom_core::sorted::{SortedMap, SortedSet};

use super::curve::Curve;
use super::geometry::{Rect, Vec2};
use super::index::Index;

/// By what a canvas tells its nodes, their ports and its wires apart.
pub trait Graph: Debug + Clone + PartialEq + Eq + PartialOrd + Ord + Send + Sync + 'static {
    /// A block or a card.
    type Node: Debug + Clone + Ord + Hash + Send + Sync + 'static;
    /// A port among those of one node.
    type Port: Debug + Clone + Ord + Hash + Send + Sync + 'static;
    /// A wire.
    type Wire: Debug + Clone + Ord + Hash + Send + Sync + 'static;

    /// The value of a port element's `data-port`.
    fn port_key(port: &Self::Port) -> String;
}

/// On which side of its node a port is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Left: wires enter.
    Input,
    /// Right: wires leave.
    Output,
}

/// A port of a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct End<G: Graph> {
    /// The node.
    pub node: G::Node,
    /// Its port.
    pub port: G::Port,
}

/// Where a port is on its node.
#[derive(Debug, Clone, PartialEq)]
pub struct Socket<P> {
    /// The port.
    pub port: P,
    /// Its side.
    pub side: Side,
    /// Its middle, from the node's upper left corner.
    pub at: Vec2,
}

/// A node's outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape<G: Graph> {
    /// Where it stands.
    pub rect: Rect,
    /// Its ports.
    pub sockets: Vec<Socket<G::Port>>,
    /// The custom property of its colour, for where it is too small for more.
    pub tint: &'static str,
}

/// The two ends of a wire.
#[derive(Debug, Clone, PartialEq)]
pub struct Span<G: Graph> {
    /// The output it leaves.
    pub from: End<G>,
    /// The input it enters.
    pub to: End<G>,
    /// The custom property of its colour.
    pub tint: &'static str,
}

/// All nodes and wires of a canvas. It is made anew whenever one of them changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene<G: Graph> {
    /// The nodes.
    pub nodes: SortedMap<G::Node, Shape<G>>,
    /// The wires. An end that is not among the nodes' ports is not drawn.
    pub wires: SortedMap<G::Wire, Span<G>>,
    /// Made when something is looked for.
    places: Places,
}

impl<G: Graph> Default for Scene<G> {
    fn default() -> Self {
        Self::new(SortedMap::new(), SortedMap::new())
    }
}

/// Where nodes and wires are, by their positions in the scene's maps.
#[derive(Default)]
struct Places(OnceLock<(Index, Index)>);
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
    /// They follow from the nodes and the wires.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What is selected on a canvas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected<G: Graph> {
    /// Nodes.
    pub nodes: SortedSet<G::Node>,
    /// Wires.
    pub wires: SortedSet<G::Wire>,
}

impl<G: Graph> Default for Selected<G> {
    fn default() -> Self {
        Self {
            nodes: SortedSet::new(),
            wires: SortedSet::new(),
        }
    }
}

/// The names of nodes, one after the other.
pub fn names(nodes: impl Iterator<Item = impl ToString>) -> String {
    nodes.map(|node| node.to_string() + " ").collect()
}

/// What is under a point.
#[derive(Debug, Clone, PartialEq)]
pub enum Hit<G: Graph> {
    /// A port.
    Socket(End<G>, Side),
    /// A wire, near the end on this side of a node: `Input` is where it arrives.
    WireEnd(G::Wire, Side),
    /// A wire.
    Wire(G::Wire),
    /// A node.
    Node(G::Node),
    /// Nothing.
    Empty,
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

/// From farther away, in graph units around the pointer, ports and wires are too small to be meant.
const CLOSE: f64 = 20.0;

impl<G: Graph> Scene<G> {
    /// A scene of these.
    pub fn new(nodes: SortedMap<G::Node, Shape<G>>, wires: SortedMap<G::Wire, Span<G>>) -> Self {
        Self {
            nodes,
            wires,
            places: Places::default(),
        }
    }

    fn places(&self) -> &(Index, Index) {
        self.places.0.get_or_init(|| {
            let nodes: Vec<Rect> = self.nodes.values().map(|shape| shape.rect).collect();
            // What is not drawn is nowhere near.
            let nowhere = Rect::at(Vec2::new(f64::MAX, f64::MAX), 0.0, 0.0);
            let still = |_: &G::Node| Vec2::default();
            let bounds = |span| {
                let curve = self.curve_of(span, still);
                curve.map_or(nowhere, |curve| curve.bounds())
            };
            let wires: Vec<Rect> = self.wires.values().map(bounds).collect();
            (Index::new(&nodes), Index::new(&wires))
        })
    }

    /// The nodes that meet a rectangle.
    pub fn nodes_near(
        &self,
        rect: &Rect,
    ) -> impl DoubleEndedIterator<Item = (&G::Node, &Shape<G>)> {
        let (keys, shapes) = (self.nodes.keys().as_slice(), self.nodes.values().as_slice());
        let near = self.places().0.meeting(rect).into_iter();
        near.filter_map(move |at| Some((keys.get(at)?, shapes.get(at)?)))
    }

    /// The wires that may meet a rectangle: those around which one does.
    pub fn wires_near(&self, rect: &Rect) -> impl Iterator<Item = (&G::Wire, &Span<G>)> {
        let (keys, spans) = (self.wires.keys().as_slice(), self.wires.values().as_slice());
        let near = self.places().1.meeting(rect).into_iter();
        near.filter_map(move |at| Some((keys.get(at)?, spans.get(at)?)))
    }

    /// Where a port is, and its side.
    pub fn socket(&self, end: &End<G>) -> Option<(Vec2, Side)> {
        let shape = self.nodes.get(&end.node)?;
        let socket = shape.sockets.iter().find(|s| s.port == end.port)?;
        Some((shape.rect.corner() + socket.at, socket.side))
    }

    /// The shape of a wire.
    pub fn curve(&self, wire: &G::Wire) -> Option<Curve> {
        self.curve_moved(wire, |_| Vec2::default())
    }

    /// The shape of a wire while nodes stand elsewhere.
    pub fn curve_moved(&self, wire: &G::Wire, moved: impl Fn(&G::Node) -> Vec2) -> Option<Curve> {
        self.curve_of(self.wires.get(wire)?, moved)
    }

    /// The shape of a wire between these ends.
    pub fn curve_of(&self, span: &Span<G>, moved: impl Fn(&G::Node) -> Vec2) -> Option<Curve> {
        let (from, _) = self.socket(&span.from)?;
        let (to, _) = self.socket(&span.to)?;
        Some(Curve::between(
            from + moved(&span.from.node),
            to + moved(&span.to.node),
        ))
    }

    /// The wires at a port.
    pub fn wires_at<'a>(&'a self, end: &'a End<G>) -> impl Iterator<Item = &'a G::Wire> + 'a {
        self.wires
            .iter()
            .filter(move |(_, span)| span.from == *end || span.to == *end)
            .map(|(wire, _)| wire)
    }

    /// Whether a node has a wire.
    pub fn is_wired(&self, node: &G::Node) -> bool {
        self.wires
            .values()
            .any(|span| span.from.node == *node || span.to.node == *node)
    }

    /// The nodes that wires lead to from these, they themselves included.
    pub fn downstream(&self, from: &SortedSet<G::Node>) -> SortedSet<G::Node> {
        let mut followers: SortedMap<&G::Node, Vec<&G::Node>> = SortedMap::new();
        for span in self.wires.values() {
            followers
                .entry(&span.from.node)
                .or_default()
                .push(&span.to.node);
        }
        let mut reached = from.clone();
        let mut open: Vec<&G::Node> = from.iter().collect();
        while let Some(node) = open.pop() {
            for &next in followers.get(node).into_iter().flatten() {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The rectangle around some of the nodes, or around all where `only` is empty.
    pub fn bounds(&self, only: &SortedSet<G::Node>) -> Option<Rect> {
        let nodes = self
            .nodes
            .iter()
            .filter(|(node, _)| only.is_empty() || only.contains(*node));
        Rect::around(nodes.map(|(_, shape)| shape.rect))
    }

    /// What is under a point of the graph. `reach`, in graph units, is how far
    /// from a port or a wire still counts; `raised` nodes are drawn on top.
    pub fn hit(&self, p: Vec2, reach: f64, raised: &SortedSet<G::Node>) -> Hit<G> {
        let close = reach <= CLOSE;
        let reach = reach.min(CLOSE);
        if close && let Some((end, side)) = self.socket_near(p, reach * 1.5, |_| true) {
            return Hit::Socket(end, side);
        }
        let point = Rect::at(p, 0.0, 0.0);
        let nodes = || self.nodes_near(&point).rev();
        let top = nodes().find(|(node, _)| raised.contains(*node));
        if let Some((node, _)) = top.or_else(|| nodes().next()) {
            return Hit::Node(node.clone());
        }
        let near = self
            .wires_near(&point.grown(reach))
            .filter_map(|(wire, span)| Some((wire, self.curve_of(span, |_| Vec2::default())?)))
            .map(|(wire, curve)| (wire, curve, curve.distance(p)))
            .filter(|(_, _, distance)| *distance <= reach)
            .min_by(|a, b| a.2.total_cmp(&b.2));
        match near {
            None => Hit::Empty,
            Some((wire, curve, _)) => {
                let [from, _, _, to] = curve.points;
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

    /// The nearest port within `reach` of a point among those that are allowed.
    pub fn socket_near(
        &self,
        p: Vec2,
        reach: f64,
        allowed: impl Fn(&End<G>) -> bool,
    ) -> Option<(End<G>, Side)> {
        let mut best: Option<(f64, End<G>, Side)> = None;
        for (node, shape) in self.nodes_near(&Rect::at(p, 0.0, 0.0).grown(reach)) {
            for socket in &shape.sockets {
                let distance = (shape.rect.corner() + socket.at - p).length();
                if distance > reach || best.as_ref().is_some_and(|(d, ..)| *d <= distance) {
                    continue;
                }
                let end = End {
                    node: node.clone(),
                    port: socket.port.clone(),
                };
                if allowed(&end) {
                    best = Some((distance, end, socket.side));
                }
            }
        }
        best.map(|(_, end, side)| (end, side))
    }

    /// The nodes that a rectangle touches, and the wires that it crosses.
    pub fn touching(&self, rect: &Rect) -> Selected<G> {
        let nodes = self.nodes_near(rect).map(|(node, _)| node.clone());
        let crossed = |wire: &&G::Wire| self.curve(wire).is_some_and(|c| c.crosses(rect));
        let wires = self.wires_near(rect).map(|(wire, _)| wire);
        Selected {
            nodes: order::set(nodes),
            wires: order::set(wires.filter(crossed).cloned()),
        }
    }

    /// The wires that a line through these points crosses.
    pub fn crossed(&self, line: &[Vec2]) -> Vec<G::Wire> {
        let crosses = |wire: &&G::Wire| self.curve(wire).is_some_and(|c| c.is_cut_by(line));
        self.wires.keys().filter(crosses).cloned().collect()
    }

    /// The wire that a node at `rect` would be inserted on.
    pub fn wire_under(&self, node: &G::Node, rect: &Rect) -> Option<&G::Wire> {
        let inner = rect.grown(-6.0);
        self.wires_near(&inner)
            .filter(|(_, span)| span.from.node != *node && span.to.node != *node)
            .filter_map(|(wire, span)| Some((wire, self.curve_of(span, |_| Vec2::default())?)))
            .filter(|(_, curve)| curve.crosses(&inner))
            .min_by(|a, b| {
                let distance = |c: &Curve| c.distance(rect.center());
                distance(&a.1).total_cmp(&distance(&b.1))
            })
            .map(|(wire, _)| wire)
    }

    /// The nearest node in a direction; what lies straight ahead counts more.
    pub fn neighbour(&self, node: &G::Node, towards: Direction) -> Option<&G::Node> {
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
            .filter(|(other, _)| *other != node)
            .filter_map(|(other, shape)| Some((other, cost(&shape.rect)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(other, _)| other)
    }

    /// The place nearest to `wanted`, on the grid, where a box of this size
    /// covers no node: straight below, in steps.
    pub fn free_place(&self, wanted: Vec2, w: f64, h: f64, step: f64) -> Vec2 {
        let mut at = wanted.snapped(step);
        for _ in 0..=self.nodes.len() {
            let rect = Rect::at(at, w, h).grown(step);
            let covered = self
                .nodes
                .values()
                .filter(|shape| shape.rect.meets(&rect))
                .map(|shape| shape.rect.bottom())
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
pub mod tests {
    use super::*;

    /// Letters for nodes; ports and wires by number.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Letters;
    impl Graph for Letters {
        type Node = char;
        type Port = u8;
        type Wire = u8;

        fn port_key(port: &u8) -> String {
            port.to_string()
        }
    }

    pub fn end(node: char, port: u8) -> End<Letters> {
        End { node, port }
    }

    /// A -> B -> C in a row of boxes of 100 x 40 with 100 between them, D below B unwired.
    /// Port 0 is the input, port 1 the output.
    pub fn row() -> Scene<Letters> {
        let shape = |x, y| Shape {
            rect: Rect::at(Vec2::new(x, y), 100.0, 40.0),
            sockets: vec![
                Socket {
                    port: 0,
                    side: Side::Input,
                    at: Vec2::new(0.0, 20.0),
                },
                Socket {
                    port: 1,
                    side: Side::Output,
                    at: Vec2::new(100.0, 20.0),
                },
            ],
            tint: "--prim",
        };
        let wire = |from, to| Span {
            from: end(from, 1),
            to: end(to, 0),
            tint: "--line-strong",
        };
        Scene::new(
            [
                ('A', shape(0.0, 0.0)),
                ('B', shape(200.0, 0.0)),
                ('C', shape(400.0, 0.0)),
                ('D', shape(200.0, 200.0)),
            ]
            .into(),
            [(1, wire('A', 'B')), (2, wire('B', 'C'))].into(),
        )
    }

    fn hit(x: f64, y: f64) -> Hit<Letters> {
        row().hit(Vec2::new(x, y), 6.0, &SortedSet::new())
    }

    #[test]
    fn ports_come_before_nodes_and_nodes_before_wires() {
        assert_eq!(hit(98.0, 22.0), Hit::Socket(end('A', 1), Side::Output));
        assert_eq!(hit(50.0, 20.0), Hit::Node('A'));
        assert_eq!(hit(150.0, 23.0), Hit::Wire(1));
        assert_eq!(hit(188.0, 20.0), Hit::WireEnd(1, Side::Input));
        assert_eq!(hit(115.0, 20.0), Hit::WireEnd(1, Side::Output));
        assert_eq!(hit(150.0, 60.0), Hit::Empty);
    }

    #[test]
    fn from_far_away_neither_ports_nor_wires_are_in_the_way() {
        let far = |x, y| row().hit(Vec2::new(x, y), 200.0, &SortedSet::new());
        assert_eq!(far(98.0, 22.0), Hit::Node('A'));
        assert_eq!(far(150.0, 60.0), Hit::Empty);
        assert_eq!(far(150.0, 23.0), Hit::Wire(1));
    }

    #[test]
    fn of_overlapping_nodes_the_raised_one_is_hit() {
        let mut scene = row();
        let over = scene.nodes[&'A'].clone();
        scene.nodes.insert('B', over);
        let p = Vec2::new(50.0, 20.0);
        assert_eq!(scene.hit(p, 6.0, &SortedSet::new()), Hit::Node('B'));
        assert_eq!(scene.hit(p, 6.0, &['A'].into()), Hit::Node('A'));
    }

    #[test]
    fn a_marquee_takes_what_it_touches() {
        let rect = Rect::between(Vec2::new(140.0, -10.0), Vec2::new(210.0, 60.0));
        let touched = row().touching(&rect);
        assert_eq!(touched.nodes, ['B'].into());
        assert_eq!(touched.wires, [1].into());
    }

    #[test]
    fn a_block_lands_on_the_wire_it_covers_and_never_on_its_own() {
        let scene = row();
        let over_second = Rect::at(Vec2::new(310.0, 0.0), 80.0, 40.0);
        assert_eq!(scene.wire_under(&'D', &over_second), Some(&2));
        assert_eq!(scene.wire_under(&'C', &over_second), None);
        assert_eq!(
            scene.wire_under(&'D', &over_second.moved(Vec2::new(0.0, 90.0))),
            None
        );
    }

    #[test]
    fn neighbours_and_followers() {
        let scene = row();
        assert_eq!(scene.neighbour(&'A', Direction::Right), Some(&'B'));
        assert_eq!(scene.neighbour(&'B', Direction::Down), Some(&'D'));
        assert_eq!(scene.neighbour(&'A', Direction::Left), None);
        assert_eq!(scene.downstream(&['B'].into()), ['B', 'C'].into());
    }

    #[test]
    fn a_new_block_finds_a_free_place_below() {
        let scene = row();
        let free = scene.free_place(Vec2::new(203.0, 4.0), 100.0, 40.0, 10.0);
        assert_eq!(free, Vec2::new(200.0, 60.0));
        assert_eq!(
            scene.free_place(Vec2::new(1000.0, 4.0), 100.0, 40.0, 10.0),
            Vec2::new(1000.0, 0.0)
        );
    }
}
