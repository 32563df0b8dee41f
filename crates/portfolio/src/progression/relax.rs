//! Estimates the distance to the goal if nothing is ever deleted: the relaxed composition heuristic
//! (Höller, Bercher, Behnke and Biundo, "A Generic Method to Guide HTN Progression Search with
//! Classical Heuristics", ICAPS 2018).
//!
//! Each method is an operator that reaches its task from its condition and its subtasks, each
//! action one that reaches itself and its effects. The heuristic seeks a relaxed plan that reaches
//! all open tasks. Only tasks reachable from these count: a subtask is considered once its method's
//! condition and, in a sequence, the subtasks before it are reached; and in a sequence of open
//! tasks each must be reached by what it and those before it lead to. That is how the order of
//! tasks reveals dead ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::state;
use crate::grounding::ground::Ground;
use taskloom_planner::search_kit::{Marks, MemoryUse, NONE, Reached, Rows};

const INFINITE: u32 = u32::MAX;

/// The maximum cost. A sum over conditions that need each other doubles with each of them, and must
/// not appear unreachable.
const MOST: u32 = INFINITE - 1;

/// The reason why a cost is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is unreachable.
    Never,
    /// The effort limit was reached first.
    NotYet,
}

/// The heuristic and its tables.
#[derive(Debug)]
pub struct Relaxed {
    /// For each proposition, the operators that require it.
    readers: Arc<Rows>,
    reached: Reached<u32>,
    /// For each proposition, the cost last propagated to its readers.
    propagated: Vec<u32>,
    operators: Vec<Operator>,
    is_called: Vec<bool>,
    /// Entries to reset before the next state.
    touched_tasks: Vec<u32>,
    touched_operators: Vec<u32>,
    to_call: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// The operators of the relaxed plan.
    used: Marks,
    /// The propositions that the relaxed plan has yet to reach.
    open: Vec<u32>,
    /// The number of operators processed so far.
    pub effort: u64,
    /// The effort at which requests return [`Unknown::NotYet`].
    pub pause_at: u64,
}

/// The state of an operator. Actions come first, then methods, then conditional effects.
#[derive(Debug, Clone, Copy, Default)]
struct Operator {
    is_called: bool,
    /// The number of unreached literals, and the sum of the costs of the others.
    missing: u32,
    sum: u32,
    /// The number of leading subtasks reached.
    subtasks: u32,
}

impl Relaxed {
    /// Creates the heuristic for a problem and the readers of its propositions.
    pub fn new(ground: &Ground, readers: Arc<Rows>) -> Self {
        let operators = ground.rows() + ground.effects.conditionals.len() as u32;
        let propositions = ground.propositions();
        Self {
            readers,
            reached: Reached::new(propositions, INFINITE),
            propagated: vec![INFINITE; propositions],
            operators: vec![Operator::default(); operators as usize],
            is_called: vec![false; ground.tasks as usize],
            touched_tasks: vec![],
            touched_operators: vec![],
            to_call: vec![],
            queue: BinaryHeap::new(),
            used: Marks::new(operators as usize),
            open: vec![],
            effort: 0,
            pause_at: u64::MAX,
        }
    }

    /// Returns the memory use, without the readers.
    pub fn memory_use(&self) -> MemoryUse {
        let reached = self.reached.memory() + size_of_val(&*self.propagated);
        let operators = size_of_val(&*self.operators) + self.used.memory();
        MemoryUse::fixed(reached + operators + self.is_called.len())
            + MemoryUse::of_vec(&self.touched_tasks)
            + MemoryUse::of_vec(&self.touched_operators)
            + MemoryUse::of_vec(&self.to_call)
            + MemoryUse::of_vec(&self.open)
            + MemoryUse::of_heap(&self.queue)
    }

    /// Returns the minimum memory use for a problem, in bytes.
    pub fn expected(ground: &Ground) -> usize {
        let rows = ground.rows() as usize;
        let operators = rows + ground.effects.conditionals.len();
        ground.propositions() * 3 * size_of::<u32>()
            + operators * (size_of::<u32>() + size_of::<Operator>())
    }

