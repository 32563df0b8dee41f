//! Forward decomposition of a task network, one decision at a time.
//!
//! Of the tasks that wait for nothing one is chosen, in the designer's order
//! (SHOP2's way through partially ordered networks); a primitive one is
//! executed, a compound one is replaced by a resolution of its flowchart. All of
//! it is on a stack of its own, and what a decision changed is undone when it is
//! taken back.
//!
//! This is what the search strategies have in common. Each of them says what
//! becomes of a new state and network ([`Phase::Enter`]) and of a decision that
//! has no alternatives left ([`Phase::Leave`]); the rest is done here.

use super::effects::Writes;
use super::evaluate::{Evaluation, Frames, NOTHING};
use super::guards::Orderings;
use super::held::Footprint;
use super::network::{Child, NONE, Network};
use super::state::{Saved, State, mix};
use super::table::TupleTable;
use super::tracer::{Tracer, explain, parent};
use crate::compile::{Problem, Resolution, Resolutions, TaskOrder};
use crate::plan::{Budget, Pruned, Statistics, TraceEvent, TraceKind};

mod act;

/// Quantified bodies and the like that count as one decision.
const WORK_PER_NODE: u64 = 8;
/// What a decision counts as, in a [`Stop`](taskloom_document::stop::Stop)'s units of work.
const DECISION: usize = 2;

/// A state and a network, told apart from all others but for a chance of 2^-128 for
/// each pair of them (see [`mix`]): by n of them, less than n^2 / 2^129 that any two
/// are mistaken for each other. For 10^9, which no memory holds, that is 10^-21.
pub type Key = [u64; 2];

/// A decision on the stack: which task is next, and how it is done.
#[derive(Debug)]
pub struct Frame {
    /// The state and network before it.
    pub key: Key,
    /// The task chosen.
    pub task: u32,
    /// How it is done.
    pub done: Doing,
    /// Where the state's trail stood.
    pub trail: usize,
    /// What the steps before cost.
    pub paid: f64,
    /// The trace's event of the choice.
    event: u32,
    /// Whether something below was not searched because it is nested too deep.
    pub cut: bool,
}

/// What was made of the task of a [`Frame`].
#[derive(Debug, Clone, Copy)]
pub enum Doing {
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

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The network and state are new: the strategy looks at them.
    Enter,
    /// Do the task that the top frame chose.
    Try,
    /// Go on resolving the flowchart of the top frame's task.
    Resolve,
    /// What the top frame did failed: undo it and do something else.
    Back,
    /// The top frame has no alternatives left: the strategy takes it off.
    Leave,
    /// There is no frame.
    Done,
}

/// See the module.
#[derive(Debug)]
pub struct Progression {
    pub problem: Problem,
    pub budget: Budget,
    pub statistics: Statistics,
    pub state: State,
    pub network: Network,
    /// Ground tasks.
    pub ground: TupleTable,
    pub stack: Vec<Frame>,
    pub resolutions: Resolutions,
    pub frames: Frames,
    /// What the primitive tasks on the stack cost.
    pub paid: f64,
    pub tracer: Tracer,
    order: TaskOrder,
    orderings: Orderings,
    /// Primitive tasks on the stack.
    pub steps: usize,
    writes: Writes,
    children: Vec<Child>,
    child_order: Vec<(u32, u32)>,
    tuple: Vec<u32>,
}

