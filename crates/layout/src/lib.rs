//! Automatic layout: where blocks and cards stand so that a diagram reads from
//! left to right with few crossings.
//!
//! Layered drawing (Sugiyama, Tagawa & Toda 1981) in its four steps: [`layers`]
//! breaks cycles and says what stands in which column; [`order`] says what stands
//! above what, by barycentres and transposition (Eades & Wormald 1994, Gansner et
//! al. 1993); [`place`] gives heights, by isotonic regression a column at a time.
//! The same graph gives the same layout.

mod columns;
mod flowchart;
mod layers;
mod order;
mod place;

use serde::{Deserialize, Serialize};

use taskloom_document::Point;
use taskloom_document::stop::Stop;

pub use columns::columns;
pub use flowchart::{draw, graph_of};

/// Between two columns, and between two blocks of one, in graph units.
pub const GAP_X: i32 = 60;
/// Between two blocks of a column.
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
    /// How far below its node's upper edge it leaves.
    pub out: i32,
    /// How far below its node's upper edge it enters.
    pub into: i32,
}

/// Boxes and wires. The first box is where reading begins. Wires of one box are
/// in order from top to bottom, and their targets shall be as well.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Graph {
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The wires; those with an end that is no box are left out of account.
    pub edges: Vec<Edge>,
}

/// The upper left corners of all boxes, the topmost and leftmost at zero. Boxes
/// never overlap. Parts without a wire between them stand below each other.
pub fn layered(graph: &Graph) -> Vec<Point> {
    layered_until(graph, &Stop::default())
}

/// The same; where the stop is heard, some stand anywhere.
fn layered_until(graph: &Graph, stop: &Stop) -> Vec<Point> {
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

/// Lays out the boxes that are `movable` and leaves all others where they stand,
/// `at` their upper left corners; none: it was never placed.
///
/// Where all may move, the first box stays where it is. Otherwise those that move
/// stay where they are as a whole, or near what they are wired to, moved up or
/// down as little as it takes to cover nothing.
pub fn tidy(graph: &Graph, at: &[Option<Point>], movable: &[bool]) -> Vec<Point> {
    let is_movable = |node: &usize| movable.get(*node).copied().unwrap_or(true);
    let place = |node: usize| at.get(node).copied().flatten();
    let all = 0..graph.nodes.len();
    let moving: Vec<usize> = all.clone().filter(is_movable).collect();
    let (part, places) = part_of(graph, &moving);
    let laid = layered(&part);
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

/// The boxes `moving` with the wires between them, and by node its new index.
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
    };
    (part, places)
}

/// Where a part begins: where it did; else right of what leads to it; else below
/// everything.
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

/// By how much boxes `[left, top, right, bottom]` have to move down (or up, if
/// negative) to keep clear of others: as little as possible.
fn free_shift(moved: &[[i32; 4]], standing: &[[i32; 4]]) -> i32 {
    // Each pair that would meet side by side forbids an interval of shifts.
    let mut forbidden: Vec<(i32, i32)> = vec![];
    for [left, top, right, bottom] in moved {
        for [other_left, other_top, other_right, other_bottom] in standing {
            if *left < other_right + GAP_Y / 2 && *other_left < right + GAP_Y / 2 {
                let gap = GAP_Y / 2;
                forbidden.push((other_top - bottom - gap, other_bottom - top + gap));
            }
        }
    }
    forbidden.sort_by_key(|interval| *interval);
    let mut best: Option<i32> = None;
    let mut consider = |shift: i32| {
        if best.is_none_or(|best| shift.abs() < best.abs()) {
            best = Some(shift);
        }
    };
    // Between the intervals, all that is free: its ends, and zero if inside.
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
