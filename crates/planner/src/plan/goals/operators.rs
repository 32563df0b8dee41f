//! The delete relaxation of a task in flat tables: propositions, the operators that reach them, and
//! their preconditions and effects as rows of numbers.
//!
//! A proposition says that a variable has a value, or that a condition holds. Axioms are operators
//! without an action: they reach the propositions that aren't literals.

use rustc_hash::FxHashMap;

use super::formula::{Cond, Num};
use super::propositions::Propositions;
use super::task::{Change, Task};
use crate::plan::memory::MemoryUse;
use crate::plan::rows::Rows;

/// A change of a number.
#[derive(Debug, Clone)]
pub struct NumberChange {
    /// The variable.
    pub variable: u32,
    /// If `true`, the number is added to the variable instead of assigned.
    pub is_added: bool,
    /// The number.
    pub number: Num,
}

/// The changes of numbers.
#[derive(Debug, Default)]
pub struct NumberChanges {
    /// All changes.
    pub all: Vec<NumberChange>,
    /// For each operator, its changes.
    pub rows: Rows,
    /// For each variable, the operators whose changes depend on its number.
    pub number_readers: Rows,
    /// For each proposition, the operators whose changes depend on its variable.
    pub readers: Rows,
    /// For each variable, `true` if changes of other numbers depend on its number.
    pub is_number_read: Vec<bool>,
}

/// The conditions that are evaluated.
#[derive(Debug, Default)]
pub struct EvaluatedConditions {
    /// The conditions, and their propositions.
    pub conditions: Vec<(Cond, u32)>,
    /// For each proposition, the condition that it represents.
    pub condition_of: FxHashMap<u32, u32>,
    /// For each proposition, the conditions that read its variable.
    pub watchers: Rows,
    /// For each condition, the variables whose numbers it reads.
    pub numbers_of: Rows,
    /// For each variable, the conditions that read its number.
    pub number_watchers: Rows,
}

/// The tables of a delete relaxation.
#[derive(Debug, Default)]
pub struct Operators {
    /// The propositions.
    pub propositions: Propositions,
    /// For each operator, its action; [`NONE`](crate::plan::rows::NONE) for an axiom.
    pub actions: Vec<u32>,
    /// For each operator, its minimum cost.
    pub costs: Vec<f64>,
    /// For each operator, the propositions that it requires.
    pub preconditions: Rows,
    /// For each operator, the propositions that it reaches.
    pub adds: Rows,
    /// The changes of numbers.
    pub changes: NumberChanges,
    /// For each proposition, the operators that require it.
    pub readers: Rows,
    /// For each proposition, the operators that reach it.
    pub achievers: Rows,
    /// The conditions that are evaluated.
    pub evaluated: EvaluatedConditions,
    /// The operators without preconditions.
    pub unconditional: Vec<u32>,
    /// `true` if all costs are integers.
    pub has_integer_costs: bool,
}

impl Operators {
    /// Returns the number of operators.
    pub fn len(&self) -> u32 {
        self.actions.len() as u32
    }

    /// Returns the number of entries of the tables: the work of a pass over them.
    pub fn size(&self) -> u64 {
        let rows = [&self.preconditions, &self.adds, &self.changes.rows];
        let items: usize = rows.iter().map(|rows| rows.items()).sum();
        let rows = self.actions.len() + self.propositions.len() + self.evaluated.conditions.len();
        (rows + items) as u64
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let rows = [
            &self.preconditions,
            &self.adds,
            &self.changes.rows,
            &self.readers,
            &self.achievers,
            &self.evaluated.watchers,
            &self.evaluated.number_watchers,
            &self.changes.number_readers,
            &self.changes.readers,
        ];
        let conditions = self
            .evaluated
            .conditions
            .iter()
            .map(|(cond, _)| cond.memory());
        let changes = self.changes.all.iter().map(|change| change.number.memory());
        let bytes = conditions.sum::<usize>()
            + changes.sum::<usize>()
            + self.changes.all.capacity() * size_of::<NumberChange>()
            + self.propositions.memory()
            + self.actions.capacity() * size_of::<u32>()
            + self.costs.capacity() * size_of::<f64>();
        let rows = rows
            .into_iter()
            .map(Rows::memory_use)
            .map(|rows| rows.bytes);
        MemoryUse::fixed(bytes + rows.sum::<u64>() as usize)
    }
}

