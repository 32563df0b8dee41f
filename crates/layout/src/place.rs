//! Heights and columns as numbers: wires as straight as the order allows.

use super::layers::Layered;
use super::{GAP_X, GAP_Y, Graph};
use taskloom_document::Point;
use taskloom_document::stop::Stop;

/// How often heights are evened out, there and back.
const ROUNDS: usize = 6;
/// Around a bend: wires may run closer to each other than boxes.
const GAP_BEND: i32 = 24;
/// What a node counts that goes where there is room.
const LIGHT: f64 = 0.001;

/// Puts the boxes of a part below `top`; how high the part is.
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

/// Heights of all nodes: first as high as they come, then each near what it is
/// wired to, in turns from the left and from the right.
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
            // Distances that the order needs, summed up from the column's top.
            let mut offsets = Vec::with_capacity(column.len());
            let mut offset = 0;
            for (place, node) in column.iter().enumerate() {
                if let Some(above) = place.checked_sub(1).map(|above| column[above]) {
                    let bends = is_bend(above) || is_bend(*node);
                    offset += size(above) + if bends { GAP_BEND } else { GAP_Y };
                }
                offsets.push(offset);
            }
            let wanted = column.iter().zip(&offsets).map(|(node, offset)| {
                let wanted = match forward {
                    true => from_the_left(layered, *node, &y),
                    false => from_the_right(layered, *node, &y),
                };
                let (wanted, weight) = wanted.unwrap_or((f64::from(y[*node]), LIGHT));
                let weight = if is_bend(*node) { 4.0 * weight } else { weight };
                (wanted - f64::from(*offset), weight)
            });
            let placed = isotonic(wanted);
            for ((node, offset), placed) in column.iter().zip(&offsets).zip(placed) {
                // Rounding keeps the order, and whole distances between.
                y[*node] = placed.round() as i32 + offset;
            }
        }
    }
    y
}

/// Where the wires that enter a node would be straight, and how much that counts.
/// Those that are the first of their box count; where there are none, the others
/// count little: they give way to what goes straight on.
fn from_the_left(layered: &Layered, node: usize, y: &[i32]) -> Option<(f64, f64)> {
    let wanted = |first: bool| {
        let mut sum = (0.0, 0.0);
        for at in &layered.entering[node] {
            let edge = &layered.edges[*at];
            if !first || layered.leaving[edge.from].first() == Some(at) {
                // A long wire that is not straight passes through what it goes by.
                let bend = layered.boxes[edge.from].is_none();
                let weight = if bend { 50.0 } else { 1.0 };
                sum.0 += weight * f64::from(y[edge.from] + edge.out - edge.into);
                sum.1 += weight;
            }
        }
        let weight = if first { 1.0 } else { LIGHT };
        (sum.1 > 0.0).then_some((sum.0 / sum.1, weight))
    };
    wanted(true).or_else(|| wanted(false))
}

/// Where the first wire that leaves a node would be straight.
fn from_the_right(layered: &Layered, node: usize, y: &[i32]) -> Option<(f64, f64)> {
    let edge = &layered.edges[*layered.leaving[node].first()?];
    let wanted = y[edge.to] + edge.into - edge.out;
    Some((f64::from(wanted), 1.0))
}

/// The values that never decrease and differ least from these, by squares with
/// weights (pool adjacent violators; Ayer et al. 1955).
fn isotonic(wanted: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    // Mean, weight and length of each pool.
    let mut pools: Vec<(f64, f64, usize)> = vec![];
    for (value, weight) in wanted {
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
