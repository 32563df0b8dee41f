//! Grounding of tasks with parameters into actions. Static facts are replaced by their values, so
//! that the remaining conditions and effects read variables only.

use super::formula::{Cond, Num, Obj};
use super::lower::{is_defined, negate, same};
use super::reachable::Reachable;
use super::survey::Survey;
use super::task::{Action, Change, Effect, Kind, Task};
use crate::compile::{
    Conjunct, Flat, FlatChange, FlatEffect, FlatKind, FlatTask, FormulaId, Problem,
};
use crate::plan::Limit;
use crate::plan::evaluate::{Evaluation, Frames, UNDEFINED};
use crate::plan::state::AtomKey;
use crate::plan::table::TupleTable;

/// The number of tuples that a step turns into actions.
const TUPLES: usize = 256;

/// The approximate size in bytes of a part of an action.
const PART_BYTES: u64 = 64;

/// The ground actions of a problem found so far.
#[derive(Debug)]
pub struct Grounding {
    pub(super) problem: Problem,
    /// For each fact, `true` if an action changes it.
    pub(super) changes: Vec<bool>,
    /// The ground facts that are variables.
    pub(super) booleans: TupleTable,
    pub(super) valued: TupleTable,
    /// The values of the slots of the frames in use.
    pub(super) slots: Vec<Obj>,
    pub(super) base: usize,
    pub(super) frames: Frames,
    /// Task instances that static conditions allow. Once they are complete, those of them that are
    /// reachable.
    tuples: Vec<(u32, AtomKey)>,
    /// For each task, its conditions that aren't static.
    late: Vec<Vec<FormulaId>>,
    /// The reachability analysis; `None` once it is done.
    reachable: Option<Reachable>,
    actions: Vec<Action>,
    /// The next task, and later the next tuple.
    next: usize,
    /// The number of parts of actions so far, and its limit.
    pub(super) parts: u64,
    max_parts: u64,
}

impl Grounding {
    /// Starts without any actions. The result may take `memory` bytes and `work` units of work.
    pub fn new(problem: &Problem, memory: u64, work: u64) -> Self {
        let flat = problem.flat();
        let mut changes = vec![false; flat.facts.len()];
        for task in &flat.tasks {
            for effect in effects_of(task) {
                changes[effect.target.fact as usize] = true;
            }
        }
        Self {
            problem: problem.clone(),
            changes,
            booleans: TupleTable::default(),
            valued: TupleTable::default(),
            slots: vec![],
            base: 0,
            frames: Frames::new(work, problem.stop().clone()),
            tuples: vec![],
            late: vec![],
            reachable: Some(Reachable::new(flat)),
            actions: vec![],
            next: 0,
            parts: 0,
            max_parts: memory / PART_BYTES,
        }
    }

    /// Enumerates the instances of the next task, or makes actions of the next tuples. Returns
    /// `true` if there may be more.
    ///
    /// # Errors
    /// Fails if it exceeds the limit of work or memory, or if it is cancelled.
    pub fn step(&mut self) -> Result<bool, Limit> {
        let problem = self.problem.clone();
        let flat = problem.flat();
        if let Some(task) = flat
            .tasks
            .get(self.next)
            .filter(|_| self.reachable.is_some())
        {
            self.late.push(vec![]);
            if let FlatKind::Primitive { .. } = task.kind {
                self.task(flat, task, self.next as u32);
            }
            self.next += 1;
        } else if let Some(reachable) = self.reachable.take() {
            let possible = reachable.possible(problem.initial(), problem.stop());
            let mut possible = possible.into_iter();
            self.tuples.retain(|_| possible.next() == Some(true));
            self.next = 0;
        } else if self.next < self.tuples.len() {
            let next = (self.next + TUPLES).min(self.tuples.len());
            for number in self.next..next {
                let (task, tuple) = self.tuples[number].clone();
                self.action(flat, &flat.tasks[task as usize], task, &tuple);
            }
            self.next = next;
        } else {
            return Ok(false);
        }
        let reachable = self.reachable.as_ref().map_or(0, Reachable::memory);
        if self.parts + reachable / PART_BYTES > self.max_parts {
            return Err(Limit::Memory);
        }
        if self.frames.is_spent() {
            return Err(Limit::Nodes);
        }
        Ok(true)
    }

