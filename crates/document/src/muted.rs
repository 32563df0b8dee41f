//! Muted blocks: drawn, but bypassed as if they did not exist.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::block::Block;
use super::edit_error::EditError;
use super::flowchart::Flowchart;
use super::name::Name;
use super::wire::{BlockId, Port, Wire};
use super::{CompoundTask, Document};
use crate::sort::map_of;

impl Flowchart {
    /// Returns `true` if a block can be muted: any except Begin and End, which do nothing.
    pub fn can_mute(&self, id: &BlockId) -> bool {
        let block = self.blocks.get(id);
        block.is_some_and(|block| !block.kind().starts() && !block.kind().ends())
    }

    /// Returns the effective flowchart. A muted block is bypassed: its condition is not evaluated,
    /// nothing is bound or done there, and of several outputs the first one with a wire is taken. A
    /// muted block at which the path ends becomes an End (semantics, section 3).
    pub fn without_muted(&self) -> Cow<'_, Self> {
        if self.muted.is_empty() {
            return Cow::Borrowed(self);
        }
        let onward = self.onward();
        let mut blocks = self.blocks.clone();
        blocks.retain(|id, block| match onward.get(id) {
            None => true,
            Some(wires) if wires.is_empty() => {
                *block = Arc::new(Block::End {});
                true
            }
            Some(_) => false,
        });
        let mut wires = vec![];
        let mut drawn = FxHashSet::default();
        for wire in self.wires.iter().filter(|w| !onward.contains_key(&w.from)) {
            // Depth first, in the order in which the wires were drawn.
            let mut open = vec![&wire.to];
            let mut visited = FxHashSet::default();
            while let Some(to) = open.pop() {
                match onward.get(to) {
                    Some(next) if !next.is_empty() => {
                        if visited.insert(to) {
                            open.extend(next.iter().rev().map(|wire| &wire.to));
                        }
                    }
                    _ => {
                        let wire = Wire {
                            to: to.clone(),
                            ..wire.clone()
                        };
                        if drawn.insert(wire.clone()) {
                            wires.push(wire);
                        }
                    }
                }
            }
        }
        Cow::Owned(Self {
            blocks,
            wires,
            muted: Default::default(),
        })
    }

    /// Returns the wires by which each muted block is bypassed.
    fn onward(&self) -> BTreeMap<&BlockId, Vec<&Wire>> {
        let muted = self.muted.iter().filter(|id| self.can_mute(id));
        let passed = muted.map(|id| {
            let leaving = |port: Port| {
                let wires = self.wires.iter();
                wires.filter(move |w| w.from == *id && w.port == port)
            };
            let ports = self.blocks.get(id).map(|b| b.ports()).unwrap_or_default();
            let taken = ports.into_iter().find(|p| leaving(*p).next().is_some());
            (id, taken.into_iter().flat_map(leaving).collect())
        });
        map_of(passed)
    }

    /// Returns the drawn wires that a wire of [`Self::without_muted`] stands for.
    pub fn drawn_for<'a>(&'a self, wire: &'a Wire) -> Vec<&'a Wire> {
        let onward = self.onward();
        let first = self.wires.iter();
        let first = first.filter(|w| w.from == wire.from && w.port == wire.port);
        let mut before: BTreeMap<&BlockId, &Wire> = BTreeMap::new();
        let mut open: Vec<&Wire> = first.collect();
        while let Some(next) = open.pop() {
            if before.contains_key(&next.to) {
                continue;
            }
            before.insert(&next.to, next);
            if next.to != wire.to {
                open.extend(onward.get(&next.to).into_iter().flatten());
            }
        }
        let mut path = vec![];
        let mut at = &wire.to;
        while let Some(step) = before.remove(at) {
            path.push(step);
            at = &step.from;
        }
        path
    }
}

impl Document {
    /// Returns the document with effective flowcharts, as [`Self::without_muted`] does; the same one
    /// if nothing is muted.
    pub fn shared_without_muted(self: Arc<Self>) -> Arc<Self> {
        match self.without_muted() {
            Cow::Owned(effective) => Arc::new(effective),
            Cow::Borrowed(_) => self,
        }
    }

    /// Returns the document with effective flowcharts: see [`Flowchart::without_muted`].
    pub fn without_muted(&self) -> Cow<'_, Self> {
        let mut without = Cow::Borrowed(self);
        for (name, task) in &self.compound_tasks {
            if let Cow::Owned(method) = task.method.without_muted() {
                let task = CompoundTask {
                    method,
                    ..CompoundTask::clone(task)
                };
                let tasks = &mut without.to_mut().compound_tasks;
                tasks.insert(name.clone(), Arc::new(task));
            }
        }
        without
    }

    pub(super) fn mute(&mut self, task: &Name, ids: &[BlockId], on: bool) -> Result<(), EditError> {
        self.check_has_blocks(task, ids)?;
        let method = &mut self.compound_task(task)?.method;
        for id in ids {
            match on {
                true if method.can_mute(id) => drop(method.muted.insert(id.clone())),
                true => return Err(EditError::new("Begin and End cannot be muted")),
                false => drop(method.muted.remove(id)),
            }
        }
        Ok(())
    }
}
