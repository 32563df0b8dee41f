//! A compound task's flowchart, prepared once for validation: numbered blocks, the wires, and the
//! Binds before each block.

use std::sync::Arc;

use crate::lazy_table::LazyTable;
use crate::method::Content;
use crate::world::World;
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::Stop;
use taskloom_document::{Block, BlockId, CompoundTask, Document, Flowchart, Name, Port, Wire};

/// The flowcharts of a document's compound tasks.
#[derive(Debug)]
pub struct Methods {
    /// Ends the validation; its result is then meaningless.
    pub stop: Stop,
    made: LazyTable<Arc<CompoundTask>, Result<Method, &'static str>>,
}

impl Methods {
    /// Creates the methods of a document; each is prepared when it is first used.
    pub fn new(document: &Document, stop: Stop) -> Self {
        let tasks = document.compound_tasks.iter();
        Self {
            stop,
            made: LazyTable::new(tasks.map(|(name, task)| (name, task.clone()))),
        }
    }

    /// Returns a compound task's flowchart, or what is wrong with it.
    pub fn get(&self, task: &Name) -> Option<&Result<Method, &'static str>> {
        let make = |record: &Arc<CompoundTask>| Method::new(&self.stop, task, &record.method);
        self.made.get(task, make)
    }
}

/// A flowchart whose blocks are numbered in the order of their ids.
#[derive(Debug)]
pub struct Method {
    /// Ends the validation.
    pub stop: Stop,
    /// The compound task that it belongs to.
    pub task: Name,
    /// The blocks.
    pub blocks: Vec<MethodBlock>,
    /// The number of the Begin block.
    pub begin: usize,
    /// The numbers of the blocks that Begin reaches, in the order of resolution.
    pub order: Vec<usize>,
    /// The wires, sorted, with the blocks that they leave and enter.
    pub wires: Vec<(Wire, usize, usize)>,
}

/// A block and its surroundings.
#[derive(Debug)]
pub struct MethodBlock {
    /// The id of the block.
    pub id: BlockId,
    /// The block.
    pub block: Arc<Block>,
    /// The output of each outgoing wire.
    pub leaving: Vec<Port>,
    /// The Bind blocks before it, in the order of resolution: variables of later ones hide those of
    /// earlier ones.
    pub binds: Vec<usize>,
}

impl Method {
    fn new(stop: &Stop, task: &Name, method: &Flowchart) -> Result<Self, &'static str> {
        let blocks = method.blocks.iter().map(|(id, block)| MethodBlock {
            id: id.clone(),
            block: block.clone(),
            leaving: vec![],
            binds: vec![],
        });
        let blocks: Vec<MethodBlock> = blocks.collect();
        let begin = blocks.iter().position(|b| b.block.kind().starts());
        let mut made = Self {
            stop: stop.clone(),
            task: task.clone(),
            blocks,
            begin: begin.ok_or("the flowchart has no Begin")?,
            order: vec![],
            wires: vec![],
        };
        for wire in &method.wires {
            if stop.after(1) {
                break;
            }
            let (Some(from), Some(to)) = (made.number(&wire.from), made.number(&wire.to)) else {
                continue;
            };
            made.wires.push((wire.clone(), from, to));
            made.blocks[from].leaving.push(wire.port);
        }
        let order = made.order().ok_or("the flowchart has a cycle")?;
        made.find_binds(&order);
        made.order = order;
        made.wires.compact_sort();
        Ok(made)
    }

    /// Returns `true` if a block that Begin reaches calls a task.
    pub fn has_tasks(&self) -> bool {
        let mut blocks = self.order.iter().map(|block| &self.blocks[*block].block);
        blocks.any(|block| block.call().is_some())
    }

    /// Returns the number of a block.
    pub fn number(&self, id: &BlockId) -> Option<usize> {
        self.blocks.binary_search_by(|block| block.id.cmp(id)).ok()
    }

    /// Returns the blocks that each block's wires enter.
    fn next(&self) -> Vec<Vec<usize>> {
        let mut next = vec![vec![]; self.blocks.len()];
        for (_, from, to) in &self.wires {
            next[*from].push(*to);
        }
        next
    }

    /// Returns the blocks that Begin reaches, in the order of resolution: of the blocks that wait
    /// for none, the first one that a breadth-first walk visits. Returns `None` if blocks wait for
    /// each other.
    fn order(&self) -> Option<Vec<usize>> {
        let next = self.next();
        let mut waits = vec![0; self.blocks.len()];
        let mut left = vec![self.begin];
        let mut at = 0;
        while let Some(block) = left.get(at) {
            for to in &next[*block] {
                if waits[*to] == 0 {
                    left.push(*to);
                }
                waits[*to] += 1;
            }
            at += 1;
        }
        let mut order = vec![];
        while !left.is_empty() && !self.stop.after(left.len() / 16) {
            let block = left.remove(left.iter().position(|block| waits[*block] == 0)?);
            for to in &next[block] {
                waits[*to] -= 1;
            }
            order.push(block);
        }
        Some(order)
    }

    /// Finds the Bind blocks before each block that Begin reaches.
    fn find_binds(&mut self, order: &[usize]) {
        let next = self.next();
        let is_bind = |block: &&usize| self.blocks[**block].block.binds().is_some();
        let binds: Vec<usize> = order.iter().filter(is_bind).copied().collect();
        let mut before = vec![vec![false; binds.len()]; self.blocks.len()];
        for block in order {
            if self.stop.after(binds.len()) {
                break;
            }
            let mut passed = std::mem::take(&mut before[*block]);
            let known = binds.iter().zip(&passed).filter(|(_, before)| **before);
            self.blocks[*block].binds = known.map(|(bind, _)| *bind).collect();
            if let Some(own) = binds.iter().position(|bind| bind == block) {
                passed[own] = true;
            }
            for to in &next[*block] {
                for (before, passed) in before[*to].iter_mut().zip(&passed) {
                    *before |= passed;
                }
            }
        }
    }

    /// Returns the content of a block, or `None` if Begin doesn't reach it.
    pub fn content<'w>(&self, block: usize, world: &'w World) -> Option<&'w Content> {
        let domain = world.domain();
        let method = domain.method(domain.compound(&self.task)?)?;
        let position = method.position(&self.blocks[block].id)?;
        Some(domain.content(method, position))
    }
}
