//! Forward decomposition search for the first plan in the designer's order.
//!
//! Depth first through the task network as it shrinks and grows (SHOP2's way
//! through partially ordered networks): of the tasks that wait for nothing, one
//! is chosen, in the designer's order; a primitive one is executed, a compound
//! one is replaced by a resolution of its flowchart. All of it is on a stack of
//! its own, and what a decision changed is undone when it is taken back.
//!
//! A state together with a network that failed before, or that the search is
//! just working on, is not searched again. So recursion without progress ends,
//! and where the states and networks are finite, 'no plan' is proved.
//!
//! `Policy::Cheapest` of a Choice block means the least total cost, which this
//! search does not look for: it takes the outputs in order.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::answer::{Budget, Limit, Outcome, Plan, Statistics, Trace, TraceEvent, TraceKind};
use super::assemble::assemble;
use super::effects::Writes;
use super::evaluate::{Evaluation, Frames, NOTHING};
use super::guards::Orderings;
use super::network::{Child, Network};
use super::state::{State, mix};
use super::table::TupleTable;
use super::tracer::{Tracer, explain, parent};
use crate::compile::{Problem, Resolution, Resolutions, TaskOrder};

mod act;

/// Whether a search has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It goes on with the next [`Search::step`].
    Running,
    /// [`Search::outcome`] has the answer.
    Done,
}

/// Quantified bodies and the like that count as one decision.
const WORK_PER_NODE: u64 = 8;

/// So many decisions between two looks at the memory held.
const MEMORY_INTERVAL: u64 = 64;

/// A decision on the stack: which task is next, and how it is done.
#[derive(Debug)]
pub(super) struct Frame {
    /// The state and network before it.
    key: [u64; 2],
    /// The task chosen.
    pub task: u32,
    /// How it is done.
    pub done: Doing,
    /// Where the state's trail stood.
    pub trail: usize,
    /// The trace's event of the choice.
    event: u32,
    /// Whether something below was not searched for the budget's sake.
    cut: bool,
}

/// What was made of the task of a [`Frame`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Doing {
    /// Nothing yet.
    Nothing,
    /// A primitive task was executed, at this cost.
    Step { cost: f64 },
    /// A compound task is being decomposed, and once `first_child` is set, was.
    Method {
        resolution: Resolution,
        /// Where its frame of variables starts.
        slots: usize,
        first_child: u32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The network and state are new: look at them.
    Enter,
    /// Do the task that the top frame chose.
    Try,
    /// Go on resolving the flowchart of the top frame's task.
    Resolve,
    /// What the top frame did failed: undo it and do something else.
    Back,
    Done,
}

/// Whether what a state and network lead to is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnStack,
    Failed,
}

/// A search that is run in slices.
#[derive(Debug)]
pub struct Search {
    pub(super) problem: Problem,
    budget: Budget,
    statistics: Statistics,
    phase: Phase,
    outcome: Option<Outcome>,
    pub(super) state: State,
    pub(super) network: Network,
    /// Ground tasks.
    pub(super) ground: TupleTable,
    pub(super) stack: Vec<Frame>,
    pub(super) resolutions: Resolutions,
    pub(super) order: TaskOrder,
    pub(super) frames: Frames,
    orderings: Orderings,
    visited: FxHashMap<[u64; 2], Mark>,
    /// Primitive tasks on the stack.
    steps: usize,
    cut: bool,
    tracer: Tracer,
    writes: Writes,
    children: Vec<Child>,
    child_order: Vec<(u32, u32)>,
    tuple: Vec<u32>,
    memory_looked_at: u64,
}

