//! Numbers for what is left: atoms that change and are asked for, actions,
//! compound tasks with their methods. They are taken out of the draft on the way,
//! bit by bit.

use rustc_hash::FxHashSet;

use super::super::model::Model;
use super::condition::{Literal, Need};
use super::draft::{Draft, DraftAction, DraftTask, GOAL};
use super::fixpoint::Fixpoint;
use super::prune::Left;
use super::relation::NONE;
use super::{Conditional, Ground};
use crate::plan::held::Footprint;
use taskloom_document::stop::Stop;

/// A set with room for more is not cleared, but replaced.
const MOST_CLEARED: usize = 64;

/// A pass over the draft's tasks or methods; they come in this order.
#[derive(Debug, Clone, Copy)]
enum Pass {
    /// Notes which atoms are asked for.
    AskTasks,
    AskMethods,
    Actions,
    Compounds,
    Methods,
}

/// Condition, network, and for those that are no sequence the model's method.
type Alike = (Need, Vec<u32>, Option<u32>);

/// See the module.
#[derive(Debug)]
pub struct Numbering {
    pub ground: Ground,
    left: Left,
    pass: Pass,
    at: usize,
    asked: Vec<bool>,
    literals: Literals,
    /// The number of each task that is left.
    tasks: Vec<u32>,
    /// The methods of the task whose methods are looked at.
    seen: FxHashSet<Alike>,
}

/// What becomes of each of the draft's literals.
#[derive(Debug, Default)]
struct Literals {
    may_be: Vec<[bool; 2]>,
    /// The number of each atom that may be both true and false and that something
    /// left needs; [`NONE`] of the others.
    atoms: Vec<u32>,
}

impl Literals {
    fn get(&self, literal: Literal) -> Result<Literal, bool> {
        let atom = literal as usize >> 1;
        match self.may_be[atom] {
            // What has no number is asked for by nothing that is left.
            [true, true] => Ok(self.atoms[atom] << 1 | literal & 1),
            [may_hold, _] => Err(may_hold == (literal & 1 == 0)),
        }
    }
}

impl Numbering {
    /// Starts with what is left of a draft.
    pub fn new(draft: &Draft, mut left: Left, stop: Stop) -> Self {
        let may_be = std::mem::take(&mut left.may_be);
        Self {
            ground: Ground {
                is_total: true,
                stop,
                ..Ground::default()
            },
            pass: Pass::AskTasks,
            at: 0,
            asked: vec![false; may_be.len()],
            literals: Literals {
                may_be,
                atoms: vec![],
            },
            tasks: vec![NONE; draft.tasks.len()],
            left,
            seen: FxHashSet::default(),
        }
    }

    /// What it takes.
    pub fn footprint(&self) -> Footprint {
        let Literals { may_be, atoms } = &self.literals;
        let of_atoms = self.asked.len() + size_of_val(&**may_be) + size_of_val(&**atoms);
        let left = self.left.tasks.len() + self.left.methods.len();
        let fixed = of_atoms + left + size_of_val(&*self.tasks);
        self.ground.footprint() + Footprint::fixed(fixed)
    }

