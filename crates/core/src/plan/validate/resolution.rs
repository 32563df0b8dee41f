//! Whether a decomposition is a resolution of its flowchart, with its conditions
//! true in the state.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{Node, Plan, World};
use super::shape::{Shape, Shapes};
use super::{bind, check_all, decomposition, read_call};
use crate::document::{Block, BlockId, CompoundTask, Document, Name, Port, Wire};
use crate::lang::{Env, Scope};

/// A decomposition that is being checked.
struct Checked<'a> {
    document: &'a Document,
    world: &'a World<'a>,
    task: &'a CompoundTask,
    env: Env,
    shape: &'a Shape<'a>,
    blocks: &'a [BlockId],
    wires: &'a [Wire],
    bindings: &'a [(BlockId, Name, Name)],
}

/// Checks the decomposition of a node in the state in which it was made.
pub fn check<'a>(
    document: &'a Document,
    shapes: &mut Shapes<'a>,
    world: &World,
    plan: &Plan,
    node: &Node,
) -> Result<(), String> {
    let task = document.compound_tasks.get(&node.task.task);
    let task = task.ok_or_else(|| format!("'{}' is no compound task", node.task.task))?;
    let decomposed = decomposition(node).ok_or("it was not decomposed")?;
    let env = bind(world, &task.params, &node.task)?;
    let scope = Scope::of_domain(document, task.params.clone());
    check_all(world, &task.preconditions, &scope, &env)?;
    let shape = shapes.of(&node.task.task, &task.method);
    let begin = shape.begin.ok_or("the flowchart has no Begin")?;
    if shape.has_cycle {
        return Err("the flowchart has a cycle".to_owned());
    }
    let checked = Checked {
        shape,
        document,
        world,
        task,
        env,
        blocks: &decomposed.blocks,
        wires: &decomposed.wires,
        bindings: &decomposed.bindings,
    };
    checked.check_shape(begin)?;
    for block in &decomposed.blocks {
        checked.check_block(block)?;
    }
    let mut children = decomposed.children.iter();
    for id in &decomposed.blocks {
        let Some(Block::Task { call }) = task.method.blocks.get(id).map(|b| &**b) else {
            continue;
        };
        let child = children.next().and_then(|c| plan.nodes.get(*c));
        let child = child.ok_or_else(|| format!("block {id} has no subtask"))?;
        let (scope, env) = checked.scope(id, false)?;
        let wanted = read_call(call, &scope, world, &env)?;
        if child.task != wanted || child.block.as_ref() != Some(id) {
            return Err(format!("'{}' stands where '{wanted}' belongs", child.task));
        }
    }
    match children.next() {
        Some(_) => Err("it has a subtask without a block".to_owned()),
        None => Ok(()),
    }
}

