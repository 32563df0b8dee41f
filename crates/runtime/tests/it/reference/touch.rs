//! The facts that texts read and change in any state, as far as the texts tell.

use taskloom_document::{Name, Param};
use taskloom_domain::lang::typed::{Change, Formula, FormulaKind, Number, Term};

use super::domain::{Domain, Effect, Primitive, TaskKind};
use super::names::{Atom, Ground, Object};

/// Ground facts of one fact; `None` stands for any object.
#[derive(Debug, Clone, PartialEq)]
pub struct Touch {
    fact: usize,
    args: Vec<Option<Object>>,
}

impl Touch {
    /// Returns `true` if both may be the same ground fact.
    pub fn meets(&self, other: &Self) -> bool {
        let is_same =
            |(a, b): (&Option<Object>, &Option<Object>)| a.is_none() || b.is_none() || a == b;
        self.fact == other.fact && self.args.iter().zip(&other.args).all(is_same)
    }

    /// Returns `true` if a ground fact may be meant.
    pub fn may_be(&self, domain: &Domain, atom: Atom) -> bool {
        let (fact, args) = &domain.names.atoms[atom.0];
        let is_same = |(own, arg): (&Option<Object>, &Object)| own.is_none_or(|own| own == *arg);
        self.fact == *fact && self.args.iter().zip(args).all(is_same)
    }
}

pub fn meet(a: &[Touch], b: &[Touch]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.meets(b)))
}

/// The bindings of variables, as far as they are known without a state.
#[derive(Debug, Clone)]
pub struct Bound {
    pub me: Option<Object>,
    /// Inner ones come last. `None` stands for any object.
    pub variables: Vec<(Name, Option<Object>)>,
}

impl Bound {
    /// Returns the bindings of a task's parameters.
    pub fn of(domain: &Domain, me: Option<Object>, task: Ground) -> Self {
        let args = task.args().map(Some);
        Self::with_args(domain, me, task.task, args)
    }

    pub fn with_args(
        domain: &Domain,
        me: Option<Object>,
        task: usize,
        args: impl IntoIterator<Item = Option<Object>>,
    ) -> Self {
        let variables = vec![];
        Self { me, variables }.with(&domain.tasks[task].params, args)
    }

    pub fn with(&self, params: &[Param], args: impl IntoIterator<Item = Option<Object>>) -> Self {
        let mut bound = self.clone();
        let names = params.iter().map(|param| param.name.clone());
        bound.variables.extend(names.zip(args));
        bound
    }

    /// Returns the same with variables that may be any object.
    pub fn with_any(&self, params: &[Param]) -> Self {
        self.with(params, std::iter::repeat(None))
    }

    fn object(&self, domain: &Domain, term: &Term) -> Option<Object> {
        match term {
            Term::Object(name) => Some(domain.names.object(name)),
            Term::Me => self.me,
            Term::Variable(name) => {
                let mut variables = self.variables.iter().rev();
                variables.find(|(other, _)| other == name)?.1
            }
            Term::Fact(..) => None,
        }
    }

    /// Returns the objects of arguments.
    pub fn objects(&self, domain: &Domain, args: &[Term]) -> Vec<Option<Object>> {
        args.iter().map(|arg| self.object(domain, arg)).collect()
    }
}

/// Collects what texts touch.
pub struct Touches<'d> {
    domain: &'d Domain,
    pub all: Vec<Touch>,
    reads_time: bool,
    /// The conditions that were read.
    conditions: Vec<(Name, Vec<Option<Object>>)>,
}

impl<'d> Touches<'d> {
    pub fn new(domain: &'d Domain) -> Self {
        Self {
            domain,
            all: vec![],
            reads_time: false,
            conditions: vec![],
        }
    }

    fn add(&mut self, fact: &Name, args: &[Term], bound: &Bound) {
        self.terms(args, bound);
        let touch = Touch {
            fact: self.domain.names.fact(fact),
            args: bound.objects(self.domain, args),
        };
        if !self.all.contains(&touch) {
            self.all.push(touch);
        }
    }

    pub fn terms(&mut self, terms: &[Term], bound: &Bound) {
        for term in terms {
            if let Term::Fact(fact, args) = term {
                self.add(fact, args, bound);
            }
        }
    }

