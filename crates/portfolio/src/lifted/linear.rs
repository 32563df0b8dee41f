//! Linearizes unordered tasks. Most partially ordered problems have plans that do one task after
//! the other; looking for those first avoids searching all interleavings, and allows more
//! preconditions to be hoisted (Wu et al. 2022, on linearising HTN problems). Plans not found this
//! way may still exist.

use rustc_hash::FxHashMap;

use super::condition::Condition;
use super::hoist::{Changes, needs};
use super::model::{Method, Model};

/// A model whose methods are sequences, with the original position of each of their subtasks.
#[derive(Debug)]
pub struct Linear {
    /// The model.
    pub model: Model,
    /// By method: the original position of each position in the sequence.
    pub places: Vec<Vec<u32>>,
}

impl Linear {
    /// Linearizes the subtasks of every method. Seed 0 places tasks that achieve something before
    /// those that need it, and those that need something before those that destroy it; other seeds
    /// shuffle.
    pub fn new(model: &Model, seed: u32) -> Self {
        let changes = Changes::of_tasks(model);
        let needs = needs(model);
        let mut linear = model.clone();
        let mut places = vec![];
        for (number, method) in (0u32..).zip(&mut linear.methods) {
            if method.is_sequence {
                places.push((0..method.subtasks.len() as u32).collect());
                continue;
            }
            let sequence = match seed {
                _ if model.problem.stop().is_cancelled() => {
                    (0..method.subtasks.len() as u32).collect()
                }
                0 => order_by_threats(model, method, &changes, &needs),
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

/// Orders the subtasks one by one; `choose` picks among those without open predecessors.
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

fn order_by_threats(
    model: &Model,
    method: &Method,
    changes: &[Changes],
    needs: &[Vec<Condition>],
) -> Vec<u32> {
    // Tasks of the same kind have the same preferences, and none regarding each other.
    let tasks: Vec<u32> = method.subtasks.iter().map(|s| s.task).collect();
    let mut kinds = tasks.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = |place: usize| kinds.partition_point(|kind| *kind < tasks[place]);
    let of: Vec<usize> = (0..tasks.len()).map(kind).collect();
    let stop = model.problem.stop();
    let preferences = |first: usize, second: usize| {
        let (first, second) = (kinds[first] as usize, kinds[second] as usize);
        stop.after(needs[first].len() + needs[second].len());
        let helps = |need: &&Condition| changes[first].may_achieve(need);
        let destroys = |need: &&Condition| changes[second].may_destroy(need);
        let helped = needs[second].iter().filter(helps).count();
        (helped + needs[first].iter().filter(destroys).count()) as i64
    };
    let mut known: FxHashMap<(usize, usize), i64> = FxHashMap::default();
    let mut against = |other: usize, candidate: usize| {
        let make = || preferences(other, candidate) - preferences(candidate, other);
        *known.entry((other, candidate)).or_insert_with(make)
    };
    sequence(method, |ready, placed| {
        if stop.after(tasks.len()) {
            return 0;
        }
        let mut left = vec![0i64; kinds.len()];
        for place in (0..tasks.len()).filter(|place| !placed[*place]) {
            left[of[place]] += 1;
        }
        let mut sums: Vec<Option<i64>> = vec![None; kinds.len()];
        let mut sum = |candidate: usize| {
            *sums[candidate].get_or_insert_with(|| {
                let others = (0..kinds.len()).filter(|k| left[*k] > 0 && *k != candidate);
                others.map(|k| left[k] * against(k, candidate)).sum()
            })
        };
        let best = (0..ready.len()).min_by_key(|n| sum(of[ready[*n] as usize]));
        best.unwrap_or(0)
    })
}
