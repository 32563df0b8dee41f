//! Lifted depth-first search: nothing is instantiated before it is needed, so
//! that the first plan of a huge problem can be there at once. It is graph
//! search: a state and network that was seen is not searched again.
//!
//! It can be told to give up after so many decisions and begin anew, looking at
//! alternatives in another order: a bad choice near the root then costs little.

use rustc_hash::FxHashSet;

use super::facts::Facts;
use super::found::{Answer, Found, FoundMethod, FoundNode};
use super::join::UNBOUND;
use super::linear::Linear;
use super::model::{Model, TaskKind};
use super::rules::Rules;
use super::test::object;
use super::watch::Watch;
use crate::plan::network::{Child, NetTask, Network};
use crate::plan::state::mix;
use crate::plan::table::TupleTable;

/// A task that was chosen, and how it is done.
#[derive(Debug)]
struct Frame {
    task: u32,
    trail: usize,
    /// Where its variables and cursors start.
    slots: u32,
    cursors: u32,
    /// Which of its task's methods is tried, counted in the order of this search.
    method: u32,
    /// Whether the method's join has yet to give its first answer.
    fresh: bool,
    /// The first child, once it is decomposed.
    first_child: u32,
    steps: u32,
}

const NOT_YET: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Enter,
    Try,
    Back,
}

/// See the module.
#[derive(Debug)]
pub struct Descend {
    model: Model,
    /// Where subtasks stand in the methods as they were, where those were put in
    /// sequence.
    places: Option<Vec<Vec<u32>>>,
    rules: Rules,
    facts: Facts,
    network: Network,
    ground: TupleTable,
    watch: Watch,
    stack: Vec<Frame>,
    /// For each task of the network the state in which it was decomposed.
    states: Vec<u64>,
    slots: Vec<u32>,
    cursors: Vec<u32>,
    seen: FxHashSet<[u64; 2]>,
    phase: Phase,
    steps: u32,
    children: Vec<Child>,
    tuple: Vec<u32>,
    /// 0: the designer's order.
    seed: u32,
    depth: usize,
    /// Whether a task is not decomposed within itself while the state is the same.
    /// That leaves plans out, and endless recursion with them.
    narrow: bool,
    cut: bool,
    /// Decisions and other work so far.
    pub work: u64,
    pub nodes: u64,
}

impl Descend {
    /// Prepares a search in the designer's order.
    pub fn new(model: &Model) -> Self {
        Self::over(model.clone(), None)
    }

    /// The same over a model whose methods were put in sequence.
    pub fn in_sequence(linear: Linear) -> Self {
        Self::over(linear.model, Some(linear.places))
    }

    fn over(model: Model, places: Option<Vec<Vec<u32>>>) -> Self {
        let mut facts = Facts::new(&model);
        let rules = Rules::new(&model, &mut facts);
        let watch = Watch::new(&model, &mut facts);
        let mut search = Self {
            model,
            places,
            rules,
            facts,
            network: Network::new(),
            ground: TupleTable::default(),
            watch,
            stack: vec![],
            states: vec![],
            slots: vec![],
            cursors: vec![],
            seen: FxHashSet::default(),
            phase: Phase::Enter,
            steps: 0,
            children: vec![],
            tuple: vec![],
            seed: 0,
            depth: usize::MAX,
            narrow: true,
            cut: false,
            work: 0,
            nodes: 0,
        };
        search.begin();
        search
    }

    fn begin(&mut self) {
        self.network = Network::new();
        self.watch.clear();
        self.children.clear();
        for (position, (task, args)) in (0u32..).zip(&self.model.roots) {
            self.tuple.clear();
            self.tuple.push(*task);
            self.tuple.extend(args);
            self.children.push(Child {
                ground: self.ground.intern(&self.tuple),
                position,
            });
        }
        let last = (self.children.len() as u32).saturating_sub(1);
        let order: Vec<(u32, u32)> = (0..last).map(|n| (n, n + 1)).collect();
        self.network.expand(0, &self.children, &order);
        for child in &self.children {
            self.watch.open(child.ground, &self.ground, true);
        }
        self.phase = Phase::Enter;
    }