impl Operators {
    /// Builds the rows that lead from propositions and variables to their readers.
    pub fn index(&mut self, task: &Task) {
        let propositions = self.propositions.len();
        self.readers = self.preconditions.transposed(propositions);
        self.achievers = self.adds.transposed(propositions);
        let operators = 0..self.len();
        let has_none = |operator: &u32| self.preconditions.row(*operator).is_empty();
        self.unconditional = operators.filter(has_none).collect();
        let mut numbers_of = Rows::default();
        let mut propositions_of = Rows::default();
        for (cond, _) in &self.evaluated.conditions {
            let (mut numbers, mut values) = (vec![], vec![]);
            cond.reads(&mut |variable, boolean| {
                self.propositions
                    .note(task, variable, boolean, &mut numbers, &mut values);
            });
            numbers_of.push(&sorted(numbers));
            propositions_of.push(&sorted(values));
        }
        self.evaluated.number_watchers = numbers_of.transposed(task.kinds.len());
        self.evaluated.watchers = propositions_of.transposed(propositions);
        self.evaluated.numbers_of = numbers_of;
        let mut numbers_of = Rows::default();
        let mut propositions_of = Rows::default();
        for operator in 0..self.len() {
            let (mut numbers, mut values) = (vec![], vec![]);
            for change in self.changes.rows.row(operator) {
                let change = &self.changes.all[*change as usize];
                if change.is_added {
                    numbers.push(change.variable);
                }
                change.number.reads(&mut |variable, boolean| {
                    self.propositions
                        .note(task, variable, boolean, &mut numbers, &mut values);
                });
            }
            numbers_of.push(&sorted(numbers));
            propositions_of.push(&sorted(values));
        }
        self.changes.number_readers = numbers_of.transposed(task.kinds.len());
        self.changes.readers = propositions_of.transposed(propositions);
    }

    /// Returns for each operator `true` if it is relevant for a goal.
    pub fn relevant(&self, task: &Task, goals: &[u32]) -> Vec<bool> {
        let mut operators = vec![false; self.actions.len()];
        let mut actions = vec![false; task.actions.len()];
        let mut propositions = vec![false; self.propositions.len()];
        let mut numbers = vec![false; task.kinds.len()];
        let mut changed_by: Vec<Vec<u32>> = vec![vec![]; task.kinds.len()];
        for operator in 0..self.len() {
            for change in self.changes.rows.row(operator) {
                changed_by[self.changes.all[*change as usize].variable as usize].push(operator);
            }
        }
        let mut open_propositions = goals.to_vec();
        let mut open_numbers: Vec<u32> = vec![];
        let mut open_operators: Vec<u32> = vec![];
        loop {
            if let Some(proposition) = open_propositions.pop() {
                if !std::mem::replace(&mut propositions[proposition as usize], true) {
                    open_operators.extend(self.achievers.row(proposition));
                    if let Some(condition) = self.evaluated.condition_of.get(&proposition) {
                        self.evaluated.conditions[*condition as usize].0.reads(
                            &mut |v, boolean| {
                                self.propositions.note(
                                    task,
                                    v,
                                    boolean,
                                    &mut open_numbers,
                                    &mut open_propositions,
                                );
                            },
                        );
                    }
                }
            } else if let Some(variable) = open_numbers.pop() {
                if !std::mem::replace(&mut numbers[variable as usize], true) {
                    open_operators.extend(&changed_by[variable as usize]);
                }
            } else if let Some(operator) = open_operators.pop() {
                if std::mem::replace(&mut operators[operator as usize], true) {
                    continue;
                }
                open_propositions.extend(self.preconditions.row(operator));
                let number = self.actions[operator as usize] as usize;
                let Some(action) = task.actions.get(number) else {
                    continue;
                };
                if std::mem::replace(&mut actions[number], true) {
                    continue;
                }
                // Numbers have to stay in their ranges, and a conditional effect may have to be
                // prevented.
                let mut note = |variable, boolean| {
                    let (numbers, values) = (&mut open_numbers, &mut open_propositions);
                    self.propositions
                        .note(task, variable, boolean, numbers, values);
                };
                for effect in &action.effects {
                    effect.when.reads(&mut note);
                    if let Change::Number(number) | Change::Add(number) = &effect.change {
                        note(effect.variable, false);
                        number.reads(&mut note);
                    }
                }
            } else {
                return operators;
            }
        }
    }

    /// Removes all operators but the kept ones.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut operators = (0..self.len()).filter(|operator| kept[*operator as usize]);
        let kept: Vec<u32> = operators.by_ref().collect();
        let pick = |rows: &Rows| {
            let mut picked = Rows::default();
            kept.iter()
                .for_each(|operator| picked.push(rows.row(*operator)));
            picked
        };
        self.preconditions = pick(&self.preconditions);
        self.adds = pick(&self.adds);
        self.changes.rows = pick(&self.changes.rows);
        let kept = kept.iter().map(|operator| *operator as usize);
        self.actions = kept
            .clone()
            .map(|operator| self.actions[operator])
            .collect();
        self.costs = kept.map(|operator| self.costs[operator]).collect();
    }
}

fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