impl Checked<'_> {
    fn block(&self, id: &BlockId) -> Result<&Block, String> {
        let block = self.task.method.blocks.get(id);
        block
            .map(|b| &**b)
            .ok_or_else(|| format!("there is no block {id}"))
    }

    /// Whether blocks and wires hang together, from Begin on.
    fn check_shape(&self, begin: &BlockId) -> Result<(), String> {
        let method = &self.task.method;
        let mut places: FxHashMap<&BlockId, usize> = FxHashMap::default();
        for (number, id) in self.blocks.iter().enumerate() {
            if places.insert(id, number).is_some() {
                return Err(format!("block {id} is there twice"));
            }
        }
        let mut stated: FxHashMap<&Wire, usize> = FxHashMap::default();
        let mut entered: FxHashSet<&BlockId> = FxHashSet::default();
        for wire in self.wires {
            let Some(drawn) = self.shape.wires.get(wire) else {
                return Err(format!("there is no wire '{wire}'"));
            };
            let times = stated.entry(wire).or_default();
            *times += 1;
            if *times > *drawn {
                return Err(format!("the wire '{wire}' is there twice"));
            }
            entered.insert(&wire.to);
            match (places.get(&wire.from), places.get(&wire.to)) {
                (Some(from), Some(to)) if from < to => {}
                _ => {
                    return Err(format!(
                        "the wire '{wire}' does not join two blocks in order"
                    ));
                }
            }
        }
        let mut blocks = self.blocks.iter();
        if let Some(id) = blocks.find(|id| *id != begin && !entered.contains(id)) {
            return Err(format!("no wire leads to block {id}"));
        }
        if !places.contains_key(begin) {
            return Err("Begin is missing".to_owned());
        }
        let bound = self.blocks.iter().filter(|id| {
            let block = method.blocks.get(*id);
            block.is_some_and(|b| matches!(**b, Block::Bind { .. }))
        });
        if !bound.eq(self.bindings.iter().map(|(block, ..)| block)) {
            return Err("the bindings are not those of its Bind blocks".to_owned());
        }
        Ok(())
    }

    /// The variables at a block: parameters, and what Bind blocks before it have
    /// bound, the later ones hiding the others. With its own variable, if wanted.
    fn scope(&self, id: &BlockId, own: bool) -> Result<(Scope<'_>, Env), String> {
        let mut scope = Scope::of_domain(self.document, self.task.params.clone());
        let mut env = self.env.clone();
        // Those of Bind blocks off the path are known, and have no value.
        for other in self.shape.upstream(id) {
            let Block::Bind { variable, .. } = self.block(other)? else {
                continue;
            };
            if other == id && !own {
                continue;
            }
            scope.variables.push(variable.clone());
            if let Some((.., object)) = self.bindings.iter().find(|(block, ..)| block == other) {
                env.bind(variable.name.clone(), object.clone());
            }
        }
        Ok((scope, env))
    }

    /// Whether a block's condition holds and the right wires leave it.
    fn check_block(&self, id: &BlockId) -> Result<(), String> {
        let block = self.block(id)?;
        let taken: Vec<&Wire> = self.wires.iter().filter(|w| w.from == *id).collect();
        let takes = |port: Port| {
            let taken_here = taken.iter().filter(|w| w.port == port).count();
            let all = self.shape.leaving.get(&(id, port)).copied();
            taken.len() == taken_here && taken_here == all.unwrap_or_default()
        };
        match block {
            Block::Begin {} | Block::Task { .. } if takes(Port::Out) => Ok(()),
            Block::End {} if taken.is_empty() => Ok(()),
            Block::Branch { condition } => {
                let (scope, env) = self.scope(id, false)?;
                let port = match taken.first().map(|w| w.port) {
                    Some(Port::True) => Port::True,
                    Some(Port::False) => Port::False,
                    _ => return Err(format!("the Branch '{condition}' leads nowhere")),
                };
                let holds = self.world.holds(condition, &scope, &env)?;
                if holds != (port == Port::True) {
                    return Err(format!("the Branch '{condition}' takes the other side"));
                }
                takes(port)
                    .then_some(())
                    .ok_or_else(|| format!("the Branch '{condition}' has other wires"))
            }
            Block::Choice { alternatives, .. } => {
                let mut ports = alternatives.iter().map(|a| Port::Alternative(a.id));
                ports
                    .any(takes)
                    .then_some(())
                    .ok_or_else(|| format!("Choice {id} does not take one output"))
            }
            Block::Bind {
                variable,
                condition,
                ..
            } if takes(Port::Out) => {
                let (scope, env) = self.scope(id, true)?;
                let mut bindings = self.bindings.iter();
                let binding = bindings.find(|(block, ..)| block == id);
                let (_, name, object) = binding.ok_or("a Bind block without binding")?;
                if *name != variable.name {
                    return Err(format!("'?{name}' is not the variable of block {id}"));
                }
                if !self.world.has_object(object, &variable.of) {
                    return Err(format!("'{object}' is no {}", variable.of));
                }
                match condition.trim().is_empty() {
                    true => Ok(()),
                    false => {
                        let condition = std::slice::from_ref(condition);
                        check_all(self.world, condition, &scope, &env)
                    }
                }
            }
            _ => Err(format!("other wires leave block {id}")),
        }
    }
}