    /// Starts from a state.
    pub fn start(&mut self, ground: &Ground, state: &[u32]) {
        for task in self.touched_tasks.drain(..) {
            let proposition = ground.proposition(task);
            self.reached.set(proposition, INFINITE);
            self.propagated[proposition as usize] = INFINITE;
            self.is_called[task as usize] = false;
        }
        for operator in self.touched_operators.drain(..) {
            self.operators[operator as usize].is_called = false;
        }
        self.effort += u64::from(ground.atoms) / 2;
        ground.stop.after(ground.atoms as usize / 32);
        for literal in 0..ground.atoms * 2 {
            let cost = match state::holds(state, literal) {
                true => 0,
                false => INFINITE,
            };
            self.reached.set(literal, cost);
            self.propagated[literal as usize] = cost;
        }
        self.queue.clear();
        self.to_call.clear();
        self.open.clear();
    }

    /// Clears the targets of the relaxed plan.
    pub fn clear_targets(&mut self) {
        self.open.clear();
    }

    /// Adds a task as a target of the relaxed plan and enables everything it may lead to. Returns
    /// its cost.
    pub fn call_task(&mut self, ground: &Ground, task: u32) -> Result<u32, Unknown> {
        self.to_call.push(task);
        let proposition = ground.proposition(task);
        self.open.push(proposition);
        self.settle(ground, proposition)
    }

    /// Enables tasks that are unordered.
    pub fn call_all(&mut self, tasks: impl Iterator<Item = u32>) {
        self.to_call.extend(tasks);
    }

    /// Adds a literal as a target of the relaxed plan. Returns its cost.
    pub fn ask_literal(&mut self, ground: &Ground, literal: u32) -> Result<u32, Unknown> {
        self.open.push(literal);
        self.settle(ground, literal)
    }

    /// Continues, cheapest first, until the cost of a proposition is known.
    fn settle(&mut self, ground: &Ground, target: u32) -> Result<u32, Unknown> {
        let readers = self.readers.clone();
        loop {
            match self.propagated[target as usize] {
                INFINITE => {}
                cost => return Ok(cost),
            }
            if self.effort >= self.pause_at || ground.stop.after(1) {
                return Err(Unknown::NotYet);
            }
            while let Some(task) = self.to_call.pop() {
                self.call_one(ground, task);
            }
            let Some(Reverse((cost, proposition))) = self.queue.pop() else {
                return Err(Unknown::Never);
            };
            let before = self.propagated[proposition as usize];
            if cost != self.reached.cost(proposition) || cost == before {
                continue;
            }
            self.propagated[proposition as usize] = cost;
            let readers = readers.row(proposition);
            self.effort += readers.len() as u64;
            if proposition < ground.atoms * 2 {
                self.satisfy(ground, readers, before, cost);
                continue;
            }
            for number in readers.iter().copied() {
                let operator = self.operators[number as usize];
                if operator.is_called && operator.missing == 0 {
                    self.advance_method(ground, number - ground.actions);
                }
            }
        }
    }

    /// Handles a reached literal, or a lower cost of it.
    fn satisfy(&mut self, ground: &Ground, readers: &[u32], before: u32, cost: u32) {
        ground.stop.after(readers.len() / 16);
        for number in readers.iter().copied() {
            let operator = &mut self.operators[number as usize];
            if !operator.is_called {
                continue;
            }
            if before == INFINITE {
                operator.missing -= 1;
                operator.sum = operator.sum.saturating_add(cost);
            } else {
                operator.sum = operator.sum.saturating_sub(before - cost);
            }
            if operator.missing == 0 {
                self.fire(ground, number);
            }
        }
    }

    fn call_one(&mut self, ground: &Ground, task: u32) {
        if std::mem::replace(&mut self.is_called[task as usize], true) {
            return;
        }
        self.touched_tasks.push(task);
        if task < ground.actions {
            self.call_operator(ground, task, ground.needs(task), &[]);
            for conditional in ground.effects.conditional.row(task) {
                let number = ground.rows() + conditional;
                let when = &ground.when(*conditional).literals;
                self.call_operator(ground, number, ground.needs(task), when);
            }
        } else {
            for method in ground.methods_of(task) {
                let number = ground.actions + method;
                self.call_operator(ground, number, ground.needs(number), &[]);
            }
        }
    }

