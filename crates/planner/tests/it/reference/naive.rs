//! The naive planner: no text, no compiled form, no cache of failures. It recurses, copies
//! everything, and backtracks only if a state and network repeat.

use std::collections::BTreeMap;

use super::facts::{Env, State, after, all_hold, atom, holds, object};
use crate::network::{self, Call, Net, TooMuch, alike, in_sequence};
use testkit::networks::{Arg, Block, Compound, Domain, OBJECTS, PRIMITIVES, Test};

/// The number of the first task that stands for one time of a block that repeats while a test is true;
/// the others follow by compound task and block.
const WHILE: u8 = 100;

/// The number of blocks of a compound task for which there are such numbers.
const BLOCKS: u8 = 16;

/// A block, the number of its output, and the block that follows.
type Wire = (usize, u8, usize);

/// The present wires, and the tasks by block, each with `true` if it is in the background.
type Resolution = (Vec<Wire>, Vec<(usize, Call, bool)>);

type Node = (State, Net);

/// The first plan, if there is one.
pub type Found = Result<Option<Vec<Call>>, TooMuch>;

fn leads(wires: &[Wire], from: usize, to: usize) -> bool {
    let mut leaving = wires.iter().filter(|wire| wire.0 == from);
    leaving.any(|wire| wire.2 == to || leads(wires, wire.2, to))
}

/// Returns the blocks in the order of resolution; of those that wait for none, the one first
/// reached comes first.
fn order(wires: &[Wire]) -> Vec<usize> {
    let (mut met, mut next) = (vec![0], 0);
    while next < met.len() {
        for &(from, _, to) in wires {
            if from == met[next] && !met.contains(&to) {
                met.push(to);
            }
        }
        next += 1;
    }
    let waits = |met: &[usize], block| wires.iter().any(|w| w.2 == block && met.contains(&w.0));
    let first = |met: &[usize]| met.iter().position(|block| !waits(met, *block));
    std::iter::from_fn(|| first(&met).map(|at| met.remove(at))).collect()
}

/// Returns the outputs by which a block is left, with the object that is bound, or the argument of
/// its task.
fn ways(compound: &Compound, block: usize, state: &State, mut env: Env) -> Vec<(u8, Option<u8>)> {
    env.1.retain(|bind, _| leads(&compound.wires, *bind, block));
    match block.checked_sub(1).map(|n| &compound.blocks[n]) {
        None => vec![(0, None)],
        Some(Block::Choice(outputs)) => (0..*outputs).map(|output| (output, None)).collect(),
        Some(Block::Task(_, arg, ..) | Block::While(_, arg, ..)) => {
            Vec::from_iter(object(*arg, &env).map(|o| (0, Some(o))))
        }
        Some(Block::Branch(test)) => {
            let output = holds(*test, state, &env).map(|is| u8::from(!is));
            let goes_on = |o: &u8| compound.wires.iter().any(|w| (w.0, w.1) == (block, *o));
            Vec::from_iter(output.filter(goes_on).map(|output| (output, None)))
        }
        Some(Block::Bind(test)) => {
            let fits = |object: &u8| {
                env.1.insert(block, *object);
                holds(*test, state, &env) == Some(true)
            };
            let objects = (0..OBJECTS).filter(fits);
            objects.map(|object| (0, Some(object))).collect()
        }
    }
}

/// Returns all resolutions of the flowchart of a compound task, in the designer's order.
fn resolve(domain: &Domain, number: u8, state: &State, param: u8) -> Vec<Resolution> {
    let compound = &domain.compounds[number as usize];
    // The present wires, and the objects by block.
    let mut found: Vec<(Vec<Wire>, BTreeMap<usize, u8>)> = vec![Default::default()];
    let order = order(&compound.wires);
    for &block in &order {
        let mut next = vec![];
        for (wires, objects) in found {
            if block > 0 && !wires.iter().any(|wire| wire.2 == block) {
                next.push((wires, objects));
                continue;
            }
            for (output, object) in ways(compound, block, state, (param, objects.clone())) {
                let (mut wires, mut objects) = (wires.clone(), objects.clone());
                let all = compound.wires.iter();
                wires.extend(all.filter(|wire| (wire.0, wire.1) == (block, output)));
                objects.extend(object.map(|object| (block, object)));
                next.push((wires, objects));
            }
        }
        found = next;
    }
    let task = |block: usize, object: u8| match compound.blocks.get(block.checked_sub(1)?)? {
        Block::Task(task, _, times, is_background) => {
            let call = (block, (*task, object), *is_background);
            Some(std::iter::repeat_n(call, usize::from(*times)))
        }
        Block::While(_, _, times, _) => {
            let guarded = WHILE + number * BLOCKS + block as u8;
            let call = (block, (guarded, object), false);
            Some(std::iter::repeat_n(call, usize::from(*times)))
        }
        _ => None,
    };
    let called = |block: &usize, objects: &BTreeMap<_, _>| task(*block, *objects.get(block)?);
    let tasks = |objects| {
        let called = order.iter().filter_map(|block| called(block, &objects));
        called.flatten().collect()
    };
    let resolution = |(wires, objects)| (wires, tasks(objects));
    found.into_iter().map(resolution).collect()
}

