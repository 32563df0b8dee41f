//! Cycles of names that call each other.

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::Name;

/// Maximum number of calls followed to find the way back to a name; nobody reads all the names of
/// longer cycles.
const MAX_FOLLOWED: usize = 200;

/// Numbered names, the calls of each, and the cycles that the calls form.
#[derive(Debug)]
pub(crate) struct CallCycles {
    numbers: FxHashMap<Name, usize>,
    names: Vec<Name>,
    called: Vec<Vec<usize>>,
    /// The strongly connected component of each name.
    components: Vec<usize>,
}

impl CallCycles {
    /// Finds the cycles of these names; `calls` returns the names that each calls, the last first.
    pub fn new<'n>(
        names: impl Iterator<Item = &'n Name>,
        calls: impl Fn(&Name) -> Vec<Name>,
    ) -> Self {
        let names: Vec<Name> = names.cloned().collect();
        let numbers: FxHashMap<Name, usize> = names.iter().cloned().zip(0..).collect();
        let called = names.iter().map(|name| {
            let called = calls(name).into_iter().rev();
            called
                .filter_map(|name| numbers.get(&name).copied())
                .collect()
        });
        let called: Vec<Vec<usize>> = called.collect();
        Self {
            components: components(&called),
            numbers,
            names,
            called,
        }
    }

    /// Returns the names through which one calls itself, in order, itself last; `None` if it
    /// doesn't. If the cycle is long, only the first name is returned.
    pub fn back_to(&self, name: &Name) -> Option<Vec<Name>> {
        let own = *self.numbers.get(name)?;
        let on_circle = |from: usize| {
            let called = self.called[from].iter().copied();
            called.filter(|to| self.components[*to] == self.components[own])
        };
        let first = on_circle(own).next()?;
        // Depth-first search, with the path from `name` to the current name as a stack.
        let mut seen = FxHashSet::default();
        let mut way = vec![(own, on_circle(own))];
        for _ in 0..MAX_FOLLOWED {
            let (_, calls) = way.last_mut()?;
            match calls.next() {
                None => drop(way.pop()),
                Some(next) if next == own => {
                    let members = way.iter().skip(1).map(|(member, _)| *member).chain([own]);
                    return Some(members.map(|member| self.names[member].clone()).collect());
                }
                Some(next) if seen.insert(next) => way.push((next, on_circle(next))),
                Some(_) => {}
            }
        }
        Some(vec![self.names[first].clone()])
    }
}

/// Returns the strongly connected component of each number, given the calls of each (Tarjan 1972).
fn components(called: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut components = vec![NONE; called.len()];
    // The discovery index of each, and the lowest discovery index of an open one that its calls
    // lead back to.
    let mut met = components.clone();
    let mut back = components.clone();
    let (mut count, mut found) = (0, 0);
    let mut open = vec![];
    for start in 0..called.len() {
        let mut way = vec![(start, 0)];
        while let Some((at, next)) = way.last_mut() {
            let at = *at;
            if *next == 0 {
                if met[at] != NONE {
                    way.pop();
                    continue;
                }
                met[at] = count;
                back[at] = count;
                count += 1;
                open.push(at);
            }
            match called[at].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if met[to] == NONE {
                        way.push((to, 0));
                    } else if components[to] == NONE {
                        back[at] = back[at].min(met[to]);
                    }
                }
                None => {
                    way.pop();
                    if back[at] == met[at] {
                        while let Some(member) = open.pop() {
                            components[member] = found;
                            if member == at {
                                break;
                            }
                        }
                        found += 1;
                    }
                    if let Some((caller, _)) = way.last() {
                        back[*caller] = back[*caller].min(back[at]);
                    }
                }
            }
        }
    }
    components
}
