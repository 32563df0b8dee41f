//! The delete relaxation's exploration: the cost of reaching a goal if nothing ever became false. A
//! variable then keeps all values that it had, and a number all those between its minimum and
//! maximum.
//!
//! Propositions are reached in the order of their costs (a generalized Dijkstra search), so that
//! the first cost at which a condition may hold is its minimum cost (`hmax`; Bonet and Geffner
//! 2001). If the costs of conditions are added up, this is `hadd`, and the first achievers of each
//! proposition make up the relaxed plan whose cost is `ff` (Hoffmann and Nebel 2001). Numbers grow
//! by one operator at a time, at its cost each time, as often as [`STEPS`] says; then at once as
//! far as they can. So `hmax` is admissible.

mod plan;
mod queue;
mod values;

use std::sync::Arc;

use super::formula::{Num, Values};
use super::literals::Literal;
use super::operators::Operators;
use super::task::{Kind, Task};
use crate::plan::interval::Interval;
use crate::plan::memory::MemoryUse;
use crate::plan::relaxation::Reached;
use crate::plan::rows::NONE;
pub use plan::cost_of;
pub use queue::Cost;
use queue::Queue;
use taskloom_domain::lang::decimal::rounded;

/// The number of times that an operator changes a number by its actual amount.
const STEPS: u32 = 24;

/// The function that combines the costs of a condition's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// The maximum.
    Max,
    /// The sum.
    Add,
}

/// A change of a number's interval.
#[derive(Debug, Clone, Copy)]
pub struct Widening {
    /// The numbers that are possible from then on.
    pub to: Interval,
    /// The cost.
    pub cost: f64,
    /// The operator that caused it.
    operator: u32,
}

/// A relaxed exploration, which can be run any number of times.
#[derive(Debug)]
pub struct Relaxed {
    tables: Arc<Operators>,
    /// For each operator, its cost.
    costs: Vec<f64>,
    reached: Reached<f64>,
    /// For each proposition, `true` if its cost is final.
    is_closed: Vec<bool>,
    /// For each operator, the number of its preconditions.
    counts: Vec<u32>,
    /// For each operator, the number of its preconditions that aren't reached.
    missing: Vec<u32>,
    /// For each operator, the cost of its preconditions.
    required: Vec<f64>,
    /// For each numeric variable, its changes in order.
    numbers: Vec<Vec<Widening>>,
    /// For each variable, the number of conditions that wait for its number.
    waiting: Vec<u32>,
    /// The operators that change numbers.
    changing: Vec<u32>,
    /// For each operator, how often it changed numbers, and the last cost of that.
    done: Vec<(u32, f64)>,
    queue: Queue,
    /// The propositions that hold in the state.
    initial: Vec<u32>,
    is_goal: Vec<bool>,
    /// `true` if numbers are widened even if no condition depends on them any more.
    wants_all_numbers: bool,
    /// The work done so far, in propositions and operators.
    pub work: u64,
    extraction: plan::Extraction,
}

impl Relaxed {
    /// Starts with the minimum costs of operators.
    pub fn new(tables: &Arc<Operators>, task: &Task) -> Self {
        Self::with_costs(tables, task, tables.costs.clone(), tables.has_integer_costs)
    }

    /// Starts with other costs of the operators.
    pub fn with_costs(
        tables: &Arc<Operators>,
        task: &Task,
        costs: Vec<f64>,
        are_integers: bool,
    ) -> Self {
        let (operators, propositions) = (tables.len() as usize, tables.propositions.len());
        let counts = (0..tables.len()).map(|n| tables.preconditions.row(n).len() as u32);
        let changing = 0..tables.len();
        let changing = changing.filter(|operator| !tables.changes.rows.row(*operator).is_empty());
        Self {
            costs,
            reached: Reached::new(propositions, f64::INFINITY),
            is_closed: vec![false; propositions],
            counts: counts.collect(),
            missing: vec![0; operators],
            required: vec![0.0; operators],
            numbers: vec![vec![]; task.kinds.len()],
            waiting: vec![0; task.kinds.len()],
            changing: changing.collect(),
            done: vec![(0, 0.0); operators],
            queue: Queue::new(are_integers),
            initial: vec![],
            is_goal: vec![false; propositions],
            wants_all_numbers: false,
            work: 0,
            extraction: plan::Extraction::new(propositions, operators),
            tables: tables.clone(),
        }
    }

