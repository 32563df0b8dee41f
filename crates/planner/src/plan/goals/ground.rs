//! Grounding of tasks with parameters into actions. Static facts are replaced by their values, so
//! that the remaining conditions and effects read variables only.

use std::sync::Arc;

use super::enumeration::Enumeration;
use super::formula::{Cond, Num, Obj};
use super::instances::{Effort, Instance, Instances};
use super::lower::{is_defined, negate, same};
use super::reachable::{Exploration, Reachable};
use super::task::{Action, Change, Effect, Kind, Task};
use crate::compile::{
    Conjunct, Flat, FlatChange, FlatEffect, FlatKind, FlatTask, FormulaId, Problem,
};
use crate::plan::Limit;
use crate::plan::evaluate::{Evaluation, Frames, UNDEFINED};
use crate::plan::state::AtomKey;
use crate::plan::table::TupleTable;

/// The approximate size in bytes of a part of an action.
pub(super) const PART_BYTES: u64 = 64;

/// The current stage of grounding.
#[derive(Debug)]
pub(super) enum Stage {
    /// Enumerates the instances of this task.
    Enumerate(usize, Option<Box<Enumeration>>, Reachable),
    /// Counts the work for instances that were kept.
    Recall(Arc<Instances>),
    /// Finds those that are reachable.
    Explore(Box<Exploration>),
    /// Makes an action of this instance.
    Act(usize),
}

/// The ground actions of a problem found so far.
#[derive(Debug)]
pub struct Grounding {
    pub(super) problem: Problem,
    /// The ground facts that are variables.
    pub(super) booleans: TupleTable,
    pub(super) valued: TupleTable,
    /// The values of the slots of the frames in use.
    pub(super) slots: Vec<Obj>,
    pub(super) base: usize,
    pub(super) frames: Frames,
    /// Task instances that static conditions allow. Once they are complete, those of them that are
    /// reachable.
    pub(super) tuples: Vec<Instance>,
    /// For each task, its conditions that aren't static.
    pub(super) late: Vec<Vec<FormulaId>>,
    pub(super) stage: Stage,
    /// The work of the enumeration so far.
    pub(super) effort: Effort,
    actions: Vec<Action>,
    /// The work in addition to evaluations.
    pub(super) other_work: u64,
    /// The number of parts of actions so far, and its limit.
    pub(super) parts: u64,
    pub(super) max_parts: u64,
}

impl Grounding {
    /// Starts without any actions. The result may take `memory` bytes and `work` units of work.
    pub fn new(problem: &Problem, memory: u64, work: u64) -> Self {
        let max_parts = memory / PART_BYTES;
        let stage = match problem.kept_instances().get(work, max_parts) {
            Some(instances) => Stage::Recall(instances),
            None => Stage::Enumerate(0, None, Reachable::new(problem.flat())),
        };
        Self {
            problem: problem.clone(),
            booleans: TupleTable::default(),
            valued: TupleTable::default(),
            slots: vec![],
            base: 0,
            frames: Frames::new(work, problem.stop().clone()),
            tuples: vec![],
            late: vec![],
            stage,
            effort: Effort::default(),
            actions: vec![],
            other_work: 0,
            parts: 0,
            max_parts,
        }
    }

    /// Returns the work done so far, in evaluations, ground facts and parts of actions.
    pub fn work(&self) -> u64 {
        let exploration = match &self.stage {
            Stage::Explore(exploration) => exploration.work,
            Stage::Enumerate(..) | Stage::Recall(_) | Stage::Act(_) => 0,
        };
        self.frames.work + self.other_work + exploration
    }

    /// Continues until this much work is done. Returns `true` if there is more.
    ///
    /// # Errors
    /// Fails if it exceeds the limit of work or memory, or if it is cancelled.
    pub fn step(&mut self, until: u64) -> Result<bool, Limit> {
        let problem = self.problem.clone();
        let flat = problem.flat();
        let mut has_more = true;
        while has_more && self.work() < until {
            if matches!(self.stage, Stage::Enumerate(..)) {
                self.effort.may_pause(self.work());
            }
            let stage = std::mem::replace(&mut self.stage, Stage::Act(usize::MAX));
            has_more = match stage {
                Stage::Enumerate(task, enumeration, reachable) => {
                    self.enumerate(flat, (task, enumeration), reachable, until);
                    true
                }
                Stage::Recall(instances) => {
                    self.recall(flat, instances, until);
                    true
                }
                Stage::Explore(exploration) => {
                    self.explore(exploration, until);
                    true
                }
                Stage::Act(number) => {
                    if let Some((task, tuple)) = self.tuples.get(number).cloned() {
                        self.action(flat, &flat.tasks[task as usize], task, &tuple);
                        self.other_work += 1;
                    }
                    self.stage = Stage::Act(number.saturating_add(1));
                    number < self.tuples.len()
                }
            };
            let reachable = match &self.stage {
                Stage::Enumerate(_, _, reachable) => reachable.memory(),
                Stage::Recall(_) | Stage::Explore(_) | Stage::Act(_) => 0,
            };
            if self.parts + reachable / PART_BYTES > self.max_parts {
                return Err(Limit::Memory);
            }
            if self.frames.is_spent() {
                return Err(Limit::Nodes);
            }
        }
        Ok(has_more)
    }