    /// Begins anew, with alternatives in an order that follows from the seed, and
    /// nested decompositions so deep.
    pub fn restart(&mut self, seed: u32, depth: usize, narrow: bool) {
        self.facts.undo(0);
        self.stack.clear();
        self.slots.clear();
        self.cursors.clear();
        self.seen.clear();
        self.steps = 0;
        self.seed = seed;
        self.depth = depth;
        self.narrow = narrow;
        self.cut = false;
        self.begin();
    }

    /// Whether unordered tasks are done in one sequence only.
    pub fn is_in_sequence(&self) -> bool {
        self.places.is_some()
    }

    /// Whether plans are left out.
    pub fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// Works for so many units; an answer when there is one.
    pub fn step(&mut self, work: u64) -> Option<Answer> {
        let until = self.work.saturating_add(work);
        while self.work < until {
            self.work += 1;
            match self.phase {
                Phase::Enter => {
                    if let Some(found) = self.enter() {
                        return Some(Answer::Found(found));
                    }
                }
                Phase::Try => self.attempt(),
                Phase::Back => {
                    if self.stack.is_empty() {
                        return Some(if self.cut {
                            Answer::Lost
                        } else {
                            Answer::Unsolvable
                        });
                    }
                    self.back();
                }
            }
        }
        None
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.facts.memory()
            + self.network.memory()
            + self.ground.memory()
            + self.stack.capacity() * size_of::<Frame>()
            + (self.slots.capacity() + self.cursors.capacity()) * 4
            + self.seen.capacity() * 18
    }

    fn enter(&mut self) -> Option<Found> {
        if self.network.is_done() {
            let frame = self.model.goal_frame as usize;
            let base = self.slots.len();
            self.slots.resize(base + frame, UNBOUND);
            let (facts, types) = (&self.facts, &self.rules.types);
            let slots = &mut self.slots[base..];
            let holds = self.rules.goal.iter().all(|t| t.holds(facts, types, slots));
            self.slots.truncate(base);
            self.phase = Phase::Back;
            return holds.then(|| self.found());
        }
        if self.watch.is_lost(&self.facts) {
            self.phase = Phase::Back;
            return None;
        }
        let network = self.network.key();
        let state = self.facts.hash();
        let key =
            mix(network as u64, state as u64) ^ mix((state >> 64) as u64, (network >> 64) as u64);
        let key = [key as u64, (key >> 64) as u64];
        let first = self.network.ready_after(0);
        let (Some(task), true) = (first, self.seen.insert(key)) else {
            self.phase = Phase::Back;
            return None;
        };
        self.nodes += 1;
        self.stack.push(Frame {
            task,
            trail: self.facts.mark(),
            slots: self.slots.len() as u32,
            cursors: self.cursors.len() as u32,
            method: 0,
            fresh: true,
            first_child: NOT_YET,
            steps: self.steps,
        });
        self.phase = Phase::Try;
        None
    }