    /// Returns a closed formula, such as a goal's, as a condition. An unreadable one never holds.
    pub fn condition(&mut self, conjuncts: &[Conjunct], frame: u32) -> Cond {
        self.slots.clear();
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

    /// Enumerates the objects for which the static conditions of a task hold.
    fn task(&mut self, flat: &Flat, task: &FlatTask, number: u32) {
        if task.preconditions.iter().any(|c| c.formula.is_none()) {
            return;
        }
        let mut fixed = vec![];
        let mut late = vec![];
        for conjunct in &task.preconditions {
            let Some(formula) = conjunct.formula else {
                continue;
            };
            let mut survey = Survey::new(flat, &self.changes, task.params.len() as u32);
            survey.formula(formula);
            if survey.is_static {
                fixed.push((formula, survey.used));
            } else {
                late.push(formula);
            }
        }
        let sizes = task.params.iter();
        let sizes = sizes.map(|of| flat.types[*of as usize].len());
        let (order, early) = join_order(&fixed, &sizes.collect::<Vec<_>>());
        self.frames.slots.clear();
        self.frames.slots.resize(task.frame as usize, UNDEFINED);
        if !self.all_hold(flat, &early[0]) {
            return;
        }
        // One object for each parameter; the last one in the join order changes fastest.
        let mut chosen: Vec<usize> = vec![];
        let mut tuples: Vec<AtomKey> = vec![];
        let mut next = 0;
        loop {
            let depth = chosen.len();
            if depth == order.len() {
                tuples.push(AtomKey::from_slice(&self.frames.slots[..order.len()]));
            } else {
                let objects = &flat.types[task.params[order[depth]] as usize];
                if let Some(object) = objects.get(next) {
                    let parts = self.parts + tuples.len() as u64;
                    if self.frames.is_over() || parts > self.max_parts {
                        self.parts = parts;
                        return;
                    }
                    self.frames.slots[order[depth]] = *object;
                    chosen.push(next);
                    next = 0;
                    if self.all_hold(flat, &early[depth + 1]) {
                        continue;
                    }
                }
            }
            match chosen.pop() {
                Some(last) => next = last + 1,
                None => break,
            }
        }
        // Tuples are in the order of the parameters, regardless of the join order.
        tuples.sort_unstable();
        self.parts += tuples.len() as u64;
        for tuple in tuples {
            if self.frames.is_over() {
                return;
            }
            if let Some(reachable) = &mut self.reachable {
                reachable.add(flat, effects_of(task), &late, &tuple);
            }
            self.tuples.push((number, tuple));
        }
        self.late[number as usize] = late;
    }

    /// Returns `true` if static conditions hold.
    fn all_hold(&mut self, flat: &Flat, formulas: &[FormulaId]) -> bool {
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
        for place in 0..self.late[number as usize].len() {
            let formula = self.late[number as usize][place];
            match self.formula(flat, formula, true) {
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
            self.actions.push(action);
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

/// Returns the order in which to join the parameters, so that static conditions can be checked as
/// early as possible; and for each number of joined parameters, the conditions to check then.
fn join_order(
    fixed: &[(FormulaId, Vec<bool>)],
    sizes: &[usize],
) -> (Vec<usize>, Vec<Vec<FormulaId>>) {
    let mut order: Vec<usize> = vec![];
    let mut is_chosen = vec![false; sizes.len()];
    let is_known = |used: &[bool], is_chosen: &[bool]| {
        let mut pairs = used.iter().zip(is_chosen);
        pairs.all(|(used, chosen)| !used || *chosen)
    };
    let mut early = vec![vec![]; sizes.len() + 1];
    let mut open: Vec<&(FormulaId, Vec<bool>)> = fixed.iter().collect();
    loop {
        open.retain(|(formula, used)| {
            let is_known = is_known(used, &is_chosen);
            if is_known {
                early[order.len()].push(*formula);
            }
            !is_known
        });
        let candidates = (0..sizes.len()).filter(|param| !is_chosen[*param]);
        let best = candidates.min_by_key(|param| {
            let mut with = is_chosen.clone();
            with[*param] = true;
            let completed = open
                .iter()
                .filter(|(_, used)| is_known(used, &with))
                .count();
            let is_joined = open.iter().any(|(_, used)| used[*param]);
            (std::cmp::Reverse(completed), !is_joined, sizes[*param])
        });
        let Some(best) = best else {
            return (order, early);
        };
        is_chosen[best] = true;
        order.push(best);
    }
}

fn effects_of(task: &FlatTask) -> &[FlatEffect] {
    match &task.kind {
        FlatKind::Primitive { effects, .. } => effects,
        FlatKind::Compound { .. } => &[],
    }
}
