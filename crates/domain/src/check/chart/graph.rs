//! A flowchart by numbers: the wires that mean something, both ways.

use std::collections::BTreeMap;

use taskloom_document::{Block, BlockId, Flowchart, Param, Port, Wire};

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
    /// The first Begin block.
    pub begin: Option<usize>,
    /// The blocks in an order in which each follows all that lead to it; those
    /// of a cycle, and behind one, are left out.
    pub order: Vec<usize>,
    /// The Bind blocks and their variables: those that are in that order, and then the others.
    pub binds: Vec<(usize, &'a Param)>,
    /// How many of them are in that order.
    pub ordered: usize,
    /// Of each block which of `binds` lead to it, itself included: a bit each. There is one of these sets for all
    /// blocks, since a walk for each block takes seconds in a flowchart of thousands.
    leading: Vec<Vec<u64>>,
}

impl<'a> Graph<'a> {
    pub fn new(flowchart: &'a Flowchart) -> Self {
        let blocks: Vec<_> = flowchart.blocks.iter().map(|(id, b)| (id, &**b)).collect();
        let numbers = BTreeMap::from_iter((0..).zip(&blocks).map(|(n, (id, _))| (*id, n)));
        let mut leaving = vec![vec![]; blocks.len()];
        let mut entering = vec![vec![]; blocks.len()];
        for wire in &flowchart.wires {
            if let (Some(&from), Some(&to)) = (numbers.get(&wire.from), numbers.get(&wire.to))
                && blocks[to].1.has_input()
                && blocks[from].1.ports().contains(&wire.port)
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
            blocks,
            leaving,
            entering,
            begin,
            order: vec![],
            binds: vec![],
            ordered: 0,
            leading: vec![],
        };
        graph.order = graph.topological();
        let mut others = vec![true; graph.blocks.len()];
        for block in &graph.order {
            others[*block] = false;
        }
        let mut walk = graph.order.clone();
        walk.extend((0..others.len()).filter(|block| others[*block]));
        for &block in &walk {
            if let Block::Bind { variable, .. } = graph.blocks[block].1 {
                graph.binds.push((block, variable));
                graph.ordered += usize::from(!others[block]);
            }
        }
        graph.leading = graph.leading(walk);
        graph
    }

    /// In the order of `walk`, so that once round is enough where there is no cycle.
    fn leading(&self, mut walk: Vec<usize>) -> Vec<Vec<u64>> {
        let mut sets = vec![vec![0_u64; self.binds.len().div_ceil(64)]; self.blocks.len()];
        if self.binds.is_empty() {
            return sets;
        }
        for (bit, (block, _)) in self.binds.iter().enumerate() {
            sets[*block][bit / 64] |= 1 << (bit % 64);
        }
        walk.reverse();
        let mut done = vec![false; self.blocks.len()];
        while let Some(from) = walk.pop() {
            done[from] = true;
            let set = std::mem::take(&mut sets[from]);
            for &(_, to) in self.leaving[from].iter().filter(|(_, to)| *to != from) {
                let mut grown = false;
                for (bits, new) in sets[to].iter_mut().zip(&set) {
                    grown |= *new & !*bits != 0;
                    *bits |= new;
                }
                if grown && done[to] {
                    done[to] = false;
                    walk.push(to);
                }
            }
            sets[from] = set;
        }
        sets
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

    /// Whether the wires form no cycle.
    pub fn is_acyclic(&self) -> bool {
        self.order.len() == self.blocks.len()
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
        self.walk(start, met, |block, next| {
            next.extend(self.leaving[block].iter().map(|(_, to)| *to));
        })
    }

    /// Whether a Bind, by its number among the Binds, leads to a block.
    pub fn binds_before(&self, bind: usize, block: usize) -> bool {
        self.leading[block][bind / 64] >> (bind % 64) & 1 == 1
    }

    /// Which blocks lead to a block, itself included.
    pub fn leading_to(&self, end: usize) -> Vec<bool> {
        let mut met = vec![false; self.blocks.len()];
        self.walk(end, &mut met, |block, next| {
            next.extend(&self.entering[block])
        });
        met
    }

    fn walk(
        &self,
        start: usize,
        met: &mut [bool],
        neighbours: impl Fn(usize, &mut Vec<usize>),
    ) -> Vec<usize> {
        let (mut first, mut stack) = (vec![], vec![start]);
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut met[block], true) {
                first.push(block);
                neighbours(block, &mut stack);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use taskloom_document::Document;

    proptest! {
        /// On any flowchart, cycles included.
        #[test]
        fn a_bind_is_before_a_block_where_a_walk_from_the_block_meets_it(
            wires in prop::collection::btree_set((0usize..12, 0usize..12), 0..30),
            is_bind in prop::collection::vec(any::<bool>(), 12),
        ) {
            let block = |(at, bind): (usize, &bool)| match bind {
                true => format!(r#""b{at}": {{ "kind": "bind", "variable": "?v{at}: object" }}"#),
                false => format!(r#""b{at}": {{ "kind": "task", "call": "go" }}"#),
            };
            let blocks: Vec<String> = is_bind.iter().enumerate().map(block).collect();
            let text = format!(
                r#"{{ "taskloom": 1, "compound_tasks": {{ "go": {{ "method": {{ "blocks": {{ {} }} }} }} }} }}"#,
                blocks.join(", "),
            );
            let document = Document::from_json(&text).unwrap();
            let task = document.compound_tasks.values().next().unwrap();
            let mut method = task.method.clone();
            // No file has cycles, or wires from a block to itself.
            method.wires = wires.iter().map(|(from, to)| format!("b{from}.out -> b{to}").parse().unwrap()).collect();
            let graph = Graph::new(&method);
            prop_assert_eq!(graph.binds.len(), is_bind.iter().filter(|bind| **bind).count());
            for block in 0..graph.blocks.len() {
                let before = graph.leading_to(block);
                for (bind, (number, _)) in graph.binds.iter().enumerate() {
                    prop_assert_eq!(graph.binds_before(bind, block), before[*number]);
                }
            }
        }
    }
}
