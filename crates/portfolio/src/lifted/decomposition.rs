//! The result of an engine: a decomposition in the model's numbers.

/// The result of an engine's search.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A plan.
    Found(Decomposition),
    /// It searched everything: no plan exists.
    Unsolvable,
    /// It cannot continue, and has proved nothing.
    Lost,
}

/// A decomposition of the initial task network into steps.
#[derive(Debug, Clone, Default)]
pub struct Decomposition {
    /// The tasks. Those of a network are adjacent, in its order, and come after the task that they
    /// decompose. The roots come first.
    pub nodes: Vec<DecompositionNode>,
    /// The nodes of the primitive tasks, in the order of execution.
    pub steps: Vec<u32>,
}

impl Decomposition {
    /// Returns the memory use in bytes.
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
    /// An index of the model's tasks.
    pub task: u32,
    /// Its objects.
    pub args: Box<[u32]>,
    /// The parent node, and this task's index among the subtasks of the parent's method.
    pub parent: Option<(u32, u32)>,
    /// The decomposition of a compound task; `None` for a primitive one.
    pub by: Option<ChosenMethod>,
}

/// The decomposition of a compound task.
#[derive(Debug, Clone)]
pub struct ChosenMethod {
    /// An index of the model's methods.
    pub method: u32,
    /// The objects of the method's variables, its task's parameters first.
    pub objects: Box<[u32]>,
    /// The number of steps executed before the decomposition.
    pub at: u32,
}
