//! A flowchart of a given number of blocks: a sequence of passages, each with a branch, a choice
//! and a merge, laid out in rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use taskloom_document::{Alternative, Block, BlockId, Flowchart, Point, Port, Wire};

use super::{Settlement, Shape, place};

/// The number of blocks per passage.
const PASSAGE: usize = 10;
/// Distances between blocks and between passages, in graph units.
const COLUMN: i32 = 260;
const ROW: i32 = 190;
const ACROSS: i32 = 6 * COLUMN + 40;
const DOWN: i32 = 3 * ROW + 60;

/// A port where a wire may start.
type OpenPort = (BlockId, Port);

struct Drawing<'s> {
    settlement: &'s mut Settlement,
    chart: Flowchart,
    points: BTreeMap<BlockId, Point>,
    /// Passages per row.
    width: usize,
    passage: usize,
}

/// Draws a flowchart of `blocks` blocks, at least one.
pub fn draw(
    settlement: &mut Settlement,
    blocks: usize,
) -> Option<(Flowchart, BTreeMap<BlockId, Point>)> {
    let passages = blocks / PASSAGE;
    let mut drawing = Drawing {
        settlement,
        chart: Flowchart::default(),
        points: BTreeMap::new(),
        // Makes the drawing about as high as wide, as a passage is wide.
        width: ((passages as f64 * 0.4).sqrt().ceil() as usize).max(1),
        passage: 0,
    };
    let begin = drawing.put(Block::Begin {}, -1, 0)?;
    let mut open = vec![(begin, Port::Out)];
    let mut left = blocks.saturating_sub(1);
    while left > PASSAGE {
        open = drawing.passage(&open)?;
        drawing.passage += 1;
        left -= PASSAGE;
    }
    for column in 0..left {
        let block = match column + 1 == left {
            true => Block::End {},
            false => drawing.task(),
        };
        let end = drawing.after(&open, block, column as i32, 0)?;
        open = vec![(end, Port::Out)];
    }
    Some((drawing.chart, drawing.points))
}

impl Drawing<'_> {
    fn put(&mut self, block: Block, column: i32, row: i32) -> Option<BlockId> {
        let id = BlockId::new(&format!("b{}", self.chart.blocks.len())).ok()?;
        self.chart.blocks.insert(id.clone(), Arc::new(block));
        let at = (self.passage % self.width, self.passage / self.width);
        let point = Point {
            x: at.0 as i32 * ACROSS + column * COLUMN,
            y: at.1 as i32 * DOWN + row * ROW,
        };
        self.points.insert(id.clone(), point);
        Some(id)
    }

    fn after(
        &mut self,
        ports: &[OpenPort],
        block: Block,
        column: i32,
        row: i32,
    ) -> Option<BlockId> {
        let to = self.put(block, column, row)?;
        for (from, port) in ports {
            self.chart.wires.push(Wire {
                from: from.clone(),
                port: *port,
                to: to.clone(),
            });
        }
        Some(to)
    }

    /// Adds two tasks in sequence.
    fn two(&mut self, port: OpenPort, column: i32, row: i32) -> Option<OpenPort> {
        let first = self.task();
        let first = self.after(&[port], first, column, row)?;
        let second = self.task();
        let second = self.after(&[(first, Port::Out)], second, column + 1, row)?;
        Some((second, Port::Out))
    }

    fn passage(&mut self, ports: &[OpenPort]) -> Option<Vec<OpenPort>> {
        let condition = self.settlement.formula(3);
        let question = self.after(ports, Block::Branch { condition }, 0, 0)?;
        let yes = self.two((question.clone(), Port::True), 2, 0)?;
        let alternative = |id, label: &str| Alternative {
            id,
            label: label.to_owned(),
        };
        let choice = Block::choice(vec![alternative(1, "at once"), alternative(2, "elsewhere")]);
        let choice = self.after(&[(question, Port::False)], choice, 1, 1)?;
        let at_once = self.two((choice.clone(), Port::Alternative(1)), 2, 1)?;
        let variable = format!("p{}", self.passage + 1);
        let settlement = &*self.settlement;
        let mut facts = settlement.facts.iter();
        let fact = facts.find(|fact| fact.kind == Shape::Somewhere)?;
        let bind = Block::Bind {
            variable: place(&variable)?,
            condition: format!("{}(?{variable})", fact.name),
            order_by: String::new(),
            query: String::new(),
        };
        let bind = self.after(&[(choice, Port::Alternative(2))], bind, 2, 2)?;
        let call = self.task_at(&variable);
        let there = self.after(&[(bind, Port::Out)], call, 3, 2)?;
        let meet = self.task();
        let ports = [yes, at_once, (there, Port::Out)];
        let meet = self.after(&ports, meet, 4, 1)?;
        let last = self.task();
        let last = self.after(&[(meet, Port::Out)], last, 5, 0)?;
        Some(vec![(last, Port::Out)])
    }

    fn task(&mut self) -> Block {
        let call = match self.settlement.calls.as_slice() {
            [] => String::new(),
            calls => self.settlement.random.pick(calls).clone(),
        };
        Block::task(call)
    }

    /// Returns a task that takes the variable's place, if one comes up soon.
    fn task_at(&mut self, variable: &str) -> Block {
        for _ in 0..20 {
            if let Block::Task { call, .. } = self.task()
                && let Some((task, _)) = call.split_once('(')
            {
                let call = format!("{task}(?{variable})");
                return Block::task(call);
            }
        }
        self.task()
    }
}
