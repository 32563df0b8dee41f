//! Results shared by the checks of all records: those that need many records at once are computed
//! once for all.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::{Document, Name};

/// The shared results for one document, valid as long as it doesn't change.
#[derive(Debug, Default)]
pub(super) struct Shared {
    types: OnceCell<FxHashSet<Name>>,
}

impl Shared {
    /// Returns `true` if a type is its own ancestor, directly or through others.
    pub fn is_own_ancestor(&self, document: &Document, name: &Name) -> bool {
        let parent = |name: &Name| document.types.get(name).map(|of| &of.parent);
        let types = || on_cycles(document.types.keys(), parent);
        self.types.get_or_init(types).contains(name)
    }
}

/// Returns the names that lie on cycles of `next`.
pub(crate) fn on_cycles<'a>(
    names: impl Iterator<Item = &'a Name>,
    next: impl Fn(&Name) -> Option<&'a Name>,
) -> FxHashSet<Name> {
    let mut cycles = FxHashSet::default();
    // The walk on which each name was visited.
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
        // Back on the current walk: the names from here up to here again form a cycle.
        if met.get(name) == Some(&walk) {
            let mut after = next(name);
            while let Some(member) = after {
                if !cycles.insert(member.clone()) {
                    break;
                }
                after = next(member);
            }
        }
    }
    cycles
}
