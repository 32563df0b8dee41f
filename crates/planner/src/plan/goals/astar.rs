//! A* over ground actions (Hart, Nilsson and Raphael 1968). Once a plan is known, only cheaper ones
//! are searched for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::grounded::Grounded;
use super::objective::Objective;
use super::relax::Cost;
use super::states::{Node, States};
use super::{End, Slice, WORK_PER_DECISION, is_cheaper};
use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;

/// An entry of the open list: f, h, the depth, the state, and g at the time of insertion.
type Open = Reverse<(Cost, Cost, u32, u32, Cost)>;

/// A search for an optimal plan, in slices.
#[derive(Debug)]
pub struct Astar {
    depth: u32,
    is_admissible: bool,
    /// The exclusive upper bound of a plan's cost.
    pub below: f64,
    pub states: States,
    /// For each state, `true` if it was expanded before.
    was_expanded: Vec<bool>,
    open: BinaryHeap<Open>,
    /// `true` if states at the depth limit weren't expanded.
    pub cut: bool,
    /// The state nearest to the goal: its estimate, its number of unmet conditions, and its number.
    nearest: (f64, u32, u32),
    /// The number of states evaluated, plus the number of re-expansions.
    pub evaluated: u64,
    /// The number of successors generated, times the words of a state.
    work: u64,
    /// The number of entries taken from the open list.
    pub taken: u64,
    after: Vec<u64>,
    possible: Vec<u32>,
}

impl Astar {
    /// Starts a search at the initial state of an objective.
    pub fn new(
        grounded: &Grounded,
        objective: &Objective,
        is_admissible: bool,
        depth: u32,
    ) -> Self {
        let mut search = Self {
            depth,
            is_admissible,
            below: f64::INFINITY,
            states: States::new(grounded.task.words()),
            was_expanded: vec![],
            open: BinaryHeap::new(),
            cut: false,
            nearest: (f64::INFINITY, u32::MAX, 0),
            evaluated: 0,
            work: 0,
            taken: 0,
            after: objective.from.clone(),
            possible: vec![],
        };
        objective.advance(&grounded.task, &mut search.after);
        search.reach(NONE, NONE, 0.0, 0, 0.0);
        search
    }

    /// Evaluates more states.
    pub fn step(
        &mut self,
        grounded: &Grounded,
        objective: &mut Objective,
        slice: &mut Slice,
    ) -> Result<(), End> {
        let task = &grounded.task;
        let until = slice.until(self.evaluated);
        let work = |this: &Self, objective: &Objective| {
            WORK_PER_DECISION * this.evaluated + this.work + this.taken + objective.work()
        };
        let interrupt = work(self, objective).saturating_add(slice.work);
        while self.evaluated < until {
            if work(self, objective) >= interrupt {
                slice.is_interrupted = true;
                return Ok(());
            }
            self.taken += 1;
            let Some(Reverse((f, _, _, number, cost))) = self.open.pop() else {
                return Err(End::Exhausted { cut: self.cut });
            };
            let node = self.states.nodes[number as usize];
            if node.is_closed || cost.0 > node.cost {
                continue;
            }
            if self.is_admissible && !is_cheaper(f.0, self.below) {
                return Err(End::Exhausted { cut: self.cut });
            }
            if node.h < 0.0 {
                self.evaluate(grounded, objective, number);
                continue;
            }
            let state = self.states.state(number);
            if objective.is_reached(task, state) {
                self.states.nodes[number as usize].is_closed = true;
                if is_cheaper(node.cost, self.below) {
                    return Err(End::Found(number));
                }
                continue;
            }
            if self.is_hopeless(node.cost, || objective.lower_bound(task, state)) {
                self.states.nodes[number as usize].is_closed = true;
                continue;
            }
            // A state that was reached again at a lower cost is re-expanded.
            let again = std::mem::replace(&mut self.was_expanded[number as usize], true);
            self.evaluated += u64::from(again);
            self.states.nodes[number as usize].is_closed = true;
            if node.depth >= self.depth {
                self.cut = true;
                continue;
            }
            self.expand(grounded, objective, number);
        }
        Ok(())
    }

