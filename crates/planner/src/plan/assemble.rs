//! Assembly of a plan, with names, from a finished search.

use super::assembly::{Assembly, Unassembled};
use super::decomposer::{Decomposer, Doing, Frame};
use super::memory::MemoryQuota;
use super::precedence::Precedence;
use super::table::TupleTable;
use crate::compile::{Chart, Flat, FlatBlock, FlatKind, Path, Resolution, TaskOrder};
use crate::plan::{Change, Decomposed, Node, NodeKind, Plan};
use taskloom_document::Name;
use taskloom_domain::flow::ChartBlock;

/// Assembles the plan on the stack of a search whose network is done. This undoes the changes of
/// the state in order to record them.
///
/// # Errors
/// Fails if the search is cancelled, or the plan exceeds its memory limit.
pub fn assemble(search: &mut Decomposer, memory: &mut MemoryQuota) -> Result<Plan, Unassembled> {
    let problem = search.problem.clone();
    let (flat, stop) = (problem.flat(), problem.stop());
    let stack = search.stack.iter();
    let steps = stack.filter(|f| matches!(f.done, Doing::Step { .. }));
    let (tasks, steps) = (search.network.len() as usize, steps.count());
    let mut assembly = Assembly::new(memory, tasks - 1, steps)?;
    assembly.pass(steps * size_of::<Vec<Change>>() + tasks * size_of::<u32>())?;
    let mut changes = changes(search, flat, steps, &mut assembly)?;
    let precedence = precedence(search, flat);
    let network = &search.network;
    for number in 1..network.len() {
        if stop.after(4) {
            return Err(Unassembled::Stopped);
        }
        let task = network.task(number);
        let block = block_of(search, flat, number);
        assembly.node(Node {
            task: flat.ground_task(search.ground.tuple(task.ground)),
            parent: (task.parent as usize).checked_sub(1),
            block: block.map(|block| block.id.clone()),
            is_background: block.is_some_and(|block| block.block.is_background()),
            kind: NodeKind::Pending,
        })?;
    }
    let mut paths = Paths::default();
    for (number, frame) in search.stack.iter().enumerate() {
        if stop.after(8) {
            return Err(Unassembled::Stopped);
        }
        let node = frame.task as usize - 1;
        let step = assembly.steps.len();
        let kind = match frame.done {
            Doing::Nothing => continue,
            Doing::Step { cost } => {
                let after = precedence.directly_before(frame.task);
                assembly.step(node, cost, after, changes.pop().unwrap_or_default())?;
                NodeKind::Step(step)
            }
            Doing::Method { .. } => {
                NodeKind::Decomposed(decomposed(search, flat, number, step, &mut paths))
            }
            Doing::ByGoal { first_child } => NodeKind::Decomposed(Decomposed {
                children: children(search, frame.task, first_child),
                at: step,
                ..Decomposed::default()
            }),
        };
        assembly.settle(node, kind)?;
    }
    Ok(assembly.finish())
}

/// Returns the changes of each step, with those of the last step first.
fn changes(
    search: &mut Decomposer,
    flat: &Flat,
    steps: usize,
    assembly: &mut Assembly<'_>,
) -> Result<Vec<Vec<Change>>, Unassembled> {
    let (state, stop) = (&mut search.state, search.problem.stop());
    let mut changes = Vec::with_capacity(steps);
    let stack = search.stack.iter().rev();
    for frame in stack.filter(|f| matches!(f.done, Doing::Step { .. })) {
        if stop.after(4) {
            return Err(Unassembled::Stopped);
        }
        let mut changed = state.take_back(frame.trail);
        changed.retain(|(atom, ..)| Some(atom[0]) != flat.time);
        let changed = changed.into_iter().map(|(atom, before, after)| Change {
            before: flat.value(atom[0], before),
            after: flat.value(atom[0], after),
            atom: flat.ground_atom(&atom),
        });
        let changed: Vec<Change> = changed.collect();
        assembly.changes(&changed)?;
        changes.push(changed);
    }
    Ok(changes)
}

/// The distinct paths of resolutions: their blocks and wires.
#[derive(Debug, Default)]
struct Paths {
    /// A task, and the numbers of the wires that are present, which determine the blocks.
    keys: TupleTable,
    paths: Vec<Path>,
    key: Vec<u32>,
}

impl Paths {
    fn of(
        &mut self,
        search: &Decomposer,
        task: u32,
        chart: &Chart,
        resolution: &Resolution,
        next: Option<&Resolution>,
    ) -> Path {
        self.key.clear();
        self.key.push(task);
        self.key.extend(search.resolutions.wires(resolution, next));
        let number = self.keys.intern(&self.key) as usize;
        if self.paths.len() == number {
            self.paths
                .push(search.resolutions.path(chart, resolution, next));
        }
        self.paths[number].clone()
    }
}

