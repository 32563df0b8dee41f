//! Regression: A* over sets of requirements, backward from the goal (Ghallab, Nau and Traverso
//! 2004, section 4.3). The requirements that an action's effects reach are replaced by the action's
//! preconditions and the conditions of those effects. The cost of each requirement from the start
//! is computed only once, for all sets (Bonet and Geffner 2001, HSPr).
//!
//! Conditions that requirements can't express are dropped, so that a backward path may be invalid.
//! Each one is therefore validated forward before it counts, and [`Regression::is_incomplete`] says
//! that plans may have been missed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::formula::{Cond, Num};
use super::grounded::Grounded;
use super::objective::{Estimate, Objective, unmet};
use super::relax::Cost;
use super::require::{DnfBuilder, Numbers, Requirement, Set, both};
use super::task::{Action, Task};
use super::treatments::{Before, in_ranges, regress};
use super::{End, Slice, WORK_PER_DECISION, is_cheaper};
use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;
use taskloom_document::Heuristic;
use taskloom_document::stop::Stop;
use taskloom_domain::lang::decimal::rounded;

/// A set of requirements, and the actions that lead from there to the goal.
#[derive(Debug)]
pub struct Node {
    pub set: Set,
    pub parent: u32,
    pub action: u32,
    depth: u32,
    pub cost: f64,
    pub h: f64,
    pub is_closed: bool,
}

/// An entry of the open list: f, h, the depth, the node, and g at the time of insertion.
type Open = Reverse<(Cost, Cost, u32, u32, Cost)>;

/// A regression search, in slices.
#[derive(Debug)]
pub struct Regression {
    estimate: Estimate,
    depth: u32,
    pub nodes: Vec<Node>,
    known: FxHashMap<Set, u32>,
    open: BinaryHeap<Open>,
    /// For each action, its preconditions in disjunctive normal form; `None` until they are needed.
    needs: Vec<Option<Vec<Set>>>,
    numbers: Numbers,
    /// For each action, its minimum cost.
    costs: Vec<f64>,
    /// The cheapest valid plan: its cost, its actions, and the node where it starts.
    best: Option<(f64, Vec<u32>, u32)>,
    cut: bool,
    /// `true` if conditions were dropped since requirements can't express them.
    pub is_incomplete: bool,
    /// The number of sets expanded.
    pub expanded: u64,
    /// The work done so far, in actions and requirements.
    pub work: u64,
    /// The number of entries taken from the open list.
    pub taken: u64,
    /// The exclusive upper bound of a plan's cost.
    pub below: f64,
    bytes: usize,
    /// The memory limit in bytes.
    memory: u64,
    is_full: bool,
}

impl Regression {
    /// Starts a search at the goal of an objective without stages.
    pub fn new(
        grounded: &Grounded,
        objective: &mut Objective,
        estimate: Estimate,
        depth: u32,
        memory: u64,
    ) -> Self {
        let task = &grounded.task;
        let goal = objective.last().clone();
        let mut dnf = DnfBuilder {
            task,
            is_incomplete: false,
        };
        let ends = dnf.disjuncts(&goal);
        // If costs change, so does the cost of a plan with the order of its actions.
        let has_changing_costs = |action: &Action| !matches!(action.cost, Num::Constant(_));
        let is_incomplete = dnf.is_incomplete || task.actions.iter().any(has_changing_costs);
        let numbers = Numbers::new(task, &objective.from);
        let relaxed = objective.reached(task);
        let costs = task.actions.iter().map(|action| {
            let cost = relaxed.interval(&action.cost);
            let least = if cost.may_be_undefined {
                cost.low.min(1.0)
            } else {
                cost.low
            };
            least.max(0.0)
        });
        let mut search = Self {
            estimate,
            depth,
            nodes: vec![],
            known: FxHashMap::default(),
            open: BinaryHeap::new(),
            needs: vec![None; task.actions.len()],
            numbers,
            costs: costs.collect(),
            best: None,
            cut: false,
            is_incomplete,
            expanded: 0,
            work: 0,
            taken: 0,
            below: f64::INFINITY,
            bytes: 0,
            memory,
            is_full: false,
        };
        for end in ends {
            search.reach(task, objective, end, NONE, NONE, 0.0, 0);
        }
        search
    }

