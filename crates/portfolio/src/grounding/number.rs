//! Numbers what pruning kept: atoms that change and that a condition depends on, actions, compound
//! tasks and their methods. Incrementally moves them out of the draft.

use rustc_hash::FxHashSet;

use super::condition::{GroundCondition, Literal, Need};
use super::draft::{Draft, DraftAction, DraftTask};
use super::fixpoint::Fixpoint;
use super::ground::{Conditional, GOAL, Ground};
use super::prune::Kept;
use crate::lifted::model::Model;
use taskloom_document::stop::Stop;
use taskloom_planner::search_kit::{MemoryUse, NONE};

/// A set with a larger capacity is replaced instead of cleared.
const MAX_CLEARED: usize = 64;

/// A pass over the draft's tasks or methods, in this order.
#[derive(Debug, Clone, Copy)]
enum Pass {
    /// Marks the atoms that conditions depend on.
    ScanTasks,
    ScanMethods,
    Actions,
    Compounds,
    Methods,
}

/// A condition, a network and, for methods that are not sequences, the model's method.
type MethodKey = (Need, Vec<u32>, Option<u32>);

/// The numbering in progress; see the module.
#[derive(Debug)]
pub struct Numbering {
    pub ground: Ground,
    left: Kept,
    pass: Pass,
    at: usize,
    used: Vec<bool>,
    literals: Literals,
    /// The number of each task kept.
    tasks: Vec<u32>,
    /// The methods of the current task.
    seen: FxHashSet<MethodKey>,
}

/// The mapping of the draft's literals.
#[derive(Debug, Default)]
struct Literals {
    may_be: Vec<[bool; 2]>,
    /// The number of each atom that may be both true and false and that something kept depends on;
    /// [`NONE`] for the others.
    atoms: Vec<u32>,
}

impl Literals {
    /// Returns what remains of a literal.
    fn get(&self, literal: Literal) -> GroundCondition {
        let atom = literal as usize >> 1;
        match self.may_be[atom] {
            // Nothing kept depends on an atom without a number.
            [true, true] => GroundCondition::Literal(self.atoms[atom] << 1 | literal & 1),
            [may_hold, _] => GroundCondition::Constant(may_hold == (literal & 1 == 0)),
        }
    }
}

impl Numbering {
    /// Starts with the remaining part of a draft.
    pub fn new(draft: &Draft, mut left: Kept, stop: Stop) -> Self {
        let may_be = std::mem::take(&mut left.may_be);
        Self {
            ground: Ground {
                is_total: true,
                stop,
                ..Ground::default()
            },
            pass: Pass::ScanTasks,
            at: 0,
            used: vec![false; may_be.len()],
            literals: Literals {
                may_be,
                atoms: vec![],
            },
            tasks: vec![NONE; draft.tasks.len()],
            left,
            seen: FxHashSet::default(),
        }
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let Literals { may_be, atoms } = &self.literals;
        let of_atoms = self.used.len() + size_of_val(&**may_be) + size_of_val(&**atoms);
        let left = self.left.tasks.len() + self.left.methods.len();
        let fixed = of_atoms + left + size_of_val(&*self.tasks);
        self.ground.memory_use() + MemoryUse::fixed(fixed)
    }

    /// Continues until the budget `left` is used up, given the atoms that are true initially.
    /// Returns `true` once done.
    pub fn step(
        &mut self,
        model: &Model,
        fixpoint: &Fixpoint,
        draft: &mut Draft,
        initial: &[bool],
        left: &mut i64,
    ) -> bool {
        while *left > 0 {
            let len = match self.pass {
                Pass::ScanTasks | Pass::Actions | Pass::Compounds => draft.tasks.len(),
                Pass::ScanMethods | Pass::Methods => draft.methods.len(),
            };
            let until = len.min(self.at.saturating_add(*left as usize));
            for number in self.at..until {
                *left -= 2;
                let is_left = match self.pass {
                    Pass::ScanMethods | Pass::Methods => self.left.methods[number],
                    _ => self.left.tasks[number],
                };
                if is_left {
                    self.visit(model, fixpoint, draft, number);
                }
            }
            self.at = until;
            if self.at < len {
                continue;
            }
            self.at = 0;
            self.pass = match self.pass {
                Pass::ScanTasks => Pass::ScanMethods,
                Pass::ScanMethods => {
                    self.number_atoms(initial);
                    Pass::Actions
                }
                Pass::Actions => {
                    self.ground.actions = self.ground.tasks;
                    Pass::Compounds
                }
                Pass::Compounds => Pass::Methods,
                Pass::Methods => {
                    self.begin_methods(self.ground.tasks);
                    let roots = draft.roots.iter();
                    self.ground.roots = roots.map(|r| self.tasks[*r as usize]).collect();
                    return true;
                }
            };
        }
        false
    }

    /// Applies the pass to a task or method that was kept.
    fn visit(&mut self, model: &Model, fixpoint: &Fixpoint, draft: &mut Draft, number: usize) {
        let used = &mut self.used;
        let mut mark = |literal: &Literal| used[*literal as usize >> 1] = true;
        match self.pass {
            Pass::ScanTasks => {
                if let Some(action) = &draft.tasks[number].action {
                    let whens = action.changes.iter().map(|c| &c.when);
                    let needs = whens.chain(&action.need);
                    needs.for_each(|n| n.each_literal(&mut mark));
                }
            }
            Pass::ScanMethods => draft.methods[number].need.each_literal(&mut mark),
            Pass::Actions => {
                if let Some(action) = draft.take_action(number) {
                    self.task(model, fixpoint, &draft.tasks[number], number);
                    self.action(action);
                }
            }
            Pass::Compounds => {
                // Actions are numbered already.
                if self.tasks[number] == NONE {
                    self.task(model, fixpoint, &draft.tasks[number], number);
                }
            }
            Pass::Methods => self.method(model, fixpoint, draft, number as u32),
        }
    }

