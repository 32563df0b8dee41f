//! Layout in given columns, such as the Board's: only the order within each column is free.

use super::order::inversions;

/// The number of sweeps over the columns, in alternating directions.
const SWEEPS: usize = 16;

/// Orders the nodes of each column to reduce crossings of straight edges between columns. `columns`
/// lists nodes from top to bottom; groups that stay below each other are passed as columns with the
/// same number.
pub fn columns(columns: &[(usize, Vec<usize>)], edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let count = columns
        .iter()
        .flat_map(|(_, nodes)| nodes)
        .max()
        .map_or(0, |last| last + 1);
    let mut neighbours = vec![vec![]; count];
    for (a, b) in edges.iter().filter(|(a, b)| *a < count && *b < count) {
        neighbours[*a].push(*b);
        neighbours[*b].push(*a);
    }
    let mut order: Vec<Vec<usize>> = columns.iter().map(|(_, nodes)| nodes.clone()).collect();
    let mut column_of = vec![usize::MAX; count];
    for (column, nodes) in columns {
        for node in nodes {
            column_of[*node] = *column;
        }
    }
    let mut place = places(columns, &order, count);
    let mut best = (crossings(&column_of, &place, edges), order.clone());
    for sweep in 0..SWEEPS {
        let mut turn: Vec<usize> = (0..order.len()).collect();
        if sweep % 2 == 1 {
            turn.reverse();
        }
        for at in turn {
            let mean = |node: usize| {
                let others = neighbours[node]
                    .iter()
                    .filter(|other| column_of[**other] != column_of[node]);
                let (sum, count) = others.fold((0.0, 0.0), |(sum, count), other| {
                    (sum + place[*other], count + 1.0)
                });
                if count > 0.0 {
                    sum / count
                } else {
                    place[node]
                }
            };
            let mut keyed: Vec<(f64, usize)> =
                order[at].iter().map(|node| (mean(*node), *node)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            order[at] = keyed.into_iter().map(|(_, node)| node).collect();
            place = places(columns, &order, count);
        }
        let found = crossings(&column_of, &place, edges);
        if found < best.0 {
            best = (found, order.clone());
        }
    }
    best.1
}

/// Returns the relative position of each node in its column, from 0 to 1.
fn places(columns: &[(usize, Vec<usize>)], order: &[Vec<usize>], count: usize) -> Vec<f64> {
    let mut place = vec![0.0; count];
    let most = columns.iter().map(|(column, _)| *column).max().unwrap_or(0);
    for column in 0..=most {
        let groups = columns.iter().zip(order).filter(|((c, _), _)| *c == column);
        let nodes: Vec<usize> = groups.flat_map(|(_, nodes)| nodes).copied().collect();
        for (at, node) in nodes.iter().enumerate() {
            place[*node] = (at as f64 + 0.5) / nodes.len() as f64;
        }
    }
    place
}

/// Returns the number of crossings of edges between the same two columns.
fn crossings(column_of: &[usize], place: &[f64], edges: &[(usize, usize)]) -> u64 {
    let known = |node: usize| column_of.get(node).copied().filter(|c| *c != usize::MAX);
    let mut drawn: Vec<(usize, usize, f64, f64)> = vec![];
    for (a, b) in edges {
        if let (Some(from), Some(to)) = (known(*a), known(*b))
            && from != to
        {
            let (a, b, from, to) = if from < to {
                (*a, *b, from, to)
            } else {
                (*b, *a, to, from)
            };
            drawn.push((from, to, place[a], place[b]));
        }
    }
    drawn.sort_by(|a, b| {
        (a.0, a.1)
            .cmp(&(b.0, b.1))
            .then(a.2.total_cmp(&b.2))
            .then(a.3.total_cmp(&b.3))
    });
    let same =
        |a: &(usize, usize, f64, f64), b: &(usize, usize, f64, f64)| a.0 == b.0 && a.1 == b.1;
    drawn
        .chunk_by(same)
        .map(|group| {
            let ends: Vec<usize> = group.iter().map(|(.., end)| (end * 1e5) as usize).collect();
            inversions(&ends)
        })
        .sum()
}
