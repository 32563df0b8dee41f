//! Numbers for what is left: atoms that change and are asked for, actions,
//! compound tasks with their methods.

use rustc_hash::FxHashMap;

use super::super::model::Model;
use super::condition::{Literal, Need};
use super::draft::{Draft, DraftTask, GOAL};
use super::fixpoint::Fixpoint;
use super::prune::Left;
use super::relation::NONE;
use super::{Conditional, Ground};

/// Numbers what is left of a draft.
pub fn number(
    model: &Model,
    fixpoint: &Fixpoint,
    draft: &Draft,
    left: &Left,
    initial: &[bool],
) -> Ground {
    let atoms = asked_atoms(draft, left);
    let literal = |literal: Literal| {
        let atom = literal as usize >> 1;
        match left.may_be[atom] {
            // What has no number is asked for by nothing that is left.
            [true, true] => Ok(atoms[atom] << 1 | literal & 1),
            [may_hold, _] => Err(may_hold == (literal & 1 == 0)),
        }
    };
    let mut ground = Ground {
        atoms: atoms.iter().filter(|a| **a != NONE).count() as u32,
        is_total: true,
        ..Ground::default()
    };
    ground.initial = vec![0; ground.atoms.div_ceil(32) as usize];
    for (atom, _) in atoms
        .iter()
        .zip(initial)
        .filter(|(a, i)| **a != NONE && **i)
    {
        ground.initial[*atom as usize / 32] |= 1 << (atom % 32);
    }
    let numbers = task_numbers(draft, left, &mut ground);
    let mut order: Vec<u32> = (0..draft.tasks.len() as u32).collect();
    order.retain(|t| numbers[*t as usize] != NONE);
    order.sort_unstable_by_key(|t| numbers[*t as usize]);
    for task in &order {
        let task = &draft.tasks[*task as usize];
        name(model, fixpoint, task, &mut ground);
        let Some(action) = &task.action else { continue };
        let need = action.need.as_ref().and_then(|n| n.replaced(&literal));
        push_need(&mut ground, need.unwrap_or_default());
        let (mut adds, mut deletes, mut conditional) = (vec![], vec![], vec![]);
        for change in &action.changes {
            let atom = atoms[change.atom as usize];
            let when = change.when.replaced(&literal);
            let Some(when) = when.filter(|_| atom != NONE) else {
                continue;
            };
            if when == Need::default() {
                if change.add { &mut adds } else { &mut deletes }.push(atom);
            } else {
                conditional.push(ground.conditionals.len() as u32);
                ground.conditionals.push(Conditional {
                    when,
                    add: change.add,
                    atom,
                });
            }
        }
        for list in [&mut adds, &mut deletes] {
            list.sort_unstable();
            list.dedup();
        }
        deletes.retain(|d| adds.binary_search(d).is_err());
        ground.adds.push(&adds);
        ground.deletes.push(&deletes);
        ground.conditional.push(&conditional);
    }
    methods(
        model,
        fixpoint,
        draft,
        left,
        &numbers,
        &literal,
        &mut ground,
    );
    ground.roots = draft.roots.iter().map(|r| numbers[*r as usize]).collect();
    ground
}

/// The number of each atom that may be both true and false and that something
/// left needs; [`NONE`] of the others.
fn asked_atoms(draft: &Draft, left: &Left) -> Vec<u32> {
    let mut asked = vec![false; left.may_be.len()];
    let mut ask = |literal: Literal| asked[literal as usize >> 1] = true;
    for (task, _) in draft.tasks.iter().zip(&left.tasks).filter(|(_, l)| **l) {
        let Some(action) = &task.action else { continue };
        action.need.iter().for_each(|n| n.each_literal(&mut ask));
        let whens = action.changes.iter().map(|c| &c.when);
        whens.for_each(|n| n.each_literal(&mut ask));
    }
    for (method, _) in draft.methods.iter().zip(&left.methods).filter(|(_, l)| **l) {
        method.need.each_literal(&mut ask);
    }
    let mut next = 0;
    let numbered = asked.iter().zip(&left.may_be);
    numbered
        .map(|(asked, may_be)| {
            if *asked && *may_be == [true, true] {
                next += 1;
                next - 1
            } else {
                NONE
            }
        })
        .collect()
}

/// Actions first, then compound tasks.
fn task_numbers(draft: &Draft, left: &Left, ground: &mut Ground) -> Vec<u32> {
    let mut numbers = vec![NONE; draft.tasks.len()];
    for actions in [true, false] {
        for (number, task) in draft.tasks.iter().enumerate() {
            if left.tasks[number] && task.action.is_some() == actions {
                numbers[number] = ground.tasks;
                ground.tasks += 1;
            }
        }
        if actions {
            ground.actions = ground.tasks;
        }
    }
    numbers
}

fn name(model: &Model, fixpoint: &Fixpoint, task: &DraftTask, ground: &mut Ground) {
    let mut name = vec![task.task];
    if task.task != GOAL && (task.task as usize) < model.tasks.len() {
        let done = fixpoint.program.done[task.task as usize];
        name.extend(fixpoint.relations[done as usize].tuple(task.tuple));
    }
    ground.names.push(&name);
}

fn push_need(ground: &mut Ground, need: Need) {
    ground.needs.push(&need.literals);
    let first = ground.trees.len() as u32;
    ground.trees.extend(need.rest);
    let rest: Vec<u32> = (first..ground.trees.len() as u32).collect();
    ground.rests.push(&rest);
}

/// The methods of each compound task, in the model's order. Of instances with
/// the same condition and network the first is enough.
fn methods(
    model: &Model,
    fixpoint: &Fixpoint,
    draft: &Draft,
    left: &Left,
    numbers: &[u32],
    literal: &impl Fn(Literal) -> Result<Literal, bool>,
    ground: &mut Ground,
) {
    let kept = (0..draft.methods.len() as u32).filter(|m| left.methods[*m as usize]);
    let mut order: Vec<u32> = kept.collect();
    let key = |m: &u32| {
        let method = &draft.methods[*m as usize];
        (numbers[method.task as usize], method.method, *m)
    };
    order.sort_unstable_by_key(key);
    let mut seen: FxHashMap<(Vec<u32>, Need, Option<u32>), ()> = FxHashMap::default();
    let mut task = ground.actions;
    ground.first_method.push(0);
    for number in order {
        let method = &draft.methods[number as usize];
        let of = numbers[method.task as usize];
        while task < of {
            task += 1;
            ground.first_method.push(ground.task_of.len() as u32);
            seen.clear();
        }
        // No literal that is left is false.
        let Some(need) = method.need.replaced(literal) else {
            continue;
        };
        let subtasks = draft.subtasks.row(number).iter();
        let subtasks: Vec<u32> = subtasks.map(|t| numbers[*t as usize]).collect();
        let lifted = &model.methods[method.method as usize];
        let order = (!lifted.is_sequence).then_some(method.method);
        if seen
            .insert((subtasks.clone(), need.clone(), order), ())
            .is_some()
        {
            continue;
        }
        ground.is_total &= lifted.is_sequence;
        ground.task_of.push(of);
        ground.method_of.push(method.method);
        ground.subtasks.push(&subtasks);
        push_need(ground, need);
        let instances = fixpoint.program.instances[method.method as usize];
        let instance = instances.map(|i| fixpoint.relations[i as usize].tuple(method.tuple));
        ground.objects.push(instance.unwrap_or(&[]));
    }
    while task < ground.tasks {
        task += 1;
        ground.first_method.push(ground.task_of.len() as u32);
    }
}
