//! Greedy best-first search with deferred evaluation (Richter and Helmert 2009; Richter and
//! Westphal 2010): a state is evaluated when it is expanded, and until then its successors inherit
//! its estimates. Relaxed plans and landmarks alternate as heuristics; the actions of the relaxed
//! plan are preferred.

use super::grounded::Grounded;
use super::landmarks::{Discovery, Landmarks};
use super::objective::{Objective, adjusted_costs};
use super::open_list::OpenList;
use super::relax::{Relaxed, Sum, cost_of};
use super::states::{Node, States};
use super::{End, Slice, WORK_PER_DECISION};
use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;

/// The number of successors taken in a step for each evaluated state.
const SUCCESSORS: u64 = 64;

/// A search for any plan, in slices.
#[derive(Debug)]
pub struct Greedy {
    depth: u32,
    pub states: States,
    /// For each state, the landmarks accepted on the path to it.
    accepted: Vec<u64>,
    landmarks: Landmarks,
    relaxed: Relaxed,
    /// If `true`, steps are counted instead of costs.
    is_unit: bool,
    open: OpenList,
    /// `true` until the start is evaluated.
    is_start_pending: bool,
    /// The lowest estimates so far, and the state nearest to the goal according to relaxed plans.
    best: [f64; 2],
    nearest: u32,
    cut: bool,
    /// The number of states evaluated.
    pub evaluated: u64,
    /// The work done so far, in addition to that of estimates.
    work: u64,
    after: Vec<u64>,
    possible: Vec<u32>,
}

impl Greedy {
    /// Starts to find the landmarks of an objective.
    pub fn discovery(grounded: &Grounded, objective: &Objective) -> Discovery {
        let task = &grounded.task;
        let stages = objective
            .goal
            .stages
            .iter()
            .zip(&objective.goal.propositions);
        // For each stage, the propositions that have to hold at it but not at the next one.
        let later = objective.goal.propositions.iter().skip(1).chain([&None]);
        let stages = stages.zip(later).map(|((_, all), later)| {
            let later = later.as_deref().unwrap_or_default();
            let all = all.iter().flatten().copied();
            all.filter(|goal| !later.contains(goal)).collect()
        });
        let stages: Vec<Vec<u32>> = stages.collect();
        let from = task.values(&objective.from);
        Discovery::new(&grounded.tables, task, from, &stages)
    }

    /// Starts a search at the initial state of an objective with these landmarks.
    pub fn new(grounded: &Grounded, landmarks: Landmarks, depth: u32) -> Self {
        let task = &grounded.task;
        let (is_unit, costs) = adjusted_costs(&grounded.tables);
        let are_integers = costs.iter().all(|cost| cost.fract() == 0.0);
        Self {
            depth,
            states: States::new(task.words()),
            accepted: vec![],
            landmarks,
            relaxed: Relaxed::with_costs(&grounded.tables, task, costs, are_integers),
            is_unit,
            open: OpenList::default(),
            is_start_pending: true,
            best: [f64::INFINITY; 2],
            nearest: 0,
            cut: false,
            evaluated: 0,
            work: u64::from(grounded.tables.len()) + grounded.tables.propositions.len() as u64,
            after: vec![],
            possible: vec![],
        }
    }

    /// Evaluates more states.
    pub fn step(
        &mut self,
        grounded: &Grounded,
        objective: &Objective,
        slice: &mut Slice,
    ) -> Result<(), End> {
        let until = slice.until(self.evaluated);
        let work = |this: &Self| WORK_PER_DECISION * this.evaluated + this.work();
        let interrupt = work(self).saturating_add(slice.work);
        while self.evaluated < until && slice.successors < slice.states * SUCCESSORS {
            if work(self) >= interrupt {
                slice.is_interrupted = true;
                return Ok(());
            }
            slice.successors += 1;
            self.work += 1 + self.after.len() as u64;
            let (parent, action) = if std::mem::take(&mut self.is_start_pending) {
                (NONE, NONE)
            } else {
                self.open.take().ok_or(End::Exhausted { cut: self.cut })?
            };
            if let Some(node) = self.reach(grounded, objective, parent, action) {
                self.evaluate(grounded, objective, node)?;
            }
        }
        Ok(())
    }