    fn call_operator(&mut self, ground: &Ground, number: u32, needs: &[u32], more: &[u32]) {
        let mut operator = Operator {
            is_called: true,
            ..Operator::default()
        };
        for literal in needs.iter().chain(more) {
            match self.propagated[*literal as usize] {
                INFINITE => operator.missing += 1,
                cost => operator.sum = operator.sum.saturating_add(cost),
            }
        }
        self.effort += 1;
        self.operators[number as usize] = operator;
        self.touched_operators.push(number);
        if operator.missing == 0 {
            self.fire(ground, number);
        }
    }

    /// Applies an operator whose literals are reached.
    fn fire(&mut self, ground: &Ground, number: u32) {
        if let Some(conditional) = number.checked_sub(ground.rows()) {
            let effect = &ground.effects.conditionals[conditional as usize];
            let literal = effect.atom << 1 | u32::from(!effect.add);
            let cost = self.operators[number as usize].sum.saturating_add(1);
            self.reach(literal, cost, number);
        } else if let Some(method) = number.checked_sub(ground.actions) {
            self.advance_method(ground, method);
        } else {
            let cost = self.operators[number as usize].sum.saturating_add(1);
            for atom in ground.effects.adds.row(number) {
                self.reach(atom << 1, cost, number);
            }
            for atom in ground.effects.deletes.row(number) {
                self.reach(atom << 1 | 1, cost, number);
            }
            self.reach(ground.proposition(number), cost, number);
        }
    }

    fn reach(&mut self, proposition: u32, cost: u32, operator: u32) {
        let cost = cost.min(MOST);
        if self.reached.improve(proposition, cost, operator) {
            self.queue.push(Reverse((cost, proposition)));
        }
    }

    /// Advances a method whose literals are reached to its next subtask.
    fn advance_method(&mut self, ground: &Ground, method: u32) {
        let number = ground.actions + method;
        let Operator { subtasks, sum, .. } = self.operators[number as usize];
        let row = ground.subtasks(method);
        if !ground.is_total && subtasks == 0 {
            self.to_call.extend(row);
        }
        let mut reached = subtasks as usize;
        let mut cost = sum;
        while let Some(task) = row.get(reached)
            && self.propagated[ground.proposition(*task) as usize] != INFINITE
        {
            reached += 1;
        }
        self.operators[number as usize].subtasks = reached as u32;
        match row.get(reached) {
            Some(task) if ground.is_total => self.to_call.push(*task),
            Some(_) => {}
            None => {
                for task in row {
                    let propagated = self.propagated[ground.proposition(*task) as usize];
                    cost = cost.saturating_add(propagated);
                }
                let task = ground.proposition(ground.methods.task_of[method as usize]);
                self.reach(task, cost.saturating_add(1), number);
            }
        }
    }

    /// Returns the number of operators of a relaxed plan that reaches all targets.
    pub fn relaxed_plan(&mut self, ground: &Ground) -> u32 {
        self.used.clear();
        let mut size = 0;
        let mut open = std::mem::take(&mut self.open);
        while let Some(proposition) = open.pop() {
            if ground.stop.after(1) {
                break;
            }
            let by = self.reached.achiever(proposition);
            let is_literal = proposition < ground.atoms * 2;
            if is_literal && by == NONE || !self.used.insert(by) {
                continue;
            }
            size += 1;
            if let Some(conditional) = by.checked_sub(ground.rows()) {
                open.extend(&ground.when(conditional).literals);
                continue;
            }
            open.extend(ground.needs(by));
            if let Some(method) = by.checked_sub(ground.actions) {
                let subtasks = ground.subtasks(method).iter();
                open.extend(subtasks.map(|task| ground.proposition(*task)));
            }
        }
        self.open = open;
        size
    }
}
