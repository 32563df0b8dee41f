//! Which of a column's nodes stands above which: as few wires as possible cross,
//! and above all none that leave the same box.

use super::Edge;
use super::layers::Layered;
use taskloom_document::stop::Stop;

/// How often the columns are gone through, there and back.
const SWEEPS: usize = 12;
/// How many crossings of others weigh as much as one of two wires of one box.
const OWN: u64 = 50;
/// Above so many wires, neighbours are not tried the other way round: that would
/// take longer than it is worth.
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

/// Sorts a column by the mean place of what its nodes are wired to on one side.
fn by_barycentre(
    layered: &mut Layered,
    column: usize,
    forward: bool,
    place: &mut [usize],
    stop: &Stop,
) {
    let mut nodes = std::mem::take(&mut layered.columns[column]);
    // Ports of one box count as places between it and the next.
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
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    nodes.clear();
    nodes.extend(keyed.into_iter().map(|(_, node)| node));
    for (at, node) in nodes.iter().enumerate() {
        place[*node] = at;
    }
    layered.columns[column] = nodes;
}

/// Where on its box a wire leaves, from 0 to 1.
fn port(layered: &Layered, edge: &Edge) -> f64 {
    let siblings = &layered.leaving[edge.from];
    let above = siblings.partition_point(|e| layered.edges[*e].out < edge.out);
    above as f64 / siblings.len().max(1) as f64
}

/// Exchanges neighbours as long as that makes fewer crossings.
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

/// What the crossings between the wires of two neighbours weigh, `a` above `b`.
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

/// What all crossings weigh.
fn weight(layered: &Layered, place: &[usize]) -> u64 {
    let mut total = 0;
    for column in &layered.columns {
        let mut ends: Vec<usize> = vec![];
        for node in column {
            let leaving = || layered.leaving[*node].iter().map(|e| &layered.edges[*e]);
            // The wires of one port have no order among themselves.
            let mut own: Vec<(i32, usize)> = leaving().map(|e| (e.out, place[e.to])).collect();
            own.sort();
            let own: Vec<usize> = own.into_iter().map(|(_, to)| to).collect();
            total += (OWN - 1) * inversions(&own);
            ends.extend(own);
        }
        total += inversions(&ends);
    }
    total
}

/// How many pairs are in the wrong order: two straight wires cross where their
/// ends do (Barth, Jünger & Mutzel 2002), in O(n log n).
pub fn inversions(ends: &[usize]) -> u64 {
    let size = ends.iter().max().map_or(0, |last| last + 1);
    let mut counts = vec![0_u64; size + 1];
    let mut total = 0;
    for (seen, end) in ends.iter().enumerate() {
        // A Fenwick tree counts the ends so far that are at or above this one.
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
