//! Automatic layout: positions of blocks and cards such that a diagram reads from left to right
//! with few crossings.
//!
//! Layered drawing (Sugiyama, Tagawa & Toda 1981) in four steps: [`layers`] breaks cycles and
//! assigns nodes to columns; [`order`] orders each column by barycentres and transposition (Eades &
//! Wormald 1994, Gansner et al. 1993); [`place`] assigns vertical positions by isotonic regression,
//! one column at a time. A flowchart that is too wide for that is placed in [`rows`]. [`route`]
//! finds the paths of its wires between the boxes. The same graph always gives the same layout.

mod flowchart;
mod layers;
mod order;
mod place;
mod route;
mod rows;
mod text;

use serde::{Deserialize, Serialize};

use taskloom_document::Point;
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::Stop;

pub use flowchart::{draw, graph_of, task_marks};
pub use route::{Area, Line, route};
pub use rows::{GAP, GAP_ROWS, rows};
pub use text::{Text, block_width, line_width};

/// The gap between two columns, in graph units.
pub const GAP_X: i32 = 60;
/// The gap between two blocks of a column, in graph units.
pub const GAP_Y: i32 = 40;

/// A box, in graph units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
}

/// A wire between two boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// The index of the node that it leaves.
    pub from: usize,
    /// The index of the node that it enters.
    pub to: usize,
    /// The distance from the upper edge of `from` at which it leaves.
    pub out: i32,
    /// The distance from the upper edge of `to` at which it enters.
    pub into: i32,
}

/// Boxes and wires. Reading starts at the first box. Wires of one box are ordered from top to
/// bottom, and the layout tries to order their targets in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Graph {
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The wires; those whose ends are not boxes are ignored.
    pub edges: Vec<Edge>,
    /// The boxes whose outputs are alternatives in the order in which they are tried.
    pub ranked: Vec<usize>,
}

/// Returns the upper left corners of all boxes, the topmost and leftmost at zero. Boxes never
/// overlap. Parts that are not connected by wires are placed below each other.
pub fn layered(graph: &Graph) -> Vec<Point> {
    layered_cancellable(graph, &Stop::default())
}

/// Lays out a graph like [`layered`]; some positions are arbitrary if it was stopped.
fn layered_cancellable(graph: &Graph, stop: &Stop) -> Vec<Point> {
    let mut points = vec![Point::default(); graph.nodes.len()];
    let mut top = 0;
    for part in layers::parts(graph) {
        if stop.after(graph.nodes.len()) {
            break;
        }
        let mut layered = layers::layer(graph, &part);
        order::reduce_crossings(&mut layered, stop);
        let height = place::place(graph, &layered, top, &mut points, stop);
        top += height + 2 * GAP_Y;
    }
    points
}

/// The room for a flowchart, in graph units: a canvas of 900 by 600 pixels at 80 %, without its
/// margins.
pub const ROOM: Node = Node {
    width: 1075,
    height: 700,
};

/// The widths of rows to try, in quarters of the room's.
const WIDTHS: [i32; 10] = [4, 5, 6, 8, 10, 12, 16, 24, 32, 48];

/// Returns the upper left corners of all boxes of a flowchart: in columns if those fit into `room`,
/// otherwise in columns or in rows, whichever is shown larger there.
pub fn flow(graph: &Graph, room: Node) -> Vec<Point> {
    let mut best = layered(graph);
    let mut zoom = zoom(extent(graph, &best), room);
    for quarters in WIDTHS {
        if zoom >= 1.0 {
            break;
        }
        let points = rows(graph, room.width / 4 * quarters);
        let extent = extent(graph, &points);
        let found = self::zoom(extent, room);
        // A row is only made longer if that makes a difference.
        if found > 1.02 * zoom {
            (best, zoom) = (points, found);
        }
        if i64::from(extent.width) * i64::from(room.height)
            >= i64::from(extent.height) * i64::from(room.width)
        {
            break;
        }
    }
    best
}

/// Returns the size of a drawing.
pub fn extent(graph: &Graph, points: &[Point]) -> Node {
    let boxes = || points.iter().zip(&graph.nodes);
    let lefts = points.iter().map(|p| p.x).min();
    let tops = points.iter().map(|p| p.y).min();
    let rights = boxes().map(|(p, size)| p.x + size.width).max();
    let bottoms = boxes().map(|(p, size)| p.y + size.height).max();
    Node {
        width: rights.unwrap_or(0) - lefts.unwrap_or(0),
        height: bottoms.unwrap_or(0) - tops.unwrap_or(0),
    }
}

/// Returns the zoom at which a drawing fits into `room`.
fn zoom(extent: Node, room: Node) -> f64 {
    let ratio = |room: i32, length: i32| f64::from(room) / f64::from(length.max(1));
    ratio(room.width, extent.width).min(ratio(room.height, extent.height))
}

