//! Flowcharts as graphs, for whoever draws one without a screen: blocks are taken
//! as large as the editor draws them, or a little larger.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Edge, Graph, Node, layered_until};
use taskloom_document::stop::Stop;
use taskloom_document::{Block, BlockId, Flowchart, Point, Port};

/// A block's width, and that of Begin and End, in graph units.
const WIDTH: i32 = 200;
const PILL: i32 = 80;
/// Height of a block's head; ports are at the middle of it, or of their rows.
const HEAD: i32 = 36;
const PADDING: i32 = 12;
const LINE: i32 = 16;
const ROW: i32 = 24;
/// Letters on a line, and lines that are shown at most.
const LETTERS: usize = 25;
const LINES: i32 = 3;

/// How large a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outline {
    /// Its width and height.
    size: Node,
    /// Where the first of its outputs that have rows is, below its upper edge;
    /// none: its one output is in its head.
    rows: Option<i32>,
}

/// The outline of a block.
fn outline(block: &Block) -> Outline {
    let sized = |width, text: i32, rows: usize| {
        let top = if text > 0 {
            HEAD + PADDING + LINE * text
        } else {
            HEAD
        };
        let foot = if rows > 0 { 4 } else { 0 };
        let height = top + ROW * rows as i32 + foot;
        Outline {
            size: Node { width, height },
            rows: (rows > 0).then_some(top + ROW / 2),
        }
    };
    match block {
        Block::Begin {} | Block::End {} => sized(PILL, 0, 0),
        Block::Task { call } => sized(WIDTH, lines(call), 0),
        Block::Branch { condition } => sized(WIDTH, lines(condition), 2),
        Block::Choice { alternatives, .. } => sized(WIDTH, 0, alternatives.len()),
        Block::Bind {
            condition,
            order_by,
            ..
        } => {
            let ordered = i32::from(!order_by.trim().is_empty());
            sized(WIDTH, lines(condition) + ordered, 0)
        }
    }
}

/// How many lines a text takes; an empty one, that which stands in its place.
fn lines(text: &str) -> i32 {
    let (mut lines, mut used) = (1, 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if used > 0 && used + 1 + letters <= LETTERS {
            used += 1 + letters;
        } else {
            lines += i32::from(used > 0);
            // A long word is cut at its brackets and commas.
            lines += (letters.saturating_sub(1) * 2 / LETTERS) as i32;
            used = letters;
        }
    }
    lines.min(LINES)
}

/// Where the blocks of a flowchart stand; some of them anywhere where the stop is heard.
pub fn draw(chart: &Flowchart, stop: &Stop) -> BTreeMap<BlockId, Point> {
    let (ids, graph) = graph_of(chart);
    ids.into_iter().zip(layered_until(&graph, stop)).collect()
}

/// A flowchart's blocks, Begin first, and what they are as boxes and wires.
pub fn graph_of(chart: &Flowchart) -> (Vec<BlockId>, Graph) {
    let mut ids: Vec<&BlockId> = chart.blocks.keys().collect();
    let begins =
        |id: &&BlockId| matches!(chart.blocks.get(*id).map(|b| &**b), Some(Block::Begin {}));
    if let Some(begin) = ids.iter().position(begins) {
        ids[..=begin].rotate_right(1);
    }
    let mut places: BTreeMap<&BlockId, usize> = BTreeMap::new();
    let mut graph = Graph::default();
    for (at, id) in ids.iter().enumerate() {
        places.insert(id, at);
        graph
            .nodes
            .extend(chart.blocks.get(*id).map(|block| outline(block).size));
    }
    let mut rows: FxHashMap<&BlockId, FxHashMap<Port, usize>> = FxHashMap::default();
    for wire in &chart.wires {
        if let (Some(from), Some(to)) = (places.get(&wire.from), places.get(&wire.to)) {
            let out = chart.blocks.get(&wire.from).map_or(0, |block| {
                let rows = rows.entry(&wire.from).or_insert_with(|| {
                    let ports = block.ports().into_iter().enumerate().rev();
                    ports.map(|(row, port)| (port, row)).collect()
                });
                below_head(block, rows.get(&wire.port).copied().unwrap_or(0))
            });
            graph.edges.push(Edge {
                from: *from,
                to: *to,
                out,
                into: HEAD / 2,
            });
        }
    }
    (ids.into_iter().cloned().collect(), graph)
}

/// How far below its block's upper edge the output in a row is.
fn below_head(block: &Block, row: usize) -> i32 {
    match outline(block).rows {
        Some(first) => first + ROW * row as i32,
        None => HEAD / 2,
    }
}