    /// Adds the successor by an action, if the action is applicable and the successor is new.
    fn reach(
        &mut self,
        grounded: &Grounded,
        objective: &Objective,
        parent: u32,
        action: u32,
    ) -> Option<u32> {
        let task = &grounded.task;
        self.after.clear();
        let (mut depth, mut cost) = (0, 0.0);
        if parent == NONE {
            self.after.extend_from_slice(&objective.from);
        } else {
            let before = self.states.state(parent);
            let action = &task.actions[action as usize];
            self.after.extend_from_slice(before);
            if !task.apply(action, before, &mut self.after) {
                return None;
            }
            let node = &self.states.nodes[parent as usize];
            depth = node.depth + 1;
            cost = node.cost + action.cost(task.values(before));
        }
        objective.advance(task, &mut self.after);
        if self.states.find(&self.after).is_some() {
            return None;
        }
        let words = self.landmarks.words();
        let first = self.accepted.len();
        if parent == NONE {
            self.accepted.resize(words, 0);
        } else {
            let before = parent as usize * words;
            self.accepted.extend_from_within(before..before + words);
        }
        let values = task.values(&self.after);
        let accepted = &mut self.accepted[first..];
        self.landmarks.accept(values, parent == NONE, accepted);
        let node = Node {
            parent,
            action,
            depth,
            cost,
            h: -1.0,
            is_closed: true,
        };
        Some(self.states.add(&self.after, node))
    }

    /// Evaluates a new state and inserts its successors into the open list.
    fn evaluate(
        &mut self,
        grounded: &Grounded,
        objective: &Objective,
        number: u32,
    ) -> Result<(), End> {
        let task = &grounded.task;
        self.evaluated += 1;
        let state = self.states.state(number);
        let values = task.values(state);
        if objective.is_reached(task, state) {
            self.states.nodes[number as usize].h = 0.0;
            return Err(End::Found(number));
        }
        let goal = objective.propositions(state);
        let reached = goal.map(|goal| (goal, self.relaxed.run(task, values, Some(goal), Sum::Add)));
        let Some((goal, _)) = reached.filter(|(_, cost)| *cost < f64::INFINITY) else {
            self.states.nodes[number as usize].h = f64::INFINITY;
            return Ok(());
        };
        let plan = self.relaxed.plan(task, goal);
        let steps: f64 = plan.iter().map(|(_, times)| f64::from(*times)).sum();
        let h = cost_of(task, values, &plan);
        let estimate = if self.is_unit { steps } else { h + steps };
        let words = self.landmarks.words();
        let accepted = &self.accepted[number as usize * words..][..words];
        self.work += 8 * words as u64;
        let estimates = [estimate, f64::from(self.landmarks.count(values, accepted))];
        if estimates[0] < self.best[0] {
            self.nearest = number;
        }
        let mut has_progress = false;
        for (best, estimate) in self.best.iter_mut().zip(estimates) {
            has_progress |= estimate < *best;
            *best = best.min(estimate);
        }
        if has_progress {
            self.open.boost();
        }
        let node = &mut self.states.nodes[number as usize];
        node.h = h;
        if node.depth >= self.depth {
            self.cut = true;
            return Ok(());
        }
        let mut possible = std::mem::take(&mut self.possible);
        let values = task.values(self.states.state(number));
        grounded.successors.possible(task, values, &mut possible);
        self.work += possible.len() as u64;
        let mut preferred = plan.iter().peekable();
        for action in &possible {
            while preferred.next_if(|(planned, _)| planned < action).is_some() {}
            let is_preferred = preferred
                .peek()
                .is_some_and(|(planned, _)| planned == action);
            self.open.insert((number, *action), estimates, is_preferred);
        }
        self.possible = possible;
        Ok(())
    }

    /// Returns the work done so far, in propositions, operators, words of states and successors.
    pub fn work(&self) -> u64 {
        self.work + self.relaxed.work
    }

    /// Returns the state nearest to the goal, and the estimated cost from there; `None` if it is
    /// the start.
    pub fn nearest(&self) -> Option<(u32, f64)> {
        let node = self.states.nodes.get(self.nearest as usize)?;
        (self.nearest != 0).then_some((self.nearest, node.h))
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.states.memory_use()
            + MemoryUse::of_rows(&self.accepted, self.landmarks.words())
            + self.landmarks.memory_use()
            + self.relaxed.memory_use()
            + self.open.memory_use()
    }
}
