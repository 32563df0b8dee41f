//! A plan under construction. Its memory is reserved in advance, since a plan may be larger than
//! everything that the search for it used.

use super::memory::{MemoryQuota, QuotaExceeded};
use super::precedence::Precedence;
use crate::plan::{Change, Decomposed, Node, NodeKind, Plan, Step};
use taskloom_document::{BlockId, Name};
use taskloom_domain::lang::decimal::rounded;

/// The reason why a plan that was found can't be returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unassembled {
    /// The assembly was cancelled.
    Stopped,
    /// The plan would exceed its memory limit.
    QuotaExceeded,
    /// One of its steps can't be executed, so the search that found it is wrong.
    Wrong,
}

impl From<QuotaExceeded> for Unassembled {
    fn from(_: QuotaExceeded) -> Self {
        Self::QuotaExceeded
    }
}

/// The steps and nodes of a plan so far.
#[derive(Debug)]
pub struct Assembly<'a> {
    quota: &'a mut MemoryQuota,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The bytes that are released when the plan is done.
    passing: usize,
}

impl<'a> Assembly<'a> {
    /// Reserves the memory for this number of nodes and steps, and for their [`Precedence`].
    ///
    /// # Errors
    /// Fails if there isn't enough memory.
    pub fn new(
        quota: &'a mut MemoryQuota,
        nodes: usize,
        steps: usize,
    ) -> Result<Self, QuotaExceeded> {
        let passing = (nodes + 1) * Precedence::BYTES_A_TASK;
        quota.reserve(nodes * size_of::<Node>() + steps * size_of::<Step>() + passing)?;
        Ok(Self {
            quota,
            nodes: Vec::with_capacity(nodes),
            steps: Vec::with_capacity(steps),
            passing,
        })
    }

    /// Reserves memory until the plan is done.
    ///
    /// # Errors
    /// Fails if there isn't enough memory.
    pub fn pass(&mut self, bytes: usize) -> Result<(), QuotaExceeded> {
        self.passing += bytes;
        self.quota.reserve(bytes)
    }

    /// Returns the number of bytes that are still available.
    pub fn left(&self) -> u64 {
        self.quota.available()
    }

    /// Adds the next node.
    ///
    /// # Errors
    /// Fails if there isn't enough memory for its contents.
    pub fn node(&mut self, node: Node) -> Result<(), QuotaExceeded> {
        let of_task = size_of_val(&*node.task.args);
        self.quota.reserve(of_task + memory_of(&node.kind))?;
        self.nodes.push(node);
        Ok(())
    }

    /// Sets the kind of a node.
    ///
    /// # Errors
    /// Fails if there isn't enough memory for its contents.
    pub fn settle(&mut self, node: usize, kind: NodeKind) -> Result<(), QuotaExceeded> {
        self.quota.reserve(memory_of(&kind))?;
        self.nodes[node].kind = kind;
        Ok(())
    }

    /// Reserves the memory of a step's changes.
    ///
    /// # Errors
    /// Fails if there isn't enough memory.
    pub fn changes(&mut self, changes: &[Change]) -> Result<(), QuotaExceeded> {
        let atoms = changes.iter().map(|c| size_of_val(&*c.atom.args));
        let atoms: usize = atoms.sum();
        self.quota.reserve(size_of_val(changes) + atoms)
    }

    /// Adds the step of a node. The memory of its changes is already reserved.
    ///
    /// # Errors
    /// Fails if there isn't enough memory for its other contents.
    pub fn step(
        &mut self,
        node: usize,
        cost: f64,
        after: Vec<usize>,
        changes: Vec<Change>,
    ) -> Result<(), QuotaExceeded> {
        let task = &self.nodes[node].task;
        let used = size_of_val(&*task.args) + size_of_val(&*after);
        self.quota.reserve(used)?;
        self.steps.push(Step {
            task: task.clone(),
            node,
            cost,
            after,
            changes,
        });
        Ok(())
    }

    /// Returns the plan.
    pub fn finish(self) -> Plan {
        self.quota.release(self.passing);
        Plan {
            cost: self.steps.iter().fold(0.0, |sum, s| rounded(sum + s.cost)),
            steps: self.steps,
            roots: (0..self.nodes.len())
                .filter(|n| self.nodes[*n].parent.is_none())
                .collect(),
            nodes: self.nodes,
            target: None,
        }
    }
}

/// Returns the memory of a node's kind in bytes, excluding its path, which many nodes share.
fn memory_of(kind: &NodeKind) -> usize {
    match kind {
        NodeKind::Step(_) | NodeKind::Pending => 0,
        NodeKind::Decomposed(Decomposed {
            bindings, children, ..
        }) => {
            bindings.capacity() * size_of::<(BlockId, Name, Name)>()
                + children.capacity() * size_of::<usize>()
        }
    }
}
