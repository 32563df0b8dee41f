//! What the checks of all records share: what can be said of one record only by
//! looking at many others is found for all of them at once.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::{Document, Name};

/// For one document, as long as it does not change.
#[derive(Debug, Default)]
pub(super) struct Shared {
    types: OnceCell<FxHashSet<Name>>,
}

impl Shared {
    /// Whether a type is a kind of itself, through others perhaps.
    pub fn is_own_ancestor(&self, document: &Document, name: &Name) -> bool {
        let parent = |name: &Name| document.types.get(name).map(|of| &of.parent);
        let types = || on_circles(document.types.keys(), parent);
        self.types.get_or_init(types).contains(name)
    }
}

/// The names from which going on to the next leads back to themselves.
pub(crate) fn on_circles<'a>(
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
