//! Unordered tasks put in sequence. Most partially ordered problems have plans
//! that do one task after the other; looking for those first spares the search
//! all interleavings, and lets more preconditions be pulled up (Wu et al. 2022,
//! on linearising HTN problems). What is not found that way may still exist.

use rustc_hash::FxHashMap;

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
                _ if model.problem.stop().is_heard() => (0..method.subtasks.len() as u32).collect(),
                0 => by_wishes(model, method, &touched, &needs),
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

fn by_wishes(model: &Model, method: &Method, touched: &[Touched], needs: &[Vec<Cond>]) -> Vec<u32> {
    // Tasks of one kind wish the same, and nothing of each other.
    let tasks: Vec<u32> = method.subtasks.iter().map(|s| s.task).collect();
    let mut kinds = tasks.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = |place: usize| kinds.partition_point(|kind| *kind < tasks[place]);
    let of: Vec<usize> = (0..tasks.len()).map(kind).collect();
    let stop = model.problem.stop();
    let wishes = |first: usize, second: usize| {
        let (first, second) = (kinds[first] as usize, kinds[second] as usize);
        stop.after(needs[first].len() + needs[second].len());
        let helps = |need: &&Cond| touched[first].may_bring_about(need);
        let destroys = |need: &&Cond| touched[second].may_destroy(need);
        let helped = needs[second].iter().filter(helps).count();
        (helped + needs[first].iter().filter(destroys).count()) as i64
    };
    let mut known: FxHashMap<(usize, usize), i64> = FxHashMap::default();
    let mut against = |other: usize, candidate: usize| {
        let make = || wishes(other, candidate) - wishes(candidate, other);
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
