//! Partial orders of tasks.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use taskloom_document::sort::CompactSort;
use taskloom_document::stop::Stop;

/// Returns the transitive reduction of a partial order, sorted; `None` if the pairs form a cycle,
/// or if stopped. Takes O(n m / 64) steps for n tasks and m pairs.
pub fn reduced(tasks: usize, pairs: &[(usize, usize)], stop: &Stop) -> Option<Vec<(usize, usize)>> {
    let mut after: Vec<Vec<usize>> = vec![vec![]; tasks];
    let mut waits = vec![0usize; tasks];
    let mut seen = FxHashSet::default();
    for &(a, b) in pairs {
        if seen.insert((a, b)) {
            after.get_mut(a)?.push(b);
            *waits.get_mut(b)? += 1;
        }
    }
    let mut order: Vec<usize> = (0..tasks).filter(|t| waits.get(*t) == Some(&0)).collect();
    let mut next = 0;
    while let Some(task) = order.get(next).copied() {
        next += 1;
        for to in after.get(task)? {
            let waits = waits.get_mut(*to)?;
            *waits -= 1;
            if *waits == 0 {
                order.push(*to);
            }
        }
    }
    if order.len() < tasks {
        return None;
    }
    let mut place = vec![0usize; tasks];
    for (at, task) in order.iter().enumerate() {
        *place.get_mut(*task)? = at;
    }
    let mut reach = vec![FixedBitSet::new(); tasks];
    let mut direct = vec![];
    for task in order.iter().rev() {
        let mut following = after.get(*task)?.clone();
        following.compact_sort_by_key(|to| place.get(*to).copied());
        if stop.after(1 + tasks / 512) {
            return None;
        }
        let mut row = FixedBitSet::with_capacity(tasks);
        for to in following {
            if row.contains(to) {
                continue;
            }
            if stop.after(1 + tasks / 512) {
                return None;
            }
            direct.push((*task, to));
            row.union_with(reach.get(to)?);
            row.grow_and_insert(to);
        }
        *reach.get_mut(*task)? = row;
    }
    direct.compact_sort();
    Some(direct)
}

/// Returns `true` if each task directly follows only the one before.
pub fn is_sequence(tasks: usize, direct: &[(usize, usize)]) -> bool {
    direct.len() == tasks.saturating_sub(1)
        && direct
            .iter()
            .enumerate()
            .all(|(n, pair)| *pair == (n, n + 1))
}
