//! Whether a new plan decomposes what is being done by an earlier alternative than the old one: by
//! the outputs of Choices and Branches from the task of the character's down to the step in
//! progress. (Games that plan so call these a method traversal record.)

use taskloom_document::{BlockId, Document, Name};
use taskloom_planner::compile::methods;
use taskloom_planner::plan::{Node, Plan};

/// So many methods of a task are told apart.
const MOST_METHODS: usize = 1_000;

/// Whether a new plan for the tasks that are not complete leaves the way to the step of an old one
/// by an earlier alternative.
pub fn is_earlier(document: &Document, old: &Plan, step: usize, new: &Plan) -> bool {
    let Some(step) = old.steps.get(step) else {
        return false;
    };
    let mut way = vec![step.node];
    while let Some(parent) = way.last().and_then(|node| old.nodes.get(*node)?.parent) {
        way.push(parent);
    }
    way.reverse();
    let mut other = new.roots.first().copied();
    for (depth, node) in way.iter().enumerate() {
        let (node, Some(now)) = (&old.nodes[*node], other.and_then(|at| new.nodes.get(at))) else {
            return false;
        };
        let (Some(own), Some(place)) = (place(document, node), place(document, now)) else {
            return false;
        };
        if now.task != node.task {
            return false;
        }
        if own != place {
            return place < own;
        }
        // Further down, by the subtask at the same block.
        let block = way
            .get(depth + 1)
            .and_then(|below| old.nodes[*below].block.as_ref());
        let children = now
            .decomposed()
            .map_or(&[][..], |decomposed| &decomposed.children);
        let mut children = children.iter().copied();
        other = children.find(|child| new.nodes[*child].block.as_ref() == block);
    }
    false
}

/// Which of the methods of a compound task it was decomposed by, in the designer's order.
fn place(document: &Document, node: &Node) -> Option<usize> {
    let decomposed = node.decomposed()?;
    let task: &Name = &node.task.task;
    let flowchart = &document.compound_tasks.get(task)?.method;
    let mut blocks: Vec<&BlockId> = decomposed.blocks.iter().collect();
    blocks.sort();
    let mut all = methods(flowchart)?.take(MOST_METHODS);
    all.position(|method| {
        let mut own: Vec<&BlockId> = method.blocks.iter().collect();
        own.sort();
        own == blocks
    })
}
