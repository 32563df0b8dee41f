//! How far it is to the end if nothing is ever deleted: the relaxed composition
//! heuristic (Höller, Bercher, Behnke and Biundo, "A Generic Method to Guide HTN
//! Progression Search with Classical Heuristics", ICAPS 2018).
//!
//! Each method is an operator that reaches its task from its condition and its
//! subtasks, each action one that reaches itself and its effects. What is sought
//! is a relaxed plan that reaches all open tasks. Only what these tasks come to
//! counts: a subtask is looked at once its method's condition and, in a sequence,
//! the subtasks before it are reached; and in a sequence of open tasks each has
//! to be reached by what it and those before it come to. That is how the order
//! of tasks tells dead ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::super::ground::Ground;
use super::super::ground::relation::NONE;
use super::state;
use super::tables::Tables;
use crate::plan::held::Footprint;

const INFINITE: u32 = u32::MAX;

/// What costs more counts as this: a sum over conditions that need each other doubles
/// with each of them, and must not come to look as if it could not be reached.
const MOST: u32 = INFINITE - 1;

/// Why it is not said what something costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It cannot be reached.
    Never,
    /// There is more to look at first than may be at once.
    NotYet,
}

/// The heuristic, with its tables.
#[derive(Debug)]
pub struct Relaxed {
    tables: Arc<Tables>,
    /// By literal, then task: the least cost found; what it was when its users
    /// heard of it; the operator that reaches it.
    cost: Vec<u32>,
    heard: Vec<u32>,
    supporter: Vec<u32>,
    operators: Vec<Operator>,
    is_called: Vec<bool>,
    /// What is to be taken back before the next state.
    touched_tasks: Vec<u32>,
    touched_operators: Vec<u32>,
    to_call: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    marks: Vec<u32>,
    mark: u32,
    open: Vec<u32>,
    /// How many operators were looked at so far.
    pub effort: u64,
    /// What is asked when there were so many is [`Unknown::NotYet`].
    pub pause_at: u64,
}

/// Actions, then methods, then conditional effects.
#[derive(Debug, Clone, Copy, Default)]
struct Operator {
    is_called: bool,
    /// Literals that are not reached, and what the others cost.
    missing: u32,
    sum: u32,
    /// How many subtasks are reached, from the first.
    subtasks: u32,
}

/// A number for `literals` literals, then tasks.
fn task_number(ground: &Ground, task: u32) -> u32 {
    ground.atoms * 2 + task
}

impl Relaxed {
    /// Starts for a problem with its tables.
    pub fn new(ground: &Ground, tables: Arc<Tables>) -> Self {
        let methods = ground.task_of.len() as u32;
        let operators = ground.actions + methods + ground.conditionals.len() as u32;
        let propositions = ground.atoms as usize * 2 + ground.tasks as usize;
        Self {
            tables,
            cost: vec![INFINITE; propositions],
            heard: vec![INFINITE; propositions],
            supporter: vec![NONE; propositions],
            operators: vec![Operator::default(); operators as usize],
            is_called: vec![false; ground.tasks as usize],
            touched_tasks: vec![],
            touched_operators: vec![],
            to_call: vec![],
            queue: BinaryHeap::new(),
            marks: vec![0; propositions.max(operators as usize)],
            mark: 0,
            open: vec![],
            effort: 0,
            pause_at: u64::MAX,
        }
    }

    /// What it takes, without the tables.
    pub fn footprint(&self) -> Footprint {
        let of_tasks = size_of_val(&*self.cost) * 3 + self.is_called.len();
        let of_operators = size_of_val(&*self.operators) + size_of_val(&*self.marks);
        Footprint::fixed(of_tasks + of_operators)
            + Footprint::of_vec(&self.touched_tasks)
            + Footprint::of_vec(&self.touched_operators)
            + Footprint::of_vec(&self.to_call)
            + Footprint::of_vec(&self.open)
            + Footprint::of_heap(&self.queue)
    }

    /// Bytes that it takes at least for a problem.
    pub fn expected(ground: &Ground) -> usize {
        let rows = ground.actions as usize + ground.task_of.len();
        let operators = rows + ground.conditionals.len();
        let propositions = ground.atoms as usize * 2 + ground.tasks as usize;
        let marks = propositions.max(operators);
        (propositions * 3 + marks) * size_of::<u32>() + operators * size_of::<Operator>()
    }

    /// Starts from a state.
    pub fn start(&mut self, ground: &Ground, state: &[u32]) {
        for task in self.touched_tasks.drain(..) {
            let number = task_number(ground, task) as usize;
            self.cost[number] = INFINITE;
            self.heard[number] = INFINITE;
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
            self.cost[literal as usize] = cost;
            self.heard[literal as usize] = cost;
            self.supporter[literal as usize] = NONE;
        }
        self.queue.clear();
        self.to_call.clear();
        self.open.clear();
    }

    /// Forgets what a relaxed plan has to reach.
    pub fn ask_nothing(&mut self) {
        self.open.clear();
    }

    /// Lets a task come to what it may. What it costs.
    pub fn call(&mut self, ground: &Ground, task: u32) -> Result<u32, Unknown> {
        self.to_call.push(task);
        let number = task_number(ground, task);
        self.open.push(number);
        self.settle(ground, number)
    }

    /// Lets tasks be called that have no order.
    pub fn call_all(&mut self, tasks: impl Iterator<Item = u32>) {
        self.to_call.extend(tasks);
    }

    /// What a literal costs, which the relaxed plan then has to reach too.
    pub fn ask(&mut self, ground: &Ground, literal: u32) -> Result<u32, Unknown> {
        self.open.push(literal);
        self.settle(ground, literal)
    }

