//! A flowchart as numbered blocks in the order in which they are resolved.
//!
//! The order is topological; among blocks whose predecessors are all placed, the one comes first
//! that a breadth-first walk from Begin, along the wires in the order of their list, visits first.
//! It is the same for every resolution, so a method is read, exported and searched in one order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::adjacency_list::AdjacencyList;
use taskloom_document::{Block, BlockId, BlockKind, Flowchart, Port, Wire};

/// A block of a [`Chart`].
#[derive(Debug, Clone)]
pub struct ChartBlock {
    /// The id in the flowchart.
    pub id: BlockId,
    /// The block.
    pub block: Arc<Block>,
    /// The kind of the block.
    pub kind: BlockKind,
    /// The number among the Task blocks, if it is one.
    pub task: Option<u32>,
    /// The position of the same block in the chart without repetitions.
    pub drawn: u32,
    /// The number of subtasks of the same block before this one: above 0 only in
    /// [`Chart::unrolled`].
    pub repetition: u32,
    /// The index of its first wire in [`Chart::wires`].
    first_wire: u32,
}

/// A wire of a [`Chart`].
#[derive(Debug, Clone)]
pub struct ChartWire {
    /// The position of the block that it leaves.
    pub from: u32,
    /// The option of that block that it belongs to: for a Branch 0 for true and 1 for false, for a
    /// Choice the number of the output, otherwise 0.
    pub option: u32,
    /// The position of the block that it enters.
    pub to: u32,
    /// The wire in the flowchart.
    pub wire: Wire,
}

/// The blocks that Begin reaches, in the order of resolution.
#[derive(Debug, Clone)]
pub struct Chart {
    /// The blocks by position; the first is Begin.
    pub blocks: Vec<ChartBlock>,
    /// The wires between them, by the position of the block they leave and then in the order of the
    /// flowchart's list.
    pub wires: Vec<ChartWire>,
    /// The positions of the Task blocks.
    pub tasks: Vec<u32>,
}

impl Chart {
    /// Orders a flowchart. Returns `None` if it has no Begin block. Unreachable blocks are ignored.
    pub fn new(flowchart: &Flowchart) -> Option<Self> {
        let blocks: Vec<(&BlockId, &Arc<Block>)> = flowchart.blocks.iter().collect();
        let begin = blocks.iter().position(|(_, block)| block.kind().starts())?;
        let numbers: FxHashMap<&BlockId, usize> =
            blocks.iter().map(|(id, _)| *id).zip(0..).collect();
        let joined = flowchart.wires.iter().filter_map(|wire| {
            let (from, to) = (numbers.get(&wire.from)?, numbers.get(&wire.to)?);
            Some((*from, (*to, wire)))
        });
        let leaving = AdjacencyList::new(blocks.len(), joined.collect());

        // A breadth-first walk visits the reachable blocks.
        const NEVER: u32 = u32::MAX;
        let mut met_at = vec![NEVER; blocks.len()];
        let mut waits = vec![0usize; blocks.len()];
        let mut met = vec![begin];
        met_at[begin] = 0;
        let mut next = 0;
        while let Some(&block) = met.get(next) {
            next += 1;
            for &(to, _) in &leaving[block] {
                waits[to] += 1;
                if met_at[to] == NEVER {
                    met_at[to] = met.len() as u32;
                    met.push(to);
                }
            }
        }

        // Kahn's algorithm, in the order in which that walk visited them.
        let mut ready = BinaryHeap::from([Reverse(0)]);
        let mut order: Vec<usize> = Vec::with_capacity(met.len());
        let mut positions = vec![NEVER; blocks.len()];
        while let Some(Reverse(next)) = ready.pop() {
            let block = met[next as usize];
            positions[block] = order.len() as u32;
            order.push(block);
            for &(to, _) in &leaving[block] {
                waits[to] -= 1;
                if waits[to] == 0 {
                    ready.push(Reverse(met_at[to]));
                }
            }
        }

        let mut chart = Self {
            blocks: Vec::with_capacity(order.len()),
            wires: Vec::with_capacity(leaving.count()),
            tasks: vec![],
        };
        for (from, number) in (0u32..).zip(order) {
            let (id, block) = blocks[number];
            let kind = block.kind();
            let task = block.call().map(|_| chart.tasks.len() as u32);
            chart.tasks.extend(task.map(|_| from));
            chart.blocks.push(ChartBlock {
                id: id.clone(),
                block: block.clone(),
                kind,
                task,
                drawn: from,
                repetition: 0,
                first_wire: chart.wires.len() as u32,
            });
            // If all wires leave by one output, there is nothing to look up.
            let mut options: FxHashMap<Port, u32> = FxHashMap::default();
            if kind.chooses_output() {
                options.extend(block.ports().into_iter().zip(0..));
            }
            for &(to, wire) in &leaving[number] {
                chart.wires.push(ChartWire {
                    from,
                    option: options.get(&wire.port).copied().unwrap_or_default(),
                    to: positions[to],
                    wire: wire.clone(),
                });
            }
        }
        Some(chart)
    }

