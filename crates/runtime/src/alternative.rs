//! The alternative of a flowchart that decomposed a task, by the outputs of its Choices and Branches.
//! (Games that compare plans in this way call it a method traversal record.)

use taskloom_document::sort::CompactSort;
use taskloom_document::{Block, BlockId, ChoicePolicy, Document, Name};
use taskloom_planner::compile::methods;
use taskloom_planner::plan::Node;

/// The maximum number of methods of a task that are distinguished.
const MAX_METHODS: usize = 1_000;

/// Returns the place of a decomposition among all of a compound task, in the designer's order: the index
/// of its method. For a task with a goal, doing nothing comes first, and what was found for the goal last.
pub fn place(document: &Document, node: &Node) -> Option<usize> {
    let decomposed = node.decomposed()?;
    let task: &Name = &node.task.task;
    let task = document.compound_tasks.get(task)?;
    if decomposed.is_by_goal() {
        return Some(match decomposed.children.is_empty() {
            true => 0,
            false => MAX_METHODS + 1,
        });
    }
    let first = usize::from(!task.goal.trim().is_empty());
    let mut blocks: Vec<&BlockId> = decomposed.blocks.iter().collect();
    blocks.compact_sort();
    let mut all = methods(&task.method)?.take(MAX_METHODS);
    let found = all.position(|method| {
        let mut own: Vec<&BlockId> = method.blocks.iter().collect();
        own.compact_sort();
        own == blocks
    });
    found.map(|number| first + number)
}

/// Returns `true` if a Choice with one of these policies took part in the decomposition of a compound task.
pub fn is_chosen_by(document: &Document, node: &Node, policies: &[ChoicePolicy]) -> bool {
    let Some(decomposed) = node.decomposed() else {
        return false;
    };
    let task = document.compound_tasks.get(&node.task.task);
    let blocks = task.map(|task| &task.method.blocks);
    blocks.is_some_and(|blocks| {
        let mut taken = decomposed.blocks.iter().filter_map(|id| blocks.get(id));
        taken.any(|block| match &**block {
            Block::Choice { policy, .. } => policies.contains(policy),
            _ => false,
        })
    })
}