    /// Returns the memory use, excluding the tables.
    pub fn memory_use(&self) -> MemoryUse {
        let by_operator = 2 * size_of::<f64>() + size_of::<u32>() + size_of::<(u32, f64)>();
        let propositions = self.reached.memory() + 2 * self.is_closed.len();
        MemoryUse::fixed(propositions + self.missing.len() * by_operator)
            + self.extraction.memory_use()
            + self.queue.memory_use()
    }

    /// Returns the cost of a goal from a state, which is a lower bound with `Max`; infinity if the
    /// goal is unreachable. Without a goal, everything reachable is reached.
    pub fn run(&mut self, task: &Task, from: Values<'_>, goal: Option<&[u32]>, sum: Sum) -> f64 {
        let tables = self.tables.clone();
        let tables = &*tables;
        self.start(tables, task, from);
        // Regression asks for bounds that no condition mentions.
        self.wants_all_numbers = goal.is_none();
        let mut remaining = 0;
        for proposition in goal.into_iter().flatten() {
            let is_open = !self.is_closed[*proposition as usize];
            remaining += usize::from(is_open && !self.is_goal[*proposition as usize]);
            self.is_goal[*proposition as usize] = is_open;
        }
        let is_reached = goal.is_some() && remaining == 0;
        let cost = if is_reached {
            Some(0.0)
        } else {
            self.reach(tables, task, (goal.is_some(), remaining), sum)
        };
        for proposition in goal.into_iter().flatten() {
            self.is_goal[*proposition as usize] = false;
        }
        match (cost, goal, sum) {
            (None, ..) => f64::INFINITY,
            (Some(_), Some(goal), Sum::Add) => {
                let costs = goal.iter().map(|goal| self.reached.cost(*goal));
                costs.sum()
            }
            (Some(cost), ..) => cost,
        }
    }

    /// Reaches propositions in the order of their costs until the goal's are reached.
    fn reach(
        &mut self,
        tables: &Operators,
        task: &Task,
        (has_goal, mut remaining): (bool, usize),
        sum: Sum,
    ) -> Option<f64> {
        let initial = std::mem::take(&mut self.initial);
        for proposition in &initial {
            self.satisfy(tables, *proposition, 0.0, sum);
        }
        self.initial = initial;
        for operator in &tables.unconditional {
            self.trigger(tables, *operator, 0.0);
        }
        let propositions = tables.propositions.len() as u32;
        while let Some((now, entry)) = self.queue.pop() {
            self.work += 1;
            if entry >= propositions {
                self.change(tables, task, entry - propositions, now, sum);
                continue;
            }
            if std::mem::replace(&mut self.is_closed[entry as usize], true) {
                continue;
            }
            if self.is_goal[entry as usize] {
                remaining -= 1;
                if has_goal && remaining == 0 {
                    return Some(now);
                }
            }
            self.satisfy(tables, entry, now, sum);
            for condition in tables.evaluated.watchers.row(entry) {
                self.check(tables, *condition, now, sum);
            }
            for operator in tables.changes.readers.row(entry) {
                self.schedule(tables, *operator, now);
            }
        }
        None
    }

