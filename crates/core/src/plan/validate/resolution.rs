//! Whether a decomposition is a resolution of its flowchart, with its conditions
//! true in the state.

use super::super::{Node, Plan, World};
use super::{bind, check_all, decomposition, read_call};
use crate::document::{Block, BlockId, CompoundTask, Document, Flowchart, Name, Port, Wire};
use crate::lang::{Env, Scope};

/// A wire that counts: it leaves an output and enters an input that are there.
fn counts(method: &Flowchart, wire: &Wire) -> bool {
    let (from, to) = (method.blocks.get(&wire.from), method.blocks.get(&wire.to));
    from.is_some_and(|b| b.ports().contains(&wire.port)) && to.is_some_and(|b| b.has_input())
}

/// Every block from which wires lead to one, itself included.
fn upstream(method: &Flowchart, block: &BlockId) -> Vec<BlockId> {
    let mut found = vec![block.clone()];
    let mut next = 0;
    while let Some(id) = found.get(next).cloned() {
        for wire in method.wires.iter().filter(|w| counts(method, w)) {
            if wire.to == id && !found.contains(&wire.from) {
                found.push(wire.from.clone());
            }
        }
        next += 1;
    }
    found
}

/// The blocks that Begin reaches, in the order in which a flowchart is resolved:
/// of those that wait for none the one that a breadth-first walk meets first.
/// Nothing where they wait for each other.
fn order(method: &Flowchart, begin: &BlockId) -> Option<Vec<BlockId>> {
    let wires: Vec<&Wire> = method.wires.iter().filter(|w| counts(method, w)).collect();
    let mut left = vec![begin];
    let mut next = 0;
    while let Some(id) = left.get(next).copied() {
        for wire in wires.iter().filter(|w| w.from == *id) {
            if !left.contains(&&wire.to) {
                left.push(&wire.to);
            }
        }
        next += 1;
    }
    let mut order = vec![];
    while !left.is_empty() {
        let waits = |id: &BlockId| {
            let mut entering = wires.iter().filter(|w| w.to == *id);
            entering.any(|w| left.contains(&&w.from))
        };
        let next = left.iter().position(|id| !waits(id))?;
        order.push(left.remove(next).clone());
    }
    Some(order)
}

/// A decomposition that is being checked.
struct Checked<'a> {
    document: &'a Document,
    world: &'a World<'a>,
    task: &'a CompoundTask,
    env: Env,
    /// All blocks that count, in the order of resolution.
    order: Vec<BlockId>,
    blocks: &'a [BlockId],
    wires: &'a [Wire],
    bindings: &'a [(BlockId, Name, Name)],
}

/// Checks the decomposition of a node in the state in which it was made.
pub fn check(document: &Document, world: &World, plan: &Plan, node: &Node) -> Result<(), String> {
    let task = document.compound_tasks.get(&node.task.task);
    let task = task.ok_or_else(|| format!("'{}' is no compound task", node.task.task))?;
    let decomposed = decomposition(node).ok_or("it was not decomposed")?;
    let env = bind(world, &task.params, &node.task)?;
    let scope = Scope::of_domain(document, task.params.clone());
    check_all(world, &task.preconditions, &scope, &env)?;
    let mut blocks = task.method.blocks.iter();
    let begin = blocks.find(|(_, block)| matches!(***block, Block::Begin {}));
    let (begin, _) = begin.ok_or("the flowchart has no Begin")?;
    let checked = Checked {
        order: order(&task.method, begin).ok_or("the flowchart has a cycle")?,
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
        let place = |id: &BlockId| self.blocks.iter().position(|b| b == id);
        for (number, wire) in self.wires.iter().enumerate() {
            if !method.wires.contains(wire) || !counts(method, wire) {
                return Err(format!("there is no wire '{wire}'"));
            }
            let stated = self.wires[..number].iter().filter(|w| *w == wire).count();
            if stated >= method.wires.iter().filter(|w| *w == wire).count() {
                return Err(format!("the wire '{wire}' is there twice"));
            }
            match (place(&wire.from), place(&wire.to)) {
                (Some(from), Some(to)) if from < to => {}
                _ => {
                    return Err(format!(
                        "the wire '{wire}' does not join two blocks in order"
                    ));
                }
            }
        }
        for (number, id) in self.blocks.iter().enumerate() {
            if self.blocks[..number].contains(id) {
                return Err(format!("block {id} is there twice"));
            }
            if id != begin && !self.wires.iter().any(|w| w.to == *id) {
                return Err(format!("no wire leads to block {id}"));
            }
        }
        if !self.blocks.contains(begin) {
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
        let upstream = upstream(&self.task.method, id);
        // Those of Bind blocks off the path are known, and have no value.
        for other in self.order.iter().filter(|other| upstream.contains(other)) {
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
        let all = |port: Port| {
            let wires = self.task.method.wires.iter();
            wires.filter(move |w| w.from == *id && w.port == port && counts(&self.task.method, w))
        };
        let takes = |port: Port| {
            let taken_here = taken.iter().filter(|w| w.port == port).count();
            taken.len() == taken_here && taken_here == all(port).count()
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
