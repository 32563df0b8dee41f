//! Plan files and plans.
//!
//! A plan file says less than a plan: not when a task was decomposed, nor what the
//! variables of its method stand for. [`plan_of_file`] finds both by walking through
//! the plan, or says the first thing that is wrong.

use crate::document::{Document, Name};
use crate::hddl::ast::Ident;
use crate::hddl::{PlanFile, PlannedAction, PlannedMethod};
use crate::plan::{self, GroundTask, Invalid, Node, NodeKind, Plan};

use super::ImportNames;

mod bind;
mod tree;
mod walk;

/// The plan of a scenario that a file states, as others made it. It has passed
/// [`plan::validate`].
///
/// # Errors
/// The first thing that is wrong with it.
pub fn plan_of_file(
    file: &PlanFile,
    document: &Document,
    scenario: &Name,
    names: &ImportNames,
) -> Result<Plan, Invalid> {
    let document = &*document.without_muted();
    let tree = tree::Tree::new(file, document, scenario, names)?;
    let plan = walk::walk(tree, document, scenario)?;
    plan::validate(document, scenario, &plan)?;
    Ok(plan)
}

/// A plan as a file states it, with the names of the files that the document was
/// imported from.
pub fn file_of_plan(plan: &Plan, names: &ImportNames) -> PlanFile {
    let task = |task: &GroundTask| {
        let name = names.task(&task.task).to_ascii_lowercase();
        let args = task.args.iter().map(|object| names.object(object));
        let args = args.map(|object| Ident::from(object.to_ascii_lowercase()));
        std::iter::once(Ident::from(name)).chain(args).collect()
    };
    let id = |node: &usize| *node as u64;
    let node = |number: usize| plan.nodes.get(number);
    // What stands for an initial task network is not in the file.
    let initial = match plan.roots.as_slice() {
        [root] => node(*root).filter(|n| Some(&n.task.task) == names.initial_network.as_ref()),
        _ => None,
    };
    let steps = plan.steps.iter().map(|step| PlannedAction {
        id: id(&step.node),
        task: task(&step.task),
    });
    let compound = plan.nodes.iter().enumerate().filter_map(|(number, node)| {
        let is_initial = initial.is_some_and(|initial| std::ptr::eq(initial, node));
        let NodeKind::Decomposed(by) = &node.kind else {
            return None;
        };
        if is_initial {
            return None;
        }
        let method = names.method(&node.task.task, by);
        let method = method.map_or("method", |method| method.name.as_str());
        Some(PlannedMethod {
            id: id(&number),
            task: task(&node.task),
            method: Ident::from(method.to_ascii_lowercase()),
            subtasks: children(plan, node, names).iter().map(id).collect(),
        })
    });
    PlanFile {
        steps: steps.collect(),
        roots: match initial {
            Some(initial) => children(plan, initial, names).iter().map(id).collect(),
            None => plan.roots.iter().map(id).collect(),
        },
        decompositions: compound.collect(),
    }
}

/// The subtasks of a task in the order in which its method declares them.
fn children(plan: &Plan, node: &Node, names: &ImportNames) -> Vec<usize> {
    let NodeKind::Decomposed(by) = &node.kind else {
        return vec![];
    };
    let declared = names.method(&node.task.task, by);
    let declared = declared.map_or(&[][..], |method| &method.subtasks);
    let mut children = by.children.clone();
    crate::order::sort_by_key(&mut children, |child| {
        let block = plan.nodes.get(*child).and_then(|n| n.block.as_ref());
        let at = block.and_then(|block| declared.iter().position(|d| d == block));
        at.unwrap_or(usize::MAX)
    });
    children
}
