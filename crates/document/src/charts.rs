//! Edits of a flowchart: its blocks, their wires and positions.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::Block;
use super::edit_error::EditError;
use super::flowchart::Flowchart;
use super::name::Name;
use super::point::Point;
use super::wire::{BlockId, Wire};
use super::{CompoundTask, Document};

impl Flowchart {
    /// Checks that the ends of a wire exist.
    ///
    /// # Errors
    /// Returns what is missing, as the end of a sentence.
    pub(super) fn wire_fits(&self, wire: &Wire) -> Result<(), String> {
        self.wire_fits_where(wire, |from| from.ports().contains(&wire.port))
    }

    /// Checks the same as [`Flowchart::wire_fits`], with a given test of whether the block that the
    /// wire leaves has the output.
    pub(super) fn wire_fits_where(
        &self,
        wire: &Wire,
        has_output: impl Fn(&Block) -> bool,
    ) -> Result<(), String> {
        let end = |id: &BlockId| {
            let block = self.blocks.get(id);
            block.ok_or_else(|| format!("the wire {wire} ends at block {id}, which does not exist"))
        };
        let (from, to) = (end(&wire.from)?, end(&wire.to)?);
        if wire.from == wire.to {
            return Err(format!("the wire {wire} joins a block to itself"));
        }
        if !has_output(from) {
            return Err(format!(
                "the wire {wire} leaves an output that its block does not have"
            ));
        }
        if !to.has_input() {
            return Err(format!(
                "the wire {wire} enters a Begin block, which has no input"
            ));
        }
        Ok(())
    }

    /// Returns the blocks from which wires lead to this one, excluding the block itself.
    pub fn upstream(&self, block: &BlockId) -> FxHashSet<&BlockId> {
        let mut before: FxHashMap<&BlockId, Vec<&BlockId>> = FxHashMap::default();
        for wire in &self.wires {
            before.entry(&wire.to).or_default().push(&wire.from);
        }
        let mut found = FxHashSet::default();
        let mut open = vec![block];
        while let Some(current) = open.pop() {
            for from in before.remove(current).unwrap_or_default() {
                if from != block && found.insert(from) {
                    open.push(from);
                }
            }
        }
        found
    }

    /// Returns `true` if a block is the Begin block.
    pub fn is_begin(&self, id: &BlockId) -> bool {
        self.blocks.get(id).is_some_and(|b| b.kind().starts())
    }

    /// Returns the Begin block.
    pub fn begin(&self) -> Option<&BlockId> {
        self.blocks.keys().find(|id| self.is_begin(id))
    }

    /// Adds wires, in this order.
    pub(super) fn connect(&mut self, wires: &[&Wire]) -> Result<(), String> {
        if let [wire] = wires {
            return self.connect_one(wire);
        }
        let before = self.wires.len();
        if self.can_connect_all(wires) {
            self.wires.extend(wires.iter().copied().cloned());
            if self.order().is_some() {
                return Ok(());
            }
            self.wires.truncate(before);
        }
        // Connect one by one to find the first wire that doesn't fit.
        wires.iter().try_for_each(|wire| self.connect_one(wire))
    }

    /// Returns `true` if wires fit, and neither exist nor occur twice. Cycles aren't considered.
    fn can_connect_all(&self, wires: &[&Wire]) -> bool {
        let mut known: FxHashSet<&Wire> = self.wires.iter().collect();
        let mut wires = wires.iter();
        wires.all(|wire| self.wire_fits(wire).is_ok() && known.insert(wire))
    }

    fn connect_one(&mut self, wire: &Wire) -> Result<(), String> {
        self.wire_fits(wire)?;
        if self.wires.contains(wire) {
            return Err(format!("the wire {wire} already exists"));
        }
        if self.upstream(&wire.from).contains(&wire.to) {
            return Err(format!(
                "the wire {wire} would close a cycle; to repeat a task, call it from its own method"
            ));
        }
        self.wires.push(wire.clone());
        Ok(())
    }

    /// Removes blocks one after the other, with their wires; if a block has one wire in and one
    /// out, a single wire replaces them.
    pub(super) fn remove_blocks(&mut self, ids: &[BlockId]) {
        let mut wires = WireIndex::new(std::mem::take(&mut self.wires));
        for id in ids {
            wires.remove_block(id);
            self.blocks.remove(id);
            self.muted.remove(id);
        }
        self.wires = wires.remaining();
    }
}

/// A flowchart's wires while blocks are removed, indexed by block.
struct WireIndex {
    /// The wires in order; `None` where one was removed.
    slots: Vec<Option<Wire>>,
    /// The wires that are left.
    known: FxHashSet<Wire>,
    /// The slots of the wires into and out of each block, also of wires that were removed since.
    entering: FxHashMap<BlockId, Vec<usize>>,
    leaving: FxHashMap<BlockId, Vec<usize>>,
}

impl WireIndex {
    fn new(wires: Vec<Wire>) -> Self {
        let mut entering: FxHashMap<BlockId, Vec<usize>> = FxHashMap::default();
        let mut leaving: FxHashMap<BlockId, Vec<usize>> = FxHashMap::default();
        for (slot, wire) in wires.iter().enumerate() {
            entering.entry(wire.to.clone()).or_default().push(slot);
            leaving.entry(wire.from.clone()).or_default().push(slot);
        }
        Self {
            known: wires.iter().cloned().collect(),
            slots: wires.into_iter().map(Some).collect(),
            entering,
            leaving,
        }
    }

