//! Checks that a decomposition is a resolution of its flowchart whose conditions hold in the state.

use super::by_goal;
use super::method::{Method, MethodBlock, Methods};
use super::path::{Path, Paths};
use super::reads;
use super::replay::{bind, check_all, check_one, check_repertoire};
use crate::lang::Env;
use crate::method::Content;
use crate::plan::{Node, Plan};
use crate::world::World;
use taskloom_document::{Block, BlockId, Kind, Name, Port};

/// A decomposition that is being checked.
struct Checked<'p> {
    world: &'p World,
    method: &'p Method,
    path: &'p Path,
    /// The objects bound by the path's Bind blocks.
    bindings: &'p [(BlockId, Name, Name)],
    /// The task's arguments.
    env: Env,
}

/// Checks the decomposition of a node in the state in which it happened.
pub fn check(
    methods: &Methods,
    paths: &mut Paths,
    world: &World,
    plan: &Plan,
    node: &Node,
) -> Result<(), String> {
    let name = &node.task.task;
    let (Some(task), Some(method)) = (world.compound(&node.task), methods.get(name)) else {
        return Err(format!("'{name}' is not a compound task"));
    };
    let decomposed = node.decomposed().ok_or("it was not decomposed")?;
    check_repertoire(world, Kind::CompoundTask, &node.task)?;
    let env = bind(world, &task.record.params, &node.task)?;
    check_all(world, &task.preconditions, &env)?;
    if let Some(goal) = &task.goal {
        if decomposed.is_by_goal() {
            if !decomposed.children.is_empty() {
                note_drawn_ways(world, method, &env);
            }
            return by_goal::check(world, plan, decomposed, goal, &env);
        }
        if world.holds(goal, &env)? {
            return Err("its goal is true, so there is nothing to do".to_owned());
        }
    }
    let method = method.as_ref().map_err(|why| *why)?;
    let path = &*paths.get(method, decomposed)?;
    let bindings = &decomposed.bindings;
    let binds = path.binds.iter().map(|bind| &method.blocks[*bind].id);
    if !binds.eq(bindings.iter().map(|(id, ..)| id)) {
        return Err("the bindings don't match its Bind blocks".to_owned());
    }
    let checked = Checked {
        world,
        method,
        path,
        bindings,
        env,
    };
    for (place, id) in decomposed.blocks.iter().enumerate() {
        checked.check_block(place, id)?;
    }
    if world.is_recording_reads() {
        reads::evaluate_until(world, method, Some((path, bindings)), &checked.env);
    }
    let mut children = decomposed.children.iter();
    for (place, (block, id)) in path.blocks.iter().zip(&*decomposed.blocks).enumerate() {
        let Some(text) = method.blocks[*block].block.call() else {
            continue;
        };
        let call = match method.content(*block, world) {
            Some(Content::Task { call, .. }) => call.value.as_ref(),
            _ => None,
        };
        let call = call.ok_or_else(|| format!("'{}' is invalid", text.trim()))?;
        let wanted = world.ground(call, &checked.env(place))?;
        for _ in 0..method.blocks[*block].block.repetitions() {
            let child = children.next().and_then(|c| plan.nodes.get(*c));
            let child = child.ok_or_else(|| format!("block {id} lacks a subtask"))?;
            if child.task != wanted || child.block.as_ref() != Some(id) {
                return Err(format!("'{}' is where '{wanted}' should be", child.task));
            }
            if child.is_background != method.blocks[*block].block.is_background() {
                return Err(format!("'{wanted}' is not what block {id} says"));
            }
        }
    }
    match children.next() {
        Some(_) => Err("it has a subtask without a block".to_owned()),
        None => Ok(()),
    }
}

/// Repeats what a flowchart evaluates if none of its ways is possible.
fn note_drawn_ways(world: &World, method: &Result<Method, &'static str>, env: &Env) {
    if let Ok(method) = method
        && world.is_recording_reads()
        && method.has_tasks()
    {
        reads::evaluate_until(world, method, None, env);
    }
}

impl Checked<'_> {
    /// Returns the variables at an index of the path.
    fn env(&self, place: usize) -> Env {
        let mut env = self.env.clone();
        for binding in &self.path.known[place] {
            let (_, name, object) = &self.bindings[*binding];
            env.bind(name.clone(), object.clone());
        }
        env
    }

    /// Checks that a block's condition holds and that the right wires leave it.
    fn check_block(&self, place: usize, id: &BlockId) -> Result<(), String> {
        let number = self.path.blocks[place];
        let MethodBlock { block, leaving, .. } = &self.method.blocks[number];
        let taken = &self.path.taken[place];
        let takes = |port: Port| {
            let all = || leaving.iter().filter(|other| **other == port).count();
            taken.iter().all(|other| *other == port) && taken.len() == all()
        };
        let content = || self.method.content(number, self.world);
        let others = || Err(format!("the wrong wires leave block {id}"));
        match &**block {
            Block::Begin {} | Block::Task { .. } if takes(Port::Out) => Ok(()),
            Block::End {} if taken.is_empty() => Ok(()),
            Block::Begin {} | Block::Task { .. } | Block::End {} => others(),
            Block::Branch { condition } => {
                let port = match taken.first() {
                    Some(port @ (Port::True | Port::False)) => *port,
                    _ => return Err(format!("the Branch '{condition}' leads nowhere")),
                };
                let Some(Content::Branch(read)) = content() else {
                    return others();
                };
                let holds = self.world.holds(read, &self.env(place))?;
                if holds != (port == Port::True) {
                    return Err(format!("the Branch '{condition}' takes the other side"));
                }
                takes(port)
                    .then_some(())
                    .ok_or_else(|| format!("the wrong wires leave the Branch '{condition}'"))
            }
            Block::Choice { alternatives, .. } => {
                let mut ports = alternatives.iter().map(|a| Port::Alternative(a.id));
                ports
                    .any(takes)
                    .then_some(())
                    .ok_or_else(|| format!("Choice {id} doesn't take exactly one output"))
            }
            Block::Bind { .. } if !takes(Port::Out) => others(),
            Block::Bind { variable, .. } => {
                let binding = self.bindings.iter().find(|(block, ..)| block == id);
                let (_, name, object) = binding.ok_or("a Bind block has no binding")?;
                if *name != variable.name {
                    return Err(format!("'?{name}' is not the variable of block {id}"));
                }
                if !self.world.has_object(object, &variable.of) {
                    return Err(format!("'{object}' is not a {}", variable.of));
                }
                let Some(Content::Bind { condition, .. }) = content() else {
                    return others();
                };
                let Some(read) = condition else {
                    return Ok(());
                };
                let mut env = self.env(place);
                env.bind(name.clone(), object.clone());
                check_one(self.world, read, &env)
            }
        }
    }
}
