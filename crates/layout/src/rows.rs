//! Flowcharts in rows: each path is read from left to right, and alternatives are below each other,
//! as lines of text are. A path that is longer than a row continues in the next one.
//!
//! A row starts at a box that doesn't follow the one before it: at the target of a second output,
//! or where paths join. It is placed to the right of the box that leads to it, otherwise below that
//! box, otherwise at the left margin, as far as there is room for it.

use super::layers::without_cycles;
use super::{Edge, Graph};
use taskloom_document::Point;
use taskloom_document::sort::CompactSort;

/// The gap between two boxes of a row.
pub const GAP: i32 = 40;
/// The gap between two rows, with room for wires and for notes below the boxes.
pub const GAP_ROWS: i32 = 48;
/// The indentation of rows that start at the left margin; wires run down beside them.
const INDENT: i32 = 40;

/// Returns the upper left corners of all boxes, in rows that are at most `width` wide, unless a
/// single box is wider. Boxes never overlap.
pub fn rows(graph: &Graph, width: i32) -> Vec<Point> {
    let mut rows = Rows::new(graph, width);
    let sources = (0..graph.nodes.len()).filter(|node| rows.entering[*node].is_empty());
    let sources: Vec<usize> = sources.collect();
    for source in sources {
        rows.open.push((source, None));
        while let Some((head, before)) = rows.open.pop() {
            if !rows.placed[head] {
                rows.add(head, before);
            }
        }
    }
    rows.points
}

struct Rows<'a> {
    graph: &'a Graph,
    width: i32,
    /// The targets of each box's wires, from top to bottom.
    leaving: Vec<Vec<usize>>,
    /// The boxes that lead to each box.
    entering: Vec<Vec<usize>>,
    points: Vec<Point>,
    placed: Vec<bool>,
    /// `true` for the boxes whose outputs are ordered alternatives.
    ranked: Vec<bool>,
    /// The length of a row from each box on, along first outputs.
    lengths: Vec<i32>,
    /// The boxes that start a row, the next one last, each with the box that leads to it.
    open: Vec<(usize, Option<usize>)>,
    /// The upper edge of the next row.
    top: i32,
}

impl<'a> Rows<'a> {
    fn new(graph: &'a Graph, width: i32) -> Self {
        let count = graph.nodes.len();
        let is_wire = |edge: &&Edge| edge.from < count && edge.to < count && edge.from != edge.to;
        let mut edges: Vec<Edge> = graph.edges.iter().filter(is_wire).copied().collect();
        edges.compact_sort_by_key(|edge| (edge.from, edge.out));
        let (mut leaving, mut entering) = (vec![vec![]; count], vec![vec![]; count]);
        for edge in without_cycles(count, edges) {
            leaving[edge.from].push(edge.to);
            entering[edge.to].push(edge.from);
        }
        let mut rows = Self {
            graph,
            width,
            leaving,
            entering,
            points: vec![Point::default(); count],
            placed: vec![false; count],
            ranked: vec![false; count],
            lengths: vec![0; count],
            open: vec![],
            top: 0,
        };
        for node in &graph.ranked {
            if let Some(ranked) = rows.ranked.get_mut(*node) {
                *ranked = true;
            }
        }
        rows.measure();
        rows
    }

