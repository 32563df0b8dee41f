//! Reasons why a plan is invalid.

use super::{AppliedAlternative, Walk};
use crate::import::plan::tree::TreeKind;

impl Walk<'_> {
    /// Returns the first decomposition of a task that can still complete.
    pub(super) fn first_alive(&self, started: usize) -> Option<(usize, &AppliedAlternative)> {
        let applied = self.started.get(started)?.applied.iter();
        let mut applied =
            applied.filter_map(|applied| Some((*applied, self.applied.get(*applied)?)));
        applied.find(|(_, applied)| !applied.is_dead)
    }

    /// Returns the reason why a step comes too early.
    pub(super) fn too_early(&self, step: usize) -> String {
        let name = |node: usize| {
            let node = self.tree.nodes.get(node);
            node.map(|n| n.task.to_string()).unwrap_or_default()
        };
        let mut matching = vec![];
        let mut node = step;
        while let Some(own) = self.tree.nodes.get(node)
            && let Some(parent) = own.parent
        {
            matching.push((parent, own.place));
            node = parent;
        }
        let mut started = 0;
        for (node, place) in matching.into_iter().rev() {
            let Some((_, applied)) = self.first_alive(started) else {
                return self.not_applicable(started);
            };
            if applied.waits.get(place).is_some_and(|waits| *waits > 0) {
                let order = self.order(node, applied.matching).iter();
                let mut before = order.filter(|(_, second)| *second as usize == place);
                let open = before.find_map(|(first, _)| {
                    let (child, _) = self.tree.child(node, *first as usize)?;
                    let started = applied.children.get(*first as usize).copied().flatten();
                    let is_done = match started.and_then(|started| self.started.get(started)) {
                        Some(started) => started.done.is_some(),
                        // A step, or a task that couldn't begin.
                        None => self.tree.first(child).is_some_and(|first| {
                            Some(first) < self.tree.first(step)
                                && matches!(
                                    self.tree.nodes.get(child).map(|n| &n.kind),
                                    Some(TreeKind::Step(_))
                                )
                        }),
                    };
                    (!is_done).then_some((child, started))
                });
                return match open {
                    Some((_, Some(started))) if self.first_alive(started).is_none() => {
                        self.not_applicable(started)
                    }
                    Some((child, _)) => {
                        format!("'{}' comes before '{}' is done", name(step), name(child))
                    }
                    None => format!("'{}' comes too early", name(step)),
                };
            }
            match applied.children.get(place).copied().flatten() {
                Some(child) => started = child,
                None => break,
            }
        }
        format!("'{}' comes too early", name(step))
    }

    /// Returns the reason why a task wasn't decomposed completely.
    pub(super) fn unfinished(&self) -> String {
        let mut started = 0;
        while let Some((_, applied)) = self.first_alive(started) {
            let open = applied.children.iter().flatten().find(|child| {
                let child = self.started.get(**child);
                child.is_some_and(|child| child.done.is_none())
            });
            match open {
                Some(child) => started = *child,
                None => break,
            }
        }
        self.not_applicable(started)
    }

    pub(super) fn not_applicable(&self, started: usize) -> String {
        let Some(started) = self.started.get(started) else {
            return "the initial tasks are not complete".to_owned();
        };
        let why = &started.why;
        match self
            .tree
            .nodes
            .get(started.node)
            .map(|n| (&n.task, &n.kind))
        {
            Some((task, TreeKind::Compound { method, .. })) if !method.is_empty() => {
                format!("method '{method}' of '{task}' is not applicable: {why}")
            }
            _ => why.clone(),
        }
    }
}
