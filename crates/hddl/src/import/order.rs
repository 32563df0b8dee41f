//! Partial orders of tasks.

use rustc_hash::FxHashSet;

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
    let words = tasks.div_ceil(64);
    let mut reach = vec![0u64; words * tasks];
    let mut direct = vec![];
    for task in order.iter().rev() {
        let mut following = after.get(*task)?.clone();
        following.sort_by_key(|to| place.get(*to).copied());
        if stop.after(1 + words / 8) {
            return None;
        }
        let mut row = vec![0u64; words];
        for to in following {
            if row.get(to / 64)? >> (to % 64) & 1 == 1 {
                continue;
            }
            if stop.after(1 + words / 8) {
                return None;
            }
            direct.push((*task, to));
            for (own, other) in row.iter_mut().zip(reach.get(to * words..)?) {
                *own |= other;
            }
            *row.get_mut(to / 64)? |= 1 << (to % 64);
        }
        let own = reach.get_mut(task * words..(task + 1) * words)?;
        own.copy_from_slice(&row);
    }
    direct.sort();
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
