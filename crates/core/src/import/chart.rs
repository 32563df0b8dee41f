//! Draws methods as one flowchart, laid out: alternatives from top to bottom in
//! their order, what comes later further to the right.
//!
//! The ids of blocks say what they are, so that the document keeps it: `m2t3` is
//! the third subtask, as declared, of the second method.

use std::sync::Arc;

use super::methods::Way;
use crate::document::{Alternative, Block, BlockId, Flowchart, Point, Policy, Port, Wire};
use crate::sorted::SortedMap;

/// From one column to the next, and from one row to the next, in graph units.
const COLUMN: i32 = 260;
/// Height of a block without its text.
const BLOCK: i32 = 60;
/// Height of a line of text, and of an output.
const LINE: i32 = 16;
const OUTPUT: i32 = 24;
/// Between two blocks.
const GAP: i32 = 40;
/// Letters on a line of a block.
const LETTERS: usize = 25;

/// How a note says what a task's one method is called.
const METHOD: &str = "Its method is called ";

/// The note of a task with these methods: a single one has no output to be
/// written on.
pub fn note(ways: &[Way]) -> String {
    match ways {
        [one] => format!("{METHOD}{}.", one.label),
        _ => String::new(),
    }
}

/// What a note says a task's one method is called.
pub fn method_in(note: &str) -> Option<&str> {
    note.strip_prefix(METHOD)?.strip_suffix('.')
}

/// The number of a subtask's block, as declared in its method.
pub fn subtask_number(id: &BlockId) -> Option<usize> {
    let (method, number) = id.as_str().strip_prefix('m')?.split_once('t')?;
    method.parse::<usize>().ok()?;
    number.parse().ok()
}

struct Drawing {
    chart: Flowchart,
    points: SortedMap<BlockId, Point>,
}

/// Draws the methods of one task; none of them: it cannot be decomposed.
pub fn draw(ways: &[Way]) -> (Flowchart, SortedMap<BlockId, Point>) {
    let mut drawing = Drawing {
        chart: Flowchart::default(),
        points: SortedMap::new(),
    };
    let begin = drawing.block("begin".to_owned(), Block::Begin {}, 0, 0);
    let start = (begin, Port::Out);
    match ways {
        [] => {
            let never = Way {
                guard: vec!["false".to_owned()],
                ..Way::default()
            };
            drawing.way(1, &never, start, 1, 0);
        }
        [one] => {
            drawing.way(1, one, start, 1, 0);
        }
        several => {
            let numbered = (1u16..).zip(several);
            let choice = Block::Choice {
                policy: Policy::First,
                alternatives: numbered
                    .clone()
                    .map(|(id, way)| Alternative {
                        id,
                        label: way.label.clone(),
                    })
                    .collect(),
            };
            let choice = drawing.block("choice".to_owned(), choice, 1, 0);
            drawing.wire(start, choice.clone());
            let mut y = 0;
            for (id, way) in numbered {
                let from = (choice.clone(), Port::Alternative(id));
                let below = drawing.way(id.into(), way, from, 2, y);
                y = below.max(y + OUTPUT);
            }
        }
    }
    (drawing.chart, drawing.points)
}

/// How high a block with a text is.
fn height(text: &str) -> i32 {
    BLOCK + LINE * (text.len() / LETTERS).min(6) as i32
}

impl Drawing {
    fn block(&mut self, id: String, block: Block, column: i32, y: i32) -> BlockId {
        let id = BlockId::new(&id)
            .or_else(|_| BlockId::new("b"))
            .unwrap_or_else(|_| unreachable!("'b' is a block id"));
        self.chart.blocks.insert(id.clone(), Arc::new(block));
        let x = column * COLUMN;
        self.points.insert(id.clone(), Point { x, y });
        id
    }

    fn wire(&mut self, (from, port): (BlockId, Port), to: BlockId) {
        self.chart.wires.push(Wire { from, port, to });
    }

    /// Draws one way from an output, from a height on; how far down it reaches.
    fn way(
        &mut self,
        number: usize,
        way: &Way,
        mut from: (BlockId, Port),
        mut column: i32,
        y: i32,
    ) -> i32 {
        let mut below = y + BLOCK + GAP;
        if !way.guard.is_empty() {
            let condition = super::text::all_of(&way.guard);
            below = below.max(y + height(&condition) + OUTPUT * 2 + GAP);
            let id = format!("m{number}if");
            let branch = self.block(id, Block::Branch { condition }, column, y);
            self.wire(from, branch.clone());
            from = (branch, Port::True);
            column += 1;
        }
        for (at, (variable, conditions)) in way.binds.iter().enumerate() {
            let condition = super::text::all_of(conditions);
            below = below.max(y + height(&condition) + LINE + GAP);
            let block = Block::Bind {
                variable: variable.clone(),
                condition,
                order_by: String::new(),
            };
            let id = format!("m{number}v{}", at + 1);
            let bind = self.block(id, block, column, y);
            self.wire(from, bind.clone());
            from = (bind, Port::Out);
            column += 1;
        }
        if way.tasks.is_empty() {
            let id = format!("m{number}end");
            let end = self.block(id, Block::End {}, column, y);
            self.wire(from, end);
            return below;
        }
        below.max(self.tasks(number, way, from, column, y))
    }

    /// Draws the network of a way: a task's column is the longest way to it.
    fn tasks(
        &mut self,
        number: usize,
        way: &Way,
        from: (BlockId, Port),
        column: i32,
        y: i32,
    ) -> i32 {
        let depths = depths(way.tasks.len(), &way.order);
        let mut heights: SortedMap<i32, i32> = SortedMap::new();
        let mut blocks = vec![];
        for (at, (call, depth)) in way.tasks.iter().zip(&depths).enumerate() {
            let top = heights.entry(*depth).or_insert(y);
            let place = *top;
            *top += height(call) + GAP;
            let block = Block::Task { call: call.clone() };
            let id = format!("m{number}t{}", at + 1);
            blocks.push(self.block(id, block, column + depth, place));
        }
        for (block, depth) in blocks.iter().zip(&depths) {
            if *depth == 0 {
                self.wire(from.clone(), block.clone());
            }
        }
        for (before, after) in &way.order {
            if let (Some(before), Some(after)) = (blocks.get(*before), blocks.get(*after)) {
                self.wire((before.clone(), Port::Out), after.clone());
            }
        }
        heights.into_values().max().unwrap_or(y)
    }
}

/// How many tasks stand before each on the longest way to it.
fn depths(tasks: usize, order: &[(usize, usize)]) -> Vec<i32> {
    let mut after: Vec<Vec<usize>> = vec![vec![]; tasks];
    let mut waits = vec![0usize; tasks];
    for (a, b) in order {
        if let (Some(after), Some(waits)) = (after.get_mut(*a), waits.get_mut(*b)) {
            after.push(*b);
            *waits += 1;
        }
    }
    let mut depths = vec![0; tasks];
    let mut ready: Vec<usize> = (0..tasks).filter(|t| waits.get(*t) == Some(&0)).collect();
    while let Some(task) = ready.pop() {
        let depth = depths.get(task).copied().unwrap_or_default() + 1;
        for to in after.get(task).into_iter().flatten() {
            if let (Some(own), Some(waits)) = (depths.get_mut(*to), waits.get_mut(*to)) {
                *own = depth.max(*own);
                *waits -= 1;
                if *waits == 0 {
                    ready.push(*to);
                }
            }
        }
    }
    depths
}
