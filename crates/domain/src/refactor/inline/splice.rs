//! Splices a called method's flowchart into the place of the block that calls it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Called;
use taskloom_document::{Block, BlockId, CompoundTask, Flowchart, Port, Wire};

/// The called method on its way into the caller's flowchart.
struct Splice<'a> {
    called: &'a Called,
    /// The ids of the called method's blocks in the caller's flowchart.
    ids: &'a BTreeMap<&'a BlockId, BlockId>,
    /// The blocks after the call.
    exits: Vec<&'a BlockId>,
    flow: Flowchart,
    /// The new blocks.
    new: BTreeSet<BlockId>,
    /// The new wires.
    wires: Vec<Wire>,
}

/// Returns the caller's flowchart with the called one in place of a block, and the new blocks.
pub fn spliced(
    outer: &CompoundTask,
    block: &BlockId,
    called: &Called,
    ids: &BTreeMap<&BlockId, BlockId>,
    fresh: &mut dyn FnMut() -> BlockId,
) -> (Flowchart, BTreeSet<BlockId>) {
    let exits = outer.method.wires.iter().filter(|w| w.from == *block);
    let mut splice = Splice {
        called,
        ids,
        exits: exits.map(|w| &w.to).collect(),
        flow: outer.method.clone(),
        new: BTreeSet::new(),
        wires: vec![],
    };
    splice.copy_blocks();
    let first = splice.begin(fresh);
    splice.join(outer, block, &first);
    (splice.flow, splice.new)
}

impl Splice<'_> {
    fn add(&mut self, id: &BlockId, block: Arc<Block>) {
        self.flow.blocks.insert(id.clone(), block);
        self.new.insert(id.clone());
    }

    fn wire(&mut self, from: &BlockId, port: Port, to: impl IntoIterator<Item = BlockId>) {
        let wires = to.into_iter().map(|to| Wire {
            from: from.clone(),
            port,
            to,
        });
        self.wires.extend(wires);
    }

    /// Returns `true` if a block is an End of the called method and something follows the call.
    fn is_passed(&self, id: &BlockId) -> bool {
        let block = self.called.method.blocks.get(id);
        let is_end = block.is_some_and(|b| b.kind().ends());
        is_end && !self.exits.is_empty()
    }

    /// Copies the called blocks and their outgoing wires, except for Begin and the skipped Ends.
    fn copy_blocks(&mut self) {
        let inner = &self.called.method;
        for (id, block) in &inner.blocks {
            if *id == self.called.begin || self.is_passed(id) {
                continue;
            }
            let Some(copy) = self.ids.get(id) else {
                continue;
            };
            self.add(copy, block.clone());
            if inner.muted.contains(id) {
                self.flow.muted.insert(copy.clone());
            }
            for port in block.ports() {
                self.wire(copy, port, self.followers(id, port));
            }
        }
    }

    /// Returns what follows an output of the called method: the blocks that its wires enter, and
    /// what follows the call in place of a skipped End.
    fn followers(&self, id: &BlockId, port: Port) -> Vec<BlockId> {
        let inner = &self.called.method;
        let wires = inner.wires.iter();
        let to = wires.filter(|w| w.from == *id && w.port == port);
        let (last, on): (Vec<&BlockId>, Vec<&BlockId>) =
            to.map(|w| &w.to).partition(|to| self.is_passed(to));
        let on = on.into_iter().filter_map(|to| self.ids.get(to).cloned());
        let mut followers: Vec<BlockId> = on.collect();
        // An output without a wire ends the method, except for a Branch's, which is a dead end.
        let block = inner.blocks.get(id);
        let needs_wire = block.is_some_and(|b| b.kind().needs_wire());
        if !last.is_empty() || followers.is_empty() && !needs_wire {
            followers.extend(self.exits.iter().map(|exit| (*exit).clone()));
        }
        followers
    }

    /// Returns the first blocks of the called method: its preconditions as Branches with one side,
    /// and what follows its Begin, or an End.
    fn begin(&mut self, fresh: &mut dyn FnMut() -> BlockId) -> Vec<BlockId> {
        let mut first = self.followers(&self.called.begin, Port::Out);
        if first.is_empty() {
            let end = fresh();
            self.add(&end, Arc::new(Block::End {}));
            first.push(end);
        }
        for text in self.called.preconditions.iter().rev() {
            let guard = fresh();
            let condition = text.clone();
            self.add(&guard, Arc::new(Block::Branch { condition }));
            let after = std::mem::replace(&mut first, vec![guard.clone()]);
            self.wire(&guard, Port::True, after);
        }
        first
    }

    /// Removes the call, and connects its wires to the first blocks of the called method.
    fn join(&mut self, outer: &CompoundTask, block: &BlockId, first: &[BlockId]) {
        self.flow.blocks.remove(block);
        self.flow.muted.remove(block);
        self.flow.wires.clear();
        for wire in &outer.method.wires {
            if wire.to == *block {
                self.wire(&wire.from, wire.port, first.to_vec());
            } else if wire.from != *block {
                self.wires.push(wire.clone());
            }
        }
        for wire in std::mem::take(&mut self.wires) {
            if !self.flow.wires.contains(&wire) {
                self.flow.wires.push(wire);
            }
        }
    }
}