    fn remove_block(&mut self, id: &BlockId) {
        let live = |slots: Option<Vec<usize>>, is_at: fn(&Wire) -> &BlockId| {
            let is_live = |slot: &usize| self.slots[*slot].as_ref().is_some_and(|w| is_at(w) == id);
            let slots = slots.into_iter().flatten();
            Vec::from_iter(slots.filter(is_live))
        };
        let entering = live(self.entering.remove(id), |wire| &wire.to);
        let leaving = live(self.leaving.remove(id), |wire| &wire.from);
        let ends = entering.iter().chain(&leaving);
        let removed = Vec::from_iter(ends.filter_map(|slot| self.slots[*slot].take()));
        if let ([slot], [_], [before, after]) = (&*entering, &*leaving, &*removed) {
            let closed = Wire {
                from: before.from.clone(),
                port: before.port,
                to: after.to.clone(),
            };
            if self.known.insert(closed.clone()) {
                // It leaves the same block as the wire that it replaces.
                let entering = self.entering.entry(closed.to.clone());
                entering.or_default().push(*slot);
                self.slots[*slot] = Some(closed);
            }
        }
        for wire in removed {
            self.known.remove(&wire);
        }
    }

    fn remaining(self) -> Vec<Wire> {
        self.slots.into_iter().flatten().collect()
    }
}

impl Document {
    pub(super) fn add_block(
        &mut self,
        task: &Name,
        id: &BlockId,
        block: &Block,
        at: Point,
    ) -> Result<(), EditError> {
        let method = &mut self.compound_task(task)?.method;
        if method.blocks.contains_key(id) {
            return Err(EditError::new(format!("'{task}' already has a block {id}")));
        }
        if block.kind().starts() && method.begin().is_some() {
            return Err(second_begin(task));
        }
        has_distinct_outputs(block)?;
        method.blocks.insert(id.clone(), Arc::new(block.clone()));
        self.points(task)?.insert(id.clone(), at);
        Ok(())
    }

    pub(super) fn set_block(
        &mut self,
        task: &Name,
        id: &BlockId,
        block: &Block,
    ) -> Result<(), EditError> {
        let method = &mut self.compound_task(task)?.method;
        let other_begin = method.begin().is_some_and(|begin| begin != id);
        if block.kind().starts() && other_begin {
            return Err(second_begin(task));
        }
        has_distinct_outputs(block)?;
        let known = method.blocks.get_mut(id);
        *known.ok_or_else(|| no_block(task, id))? = Arc::new(block.clone());
        let ports = block.ports();
        method.wires.retain(|wire| {
            (wire.from != *id || ports.contains(&wire.port))
                && (wire.to != *id || block.has_input())
        });
        if !method.can_mute(id) {
            method.muted.remove(id);
        }
        self.prune_drawing(task);
        Ok(())
    }

    pub(super) fn remove_blocks(&mut self, task: &Name, ids: &[BlockId]) -> Result<(), EditError> {
        let method = &mut self.compound_task(task)?.method;
        let mut removed = FxHashSet::default();
        let mut missing = ids.iter();
        let missing = missing.find(|id| !method.blocks.contains_key(*id) || !removed.insert(*id));
        if let Some(id) = missing {
            return Err(no_block(task, id));
        }
        method.remove_blocks(ids);
        self.prune_layout();
        Ok(())
    }

    pub(super) fn connect(&mut self, task: &Name, wires: &[&Wire]) -> Result<(), EditError> {
        let method = &mut self.compound_task(task)?.method;
        method
            .connect(wires)
            .map_err(|reason| EditError::new(format!("In '{task}', {reason}")))
    }

    pub(super) fn disconnect(&mut self, task: &Name, wires: &[&Wire]) -> Result<(), EditError> {
        let method = &mut self.compound_task(task)?.method;
        let mut known: FxHashSet<&Wire> = method.wires.iter().collect();
        if let Some(wire) = wires.iter().find(|wire| !known.remove(*wire)) {
            return Err(EditError::new(format!("'{task}' has no wire {wire}")));
        }
        let removed: FxHashSet<&Wire> = wires.iter().copied().collect();
        method.wires.retain(|wire| !removed.contains(wire));
        self.prune_drawing(task);
        Ok(())
    }

    pub(super) fn move_blocks(
        &mut self,
        task: &Name,
        moves: &[(BlockId, Point)],
    ) -> Result<(), EditError> {
        self.carry_bends(task, moves);
        for (id, to) in moves {
            let known = self.compound_tasks.get(task);
            if !known.is_some_and(|task| task.method.blocks.contains_key(id)) {
                return Err(no_block(task, id));
            }
            self.points(task)?.insert(id.clone(), *to);
        }
        Ok(())
    }

    pub(super) fn compound_task(&mut self, name: &Name) -> Result<&mut CompoundTask, EditError> {
        let task = self.compound_tasks.get_mut(name);
        task.map(Arc::make_mut)
            .ok_or_else(|| EditError::new(format!("there is no compound task '{name}'")))
    }

    /// Returns the positions in a method, by the task's own spelling.
    fn points(&mut self, task: &Name) -> Result<&mut BTreeMap<BlockId, Point>, EditError> {
        let known = self.compound_tasks.get_key_value(task);
        let (name, _) =
            known.ok_or_else(|| EditError::new(format!("there is no compound task '{task}'")))?;
        let points = self.layout.methods.entry(name.clone()).or_default();
        Ok(Arc::make_mut(points))
    }
}

fn has_distinct_outputs(block: &Block) -> Result<(), EditError> {
    let ports = block.ports();
    let distinct: FxHashSet<_> = ports.iter().collect();
    match distinct.len() == ports.len() {
        true => Ok(()),
        false => Err(EditError::new(
            "two alternatives of a Choice block have the same number",
        )),
    }
}

fn no_block(task: &Name, id: &BlockId) -> EditError {
    EditError::new(format!("'{task}' has no block {id}"))
}

fn second_begin(task: &Name) -> EditError {
    EditError::new(format!("the method of '{task}' already has a Begin block"))
}
