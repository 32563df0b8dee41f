//! Plain task networks, which naive planners rewrite and compare.

use std::collections::BTreeSet;

/// A task, by number, and its object.
pub type Call = (u8, u8);

/// The tasks that are not done, in the designer's order: id, task, and the ids of all predecessors.
pub type Net = Vec<(usize, Call, BTreeSet<usize>)>;

/// There is too much to list.
#[derive(Debug)]
pub struct TooMuch;

/// Returns a network of tasks in sequence.
pub fn in_sequence(calls: &[Call]) -> Net {
    let calls = calls.iter().enumerate();
    calls
        .map(|(id, call)| (id, *call, (0..id).collect()))
        .collect()
}

/// Returns a network in which others replace a task without predecessors; each has the indices of
/// its predecessors among them, which come before it.
pub fn replaced(net: &Net, at: usize, tasks: &[(Call, Vec<usize>)]) -> Net {
    let parent = net[at].0;
    let fresh = net.iter().map(|task| task.0 + 1).max().unwrap_or(0);
    let mut own: Net = vec![];
    for (number, (call, before)) in tasks.iter().enumerate() {
        let mut earlier = BTreeSet::new();
        for from in before {
            earlier.extend(own[*from].2.iter().copied());
            earlier.insert(fresh + from);
        }
        own.push((fresh + number, *call, earlier));
    }
    let ids: Vec<usize> = own.iter().map(|task| task.0).collect();
    let mut next = net.clone();
    next.splice(at..=at, own);
    for (_, _, earlier) in &mut next {
        if earlier.remove(&parent) {
            earlier.extend(&ids);
        }
    }
    next
}

/// Returns `true` if two networks are equal except for ids and the designer's order.
pub fn alike(a: &Net, b: &Net) -> bool {
    extends(a, b, &mut vec![])
}

/// Returns `true` if a partial matching, of the first network's tasks in order, can be completed.
fn extends(a: &Net, b: &Net, pairs: &mut Vec<(usize, usize)>) -> bool {
    let Some((id, call, earlier)) = a.get(pairs.len()) else {
        return a.len() == b.len();
    };
    b.iter().any(|(other, other_call, other_earlier)| {
        let fits = |(p, q): &(usize, usize)| {
            let later = |net: &Net, i: usize, j| net.iter().any(|t| t.0 == i && t.2.contains(j));
            q != other
                && earlier.contains(p) == other_earlier.contains(q)
                && later(a, *p, id) == later(b, *q, other)
        };
        if call != other_call || !pairs.iter().all(fits) {
            return false;
        }
        pairs.push((*id, *other));
        let found = extends(a, b, pairs);
        pairs.pop();
        found
    })
}
