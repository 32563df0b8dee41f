//! From tasks with parameters to ground actions. A fact that no action changes is put in with
//! the value that it has; what is left of conditions and effects reads variables alone.

use super::formula::{Case, Cond, Num, Obj, calculate, call, compares};
use super::task::{Action, Change, Effect, Kind, Task};
use crate::compile::{
    Conjunct, Flat, FlatChange, FlatEffect, FlatKind, FlatTask, Formula, FormulaId, Number,
    NumberId, Problem, Read, Term,
};
use crate::plan::Limit;
use crate::plan::evaluate::{Evaluation, Frames, NOTHING};
use crate::plan::state::AtomKey;
use crate::plan::table::TupleTable;

/// The ground actions of a problem as far as they have been found: a task a step.
#[derive(Debug)]
pub struct Grounding {
    problem: Problem,
    /// By fact: whether an action changes it.
    changes: Vec<bool>,
    /// The ground facts that are variables.
    booleans: TupleTable,
    valued: TupleTable,
    /// What the slots of the frames in use stand for.
    slots: Vec<Obj>,
    base: usize,
    frames: Frames,
    actions: Vec<Action>,
    next: usize,
    /// How many parts of actions there are, and may be.
    parts: u64,
    most: u64,
}

impl Grounding {
    /// Nothing yet. What it makes may take so many bytes, and so much work.
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
            actions: vec![],
            next: 0,
            parts: 0,
            most: memory / 64,
        }
    }

    /// Takes in the next task. Whether there may be more; or what there is not enough of.
    ///
    /// # Errors
    /// Where it takes more work or memory than it may, or the stop was heard.
    pub fn step(&mut self) -> Result<bool, Limit> {
        let problem = self.problem.clone();
        let Some(task) = problem.flat().tasks.get(self.next) else {
            return Ok(false);
        };
        if let FlatKind::Primitive { .. } = task.kind {
            self.task(problem.flat(), task, self.next as u32);
        }
        self.next += 1;
        if self.parts > self.most {
            return Err(Limit::Memory);
        }
        if self.frames.is_spent() {
            return Err(Limit::Nodes);
        }
        Ok(true)
    }

    /// A formula without variables, as of a goal; one that cannot be read does not hold.
    pub fn condition(&mut self, conjuncts: &[Conjunct], frame: u32) -> Cond {
        self.slots.clear();
        self.slots.resize(frame as usize, Obj::Object(NOTHING));
        let problem = self.problem.clone();
        let parts = conjuncts.iter().map(|conjunct| match conjunct.formula {
            Some(formula) => self.formula(problem.flat(), formula, true),
            None => Cond::Constant(false),
        });
        let parts: Vec<Cond> = parts.collect();
        Cond::all(parts)
    }

    /// All that was found.
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
        }
    }

    /// Adds a task's ground actions, those whose conditions can hold as far as they read what
    /// never changes.
    fn task(&mut self, flat: &Flat, task: &FlatTask, number: u32) {
        if task.preconditions.iter().any(|c| c.formula.is_none()) {
            return;
        }
        // By how many parameters have to be known: the conditions that never change.
        let mut early = vec![vec![]; task.params.len() + 1];
        let mut late = vec![];
        for conjunct in &task.preconditions {
            let Some(formula) = conjunct.formula else {
                continue;
            };
            let mut survey = Survey::new(flat, &self.changes, task.params.len() as u32);
            survey.formula(formula);
            match survey.is_static {
                true => early[survey.known as usize].push(formula),
                false => late.push(formula),
            }
        }
        self.frames.slots.clear();
        self.frames.slots.resize(task.frame as usize, NOTHING);
        let mut chosen: Vec<usize> = vec![];
        if !self.hold(flat, &early[0]) {
            return;
        }
        // A choice of objects for the parameters, the last one changing fastest.
        let mut next = 0;
        loop {
            let depth = chosen.len();
            if depth == task.params.len() {
                self.action(flat, task, number, &late);
            } else {
                let objects = &flat.types[task.params[depth] as usize];
                if let Some(object) = objects.get(next) {
                    if self.frames.is_over() || self.parts > self.most {
                        return;
                    }
                    self.frames.slots[depth] = *object;
                    chosen.push(next);
                    next = 0;
                    if self.hold(flat, &early[depth + 1]) {
                        continue;
                    }
                }
            }
            match chosen.pop() {
                Some(last) => next = last + 1,
                None => return,
            }
        }
    }

    /// Whether conditions hold that never change.
    fn hold(&mut self, flat: &Flat, formulas: &[FormulaId]) -> bool {
        let initial = self.problem.initial();
        let mut evaluation = Evaluation::new(flat, initial, &mut self.frames, 0);
        formulas.iter().all(|formula| evaluation.holds(*formula))
    }

    /// Adds the action of the objects chosen, unless one of its conditions can never hold.
    fn action(&mut self, flat: &Flat, task: &FlatTask, number: u32, late: &[FormulaId]) {
        let FlatKind::Primitive { cost, .. } = &task.kind else {
            return;
        };
        self.base = 0;
        self.slots.clear();
        let chosen = &self.frames.slots;
        self.slots.extend(chosen.iter().map(|o| Obj::Object(*o)));
        let mut needs = vec![];
        for formula in late {
            match self.formula(flat, *formula, true) {
                Cond::Constant(true) => {}
                Cond::Constant(false) => return,
                Cond::All(parts) => needs.extend(parts),
                need => needs.push(need),
            }
        }
        let mut effects = vec![];
        for effect in effects_of(task) {
            self.effect_of_every(flat, effect, &effect.forall, &mut needs, &mut effects);
        }
        if needs.contains(&Cond::Constant(false)) {
            return;
        }
        let cost = cost.map_or(Num::Constant(1.0), |cost| self.number(flat, cost));
        let parts = 2 + needs.len() as u64 + effects.len() as u64;
        let mut tuple = AtomKey::new();
        tuple.push(number);
        tuple.extend_from_slice(&self.frames.slots[..task.params.len()]);
        if let Some(action) = Action::new(tuple, needs, effects, cost) {
            self.parts += parts;
            self.actions.push(action);
        }
    }

    fn effect_of_every(
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
            self.effect_of_every(flat, effect, rest, needs, effects);
        }
    }

    /// An effect on each ground fact that it may be of, and what it needs besides.
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
        // Where it happens, what it is of and what it sets have to exist.
        let not_when = effect.when.map(|when| self.formula(flat, when, false));
        let not_when = not_when.unwrap_or(Cond::Constant(false));
        let mut need = |object: &Obj| match object {
            Obj::Object(object) if *object != NOTHING => {}
            object => needs.push(Cond::any([not_when.clone(), exists(object.clone())])),
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
            FlatChange::Decrease(number) => Change::Add(negative(self.number(flat, number))),
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

    fn terms(&mut self, flat: &Flat, range: std::ops::Range<usize>) -> Vec<Obj> {
        let terms = flat.code.terms[range].iter();
        terms.map(|term| self.object(flat, *term)).collect()
    }

    fn object(&mut self, flat: &Flat, term: Term) -> Obj {
        match term {
            Term::Object(object) => Obj::Object(object),
            Term::Slot(slot) => self.slots[self.base + slot as usize].clone(),
            Term::Fact(read) => {
                let leaf = |this: &mut Self, atom: &[u32]| match this.value(flat, atom) {
                    Ok(0) => Obj::Object(NOTHING),
                    Ok(value) => Obj::Object((value - 1) as u32),
                    Err(variable) => Obj::Var(variable),
                };
                let case = |case| Obj::Case(Box::new(case));
                self.read(flat, read, &leaf, &Obj::Object(NOTHING), &case)
            }
        }
    }

    fn number(&mut self, flat: &Flat, number: NumberId) -> Num {
        match flat.code.numbers[number.0 as usize] {
            Number::Constant(number) => Num::Constant(number),
            Number::Fact(read) => {
                let leaf = |this: &mut Self, atom: &[u32]| match this.value(flat, atom) {
                    Ok(value) => Num::Constant(f64::from_bits(value)),
                    Err(variable) => Num::Var(variable),
                };
                let case = |case| Num::Case(Box::new(case));
                self.read(flat, read, &leaf, &Num::Constant(f64::NAN), &case)
            }
            Number::Negative(of) => negative(self.number(flat, of)),
            Number::Arithmetic(operator, a, b) => {
                match (self.number(flat, a), self.number(flat, b)) {
                    (Num::Constant(a), Num::Constant(b)) => {
                        Num::Constant(calculate(operator, a, b))
                    }
                    both => Num::Arithmetic(operator, Box::new(both)),
                }
            }
            Number::Function(function, a, b) => {
                match (self.number(flat, a), self.number(flat, b)) {
                    (Num::Constant(a), Num::Constant(b)) => Num::Constant(call(function, a, b)),
                    both => Num::Function(function, Box::new(both)),
                }
            }
            Number::Aggregate(which) => {
                let code = &flat.code.aggregates[which as usize];
                let mut parts = vec![];
                self.parts_of(flat, &code.binders, &mut |this| {
                    let of = code.of.map(|of| this.formula(flat, of, true));
                    let of = of.unwrap_or(Cond::Constant(true));
                    if of != Cond::Constant(false) {
                        parts.push((of, this.number(flat, code.value)));
                    }
                });
                Num::Aggregate(code.aggregate, parts.into())
            }
        }
    }

    /// Does something for every choice of objects, the last one changing fastest. The recursion
    /// is as deep as there are variables.
    fn parts_of(&mut self, flat: &Flat, binders: &[(u32, u32)], make: &mut dyn FnMut(&mut Self)) {
        let Some(((slot, of), rest)) = binders.split_first() else {
            return make(self);
        };
        for object in &flat.types[*of as usize] {
            if self.frames.is_over() {
                return;
            }
            let slot = self.base + *slot as usize;
            self.slots[slot] = Obj::Object(*object);
            self.parts_of(flat, rest, make);
        }
    }

    /// A formula that is to be so.
    fn formula(&mut self, flat: &Flat, formula: FormulaId, so: bool) -> Cond {
        let code = &flat.code;
        match code.formulas[formula.0 as usize] {
            Formula::Constant(value) => Cond::Constant(value == so),
            Formula::Holds(read) => {
                let leaf = |this: &mut Self, atom: &[u32]| match this.truth(atom) {
                    Ok(value) => Cond::Constant(value == so),
                    Err(variable) => Cond::Is(variable, so),
                };
                let case = |case| Cond::Case(Box::new(case));
                self.read(flat, read, &leaf, &Cond::Constant(!so), &case)
            }
            Formula::Not(of) => self.formula(flat, of, !so),
            Formula::All(list) | Formula::Any(list) => {
                let all = matches!(code.formulas[formula.0 as usize], Formula::All(_));
                let parts = code.lists[list.range()].iter();
                let parts: Vec<Cond> = parts.map(|part| self.formula(flat, *part, so)).collect();
                match all == so {
                    true => Cond::all(parts),
                    false => Cond::any(parts),
                }
            }
            Formula::Imply(left, right) => {
                let parts = [self.formula(flat, left, !so), self.formula(flat, right, so)];
                match so {
                    true => Cond::any(parts),
                    false => Cond::all(parts),
                }
            }
            Formula::Compare(comparison, a, b) => {
                match (self.number(flat, a), self.number(flat, b)) {
                    (Num::Constant(a), Num::Constant(b)) => {
                        Cond::Constant(compares(comparison, a, b) == so)
                    }
                    both => Cond::Compare(comparison, Box::new(both), so),
                }
            }
            Formula::Same(list) => {
                let mut terms = self.terms(flat, list.range());
                match (terms.pop(), terms.pop()) {
                    (Some(b), Some(a)) => same(a, b, so),
                    _ => Cond::Constant(!so),
                }
            }
            Formula::Every(slot, of, body) | Formula::Some(slot, of, body) => {
                let every = matches!(code.formulas[formula.0 as usize], Formula::Every(..));
                let mut parts = vec![];
                self.parts_of(flat, &[(slot, of)], &mut |this| {
                    parts.push(this.formula(flat, body, so));
                });
                match every == so {
                    true => Cond::all(parts),
                    false => Cond::any(parts),
                }
            }
            Formula::Condition(number, args) => {
                let condition = code.conditions[number as usize];
                let Some(body) = condition.body else {
                    return Cond::Constant(!so);
                };
                if self.frames.is_over() {
                    return Cond::Constant(false);
                }
                let args = self.terms(flat, args.range());
                let exist = args.iter().map(|arg| match so {
                    true => exists(arg.clone()),
                    false => same(arg.clone(), arg.clone(), false),
                });
                let exist: Vec<Cond> = exist.collect();
                let base = self.slots.len();
                self.slots.extend(args);
                let frame = base + condition.frame as usize;
                self.slots.resize(frame, Obj::Object(NOTHING));
                let outer = std::mem::replace(&mut self.base, base);
                let body = self.formula(flat, body, so);
                self.base = outer;
                self.slots.truncate(base);
                let parts = exist.into_iter().chain([body]);
                match so {
                    true => Cond::all(parts),
                    false => Cond::any(parts),
                }
            }
        }
    }

    /// What a fact comes to of the objects that its arguments are.
    fn read<T: Clone>(
        &mut self,
        flat: &Flat,
        read: Read,
        leaf: &dyn Fn(&mut Self, &[u32]) -> T,
        nothing: &T,
        case: &dyn Fn(Case<T>) -> T,
    ) -> T {
        let args = self.terms(flat, read.args.range());
        let mut atom = AtomKey::from_slice(&[read.fact]);
        self.read_of(flat, &mut atom, &args, leaf, nothing, case)
    }

    fn read_of<T: Clone>(
        &mut self,
        flat: &Flat,
        atom: &mut AtomKey,
        args: &[Obj],
        leaf: &dyn Fn(&mut Self, &[u32]) -> T,
        nothing: &T,
        case: &dyn Fn(Case<T>) -> T,
    ) -> T {
        let Some((arg, rest)) = args.split_first() else {
            return leaf(self, atom);
        };
        match arg {
            Obj::Object(NOTHING) => nothing.clone(),
            Obj::Object(object) => {
                atom.push(*object);
                let read = self.read_of(flat, atom, rest, leaf, nothing, case);
                atom.pop();
                read
            }
            of => {
                let mut by = Vec::with_capacity(flat.objects.len() + 1);
                for object in 0..flat.objects.len() as u32 {
                    if self.frames.is_over() {
                        break;
                    }
                    self.parts += 1;
                    atom.push(object);
                    by.push(self.read_of(flat, atom, rest, leaf, nothing, case));
                    atom.pop();
                }
                by.push(nothing.clone());
                let of = of.clone();
                case(Case { of, by })
            }
        }
    }

    /// The truth of a ground fact that never changes, or its variable.
    fn truth(&mut self, atom: &[u32]) -> Result<bool, u32> {
        match self.changes[atom[0] as usize] {
            true => Err(self.booleans.intern(atom)),
            false => Ok(self.problem.initial().holds(atom)),
        }
    }

    /// The same of the value of one that is not boolean.
    fn value(&mut self, _: &Flat, atom: &[u32]) -> Result<u64, u32> {
        match self.changes[atom[0] as usize] {
            true => Err(self.valued.intern(atom)),
            false => Ok(self.problem.initial().value(atom)),
        }
    }
}

