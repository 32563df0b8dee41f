//! A flowchart by numbers: the wires that mean something, both ways.

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::{Block, BlockId, Flowchart, Param, Port, Wire};

/// Blocks by number, in the order of their ids.
pub struct Graph<'a> {
    /// The flowchart.
    pub flowchart: &'a Flowchart,
    /// The blocks.
    pub blocks: Vec<(&'a BlockId, &'a Block)>,
    numbers: FxHashMap<&'a BlockId, usize>,
    outputs: FxHashSet<(usize, Port)>,
    /// Of each block the wires that leave it: the output, the block entered.
    pub leaving: Vec<Vec<(Port, usize)>>,
    /// Of each block the blocks that its wires come from.
    pub entering: Vec<Vec<usize>>,
    /// The first Begin block.
    pub begin: Option<usize>,
    /// The blocks in an order in which each follows all that lead to it; those
    /// of a cycle, and behind one, are left out.
    pub order: Vec<usize>,
    /// All blocks: first those in that order, then the others.
    pub walk: Vec<usize>,
    /// Of each block its place in `walk`.
    pub places: Vec<usize>,
    /// The Bind blocks and their variables, in the order of `walk`.
    pub binds: Vec<(usize, &'a Param)>,
}

impl<'a> Graph<'a> {
    pub fn new(flowchart: &'a Flowchart) -> Self {
        let blocks: Vec<_> = flowchart.blocks.iter().map(|(id, b)| (id, &**b)).collect();
        let numbers: FxHashMap<&BlockId, usize> =
            blocks.iter().map(|(id, _)| *id).zip(0..).collect();
        let outputs = blocks.iter().enumerate().flat_map(|(number, (_, block))| {
            let ports = block.ports().into_iter();
            ports.map(move |port| (number, port))
        });
        let outputs: FxHashSet<(usize, Port)> = outputs.collect();
        let mut leaving = vec![vec![]; blocks.len()];
        let mut entering = vec![vec![]; blocks.len()];
        for wire in &flowchart.wires {
            if let (Some(&from), Some(&to)) = (numbers.get(&wire.from), numbers.get(&wire.to))
                && blocks[to].1.has_input()
                && outputs.contains(&(from, wire.port))
            {
                leaving[from].push((wire.port, to));
                entering[to].push(from);
            }
        }
        let begin = blocks
            .iter()
            .position(|(_, block)| matches!(block, Block::Begin {}));
        let mut graph = Self {
            flowchart,
            numbers,
            outputs,
            blocks,
            leaving,
            entering,
            begin,
            order: vec![],
            walk: vec![],
            places: vec![],
            binds: vec![],
        };
        graph.order = graph.topological();
        let mut others = vec![true; graph.blocks.len()];
        for block in &graph.order {
            others[*block] = false;
        }
        let others = (0..others.len()).filter(|block| others[*block]);
        graph.walk = graph.order.iter().copied().chain(others).collect();
        graph.places = vec![0; graph.walk.len()];
        for (place, block) in graph.walk.iter().enumerate() {
            graph.places[*block] = place;
        }
        let binds = graph.walk.iter().filter_map(|&block| {
            let variable = variable(graph.blocks[block].1)?;
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

    /// Whether the block that a wire leaves has its output.
    pub fn has_output(&self, wire: &Wire) -> bool {
        let from = self.numbers.get(&wire.from);
        from.is_some_and(|from| self.outputs.contains(&(*from, wire.port)))
    }

    /// Whether the wires form no cycle.
    pub fn is_acyclic(&self) -> bool {
        self.order.len() == self.blocks.len()
    }

    /// Whether some output has several wires, so that blocks are present beside each other.
    pub fn has_forks(&self) -> bool {
        self.leaving.iter().any(|leaving| {
            let mut outputs = FxHashSet::default();
            !leaving.iter().all(|(port, _)| outputs.insert(port))
        })
    }

    /// Which blocks a walk along the wires meets, the start included.
    pub fn reached_from(&self, start: usize) -> Vec<bool> {
        let mut met = vec![false; self.blocks.len()];
        self.reach(start, &mut met);
        met
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

    /// The wire of the flowchart between two blocks that was drawn last.
    pub fn last_wire(&self, from: usize, to: usize) -> Option<(usize, &'a Wire)> {
        let (from, to) = (self.blocks[from].0, self.blocks[to].0);
        let mut wires = self.flowchart.wires.iter().enumerate();
        wires.rfind(|(_, wire)| wire.from == *from && wire.to == *to)
    }
}

/// The variable that a block binds.
pub fn variable(block: &Block) -> Option<&Param> {
    match block {
        Block::Bind { variable, .. } => Some(variable),
        _ => None,
    }
}
