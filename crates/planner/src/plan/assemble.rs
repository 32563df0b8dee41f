//! From a network that is done to the plan that did it, in names.

use super::precedence::Precedence;
use super::progression::{Doing, Frame, Progression};
use crate::compile::{BlockCode, Chart, Flat, FlatBlock, FlatKind, Resolution, TaskOrder};
use crate::plan::{Change, Decomposed, Node, NodeKind, Plan, Step};
use taskloom_document::{BlockId, Name};

/// Reads the plan off the stack of a search whose network is done. Takes back
/// the state's changes to see what they were. None where the stop was heard.
pub fn assemble(search: &mut Progression) -> Option<Plan> {
    let problem = search.problem.clone();
    let flat = problem.flat();
    let mut changes = changes(search, flat);
    let precedence = precedence(search, flat);
    let network = &search.network;
    let mut nodes: Vec<Node> = (1..network.len())
        .take_while(|_| !problem.stop().after(4))
        .map(|number| {
            let task = network.task(number);
            Node {
                task: flat.ground_task(search.ground.tuple(task.ground)),
                parent: (task.parent as usize).checked_sub(1),
                block: block_of(search, flat, number),
                kind: NodeKind::Decomposed(Decomposed::default()),
            }
        })
        .collect();
    let stop = problem.stop();
    let mut steps = vec![];
    for (number, frame) in search.stack.iter().enumerate() {
        if stop.after(8) {
            return None;
        }
        let node = frame.task as usize - 1;
        let kind = match frame.done {
            Doing::Nothing => continue,
            Doing::Step { cost } => {
                steps.push(Step {
                    task: nodes[node].task.clone(),
                    node,
                    cost,
                    after: precedence.directly_before(frame.task),
                    changes: changes.pop().unwrap_or_default(),
                });
                NodeKind::Step(steps.len() - 1)
            }
            Doing::Method { .. } => {
                NodeKind::Decomposed(decomposed(search, flat, number, steps.len()))
            }
        };
        nodes[node].kind = kind;
    }
    Some(Plan {
        cost: steps.iter().fold(0.0, |sum, s| sum + s.cost),
        steps,
        roots: (0..nodes.len())
            .filter(|n| nodes[*n].parent.is_none())
            .collect(),
        nodes,
    })
}

/// What each step changed, the last step's changes first.
fn changes(search: &mut Progression, flat: &Flat) -> Vec<Vec<Change>> {
    let steps = search.stack.iter().rev();
    let steps = steps.filter(|f| matches!(f.done, Doing::Step { .. }));
    let (state, stop) = (&mut search.state, search.problem.stop());
    steps
        .take_while(|_| !stop.after(4))
        .map(|frame| {
            let changed = state.take_back(frame.trail).into_iter();
            changed
                .map(|(atom, before, after)| Change {
                    before: flat.value(atom[0], before),
                    after: flat.value(atom[0], after),
                    atom: flat.ground_atom(&atom),
                })
                .collect()
        })
        .collect()
}

fn method_of<'a>(
    search: &Progression,
    flat: &'a Flat,
    task: u32,
) -> Option<(&'a Chart, &'a [FlatBlock])> {
    let tuple = search.ground.tuple(search.network.task(task).ground);
    match &flat.tasks[tuple[0] as usize].kind {
        FlatKind::Compound {
            chart: Some(chart),
            blocks,
        } => Some((chart, blocks)),
        _ => None,
    }
}

fn block_of(search: &Progression, flat: &Flat, task: u32) -> Option<BlockId> {
    let task = search.network.task(task);
    let parent = (task.parent > 0).then_some(task.parent)?;
    let (chart, _) = method_of(search, flat, parent)?;
    Some(chart.blocks[task.position as usize].id.clone())
}

/// The resolution of the method frame above another one.
fn next_resolution(stack: &[Frame], number: usize) -> Option<&Resolution> {
    stack[number + 1..]
        .iter()
        .find_map(|frame| match &frame.done {
            Doing::Method { resolution, .. } => Some(resolution),
            _ => None,
        })
}

fn decomposed(search: &Progression, flat: &Flat, number: usize, at: usize) -> Decomposed {
    let Frame { task, done, .. } = &search.stack[number];
    let Doing::Method {
        resolution,
        slots,
        first_child,
    } = done
    else {
        return Decomposed::default();
    };
    let Some((chart, blocks)) = method_of(search, flat, *task) else {
        return Decomposed::default();
    };
    let next = next_resolution(&search.stack, number);
    let decisions = search.resolutions.decisions(resolution, next);
    let bindings = decisions.iter().filter_map(|decision| {
        let id = chart.blocks[decision.position as usize].id.clone();
        let BlockCode::Bind { variable, slot, .. } = &blocks[decision.position as usize].code
        else {
            return None;
        };
        let object = search.frames.slots[slots + *slot as usize];
        let object: &Name = flat.objects.get(object as usize)?;
        Some((id, variable.clone(), object.clone()))
    });
    let (present, wires) = search.resolutions.path(chart, resolution, next);
    Decomposed {
        blocks: present,
        wires,
        bindings: bindings.collect(),
        children: (*first_child..search.network.len())
            .take_while(|t| search.network.task(*t).parent == *task)
            .map(|t| t as usize - 1)
            .collect(),
        at,
    }
}

/// Which steps wait for which, by the orders of the networks they are part of.
fn precedence(search: &Progression, flat: &Flat) -> Precedence {
    let network = &search.network;
    let len = network.len() as usize;
    let mut step = vec![None; len];
    let mut steps = 0;
    let mut frames = vec![0; len];
    for (number, frame) in search.stack.iter().enumerate() {
        if let Doing::Step { .. } = frame.done {
            step[frame.task as usize] = Some(steps);
            steps += 1;
        }
        frames[frame.task as usize] = number;
    }
    let parents = (0..network.len()).map(|task| network.task(task).parent);
    let (mut precedence, networks) = Precedence::new(parents.collect(), step);
    let mut order = TaskOrder::default();
    for (parent, children) in networks {
        if search.problem.stop().after(1) {
            break;
        }
        if parent == 0 {
            precedence.sequence(0, &children);
        } else if let Some((chart, _)) = method_of(search, flat, parent)
            && let Some(wires) = wires_of(search, frames[parent as usize])
        {
            order.set(chart, wires);
            precedence.group(parent, &children, search.problem.stop(), |a, b| {
                let block = chart.blocks[network.task(a).position as usize].task;
                block.is_some_and(|block| order.is_before(block, network.task(b).position))
            });
        }
    }
    precedence
}

/// The wires present in the decomposition on the stack at a number.
fn wires_of(search: &Progression, number: usize) -> Option<&[u32]> {
    match &search.stack.get(number)?.done {
        Doing::Method { resolution, .. } => Some(
            search
                .resolutions
                .wires(resolution, next_resolution(&search.stack, number)),
        ),
        _ => None,
    }
}
