//! A flowchart with numbered blocks and adjacency lists in both directions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::adjacency_list::AdjacencyList;
use crate::method::Method;
use taskloom_document::{Block, BlockId, Flowchart, Param, Port};

/// A flowchart by block number: first the blocks that Begin reaches, by position, then the others
/// in the order of their ids.
pub struct Graph<'a> {
    /// The flowchart.
    pub flowchart: &'a Flowchart,
    /// The blocks.
    pub blocks: Vec<(&'a BlockId, &'a Block)>,
    /// The number of blocks that Begin reaches.
    reached: usize,
    /// For each block, its outgoing wires: the output and the block entered.
    pub leaving: AdjacencyList<(Port, usize)>,
    /// For each block, the blocks that its incoming wires come from.
    pub entering: AdjacencyList<usize>,
    /// The Begin block.
    pub begin: Option<usize>,
    /// The blocks in topological order: Begin, then the blocks that it doesn't reach, then the
    /// others in the order of resolution.
    pub walk: Vec<usize>,
    /// For each block, its index in `walk`.
    pub positions: Vec<usize>,
    /// The Bind blocks and their variables, in the order of `walk`.
    pub binds: Vec<(usize, &'a Param)>,
}

impl<'a> Graph<'a> {
    /// Creates the graph of a flowchart. `method` has the blocks that Begin reaches, if there is a
    /// Begin block.
    pub fn new(flowchart: &'a Flowchart, method: Option<&'a Method>) -> Self {
        let chart = method.map(|method| &*method.chart);
        let mut blocks: Vec<(&BlockId, &Block)> = Vec::with_capacity(flowchart.blocks.len());
        let ordered = chart.into_iter().flat_map(|chart| &chart.blocks);
        blocks.extend(ordered.map(|block| (&block.id, &*block.block)));
        let reached = blocks.len();
        let wires = chart.into_iter().flat_map(|chart| &chart.wires);
        let wires = wires.map(|wire| (wire.from as usize, wire.wire.port, wire.to as usize));
        let mut wires: Vec<(usize, Port, usize)> = wires.collect();
        if reached < flowchart.blocks.len() {
            add_unreached(flowchart, &mut blocks, &mut wires);
        }
        let leaving = wires.iter().map(|(from, port, to)| (*from, (*port, *to)));
        let entering = wires.iter().map(|(from, _, to)| (*to, *from));
        let mut graph = Self {
            flowchart,
            leaving: AdjacencyList::new(blocks.len(), leaving.collect()),
            entering: AdjacencyList::new(blocks.len(), entering.collect()),
            begin: (reached > 0).then_some(0),
            walk: vec![],
            positions: vec![0; blocks.len()],
            binds: vec![],
            blocks,
            reached,
        };
        graph.walk = graph.topological();
        for (place, block) in graph.walk.iter().enumerate() {
            graph.positions[*block] = place;
        }
        let binds = graph.walk.iter().filter_map(|&block| {
            let variable = graph.blocks[block].1.binds()?;
            Some((block, variable))
        });
        graph.binds = binds.collect();
        graph
    }

    /// Returns `true` if Begin reaches the block.
    pub fn is_reached(&self, block: usize) -> bool {
        block < self.reached
    }

    /// Computes [`Self::walk`]. No wire leads from a reachable block to an unreachable one.
    fn topological(&self) -> Vec<usize> {
        let mut waits: Vec<_> = self.entering.iter().map(<[usize]>::len).collect();
        let mut order: Vec<usize> = self.begin.into_iter().collect();
        let mut next = order.len();
        order.extend((self.reached..waits.len()).filter(|block| waits[*block] == 0));
        while let Some(&block) = order.get(next) {
            next += 1;
            for &(_, to) in &self.leaving[block] {
                waits[to] -= 1;
                if waits[to] == 0 && !self.is_reached(to) {
                    order.push(to);
                }
            }
        }
        order.extend(1..self.reached);
        order
    }

    /// Returns `true` if some output has several wires, so that blocks are present in parallel.
    pub fn has_forks(&self) -> bool {
        self.leaving.iter().any(|leaving| {
            let mut outputs = FxHashSet::default();
            !leaving.iter().all(|(port, _)| outputs.insert(port))
        })
    }

    /// Returns the blocks that a walk along the wires from `start` visits for the first time,
    /// including `start`, in no particular order. The walk doesn't continue from blocks visited
    /// before.
    pub fn reach(&self, start: usize, met: &mut [bool]) -> Vec<usize> {
        let (mut first, mut stack) = (vec![], vec![start]);
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut met[block], true) {
                first.push(block);
                stack.extend(self.leaving[block].iter().map(|(_, to)| *to));
            }
        }
        first
    }
}

/// Adds the blocks that Begin doesn't reach, and their outgoing wires.
fn add_unreached<'a>(
    flowchart: &'a Flowchart,
    blocks: &mut Vec<(&'a BlockId, &'a Block)>,
    wires: &mut Vec<(usize, Port, usize)>,
) {
    let reached = blocks.len();
    let mut numbers: FxHashMap<&BlockId, usize> =
        blocks.iter().map(|(id, _)| *id).zip(0..).collect();
    for (id, block) in &flowchart.blocks {
        if !numbers.contains_key(id) {
            numbers.insert(id, blocks.len());
            blocks.push((id, block));
        }
    }
    for wire in &flowchart.wires {
        if let (Some(&from), Some(&to)) = (numbers.get(&wire.from), numbers.get(&wire.to))
            && from >= reached
        {
            wires.push((from, wire.port, to));
        }
    }
}