    /// Measures the paths from the ends of the graph backwards.
    fn measure(&mut self) {
        let mut waiting: Vec<usize> = self.leaving.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..waiting.len()).filter(|n| waiting[*n] == 0).collect();
        while let Some(node) = ready.pop() {
            let next = self.leaving[node].first();
            let rest = next.map_or(0, |next| self.gap(node) + self.lengths[*next]);
            self.lengths[node] = rest.saturating_add(self.graph.nodes[node].width);
            for from in &self.entering[node] {
                waiting[*from] -= 1;
                if waiting[*from] == 0 {
                    ready.push(*from);
                }
            }
        }
    }

    /// Returns the gap after a box: wires of many outputs need more room.
    fn gap(&self, node: usize) -> i32 {
        let more = self.leaving[node].len().saturating_sub(2).div_ceil(3);
        GAP + 20 * more.min(5) as i32
    }

    /// Places the path that starts at `head`, and opens the rows that its boxes lead to.
    fn add(&mut self, head: usize, before: Option<usize>) {
        let path = self.path(head);
        let start = before.map_or(0, |before| self.start(&path, before));
        self.place(&path, start);
        for node in path {
            // The last one that is opened is placed first: that of the rightmost box, so that no
            // wire down has to cross a row.
            for to in self.leaving[node].iter().rev() {
                if self.is_ready(*to) {
                    self.open.push((*to, Some(node)));
                }
            }
        }
    }

    /// Returns `true` if a box is not placed, but everything that leads to it is.
    fn is_ready(&self, node: usize) -> bool {
        !self.placed[node] && self.entering[node].iter().all(|from| self.placed[*from])
    }

    /// Returns the boxes from `head` on that follow each other, and marks them as placed: by the
    /// first wire with a path that fits in the row, otherwise by the first one. Ordered
    /// alternatives don't overtake each other: they start rows if the first one doesn't fit.
    fn path(&mut self, head: usize) -> Vec<usize> {
        let mut path = vec![];
        let mut x = INDENT;
        let mut next = Some(head);
        while let Some(node) = next {
            self.placed[node] = true;
            path.push(node);
            x += self.graph.nodes[node].width + self.gap(node);
            let mut targets = self.leaving[node].iter().filter(|to| self.is_ready(**to));
            let fits = |to: &&usize| x.saturating_add(self.lengths[**to]) <= self.width;
            let (first, is_choice) = (targets.next(), self.leaving[node].len() > 1);
            next = match first.filter(fits) {
                None if is_choice && self.ranked[node] => None,
                None => targets.find(fits).or(first),
                fitting => fitting,
            }
            .copied();
        }
        path
    }

    /// Returns the total width of boxes in one row.
    fn length(&self, path: &[usize]) -> i32 {
        let last = path.last().map_or(0, |node| self.gap(*node));
        let widths = path
            .iter()
            .map(|node| self.graph.nodes[*node].width + self.gap(*node));
        widths.fold(-last, i32::saturating_add)
    }

    /// Returns the position at which a path's row starts.
    fn start(&self, path: &[usize], before: usize) -> i32 {
        let left = self.points[before].x;
        let right = left + self.graph.nodes[before].width;
        let length = self.length(path);
        let mut starts = [right + self.gap(before), left + INDENT].into_iter();
        let fitting = starts.find(|start| start.saturating_add(length) <= self.width);
        fitting.unwrap_or(INDENT)
    }

    /// Places a path in one or more rows.
    fn place(&mut self, path: &[usize], start: i32) {
        let mut x = start;
        let mut rest = path;
        while !rest.is_empty() {
            let (row, next) = rest.split_at(self.fitting(rest, x));
            let mut height = 0;
            for (at, node) in row.iter().enumerate() {
                let size = self.graph.nodes[*node];
                x = x.max(self.beyond(*node, &row[at..], x));
                self.points[*node] = Point { x, y: self.top };
                x += size.width + self.gap(*node);
                height = height.max(size.height);
            }
            self.top += height + GAP_ROWS;
            (x, rest) = (INDENT, next);
        }
    }

    /// Returns the number of boxes that fit in a row from `x` on, at least one. A path doesn't end
    /// with a single box in its last row.
    fn fitting(&self, path: &[usize], x: i32) -> usize {
        let fits = |count: &usize| x.saturating_add(self.length(&path[..*count])) <= self.width;
        let count = (1..=path.len()).take_while(fits).last().unwrap_or(1);
        match path.len() - count {
            1 if count > 2 => count - 1,
            _ => count,
        }
    }

    /// Returns the position of a box to the right of all that lead to it, if the rest of its row
    /// then still fits; otherwise `x`.
    fn beyond(&self, node: usize, rest: &[usize], x: i32) -> i32 {
        let before = self.entering[node].iter();
        let rights = before
            .filter(|from| self.points[**from].y < self.top)
            .map(|from| self.points[*from].x + self.graph.nodes[*from].width + GAP);
        let beyond = rights.fold(x, i32::max);
        if beyond.saturating_add(self.length(rest)) <= self.width {
            beyond
        } else {
            x
        }
    }
}