impl Progression {
    /// Stands before the first decision; none where the initial network cannot
    /// be read. At most `trace_bound` events are kept; 0 costs nothing.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize) -> Self {
        let (state, ground) = (problem.initial().clone(), TupleTable::default());
        Self::start(problem, budget, trace_bound, state, ground)
    }

    /// Another one that stands before the first decision, in this state, which is
    /// this one's initial state: states and networks have the same keys in both.
    pub fn again(&self, budget: Budget, initial: State) -> Self {
        Self::start(&self.problem, budget, 0, initial, self.ground.clone())
    }

    fn start(
        problem: &Problem,
        budget: Budget,
        trace_bound: usize,
        state: State,
        ground: TupleTable,
    ) -> Self {
        let mut progression = Self {
            problem: problem.clone(),
            budget,
            statistics: Statistics::default(),
            state,
            network: Network::new(),
            ground,
            stack: vec![],
            resolutions: Resolutions::default(),
            order: TaskOrder::default(),
            frames: Frames::new(
                budget.nodes.saturating_mul(WORK_PER_NODE),
                problem.stop().clone(),
            ),
            paid: 0.0,
            orderings: Orderings::default(),
            steps: 0,
            tracer: Tracer::new(trace_bound),
            writes: Writes::new(budget.memory / 4),
            children: vec![],
            child_order: vec![],
            tuple: vec![],
        };
        if let Some(roots) = problem.roots() {
            for (task, args) in roots {
                progression.tuple.clear();
                progression.tuple.push(*task);
                progression.tuple.extend(args);
                progression.children.push(Child {
                    ground: progression.ground.intern(&progression.tuple),
                    position: 0,
                });
            }
            let last = (roots.len() as u32).saturating_sub(1);
            progression
                .child_order
                .extend((0..last).map(|n| (n, n + 1)));
            progression
                .network
                .expand(0, &progression.children, &progression.child_order);
        }
        progression
    }

    /// Stands before a decision in a state and network that were saved from this one.
    pub fn stand_at(&mut self, state: &Saved, network: &[u32]) {
        self.stack.clear();
        self.resolutions.clear();
        self.orderings.clear();
        self.frames.slots.clear();
        self.steps = 0;
        self.state.load(state);
        self.network.load(network);
    }

    /// Goes on, where it is not the strategy's turn.
    pub fn advance(&mut self, phase: Phase) -> Phase {
        match phase {
            Phase::Try => self.try_task(),
            Phase::Resolve => self.resolve(),
            Phase::Back => self.back(),
            Phase::Enter | Phase::Leave | Phase::Done => phase,
        }
    }

    /// Decisions, and work that counts as such.
    pub fn spent(&self) -> u64 {
        self.statistics.nodes + self.frames.work / WORK_PER_NODE
    }

    /// Counts a decision's work; whether the search was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.problem.stop().after(DECISION)
    }

    /// Whether the budget of decisions is used up.
    pub fn is_spent(&self) -> bool {
        self.spent() >= self.budget.nodes || self.frames.is_spent()
    }

    /// Whether an evaluation did not come to its end, so that what the last step
    /// came to means nothing.
    pub fn is_cut_short(&self) -> bool {
        self.frames.is_spent()
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        self.state.footprint()
            + self.network.footprint()
            + self.ground.footprint()
            + Footprint::of_vec(&self.stack)
            + self.resolutions.footprint()
            + Footprint::fixed(self.order.memory())
            + Footprint::of_vec(&self.frames.slots)
            + self.orderings.footprint()
            + self.tracer.footprint()
            + self.writes.footprint()
    }

    /// What the state and network have in common with equal ones alone.
    pub fn key(&mut self) -> Key {
        let key = self.network.key();
        let state = self.state.hash();
        let key = mix(key as u64, state as u64) ^ mix((state >> 64) as u64, (key >> 64) as u64);
        [key as u64, (key >> 64) as u64]
    }

    /// Takes a decision about the first task that waits for nothing.
    pub fn push(&mut self, key: Key) -> Phase {
        let Some(task) = self.network.ready_after(0) else {
            return Phase::Back;
        };
        self.stack.push(Frame {
            key,
            task,
            done: Doing::Nothing,
            trail: self.state.mark(),
            paid: self.paid,
            event: parent_event(&self.network, task),
            cut: false,
        });
        Phase::Try
    }

    /// Whether the scenario's goal holds.
    pub fn goal_holds(&mut self) -> bool {
        let flat = self.problem.flat().clone();
        let base = self.frames.slots.len();
        let frame = base + flat.goal_frame as usize;
        self.frames.slots.resize(frame, NOTHING);
        let failing =
            Evaluation::new(&flat, &self.state, &mut self.frames, base).first_failing(&flat.goal);
        if let Some(conjunct) = failing.filter(|_| !self.frames.is_spent()) {
            let (state, frames, step) = (&self.state, &mut self.frames, self.steps);
            self.tracer.add(|| TraceEvent {
                parent: None,
                task: super::GroundTask {
                    task: flat.scenario.clone(),
                    args: vec![],
                },
                step,
                kind: match explain(&flat, state, frames, base, conjunct, None) {
                    TraceKind::Failed { conjunct, saw, .. } => {
                        TraceKind::GoalFailed { conjunct, saw }
                    }
                    other => other,
                },
            });
        }
        self.frames.slots.truncate(base);
        failing.is_none()
    }

    /// Notes that what the network has come to is not searched, and why.
    pub fn note_pruned(&mut self, why: Pruned) {
        if let Some(task) = self.network.ready_after(0) {
            self.note(task, TraceKind::Pruned(why));
        }
    }

    /// Notes that the search has been at this state and network before.
    pub fn note_repeated(&mut self, key: Key) {
        let circle = self.tracer.has_room() && self.stack.iter().any(|frame| frame.key == key);
        self.note_pruned(if circle {
            Pruned::Circle
        } else {
            Pruned::Known
        });
    }

    /// Notes something about a task, under the alternative that it is part of.
    fn note(&mut self, task: u32, kind: TraceKind) -> u32 {
        let event = parent_event(&self.network, task);
        self.note_under(event, task, kind)
    }

    /// Notes something about the task that the top frame chose.
    fn note_choice(&mut self, kind: TraceKind) -> u32 {
        let chosen = self.stack.last().map(|frame| (frame.event, frame.task));
        chosen.map_or(NONE, |(event, task)| self.note_under(event, task, kind))
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
            return Phase::Done;
        };
        frame.done = Doing::Nothing;
        match self.network.ready_after(frame.task) {
            Some(task) => {
                frame.task = task;
                Phase::Try
            }
            None => Phase::Leave,
        }
    }

    /// Undoes what the top frame did and does something else.
    fn back(&mut self) -> Phase {
        let Some(frame) = self.stack.last_mut() else {
            return Phase::Done;
        };
        self.statistics.backtracks += 1;
        match frame.done {
            Doing::Nothing => self.next_task(),
            Doing::Step { .. } => {
                self.state.undo(frame.trail);
                self.network.restore(frame.task);
                self.paid = frame.paid;
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
