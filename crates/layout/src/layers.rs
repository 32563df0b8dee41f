//! The first steps: splits the graph into connected parts, breaks cycles, and assigns each box to a
//! column.

use super::{Edge, Graph};
use taskloom_document::sort::CompactSort;

/// The maximum total number of bends; beyond it, long wires go straight.
const MAX_BENDS: usize = 20_000;

/// A connected part of a graph, in columns. A wire across several columns has a bend, a node
/// without a box, in each column in between, so that wires only join adjacent columns.
#[derive(Debug, Default)]
pub struct Layered {
    /// The index of each node's box; none for a bend.
    pub boxes: Vec<Option<usize>>,
    /// The wires. Those that leave the same node are ordered from top to bottom.
    pub edges: Vec<Edge>,
    /// The indices of the wires that leave each node, in order.
    pub leaving: Vec<Vec<usize>>,
    /// The indices of the wires that enter each node.
    pub entering: Vec<Vec<usize>>,
    /// The nodes of each column, from top to bottom.
    pub columns: Vec<Vec<usize>>,
}

impl Layered {
    fn add_edge(&mut self, edge: Edge) {
        let at = self.edges.len();
        self.leaving[edge.from].push(at);
        self.entering[edge.to].push(at);
        self.edges.push(edge);
    }

    fn add_node(&mut self, of: Option<usize>) -> usize {
        self.boxes.push(of);
        self.leaving.push(vec![]);
        self.entering.push(vec![]);
        self.boxes.len() - 1
    }
}

/// Returns the boxes of each connected part, that of the first box first.
pub fn parts(graph: &Graph) -> Vec<Vec<usize>> {
    let count = graph.nodes.len();
    let mut neighbours = vec![vec![]; count];
    for edge in graph
        .edges
        .iter()
        .filter(|e| e.from < count && e.to < count)
    {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    let mut seen = vec![false; count];
    let mut parts = vec![];
    for start in 0..count {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut next = 0;
        while let Some(node) = part.get(next).copied() {
            next += 1;
            for other in &neighbours[node] {
                if !std::mem::replace(&mut seen[*other], true) {
                    part.push(*other);
                }
            }
        }
        part.compact_sort();
        parts.push(part);
    }
    parts
}

/// Assigns one part to columns. Initially the nodes are ordered so that the successors of each box
/// stay together, in the order of its wires.
pub fn layer(graph: &Graph, part: &[usize]) -> Layered {
    let mut place = vec![usize::MAX; graph.nodes.len()];
    let mut layered = Layered::default();
    for node in part {
        place[*node] = layered.add_node(Some(*node));
    }
    let at = |node: usize| place.get(node).copied().filter(|p| *p != usize::MAX);
    let mut edges: Vec<Edge> = graph
        .edges
        .iter()
        .filter_map(|edge| {
            Some(Edge {
                from: at(edge.from)?,
                to: at(edge.to)?,
                ..*edge
            })
        })
        .filter(|edge| edge.from != edge.to)
        .collect();
    edges.compact_sort_by_key(|edge| (edge.from, edge.out));
    let edges = without_cycles(layered.boxes.len(), edges);
    let depth = depths(layered.boxes.len(), &edges);
    let bends: usize = edges.iter().map(|e| depth[e.to] - depth[e.from] - 1).sum();
    let mut column = depth.clone();
    for edge in edges {
        let (from, to) = (depth[edge.from], depth[edge.to]);
        if bends > MAX_BENDS && to > from + 1 {
            continue;
        }
        let mut last = (edge.from, edge.out);
        for passed in from + 1..to {
            let bend = layered.add_node(None);
            column.push(passed);
            layered.add_edge(Edge {
                from: last.0,
                out: last.1,
                to: bend,
                into: 0,
            });
            last = (bend, 0);
        }
        layered.add_edge(Edge {
            from: last.0,
            out: last.1,
            ..edge
        });
    }
    let columns = column.iter().max().map_or(0, |last| last + 1);
    layered.columns = vec![vec![]; columns];
    for node in preorder(&layered) {
        layered.columns[column[node]].push(node);
    }
    layered
}

/// Returns the edges without those that close a cycle in a depth-first search.
pub fn without_cycles(nodes: usize, edges: Vec<Edge>) -> Vec<Edge> {
    let mut leaving = vec![vec![]; nodes];
    for (at, edge) in edges.iter().enumerate() {
        leaving[edge.from].push(at);
    }
    let mut back = vec![false; edges.len()];
    // 0: unvisited; 1: on the current path; 2: finished.
    let mut state = vec![0_u8; nodes];
    for start in 0..nodes {
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                if state[node] != 0 {
                    continue;
                }
                state[node] = 1;
            }
            match leaving[node].get(next) {
                None => state[node] = 2,
                Some(edge) => {
                    path.push((node, next + 1));
                    let to = edges[*edge].to;
                    match state[to] {
                        0 => path.push((to, 0)),
                        1 => back[*edge] = true,
                        _ => {}
                    }
                }
            }
        }
    }
    let mut back = back.iter();
    let forward = |_: &Edge| back.next() != Some(&true);
    edges.into_iter().filter(forward).collect()
}

/// Returns the column of each node: the length of the longest path to it. A node without
/// predecessors, except the first node, is placed just before its successors.
fn depths(nodes: usize, edges: &[Edge]) -> Vec<usize> {
    let mut waiting = vec![0_usize; nodes];
    let mut leaving = vec![vec![]; nodes];
    for edge in edges {
        waiting[edge.to] += 1;
        leaving[edge.from].push(edge.to);
    }
    let sources: Vec<usize> = (0..nodes).filter(|n| waiting[*n] == 0).collect();
    let mut depth = vec![0_usize; nodes];
    let mut ready = sources.clone();
    while let Some(node) = ready.pop() {
        for to in &leaving[node] {
            depth[*to] = depth[*to].max(depth[node] + 1);
            waiting[*to] -= 1;
            if waiting[*to] == 0 {
                ready.push(*to);
            }
        }
    }
    for node in sources.into_iter().filter(|node| *node != 0) {
        let first = leaving[node].iter().map(|to| depth[*to]).min();
        depth[node] = first.map_or(0, |first| first.saturating_sub(1));
    }
    depth
}

/// Returns all nodes in depth-first preorder, in the order of the wires.
fn preorder(layered: &Layered) -> Vec<usize> {
    let count = layered.boxes.len();
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let sources = (0..count).filter(|node| layered.entering[*node].is_empty());
    for start in sources.chain(0..count) {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            order.push(node);
            let edges = layered.leaving[node].iter().rev();
            open.extend(edges.map(|edge| layered.edges[*edge].to));
        }
    }
    order
}