    pub fn formula(&mut self, formula: &Formula, bound: &Bound) {
        match &formula.kind {
            FormulaKind::Constant(_) => {}
            FormulaKind::Fact(fact, args) => self.add(fact, args, bound),
            FormulaKind::Condition(name, args) => {
                self.terms(args, bound);
                let args = bound.objects(self.domain, args);
                let called = (name.clone(), args.clone());
                if !self.conditions.contains(&called) {
                    self.conditions.push(called);
                    let (params, body) = &self.domain.conditions[name];
                    let (me, variables) = (bound.me, vec![]);
                    self.formula(body, &Bound { me, variables }.with(params, args));
                }
            }
            FormulaKind::Compare(_, a, b) => {
                self.number(a, bound);
                self.number(b, bound);
            }
            FormulaKind::Same(a, b) => {
                self.terms(std::slice::from_ref(a), bound);
                self.terms(std::slice::from_ref(b), bound);
            }
            FormulaKind::Not(inner) => self.formula(inner, bound),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                parts.iter().for_each(|part| self.formula(part, bound));
            }
            FormulaKind::Imply(a, b) => {
                self.formula(a, bound);
                self.formula(b, bound);
            }
            FormulaKind::Quantified(_, params, body) => {
                self.formula(body, &bound.with_any(params));
            }
        }
    }

    pub fn number(&mut self, number: &Number, bound: &Bound) {
        match number {
            Number::Constant(_) => {}
            Number::Time => self.reads_time = true,
            Number::Fact(fact, args) => self.add(fact, args, bound),
            Number::Negative(a) => self.number(a, bound),
            Number::Arithmetic(_, a, b) => {
                self.number(a, bound);
                self.number(b, bound);
            }
            Number::Function(_, all) => all.iter().for_each(|one| self.number(one, bound)),
            Number::Aggregate(_, params, value, of) => {
                let bound = bound.with_any(params);
                self.number(value, &bound);
                of.iter().for_each(|of| self.formula(of, &bound));
            }
        }
    }

    /// Adds what a step reads. Returns what it changes.
    fn primitive(&mut self, primitive: &Primitive, bound: &Bound) -> Vec<Touch> {
        for rule in &primitive.done {
            self.formula(rule, bound);
        }
        self.terms(&primitive.claims, bound);
        if let Some(duration) = &primitive.duration {
            self.terms(&duration.args, bound);
            let args = bound.objects(self.domain, &duration.args);
            let own = bound.with(&duration.params, args);
            self.number(&duration.ticks, &own);
        }
        let mut changes = Touches::new(self.domain);
        for Effect { effect, .. } in &primitive.effects {
            let bound = bound.with_any(&effect.forall);
            if let Some(when) = &effect.when {
                self.formula(when, &bound);
            }
            let (fact, args) = match &effect.change {
                Change::Set(fact, args) | Change::Unset(fact, args) => (fact, args),
                Change::Number(_, fact, args, number) => {
                    self.number(number, &bound);
                    (fact, args)
                }
                Change::Object(fact, args, object) => {
                    self.terms(std::slice::from_ref(object), &bound);
                    (fact, args)
                }
            };
            self.terms(args, &bound);
            changes.all.push(Touch {
                fact: self.domain.names.fact(fact),
                args: bound.objects(self.domain, args),
            });
        }
        changes.all
    }

    /// Adds what a primitive task reads. Returns what it changes.
    fn step(&mut self, task: usize, bound: &Bound) -> Vec<Touch> {
        let of_task = &self.domain.tasks[task];
        for rule in of_task.pre.iter().chain(&of_task.integrity) {
            self.formula(rule, bound);
        }
        self.primitive(self.domain.primitive(task), bound)
    }
}

/// Returns `true` if a formula reads the time.
pub fn reads_time(domain: &Domain, formula: &Formula) -> bool {
    let mut touches = Touches::new(domain);
    let (me, variables) = (None, vec![]);
    touches.formula(formula, &Bound { me, variables });
    touches.reads_time
}

/// Returns what formulas read.
pub fn read<'f>(
    domain: &Domain,
    formulas: impl IntoIterator<Item = &'f Formula>,
    bound: &Bound,
) -> Vec<Touch> {
    let mut touches = Touches::new(domain);
    for formula in formulas {
        touches.formula(formula, bound);
    }
    touches.all
}

/// Returns what a primitive task reads, and what it changes.
pub fn touched(domain: &Domain, me: Option<Object>, task: Ground) -> (Vec<Touch>, Vec<Touch>) {
    let mut reads = Touches::new(domain);
    let changes = reads.step(task.task, &Bound::of(domain, me, task));
    (reads.all, changes)
}

/// Returns what a task, and every task that it may lead to, reads or changes.
pub fn touched_below(domain: &Domain, character: usize, task: Ground) -> Vec<Touch> {
    let me = domain.me(character);
    let mut touched = Touches::new(domain);
    let mut changes = vec![];
    let mut seen = vec![];
    let mut open = vec![(task.task, Vec::from_iter(task.args().map(Some)))];
    while let Some((task, args)) = open.pop() {
        if seen.contains(&(task, args.clone())) {
            continue;
        }
        seen.push((task, args.clone()));
        let bound = Bound::with_args(domain, me, task, args);
        let TaskKind::Compound(compound) = &domain.tasks[task].kind else {
            changes.extend(touched.step(task, &bound));
            continue;
        };
        let of_task = &domain.tasks[task];
        let rules = of_task.pre.iter().chain(&of_task.integrity);
        for formula in rules.chain(&compound.goal) {
            touched.formula(formula, &bound);
        }
        if compound.goal.is_some() {
            let all = domain.primitives();
            let all = all.filter(|task| domain.may_use(character, *task));
            let any = |task: usize| vec![None; domain.tasks[task].params.len()];
            open.extend(all.map(|task| (task, any(task))));
        }
        let bound = bound.with_any(&compound.method.variables());
        for block in &compound.method.blocks {
            block
                .condition()
                .into_iter()
                .for_each(|one| touched.formula(one, &bound));
            block.numbers().for_each(|one| touched.number(one, &bound));
            if let Some(call) = block.call() {
                touched.terms(&call.args, &bound);
                open.push((call.task, bound.objects(domain, &call.args)));
            }
        }
    }
    [touched.all, changes].concat()
}
