//! A plan in the making. What it takes is asked for first: a plan may be larger than all
//! that the search for it held.

use super::held::{Allowance, Full};
use super::precedence::Precedence;
use crate::plan::{Change, Decomposed, Node, NodeKind, Plan, Step};
use taskloom_document::{BlockId, Name};

/// Why a plan that was found is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unassembled {
    /// The stop was heard.
    Stopped,
    /// It would take more memory than it may.
    Full,
    /// One of its steps cannot be executed: what found it is wrong.
    Wrong,
}

impl From<Full> for Unassembled {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

/// The steps and nodes that a plan has so far.
#[derive(Debug)]
pub struct Assembly<'a> {
    allowance: &'a mut Allowance,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The steps.
    pub steps: Vec<Step>,
    /// Bytes that are given back when the plan is done.
    passing: usize,
}

impl<'a> Assembly<'a> {
    /// Takes the memory for so many nodes and steps, and for their [`Precedence`].
    ///
    /// # Errors
    /// Where there is not enough.
    pub fn new(allowance: &'a mut Allowance, nodes: usize, steps: usize) -> Result<Self, Full> {
        let passing = (nodes + 1) * Precedence::BYTES_A_TASK;
        allowance.take(nodes * size_of::<Node>() + steps * size_of::<Step>() + passing)?;
        Ok(Self {
            allowance,
            nodes: Vec::with_capacity(nodes),
            steps: Vec::with_capacity(steps),
            passing,
        })
    }

    /// Takes memory until the plan is done.
    ///
    /// # Errors
    /// Where there is not enough.
    pub fn pass(&mut self, bytes: usize) -> Result<(), Full> {
        self.passing += bytes;
        self.allowance.take(bytes)
    }

    /// How many bytes more it may take.
    pub fn left(&self) -> u64 {
        self.allowance.left()
    }

    /// Adds the next node.
    ///
    /// # Errors
    /// Where there is not enough memory for what it holds.
    pub fn node(&mut self, node: Node) -> Result<(), Full> {
        let of_task = size_of_val(&*node.task.args);
        self.allowance.take(of_task + held_by(&node.kind))?;
        self.nodes.push(node);
        Ok(())
    }

    /// Says what became of a node.
    ///
    /// # Errors
    /// Where there is not enough memory for what that holds.
    pub fn settle(&mut self, node: usize, kind: NodeKind) -> Result<(), Full> {
        self.allowance.take(held_by(&kind))?;
        self.nodes[node].kind = kind;
        Ok(())
    }

    /// Takes the memory that a step's changes hold.
    ///
    /// # Errors
    /// Where there is not enough.
    pub fn changes(&mut self, changes: &[Change]) -> Result<(), Full> {
        let atoms = changes.iter().map(|c| size_of_val(&*c.atom.args));
        let atoms: usize = atoms.sum();
        self.allowance.take(size_of_val(changes) + atoms)
    }

    /// Adds the step of a node. The memory of its changes was taken.
    ///
    /// # Errors
    /// Where there is not enough memory for what else it holds.
    pub fn step(
        &mut self,
        node: usize,
        cost: f64,
        after: Vec<usize>,
        changes: Vec<Change>,
    ) -> Result<(), Full> {
        let task = &self.nodes[node].task;
        let held = size_of_val(&*task.args) + size_of_val(&*after);
        self.allowance.take(held)?;
        self.steps.push(Step {
            task: task.clone(),
            node,
            cost,
            after,
            changes,
        });
        Ok(())
    }

    /// The plan.
    pub fn finish(self) -> Plan {
        self.allowance.give_back(self.passing);
        Plan {
            cost: self.steps.iter().fold(0.0, |sum, s| sum + s.cost),
            steps: self.steps,
            roots: (0..self.nodes.len())
                .filter(|n| self.nodes[*n].parent.is_none())
                .collect(),
            nodes: self.nodes,
            aim: None,
        }
    }
}

/// Bytes that a node's kind holds, but for its path, which many have in common.
fn held_by(kind: &NodeKind) -> usize {
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