fn method_of<'a>(
    search: &Decomposer,
    flat: &'a Flat,
    task: u32,
) -> Option<(&'a Chart, &'a [FlatBlock])> {
    let tuple = search.ground.tuple(search.network.task(task).ground);
    match &flat.tasks[tuple[0] as usize].kind {
        FlatKind::Compound {
            chart: Some(chart),
            blocks,
            ..
        } => Some((chart, blocks)),
        _ => None,
    }
}

fn block_of<'a>(search: &Decomposer, flat: &'a Flat, task: u32) -> Option<&'a ChartBlock> {
    let task = search.network.task(task);
    let parent = (task.parent > 0).then_some(task.parent)?;
    let (chart, _) = method_of(search, flat, parent)?;
    chart.blocks.get(task.position as usize)
}

/// Returns the resolution of the first method frame above another one.
fn next_resolution(stack: &[Frame], number: usize) -> Option<&Resolution> {
    stack[number + 1..]
        .iter()
        .find_map(|frame| match &frame.done {
            Doing::Method { resolution, .. } => Some(resolution),
            _ => None,
        })
}

fn decomposed(
    search: &Decomposer,
    flat: &Flat,
    number: usize,
    at: usize,
    paths: &mut Paths,
) -> Decomposed {
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
    let bound = decisions.iter().filter_map(|decision| {
        let id = chart.blocks[decision.position as usize].id.clone();
        let (variable, slot) = blocks[decision.position as usize].code.binds()?;
        let object = search.frames.slots[slots + slot as usize];
        let object: &Name = flat.objects.get(object as usize)?;
        Some((id, variable.clone(), object.clone()))
    });
    let mut bindings = vec![];
    bindings.reserve_exact(bound.clone().count());
    bindings.extend(bound);
    let network = &search.network;
    let of = search.ground.tuple(network.task(*task).ground)[0];
    let (present, wires) = paths.of(search, of, chart, resolution, next);
    Decomposed {
        blocks: present,
        wires,
        bindings,
        children: children(search, *task, *first_child),
        at,
    }
}

/// Returns the nodes of the subtasks of a task.
fn children(search: &Decomposer, task: u32, first_child: u32) -> Vec<usize> {
    let network = &search.network;
    let children = (first_child..network.len()).take_while(|t| network.task(*t).parent == task);
    let first = first_child as usize - 1;
    (first..first + children.count()).collect()
}

/// Returns the order of the steps that follows from the orders of their networks.
fn precedence(search: &Decomposer, flat: &Flat) -> Precedence {
    let network = &search.network;
    let len = network.len() as usize;
    let mut step = vec![None; len];
    let mut steps = 0;
    let mut frames = vec![0; len];
    for (number, frame) in (0u32..).zip(&search.stack) {
        if let Doing::Step { .. } = frame.done {
            step[frame.task as usize] = Some(steps);
            steps += 1;
        }
        frames[frame.task as usize] = number;
    }
    let parents = (0..network.len()).map(|task| network.task(task).parent);
    let (mut precedence, networks) = Precedence::new(parents.collect(), step);
    let mut order = TaskOrder::default();
    for (parent, children) in networks.iter() {
        if search.problem.stop().after(1) {
            break;
        }
        let is_by_goal = || {
            let frame = search.stack.get(frames[parent as usize] as usize);
            frame.is_some_and(|frame| matches!(frame.done, Doing::ByGoal { .. }))
        };
        let of_roots = search.problem.root_order().filter(|_| parent == 0);
        if let Some(of_roots) = of_roots {
            precedence.group(0, children, search.problem.stop(), |a, b| {
                of_roots[b as usize - 1].contains(&(a as usize - 1))
            });
        } else if parent == 0 || is_by_goal() {
            precedence.sequence(parent, children);
        } else if let Some((chart, _)) = method_of(search, flat, parent)
            && let Some(wires) = wires_of(search, frames[parent as usize] as usize)
        {
            order.set(chart, wires);
            precedence.group(parent, children, search.problem.stop(), |a, b| {
                let block = chart.blocks[network.task(a).position as usize].task;
                block.is_some_and(|block| order.is_before(block, network.task(b).position))
            });
        }
    }
    precedence
}

/// Returns the wires present in the decomposition of a stack frame.
fn wires_of(search: &Decomposer, number: usize) -> Option<&[u32]> {
    match &search.stack.get(number)?.done {
        Doing::Method { resolution, .. } => Some(
            search
                .resolutions
                .wires(resolution, next_resolution(&search.stack, number)),
        ),
        _ => None,
    }
}