    /// Returns `true` if no plan through a state is cheaper than the best known one.
    fn is_hopeless(&self, cost: f64, h: impl Fn() -> f64) -> bool {
        self.below < f64::INFINITY && !is_cheaper(cost + h(), self.below)
    }

    fn evaluate(&mut self, grounded: &Grounded, objective: &mut Objective, number: u32) {
        let task = &grounded.task;
        let state = self.states.state(number);
        let h = objective.estimate(task, state);
        self.evaluated += 1;
        let unmet = objective.unmet(task, state);
        let node = &mut self.states.nodes[number as usize];
        node.h = h;
        if h == f64::INFINITY {
            node.is_closed = true;
            return;
        }
        if (Cost(h), unmet) < (Cost(self.nearest.0), self.nearest.1) {
            self.nearest = (h, unmet, number);
        }
        self.insert(number, h);
    }

    fn expand(&mut self, grounded: &Grounded, objective: &Objective, number: u32) {
        let task = &grounded.task;
        let before = self.states.state(number).to_vec();
        let values = task.values(&before);
        let Node { depth, cost, h, .. } = self.states.nodes[number as usize];
        let mut possible = std::mem::take(&mut self.possible);
        grounded.successors.possible(task, values, &mut possible);
        self.work += (possible.len() * (8 + before.len() / 8)) as u64;
        for action_number in &possible {
            let action = &task.actions[*action_number as usize];
            let mut after = std::mem::take(&mut self.after);
            let applies = task.apply(action, &before, &mut after);
            self.after = after;
            if !applies {
                continue;
            }
            objective.advance(task, &mut self.after);
            let costs = action.cost(values);
            let is_hopeless =
                self.is_hopeless(cost + costs, || objective.lower_bound(task, &self.after));
            if !is_hopeless {
                let h = (h - costs).max(0.0);
                self.reach(number, *action_number, cost + costs, depth + 1, h);
            }
        }
        self.possible = possible;
    }

    /// Records that the state in `after` was reached.
    fn reach(&mut self, parent: u32, action: u32, cost: f64, depth: u32, at_least: f64) {
        let number = match self.states.find(&self.after) {
            None => {
                let node = Node {
                    parent,
                    action,
                    depth,
                    cost,
                    h: -1.0,
                    is_closed: false,
                };
                self.was_expanded.push(false);
                self.states.add(&self.after, node)
            }
            Some(number) => {
                let node = &mut self.states.nodes[number as usize];
                let is_better = (Cost(cost), depth) < (Cost(node.cost), node.depth);
                if !is_better || node.h == f64::INFINITY {
                    return;
                }
                (node.parent, node.action) = (parent, action);
                (node.cost, node.depth) = (cost, depth);
                node.is_closed = false;
                number
            }
        };
        let h = self.states.nodes[number as usize].h;
        self.insert(number, if h < 0.0 { at_least } else { h });
    }

    fn insert(&mut self, number: u32, h: f64) {
        let Node { cost, depth, .. } = self.states.nodes[number as usize];
        let entry = (Cost(cost + h), Cost(h), depth, number, Cost(cost));
        self.open.push(Reverse(entry));
    }

    /// Returns a lower bound of the cost of all plans that are cheaper than the best known one.
    pub fn bound(&self) -> f64 {
        let first = self.open.peek();
        let first = first.map_or(f64::INFINITY, |Reverse((f, ..))| f.0);
        if self.is_admissible && !self.cut {
            first
        } else {
            0.0
        }
    }

    /// Returns the state nearest to the goal, and the estimated cost from there; `None` if it is
    /// the start.
    pub fn nearest(&self) -> Option<(u32, f64)> {
        let (h, _, number) = self.nearest;
        (number != 0).then_some((number, h))
    }

    /// Returns the work done so far, excluding estimates.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        self.states.memory_use()
            + MemoryUse::of_vec(&self.was_expanded)
            + MemoryUse::of_heap(&self.open)
    }
}
