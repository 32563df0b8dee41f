//! From a decomposition in the model's numbers to a plan in names.

use super::found::{Found, FoundNode};
use super::model::Model;
use crate::compile::{Flat, FlatKind};
use crate::plan::effects::Writes;
use crate::plan::evaluate::{Evaluation, Frames, NOTHING};
use crate::plan::precedence::Precedence;
use crate::plan::state::State;
use crate::plan::{Change, Decomposed, Node, NodeKind, Plan, Step};

/// Writes a decomposition out. `None` where a step cannot be executed, which
/// would be an error of the search, or the stop was heard.
pub fn assemble(model: &Model, found: &Found) -> Option<Plan> {
    let flat = model.problem.flat();
    let mut step_of = vec![None; found.nodes.len() + 1];
    for (step, node) in found.steps.iter().enumerate() {
        step_of[*node as usize + 1] = Some(step);
    }
    let mut children = vec![vec![]; found.nodes.len()];
    for (number, node) in found.nodes.iter().enumerate() {
        if let Some((parent, _)) = node.parent {
            children[parent as usize].push(number);
        }
    }
    let mut nodes: Vec<Node> = vec![];
    for ((node, step), children) in found.nodes.iter().zip(&step_of[1..]).zip(children) {
        if model.problem.stop().after(4) {
            return None;
        }
        nodes.push(Node {
            task: flat.ground_task(&tuple(node)),
            parent: node.parent.map(|(parent, _)| parent as usize),
            block: node.parent.and_then(|(parent, position)| {
                let method = found.nodes[parent as usize].by.as_ref()?.method;
                let source = &model.methods[method as usize].source;
                source.tasks.get(position as usize).cloned()
            }),
            kind: match step {
                Some(step) => NodeKind::Step(*step),
                None => NodeKind::Decomposed(decomposed(model, flat, node, children)?),
            },
        });
    }
    let precedence = precedence(model, found, step_of);
    let mut world = World {
        flat,
        state: flat.initial.clone(),
        frames: Frames::new(u64::MAX, model.problem.stop().clone()),
        writes: Writes::new(u64::MAX),
    };
    let mut steps = vec![];
    for number in &found.steps {
        if model.problem.stop().after(8) {
            return None;
        }
        let (cost, changes) = world.execute(&found.nodes[*number as usize])?;
        steps.push(Step {
            task: nodes[*number as usize].task.clone(),
            node: *number as usize,
            cost,
            after: precedence.directly_before(number + 1),
            changes,
        });
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

fn tuple(node: &FoundNode) -> Vec<u32> {
    let task = std::iter::once(node.task);
    task.chain(node.args.iter().copied()).collect()
}

fn decomposed(
    model: &Model,
    flat: &Flat,
    node: &FoundNode,
    children: Vec<usize>,
) -> Option<Decomposed> {
    let by = node.by.as_ref()?;
    let source = &model.methods[by.method as usize].source;
    let bindings = source.binds.iter().filter_map(|(block, name, variable)| {
        let object = by.objects.get(*variable as usize)?;
        let object = flat.objects.get(*object as usize)?;
        Some((block.clone(), name.clone(), object.clone()))
    });
    Some(Decomposed {
        blocks: source.blocks.clone(),
        wires: source.wires.clone(),
        bindings: bindings.collect(),
        children,
        at: by.at as usize,
    })
}

fn precedence(model: &Model, found: &Found, steps: Vec<Option<usize>>) -> Precedence {
    let above = found.nodes.iter();
    let above = above.map(|node| node.parent.map_or(0, |(parent, _)| parent + 1));
    let parents = std::iter::once(0).chain(above).collect();
    let (mut precedence, networks) = Precedence::new(parents, steps);
    for (parent, children) in networks {
        if model.problem.stop().after(1) {
            break;
        }
        let node = parent.checked_sub(1).map(|p| &found.nodes[p as usize]);
        let by = node.and_then(|node| node.by.as_ref());
        let method = by.map(|by| &model.methods[by.method as usize]);
        match method {
            Some(method) if !method.is_sequence => {
                let reach = method.reach();
                precedence.group(parent, &children, model.problem.stop(), |a, b| {
                    let place = |child: u32| {
                        let node = &found.nodes[child as usize - 1];
                        node.parent.map_or(0, |(_, position)| position as usize)
                    };
                    reach[place(a)][place(b)]
                });
            }
            _ => precedence.sequence(parent, &children),
        }
    }
    precedence
}

/// The plan's states, one after the other.
struct World<'a> {
    flat: &'a Flat,
    state: State,
    frames: Frames,
    writes: Writes,
}

impl World<'_> {
    /// Executes a step: its cost and what it changes.
    fn execute(&mut self, node: &FoundNode) -> Option<(f64, Vec<Change>)> {
        let flat = self.flat;
        let task = &flat.tasks[node.task as usize];
        let FlatKind::Primitive { effects, cost } = &task.kind else {
            return None;
        };
        self.frames.slots.clear();
        self.frames.slots.extend_from_slice(&node.args);
        self.frames.slots.resize(task.frame as usize, NOTHING);
        let mut evaluation = Evaluation {
            flat,
            state: &self.state,
            frames: &mut self.frames,
            base: 0,
            saw: None,
        };
        let cost = cost.map_or(1.0, |cost| evaluation.number(cost));
        self.writes.read(&mut evaluation, effects).ok()?;
        let mark = self.state.mark();
        self.writes.apply(flat, &mut self.state).ok()?;
        let changed = self.state.take_back(mark);
        self.writes.apply(flat, &mut self.state).ok()?;
        self.state.settle();
        let changes = changed.into_iter().map(|(atom, before, after)| Change {
            before: flat.value(atom[0], before),
            after: flat.value(atom[0], after),
            atom: flat.ground_atom(&atom),
        });
        let cost = if cost.is_finite() { cost } else { 1.0 };
        Some((cost, changes.collect()))
    }
}
