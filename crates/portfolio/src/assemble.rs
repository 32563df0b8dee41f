//! Converts a decomposition from the model's numbers to a plan with names.

use crate::lifted::decomposition::{Decomposition, DecompositionNode};
use crate::lifted::model::Model;
use taskloom_planner::plan::{Decomposed, Node, NodeKind, Plan, Precedence};
use taskloom_planner::search_kit::{
    Assembly, Compiled, Flat, MemoryQuota, PlanReplay, Unassembled,
};

/// Converts a decomposition to a plan.
///
/// # Errors
/// Returns an error if a step cannot be executed (a bug in the search), if the stop token was
/// triggered, or if the plan needs more memory than allowed.
pub fn assemble(
    model: &Model,
    found: &Decomposition,
    memory: &mut MemoryQuota,
) -> Result<Plan, Unassembled> {
    let (flat, stop) = (model.problem.flat(), model.problem.stop());
    let mut assembly = Assembly::new(memory, found.nodes.len(), found.steps.len())?;
    assembly.pass(found.nodes.len() * size_of::<(u32, u32)>())?;
    let mut step_of = vec![None; found.nodes.len() + 1];
    for (step, node) in (0u32..).zip(&found.steps) {
        step_of[*node as usize + 1] = Some(step);
    }
    // The tasks of a network are adjacent.
    let mut children = vec![(0u32, 0u32); found.nodes.len()];
    for (number, node) in (0u32..).zip(&found.nodes) {
        if let Some((parent, _)) = node.parent {
            let (first, count) = &mut children[parent as usize];
            if *count == 0 {
                *first = number;
            }
            *count += 1;
        }
    }
    for ((node, step), (first, count)) in found.nodes.iter().zip(&step_of[1..]).zip(children) {
        if stop.after(4) {
            return Err(Unassembled::Stopped);
        }
        let kind = match step {
            Some(step) => NodeKind::Step(*step as usize),
            None => {
                let (first, count) = (first as usize, count as usize);
                let children = (first..first + count).collect();
                let decomposed = decomposed(model, flat, node, children);
                NodeKind::Decomposed(decomposed.ok_or(Unassembled::Wrong)?)
            }
        };
        let block = node.parent.and_then(|(parent, position)| {
            let method = found.nodes[parent as usize].by.as_ref()?.method;
            let source = &model.methods[method as usize].source;
            source.tasks.get(position as usize)
        });
        assembly.node(Node {
            task: flat.ground_task(&tuple(node)),
            parent: node.parent.map(|(parent, _)| parent as usize),
            block: block.map(|(block, _)| block.clone()),
            is_background: block.is_some_and(|(_, is_background)| *is_background),
            kind,
        })?;
    }
    let precedence = precedence(model, found, step_of);
    let mut plan_replay = PlanReplay::new(&model.problem, assembly.left());
    for number in &found.steps {
        if stop.after(8) {
            return Err(Unassembled::Stopped);
        }
        let node = &found.nodes[*number as usize];
        let executed = plan_replay.execute(node.task, &node.args);
        if stop.is_cancelled() {
            return Err(Unassembled::Stopped);
        }
        if plan_replay.frames.is_full {
            return Err(Unassembled::QuotaExceeded);
        }
        let (cost, changes) = executed.ok_or(Unassembled::Wrong)?;
        let after = precedence.directly_before(number + 1);
        assembly.changes(&changes)?;
        assembly.step(*number as usize, cost, after, changes)?;
    }
    Ok(assembly.finish())
}

fn tuple(node: &DecompositionNode) -> Vec<u32> {
    let task = std::iter::once(node.task);
    task.chain(node.args.iter().copied()).collect()
}

fn decomposed(
    model: &Model,
    flat: &Flat,
    node: &DecompositionNode,
    children: Vec<usize>,
) -> Option<Decomposed> {
    let by = node.by.as_ref()?;
    let source = &model.methods[by.method as usize].source;
    let mut bindings = Vec::with_capacity(source.binds.len());
    bindings.extend(source.binds.iter().filter_map(|(block, name, variable)| {
        let object = by.objects.get(*variable as usize)?;
        let object = flat.objects.get(*object as usize)?;
        Some((block.clone(), name.clone(), object.clone()))
    }));
    Some(Decomposed {
        blocks: source.blocks.clone(),
        wires: source.wires.clone(),
        bindings,
        children,
        at: by.at as usize,
    })
}

fn precedence(model: &Model, found: &Decomposition, steps: Vec<Option<u32>>) -> Precedence {
    let above = found.nodes.iter();
    let above = above.map(|node| node.parent.map_or(0, |(parent, _)| parent + 1));
    let parents = std::iter::once(0).chain(above).collect();
    let (mut precedence, networks) = Precedence::new(parents, steps);
    for (parent, children) in networks.iter() {
        if model.problem.stop().after(1) {
            break;
        }
        let node = parent.checked_sub(1).map(|p| &found.nodes[p as usize]);
        let by = node.and_then(|node| node.by.as_ref());
        let method = by.map(|by| &model.methods[by.method as usize]);
        match method {
            Some(method) if !method.is_sequence => {
                let reach = method.reach();
                precedence.group(parent, children, model.problem.stop(), |a, b| {
                    let place = |child: u32| {
                        let node = &found.nodes[child as usize - 1];
                        node.parent.map_or(0, |(_, position)| position as usize)
                    };
                    reach[place(a)][place(b)]
                });
            }
            _ => precedence.sequence(parent, children),
        }
    }
    precedence
}