    /// Goes on until nothing is `left` to be looked at, given which atoms are true
    /// at first. Whether it is done.
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
                Pass::AskTasks | Pass::Actions | Pass::Compounds => draft.tasks.len(),
                Pass::AskMethods | Pass::Methods => draft.methods.len(),
            };
            let until = len.min(self.at.saturating_add(*left as usize));
            for number in self.at..until {
                *left -= 2;
                let is_left = match self.pass {
                    Pass::AskMethods | Pass::Methods => self.left.methods[number],
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
                Pass::AskTasks => Pass::AskMethods,
                Pass::AskMethods => {
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

    /// What the pass does to a task or method that is left.
    fn visit(&mut self, model: &Model, fixpoint: &Fixpoint, draft: &mut Draft, number: usize) {
        let asked = &mut self.asked;
        let mut ask = |literal: Literal| asked[literal as usize >> 1] = true;
        match self.pass {
            Pass::AskTasks => {
                if let Some(action) = &draft.tasks[number].action {
                    let whens = action.changes.iter().map(|c| &c.when);
                    let needs = whens.chain(&action.need);
                    needs.for_each(|n| n.each_literal(&mut ask));
                }
            }
            Pass::AskMethods => draft.methods[number].need.each_literal(&mut ask),
            Pass::Actions => {
                if let Some(action) = draft.take_action(number) {
                    self.task(model, fixpoint, &draft.tasks[number], number);
                    self.action(action);
                }
            }
            Pass::Compounds => {
                // Actions have their numbers.
                if self.tasks[number] == NONE {
                    self.task(model, fixpoint, &draft.tasks[number], number);
                }
            }
            Pass::Methods => self.method(model, fixpoint, draft, number as u32),
        }
    }

    fn number_atoms(&mut self, initial: &[bool]) {
        let mut next = 0;
        let atoms = self.asked.iter().zip(&self.literals.may_be);
        let atoms = atoms.map(|(asked, may_be)| {
            if *asked && *may_be == [true, true] {
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

    /// Gives a task a number and its name.
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
        ground.needs.push(&need.literals);
        let first = ground.trees.len() as u32;
        ground.trees.extend(need.rest);
        let rest: Vec<u32> = (first..ground.trees.len() as u32).collect();
        ground.rests.push(&rest);
    }

    fn action(&mut self, action: DraftAction) {
        let literal = |l| self.literals.get(l);
        let need = action.need.and_then(|n| n.replaced(&literal));
        let (mut adds, mut deletes, mut conditional) = (vec![], vec![], vec![]);
        for change in &action.changes {
            let atom = self.literals.atoms[change.atom as usize];
            let when = change.when.replaced(&literal);
            let Some(when) = when.filter(|_| atom != NONE) else {
                continue;
            };
            if when == Need::default() {
                if change.add { &mut adds } else { &mut deletes }.push(atom);
            } else {
                conditional.push(self.ground.conditionals.len() as u32);
                self.ground.conditionals.push(Conditional {
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
        self.ground.adds.push(&adds);
        self.ground.deletes.push(&deletes);
        self.ground.conditional.push(&conditional);
        // What turned out to contradict itself never holds.
        self.push_need(need.unwrap_or_else(Need::never));
    }

    /// The methods of the compound tasks up to this one begin here.
    fn begin_methods(&mut self, task: u32) {
        let ground = &mut self.ground;
        while ground.first_method.len() <= (task - ground.actions) as usize {
            ground.first_method.push(ground.task_of.len() as u32);
            // Clearing takes as long as it is large, and tasks are many.
            if self.seen.capacity() > MOST_CLEARED {
                self.seen = FxHashSet::default();
            }
            self.seen.clear();
        }
    }

    /// Adds a method. They come by task, then in the model's order. Of those with
    /// the same condition and network the first is enough.
    fn method(&mut self, model: &Model, fixpoint: &Fixpoint, draft: &mut Draft, number: u32) {
        let need = draft.take_need(number as usize);
        let method = &draft.methods[number as usize];
        let of = self.tasks[method.task as usize];
        let (lifted, tuple) = (method.method, method.tuple);
        self.begin_methods(of);
        // No literal that is left is false.
        let Some(need) = need.replaced(&|l| self.literals.get(l)) else {
            return;
        };
        let subtasks = draft.subtasks.row(number).iter();
        let subtasks: Vec<u32> = subtasks.map(|t| self.tasks[*t as usize]).collect();
        let is_sequence = model.methods[lifted as usize].is_sequence;
        let alike = (need, subtasks, (!is_sequence).then_some(lifted));
        if self.seen.contains(&alike) {
            return;
        }
        self.ground.is_total &= is_sequence;
        self.ground.task_of.push(of);
        self.ground.method_of.push(lifted);
        self.ground.subtasks.push(&alike.1);
        self.push_need(alike.0.clone());
        let instances = fixpoint.program.instances[lifted as usize];
        let instance = instances.map(|i| fixpoint.relations[i as usize].tuple(tuple));
        self.ground.objects.push(instance.unwrap_or(&[]));
        self.seen.insert(alike);
    }
}
