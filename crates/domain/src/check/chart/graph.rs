//! A flowchart by numbers: its wires, both ways.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Chart;
use taskloom_document::{Block, BlockId, Flowchart, Param, Port};

/// Blocks by number, in the order of their ids.
pub struct Graph<'a> {
    /// The flowchart.
    pub flowchart: &'a Flowchart,
    /// The blocks.
    pub blocks: Vec<(&'a BlockId, &'a Block)>,
    /// Of each block the wires that leave it: the output, the block entered.
    pub leaving: Vec<Vec<(Port, usize)>>,
    /// Of each block the blocks that its wires come from.
    pub entering: Vec<Vec<usize>>,
    /// The Begin block.
    pub begin: Option<usize>,
    /// The blocks that Begin reaches.
    pub reached: Vec<bool>,
    /// The blocks in an order in which each follows all that lead to it: Begin, then those that it does not reach, and
    /// then the others in the order of resolution.
    pub walk: Vec<usize>,
    /// Of each block its place in `walk`.
    pub places: Vec<usize>,
    /// The Bind blocks and their variables, in the order of `walk`.
    pub binds: Vec<(usize, &'a Param)>,
}

impl<'a> Graph<'a> {
    /// A flowchart with its order of resolution, if it has a Begin block.
    pub fn new(flowchart: &'a Flowchart, chart: Option<&Chart>) -> Self {
        let blocks: Vec<_> = flowchart.blocks.iter().map(|(id, b)| (id, &**b)).collect();
        let numbers: FxHashMap<&BlockId, usize> =
            blocks.iter().map(|(id, _)| *id).zip(0..).collect();
        let mut leaving = vec![vec![]; blocks.len()];
        let mut entering = vec![vec![]; blocks.len()];
        for wire in &flowchart.wires {
            if let (Some(&from), Some(&to)) = (numbers.get(&wire.from), numbers.get(&wire.to)) {
                leaving[from].push((wire.port, to));
                entering[to].push(from);
            }
        }
        let chart = chart.into_iter().flat_map(|chart| &chart.blocks);
        let order: Vec<usize> = chart.map(|block| numbers[&block.id]).collect();
        let mut reached = vec![false; blocks.len()];
        for block in &order {
            reached[*block] = true;
        }
        let mut graph = Self {
            flowchart,
            blocks,
            leaving,
            entering,
            begin: order.first().copied(),
            reached,
            walk: vec![],
            places: vec![],
            binds: vec![],
        };
        let (begin, others) = order.split_at(order.len().min(1));
        let unreached = graph.topological().into_iter();
        let unreached = unreached.filter(|block| !graph.reached[*block]);
        graph.walk = begin.iter().copied().chain(unreached).collect();
        graph.walk.extend(others);
        graph.places = vec![0; graph.walk.len()];
        for (place, block) in graph.walk.iter().enumerate() {
            graph.places[*block] = place;
        }
        let binds = graph.walk.iter().filter_map(|&block| {
            let variable = graph.blocks[block].1.binds()?;
            Some((block, variable))
        });
        graph.binds = binds.collect();
        graph
    }

    fn topological(&self) -> Vec<usize> {
        let mut waits: Vec<_> = self.entering.iter().map(Vec::len).collect();
        let mut order: Vec<_> = (0..waits.len()).filter(|b| waits[*b] == 0).collect();
        let mut next = 0;
        while let Some(&block) = order.get(next) {
            next += 1;
            for &(_, to) in &self.leaving[block] {
                waits[to] -= 1;
                if waits[to] == 0 {
                    order.push(to);
                }
            }
        }
        order
    }

    /// Whether some output has several wires, so that blocks are present beside each other.
    pub fn has_forks(&self) -> bool {
        self.leaving.iter().any(|leaving| {
            let mut outputs = FxHashSet::default();
            !leaving.iter().all(|(port, _)| outputs.insert(port))
        })
    }

    /// The blocks that a walk along the wires meets first, the start included,
    /// in no order: it does not go on from what was met before.
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
