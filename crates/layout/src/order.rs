//! The order of the nodes within columns: minimizes crossings, and above all those between wires of
//! the same box.

use super::Edge;
use super::layers::Layered;
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::Stop;

/// The number of sweeps over the columns, in alternating directions.
const SWEEPS: usize = 12;
/// The weight of a crossing of two wires of the same box; other crossings weigh 1.
const OWN: u64 = 50;
/// The number of wires above which transposition of neighbours is skipped, since it would take
/// longer than it is worth.
const MANY: usize = 30_000;

/// Orders the columns of a part.
pub fn reduce_crossings(layered: &mut Layered, stop: &Stop) {
    let mut place = vec![0; layered.boxes.len()];
    number(&layered.columns, &mut place);
    let mut best = (weight(layered, &place), layered.columns.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        let count = layered.columns.len();
        for step in 1..count {
            let (column, forward) = match sweep % 2 {
                0 => (step, true),
                _ => (count - 1 - step, false),
            };
            if stop.after(layered.columns[column].len()) {
                return;
            }
            by_barycentre(layered, column, forward, &mut place, stop);
        }
        if layered.edges.len() <= MANY {
            transpose(layered, &mut place, stop);
        }
        let weight = weight(layered, &place);
        if weight < best.0 {
            best = (weight, layered.columns.clone());
        }
    }
    layered.columns = best.1;
}

fn number(columns: &[Vec<usize>], place: &mut [usize]) {
    for column in columns {
        for (at, node) in column.iter().enumerate() {
            place[*node] = at;
        }
    }
}

/// Sorts a column by the mean position of the adjacent nodes on one side.
fn by_barycentre(
    layered: &mut Layered,
    column: usize,
    forward: bool,
    place: &mut [usize],
    stop: &Stop,
) {
    let mut nodes = std::mem::take(&mut layered.columns[column]);
    // Ports of one box count as positions between it and the next box.
    let mean = |node: usize| {
        let (edges, own) = match forward {
            true => (&layered.entering[node], place[node]),
            false => (&layered.leaving[node], place[node]),
        };
        if edges.is_empty() || stop.after(edges.len()) {
            return own as f64;
        }
        let total: f64 = edges
            .iter()
            .map(|edge| {
                let edge = &layered.edges[*edge];
                match forward {
                    true => place[edge.from] as f64 + port(layered, edge),
                    false => place[edge.to] as f64,
                }
            })
            .sum();
        total / edges.len() as f64
    };
    let mut keyed: Vec<(f64, usize)> = nodes.iter().map(|node| (mean(*node), *node)).collect();
    keyed.compact_sort_by(|a, b| a.0.total_cmp(&b.0));
    nodes.clear();
    nodes.extend(keyed.into_iter().map(|(_, node)| node));
    for (at, node) in nodes.iter().enumerate() {
        place[*node] = at;
    }
    layered.columns[column] = nodes;
}

/// Returns the relative position on its box at which a wire leaves, from 0 to 1.
fn port(layered: &Layered, edge: &Edge) -> f64 {
    let siblings = &layered.leaving[edge.from];
    let above = siblings.partition_point(|e| layered.edges[*e].out < edge.out);
    above as f64 / siblings.len().max(1) as f64
}

/// Swaps neighbours as long as that reduces crossings.
fn transpose(layered: &mut Layered, place: &mut [usize], stop: &Stop) {
    for _ in 0..4 {
        let mut better = false;
        for column in 0..layered.columns.len() {
            for at in 1..layered.columns[column].len() {
                let (a, b) = (layered.columns[column][at - 1], layered.columns[column][at]);
                let now = crossings_of(layered, place, a, b, stop);
                if now > 0 && crossings_of(layered, place, b, a, stop) < now {
                    layered.columns[column].swap(at - 1, at);
                    (place[a], place[b]) = (at, at - 1);
                    better = true;
                }
            }
        }
        if !better {
            break;
        }
    }
}

/// Returns the weight of the crossings between the wires of two neighbours, `a` above `b`.
fn crossings_of(layered: &Layered, place: &[usize], a: usize, b: usize, stop: &Stop) -> u64 {
    let mut total = 0;
    let edge = |number: &usize| &layered.edges[*number];
    for x in layered.entering[a].iter().map(edge) {
        let others = &layered.entering[b];
        if stop.after(others.len()) {
            return 0;
        }
        for y in others.iter().map(edge) {
            if x.from == y.from {
                total += if x.out > y.out { OWN } else { 0 };
            } else if place[x.from] > place[y.from] {
                total += 1;
            }
        }
    }
    for x in layered.leaving[a].iter().map(edge) {
        let others = &layered.leaving[b];
        if stop.after(others.len()) {
            return 0;
        }
        let crosses = |y: &&Edge| place[x.to] > place[y.to];
        total += others.iter().map(edge).filter(crosses).count() as u64;
    }
    total
}

/// Returns the weight of all crossings.
fn weight(layered: &Layered, place: &[usize]) -> u64 {
    let mut total = 0;
    for column in &layered.columns {
        let mut ends: Vec<usize> = vec![];
        for node in column {
            let leaving = || layered.leaving[*node].iter().map(|e| &layered.edges[*e]);
            // The wires of one port are not ordered among themselves.
            let mut own: Vec<(i32, usize)> = leaving().map(|e| (e.out, place[e.to])).collect();
            own.compact_sort();
            let own: Vec<usize> = own.into_iter().map(|(_, to)| to).collect();
            total += (OWN - 1) * inversions(&own);
            ends.extend(own);
        }
        total += inversions(&ends);
    }
    total
}

/// Returns the number of inversions, in O(n log n): two straight wires cross if their ends are in
/// opposite order (Barth, Jünger & Mutzel 2002).
fn inversions(ends: &[usize]) -> u64 {
    let size = ends.iter().max().map_or(0, |last| last + 1);
    let mut counts = vec![0_u64; size + 1];
    let mut total = 0;
    for (seen, end) in ends.iter().enumerate() {
        // A Fenwick tree counts the previous ends that are at or above this one.
        let mut above = 0;
        let mut at = end + 1;
        while at > 0 {
            above += counts[at];
            at &= at - 1;
        }
        total += seen as u64 - above;
        let mut at = end + 1;
        while at <= size {
            counts[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    total
}