    fn number_atoms(&mut self, initial: &[bool]) {
        let mut next = 0;
        let atoms = self.used.iter().zip(&self.literals.may_be);
        let atoms = atoms.map(|(used, may_be)| {
            if *used && *may_be == [true, true] {
                next += 1;
                next - 1
            } else {
                NONE
            }
        });
        self.literals.atoms = atoms.collect();
        self.ground.atoms = next;
        self.ground.initial = vec![0; next.div_ceil(32) as usize];
        let atoms = self.literals.atoms.iter().zip(initial);
        for (atom, _) in atoms.filter(|(atom, initial)| **atom != NONE && **initial) {
            self.ground.initial[*atom as usize / 32] |= 1 << (atom % 32);
        }
    }

    /// Assigns a number and a name to a task.
    fn task(&mut self, model: &Model, fixpoint: &Fixpoint, task: &DraftTask, number: usize) {
        self.tasks[number] = self.ground.tasks;
        self.ground.tasks += 1;
        let mut name = vec![task.task];
        if task.task != GOAL && (task.task as usize) < model.tasks.len() {
            let done = fixpoint.program.done[task.task as usize];
            name.extend(fixpoint.relations[done as usize].tuple(task.tuple));
        }
        self.ground.names.push(&name);
    }

    fn push_need(&mut self, need: Need) {
        let ground = &mut self.ground;
        ground.preconditions.literals.push(&need.literals);
        let first = ground.preconditions.conditions.len() as u32;
        ground.preconditions.conditions.extend(need.rest);
        let rest: Vec<u32> = (first..ground.preconditions.conditions.len() as u32).collect();
        ground.preconditions.others.push(&rest);
    }

    fn action(&mut self, action: DraftAction) {
        let literal = |literal: &Literal| self.literals.get(*literal);
        let need = action.need.and_then(|n| n.substituted(&literal));
        let (mut adds, mut deletes, mut conditional) = (vec![], vec![], vec![]);
        for change in &action.changes {
            let atom = self.literals.atoms[change.atom as usize];
            let when = change.when.substituted(&literal);
            let Some(when) = when.filter(|_| atom != NONE) else {
                continue;
            };
            if when == Need::default() {
                if change.add { &mut adds } else { &mut deletes }.push(atom);
            } else {
                conditional.push(self.ground.effects.conditionals.len() as u32);
                self.ground.effects.conditionals.push(Conditional {
                    when,
                    add: change.add,
                    atom,
                });
            }
        }
        for list in [&mut adds, &mut deletes] {
            list.sort_unstable();
            list.dedup();
        }
        deletes.retain(|d| adds.binary_search(d).is_err());
        self.ground.effects.adds.push(&adds);
        self.ground.effects.deletes.push(&deletes);
        self.ground.effects.conditional.push(&conditional);
        // A condition that turns out to be contradictory never holds.
        self.push_need(need.unwrap_or_else(Need::never));
    }

    /// Starts the method lists of the compound tasks up to this one.
    fn begin_methods(&mut self, task: u32) {
        let ground = &mut self.ground;
        while ground.methods.first.len() <= (task - ground.actions) as usize {
            ground
                .methods
                .first
                .push(ground.methods.task_of.len() as u32);
            // Clearing takes time proportional to the capacity, and tasks are many.
            if self.seen.capacity() > MAX_CLEARED {
                self.seen = FxHashSet::default();
            }
            self.seen.clear();
        }
    }

    /// Adds a method. They come by task, then in the model's order. Of those with the same
    /// condition and network only the first is kept.
    fn method(&mut self, model: &Model, fixpoint: &Fixpoint, draft: &mut Draft, number: u32) {
        let need = draft.take_need(number as usize);
        let method = &draft.methods[number as usize];
        let of = self.tasks[method.task as usize];
        let (lifted, tuple) = (method.method, method.tuple);
        self.begin_methods(of);
        // No remaining literal is false.
        let Some(need) = need.substituted(&|literal| self.literals.get(*literal)) else {
            return;
        };
        let subtasks = draft.subtasks.row(number).iter();
        let subtasks: Vec<u32> = subtasks.map(|t| self.tasks[*t as usize]).collect();
        let is_sequence = model.methods[lifted as usize].is_sequence;
        let key = (need, subtasks, (!is_sequence).then_some(lifted));
        if self.seen.contains(&key) {
            return;
        }
        self.ground.is_total &= is_sequence;
        self.ground.methods.task_of.push(of);
        self.ground.methods.lifted.push(lifted);
        self.ground.methods.subtasks.push(&key.1);
        self.push_need(key.0.clone());
        let instances = fixpoint.program.instances[lifted as usize];
        let instance = instances.map(|i| fixpoint.relations[i as usize].tuple(tuple));
        self.ground.methods.objects.push(instance.unwrap_or(&[]));
        self.seen.insert(key);
    }
}
