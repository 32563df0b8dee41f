//! Forward decomposition of a task network, one decision at a time.
//!
//! One of the tasks that wait for nothing is chosen, in the designer's order (as SHOP2 does for
//! partially ordered networks). A primitive task is executed, a compound task is replaced by a
//! resolution of its flowchart. Decisions are kept on an explicit stack, and their changes are
//! undone when they are taken back.
//!
//! This is the common part of the search strategies. Each strategy decides what to do with a new
//! state and network ([`Phase::Enter`]) and with a decision that has no alternatives left
//! ([`Phase::Leave`]); the rest is done here.

use super::effects::Writes;
use super::evaluate::{Evaluation, Frames, UNDEFINED};
use super::memory::MemoryUse;
use super::network::{Child, Network};
use super::options::Orderings;
use super::state::{Saved, State, mix};
use super::table::TupleTable;
use super::tracer::{Tracer, explain, parent};
use crate::compile::{Conjunct, FlatKind, Problem, Resolution, Resolutions, TaskOrder};
use crate::plan::rows::NONE;
use crate::plan::{Budget, Pruned, Statistics, TraceEvent, TraceKind};
use taskloom_document::BlockId;

mod achieve;
mod act;

pub use achieve::Achieving;

/// The number of evaluated bodies, for example of quantifiers, that count as one decision.
pub const WORK_PER_NODE: u64 = 8;
/// The cost of a decision in a [`Stop`](taskloom_document::stop::Stop)'s units of work.
const DECISION: usize = 2;

/// A key of a state and a network. A pair of different ones collides with a probability of 2^-128
/// (see [`mix`]), so that the probability of any collision among n of them is less than n^2 /
/// 2^129: 10^-21 for 10^9 of them, more than any memory holds.
pub type Key = [u64; 2];

/// A decision on the stack: the next task, and the way it is done.
#[derive(Debug)]
pub struct Frame {
    /// The state and network before it.
    pub key: Key,
    /// The task chosen.
    pub task: u32,
    /// The way the task is done.
    pub done: Doing,
    /// The mark of the state's trail.
    pub trail: usize,
    /// The cost of the previous steps.
    pub paid: f64,
    /// The trace's event of the choice.
    event: u32,
    /// `true` if something below wasn't searched because it is nested too deeply.
    pub cut: bool,
    /// `true` if something below would have failed at once by an integrity rule, which later steps needn't.
    pub barred: bool,
}

/// The way the task of a [`Frame`] is done.
#[derive(Debug, Clone, Copy)]
pub enum Doing {
    /// Not done yet.
    Nothing,
    /// A primitive task was executed, at this cost.
    Step { cost: f64 },
    /// A compound task is being decomposed; done once `first_child` is set.
    Method {
        resolution: Resolution,
        /// The start of its frame of variables.
        slots: usize,
        first_child: u32,
    },
    /// A compound task was decomposed by its goal.
    ByGoal { first_child: u32 },
}

/// The next action of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A new state and network was reached: the strategy examines it.
    Enter,
    /// Do the task that the top frame chose.
    Try,
    /// Continue resolving the flowchart of the top frame's task.
    Resolve,
    /// Continue the search for the goal of the top frame's task.
    Achieve,
    /// The top frame failed: undo it and try an alternative.
    Back,
    /// The top frame has no alternatives left: the strategy removes it.
    Leave,
    /// There is no frame.
    Done,
}

/// A forward decomposition; see the module's documentation.
#[derive(Debug)]
pub struct Decomposer {
    pub problem: Problem,
    pub budget: Budget,
    pub statistics: Statistics,
    pub state: State,
    pub network: Network,
    /// The ground tasks.
    pub ground: TupleTable,
    pub stack: Vec<Frame>,
    pub resolutions: Resolutions,
    pub frames: Frames,
    /// The cost of the primitive tasks on the stack.
    pub paid: f64,
    pub tracer: Tracer,
    pub achieving: Achieving,
    order: TaskOrder,
    orderings: Orderings,
    /// The number of primitive tasks on the stack.
    pub steps: usize,
    /// Those of them that don't clean up.
    own_steps: usize,
    /// `true` if there are such steps before the bottom of the stack.
    continues: bool,
    writes: Writes,
    children: Vec<Child>,
    child_order: Vec<(u32, u32)>,
    tuple: Vec<u32>,
}