    fn start(&mut self, tables: &Operators, task: &Task, from: Values<'_>) {
        self.reached.clear(f64::INFINITY);
        self.is_closed.fill(false);
        self.required.fill(0.0);
        self.missing.copy_from_slice(&self.counts);
        for operator in &self.changing {
            self.done[*operator as usize] = (0, 0.0);
        }
        self.queue.clear();
        self.initial.clear();
        let (initial, reached, is_closed) =
            (&mut self.initial, &mut self.reached, &mut self.is_closed);
        tables
            .propositions
            .of_state(task, from, &mut |proposition| {
                initial.push(proposition);
                reached.set(proposition, 0.0);
                is_closed[proposition as usize] = true;
            });
        for (variable, kind) in (0..).zip(&task.kinds) {
            if let Kind::Number { .. } = kind {
                let steps = &mut self.numbers[variable as usize];
                steps.clear();
                steps.push(Widening {
                    to: Interval::of(from.number(variable)),
                    cost: 0.0,
                    operator: NONE,
                });
                let watchers = tables.evaluated.number_watchers.row(variable);
                self.waiting[variable as usize] = watchers.len() as u32;
            }
        }
        for condition in 0..tables.evaluated.conditions.len() as u32 {
            let (cond, proposition) = &tables.evaluated.conditions[condition as usize];
            if self.may_hold(cond) {
                self.reached.set(*proposition, 0.0);
                self.is_closed[*proposition as usize] = true;
                self.initial.push(*proposition);
                self.stop_waiting(tables, condition);
            }
        }
    }

    fn stop_waiting(&mut self, tables: &Operators, condition: u32) {
        for variable in tables.evaluated.numbers_of.row(condition) {
            self.waiting[*variable as usize] -= 1;
        }
    }

    /// Handles a reached proposition: operators that require it miss one precondition less.
    fn satisfy(&mut self, tables: &Operators, proposition: u32, now: f64, sum: Sum) {
        let cost = self.reached.cost(proposition);
        let readers = tables.readers.row(proposition);
        self.work += readers.len() as u64;
        for operator in readers {
            let required = &mut self.required[*operator as usize];
            match sum {
                Sum::Max => *required = required.max(cost),
                Sum::Add => *required += cost,
            }
            let missing = &mut self.missing[*operator as usize];
            *missing -= 1;
            if *missing == 0 {
                self.trigger(tables, *operator, now);
            }
        }
    }

    /// Handles an operator whose preconditions are all reached.
    fn trigger(&mut self, tables: &Operators, operator: u32, now: f64) {
        let cost = self.required[operator as usize] + self.costs[operator as usize];
        for add in tables.adds.row(operator) {
            if !self.is_closed[*add as usize] && self.reached.improve(*add, cost, operator) {
                self.queue.push(cost.max(now), *add);
            }
        }
        if !tables.changes.rows.row(operator).is_empty() {
            self.schedule(tables, operator, now);
        }
    }

    /// Handles a change of something that a condition reads.
    fn check(&mut self, tables: &Operators, condition: u32, now: f64, sum: Sum) {
        let (cond, proposition) = &tables.evaluated.conditions[condition as usize];
        if self.reached.cost(*proposition) < f64::INFINITY || !self.may_hold(cond) {
            return;
        }
        let cost = match sum {
            Sum::Max => now,
            Sum::Add => self.cost(cond, sum),
        };
        self.reached.set(*proposition, cost);
        self.stop_waiting(tables, condition);
        self.queue.push(cost.max(now), *proposition);
    }

