//! Compilation of a task into its delete relaxation, one action at a time: first all
//! [`conditions`], then the [`effects`], so that only what is read becomes a proposition.
//!
//! Literals, conjunctions and disjunctions are compiled into operators with propositions; a
//! disjunction becomes a proposition that axioms reach. The remaining conditions, mostly
//! comparisons of numbers, are evaluated over the values reached so far. An action has an operator
//! for each condition of its effects, and for each object that a variable can be on which its
//! effects or cost depend.

mod conditions;
mod effects;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use taskloom_document::stop::Stop;

use super::domains::Domains;
use super::formula::Cond;
use super::literals::Literal;
use super::operators::{NumberChange, NumberChanges, Operators};
use super::propositions::Propositions;
use super::task::{Action, Kind, Task};
use crate::plan::memory::MemoryUse;
use crate::plan::rows::NONE;

/// Propositions that all have to be reached.
type Conjunction = SmallVec<[u32; 8]>;

/// Values, each with what it requires.
type Alternatives<T> = Vec<(Conjunction, T)>;

/// A compiler of operators.
#[derive(Debug)]
pub struct Compiler {
    task: Arc<Task>,
    stop: Stop,
    built: Operators,
    /// By hash, the conditions that have a proposition already.
    known: FxHashMap<u64, Vec<(Cond, u32)>>,
    /// The memory use of these conditions in bytes.
    bytes: usize,
    /// The next action.
    next: usize,
    /// The work done so far, in conditions, effects and operators.
    pub work: u64,
    /// `true` while conditions are read. Effects come after all of them.
    is_reading: bool,
}

impl Compiler {
    /// Starts with a task that starts in a state.
    pub fn new(task: Arc<Task>, from: &[u64], stop: &Stop) -> Self {
        let domains = Domains::new(&task, from, stop);
        let work = domains.work + (task.kinds.len() + task.actions.len()) as u64;
        let mut len = 0;
        let first = task.kinds.iter().map(|kind| {
            let first = len as u32;
            if *kind == Kind::Object {
                len += task.objects + 1;
            }
            first
        });
        let first = first.collect();
        let actions = task.actions.iter().map(Action::memory);
        let used = actions.sum::<usize>() + len * size_of::<u32>();
        Self {
            stop: stop.clone(),
            bytes: used,
            built: Operators {
                propositions: Propositions {
                    domains,
                    booleans: vec![[NONE; 2]; task.booleans.len()],
                    first,
                    values: vec![NONE; len],
                    literals: vec![],
                },
                changes: NumberChanges {
                    is_number_read: vec![false; task.kinds.len()],
                    ..NumberChanges::default()
                },
                has_integer_costs: true,
                ..Operators::default()
            },
            task,
            known: FxHashMap::default(),
            next: 0,
            work,
            is_reading: true,
        }
    }

    /// Returns the propositions of a goal; `None` if it can never hold.
    pub fn goal(&mut self, cond: &Cond) -> Option<Vec<u32>> {
        let mut goal = Conjunction::new();
        self.require(cond, &mut goal).then(|| goal.to_vec())
    }

    /// Compiles actions until this much work is done. Returns `true` if there are more.
    pub fn step(&mut self, until: u64) -> bool {
        let task = self.task.clone();
        while self.work < until {
            let Some(action) = task.actions.get(self.next) else {
                self.next = 0;
                self.work += 1;
                if std::mem::replace(&mut self.is_reading, false) {
                    continue;
                }
                return false;
            };
            let parts = 1 + action.effects.len() + action.needs.len();
            if self.stop.after(parts) {
                return false;
            }
            let before = self.built.len();
            if self.is_reading {
                self.read(action);
            } else {
                self.add(self.next as u32, action);
            }
            self.work += parts as u64 + 4 * u64::from(self.built.len() - before);
            self.next += 1;
        }
        true
    }

    fn proposition(&mut self, literal: Option<Literal>) -> u32 {
        self.built.propositions.literals.push(literal);
        self.built.propositions.literals.len() as u32 - 1
    }

    /// Returns the proposition of a literal; `None` if the variable never has that value.
    fn literal(&mut self, literal: Literal) -> Option<u32> {
        let known = self.built.propositions.of(literal);
        if known != NONE {
            return Some(known);
        }
        if let Literal::Object(variable, object) = literal
            && !self.built.propositions.domains.may_be(variable, object)
        {
            return None;
        }
        let new = self.proposition(Some(literal));
        match literal {
            Literal::Is(variable, expected) => {
                self.built.propositions.booleans[variable as usize][usize::from(expected)] = new;
            }
            Literal::Object(variable, object) => {
                let place =
                    self.built.propositions.first[variable as usize] + object.wrapping_add(1);
                self.built.propositions.values[place as usize] = new;
            }
        }
        Some(new)
    }

    /// Creates propositions for all values of variables that are read.
    fn watch(&mut self, variables: Vec<(u32, bool)>) {
        for (variable, is_boolean) in variables {
            if is_boolean {
                for expected in [false, true] {
                    self.literal(Literal::Is(variable, expected));
                }
            } else if self.task.kinds[variable as usize] == Kind::Object {
                for object in self.built.propositions.domains.of(variable).to_vec() {
                    self.literal(Literal::Object(variable, object));
                }
            }
        }
    }

    fn operator(
        &mut self,
        action: u32,
        cost: f64,
        preconditions: &[u32],
        adds: &[u32],
        changes: &[NumberChange],
    ) {
        let mut preconditions = Conjunction::from_slice(preconditions);
        preconditions.sort_unstable();
        preconditions.dedup();
        let built = &mut self.built;
        let is_one_of_two = |pair: &[u32]| {
            let literals = [0, 1].map(|n| built.propositions.literals[pair[n] as usize]);
            matches!(literals, [Some(a), Some(b)] if a.shares(b))
        };
        let mut pairs = (0..preconditions.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let is_impossible = preconditions.len() <= 16
            && pairs.any(|(a, b)| is_one_of_two(&[preconditions[a], preconditions[b]]));
        if is_impossible {
            return;
        }
        built.actions.push(action);
        built.costs.push(cost);
        built.has_integer_costs &= cost.fract() == 0.0;
        built.preconditions.push(&preconditions);
        built.adds.push(adds);
        let first = built.changes.all.len() as u32;
        built.changes.all.extend_from_slice(changes);
        let rows: SmallVec<[u32; 4]> = (first..built.changes.all.len() as u32).collect();
        built.changes.rows.push(&rows);
    }

    /// Returns the task whose actions are compiled.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Returns the memory use, including the task's and that of the rows yet to be built.
    pub fn memory_use(&self) -> MemoryUse {
        let built = &self.built;
        let rows = [&built.preconditions, &built.adds, &built.changes.rows];
        let rows: u64 = rows.map(|rows| rows.memory_use().bytes).iter().sum();
        let used = self.bytes + 3 * rows as usize;
        let used = used + built.changes.all.capacity() * size_of::<NumberChange>();
        MemoryUse::fixed(
            used + built.propositions.literals.capacity() * 24 + built.actions.capacity() * 12,
        )
    }

    /// Returns the finished tables, without the rows that lead to readers.
    pub fn finish(self) -> (Operators, Arc<Task>) {
        (self.built, self.task)
    }
}