impl Decomposer {
    /// Starts before the first decision, and without tasks if the initial network can't be read. At
    /// most `trace_bound` events are kept; 0 disables tracing at no cost.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize) -> Self {
        let (state, ground) = (problem.initial().clone(), TupleTable::default());
        Self::start(problem, budget, trace_bound, state, ground)
    }

    /// Returns another decomposer before the first decision in this state, which has to be the
    /// initial state of this one, so that states and networks have the same keys in both.
    pub fn again(&self, budget: Budget, initial: State) -> Self {
        Self {
            achieving: self.achieving.again(),
            ..Self::start(&self.problem, budget, 0, initial, self.ground.clone())
        }
    }

    fn start(
        problem: &Problem,
        budget: Budget,
        trace_bound: usize,
        state: State,
        ground: TupleTable,
    ) -> Self {
        let mut decomposer = Self {
            problem: problem.clone(),
            budget,
            statistics: Statistics::default(),
            state,
            network: Network::default(),
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
            own_steps: 0,
            continues: problem.begins_later(),
            tracer: Tracer::new(trace_bound),
            achieving: Achieving::default(),
            writes: Writes::new(budget.memory / 4),
            children: vec![],
            child_order: vec![],
            tuple: vec![],
        };
        if let Some(roots) = problem.roots() {
            for (task, args) in roots {
                decomposer.tuple.clear();
                decomposer.tuple.push(*task);
                decomposer.tuple.extend(args);
                decomposer.children.push(Child {
                    ground: decomposer.ground.intern(&decomposer.tuple),
                    position: 0,
                });
            }
            decomposer.child_order = problem.direct_root_order();
            decomposer
                .network
                .expand(0, &decomposer.children, &decomposer.child_order);
        }
        decomposer
    }

    /// Resets the search to the point before a decision, in a state and network that it saved, before which the plan
    /// [had begun](Self::has_begun) or not.
    pub fn stand_at(&mut self, state: &Saved, network: &[u32], had_begun: bool) {
        self.stack.clear();
        self.resolutions.clear();
        self.orderings.clear();
        self.frames.slots.clear();
        (self.steps, self.own_steps) = (0, 0);
        self.continues = had_begun;
        self.state.load(state);
        self.network.load(network);
    }

    /// Continues the search unless it is the strategy's turn.
    pub fn advance(&mut self, phase: Phase) -> Phase {
        match phase {
            Phase::Try => self.try_task(),
            Phase::Resolve => self.resolve(),
            Phase::Achieve => self.achieve(),
            Phase::Back => self.back(),
            Phase::Enter | Phase::Leave | Phase::Done => phase,
        }
    }

    /// Returns `true` if there are steps before the current state that don't clean up.
    pub fn has_begun(&self) -> bool {
        self.own_steps > 0 || self.continues
    }

    /// Returns `true` if a task, or the one that it is a part of, cleans up. What a plan does first is never loaded from
    /// a saved network, so its tasks have their roots.
    fn cleans_up(&self, task: u32) -> bool {
        let cleanups = self.problem.cleanups() as u32;
        if cleanups == 0 {
            return false;
        }
        let mut root = task;
        while self.network.task(root).parent != 0 {
            root = self.network.task(root).parent;
        }
        !self.continues && root <= cleanups
    }

    /// Returns the number of decisions, including work that counts as decisions.
    pub fn spent(&self) -> u64 {
        self.statistics.nodes + self.frames.work / WORK_PER_NODE
    }

    /// Counts a decision's work. Returns `true` if the search is cancelled, or a query has no answer yet.
    pub fn is_stopped(&self) -> bool {
        self.problem.stop().after(DECISION) || self.problem.has_open_queries()
    }

    /// Returns `true` if a query has no answer yet.
    pub fn has_open_queries(&self) -> bool {
        self.problem.has_open_queries()
    }

    /// Returns `true` if the budget of decisions is used up.
    pub fn is_spent(&self) -> bool {
        self.spent() >= self.budget.nodes || self.frames.is_spent()
    }

    /// Returns `true` if an evaluation was cut short, so that the result of the last step is
    /// meaningless.
    pub fn is_cut_short(&self) -> bool {
        self.frames.is_spent()
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.state.memory_use()
            + self.network.memory_use()
            + self.ground.memory_use()
            + MemoryUse::of_vec(&self.stack)
            + self.resolutions.memory_use()
            + MemoryUse::fixed(self.order.memory())
            + MemoryUse::of_vec(&self.frames.slots)
            + self.orderings.memory_use()
            + self.tracer.memory_use()
            + self.writes.memory_use()
            + self.achieving.memory_use()
    }

    /// Returns the key of the current state and network, and of whether the plan has begun, if that matters.
    pub fn exact_key(&mut self) -> Key {
        let is_start = !self.has_begun() && self.problem.has_rules();
        let [first, second] = self.key();
        [first ^ u64::from(is_start), second]
    }

    /// Returns the key of the current state and network.
    pub fn key(&mut self) -> Key {
        let key = self.network.key();
        let state = self.state.hash();
        let key = mix(key as u64, state as u64) ^ mix((state >> 64) as u64, (key >> 64) as u64);
        [key as u64, (key >> 64) as u64]
    }

    /// Adds a decision about the first task that waits for nothing.
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
            barred: false,
        });
        Phase::Try
    }

    /// Returns `true` if all of these conjuncts hold, which need this many slots.
    pub fn holds(&mut self, conjuncts: &[Conjunct], slots: u32) -> bool {
        let flat = self.problem.flat().clone();
        let base = self.frames.slots.len();
        self.frames.slots.resize(base + slots as usize, UNDEFINED);
        let failing =
            Evaluation::new(&flat, &self.state, &mut self.frames, base).first_failing(conjuncts);
        self.frames.slots.truncate(base);
        failing.is_none()
    }

    /// Returns `true` if the scenario's goal holds.
    pub fn goal_holds(&mut self) -> bool {
        let flat = self.problem.flat().clone();
        let base = self.frames.slots.len();
        let frame = base + flat.goal_frame as usize;
        self.frames.slots.resize(frame, UNDEFINED);
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

    /// Records that the current network is pruned, and why.
    pub fn note_pruned(&mut self, why: Pruned) {
        if let Some(task) = self.network.ready_after(0) {
            let block = self.calling_block(task);
            self.note(task, TraceKind::Pruned { why, block });
        }
    }

    /// Records that the current state and network were searched before.
    pub fn note_repeated(&mut self, key: Key) {
        let circle = self.tracer.has_room() && self.stack.iter().any(|frame| frame.key == key);
        self.note_pruned(if circle {
            Pruned::Circle
        } else {
            Pruned::Known
        });
    }

    /// Records that a task was chosen as the next one.
    fn note_task(&mut self, task: u32) -> u32 {
        let block = self.calling_block(task);
        self.note(task, TraceKind::Task { block })
    }

    /// Returns the block that calls a task, if it is recorded; `None` if no flowchart does.
    fn calling_block(&self, task: u32) -> Option<BlockId> {
        if !self.tracer.has_room() {
            return None;
        }
        let called = self.network.task(task);
        let caller = self.network.task(called.parent);
        let tuple = (called.parent != 0).then(|| self.ground.tuple(caller.ground))?;
        let FlatKind::Compound { chart, .. } = &self.problem.flat().tasks[tuple[0] as usize].kind
        else {
            return None;
        };
        let block = chart.as_ref()?.blocks.get(called.position as usize)?;
        Some(block.id.clone())
    }

    /// Records an event of a task, under the alternative that it is part of.
    fn note(&mut self, task: u32, kind: TraceKind) -> u32 {
        let event = parent_event(&self.network, task);
        self.note_under(event, task, kind)
    }

    /// Records an event of the task that the top frame chose.
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

    /// Makes the top frame choose the next task that waits for nothing.
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

    /// Undoes the top frame and tries an alternative.
    fn back(&mut self) -> Phase {
        let Some(frame) = self.stack.last_mut() else {
            return Phase::Done;
        };
        self.statistics.backtracks += 1;
        match frame.done {
            Doing::Nothing => self.next_task(),
            Doing::Step { .. } => {
                let task = frame.task;
                self.state.undo(frame.trail);
                self.network.restore(task);
                self.paid = frame.paid;
                self.steps -= 1;
                self.own_steps -= usize::from(!self.cleans_up(task));
                self.next_task()
            }
            Doing::Method { first_child, .. } => {
                self.network.collapse(frame.task, first_child);
                Phase::Resolve
            }
            Doing::ByGoal { first_child } => {
                self.network.collapse(frame.task, first_child);
                self.next_task()
            }
        }
    }
}

/// Returns the event of the alternative that a task is part of.
fn parent_event(network: &Network, task: u32) -> u32 {
    network.task(network.task(task).parent).event
}
