//! Checks that the steps of children are in the order of their subtasks.

use rustc_hash::FxHashSet;

use super::Search;

impl Search<'_> {
    /// Returns `true` if steps come after those of preceding subtasks, and before those of
    /// succeeding ones; a subtask without steps inherits the bound of its predecessors.
    pub(super) fn is_in_order(&self, subtask: usize, steps: Option<(usize, usize)>) -> bool {
        let Some((first, last)) = steps else {
            return match (self.bound(subtask, false), self.bound(subtask, true)) {
                (Some(end), Some(start)) => end < start,
                _ => true,
            };
        };
        self.bound(subtask, false).is_none_or(|end| end < first)
            && self.bound(subtask, true).is_none_or(|start| last < start)
    }

    /// Returns the last step of the preceding subtasks, or the first of the succeeding ones.
    fn bound(&self, subtask: usize, after: bool) -> Option<usize> {
        let next = if after {
            &self.pattern.after
        } else {
            &self.pattern.before
        };
        let mut open: Vec<u32> = next.get(subtask).cloned().unwrap_or_default();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut bound: Option<usize> = None;
        while let Some(other) = open.pop() {
            if let Some(Some(end)) = self.ends.get(other as usize).filter(|_| !after) {
                bound = bound.max(*end);
                continue;
            }
            let place = self.place_of.get(other as usize).copied().flatten();
            let Some(place) = place else { continue };
            let steps = self.tree.child(self.node, place).and_then(|(_, c)| c.steps);
            match steps {
                Some((first, _)) if after => {
                    bound = Some(bound.map_or(first, |b| b.min(first)));
                }
                Some((_, last)) => bound = Some(bound.map_or(last, |b| b.max(last))),
                None if seen.insert(other) => {
                    open.extend(next.get(other as usize).into_iter().flatten());
                }
                None => {}
            }
        }
        bound
    }

    /// Returns the last step before a subtask without steps, once its predecessors are known.
    pub(super) fn end(&self, subtask: usize, place: usize) -> Option<Option<usize>> {
        let (_, child) = self.tree.child(self.node, place)?;
        let before = self.pattern.before.get(subtask)?;
        let is_known = |other: &u32| {
            let place = self.place_of.get(*other as usize).copied().flatten();
            let child = place.and_then(|place| self.tree.child(self.node, place));
            child.is_some_and(|(_, child)| {
                child.steps.is_some() || self.ends.get(*other as usize).is_some_and(Option::is_some)
            })
        };
        let is_known = child.steps.is_none() && before.iter().all(is_known);
        is_known.then(|| self.bound(subtask, false))
    }
}