    /// Goes on, the cheapest first, until it is known what a literal or task costs.
    fn settle(&mut self, ground: &Ground, sought: u32) -> Result<u32, Unknown> {
        let tables = self.tables.clone();
        loop {
            match self.heard[sought as usize] {
                INFINITE => {}
                cost => return Ok(cost),
            }
            if self.effort >= self.pause_at || ground.stop.after(1) {
                return Err(Unknown::NotYet);
            }
            while let Some(task) = self.to_call.pop() {
                self.call_one(ground, task);
            }
            let Some(Reverse((cost, number))) = self.queue.pop() else {
                return Err(Unknown::Never);
            };
            let before = self.heard[number as usize];
            if cost != self.cost[number as usize] || cost == before {
                continue;
            }
            self.heard[number as usize] = cost;
            match number.checked_sub(ground.atoms * 2) {
                None => self.tell_users(ground, tables.users.row(number), before, cost),
                Some(task) => {
                    self.effort += tables.parents.row(task).len() as u64;
                    for method in tables.parents.row(task).iter().copied() {
                        let operator = self.operators[(ground.actions + method) as usize];
                        if operator.is_called && operator.missing == 0 {
                            self.go_on(ground, method);
                        }
                    }
                }
            }
        }
    }

    fn tell_users(&mut self, ground: &Ground, users: &[u32], before: u32, cost: u32) {
        self.effort += users.len() as u64;
        ground.stop.after(users.len() / 16);
        for number in users.iter().copied() {
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
            self.call_operator(ground, task, ground.needs.row(task), &[]);
            for conditional in ground.conditional.row(task) {
                let number = ground.actions + ground.task_of.len() as u32 + conditional;
                let when = &ground.conditionals[*conditional as usize].when.literals;
                self.call_operator(ground, number, ground.needs.row(task), when);
            }
        } else {
            for method in ground.methods(task) {
                let number = ground.actions + method;
                self.call_operator(ground, number, ground.needs.row(number), &[]);
            }
        }
    }

    fn call_operator(&mut self, ground: &Ground, number: u32, needs: &[u32], more: &[u32]) {
        let mut operator = Operator {
            is_called: true,
            ..Operator::default()
        };
        for literal in needs.iter().chain(more) {
            match self.heard[*literal as usize] {
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

    /// An operator whose literals are reached.
    fn fire(&mut self, ground: &Ground, number: u32) {
        let methods = ground.task_of.len() as u32;
        if let Some(conditional) = number.checked_sub(ground.actions + methods) {
            let effect = &ground.conditionals[conditional as usize];
            let literal = effect.atom << 1 | u32::from(!effect.add);
            let cost = self.operators[number as usize].sum.saturating_add(1);
            self.reach(literal, cost, number);
        } else if let Some(method) = number.checked_sub(ground.actions) {
            self.go_on(ground, method);
        } else {
            let cost = self.operators[number as usize].sum.saturating_add(1);
            for atom in ground.adds.row(number) {
                self.reach(atom << 1, cost, number);
            }
            for atom in ground.deletes.row(number) {
                self.reach(atom << 1 | 1, cost, number);
            }
            self.reach(task_number(ground, number), cost, number);
        }
    }

    fn reach(&mut self, number: u32, cost: u32, by: u32) {
        let cost = cost.min(MOST);
        if cost < self.cost[number as usize] {
            self.cost[number as usize] = cost;
            self.supporter[number as usize] = by;
            self.queue.push(Reverse((cost, number)));
        }
    }

    /// A method whose literals are reached goes on to its next subtask.
    fn go_on(&mut self, ground: &Ground, method: u32) {
        let number = ground.actions + method;
        let Operator { subtasks, sum, .. } = self.operators[number as usize];
        let row = ground.subtasks.row(method);
        if !ground.is_total && subtasks == 0 {
            self.to_call.extend(row);
        }
        let mut reached = subtasks as usize;
        let mut cost = sum;
        while let Some(task) = row.get(reached)
            && self.heard[task_number(ground, *task) as usize] != INFINITE
        {
            reached += 1;
        }
        self.operators[number as usize].subtasks = reached as u32;
        match row.get(reached) {
            Some(task) if ground.is_total => self.to_call.push(*task),
            Some(_) => {}
            None => {
                for task in row {
                    let heard = self.heard[task_number(ground, *task) as usize];
                    cost = cost.saturating_add(heard);
                }
                let task = task_number(ground, ground.task_of[method as usize]);
                self.reach(task, cost.saturating_add(1), number);
            }
        }
    }

    /// How many operators a relaxed plan has that reaches all that was called one
    /// by one or asked for.
    pub fn relaxed_plan(&mut self, ground: &Ground, action: u32, method: u32) -> u32 {
        self.mark += 1;
        let methods = ground.task_of.len() as u32;
        let mut size = 0;
        let mut open = std::mem::take(&mut self.open);
        while let Some(number) = open.pop() {
            if ground.stop.after(1) {
                break;
            }
            let by = self.supporter[number as usize];
            let is_literal = number < ground.atoms * 2;
            if is_literal && by == NONE {
                continue;
            }
            if std::mem::replace(&mut self.marks[by as usize], self.mark) == self.mark {
                continue;
            }
            if let Some(conditional) = by.checked_sub(ground.actions + methods) {
                size += action;
                open.extend(&ground.conditionals[conditional as usize].when.literals);
            } else if let Some(of) = by.checked_sub(ground.actions) {
                size += method;
                open.extend(ground.needs.row(by));
                let subtasks = ground.subtasks.row(of).iter();
                open.extend(subtasks.map(|t| task_number(ground, *t)));
            } else {
                size += action;
                open.extend(ground.needs.row(by));
            }
        }
        self.open = open;
        size
    }
}
