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
use crate::landmarks::LandmarkMonitor;
use taskloom_planner::search_kit::{Child, MemoryUse, Network, TupleTable, mix};

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

/// A model that is ready to be searched.
#[derive(Debug)]
struct Prepared {
    model: Arc<Model>,
    /// The memory use of the model in bytes, if this search owns it.
    model_bytes: usize,
    /// The positions of subtasks in the original methods, if the model was linearized.
    places: Option<Vec<Vec<u32>>>,
    rules: Rules,
}

/// The current state and task network.
#[derive(Debug)]
struct Position {
    facts: Facts,
    network: Network,
    /// For each task of the network, the hash of the state in which it was decomposed.
    states: Vec<u64>,
    /// The number of actions executed.
    steps: u32,
}

/// The variables of the frames on the stack, and the cursors of their joins.
#[derive(Debug, Default)]
struct Bindings {
    slots: Vec<u32>,
    cursors: Vec<u32>,
}

#[derive(Debug)]
struct Options {
    /// 0 means the designer's order.
    seed: u32,
    /// The maximum nesting depth.
    depth: u32,
    /// If `true`, a task is not decomposed within itself in the same state. This misses some plans,
    /// and avoids endless recursion.
    narrow: bool,
}

/// Lists that are reused.
#[derive(Debug, Default)]
struct Scratch {
    children: Vec<Child>,
    tuple: Vec<u32>,
}

/// A lifted depth-first search; see the module.
#[derive(Debug)]
pub struct Descend {
    prepared: Prepared,
    options: Options,
    position: Position,
    /// The tasks with their objects.
    ground: TupleTable,
    watch: LandmarkMonitor,
    stack: Vec<Frame>,
    bindings: Bindings,
    seen: FxHashSet<[u64; 2]>,
    phase: Phase,
    scratch: Scratch,
    /// `true` if something was not searched because of its depth or a narrow search.
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
            prepared: Prepared {
                model_bytes: if places.is_some() { model.memory() } else { 0 },
                model,
                places,
                rules,
            },
            options: Options {
                seed: 0,
                depth,
                narrow: true,
            },
            position: Position {
                facts,
                network: Network::default(),
                states: vec![],
                steps: 0,
            },
            ground: TupleTable::default(),
            watch,
            stack: vec![],
            bindings: Bindings::default(),
            seen: FxHashSet::default(),
            phase: Phase::Enter,
            scratch: Scratch::default(),
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
        self.position.network = Network::default();
        self.watch.clear();
        self.scratch.children.clear();
        for (position, (task, args)) in (0u32..).zip(&self.prepared.model.roots) {
            self.scratch.tuple.clear();
            self.scratch.tuple.push(*task);
            self.scratch.tuple.extend(args);
            self.scratch.children.push(Child {
                ground: self.ground.intern(&self.scratch.tuple),
                position,
            });
        }
        let last = (self.scratch.children.len() as u32).saturating_sub(1);
        let order: Vec<(u32, u32)> = (0..last).map(|n| (n, n + 1)).collect();
        self.position
            .network
            .expand(0, &self.scratch.children, &order);
        for child in &self.scratch.children {
            self.watch.open(child.ground, &self.ground, true);
        }
        self.phase = Phase::Enter;
    }

    /// Restarts, with alternatives in an order that depends on the seed.
    pub fn restart(&mut self, seed: u32, narrow: bool) {
        self.position.facts.undo(0);
        self.stack.clear();
        self.bindings.slots.clear();
        self.bindings.cursors.clear();
        self.seen.clear();
        self.position.steps = 0;
        self.options.seed = seed;
        self.options.narrow = narrow;
        self.cut = false;
        self.is_paused = false;
        self.begin();
    }

    /// Returns `true` if unordered tasks are only tried in one order.
    pub fn is_in_sequence(&self) -> bool {
        self.prepared.places.is_some()
    }

    /// Returns `true` if the search may miss plans.
    pub fn is_narrow(&self) -> bool {
        self.options.narrow
    }

    /// Works for a number of units. Returns an answer once there is one.
    pub fn step(&mut self, work: u64) -> Option<Answer> {
        let until = self.work.saturating_add(work);
        self.pause_at = until;
        while self.work < until && !self.prepared.rules.types.stop.after(2) {
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
        self.position.facts.memory_use()
            + MemoryUse::fixed(self.prepared.rules.memory + self.prepared.model_bytes)
            + self.position.network.memory_use()
            + self.ground.memory_use()
            + MemoryUse::of_vec(&self.stack)
            + MemoryUse::of_vec(&self.bindings.slots)
            + MemoryUse::of_vec(&self.bindings.cursors)
            + MemoryUse::of_vec(&self.position.states)
            + MemoryUse::of_set(&self.seen)
            + self.watch.memory_use()
    }

    fn enter(&mut self) -> Option<Decomposition> {
        if self.position.network.is_done() {
            let frame = self.prepared.model.goal_frame as usize;
            let base = self.bindings.slots.len();
            self.bindings.slots.resize(base + frame, UNBOUND);
            let (facts, types) = (&self.position.facts, &self.prepared.rules.types);
            let slots = &mut self.bindings.slots[base..];
            let holds = self
                .prepared
                .rules
                .goal
                .iter()
                .all(|t| t.holds(facts, types, slots));
            self.bindings.slots.truncate(base);
            self.phase = Phase::Back;
            return holds.then(|| self.found());
        }
        if self.watch.is_lost(&self.position.facts) {
            self.phase = Phase::Back;
            return None;
        }
        let network = self.position.network.key();
        let state = self.position.facts.hash();
        let key =
            mix(network as u64, state as u64) ^ mix((state >> 64) as u64, (network >> 64) as u64);
        let key = [key as u64, (key >> 64) as u64];
        let first = self.position.network.ready_after(0);
        let (Some(task), true) = (first, self.seen.insert(key)) else {
            self.phase = Phase::Back;
            return None;
        };
        self.nodes += 1;
        self.stack.push(Frame {
            task,
            trail: self.position.facts.mark(),
            slots: self.bindings.slots.len() as u32,
            cursors: self.bindings.cursors.len() as u32,
            method: 0,
            fresh: true,
            first_child: NOT_YET,
            steps: self.position.steps,
        });
        self.phase = Phase::Try;
        None
    }

    /// Moves on to another task because the top frame's task is impossible here, or backtracks.
    fn next_task(&mut self) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        self.bindings.slots.truncate(frame.slots as usize);
        self.bindings.cursors.truncate(frame.cursors as usize);
        match self.position.network.ready_after(frame.task) {
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
        self.position.facts.undo(frame.trail);
        self.position.steps = frame.steps;
        match std::mem::replace(&mut frame.first_child, NOT_YET) {
            NOT_YET => {}
            0 => {
                let ground = self.position.network.task(frame.task).ground;
                self.watch.open(ground, &self.ground, true);
                self.position.network.restore(frame.task);
            }
            first => {
                let ground = self.position.network.task(frame.task).ground;
                self.watch.open(ground, &self.ground, true);
                for child in first..self.position.network.len() {
                    let ground = self.position.network.task(child).ground;
                    self.watch.open(ground, &self.ground, false);
                }
                self.position.network.collapse(frame.task, first);
            }
        }
        self.phase = Phase::Try;
    }
}
