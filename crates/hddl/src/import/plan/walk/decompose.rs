//! Decomposes compound tasks as early as possible, and notifies the tasks that wait for a task when
//! it is done.

use super::{AppliedAlternative, StartedTask, Walk};
use crate::import::plan::Candidate;
use crate::import::plan::bind::Bindings;
use crate::import::plan::tree::TreeKind;
use taskloom_planner::plan::GroundTask;

impl Walk<'_> {
    /// Begins a compound task before a step.
    pub(super) fn begin(&mut self, node: usize, at: usize) -> usize {
        let own = self.started_of.get(node).into_iter().flatten();
        let same = own
            .copied()
            .find(|b| self.started.get(*b).is_some_and(|b| b.since == at));
        if let Some(same) = same {
            return same;
        }
        let number = self.started.len();
        let ways = self.candidates.get(node).map_or(0, Vec::len);
        self.started.push(StartedTask {
            node,
            since: at,
            waiting: (0..ways).collect(),
            applied: vec![],
            alive: 0,
            done: None,
            is_dead: false,
            waiters: vec![],
            why: String::new(),
        });
        if let Some(own) = self.started_of.get_mut(node) {
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
        while let Some(started) = self.ready.pop() {
            if self.stop.after(1) {
                return;
            }
            if self.decompose(started, at) {
                waiting.push(started);
            }
        }
        self.waiting = waiting;
    }

    /// Applies every applicable decomposition of a task; returns `true` if more may become
    /// applicable.
    fn decompose(&mut self, started: usize, at: usize) -> bool {
        let Some(own) = self.started.get_mut(started) else {
            return false;
        };
        if own.done.is_some() || own.is_dead {
            return false;
        }
        let node = own.node;
        let mut left = vec![];
        for matching in std::mem::take(&mut own.waiting) {
            if self.stop.after(1) {
                return false;
            }
            let Some(candidate) = self.candidates.get(node).and_then(|all| all.get(matching))
            else {
                continue;
            };
            // If one with the same order has already begun, they differ only in their variables,
            // which nothing below sees.
            if self.is_dominated(started, candidate) {
                continue;
            }
            match self.applicable(node, candidate) {
                Err(why) => {
                    if let Some(own) = self.started.get_mut(started)
                        && left.is_empty()
                    {
                        own.why = why;
                    }
                    left.push(matching);
                }
                Ok(bindings) => {
                    self.start(started, matching, at, bindings);
                    if self.started.get(started).is_some_and(|b| b.done.is_some()) {
                        return false;
                    }
                }
            }
        }
        let is_open = !left.is_empty();
        if let Some(own) = self.started.get_mut(started) {
            own.waiting = left;
        }
        is_open
    }

    /// Returns `true` if a decomposition already begun is at least as permissive for the children
    /// as the candidate.
    fn is_dominated(&self, started: usize, candidate: &Candidate) -> bool {
        let applied = self
            .started
            .get(started)
            .into_iter()
            .flat_map(|b| &b.applied);
        applied.into_iter().any(|applied| {
            let applied = self.applied.get(*applied);
            let node = self.started.get(started).map_or(0, |b| b.node);
            let other = applied.and_then(|t| self.candidates.get(node)?.get(t.matching));
            other.is_some_and(|other| {
                other.matching.order.is_empty() || other.matching.order == candidate.matching.order
            })
        })
    }

    fn applicable(&mut self, node: usize, candidate: &Candidate) -> Result<Bindings, String> {
        let (pattern, matching) = (&*candidate.pattern, &candidate.matching);
        let Some(own) = self
            .tree
            .nodes
            .get(node)
            .filter(|_| pattern.resolution.is_some() || pattern.is_by_goal)
        else {
            return Ok(vec![]);
        };
        let stated = matching.places.iter().filter_map(|place| {
            let (_, child) = self.tree.child(node, *place as usize)?;
            Some(&child.task)
        });
        let stated: Vec<&GroundTask> = stated.collect();
        self.attempts
            .bindings(&self.world, &own.task, pattern, &matching.known, &stated)
    }

    fn start(&mut self, started: usize, matching: usize, at: usize, bindings: Bindings) {
        let node = self.started.get(started).map_or(0, |b| b.node);
        let children = self.tree.children(node).len();
        let mut waits = vec![0; children];
        for (_, second) in self.order(node, matching) {
            if let Some(waits) = waits.get_mut(*second as usize) {
                *waits += 1;
            }
        }
        let free: Vec<usize> = (0..children)
            .filter(|c| waits.get(*c) == Some(&0))
            .collect();
        let number = self.applied.len();
        self.applied.push(AppliedAlternative {
            started,
            matching,
            at,
            bindings,
            waits,
            children: vec![None; children],
            open: children,
            is_dead: false,
        });
        if let Some(own) = self.started.get_mut(started) {
            own.applied.push(number);
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
    pub(super) fn order(&self, node: usize, matching: usize) -> &[(u32, u32)] {
        let candidate = self.candidates.get(node).and_then(|all| all.get(matching));
        candidate.map_or(&[], |candidate| &candidate.matching.order)
    }

    /// Begins a child that waits for nothing anymore.
    fn release(&mut self, applied: usize, place: usize, at: usize, done: &mut Vec<(usize, usize)>) {
        let started = self.applied.get(applied).map_or(0, |t| t.started);
        let node = self.started.get(started).map_or(0, |b| b.node);
        let Some((child, own)) = self.tree.child(node, place) else {
            return;
        };
        if matches!(own.kind, TreeKind::Step(_)) {
            return;
        }
        let started = self.begin(child, at);
        if let Some(slot) = self
            .applied
            .get_mut(applied)
            .and_then(|t| t.children.get_mut(place))
        {
            *slot = Some(started);
        }
        if let Some(started) = self.started.get_mut(started) {
            if started.done.is_some() {
                done.push((applied, place));
            } else {
                started.waiters.push((applied, place));
            }
        }
    }

    /// Completes a task by one decomposition, and notifies the tasks that wait for it.
    fn finish(&mut self, applied: usize, done: &mut Vec<(usize, usize)>) {
        let started = self.applied.get(applied).map_or(0, |t| t.started);
        if let Some(own) = self.started.get_mut(started)
            && own.done.is_none()
        {
            own.done = Some(applied);
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
            let Some(applied) = self.applied.get_mut(number).filter(|t| !t.is_dead) else {
                continue;
            };
            applied.open -= 1;
            let (started, is_done) = (applied.started, applied.open == 0);
            if is_done {
                self.finish(number, &mut done);
                continue;
            }
            let matching = applied.matching;
            let node = self.started.get(started).map_or(0, |b| b.node);
            let order = self.order(node, matching);
            let first = order.partition_point(|(first, _)| (*first as usize) < place);
            let behind = order.iter().skip(first);
            let behind = behind.take_while(|(first, _)| *first as usize == place);
            let behind: Vec<usize> = behind.map(|(_, second)| *second as usize).collect();
            for second in behind {
                let waits = self
                    .applied
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
