//! What an engine answers: a decomposition in the model's numbers.

/// How an engine's search ended.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A plan.
    Found(Decomposition),
    /// It searched everything: no plan exists.
    Unsolvable,
    /// It cannot go on, and has proved nothing.
    Lost,
}

/// A decomposition of the initial task network into steps.
#[derive(Debug, Clone, Default)]
pub struct Decomposition {
    /// The tasks; those of a network stand together, in its order, and after the
    /// task that they decompose. The roots come first.
    pub nodes: Vec<DecompositionNode>,
    /// The nodes of the primitive tasks, in the order of execution.
    pub steps: Vec<u32>,
}

impl Decomposition {
    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        let objects = self.nodes.iter().map(|node| {
            let by = node.by.as_ref().map_or(0, |by| size_of_val(&*by.objects));
            size_of_val(&*node.args) + by
        });
        self.nodes.capacity() * size_of::<DecompositionNode>()
            + self.steps.capacity() * size_of::<u32>()
            + objects.sum::<usize>()
    }
}

/// A task of a [`Decomposition`].
#[derive(Debug, Clone, Default)]
pub struct DecompositionNode {
    /// Its number: an index of the model's tasks.
    pub task: u32,
    /// Its objects.
    pub args: Box<[u32]>,
    /// The node that it is part of, and which of that method's subtasks it is.
    pub parent: Option<(u32, u32)>,
    /// What a compound task was decomposed by; none for a primitive task.
    pub by: Option<ChosenMethod>,
}

/// The decomposition of a compound task.
#[derive(Debug, Clone)]
pub struct ChosenMethod {
    /// An index of the model's methods.
    pub method: u32,
    /// The objects of the method's variables, its task's parameters first.
    pub objects: Box<[u32]>,
    /// How many steps had been executed when it was decomposed.
    pub at: u32,
}
