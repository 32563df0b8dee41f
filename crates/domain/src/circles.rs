//! Circles of names that call each other.

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::Name;

/// So many calls are followed to find the way back to a name; of those that are further round nobody reads all names.
const MOST_FOLLOWED: usize = 200;

/// Names by number, what each calls, and which call each other in circles.
#[derive(Debug)]
pub(crate) struct Circles {
    numbers: FxHashMap<Name, usize>,
    names: Vec<Name>,
    called: Vec<Vec<usize>>,
    /// Of each name the number of its strongly connected component.
    components: Vec<usize>,
}

impl Circles {
    /// Of these names; each calls what `calls` says, the last first.
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

    /// The names through which one calls itself, one after the other, itself the last; none where it does not. Where
    /// the way back is long, only the first of them.
    pub fn back_to(&self, name: &Name) -> Option<Vec<Name>> {
        let own = *self.numbers.get(name)?;
        let on_circle = |from: usize| {
            let called = self.called[from].iter().copied();
            called.filter(|to| self.components[*to] == self.components[own])
        };
        let first = on_circle(own).next()?;
        // Depth first, with the way from `name` to the current name as a stack.
        let mut seen = FxHashSet::default();
        let mut way = vec![(own, on_circle(own))];
        for _ in 0..MOST_FOLLOWED {
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

/// Of each number in which strongly connected component it is (Tarjan 1972), by the calls of each.
fn components(called: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut components = vec![NONE; called.len()];
    // When each was met, and the earliest of those that are open which its calls lead back to.
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
