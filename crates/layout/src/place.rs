//! Coordinates: makes wires as straight as the order allows.

use super::layers::Layered;
use super::{GAP_X, GAP_Y, Graph};
use taskloom_document::Point;
use taskloom_document::stop::Stop;

/// The number of rounds that even out vertical positions, in alternating directions.
const ROUNDS: usize = 6;
/// The gap around a bend: wires may be closer to each other than boxes.
const GAP_BEND: i32 = 24;
/// The weight of a node without a preferred position.
const LIGHT: f64 = 0.001;

/// Places the boxes of a part below `top`; returns the height of the part.
pub fn place(graph: &Graph, layered: &Layered, top: i32, points: &mut [Point], stop: &Stop) -> i32 {
    let mut y = heights(graph, layered, stop);
    let highest = y.iter().copied().min().unwrap_or(0);
    let mut x = 0;
    let mut bottom = 0;
    for column in &layered.columns {
        let mut width = 0;
        for node in column {
            let Some(of) = layered.boxes[*node] else {
                continue;
            };
            let size = &graph.nodes[of];
            y[*node] -= highest;
            points[of] = Point {
                x,
                y: top + y[*node],
            };
            width = width.max(size.width);
            bottom = bottom.max(y[*node] + size.height);
        }
        x += width + GAP_X;
    }
    bottom
}

/// Returns the vertical positions of all nodes: first as high as possible, then each near its
/// neighbours, alternating between the left and the right.
fn heights(graph: &Graph, layered: &Layered, stop: &Stop) -> Vec<i32> {
    let size = |node: usize| match layered.boxes[node] {
        Some(of) => graph.nodes[of].height,
        None => 0,
    };
    let is_bend = |node: usize| layered.boxes[node].is_none();
    let mut y = vec![0; layered.boxes.len()];
    for round in 0..=2 * ROUNDS {
        let count = layered.columns.len();
        let forward = round % 2 == 0;
        for step in 0..count {
            let at = if forward { step } else { count - 1 - step };
            let column = &layered.columns[at];
            if stop.after(column.len()) {
                return y;
            }
            // The distances that the order requires, summed up from the top of the column.
            let mut offsets = Vec::with_capacity(column.len());
            let mut offset = 0;
            for (place, node) in column.iter().enumerate() {
                if let Some(above) = place.checked_sub(1).map(|above| column[above]) {
                    let bends = is_bend(above) || is_bend(*node);
                    offset += size(above) + if bends { GAP_BEND } else { GAP_Y };
                }
                offsets.push(offset);
            }
            let preferred = column.iter().zip(&offsets).map(|(node, offset)| {
                let preferred = match forward {
                    true => from_the_left(layered, *node, &y),
                    false => from_the_right(layered, *node, &y),
                };
                let (preferred, weight) = preferred.unwrap_or((f64::from(y[*node]), LIGHT));
                let weight = if is_bend(*node) { 4.0 * weight } else { weight };
                (preferred - f64::from(*offset), weight)
            });
            let placed = isotonic(preferred);
            for ((node, offset), placed) in column.iter().zip(&offsets).zip(placed) {
                // Rounding preserves the order and integer distances.
                y[*node] = placed.round() as i32 + offset;
            }
        }
    }
    y
}

/// Returns the position at which the wires that enter a node would be straight, and its weight.
/// Only wires that are the first of their box count; if there are none, the others count with a low
/// weight, so that they give way to first wires.
fn from_the_left(layered: &Layered, node: usize, y: &[i32]) -> Option<(f64, f64)> {
    let preferred = |first: bool| {
        let mut sum = (0.0, 0.0);
        for at in &layered.entering[node] {
            let edge = &layered.edges[*at];
            if !first || layered.leaving[edge.from].first() == Some(at) {
                // A long wire that is not straight would cross the boxes that it passes.
                let bend = layered.boxes[edge.from].is_none();
                let weight = if bend { 50.0 } else { 1.0 };
                sum.0 += weight * f64::from(y[edge.from] + edge.out - edge.into);
                sum.1 += weight;
            }
        }
        let weight = if first { 1.0 } else { LIGHT };
        (sum.1 > 0.0).then_some((sum.0 / sum.1, weight))
    };
    preferred(true).or_else(|| preferred(false))
}

/// Returns the position at which the first wire that leaves a node would be straight.
fn from_the_right(layered: &Layered, node: usize, y: &[i32]) -> Option<(f64, f64)> {
    let edge = &layered.edges[*layered.leaving[node].first()?];
    let preferred = y[edge.to] + edge.into - edge.out;
    Some((f64::from(preferred), 1.0))
}

/// Returns the non-decreasing values closest to these by weighted least squares (pool adjacent
/// violators; Ayer et al. 1955).
fn isotonic(preferred: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    // The mean, weight and length of each pool.
    let mut pools: Vec<(f64, f64, usize)> = vec![];
    for (value, weight) in preferred {
        let mut pool = (value, weight, 1);
        while let Some(before) = pools.last().copied().filter(|before| before.0 > pool.0) {
            pools.pop();
            let weight = before.1 + pool.1;
            let mean = (before.0 * before.1 + pool.0 * pool.1) / weight;
            pool = (mean, weight, before.2 + pool.2);
        }
        pools.push(pool);
    }
    let spread = pools
        .into_iter()
        .flat_map(|(mean, _, length)| std::iter::repeat_n(mean, length));
    spread.collect()
}