impl Search {
    /// Starts a search. At most `trace_bound` events are kept; 0 costs nothing.
    /// A failed goal's event has the scenario's name for its task.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize) -> Self {
        let flat = problem.flat();
        let mut search = Self {
            problem: problem.clone(),
            budget,
            statistics: Statistics::default(),
            phase: Phase::Enter,
            outcome: None,
            state: flat.initial.clone(),
            network: Network::new(),
            ground: TupleTable::default(),
            stack: vec![],
            resolutions: Resolutions::default(),
            order: TaskOrder::default(),
            frames: Frames {
                slots: vec![],
                work: 0,
                limit: budget.nodes.saturating_mul(WORK_PER_NODE),
            },
            orderings: Orderings::default(),
            visited: FxHashMap::default(),
            steps: 0,
            cut: false,
            tracer: Tracer::new(trace_bound),
            writes: Writes::default(),
            children: vec![],
            child_order: vec![],
            tuple: vec![],
            memory_looked_at: 0,
        };
        match &flat.roots {
            None => search.end(Outcome::NoPlan),
            Some(roots) => {
                for (task, args) in roots {
                    search.tuple.clear();
                    search.tuple.push(*task);
                    search.tuple.extend(args);
                    search.children.push(Child {
                        ground: search.ground.intern(&search.tuple),
                        position: 0,
                    });
                }
                let last = (roots.len() as u32).saturating_sub(1);
                search.child_order.extend((0..last).map(|n| (n, n + 1)));
                search
                    .network
                    .expand(0, &search.children, &search.child_order);
            }
        }
        search
    }

    /// Takes about so many more decisions.
    pub fn step(&mut self, nodes: u64) -> Progress {
        let until = self.spent().saturating_add(nodes);
        while self.phase != Phase::Done {
            if self.spent() >= until {
                return Progress::Running;
            }
            if let Some(limit) = self.limit_reached() {
                self.end(Outcome::GaveUp(limit));
                break;
            }
            self.phase = match self.phase {
                Phase::Enter => self.enter(),
                Phase::Try => self.try_task(),
                Phase::Resolve => self.resolve(),
                Phase::Back => self.back(),
                Phase::Done => Phase::Done,
            };
        }
        Progress::Done
    }

    /// How it ended; `None` while it runs. The plan has yet to be validated.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    /// What it used so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            memory: self.statistics.memory.max(self.memory()),
            ..self.statistics
        }
    }

    /// What it did so far.
    pub fn trace(&self) -> &Trace {
        self.tracer.trace()
    }

    /// Decisions, and work that counts as such.
    fn spent(&self) -> u64 {
        self.statistics.nodes + self.frames.work / WORK_PER_NODE
    }

    fn limit_reached(&mut self) -> Option<Limit> {
        if self.spent() >= self.budget.nodes || self.frames.is_spent() {
            return Some(Limit::Nodes);
        }
        if self.statistics.nodes >= self.memory_looked_at + MEMORY_INTERVAL {
            self.memory_looked_at = self.statistics.nodes;
            let memory = self.memory();
            self.statistics.memory = self.statistics.memory.max(memory);
            // The largest of its tables is about to double, beside the old one.
            let growth = self.memory_of_visited() * 2;
            let full = self.visited.len() + MEMORY_INTERVAL as usize * 2 > self.visited.capacity();
            if memory + if full { growth } else { 0 } > self.budget.memory {
                return Some(Limit::Memory);
            }
        }
        None
    }

    fn memory_of_visited(&self) -> u64 {
        (self.visited.capacity() * (size_of::<([u64; 2], Mark)>() + 1) * 8 / 7) as u64
    }

    fn memory(&self) -> u64 {
        let parts = self.state.memory()
            + self.network.memory()
            + self.ground.memory()
            + self.stack.capacity() * size_of::<Frame>()
            + self.resolutions.memory()
            + self.order.memory()
            + self.frames.slots.capacity() * size_of::<u32>()
            + self.orderings.memory()
            + self.tracer.memory()
            + self.writes.memory();
        parts as u64 + self.memory_of_visited()
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.phase = Phase::Done;
    }

    /// A new state and network: is it the end, is it known, which task is next?
    fn enter(&mut self) -> Phase {
        if self.network.is_done() {
            if self.goal_holds() {
                let plan: Plan = assemble(self);
                self.end(Outcome::Plan(plan));
                return Phase::Done;
            }
            return Phase::Back;
        }
        let key = self.network.key();
        let state = self.state.hash();
        let key = mix(key as u64, state as u64) ^ mix((state >> 64) as u64, (key >> 64) as u64);
        let key = [key as u64, (key >> 64) as u64];
        let Some(task) = self.network.ready_after(0) else {
            return Phase::Back;
        };
        match self.visited.entry(key) {
            Entry::Occupied(_) => {
                self.note(task, TraceKind::Pruned);
                return Phase::Back;
            }
            Entry::Vacant(entry) => entry.insert(Mark::OnStack),
        };
        self.stack.push(Frame {
            key,
            task,
            done: Doing::Nothing,
            trail: self.state.mark(),
            event: parent_event(&self.network, task),
            cut: false,
        });
        Phase::Try
    }

    fn goal_holds(&mut self) -> bool {
        let flat = self.problem.flat().clone();
        let base = self.frames.slots.len();
        let frame = base + flat.goal_frame as usize;
        self.frames.slots.resize(frame, NOTHING);
        let failing = Evaluation {
            flat: &flat,
            state: &self.state,
            frames: &mut self.frames,
            base,
            saw: None,
        }
        .first_failing(&flat.goal);
        if let Some(conjunct) = failing {
            let (state, frames, step) = (&self.state, &mut self.frames, self.steps);
            self.tracer.add(|| TraceEvent {
                parent: None,
                task: super::GroundTask {
                    task: flat.scenario.clone(),
                    args: vec![],
                },
                step,
                kind: explain(&flat, state, frames, base, conjunct, None),
            });
        }
        self.frames.slots.truncate(base);
        failing.is_none()
    }

    /// Notes something about a task, under the alternative that it is part of.
    fn note(&mut self, task: u32, kind: TraceKind) -> u32 {
        let event = parent_event(&self.network, task);
        self.note_under(event, task, kind)
    }

    fn note_under(&mut self, under: u32, task: u32, kind: TraceKind) -> u32 {
        let (flat, ground) = (self.problem.flat(), &self.ground);
        let (network, step) = (&self.network, self.steps);
        self.tracer.add(|| TraceEvent {
            parent: parent(under),
            task: flat.ground_task(ground.tuple(network.task(task).ground)),
            step,
            kind,
        })
    }

    /// The top frame chooses the next of the tasks that wait for nothing.
    fn next_task(&mut self) -> Phase {
        let Some(frame) = self.stack.last_mut() else {
            return self.exhausted();
        };
        frame.done = Doing::Nothing;
        let next = match self.network.has_one_ready() {
            true => None,
            false => self.network.ready_after(frame.task),
        };
        if let Some(task) = next {
            frame.task = task;
            return Phase::Try;
        }
        let (key, cut) = (frame.key, frame.cut);
        self.stack.pop();
        match cut {
            // It may yet lead somewhere, nearer to the root.
            true => self.visited.remove(&key),
            false => self.visited.insert(key, Mark::Failed),
        };
        if let Some(below) = self.stack.last_mut() {
            below.cut |= cut;
        }
        Phase::Back
    }

    fn exhausted(&mut self) -> Phase {
        self.end(match self.cut {
            true => Outcome::GaveUp(Limit::Depth),
            false => Outcome::NoPlan,
        });
        Phase::Done
    }

    /// Undoes what the top frame did and does something else.
    fn back(&mut self) -> Phase {
        let Some(frame) = self.stack.last_mut() else {
            return self.exhausted();
        };
        self.statistics.backtracks += 1;
        match frame.done {
            Doing::Nothing => self.next_task(),
            Doing::Step { .. } => {
                self.state.undo(frame.trail);
                self.network.restore(frame.task);
                self.steps -= 1;
                self.next_task()
            }
            Doing::Method { first_child, .. } => {
                self.network.collapse(frame.task, first_child);
                Phase::Resolve
            }
        }
    }
}

/// The event of the alternative that a task is part of.
fn parent_event(network: &Network, task: u32) -> u32 {
    network.task(network.task(task).parent).event
}

/// Searches to the end of the budget. The plan has yet to be validated.
pub fn plan(problem: &Problem, budget: Budget) -> Outcome {
    let mut search = Search::new(problem, budget, 0);
    while search.step(u64::MAX) == Progress::Running {}
    search.outcome().unwrap_or(Outcome::NoPlan)
}
