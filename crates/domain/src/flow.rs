//! A flowchart as numbered blocks in the order in which they are resolved.
//!
//! The order is topological; among blocks whose predecessors are all placed, the
//! one comes first that a breadth-first walk from Begin, along the wires in the
//! order of their list, meets first. It is the same for every resolution, so
//! that a method reads, exports and searches in one order.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use taskloom_document::{BlockId, BlockKind, Flowchart, Port, Wire};

/// A block of a [`Chart`].
#[derive(Debug, Clone)]
pub struct ChartBlock {
    /// Its id in the flowchart.
    pub id: BlockId,
    /// What it is.
    pub kind: BlockKind,
    /// Its number among the Task blocks, where it is one.
    pub task: Option<u32>,
    /// Where its wires start in [`Chart::wires`].
    first_wire: u32,
}

/// A wire of a [`Chart`].
#[derive(Debug, Clone)]
pub struct ChartWire {
    /// The block that it leaves, by position.
    pub from: u32,
    /// Which of that block's options it belongs to: of a Branch 0 for true and 1
    /// for false, of a Choice the number of the output, otherwise 0.
    pub option: u32,
    /// The block that it enters, by position.
    pub to: u32,
    /// The wire in the flowchart.
    pub wire: Wire,
}

/// The blocks that a walk from Begin reaches, in the order of resolution.
#[derive(Debug, Clone)]
pub struct Chart {
    /// The blocks by position; the first is Begin.
    pub blocks: Vec<ChartBlock>,
    /// The wires between them, by the position of the block they leave and then
    /// in the order of the flowchart's list.
    pub wires: Vec<ChartWire>,
    /// The positions of the Task blocks.
    pub tasks: Vec<u32>,
}

impl Chart {
    /// Orders a flowchart; none where it has no Begin block. Blocks that Begin does not reach mean nothing.
    pub fn new(flowchart: &Flowchart) -> Option<Self> {
        let begin = flowchart.begin()?;
        let mut leaving: FxHashMap<&BlockId, Vec<&Wire>> = FxHashMap::default();
        for wire in &flowchart.wires {
            leaving.entry(&wire.from).or_default().push(wire);
        }
        let wires_from =
            |id: &BlockId| -> &[&Wire] { leaving.get(id).map(Vec::as_slice).unwrap_or_default() };

        // The breadth-first walk numbers the blocks that count.
        let mut met: Vec<&BlockId> = vec![begin];
        let mut number: FxHashMap<&BlockId, usize> = FxHashMap::from_iter([(begin, 0)]);
        let mut queue = VecDeque::from([begin]);
        while let Some(id) = queue.pop_front() {
            for wire in wires_from(id) {
                if !number.contains_key(&wire.to) {
                    number.insert(&wire.to, met.len());
                    met.push(&wire.to);
                    queue.push_back(&wire.to);
                }
            }
        }

        // Kahn's algorithm over those numbers.
        let mut waits = vec![0usize; met.len()];
        for id in &met {
            for wire in wires_from(id) {
                waits[number[&wire.to]] += 1;
            }
        }
        let mut ready = BTreeSet::from([0usize]);
        let mut position = vec![u32::MAX; met.len()];
        let mut order = Vec::with_capacity(met.len());
        while let Some(next) = ready.pop_first() {
            position[next] = order.len() as u32;
            order.push(met[next]);
            for wire in wires_from(met[next]) {
                let to = number[&wire.to];
                waits[to] -= 1;
                if waits[to] == 0 {
                    ready.insert(to);
                }
            }
        }
        let mut chart = Self {
            blocks: Vec::with_capacity(order.len()),
            wires: vec![],
            tasks: vec![],
        };
        for (from, id) in (0u32..).zip(order) {
            let block = &flowchart.blocks[id];
            let kind = block.kind();
            let task = (kind == BlockKind::Task).then_some(chart.tasks.len() as u32);
            chart.tasks.extend(task.map(|_| from));
            chart.blocks.push(ChartBlock {
                id: id.clone(),
                kind,
                task,
                first_wire: chart.wires.len() as u32,
            });
            let options: FxHashMap<Port, u32> = block.ports().into_iter().zip(0..).collect();
            for wire in wires_from(id) {
                chart.wires.push(ChartWire {
                    from,
                    option: options.get(&wire.port).copied().unwrap_or_default(),
                    to: position[number[&wire.to]],
                    wire: (*wire).clone(),
                });
            }
        }
        Some(chart)
    }

    /// The wires that leave the block at a position, as a range of [`Self::wires`].
    pub fn wires_from(&self, position: u32) -> std::ops::Range<u32> {
        let start = self.blocks[position as usize].first_wire;
        let end = self
            .blocks
            .get(position as usize + 1)
            .map_or(self.wires.len() as u32, |next| next.first_wire);
        start..end
    }

    /// Every block that has a way to the block at a position, nearest last.
    pub fn upstream(&self, position: u32) -> Vec<u32> {
        let mut reaches = vec![false; position as usize + 1];
        reaches[position as usize] = true;
        for wire in self.wires.iter().rev() {
            if wire.to <= position && reaches[wire.to as usize] {
                reaches[wire.from as usize] = true;
            }
        }
        (0..position).filter(|p| reaches[*p as usize]).collect()
    }
}