/// Lays out the boxes that are `movable` and leaves all others where they are. `at` holds their
/// upper left corners; none: never placed.
///
/// If all may move, the first box keeps its position. Otherwise the moved part as a whole keeps its
/// position, or is placed near the boxes that it is wired to, and is shifted up or down by the
/// minimum needed to avoid overlaps.
pub fn tidy(graph: &Graph, at: &[Option<Point>], movable: &[bool]) -> Vec<Point> {
    let is_movable = |node: &usize| movable.get(*node).copied().unwrap_or(true);
    let place = |node: usize| at.get(node).copied().flatten();
    let all = 0..graph.nodes.len();
    let moving: Vec<usize> = all.clone().filter(is_movable).collect();
    let (part, places) = part_of(graph, &moving);
    let laid = flow(&part, ROOM);
    let mut points: Vec<Point> = all.map(|node| place(node).unwrap_or_default()).collect();
    let whole = moving.len() == graph.nodes.len();
    let corner = if whole {
        let (old, new) = (place(0), laid.first());
        let corner = old.zip(new).map(|(o, n)| (o.x - n.x, o.y - n.y));
        corner.unwrap_or_default()
    } else {
        anchor(graph, &places, &place)
    };
    let boxed = |node: usize, at: Point| {
        let size = graph.nodes.get(node);
        let (w, h) = size.map_or((0, 0), |size| (size.width, size.height));
        [at.x, at.y, at.x + w, at.y + h]
    };
    let moved: Vec<[i32; 4]> = moving
        .iter()
        .zip(&laid)
        .map(|(node, p)| boxed(*node, moved_by(*p, corner)))
        .collect();
    let standing = (0..graph.nodes.len()).filter(|node| !is_movable(node));
    let standing: Vec<[i32; 4]> = standing
        .filter_map(|node| Some(boxed(node, place(node)?)))
        .collect();
    let down = free_shift(&moved, &standing);
    for (node, p) in moving.iter().zip(&laid) {
        if let Some(point) = points.get_mut(*node) {
            *point = moved_by(*p, (corner.0, corner.1.saturating_add(down)));
        }
    }
    points
}

fn moved_by(p: Point, (x, y): (i32, i32)) -> Point {
    Point {
        x: p.x.saturating_add(x),
        y: p.y.saturating_add(y),
    }
}

/// Returns the subgraph of the boxes in `moving`, and the new index of each node.
fn part_of(graph: &Graph, moving: &[usize]) -> (Graph, Vec<Option<usize>>) {
    let mut places = vec![None; graph.nodes.len()];
    for (at, node) in moving.iter().enumerate() {
        places[*node] = Some(at);
    }
    let place = |node: usize| places.get(node).copied().flatten();
    let edges = graph.edges.iter().filter_map(|edge| {
        Some(Edge {
            from: place(edge.from)?,
            to: place(edge.to)?,
            ..*edge
        })
    });
    let part = Graph {
        nodes: moving
            .iter()
            .filter_map(|n| graph.nodes.get(*n))
            .copied()
            .collect(),
        edges: edges.collect(),
        ranked: graph.ranked.iter().filter_map(|n| place(*n)).collect(),
    };
    (part, places)
}

/// Returns the origin of a part: its previous one; otherwise right of its predecessors; otherwise
/// below everything.
fn anchor(
    graph: &Graph,
    moving: &[Option<usize>],
    place: &impl Fn(usize) -> Option<Point>,
) -> (i32, i32) {
    let nodes = || (0..graph.nodes.len()).filter_map(|node| Some((node, place(node)?)));
    let own = nodes().filter(|(node, _)| moving[*node].is_some());
    if let Some(corner) = own
        .map(|(_, p)| (p.x, p.y))
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
    {
        return corner;
    }
    let moves = |node: usize| moving.get(node).copied().flatten().is_some();
    let leading = graph.edges.iter().filter(|e| moves(e.to) && !moves(e.from));
    let mut leading = leading.filter_map(|edge| {
        let (p, size) = (place(edge.from)?, graph.nodes.get(edge.from)?);
        Some((p.x + size.width + GAP_X, p.y))
    });
    let below = || {
        let bottoms = nodes().filter_map(|(n, p)| Some(p.y + graph.nodes.get(n)?.height + GAP_Y));
        let left = nodes().map(|(_, p)| p.x).min();
        (left.unwrap_or(0), bottoms.max().unwrap_or(0))
    };
    leading.next().unwrap_or_else(below)
}

/// Returns the minimum distance by which boxes `[left, top, right, bottom]` have to move down (or
/// up, if negative) to avoid overlaps with others.
fn free_shift(moved: &[[i32; 4]], standing: &[[i32; 4]]) -> i32 {
    // Each pair that would overlap horizontally forbids an interval of shifts.
    let mut forbidden: Vec<(i32, i32)> = vec![];
    for [left, top, right, bottom] in moved {
        for [other_left, other_top, other_right, other_bottom] in standing {
            if *left < other_right + GAP_Y / 2 && *other_left < right + GAP_Y / 2 {
                let gap = GAP_Y / 2;
                forbidden.push((other_top - bottom - gap, other_bottom - top + gap));
            }
        }
    }
    forbidden.compact_sort_by_key(|interval| *interval);
    let mut best: Option<i32> = None;
    let mut consider = |shift: i32| {
        if best.is_none_or(|best| shift.abs() < best.abs()) {
            best = Some(shift);
        }
    };
    // Candidates are the ends of the gaps between the intervals, and zero if it is in a gap.
    let mut free_from = i32::MIN;
    for (low, high) in forbidden {
        if free_from <= low {
            consider(0.clamp(free_from, low));
        }
        free_from = free_from.max(high);
    }
    consider(0.max(free_from));
    best.unwrap_or(0)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod flowchart_tests;
