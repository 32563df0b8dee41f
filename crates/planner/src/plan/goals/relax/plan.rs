//! Extraction of the relaxed plan: the first achiever of each proposition, backward from the goal.

use super::{Cost, Relaxed, Sum, Widening};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::goals::formula::{Cond, Obj, Test, Values};
use crate::plan::goals::literals::Literal;
use crate::plan::goals::operators::Operators;
use crate::plan::goals::task::{Kind, Task};
use crate::plan::memory::MemoryUse;
use crate::plan::relaxation::Marks;
use crate::plan::rows::NONE;

/// The propositions and operators of a relaxed plan.
#[derive(Debug, Default)]
pub struct Extraction {
    propositions: Marks,
    operators: Marks,
    /// For each operator of the plan, the number of its executions.
    times: Vec<u32>,
    /// The operators of the plan.
    used: Vec<u32>,
    /// The operators whose preconditions have yet to be reached.
    open: Vec<u32>,
    /// The propositions that have yet to be reached.
    pending: Vec<u32>,
}

impl Extraction {
    pub fn new(propositions: usize, operators: usize) -> Self {
        Self {
            propositions: Marks::new(propositions),
            operators: Marks::new(operators),
            times: vec![0; operators],
            ..Self::default()
        }
    }

    pub fn memory_use(&self) -> MemoryUse {
        let marks = self.propositions.memory() + self.operators.memory();
        MemoryUse::fixed(marks + size_of_val(&*self.times))
    }
}

impl Relaxed {
    /// Returns the actions of a relaxed plan for propositions that [`run`](Self::run) has reached,
    /// and how often each one is executed.
    pub fn plan(&mut self, task: &Task, goal: &[u32]) -> Vec<(u32, u32)> {
        self.extract(task, goal, None)
    }

    /// Returns the cost of a relaxed plan for a condition that was reached.
    pub fn plan_cost(&mut self, task: &Task, from: Values<'_>, goal: &Cond) -> f64 {
        let plan = self.extract(task, &[], Some(goal));
        cost_of(task, from, &plan)
    }

    fn extract(&mut self, task: &Task, goal: &[u32], cond: Option<&Cond>) -> Vec<(u32, u32)> {
        let mut extraction = std::mem::take(&mut self.extraction);
        extraction.propositions.clear();
        extraction.operators.clear();
        extraction.used.clear();
        let mut plan = Plan {
            relaxed: self,
            tables: &self.tables,
            task,
            marks: &mut extraction,
        };
        goal.iter().for_each(|goal| plan.require(*goal));
        if let Some(cond) = cond {
            plan.require_condition(cond);
        }
        plan.complete();
        let mut actions: Vec<(u32, u32)> = vec![];
        for operator in &extraction.used {
            let action = self.tables.actions[*operator as usize];
            if action != NONE {
                actions.push((action, extraction.times[*operator as usize]));
            }
        }
        self.work += extraction.used.len() as u64;
        self.extraction = extraction;
        actions.sort_unstable();
        // An action with several operators is executed only as often as the most frequent one of
        // them.
        actions.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                earlier.1 = earlier.1.max(later.1);
            }
            is_same
        });
        actions
    }
}

/// Returns the cost of actions with the number of their executions.
pub fn cost_of(task: &Task, from: Values<'_>, actions: &[(u32, u32)]) -> f64 {
    let costs = actions.iter().map(|(action, times)| {
        let action = &task.actions[*action as usize];
        f64::from(*times) * action.cost(from)
    });
    costs.sum()
}

/// A relaxed plan under construction.
struct Plan<'a> {
    relaxed: &'a Relaxed,
    tables: &'a Operators,
    task: &'a Task,
    marks: &'a mut Extraction,
}

