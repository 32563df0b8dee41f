//! A compound task's flowchart as it is checked against, worked out once: blocks
//! by number, the wires, and each block's variables and text.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::path::Path;
use crate::lang::typed::Call;
use crate::lang::{Scope, read_task_call};
use crate::plan::Decomposed;
use crate::reading::{Once, ReadFormula};
use crate::world::World;
use taskloom_document::stop::Stop;
use taskloom_document::{
    Block, BlockId, CompoundTask, Document, Flowchart, Name, Param, Port, Wire,
};

/// The flowcharts of a document's compound tasks.
pub struct Methods<'a> {
    document: &'a Document,
    /// Ends the checks: what they say then means nothing.
    pub stop: &'a Stop,
    made: Once<'a, CompoundTask, Result<Method<'a>, &'static str>>,
}

impl<'a> Methods<'a> {
    /// Those of a document.
    pub fn new(document: &'a Document, stop: &'a Stop) -> Self {
        Self {
            document,
            stop,
            made: Once::new(&document.compound_tasks),
        }
    }

    /// A compound task's flowchart, or what is wrong with it.
    pub fn get(&self, task: &Name) -> Option<&Result<Method<'a>, &'static str>> {
        let make = |record: &'a CompoundTask| {
            Method::new(self.document, self.stop, &record.params, &record.method)
        };
        self.made.get(task, make)
    }
}

/// A flowchart, with blocks by number: their places in the order of their ids.
pub struct Method<'a> {
    document: &'a Document,
    /// Ends the checks.
    pub stop: &'a Stop,
    params: &'a [Param],
    /// The blocks.
    pub blocks: Vec<MethodBlock<'a>>,
    /// The number of Begin.
    pub begin: usize,
    /// The wires, sorted, with the blocks that they leave and enter.
    pub wires: Vec<(&'a Wire, usize, usize)>,
    /// The paths that decompositions chose, in their order.
    paths: RefCell<Vec<Rc<Path>>>,
}

/// A block, and what surrounds it.
pub struct MethodBlock<'a> {
    /// Its id.
    pub id: &'a BlockId,
    /// The block.
    pub block: &'a Block,
    /// The output of each wire that leaves it.
    pub leaving: Vec<Port>,
    /// The Bind blocks from which wires lead to it, in the order of resolution:
    /// the variables of the later ones hide those of the others.
    pub binds: Vec<usize>,
    text: OnceCell<BlockText<'a>>,
}

/// What a block says.
pub enum BlockText<'a> {
    /// Nothing that counts.
    Nothing,
    /// The condition of a Branch or Bind block.
    Condition(ReadFormula<'a>),
    /// The call of a Task block; nothing where it cannot be read.
    Call(Option<Call>),
}

impl<'a> Method<'a> {
    fn new(
        document: &'a Document,
        stop: &'a Stop,
        params: &'a [Param],
        method: &'a Flowchart,
    ) -> Result<Self, &'static str> {
        let blocks = method.blocks.iter().map(|(id, block)| MethodBlock {
            id,
            block,
            leaving: vec![],
            binds: vec![],
            text: OnceCell::new(),
        });
        let blocks: Vec<MethodBlock> = blocks.collect();
        let begin = blocks
            .iter()
            .position(|b| matches!(b.block, Block::Begin {}));
        let mut made = Self {
            document,
            stop,
            params,
            blocks,
            begin: begin.ok_or("the flowchart has no Begin")?,
            wires: vec![],
            paths: RefCell::default(),
        };
        for wire in &method.wires {
            if stop.after(1) {
                break;
            }
            let (Some(from), Some(to)) = (made.number(&wire.from), made.number(&wire.to)) else {
                continue;
            };
            made.wires.push((wire, from, to));
            made.blocks[from].leaving.push(wire.port);
        }
        let order = made.order().ok_or("the flowchart has a cycle")?;
        made.find_binds(&order);
        made.wires.sort_by_key(|(wire, ..)| *wire);
        Ok(made)
    }

    /// The number of a block.
    pub fn number(&self, id: &BlockId) -> Option<usize> {
        self.blocks.binary_search_by(|block| block.id.cmp(id)).ok()
    }

    /// The path that a decomposition chose.
    ///
    /// # Errors
    /// A sentence where its blocks and wires do not hang together.
    pub fn path(&self, stated: &Decomposed) -> Result<Rc<Path>, String> {
        let mut paths = self.paths.borrow_mut();
        let found = paths.binary_search_by(|path| path.compare(stated));
        if let Err(at) = found {
            paths.insert(at, Rc::new(Path::new(self, stated)?));
        }
        let (Ok(at) | Err(at)) = found;
        Ok(paths[at].clone())
    }

    /// The blocks that each block's wires enter.
    fn next(&self) -> Vec<Vec<usize>> {
        let mut next = vec![vec![]; self.blocks.len()];
        for (_, from, to) in &self.wires {
            next[*from].push(*to);
        }
        next
    }

    /// The blocks that Begin reaches, in the order in which a flowchart is
    /// resolved: of those that wait for none the one that a breadth-first walk
    /// meets first. Nothing where they wait for each other.
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

    /// What a block says, with the variables known there.
    pub fn text(&self, block: usize, world: &World) -> &BlockText<'a> {
        let block = &self.blocks[block];
        block.text.get_or_init(|| {
            let mut variables = self.params.to_vec();
            // Those of Bind blocks off a path are known on it, and have no value.
            let binds = block.binds.iter().map(|bind| self.blocks[*bind].block);
            for block in binds.chain([block.block]) {
                variables.extend(block.binds().cloned());
            }
            let scope = Scope::of_domain(self.document, variables);
            match block.block {
                Block::Task { call } => BlockText::Call(read_task_call(call, &scope).value),
                Block::Bind { condition, .. } if condition.trim().is_empty() => BlockText::Nothing,
                Block::Branch { condition } | Block::Bind { condition, .. } => {
                    BlockText::Condition(world.read(condition, &scope))
                }
                Block::Begin {} | Block::Choice { .. } | Block::End {} => BlockText::Nothing,
            }
        })
    }
}