fn effects_of(task: &FlatTask) -> &[FlatEffect] {
    match &task.kind {
        FlatKind::Primitive { effects, .. } => effects,
        FlatKind::Compound { .. } => &[],
    }
}

fn exists(object: Obj) -> Cond {
    match object {
        Obj::Object(object) => Cond::Constant(object != NOTHING),
        object => Cond::Exists(object),
    }
}

fn same(a: Obj, b: Obj, so: bool) -> Cond {
    match (a, b) {
        (Obj::Object(NOTHING), _) | (_, Obj::Object(NOTHING)) => Cond::Constant(!so),
        (Obj::Object(a), Obj::Object(b)) => Cond::Constant((a == b) == so),
        both => Cond::Same(Box::new(both), so),
    }
}

fn negative(number: Num) -> Num {
    match number {
        Num::Constant(number) => Num::Constant(-number),
        number => Num::Negative(Box::new(number)),
    }
}

/// What a formula reads: whether it may change, and how many parameters have to be known.
struct Survey<'a> {
    flat: &'a Flat,
    changes: &'a [bool],
    params: u32,
    /// So many of the first parameters.
    known: u32,
    is_static: bool,
}

impl<'a> Survey<'a> {
    fn new(flat: &'a Flat, changes: &'a [bool], params: u32) -> Self {
        Self {
            flat,
            changes,
            params,
            known: 0,
            is_static: true,
        }
    }