impl Plan<'_> {
    fn complete(&mut self) {
        loop {
            if let Some(proposition) = self.marks.pending.pop() {
                let achiever = self.relaxed.reached.achiever(proposition);
                if achiever != NONE {
                    self.require_operator(achiever, 1);
                } else if self.relaxed.reached.cost(proposition) > 0.0
                    && let Some(condition) = self.tables.evaluated.condition_of.get(&proposition)
                {
                    self.require_condition(
                        &self.tables.evaluated.conditions[*condition as usize].0,
                    );
                }
            } else if let Some(operator) = self.marks.open.pop() {
                for proposition in self.tables.preconditions.row(operator) {
                    self.require(*proposition);
                }
            } else {
                return;
            }
        }
    }

    fn require(&mut self, proposition: u32) {
        if self.marks.propositions.insert(proposition) {
            self.marks.pending.push(proposition);
        }
    }

    fn require_operator(&mut self, operator: u32, times: u32) {
        let before = &mut self.marks.times[operator as usize];
        if self.marks.operators.insert(operator) {
            *before = 0;
            self.marks.used.push(operator);
            self.marks.open.push(operator);
        }
        *before = times.max(*before);
    }

    fn require_literal(&mut self, literal: Literal) {
        let proposition = self.tables.propositions.of(literal);
        if proposition != NONE {
            self.require(proposition);
        }
    }

    fn require_condition(&mut self, cond: &Cond) {
        let relaxed = self.relaxed;
        if let Some(literal) = Literal::of(cond) {
            return self.require_literal(literal);
        }
        match cond {
            Cond::Constant(_) | Cond::Literal(Test::Is(..)) => {}
            Cond::All(parts) => parts.iter().for_each(|part| self.require_condition(part)),
            Cond::Any(parts) => {
                let cost = |part: &&Cond| Cost(relaxed.cost(part, Sum::Add));
                if let Some(part) = parts.iter().min_by_key(cost) {
                    self.require_condition(part);
                }
            }
            Cond::Literal(Test::Same(both, expected)) => {
                let mut best = (f64::INFINITY, UNDEFINED, UNDEFINED);
                relaxed.objects(&both.0, &mut |a, cost_a| {
                    relaxed.objects(&both.1, &mut |b, cost_b| {
                        if (a == b && a != UNDEFINED) == *expected && cost_a + cost_b < best.0 {
                            best = (cost_a + cost_b, a, b);
                        }
                    });
                });
                if best.0 < f64::INFINITY {
                    self.require_object(&both.0, best.1);
                    self.require_object(&both.1, best.2);
                }
            }
            Cond::Literal(Test::IsDefined(object)) => {
                let mut best = (f64::INFINITY, UNDEFINED);
                relaxed.objects(object, &mut |object, cost| {
                    if object != UNDEFINED && cost < best.0 {
                        best = (cost, object);
                    }
                });
                self.require_object(object, best.1);
            }
            Cond::Literal(Test::Compare(..)) => self.require_comparison(cond),
            Cond::Literal(Test::Case(case)) => {
                let mut best = (f64::INFINITY, UNDEFINED);
                relaxed.objects(&case.selector, &mut |object, cost| {
                    let cost = cost + relaxed.cost(case.select(object), Sum::Add);
                    if cost < best.0 {
                        best = (cost, object);
                    }
                });
                self.require_object(&case.selector, best.1);
                self.require_condition(case.select(best.1));
            }
        }
    }

    fn require_object(&mut self, object: &Obj, value: u32) {
        match object {
            Obj::Object(_) => {}
            Obj::Var(variable) => self.require_literal(Literal::Object(*variable, value)),
            Obj::Case(case) => {
                let relaxed = self.relaxed;
                let mut found = None;
                relaxed.objects(&case.selector, &mut |of, _| {
                    relaxed.objects(case.select(of), &mut |object, _| {
                        if object == value && found.is_none() {
                            found = Some(of);
                        }
                    });
                });
                if let Some(of) = found {
                    self.require_object(&case.selector, of);
                    self.require_object(case.select(of), value);
                }
            }
        }
    }

    /// Requires the changes of each number that a comparison reads, and the objects that it depends
    /// on.
    fn require_comparison(&mut self, cond: &Cond) {
        let relaxed = self.relaxed;
        let mut variables = vec![];
        let mut booleans = vec![];
        cond.reads(&mut |variable, is_boolean| {
            let list = if is_boolean {
                &mut booleans
            } else {
                &mut variables
            };
            if !list.contains(&variable) {
                list.push(variable);
            }
        });
        for variable in variables {
            if let Kind::Object = self.task.kinds[variable as usize] {
                self.require_change_of(&self.tables.propositions.values_of(variable));
                continue;
            }
            let needed = relaxed.first_sufficient(cond, variable);
            let steps: &[Widening] = &relaxed.numbers[variable as usize][..=needed];
            let mut times: Vec<(u32, u32)> = vec![];
            for step in steps.iter().filter(|step| step.operator != NONE) {
                match times
                    .iter_mut()
                    .find(|(operator, _)| *operator == step.operator)
                {
                    Some((_, times)) => *times += 1,
                    None => times.push((step.operator, 1)),
                }
            }
            for (operator, times) in times {
                self.require_operator(operator, times);
            }
        }
        for variable in booleans {
            let both =
                [false, true].map(|expected| self.tables.propositions.boolean(variable, expected));
            self.require_change_of(&both);
        }
    }

    /// Requires the cheapest of a variable's values that were reached at a positive cost.
    fn require_change_of(&mut self, values: &[u32]) {
        let cost = |value: &u32| self.relaxed.reached.cost(*value);
        let is_reached = |value: &&u32| {
            **value != NONE && self.relaxed.is_closed[**value as usize] && cost(value) > 0.0
        };
        let reached = values.iter().filter(is_reached);
        if let Some(first) = reached.min_by_key(|value| Cost(cost(value))) {
            self.require(*first);
        }
    }
}