/// Returns a network in which a task is replaced by its resolution.
fn replaced(net: &Net, at: usize, (wires, tasks): &Resolution) -> Net {
    let own = tasks.iter().enumerate().map(|(own, (block, call, _))| {
        let others = tasks.iter().enumerate();
        let before = others.filter(|(number, (other, _, is_background))| {
            // A block that repeats comes before itself; nothing else waits for one in the background.
            !is_background && leads(wires, *other, *block) || other == block && *number < own
        });
        (*call, before.map(|(number, _)| number).collect())
    });
    network::replaced(net, at, &own.collect::<Vec<_>>())
}

/// Returns the results of doing a task: the state after it, and what replaces it.
fn ways_of(domain: &Domain, state: &State, call: Call) -> Vec<(State, Resolution)> {
    let env = (call.1, BTreeMap::new());
    if let Some(guarded) = call.0.checked_sub(WHILE) {
        let block = usize::from(guarded % BLOCKS);
        let compound = &domain.compounds[usize::from(guarded / BLOCKS)];
        let Block::While(task, _, _, test) = compound.blocks[block - 1] else {
            panic!("a block that repeats while a test is true");
        };
        // The test is about the argument, whatever the block's method calls it.
        let test = match test {
            Test::Of(fact, _, is) => Test::Of(fact, Arg::Param, is),
            other => other,
        };
        let tasks = match holds(test, state, &env) {
            Some(true) => vec![(block, (task, call.1), false)],
            _ => vec![],
        };
        return vec![(state.clone(), (vec![], tasks))];
    }
    let (needs, ways) = match domain.primitives.get(call.0 as usize) {
        Some(task) => {
            let next = after(task, state, &env).map(|next| (next, Resolution::default()));
            (&task.needs, Vec::from_iter(next))
        }
        None => {
            let number = call.0 - PRIMITIVES;
            let task = &domain.compounds[number as usize];
            let found = resolve(domain, number, state, call.1).into_iter();
            (&task.needs, found.map(|r| (state.clone(), r)).collect())
        }
    };
    if all_hold(needs, state, &env) {
        ways
    } else {
        vec![]
    }
}

/// Returns the first plan from a state and network, given those on the path to them.
fn seek(domain: &Domain, here: &Node, way: &[Node], calls: &mut usize) -> Found {
    let (state, net) = here;
    if net.is_empty() {
        let goal = all_hold(domain.goal.as_slice(), state, &Env::default());
        return Ok(goal.then(Vec::new));
    }
    *calls += 1;
    if *calls > 500 || way.len() > 40 || net.len() > 7 {
        return Err(TooMuch);
    }
    if way.iter().any(|(s, n)| s == state && alike(n, net)) {
        return Ok(None);
    }
    let way = [way, std::slice::from_ref(here)].concat();
    for (at, (_, call, _)) in net.iter().enumerate().filter(|(_, task)| task.2.is_empty()) {
        for (next, resolution) in ways_of(domain, state, *call) {
            let next = (next, replaced(net, at, &resolution));
            if let Some(mut steps) = seek(domain, &next, &way, calls)? {
                steps.splice(0..0, (call.0 < PRIMITIVES).then_some(*call));
                return Ok(Some(steps));
            }
        }
    }
    Ok(None)
}

/// Returns the first plan of a domain, if there is one and the budget suffices.
pub fn naive(domain: &Domain) -> Found {
    let initial = domain.initial.iter();
    let initial = initial.filter_map(|test| Some(atom(*test, &Env::default())?.0));
    let start = ((initial.collect(), 0), in_sequence(&domain.roots));
    seek(domain, &start, &[], &mut 0)
}