    fn terms(&mut self, range: std::ops::Range<usize>) {
        for term in &self.flat.code.terms[range] {
            match *term {
                Term::Object(_) => {}
                Term::Slot(slot) if slot < self.params => self.known = self.known.max(slot + 1),
                Term::Slot(_) => {}
                Term::Fact(read) => self.read(read),
            }
        }
    }

    fn read(&mut self, read: Read) {
        self.is_static &= !self.changes[read.fact as usize];
        self.terms(read.args.range());
    }

    fn number(&mut self, number: NumberId) {
        match self.flat.code.numbers[number.0 as usize] {
            Number::Constant(_) => {}
            Number::Fact(read) => self.read(read),
            Number::Negative(of) => self.number(of),
            Number::Arithmetic(_, a, b) | Number::Function(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Number::Aggregate(which) => {
                let code = &self.flat.code.aggregates[which as usize];
                code.of.iter().for_each(|of| self.formula(*of));
                self.number(code.value);
            }
        }
    }

    fn formula(&mut self, formula: FormulaId) {
        let code = &self.flat.code;
        match code.formulas[formula.0 as usize] {
            Formula::Constant(_) => {}
            Formula::Holds(read) => self.read(read),
            Formula::Not(of) | Formula::Every(_, _, of) | Formula::Some(_, _, of) => {
                self.formula(of);
            }
            Formula::All(list) | Formula::Any(list) => {
                for part in &code.lists[list.range()] {
                    self.formula(*part);
                }
            }
            Formula::Imply(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            Formula::Compare(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Formula::Same(list) => self.terms(list.range()),
            Formula::Condition(number, args) => {
                self.terms(args.range());
                // Its body's slots are not the task's.
                let params = std::mem::replace(&mut self.params, 0);
                if let Some(body) = code.conditions[number as usize].body {
                    self.formula(body);
                }
                self.params = params;
            }
        }
    }
}