    /// Returns the chart in which each Task block that repeats is as many blocks in sequence, all
    /// with its id; the same chart if none repeats. Wires enter the first of them, and leave the
    /// last one or, if nothing waits for it because it is in the background, the first one.
    pub fn unrolled(self: &Arc<Self>) -> Arc<Self> {
        if self
            .blocks
            .iter()
            .all(|block| block.block.repetitions() == 1)
        {
            return self.clone();
        }
        // The positions of the first and the last repetition of each block.
        let mut spans: Vec<(u32, u32)> = Vec::with_capacity(self.blocks.len());
        let mut next = 0;
        for block in &self.blocks {
            let first = next;
            next += block.block.repetitions();
            spans.push((first, next - 1));
        }
        let mut unrolled = Self {
            blocks: Vec::with_capacity(next as usize),
            wires: vec![],
            tasks: vec![],
        };
        for (block, (first, last)) in self.blocks.iter().zip(&spans) {
            let leaves = match block.block.is_background() {
                true => *first,
                false => *last,
            };
            for position in *first..=*last {
                let task = block.task.map(|_| unrolled.tasks.len() as u32);
                unrolled.tasks.extend(task.map(|_| position));
                unrolled.blocks.push(ChartBlock {
                    task,
                    repetition: position - first,
                    first_wire: unrolled.wires.len() as u32,
                    ..block.clone()
                });
                if position < *last {
                    unrolled.wires.push(ChartWire {
                        from: position,
                        option: 0,
                        to: position + 1,
                        wire: Wire {
                            from: block.id.clone(),
                            port: Port::Out,
                            to: block.id.clone(),
                        },
                    });
                }
                if position == leaves {
                    let drawn = self.wires_from(block.drawn);
                    let drawn = drawn.map(|wire| &self.wires[wire as usize]);
                    unrolled.wires.extend(drawn.map(|wire| ChartWire {
                        from: position,
                        to: spans[wire.to as usize].0,
                        ..wire.clone()
                    }));
                }
            }
        }
        Arc::new(unrolled)
    }

    /// Returns `true` if what a wire leads to waits for the task of the block that it leaves: not if
    /// that is in the background, unless the wire leads to its next repetition.
    pub fn is_awaited(&self, wire: &ChartWire) -> bool {
        let [from, to] = [wire.from, wire.to].map(|position| &self.blocks[position as usize]);
        !from.block.is_background() || to.repetition > 0 && from.drawn == to.drawn
    }

    /// Returns the wires that leave the block at a position, as a range of [`Self::wires`].
    pub fn wires_from(&self, position: u32) -> std::ops::Range<u32> {
        let start = self.blocks[position as usize].first_wire;
        let end = self
            .blocks
            .get(position as usize + 1)
            .map_or(self.wires.len() as u32, |next| next.first_wire);
        start..end
    }

    /// Returns every block with a path to the block at a position, nearest last.
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