    /// Schedules the next change of numbers by an applicable operator, if anything depends on them.
    fn schedule(&mut self, tables: &Operators, operator: u32, now: f64) {
        if self.missing[operator as usize] > 0 {
            return;
        }
        let changes = tables.changes.rows.row(operator).iter();
        let changes = changes.map(|change| &tables.changes.all[*change as usize]);
        let is_wanted = |variable: u32| {
            self.wants_all_numbers
                || self.waiting[variable as usize] > 0
                || tables.changes.is_number_read[variable as usize]
        };
        let (times, last) = self.done[operator as usize];
        if times > STEPS || !changes.clone().any(|change| is_wanted(change.variable)) {
            return;
        }
        let is_even = |number: &Num| matches!(number, Num::Constant(_));
        let mut changes = changes.peekable();
        let is_constant =
            |change: &&super::operators::NumberChange| !change.is_added && is_even(&change.number);
        if times > 0 && changes.clone().all(|change| is_constant(&change)) {
            return;
        }
        // The change is the same each time, at the same cost.
        let earliest = if changes.all(|change| is_even(&change.number)) {
            self.required[operator as usize].max(last)
        } else {
            self.required[operator as usize]
        };
        let at = earliest.max(now) + self.costs[operator as usize];
        // A zero-cost change can happen any number of times.
        let is_free = times > 0 && at <= last;
        let times = if is_free { STEPS } else { times };
        self.done[operator as usize] = (times + 1, at);
        let entry = tables.propositions.len() as u32 + operator;
        self.queue.push(at, entry);
    }

    /// Applies an operator's changes of numbers.
    fn change(&mut self, tables: &Operators, task: &Task, operator: u32, now: f64, sum: Sum) {
        let at_once = self.done[operator as usize].0 > STEPS;
        for change in tables.changes.rows.row(operator) {
            let change = &tables.changes.all[*change as usize];
            let by = self.interval(&change.number);
            let to = match (&change.number, change.is_added) {
                (Num::Constant(_), false) => by,
                (_, false) if at_once => Interval::new(f64::NEG_INFINITY, f64::INFINITY),
                (_, false) => by,
                (_, true) => {
                    let now = self.number(change.variable as usize);
                    let far = |by: f64, end: f64| if at_once && by != 0.0 { end } else { by };
                    let (down, up) = (by.low.min(0.0), by.high.max(0.0));
                    let low = rounded(now.low + far(down, f64::NEG_INFINITY));
                    Interval::new(low, rounded(now.high + far(up, f64::INFINITY)))
                }
            };
            if self.widen(task, change.variable as usize, to, now, operator) {
                for condition in tables.evaluated.number_watchers.row(change.variable) {
                    self.check(tables, *condition, now, sum);
                }
                for reader in tables.changes.number_readers.row(change.variable) {
                    self.schedule(tables, *reader, now);
                }
            }
        }
    }

    /// Widens a number's interval within its range. Returns `true` if a number is new.
    fn widen(
        &mut self,
        task: &Task,
        variable: usize,
        to: Interval,
        cost: f64,
        operator: u32,
    ) -> bool {
        let Kind::Number { min, max, .. } = task.kinds[variable] else {
            return false;
        };
        let to = Interval::new(to.low.max(min), to.high.min(max));
        let now = self.number(variable);
        if to.is_empty() || to.low >= now.low && to.high <= now.high {
            return false;
        }
        self.numbers[variable].push(Widening {
            to: Interval::new(now.low.min(to.low), now.high.max(to.high)),
            cost,
            operator,
        });
        true
    }

    fn number(&self, variable: usize) -> Interval {
        let steps = &self.numbers[variable];
        steps.last().map_or(Interval::UNDEFINED, |step| step.to)
    }

    /// Returns `true` if all preconditions of an operator were reached.
    pub fn is_possible(&self, operator: u32) -> bool {
        self.missing[operator as usize] == 0
    }

    /// Returns the cost of a literal; infinity if it wasn't reached.
    pub fn cost_of(&self, literal: Literal) -> f64 {
        match (self.tables.propositions.of(literal), literal) {
            (NONE, Literal::Object(variable, object))
                if !self.tables.propositions.domains.may_be(variable, object) =>
            {
                f64::INFINITY
            }
            // Nothing reads it.
            (NONE, _) => 0.0,
            (proposition, _) if self.is_closed[proposition as usize] => {
                self.reached.cost(proposition)
            }
            _ => f64::INFINITY,
        }
    }
}
