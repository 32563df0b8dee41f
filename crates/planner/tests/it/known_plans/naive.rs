//! Decides whether a small problem has a plan, by listing every reachable state and network.

use std::collections::HashMap;

use super::domain::{Call, Domain};
use super::world::State;
use crate::network::{Net, TooMuch, alike, in_sequence, replaced};

/// Returns `true` if the domain's problem has a plan.
pub fn has_plan(domain: &Domain) -> Result<bool, TooMuch> {
    let net = in_sequence(&domain.roots);
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
        if same.iter().any(|other| alike(&net, other)) {
            continue;
        }
        same.push(net.clone());
        count += 1;
        if count > 400 || net.len() > 7 {
            return Err(TooMuch);
        }
        for (at, (_, (task, object), _)) in
            net.iter().enumerate().filter(|(_, task)| task.2.is_empty())
        {
            match domain.primitives.get(*task as usize) {
                Some(primitive) => {
                    let next = state.after(domain, primitive, *object);
                    open.extend(next.map(|next| (next, replaced(&net, at, &[]))));
                }
                None => {
                    let compound = &domain.compounds[*task as usize - domain.primitives.len()];
                    for (method, _, calls) in state.ways(domain, (*task, *object)) {
                        let order = &compound.methods[method].order;
                        let before = |number| {
                            let wires = order.iter().filter(move |(_, to)| *to == number);
                            wires.map(|(from, _)| *from).collect()
                        };
                        let calls = calls.iter().enumerate();
                        let tasks: Vec<(Call, Vec<usize>)> = calls
                            .map(|(number, call)| (*call, before(number)))
                            .collect();
                        open.push((state.clone(), replaced(&net, at, &tasks)));
                    }
                }
            }
        }
    }
    Ok(false)
}