    /// Does the top frame's task in the next way.
    fn attempt(&mut self) {
        let Some(frame) = self.stack.last() else {
            self.phase = Phase::Back;
            return;
        };
        let ground = self.network.task(frame.task).ground;
        let task = self.ground.tuple(ground)[0];
        match &self.model.tasks[task as usize].kind {
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
        let lifted = &self.model.actions[action as usize];
        let tuple = self.ground.tuple(self.network.task(frame.task).ground);
        self.slots.truncate(base);
        self.slots.extend_from_slice(&tuple[1..]);
        self.slots.resize(base + lifted.frame as usize, UNBOUND);
        let slots = &mut self.slots[base..];
        let (facts, types) = (&self.facts, &self.rules.types);
        let tests = &self.rules.preconditions[action as usize];
        if !tests.iter().all(|t| t.holds(facts, types, slots)) {
            self.next_task();
            return;
        }
        let mut atoms: Vec<(bool, Vec<u32>)> = vec![];
        for change in &self.rules.changes[action as usize] {
            let mut cursors = vec![0; change.forall.cursors()];
            let mut fresh = true;
            while change
                .forall
                .next(facts, types, slots, &mut cursors, fresh, 0, &mut self.work)
            {
                fresh = false;
                if change.when.holds(facts, types, slots) {
                    let atom = &change.effect.atom;
                    let objects = atom.args.iter().map(|a| object(*a, slots));
                    let tuple = std::iter::once(atom.predicate).chain(objects).collect();
                    atoms.push((change.effect.add, tuple));
                }
            }
        }
        for add in [false, true] {
            for (_, atom) in atoms.iter().filter(|(a, _)| *a == add) {
                self.facts.set(atom, add);
            }
        }
        let ground = self.network.task(frame.task).ground;
        self.watch.open(ground, &self.ground, false);
        self.network.remove(frame.task);
        self.steps += 1;
        frame.first_child = 0;
        self.phase = Phase::Enter;
    }

    fn decompose(&mut self, range: std::ops::Range<u32>) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        let count = range.end - range.start;
        let (base, cursors) = (frame.slots as usize, frame.cursors as usize);
        let info = *self.network.task(frame.task);
        if frame.first_child == NOT_YET && frame.fresh && frame.method == 0 {
            let task = frame.task as usize;
            let state = self.facts.hash() as u64;
            self.states.resize(self.states.len().max(task + 1), 0);
            self.states[task] = state;
            let recursive = self.narrow && self.is_within_itself(info, state);
            if recursive || info.depth as usize >= self.depth {
                self.cut = true;
                self.next_task();
                return;
            }
        }
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        while frame.method < count {
            let turned = turn(self.seed, info.ground, frame.method, count);
            let number = range.start + turned;
            let Some(join) = &self.rules.methods[number as usize] else {
                frame.method += 1;
                frame.fresh = true;
                continue;
            };
            if frame.fresh {
                let tuple = self.ground.tuple(info.ground);
                self.slots.truncate(base);
                self.slots.extend_from_slice(&tuple[1..]);
                self.slots.resize(base + join.frame as usize, UNBOUND);
                self.cursors.truncate(cursors);
                self.cursors.resize(cursors + join.cursors(), 0);
            }
            let start = match self.seed {
                0 => 0,
                seed => spread(seed ^ info.ground.rotate_left(7)),
            };
            let found = join.next(
                &self.facts,
                &self.rules.types,
                &mut self.slots[base..],
                &mut self.cursors[cursors..],
                frame.fresh,
                start,
                &mut self.work,
            );
            if !found {
                frame.method += 1;
                frame.fresh = true;
                continue;
            }
            frame.fresh = false;
            let method = &self.model.methods[number as usize];
            let slots = &self.slots[base..];
            self.children.clear();
            for (position, subtask) in (0u32..).zip(&method.subtasks) {
                self.tuple.clear();
                self.tuple.push(subtask.task);
                let objects = subtask.args.iter().map(|a| object(*a, slots));
                self.tuple.extend(objects);
                self.children.push(Child {
                    ground: self.ground.intern(&self.tuple),
                    position,
                });
            }
            frame.first_child = self.network.len();
            for child in &self.children {
                self.watch.open(child.ground, &self.ground, true);
            }
            self.watch.open(info.ground, &self.ground, false);
            self.network
                .expand(frame.task, &self.children, &method.order);
            self.phase = Phase::Enter;
            return;
        }
        self.next_task();
    }

    /// Whether a task is part of the decomposition of the same ground task that
    /// was begun in the same state.
    fn is_within_itself(&self, task: NetTask, state: u64) -> bool {
        let mut above = task.parent;
        for _ in 0..MAX_ABOVE {
            if above == 0 {
                break;
            }
            let other = self.network.task(above);
            if other.ground == task.ground && self.states[above as usize] == state {
                return true;
            }
            above = other.parent;
        }
        false
    }

