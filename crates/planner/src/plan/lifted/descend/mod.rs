//! Lifted depth-first search: nothing is instantiated before it is needed, so the first plan of a
//! huge problem can be found immediately. It is graph search: a state and network that was seen is
//! not searched again.
//!
//! It can be restarted after a number of decisions with the alternatives in a different order: a
//! bad choice near the root then costs little.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::decomposition::{Answer, Decomposition};
use super::facts::Facts;
use super::join::UNBOUND;
use super::linear::Linear;
use super::model::Model;
use super::rules::Rules;
use crate::plan::landmarks::LandmarkMonitor;
use crate::plan::memory::MemoryUse;
use crate::plan::network::{Child, Network};
use crate::plan::state::mix;
use crate::plan::table::TupleTable;

mod act;
mod unwind;

/// A chosen task and the state of its decomposition.
#[derive(Debug)]
struct Frame {
    task: u32,
    trail: usize,
    /// The start of its variables and cursors.
    slots: u32,
    cursors: u32,
    /// The method being tried, counted in this search's order.
    method: u32,
    /// `true` if the method's join has not returned a result yet.
    fresh: bool,
    /// The first child, once decomposed.
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

/// A lifted depth-first search; see the module.
#[derive(Debug)]
pub struct Descend {
    model: Arc<Model>,
    /// The memory use of the model in bytes, if this search owns it.
    model_bytes: usize,
    /// The positions of subtasks in the original methods, if the model was linearized.
    places: Option<Vec<Vec<u32>>>,
    rules: Rules,
    facts: Facts,
    network: Network,
    ground: TupleTable,
    watch: LandmarkMonitor,
    stack: Vec<Frame>,
    /// For each task of the network, the hash of the state in which it was decomposed.
    states: Vec<u64>,
    slots: Vec<u32>,
    cursors: Vec<u32>,
    seen: FxHashSet<[u64; 2]>,
    phase: Phase,
    steps: u32,
    children: Vec<Child>,
    tuple: Vec<u32>,
    /// 0 means the designer's order.
    seed: u32,
    depth: u32,
    /// If `true`, a task is not decomposed within itself in the same state. This misses some plans,
    /// and avoids endless recursion.
    narrow: bool,
    cut: bool,
    /// The amount of work at which a search for a method's objects pauses.
    pause_at: u64,
    is_paused: bool,
    /// Decisions and other work so far.
    pub work: u64,
    pub nodes: u64,
}

impl Descend {
    /// Prepares a search in the designer's order, with a maximum nesting depth.
    pub fn new(model: &Arc<Model>, depth: u32) -> Self {
        Self::over(model.clone(), None, depth)
    }

    /// Prepares a search of a linearized model.
    pub fn in_sequence(linear: Linear, depth: u32) -> Self {
        Self::over(Arc::new(linear.model), Some(linear.places), depth)
    }

    fn over(model: Arc<Model>, places: Option<Vec<Vec<u32>>>, depth: u32) -> Self {
        let mut facts = Facts::new(&model);
        let rules = Rules::new(&model, &mut facts);
        let watch = LandmarkMonitor::new(&model, &mut facts);
        let mut search = Self {
            model_bytes: if places.is_some() { model.memory() } else { 0 },
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
            depth,
            narrow: true,
            cut: false,
            pause_at: 0,
            is_paused: false,
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

    /// Restarts, with alternatives in an order that depends on the seed.
    pub fn restart(&mut self, seed: u32, narrow: bool) {
        self.facts.undo(0);
        self.stack.clear();
        self.slots.clear();
        self.cursors.clear();
        self.seen.clear();
        self.steps = 0;
        self.seed = seed;
        self.narrow = narrow;
        self.cut = false;
        self.is_paused = false;
        self.begin();
    }

    /// Returns `true` if unordered tasks are only tried in one order.
    pub fn is_in_sequence(&self) -> bool {
        self.places.is_some()
    }

    /// Returns `true` if the search may miss plans.
    pub fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// Works for a number of units. Returns an answer once there is one.
    pub fn step(&mut self, work: u64) -> Option<Answer> {
        let until = self.work.saturating_add(work);
        self.pause_at = until;
        while self.work < until && !self.rules.types.stop.after(2) {
            if !std::mem::take(&mut self.is_paused) {
                self.work += 1;
            }
            match self.phase {
                Phase::Enter => {
                    if let Some(found) = self.enter() {
                        return Some(Answer::Found(found));
                    }
                }
                Phase::Try => self.attempt(),
                Phase::Back => {
                    if self.stack.is_empty() {
                        // As in the search for the first plan, the states and networks seen are
                        // closed under every decision if nothing was cut.
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

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.facts.memory_use()
            + MemoryUse::fixed(self.rules.memory + self.model_bytes)
            + self.network.memory_use()
            + self.ground.memory_use()
            + MemoryUse::of_vec(&self.stack)
            + MemoryUse::of_vec(&self.slots)
            + MemoryUse::of_vec(&self.cursors)
            + MemoryUse::of_vec(&self.states)
            + MemoryUse::of_set(&self.seen)
            + self.watch.memory_use()
    }

    fn enter(&mut self) -> Option<Decomposition> {
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

    /// Moves on to another task because the top frame's task is impossible here, or backtracks.
    fn next_task(&mut self) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        self.slots.truncate(frame.slots as usize);
        self.cursors.truncate(frame.cursors as usize);
        match self.network.ready_after(frame.task) {
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

    /// Undoes the top frame's decision.
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
}