    /// Counts the work for kept instances.
    fn recall(&mut self, flat: &Flat, instances: Arc<Instances>, until: u64) {
        let effort = &instances.effort;
        if let Some(work) = effort.pause(until) {
            self.other_work = work;
            self.stage = Stage::Recall(instances);
            return;
        }
        self.frames.work = effort.evaluations;
        self.other_work = effort.other;
        self.parts = effort.parts;
        self.reach(flat, &instances);
    }

    /// Starts to find which of the instances are reachable.
    pub(super) fn reach(&mut self, flat: &Flat, instances: &Arc<Instances>) {
        let exploration = instances.explore(flat, self.problem.initial());
        self.stage = Stage::Explore(Box::new(exploration));
    }

    /// Finds what is reachable, and drops the other instances.
    fn explore(&mut self, mut exploration: Box<Exploration>, until: u64) {
        let until = until.saturating_sub(self.work());
        if exploration.step(until, self.problem.stop()) {
            self.stage = Stage::Explore(exploration);
            return;
        }
        self.other_work += exploration.work;
        (self.tuples, self.late) = exploration.finish();
        self.stage = Stage::Act(0);
    }

    /// Returns a formula, such as a goal's, as a condition, given the number of its slots and the
    /// arguments in the first of them. An unreadable one never holds.
    pub fn condition(&mut self, conjuncts: &[Conjunct], (frame, args): (u32, &[u32])) -> Cond {
        self.slots.clear();
        self.slots
            .extend(args.iter().map(|object| Obj::Object(*object)));
        self.slots.resize(frame as usize, Obj::Object(UNDEFINED));
        let problem = self.problem.clone();
        let parts = conjuncts.iter().map(|conjunct| match conjunct.formula {
            Some(formula) => self.formula(problem.flat(), formula, true),
            None => Cond::Constant(false),
        });
        let parts: Vec<Cond> = parts.collect();
        Cond::all(parts)
    }

    /// Returns the task with everything found.
    pub fn finish(self) -> Task {
        let flat = self.problem.flat();
        let kinds = (0..self.valued.len() as u32).map(|variable| {
            let fact = self.valued.tuple(variable)[0];
            Kind::of(flat.facts[fact as usize].value)
        });
        Task {
            kinds: kinds.collect(),
            objects: flat.objects.len(),
            actions: self.actions,
            booleans: self.booleans,
            valued: self.valued,
            caps: vec![],
        }
    }

    /// Returns `true` if static conditions hold.
    pub(super) fn all_hold(&mut self, flat: &Flat, formulas: &[FormulaId]) -> bool {
        let initial = self.problem.initial();
        let mut evaluation = Evaluation::new(flat, initial, &mut self.frames, 0);
        formulas.iter().all(|formula| evaluation.holds(*formula))
    }

    /// Adds the action of a tuple of objects, unless one of its conditions can never hold.
    fn action(&mut self, flat: &Flat, task: &FlatTask, number: u32, objects: &[u32]) {
        let FlatKind::Primitive { cost, .. } = &task.kind else {
            return;
        };
        if self.frames.is_over() || self.parts > self.max_parts {
            return;
        }
        self.base = 0;
        self.slots.clear();
        self.slots.extend(objects.iter().map(|o| Obj::Object(*o)));
        self.slots
            .resize(task.frame as usize, Obj::Object(UNDEFINED));
        let mut needs = vec![];
        let late = self.late[number as usize].len();
        let rules = self.violated_rules(flat, task, objects);
        for place in 0..late + rules.len() {
            let formula = match place.checked_sub(late) {
                None => Some(self.late[number as usize][place]),
                Some(rule) => rules[rule].formula,
            };
            let need = formula.map(|formula| self.formula(flat, formula, true));
            match need.unwrap_or(Cond::Constant(false)) {
                Cond::Constant(true) => {}
                Cond::Constant(false) => return,
                Cond::All(parts) => needs.extend(parts),
                need => needs.push(need),
            }
        }
        let mut effects = vec![];
        for effect in effects_of(task) {
            self.quantified_effect(flat, effect, &effect.forall, &mut needs, &mut effects);
        }
        if needs.contains(&Cond::Constant(false)) {
            return;
        }
        let cost = cost.map_or(Num::Constant(1.0), |cost| self.number(flat, cost));
        let parts = 2 + needs.len() as u64 + effects.len() as u64;
        let mut tuple = AtomKey::new();
        tuple.push(number);
        tuple.extend_from_slice(objects);
        if self.problem.excludes(&tuple) {
            return;
        }
        if let Some(action) = Action::new(tuple, needs, effects, cost) {
            // A part stands for that many bytes.
            self.parts += parts.max(action.memory() as u64 / PART_BYTES);
            self.other_work += parts;
            self.actions.push(action);
        }
    }

