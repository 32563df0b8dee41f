//! What the checks of all records share: what can be said of one record only by
//! looking at many others is found for all of them at once.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lang::{Near, condition_calls};
use taskloom_document::{Document, Name};

/// For one document, as long as it does not change.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Looks for names that may have been meant.
    pub near: Near,
    types: OnceCell<FxHashSet<Name>>,
    agents: OnceCell<FxHashSet<Name>>,
    conditions: OnceCell<FxHashSet<Name>>,
}

impl Shared {
    /// Whether a type is a kind of itself, through others perhaps.
    pub fn is_own_ancestor(&self, document: &Document, name: &Name) -> bool {
        let parent = |name: &Name| document.types.get(name).map(|of| &of.parent);
        let types = || on_circles(document.types.keys(), parent);
        self.types.get_or_init(types).contains(name)
    }

    /// Whether an agent obeys itself, through others perhaps.
    pub fn is_own_superior(&self, document: &Document, name: &Name) -> bool {
        let superior = |name: &Name| document.agents.get(name)?.superior.as_ref();
        let agents = || on_circles(document.agents.keys(), superior);
        self.agents.get_or_init(agents).contains(name)
    }

    /// Whether a condition calls others on a circle, and is itself called by such; it may be on one itself.
    pub fn may_call_itself(&self, document: &Document, name: &Name) -> bool {
        let conditions = || {
            between_circles(document.conditions.keys(), |name| {
                condition_calls(document, name)
            })
        };
        self.conditions.get_or_init(conditions).contains(name)
    }
}

/// The names from which going on to the next leads back to themselves.
fn on_circles<'a>(
    names: impl Iterator<Item = &'a Name>,
    next: impl Fn(&Name) -> Option<&'a Name>,
) -> FxHashSet<Name> {
    let mut circles = FxHashSet::default();
    // On which walk each was met.
    let mut met: FxHashMap<&Name, usize> = FxHashMap::default();
    for (walk, start) in names.enumerate() {
        let mut name = start;
        while !met.contains_key(name) {
            met.insert(name, walk);
            match next(name) {
                Some(after) => name = after,
                None => break,
            }
        }
        // Back on the own way: what follows, up to here again, is a circle.
        if met.get(name) == Some(&walk) {
            let mut after = next(name);
            while let Some(member) = after {
                if !circles.insert(member.clone()) {
                    break;
                }
                after = next(member);
            }
        }
    }
    circles
}

/// The names that calls lead from circle to circle, those on them among them: what is left when names that call none
/// of the rest, or are called by none of it, are taken away one by one (Kahn 1962).
fn between_circles<'a>(
    names: impl Iterator<Item = &'a Name>,
    calls: impl Fn(&Name) -> Vec<Name>,
) -> FxHashSet<Name> {
    let names: Vec<&Name> = names.collect();
    let numbers: FxHashMap<&Name, usize> = names.iter().copied().zip(0..).collect();
    let mut called: Vec<Vec<usize>> = vec![];
    let mut callers: Vec<Vec<usize>> = vec![vec![]; names.len()];
    for (caller, name) in names.iter().enumerate() {
        let of = calls(name);
        let of: Vec<usize> = of
            .iter()
            .filter_map(|name| numbers.get(name).copied())
            .collect();
        of.iter().for_each(|number| callers[*number].push(caller));
        called.push(of);
    }
    let mut is_left = vec![true; names.len()];
    peel(&mut is_left, &called, &callers);
    peel(&mut is_left, &callers, &called);
    let left = names
        .into_iter()
        .zip(is_left)
        .filter(|(_, is_left)| *is_left);
    left.map(|(name, _)| name.clone()).collect()
}

/// Takes away, one by one, what has nothing of the rest ahead of it.
fn peel(is_left: &mut [bool], ahead: &[Vec<usize>], behind: &[Vec<usize>]) {
    let count = |of: &Vec<usize>| of.iter().filter(|number| is_left[**number]).count();
    let mut waiting: Vec<usize> = ahead.iter().map(count).collect();
    let free = (0..is_left.len()).filter(|number| is_left[*number] && waiting[*number] == 0);
    let mut free: Vec<usize> = free.collect();
    while let Some(number) = free.pop() {
        is_left[number] = false;
        for &other in &behind[number] {
            waiting[other] -= 1;
            if waiting[other] == 0 && is_left[other] {
                free.push(other);
            }
        }
    }
}
