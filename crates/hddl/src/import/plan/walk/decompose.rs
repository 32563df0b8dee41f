//! Decomposes compound tasks as early as possible, and notifies the tasks that wait for a task when
//! it is done.

use super::{Begun, Tried, Walk};
use crate::import::plan::Candidate;
use crate::import::plan::bind::Bindings;
use crate::import::plan::tree::TreeKind;
use taskloom_planner::plan::GroundTask;

impl Walk<'_> {
    /// Begins a compound task before a step.
    pub(super) fn begin(&mut self, node: usize, at: usize) -> usize {
        let own = self.begun_of.get(node).into_iter().flatten();
        let same = own
            .copied()
            .find(|b| self.begun.get(*b).is_some_and(|b| b.since == at));
        if let Some(same) = same {
            return same;
        }
        let number = self.begun.len();
        let ways = self.candidates.get(node).map_or(0, Vec::len);
        self.begun.push(Begun {
            node,
            since: at,
            waiting: (0..ways).collect(),
            tried: vec![],
            alive: 0,
            done: None,
            is_dead: false,
            waiters: vec![],
            why: String::new(),
        });
        if let Some(own) = self.begun_of.get_mut(node) {
            own.push(number);
        }
        self.ready.push(number);
        number
    }

    /// Decomposes all tasks that can be decomposed before a step.
    pub(super) fn settle(&mut self, at: usize) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.reverse();
        self.ready.append(&mut waiting);
        while let Some(begun) = self.ready.pop() {
            if self.stop.after(1) {
                return;
            }
            if self.decompose(begun, at) {
                waiting.push(begun);
            }
        }
        self.waiting = waiting;
    }

    /// Applies every applicable decomposition of a task; returns `true` if more may become
    /// applicable.
    fn decompose(&mut self, begun: usize, at: usize) -> bool {
        let Some(own) = self.begun.get_mut(begun) else {
            return false;
        };
        if own.done.is_some() || own.is_dead {
            return false;
        }
        let node = own.node;
        let mut left = vec![];
        for way in std::mem::take(&mut own.waiting) {
            if self.stop.after(1) {
                return false;
            }
            let Some(candidate) = self.candidates.get(node).and_then(|all| all.get(way)) else {
                continue;
            };
            // If one with the same order has already begun, they differ only in their variables,
            // which nothing below sees.
            if self.is_begun_alike(begun, candidate) {
                continue;
            }
            match self.applicable(node, candidate) {
                Err(why) => {
                    if let Some(own) = self.begun.get_mut(begun)
                        && left.is_empty()
                    {
                        own.why = why;
                    }
                    left.push(way);
                }
                Ok(bindings) => {
                    self.start(begun, way, at, bindings);
                    if self.begun.get(begun).is_some_and(|b| b.done.is_some()) {
                        return false;
                    }
                }
            }
        }
        let is_open = !left.is_empty();
        if let Some(own) = self.begun.get_mut(begun) {
            own.waiting = left;
        }
        is_open
    }

    /// Returns `true` if a decomposition already begun is at least as permissive for the children
    /// as the candidate.
    fn is_begun_alike(&self, begun: usize, candidate: &Candidate) -> bool {
        let tried = self.begun.get(begun).into_iter().flat_map(|b| &b.tried);
        tried.into_iter().any(|tried| {
            let tried = self.tried.get(*tried);
            let node = self.begun.get(begun).map_or(0, |b| b.node);
            let other = tried.and_then(|t| self.candidates.get(node)?.get(t.way));
            other.is_some_and(|other| {
                other.way.order.is_empty() || other.way.order == candidate.way.order
            })
        })
    }

    fn applicable(&mut self, node: usize, candidate: &Candidate) -> Result<Bindings, String> {
        let (pattern, way) = (&*candidate.pattern, &candidate.way);
        let Some(own) = self
            .tree
            .nodes
            .get(node)
            .filter(|_| pattern.resolution.is_some())
        else {
            return Ok(vec![]);
        };
        let stated = way.places.iter().filter_map(|place| {
            let (_, child) = self.tree.child(node, *place as usize)?;
            Some(&child.task)
        });
        let stated: Vec<&GroundTask> = stated.collect();
        self.attempts
            .bindings(&self.world, &own.task, pattern, &way.known, &stated)
    }

    fn start(&mut self, begun: usize, way: usize, at: usize, bindings: Bindings) {
        let node = self.begun.get(begun).map_or(0, |b| b.node);
        let children = self.tree.children(node).len();
        let mut waits = vec![0; children];
        for (_, second) in self.order(node, way) {
            if let Some(waits) = waits.get_mut(*second as usize) {
                *waits += 1;
            }
        }
        let free: Vec<usize> = (0..children)
            .filter(|c| waits.get(*c) == Some(&0))
            .collect();
        let number = self.tried.len();
        self.tried.push(Tried {
            begun,
            way,
            at,
            bindings,
            waits,
            children: vec![None; children],
            open: children,
            is_dead: false,
        });
        if let Some(own) = self.begun.get_mut(begun) {
            own.tried.push(number);
            own.alive += 1;
        }
        let mut done = vec![];
        if children == 0 {
            self.finish(number, &mut done);
        }
        for place in free {
            self.release(number, place, at, &mut done);
        }
        self.complete(done, at);
    }

    /// Returns the orderings of a node's children in one decomposition.
    pub(super) fn order(&self, node: usize, way: usize) -> &[(u32, u32)] {
        let candidate = self.candidates.get(node).and_then(|all| all.get(way));
        candidate.map_or(&[], |candidate| &candidate.way.order)
    }

    /// Begins a child that waits for nothing anymore.
    fn release(&mut self, tried: usize, place: usize, at: usize, done: &mut Vec<(usize, usize)>) {
        let begun = self.tried.get(tried).map_or(0, |t| t.begun);
        let node = self.begun.get(begun).map_or(0, |b| b.node);
        let Some((child, own)) = self.tree.child(node, place) else {
            return;
        };
        if matches!(own.kind, TreeKind::Step(_)) {
            return;
        }
        let begun = self.begin(child, at);
        if let Some(slot) = self
            .tried
            .get_mut(tried)
            .and_then(|t| t.children.get_mut(place))
        {
            *slot = Some(begun);
        }
        if let Some(begun) = self.begun.get_mut(begun) {
            if begun.done.is_some() {
                done.push((tried, place));
            } else {
                begun.waiters.push((tried, place));
            }
        }
    }

    /// Completes a task by one decomposition, and notifies the tasks that wait for it.
    fn finish(&mut self, tried: usize, done: &mut Vec<(usize, usize)>) {
        let begun = self.tried.get(tried).map_or(0, |t| t.begun);
        if let Some(own) = self.begun.get_mut(begun)
            && own.done.is_none()
        {
            own.done = Some(tried);
            own.waiting.clear();
            done.append(&mut own.waiters);
        }
    }

    /// Completes children, and then possibly tasks above them.
    pub(super) fn complete(&mut self, mut done: Vec<(usize, usize)>, at: usize) {
        while let Some((number, place)) = done.pop() {
            if self.stop.after(1) {
                return;
            }
            let Some(tried) = self.tried.get_mut(number).filter(|t| !t.is_dead) else {
                continue;
            };
            tried.open -= 1;
            let (begun, is_done) = (tried.begun, tried.open == 0);
            if is_done {
                self.finish(number, &mut done);
                continue;
            }
            let way = tried.way;
            let node = self.begun.get(begun).map_or(0, |b| b.node);
            let order = self.order(node, way);
            let first = order.partition_point(|(first, _)| (*first as usize) < place);
            let behind = order.iter().skip(first);
            let behind = behind.take_while(|(first, _)| *first as usize == place);
            let behind: Vec<usize> = behind.map(|(_, second)| *second as usize).collect();
            for second in behind {
                let waits = self
                    .tried
                    .get_mut(number)
                    .and_then(|t| t.waits.get_mut(second));
                let is_free = waits.is_some_and(|waits| {
                    *waits -= 1;
                    *waits == 0
                });
                if is_free {
                    self.release(number, second, at, &mut done);
                }
            }
        }
    }
}