    /// Expands more sets, fewer if cancelled.
    pub fn step(
        &mut self,
        grounded: &Grounded,
        objective: &mut Objective,
        slice: &mut Slice,
        stop: &Stop,
    ) -> Result<(), End> {
        let task = &grounded.task;
        let until = slice.until(self.expanded);
        let work = |this: &Self, objective: &Objective| {
            WORK_PER_DECISION * this.expanded + this.work + this.taken + objective.work()
        };
        let interrupt = work(self, objective).saturating_add(slice.work);
        while self.expanded < until {
            if work(self, objective) >= interrupt {
                slice.is_interrupted = true;
                return Ok(());
            }
            self.taken += 1;
            let least = self.best.as_ref().map_or(f64::INFINITY, |(cost, ..)| *cost);
            let Some(Reverse((first, _, _, number, cost))) = self.open.pop() else {
                return Err(End::Exhausted { cut: self.cut });
            };
            if first.0 >= least || !is_cheaper(first.0, self.below) {
                // An inadmissible estimate proves nothing about the remaining sets.
                let cut = self.cut || !self.estimate.is_admissible();
                return Err(End::Exhausted { cut });
            }
            let node = &mut self.nodes[number as usize];
            if node.is_closed || cost.0 > node.cost {
                continue;
            }
            node.is_closed = true;
            self.expanded += 1;
            let (set, depth) = (node.set.clone(), node.depth);
            let start = task.values(&objective.from);
            if set.iter().all(|requirement| requirement.holds(start)) {
                self.validate_forward(task, objective, number);
            }
            if depth >= self.depth {
                self.cut = true;
                continue;
            }
            for action in 0..task.actions.len() as u32 {
                let (all, is_incomplete) =
                    regress(&task.actions[action as usize], &set, &self.numbers);
                self.is_incomplete |= is_incomplete;
                let work = 1 + all.len() * set.len();
                self.work += work as u64;
                if stop.after(work) {
                    return Ok(());
                }
                for before in all {
                    self.before(task, objective, number, action, before, stop);
                    if self.is_full {
                        return Err(End::Exhausted { cut: true });
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the preconditions of an action in disjunctive normal form.
    fn take_needs(&mut self, task: &Task, action: u32) -> Vec<Set> {
        if let Some(needs) = self.needs[action as usize].take() {
            return needs;
        }
        let mut dnf = DnfBuilder {
            task,
            is_incomplete: false,
        };
        let action = &task.actions[action as usize];
        let literals = action.literals.iter();
        let literals = literals.map(|literal| literal.condition());
        let mut all: Vec<Cond> = literals.chain(action.needs.iter().cloned()).collect();
        for in_range in in_ranges(task, action, &self.numbers) {
            match in_range {
                Some(need) => all.extend(need),
                None => dnf.is_incomplete = true,
            }
        }
        let needs = dnf.all(all.iter());
        self.is_incomplete |= dnf.is_incomplete;
        self.bytes += needs.iter().map(memory).sum::<usize>();
        needs
    }

    /// Returns the cheapest valid plan: its cost, its actions, and the node where it starts.
    pub fn best(&self) -> Option<&(f64, Vec<u32>, u32)> {
        self.best.as_ref()
    }

    /// Adds the sets that have to hold before an action that reaches a part of a set.
    fn before(
        &mut self,
        task: &Task,
        objective: &mut Objective,
        node: u32,
        action: u32,
        before: Before,
        stop: &Stop,
    ) {
        let mut dnf = DnfBuilder {
            task,
            is_incomplete: false,
        };
        let more = dnf.all(before.conditions.iter());
        self.is_incomplete |= dnf.is_incomplete;
        let after = &self.nodes[node as usize];
        let cost = after.cost + self.costs[action as usize];
        let depth = after.depth + 1;
        let needs = self.take_needs(task, action);
        for need in &needs {
            let Some(set) = both(&before.rest, need) else {
                continue;
            };
            if stop.after(more.len() * set.len()) {
                break;
            }
            for more in &more {
                if let Some(set) = both(&set, more) {
                    self.reach(task, objective, set, node, action, cost, depth);
                }
            }
        }
        self.needs[action as usize] = Some(needs);
    }

    #[expect(clippy::too_many_arguments, reason = "a node's parts")]
    fn reach(
        &mut self,
        task: &Task,
        objective: &mut Objective,
        set: Set,
        parent: u32,
        action: u32,
        cost: f64,
        depth: u32,
    ) {
        let Some(set) = self.numbers.without_implied(set) else {
            return;
        };
        let needed = self.memory_use().peak_next() + 2 * memory(&set) as u64;
        self.is_full |= needed > self.memory;
        if self.is_full {
            return;
        }
        let number = match self.known.get(&set) {
            Some(known) => {
                let node = &mut self.nodes[*known as usize];
                if (Cost(cost), depth) >= (Cost(node.cost), node.depth) {
                    return;
                }
                (node.parent, node.action) = (parent, action);
                (node.cost, node.depth) = (cost, depth);
                node.is_closed = false;
                *known
            }
            None => {
                let h = self.estimate_from_start(task, objective, &set);
                let number = self.nodes.len() as u32;
                self.bytes += 2 * memory(&set);
                self.known.insert(set.clone(), number);
                self.nodes.push(Node {
                    set,
                    parent,
                    action,
                    depth,
                    cost,
                    h,
                    is_closed: false,
                });
                number
            }
        };
        let h = self.nodes[number as usize].h;
        if h < f64::INFINITY {
            let entry = (Cost(cost + h), Cost(h), depth, number, Cost(cost));
            self.open.push(Reverse(entry));
        }
    }

    /// Returns the estimated cost from the start to a set.
    fn estimate_from_start(
        &self,
        task: &Task,
        objective: &mut Objective,
        set: &[Requirement],
    ) -> f64 {
        let from = objective.from.clone();
        let start = task.values(&from);
        let relaxed = &*objective.relaxed();
        let costs = set.iter().map(|requirement| requirement.cost(relaxed));
        if costs.clone().any(|cost| cost == f64::INFINITY) {
            return f64::INFINITY;
        }
        let together = || Cond::all(set.iter().map(|requirement| requirement.condition()));
        match self.estimate.0 {
            Heuristic::Blind => 0.0,
            Heuristic::Hmax => costs.fold(0.0, f64::max),
            Heuristic::Hadd => costs.sum(),
            Heuristic::Unmet => f64::from(unmet(&together(), &|part| part.holds(start))),
            Heuristic::Ff => {
                let together = together();
                objective.relaxed().plan_cost(task, start, &together)
            }
        }
    }

    /// Validates the plan from a set that holds at the start by executing it forward.
    fn validate_forward(&mut self, task: &Task, objective: &Objective, number: u32) {
        let mut actions = vec![];
        let mut node = &self.nodes[number as usize];
        while node.parent != NONE {
            actions.push(node.action);
            node = &self.nodes[node.parent as usize];
        }
        let mut state = objective.from.clone();
        let mut after = state.clone();
        let mut cost = 0.0;
        for action in &actions {
            let action = &task.actions[*action as usize];
            let values = task.values(&state);
            if !action.is_possible(values) || !task.apply(action, &state, &mut after) {
                return;
            }
            cost = rounded(cost + action.cost(values));
            std::mem::swap(&mut state, &mut after);
        }
        let is_better = self.best.as_ref().is_none_or(|(best, ..)| cost < *best);
        if is_better && objective.last().holds(task.values(&state)) {
            self.best = Some((cost, actions, number));
        }
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::fixed(self.bytes)
            + MemoryUse::of_vec(&self.needs)
            + MemoryUse::of_vec(&self.nodes)
            + MemoryUse::of_heap(&self.open)
            + MemoryUse::of_map(&self.known)
    }
}

/// Returns the memory use of a set in bytes.
fn memory(set: &Set) -> usize {
    size_of::<Set>() + set.capacity() * size_of::<Requirement>()
}
