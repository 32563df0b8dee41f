//! Flowcharts as graphs, for layout without a screen: blocks have the size that the editor draws,
//! or slightly more.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::text::{Text, block_width};
use super::{Edge, Graph, Node, layered_cancellable};
use taskloom_document::sort::map_of;
use taskloom_document::stop::Stop;
use taskloom_document::{Block, BlockId, Flowchart, Point, Port};

/// The width of Begin and End, in graph units.
const PILL: i32 = 80;
/// The height of a block's head; ports are at the middle of the head, or of their rows.
const HEAD: i32 = 36;
const PADDING: i32 = 12;
const LINE: i32 = 16;
const ROW: i32 = 24;
/// The number of characters per line, and the maximum number of lines shown.
const CHARACTERS: usize = 25;
const LINES: i32 = 3;
/// The text below the title of a call without arguments.
const KIND: &str = "primitive task";

/// The dimensions of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outline {
    /// Its width and height.
    size: Node,
    /// The distance from the block's upper edge to the first of its outputs that have rows; none:
    /// its single output is in its head.
    rows: Option<i32>,
}

/// Returns the outline of a block.
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
        Block::Task { call, .. } => {
            let (name, arguments) = call.split_at(call.find('(').unwrap_or(call.len()));
            let title = match task_marks(block) {
                marks if marks.is_empty() => name.to_owned(),
                marks => format!("{name} {marks}"),
            };
            let texts = [Text::Title(&title), code(arguments), Text::Note(KIND)];
            sized(block_width(texts), lines(call), 0)
        }
        Block::Branch { condition } => {
            let texts = [Text::Title("Branch"), code(condition)];
            sized(block_width(texts), lines(condition), 2)
        }
        Block::Choice { alternatives, .. } => {
            let labels: Vec<String> = alternatives
                .iter()
                .map(|alternative| format!("8 {}", alternative.label))
                .collect();
            let texts = labels.iter().map(|label| Text::Outlet(label));
            let texts = texts.chain([Text::Title("Choice")]);
            sized(block_width(texts), 0, alternatives.len())
        }
        Block::Bind {
            variable,
            condition,
            order_by,
            query,
        } => {
            let given = [order_by, query];
            let given = given.iter().filter(|text| !text.trim().is_empty());
            let given = given.count() as i32;
            let title = variable.to_string();
            let texts = [
                Text::Title(&title),
                code(condition),
                code(order_by),
                code(query),
            ];
            sized(block_width(texts), lines(condition) + given, 0)
        }
    }
}

/// Returns the marks of a Task block's options, which are drawn beside its title: `∥ ×3 while ≤10 ↻2 ↶`.
pub fn task_marks(block: &Block) -> String {
    let Block::Task {
        repeat,
        timeout,
        retry,
        background,
        ..
    } = block
    else {
        return String::new();
    };
    let marks = [
        background.then(|| "∥".to_owned()),
        repeat.map(|times| format!("×{times}")),
        block.repeat_while().map(|_| "while".to_owned()),
        timeout.map(|ticks| format!("≤{ticks}")),
        retry.map(|times| format!("↻{times}")),
        block.on_abort().map(|_| "↶".to_owned()),
    ];
    Vec::from_iter(marks.into_iter().flatten()).join(" ")
}

/// Returns a text of the expression language, as far as one line shows it.
fn code(text: &str) -> Text<'_> {
    let end = text.char_indices().nth(CHARACTERS);
    Text::Code(&text[..end.map_or(text.len(), |(at, _)| at)])
}

/// Returns the number of lines of a text; an empty one counts as one line for the placeholder.
fn lines(text: &str) -> i32 {
    let (mut lines, mut used) = (1, 0);
    for word in text.split_whitespace() {
        let characters = word.chars().count();
        if used > 0 && used + 1 + characters <= CHARACTERS {
            used += 1 + characters;
        } else {
            lines += i32::from(used > 0);
            // Long words are broken at their brackets and commas.
            lines += (characters.saturating_sub(1) * 2 / CHARACTERS) as i32;
            used = characters;
        }
    }
    lines.min(LINES)
}

/// Lays out the blocks of a flowchart; positions are arbitrary if it was stopped.
pub fn draw(chart: &Flowchart, stop: &Stop) -> BTreeMap<BlockId, Point> {
    let (ids, graph) = graph_of(chart);
    let points = layered_cancellable(&graph, stop);
    map_of(ids.into_iter().zip(points))
}

/// Returns a flowchart's blocks, Begin first, and their graph.
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
        let block = chart.blocks.get(*id).map(|block| &**block);
        graph.nodes.extend(block.map(|block| outline(block).size));
        if let Some(Block::Choice { .. }) = block {
            graph.ranked.push(at);
        }
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

/// Returns the distance from the block's upper edge to the output in a row.
fn below_head(block: &Block, row: usize) -> i32 {
    match outline(block).rows {
        Some(first) => first + ROW * row as i32,
        None => HEAD / 2,
    }
}