    /// Returns the integrity rules of a ground task if one of them is false in the initial state. They become
    /// preconditions, so that earlier steps make them true.
    fn violated_rules<'f>(
        &mut self,
        flat: &Flat,
        task: &'f FlatTask,
        objects: &[u32],
    ) -> &'f [Conjunct] {
        if task.rules.is_empty() || self.problem.begins_later() {
            return &[];
        }
        let slots = &mut self.frames.slots;
        slots.clear();
        slots.extend_from_slice(objects);
        slots.resize(task.frame as usize, UNDEFINED);
        let initial = self.problem.initial();
        let mut evaluation = Evaluation::new(flat, initial, &mut self.frames, 0);
        match evaluation.first_failing(&task.rules) {
            Some(_) => &task.rules,
            None => &[],
        }
    }

    fn quantified_effect(
        &mut self,
        flat: &Flat,
        effect: &FlatEffect,
        forall: &[(u32, u32)],
        needs: &mut Vec<Cond>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(((slot, of), rest)) = forall.split_first() else {
            return self.effect(flat, effect, needs, effects);
        };
        for object in &flat.types[*of as usize] {
            if self.frames.is_over() {
                return;
            }
            self.slots[*slot as usize] = Obj::Object(*object);
            self.quantified_effect(flat, effect, rest, needs, effects);
        }
    }

    /// Adds an effect for each ground fact that it can target, and the conditions that this
    /// requires.
    fn effect(
        &mut self,
        flat: &Flat,
        effect: &FlatEffect,
        needs: &mut Vec<Cond>,
        effects: &mut Vec<Effect>,
    ) {
        let when = effect.when.map(|when| self.formula(flat, when, true));
        let when = when.unwrap_or(Cond::Constant(true));
        if when == Cond::Constant(false) {
            return;
        }
        // If the effect happens, its arguments and its value have to be defined.
        let not_when = effect.when.map(|when| self.formula(flat, when, false));
        let not_when = not_when.unwrap_or(Cond::Constant(false));
        let mut need = |object: &Obj| match object {
            Obj::Object(object) if *object != UNDEFINED => {}
            object => needs.push(Cond::any([not_when.clone(), is_defined(object.clone())])),
        };
        let args = self.terms(flat, effect.target.args.range());
        args.iter().for_each(&mut need);
        let change = match effect.change {
            FlatChange::Unset => Change::Is(false),
            FlatChange::Set => Change::Is(true),
            FlatChange::Object(term) => {
                let object = self.object(flat, term);
                need(&object);
                Change::Object(object)
            }
            FlatChange::Assign(number) => Change::Number(self.number(flat, number)),
            FlatChange::Increase(number) => Change::Add(self.number(flat, number)),
            FlatChange::Decrease(number) => Change::Add(negate(self.number(flat, number))),
        };
        let fact = effect.target.fact;
        let mut atom = AtomKey::from_slice(&[fact]);
        self.targets(flat, &mut atom, &args, when, &change, effects);
    }

    fn targets(
        &mut self,
        flat: &Flat,
        atom: &mut AtomKey,
        args: &[Obj],
        when: Cond,
        change: &Change,
        effects: &mut Vec<Effect>,
    ) {
        let Some((arg, rest)) = args.split_first() else {
            let variable = match change {
                Change::Is(_) => self.booleans.intern(atom),
                _ => self.valued.intern(atom),
            };
            effects.push(Effect {
                when,
                variable,
                change: change.clone(),
            });
            return;
        };
        let objects = match arg {
            Obj::Object(object) => *object..object.wrapping_add(1),
            _ => 0..flat.objects.len() as u32,
        };
        for object in objects {
            if self.frames.is_over() {
                return;
            }
            let here = same(arg.clone(), Obj::Object(object), true);
            if here != Cond::Constant(false) {
                atom.push(object);
                let when = Cond::all([when.clone(), here]);
                self.targets(flat, atom, rest, when, change, effects);
                atom.pop();
            }
        }
    }
}

pub(super) fn effects_of(task: &FlatTask) -> &[FlatEffect] {
    match &task.kind {
        FlatKind::Primitive { effects, .. } => effects,
        FlatKind::Compound { .. } => &[],
    }
}
