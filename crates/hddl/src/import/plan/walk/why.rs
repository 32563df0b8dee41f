//! Reasons why a plan is invalid.

use super::{Tried, Walk};
use crate::import::plan::tree::TreeKind;

impl Walk<'_> {
    /// Returns the first decomposition of a task that can still complete.
    pub(super) fn first_alive(&self, begun: usize) -> Option<(usize, &Tried)> {
        let tried = self.begun.get(begun)?.tried.iter();
        let mut tried = tried.filter_map(|tried| Some((*tried, self.tried.get(*tried)?)));
        tried.find(|(_, tried)| !tried.is_dead)
    }

    /// Returns the reason why a step comes too early.
    pub(super) fn too_early(&self, step: usize) -> String {
        let name = |node: usize| {
            let node = self.tree.nodes.get(node);
            node.map(|n| n.task.to_string()).unwrap_or_default()
        };
        let mut path = vec![];
        let mut node = step;
        while let Some(own) = self.tree.nodes.get(node)
            && let Some(parent) = own.parent
        {
            path.push((parent, own.place));
            node = parent;
        }
        let mut begun = 0;
        for (node, place) in path.into_iter().rev() {
            let Some((_, tried)) = self.first_alive(begun) else {
                return self.not_applicable(begun);
            };
            if tried.waits.get(place).is_some_and(|waits| *waits > 0) {
                let order = self.order(node, tried.way).iter();
                let mut before = order.filter(|(_, second)| *second as usize == place);
                let open = before.find_map(|(first, _)| {
                    let (child, _) = self.tree.child(node, *first as usize)?;
                    let begun = tried.children.get(*first as usize).copied().flatten();
                    let is_done = match begun.and_then(|begun| self.begun.get(begun)) {
                        Some(begun) => begun.done.is_some(),
                        // A step, or a task that couldn't begin.
                        None => self.tree.first(child).is_some_and(|first| {
                            Some(first) < self.tree.first(step)
                                && matches!(
                                    self.tree.nodes.get(child).map(|n| &n.kind),
                                    Some(TreeKind::Step(_))
                                )
                        }),
                    };
                    (!is_done).then_some((child, begun))
                });
                return match open {
                    Some((_, Some(begun))) if self.first_alive(begun).is_none() => {
                        self.not_applicable(begun)
                    }
                    Some((child, _)) => {
                        format!("'{}' comes before '{}' is done", name(step), name(child))
                    }
                    None => format!("'{}' comes too early", name(step)),
                };
            }
            match tried.children.get(place).copied().flatten() {
                Some(child) => begun = child,
                None => break,
            }
        }
        format!("'{}' comes too early", name(step))
    }

    /// Returns the reason why a task wasn't decomposed completely.
    pub(super) fn unfinished(&self) -> String {
        let mut begun = 0;
        while let Some((_, tried)) = self.first_alive(begun) {
            let open = tried.children.iter().flatten().find(|child| {
                let child = self.begun.get(**child);
                child.is_some_and(|child| child.done.is_none())
            });
            match open {
                Some(child) => begun = *child,
                None => break,
            }
        }
        self.not_applicable(begun)
    }

    pub(super) fn not_applicable(&self, begun: usize) -> String {
        let Some(begun) = self.begun.get(begun) else {
            return "the initial tasks are not complete".to_owned();
        };
        let why = &begun.why;
        match self.tree.nodes.get(begun.node).map(|n| (&n.task, &n.kind)) {
            Some((task, TreeKind::Compound { method, .. })) if !method.is_empty() => {
                format!("method '{method}' of '{task}' is not applicable: {why}")
            }
            _ => why.clone(),
        }
    }
}
