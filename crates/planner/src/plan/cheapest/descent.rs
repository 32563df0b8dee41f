//! Depth-first branch and bound.

use rustc_hash::FxHashMap;

use super::super::assembly::Unassembled;
use super::super::decomposer::{Decomposer, Doing, Key, Phase};
use super::super::memory::{MemoryQuota, MemoryUse};
use super::bounds::{Bounds, Known, sum};
use super::guide;
use super::incumbent::{Incumbent, Turn};
use crate::compile::Problem;
use crate::plan::{Budget, Pruned};

/// A depth-first search; see the module.
#[derive(Debug)]
pub struct Descent {
    /// The current state and network.
    pub decomposer: Decomposer,
    phase: Phase,
    /// The states and networks visited, with the cost paid to reach them: reaching one again at no
    /// lower cost cannot yield a cheaper plan.
    visited: FxHashMap<Key, f64>,
    /// Per frame, a lower bound on the cost of its network.
    ahead: Vec<f64>,
    /// A lower bound on the cost of plans missed because they are nested too deep.
    cut: f64,
    known: Known,
    /// A lower bound on the cost of the initial network.
    least: f64,
}

/// Returns a lower bound on the cost of the network after the top frame's decision.
pub fn ahead(decomposer: &Decomposer, known: &mut Known, bounds: &mut Bounds, before: f64) -> f64 {
    let Some(frame) = decomposer.stack.last() else {
        return before;
    };
    let network = &decomposer.network;
    let ground = |task| network.task(task).ground;
    let mut least = |task| known.least(bounds, &decomposer.ground, ground(task));
    let without = before - least(frame.task);
    match frame.done {
        Doing::Method { first_child, .. } | Doing::ByGoal { first_child } => {
            (first_child..network.len()).fold(without, |all, child| sum(all, least(child)))
        }
        _ => without,
    }
}

impl Descent {
    /// Starts before the first decision.
    pub fn new(problem: &Problem, budget: Budget, trace_bound: usize, bounds: &mut Bounds) -> Self {
        let decomposer = Decomposer::new(problem, budget, trace_bound);
        let mut known = Known::default();
        let roots = 1..decomposer.network.len();
        let least = roots.fold(0.0, |all, task| {
            let task = decomposer.network.task(task).ground;
            sum(all, known.least(bounds, &decomposer.ground, task))
        });
        Self {
            decomposer,
            phase: Phase::Enter,
            visited: FxHashMap::default(),
            ahead: vec![],
            cut: f64::INFINITY,
            known,
            least,
        }
    }

    /// Returns a lower bound on the cost of the initial network.
    pub fn least(&self) -> f64 {
        self.least
    }

    /// Returns a lower bound on the cost of plans missed because they are nested too deep.
    pub fn cut(&self) -> f64 {
        self.cut
    }

    /// Makes about `nodes` decisions, or fewer if it finds a better plan.
    pub fn step(
        &mut self,
        nodes: u64,
        bounds: &mut Bounds,
        best: &Incumbent,
        memory: &mut MemoryQuota,
    ) -> Turn {
        let until = self.decomposer.spent().saturating_add(nodes);
        let limit = best.limit_in_order();
        while self.decomposer.spent() < until && !self.decomposer.is_stopped() {
            self.phase = match self.phase {
                Phase::Enter => {
                    let before = self.ahead.last().copied().unwrap_or(self.least);
                    let ahead = ahead(&self.decomposer, &mut self.known, bounds, before);
                    let paid = self.decomposer.paid;
                    if best.rules_out(paid, ahead, limit) {
                        let is_possible = ahead.is_finite();
                        let why = if is_possible {
                            Pruned::TooDear
                        } else {
                            Pruned::Hopeless
                        };
                        self.decomposer.note_pruned(why);
                        Phase::Back
                    } else if self.decomposer.network.is_done() {
                        self.phase = Phase::Back;
                        if paid < limit && self.decomposer.goal_holds() {
                            let stack = self.decomposer.stack.iter();
                            let path = stack.map(|frame| (frame.key, frame.paid)).collect();
                            let mut initial = self.decomposer.state.clone();
                            initial.undo(0);
                            let from = &mut self.decomposer;
                            match guide::replay(from, initial, &path, paid, memory) {
                                Ok(plan) => return Turn::Found(plan),
                                Err(Unassembled::QuotaExceeded) => {
                                    self.phase = Phase::Enter;
                                    return Turn::QuotaExceeded;
                                }
                                // The plan must exist, so nothing is proved without it.
                                Err(_) => self.cut = self.cut.min(paid),
                            }
                        }
                        Phase::Back
                    } else {
                        self.enter(paid, ahead)
                    }
                }
                Phase::Leave => self.leave(),
                Phase::Done => return Turn::Ended,
                phase => self.decomposer.advance(phase),
            };
        }
        Turn::Over
    }

    fn enter(&mut self, paid: f64, ahead: f64) -> Phase {
        let key = self.decomposer.exact_key();
        let before = self.visited.entry(key).or_insert(f64::INFINITY);
        if *before <= paid {
            self.decomposer.note_repeated(key);
            return Phase::Back;
        }
        *before = paid;
        self.ahead.push(ahead);
        self.decomposer.push(key)
    }

    fn leave(&mut self) -> Phase {
        let (Some(frame), Some(ahead)) = (self.decomposer.stack.pop(), self.ahead.pop()) else {
            return Phase::Done;
        };
        if frame.cut {
            // It may still lead to a plan from nearer to the root.
            self.visited.remove(&frame.key);
            self.cut = self.cut.min(sum(frame.paid, ahead));
        }
        if let Some(below) = self.decomposer.stack.last_mut() {
            below.cut |= frame.cut;
        }
        Phase::Back
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.decomposer.memory_use()
            + MemoryUse::of_map(&self.visited)
            + MemoryUse::of_vec(&self.ahead)
            + self.known.memory_use()
    }
}
