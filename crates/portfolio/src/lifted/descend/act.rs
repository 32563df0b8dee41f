//! Processes the chosen task: executes a primitive one, or decomposes a compound one by the next
//! applicable method and objects.

use super::super::join::{JoinResult, Run, UNBOUND};
use super::super::model::TaskKind;
use super::{Descend, NOT_YET, Phase};
use taskloom_planner::search_kit::{Child, NetTask};

impl Descend {
    /// Tries the next alternative of the top frame's task.
    pub(super) fn attempt(&mut self) {
        let Some(frame) = self.stack.last() else {
            self.phase = Phase::Back;
            return;
        };
        let ground = self.position.network.task(frame.task).ground;
        let task = self.ground.tuple(ground)[0];
        match &self.prepared.model.tasks[task as usize].kind {
            TaskKind::Primitive(action) => self.execute(*action),
            TaskKind::Compound(range) => self.decompose(range.clone()),
        }
    }

    fn execute(&mut self, action: u32) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        if !frame.fresh {
            self.next_task();
            return;
        }
        frame.fresh = false;
        let base = frame.slots as usize;
        let lifted = &self.prepared.model.actions[action as usize];
        let tuple = self
            .ground
            .tuple(self.position.network.task(frame.task).ground);
        self.bindings.slots.truncate(base);
        self.bindings.slots.extend_from_slice(&tuple[1..]);
        self.bindings
            .slots
            .resize(base + lifted.frame as usize, UNBOUND);
        let slots = &mut self.bindings.slots[base..];
        let (facts, types) = (&self.position.facts, &self.prepared.rules.types);
        let tests = &self.prepared.rules.preconditions[action as usize];
        if !tests.iter().all(|t| t.holds(facts, types, slots)) {
            self.next_task();
            return;
        }
        let mut atoms: Vec<(bool, Vec<u32>)> = vec![];
        for change in &self.prepared.rules.changes[action as usize] {
            let mut run = Run {
                facts,
                types,
                slots,
                cursors: &mut vec![0; change.forall.cursors()],
                turn: 0,
                work: &mut self.work,
                pause_at: u64::MAX,
            };
            while change.forall.next(&mut run) == JoinResult::Found {
                if change.when.holds(facts, types, run.slots) {
                    let atom = &change.effect.atom;
                    let objects = atom.args.iter().map(|a| a.object(run.slots));
                    let tuple = std::iter::once(atom.predicate).chain(objects).collect();
                    atoms.push((change.effect.add, tuple));
                }
            }
        }
        for add in [false, true] {
            for (_, atom) in atoms.iter().filter(|(a, _)| *a == add) {
                self.position.facts.set(atom, add);
            }
        }
        let ground = self.position.network.task(frame.task).ground;
        self.watch.open(ground, &self.ground, false);
        self.position.network.remove(frame.task);
        self.position.steps += 1;
        frame.first_child = 0;
        self.phase = Phase::Enter;
    }

    fn decompose(&mut self, range: std::ops::Range<u32>) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        let count = range.end - range.start;
        let (base, cursors) = (frame.slots as usize, frame.cursors as usize);
        let info = *self.position.network.task(frame.task);
        let is_new = frame.first_child == NOT_YET && frame.fresh && frame.method == 0;
        if is_new && self.is_too_deep(info) {
            self.cut = true;
            self.next_task();
            return;
        }
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        while frame.method < count {
            let turned = turn(self.options.seed, info.ground, frame.method, count);
            let number = range.start + turned;
            let Some(join) = &self.prepared.rules.methods[number as usize] else {
                frame.method += 1;
                frame.fresh = true;
                continue;
            };
            if frame.fresh {
                let tuple = self.ground.tuple(info.ground);
                self.bindings.slots.truncate(base);
                self.bindings.slots.extend_from_slice(&tuple[1..]);
                self.bindings
                    .slots
                    .resize(base + join.frame as usize, UNBOUND);
                self.bindings.cursors.truncate(cursors);
                self.bindings.cursors.resize(cursors + join.cursors(), 0);
            }
            let start = match self.options.seed {
                0 => 0,
                seed => spread(seed ^ info.ground.rotate_left(7)),
            };
            frame.fresh = false;
            let result = join.next(&mut Run {
                facts: &self.position.facts,
                types: &self.prepared.rules.types,
                slots: &mut self.bindings.slots[base..],
                cursors: &mut self.bindings.cursors[cursors..],
                turn: start,
                work: &mut self.work,
                pause_at: self.pause_at,
            });
            match result {
                JoinResult::Found => {}
                JoinResult::Nothing => {
                    frame.method += 1;
                    frame.fresh = true;
                    continue;
                }
                JoinResult::Paused => {
                    self.is_paused = true;
                    return;
                }
            }
            self.expand(number, base, info.ground);
            return;
        }
        self.next_task();
    }

    /// Returns `true` if the top frame's task may not be decomposed: it is nested too deeply, or
    /// repeats an ancestor in a narrow search.
    fn is_too_deep(&mut self, info: NetTask) -> bool {
        let Some(frame) = self.stack.last() else {
            return false;
        };
        let task = frame.task as usize;
        let state = self.position.facts.hash() as u64;
        self.position
            .states
            .resize(self.position.states.len().max(task + 1), 0);
        self.position.states[task] = state;
        self.options.narrow && self.repeats_ancestor(info, state)
            || info.depth >= self.options.depth
    }

    /// Replaces the top frame's task by the subtasks of a method.
    fn expand(&mut self, method: u32, base: usize, ground: u32) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        let method = &self.prepared.model.methods[method as usize];
        let slots = &self.bindings.slots[base..];
        self.scratch.children.clear();
        for (position, subtask) in (0u32..).zip(&method.subtasks) {
            self.scratch.tuple.clear();
            self.scratch.tuple.push(subtask.task);
            let objects = subtask.args.iter().map(|a| a.object(slots));
            self.scratch.tuple.extend(objects);
            self.scratch.children.push(Child {
                ground: self.ground.intern(&self.scratch.tuple),
                position,
            });
        }
        frame.first_child = self.position.network.len();
        for child in &self.scratch.children {
            self.watch.open(child.ground, &self.ground, true);
        }
        self.watch.open(ground, &self.ground, false);
        self.position
            .network
            .expand(frame.task, &self.scratch.children, &method.order);
        self.phase = Phase::Enter;
    }

    /// Returns `true` if a task occurs within the decomposition of the same ground task in the same
    /// state. Half of the state's hash is enough for this test: whatever it prunes counts as cut,
    /// and proves nothing.
    fn repeats_ancestor(&mut self, task: NetTask, state: u64) -> bool {
        let mut above = task.parent;
        for number in 0..MAX_ABOVE {
            if above == 0 {
                break;
            }
            self.work += u64::from(number % ABOVE_PER_WORK == ABOVE_PER_WORK - 1);
            let other = self.position.network.task(above);
            if other.ground == task.ground && self.position.states[above as usize] == state {
                return true;
            }
            above = other.parent;
        }
        false
    }
}

/// The maximum number of ancestors checked by [`Descend::repeats_ancestor`].
const MAX_ABOVE: u32 = 1_000;

/// The number of ancestors checked per unit of work.
const ABOVE_PER_WORK: u32 = 16;

/// Returns the method tried at a position, in the order given by a seed.
pub(super) fn turn(seed: u32, ground: u32, method: u32, count: u32) -> u32 {
    match seed {
        0 => method,
        // Most tasks keep the designer's order, which usually makes sense.
        seed => match spread(seed ^ ground) % 4 {
            0 => (method + spread(seed.rotate_left(9) ^ ground)) % count,
            _ => method,
        },
    }
}

fn spread(x: u32) -> u32 {
    let x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    let x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}
