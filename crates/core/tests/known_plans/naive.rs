//! Whether a small problem has a plan at all: every state and network that can be
//! reached is listed, as it is.

use std::collections::{BTreeSet, HashMap};

use super::domain::{Call, Domain};
use super::world::State;

/// Tasks that are not done: id, task, and the ids of all that come before.
type Net = Vec<(usize, Call, BTreeSet<usize>)>;

/// There are too many states and networks to list.
#[derive(Debug)]
pub struct TooMuch;

/// A network with others in the place of a task that comes after none.
fn replaced(net: &Net, at: usize, calls: &[Call], order: &[(usize, usize)]) -> Net {
    let parent = net[at].0;
    let fresh = net.iter().map(|task| task.0 + 1).max().unwrap_or(0);
    let mut own: Net = vec![];
    for (number, call) in calls.iter().enumerate() {
        let mut earlier = BTreeSet::new();
        for (from, _) in order.iter().filter(|(_, to)| *to == number) {
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

/// Whether two networks are the same but for ids.
fn alike(a: &Net, b: &Net, pairs: &mut Vec<(usize, usize)>) -> bool {
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
        let found = alike(a, b, pairs);
        pairs.pop();
        found
    })
}

/// Whether the domain's problem has a plan.
pub fn has_plan(domain: &Domain) -> Result<bool, TooMuch> {
    let roots = domain.roots.iter().enumerate();
    let net: Net = roots
        .map(|(id, root)| (id, *root, (0..id).collect()))
        .collect();
    let mut known: HashMap<(State, Vec<Call>), Vec<Net>> = HashMap::new();
    let mut open = vec![(domain.initial.clone(), net)];
    let mut count = 0;
    while let Some((state, net)) = open.pop() {
        if net.is_empty() {
            if state.all_hold(domain, &domain.goal, &vec![]) {
                return Ok(true);
            }
            continue;
        }
        let mut calls: Vec<Call> = net.iter().map(|task| task.1).collect();
        calls.sort_unstable();
        let same = known.entry((state.clone(), calls)).or_default();
        if same.iter().any(|other| alike(&net, other, &mut vec![])) {
            continue;
        }
        same.push(net.clone());
        count += 1;
        if count > 400 || net.len() > 7 {
            return Err(TooMuch);
        }
        for (at, (id, (task, object), _)) in
            net.iter().enumerate().filter(|(_, task)| task.2.is_empty())
        {
            match domain.primitives.get(*task as usize) {
                Some(primitive) => {
                    let mut rest = net.clone();
                    rest.remove(at);
                    rest.iter_mut().for_each(|task| {
                        task.2.remove(id);
                    });
                    let next = state.after(domain, primitive, *object);
                    open.extend(next.map(|next| (next, rest)));
                }
                None => {
                    let compound = &domain.compounds[*task as usize - domain.primitives.len()];
                    for (method, _, calls) in state.ways(domain, (*task, *object)) {
                        let order = &compound.methods[method].order;
                        open.push((state.clone(), replaced(&net, at, &calls, order)));
                    }
                }
            }
        }
    }
    Ok(false)
}
