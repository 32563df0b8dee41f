//! Unordered tasks put in sequence. Most partially ordered problems have plans
//! that do one task after the other; looking for those first spares the search
//! all interleavings, and lets more preconditions be pulled up (Wu et al. 2022,
//! on linearising HTN problems). What is not found that way may still exist.

use super::hoist::{Touched, needs};
use super::model::{Cond, Method, Model};

/// A model whose methods are sequences, and where each of their subtasks stands
/// in the method that it was made from.
#[derive(Debug)]
pub struct Linear {
    /// The model.
    pub model: Model,
    /// By method: the place in the original for each place in the sequence.
    pub places: Vec<Vec<u32>>,
}

impl Linear {
    /// Puts the subtasks of every method in sequence. Seed 0 lets tasks that
    /// bring something about come before those that need it, and those that need
    /// something before those that destroy it; other seeds shuffle.
    pub fn new(model: &Model, seed: u32) -> Self {
        let touched = Touched::of_tasks(model);
        let needs = needs(model);
        let mut linear = model.clone();
        let mut places = vec![];
        for (number, method) in (0u32..).zip(&mut linear.methods) {
            if method.is_sequence {
                places.push((0..method.subtasks.len() as u32).collect());
                continue;
            }
            let sequence = match seed {
                0 => by_wishes(method, &touched, &needs),
                seed => shuffled(method, seed ^ number.wrapping_mul(0x9e37_79b9)),
            };
            method.subtasks = sequence
                .iter()
                .map(|place| method.subtasks[*place as usize].clone())
                .collect();
            let last = (sequence.len() as u32).saturating_sub(1);
            method.order = (0..last).map(|n| (n, n + 1)).collect();
            method.is_sequence = true;
            places.push(sequence);
        }
        Self {
            model: linear,
            places,
        }
    }
}

/// Places the subtasks one by one, of those that wait for none the one that
/// `choose` picks.
fn sequence(method: &Method, mut choose: impl FnMut(&[u32], &[bool]) -> usize) -> Vec<u32> {
    let count = method.subtasks.len();
    let mut waits = vec![0u32; count];
    for (_, to) in &method.order {
        waits[*to as usize] += 1;
    }
    let mut placed = vec![false; count];
    let mut ready: Vec<u32> = (0..count as u32)
        .filter(|n| waits[*n as usize] == 0)
        .collect();
    let mut sequence = vec![];
    while !ready.is_empty() {
        let next = ready.remove(choose(&ready, &placed));
        placed[next as usize] = true;
        sequence.push(next);
        for (_, to) in method.order.iter().filter(|(from, _)| *from == next) {
            waits[*to as usize] -= 1;
            if waits[*to as usize] == 0 {
                let at = ready.partition_point(|other| other < to);
                ready.insert(at, *to);
            }
        }
    }
    sequence
}

fn shuffled(method: &Method, seed: u32) -> Vec<u32> {
    let mut random = seed | 1;
    sequence(method, |ready, _| {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random as usize % ready.len()
    })
}

fn by_wishes(method: &Method, touched: &[Touched], needs: &[Vec<Cond>]) -> Vec<u32> {
    let tasks: Vec<usize> = method.subtasks.iter().map(|s| s.task as usize).collect();
    let wishes = |first: usize, second: usize| {
        let helps = |need: &&Cond| touched[tasks[first]].may_bring_about(need);
        let destroys = |need: &&Cond| touched[tasks[second]].may_destroy(need);
        needs[tasks[second]].iter().filter(helps).count()
            + needs[tasks[first]].iter().filter(destroys).count()
    };
    sequence(method, |ready, placed| {
        // Tasks of one kind wish the same of each other.
        let against = |candidate: u32| {
            let others = (0..tasks.len()).filter(|n| !placed[*n]);
            let others = others.filter(|n| tasks[*n] != tasks[candidate as usize]);
            let wishes = others.map(|n| {
                let candidate = candidate as usize;
                wishes(n, candidate) as i64 - wishes(candidate, n) as i64
            });
            wishes.sum::<i64>()
        };
        let best = (0..ready.len()).min_by_key(|n| against(ready[*n]));
        best.unwrap_or(0)
    })
}