    /// The top frame's task cannot be done here: another one, or back.
    fn next_task(&mut self) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        self.slots.truncate(frame.slots as usize);
        self.cursors.truncate(frame.cursors as usize);
        let next = match self.network.has_one_ready() {
            true => None,
            false => self.network.ready_after(frame.task),
        };
        match next {
            Some(task) => {
                frame.task = task;
                frame.method = 0;
                frame.fresh = true;
                frame.first_child = NOT_YET;
                self.phase = Phase::Try;
            }
            None => {
                self.stack.pop();
                self.phase = Phase::Back;
            }
        }
    }

    /// Undoes what the top frame did.
    fn back(&mut self) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        self.facts.undo(frame.trail);
        self.steps = frame.steps;
        match std::mem::replace(&mut frame.first_child, NOT_YET) {
            NOT_YET => {}
            0 => {
                let ground = self.network.task(frame.task).ground;
                self.watch.open(ground, &self.ground, true);
                self.network.restore(frame.task);
            }
            first => {
                let ground = self.network.task(frame.task).ground;
                self.watch.open(ground, &self.ground, true);
                for child in first..self.network.len() {
                    let ground = self.network.task(child).ground;
                    self.watch.open(ground, &self.ground, false);
                }
                self.network.collapse(frame.task, first);
            }
        }
        self.phase = Phase::Try;
    }

    /// Reads the decomposition off the stack, with tasks where they stand in the
    /// methods as they were.
    fn found(&self) -> Found {
        let mut place: Vec<u32> = (0..self.network.len())
            .map(|number| self.network.task(number).position)
            .collect();
        let mut by = vec![];
        for frame in &self.stack {
            let ground = self.network.task(frame.task).ground;
            let task = self.ground.tuple(ground)[0];
            let TaskKind::Compound(range) = &self.model.tasks[task as usize].kind else {
                continue;
            };
            let count = range.end - range.start;
            let method = range.start + turn(self.seed, ground, frame.method, count);
            let vars = self.model.methods[method as usize].vars.len();
            let base = frame.slots as usize;
            by.push((
                frame.task,
                FoundMethod {
                    method,
                    objects: self.slots[base..base + vars].into(),
                    at: frame.steps,
                },
            ));
            if let Some(places) = &self.places {
                let children = frame.first_child as usize..;
                let places = &places[method as usize];
                place[children][..places.len()].copy_from_slice(places);
            }
        }
        // Tasks of one network have numbers in a row.
        let node =
            |number: u32| number + place[number as usize] - self.network.task(number).position - 1;
        let mut order: Vec<u32> = (1..self.network.len()).collect();
        order.sort_by_key(|number| node(*number));
        let nodes = order.into_iter().map(|number| {
            let task = self.network.task(number);
            let tuple = self.ground.tuple(task.ground);
            FoundNode {
                task: tuple[0],
                args: tuple[1..].into(),
                parent: (task.parent > 0).then(|| (node(task.parent), place[number as usize])),
                by: None,
            }
        });
        let mut found = Found {
            nodes: nodes.collect(),
            steps: vec![],
        };
        for (task, method) in by {
            found.nodes[node(task) as usize].by = Some(method);
        }
        let primitive = |frame: &&Frame| {
            let task = self.ground.tuple(self.network.task(frame.task).ground)[0];
            matches!(self.model.tasks[task as usize].kind, TaskKind::Primitive(_))
        };
        let steps = self.stack.iter().filter(primitive);
        found.steps = steps.map(|frame| node(frame.task)).collect();
        found
    }
}

/// So many tasks above another are looked at by [`Descend::is_within_itself`].
const MAX_ABOVE: usize = 1_000;

/// Which method comes in the place of one, in the order of a seed.
fn turn(seed: u32, ground: u32, method: u32, count: u32) -> u32 {
    match seed {
        0 => method,
        // Most tasks keep the designer's order: it is rarely without sense.
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
