//! Whether a decomposition is a resolution of its flowchart, with its conditions
//! true in the state.

use super::super::{Decomposed, Node, Plan, World};
use super::method::{BlockText, Method, MethodBlock, Methods};
use super::{bind, check_all, decomposition, ground};
use crate::document::{Block, BlockId, Name, Port};
use crate::lang::Env;

/// The part of a flowchart that a decomposition states.
struct Path<'p, 'a> {
    method: &'p Method<'a>,
    /// The numbers of its blocks.
    blocks: Vec<usize>,
    /// The place of each block of the flowchart among those.
    places: Vec<Option<usize>>,
    /// By place, the output of each wire taken.
    taken: Vec<Vec<Port>>,
    /// By place, what a Bind block bound to its variable.
    bound: Vec<Option<(&'p Name, &'p Name)>>,
}

/// A decomposition that is being checked.
struct Checked<'p, 'a, 'w> {
    world: &'p World<'w>,
    path: Path<'p, 'a>,
    /// The task's arguments.
    env: Env,
}

/// Checks the decomposition of a node in the state in which it was made.
pub fn check(methods: &Methods, world: &World, plan: &Plan, node: &Node) -> Result<(), String> {
    let name = &node.task.task;
    let (Some(task), Some(method)) = (world.compound(&node.task), methods.get(name)) else {
        return Err(format!("'{name}' is no compound task"));
    };
    let decomposed = decomposition(node).ok_or("it was not decomposed")?;
    let env = bind(world, task.params, &node.task)?;
    check_all(world, &task.preconditions, &env)?;
    let method = method.as_ref().map_err(|why| *why)?;
    let path = Path::new(method, decomposed)?;
    let checked = Checked { world, path, env };
    for (place, id) in decomposed.blocks.iter().enumerate() {
        checked.check_block(place, id)?;
    }
    let mut children = decomposed.children.iter();
    for (block, id) in checked.path.blocks.iter().zip(&decomposed.blocks) {
        let Block::Task { call: text } = method.blocks[*block].block else {
            continue;
        };
        let child = children.next().and_then(|c| plan.nodes.get(*c));
        let child = child.ok_or_else(|| format!("block {id} has no subtask"))?;
        let BlockText::Call(Some(call)) = method.text(*block, world) else {
            return Err(format!("'{}' cannot be read", text.trim()));
        };
        let wanted = ground(world, call, &checked.env(*block))?;
        if child.task != wanted || child.block.as_ref() != Some(id) {
            return Err(format!("'{}' stands where '{wanted}' belongs", child.task));
        }
    }
    match children.next() {
        Some(_) => Err("it has a subtask without a block".to_owned()),
        None => Ok(()),
    }
}

impl<'p, 'a> Path<'p, 'a> {
    /// The path, if blocks and wires hang together, from Begin on.
    fn new(method: &'p Method<'a>, stated: &'p Decomposed) -> Result<Self, String> {
        let mut path = Self {
            method,
            blocks: vec![],
            places: vec![None; method.blocks.len()],
            taken: vec![vec![]; stated.blocks.len()],
            bound: vec![None; stated.blocks.len()],
        };
        for (place, id) in stated.blocks.iter().enumerate() {
            if let Some(block) = method.number(id) {
                path.places[block].get_or_insert(place);
            }
        }
        let mut entered = vec![false; stated.blocks.len()];
        let mut used = vec![0; method.wires.len()];
        for wire in &stated.wires {
            let first = method.wires.partition_point(|(other, ..)| *other < wire);
            let alike = method.wires[first..].iter();
            let alike = alike.take_while(|(other, ..)| *other == wire).count();
            let Some((_, from, to)) = method.wires.get(first).filter(|_| alike > 0) else {
                return Err(format!("there is no wire '{wire}'"));
            };
            used[first] += 1;
            if used[first] > alike {
                return Err(format!("the wire '{wire}' is there twice"));
            }
            match (path.places[*from], path.places[*to]) {
                (Some(from), Some(to)) if from < to => {
                    path.taken[from].push(wire.port);
                    entered[to] = true;
                }
                _ => {
                    return Err(format!(
                        "the wire '{wire}' does not join two blocks in order"
                    ));
                }
            }
        }
        for (place, id) in stated.blocks.iter().enumerate() {
            let block = method.number(id);
            if block.is_some_and(|block| path.places[block] != Some(place)) {
                return Err(format!("block {id} is there twice"));
            }
            let block = block.filter(|block| *block == method.begin || entered[place]);
            path.blocks
                .push(block.ok_or_else(|| format!("no wire leads to block {id}"))?);
        }
        if path.places[method.begin].is_none() {
            return Err("Begin is missing".to_owned());
        }
        let mut bindings = stated.bindings.iter();
        let fits = path.blocks.iter().enumerate().all(|(place, block)| {
            let block = &method.blocks[*block];
            if !matches!(block.block, Block::Bind { .. }) {
                return true;
            }
            let binding = bindings.next().filter(|(id, ..)| id == block.id);
            path.bound[place] = binding.map(|(_, name, object)| (name, object));
            binding.is_some()
        });
        if !fits || bindings.next().is_some() {
            return Err("the bindings are not those of its Bind blocks".to_owned());
        }
        Ok(path)
    }
}

impl Checked<'_, '_, '_> {
    /// What the variables at a block stand for.
    fn env(&self, block: usize) -> Env {
        let path = &self.path;
        let mut env = self.env.clone();
        for bind in &path.method.blocks[block].binds {
            let bound = path.places[*bind].and_then(|place| path.bound[place]);
            if let Some((name, object)) = bound {
                env.bind(name.clone(), object.clone());
            }
        }
        env
    }

    /// Whether a block's condition holds and the right wires leave it.
    fn check_block(&self, place: usize, id: &BlockId) -> Result<(), String> {
        let path = &self.path;
        let number = path.blocks[place];
        let MethodBlock { block, leaving, .. } = &path.method.blocks[number];
        let taken = &path.taken[place];
        let takes = |port: Port| {
            let all = || leaving.iter().filter(|other| **other == port).count();
            taken.iter().all(|other| *other == port) && taken.len() == all()
        };
        let text = || path.method.text(number, self.world);
        match block {
            Block::Begin {} | Block::Task { .. } if takes(Port::Out) => Ok(()),
            Block::End {} if taken.is_empty() => Ok(()),
            Block::Branch { condition } => {
                let port = match taken.first() {
                    Some(port @ (Port::True | Port::False)) => *port,
                    _ => return Err(format!("the Branch '{condition}' leads nowhere")),
                };
                let BlockText::Condition(read) = text() else {
                    return Ok(());
                };
                let holds = self.world.holds(read, &self.env(number))?;
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
            Block::Bind { variable, .. } if takes(Port::Out) => {
                let (name, object) = path.bound[place].ok_or("a Bind block without binding")?;
                if *name != variable.name {
                    return Err(format!("'?{name}' is not the variable of block {id}"));
                }
                if !self.world.has_object(object, &variable.of) {
                    return Err(format!("'{object}' is no {}", variable.of));
                }
                let BlockText::Condition(read) = text() else {
                    return Ok(());
                };
                let mut env = self.env(number);
                env.bind(name.clone(), object.clone());
                check_all(self.world, std::slice::from_ref(read), &env)
            }
            _ => Err(format!("other wires leave block {id}")),
        }
    }
}
