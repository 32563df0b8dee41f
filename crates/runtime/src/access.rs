//! Computes what a step reads and changes in any state, as an over-approximation.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::{Document, Name, Param};
use taskloom_domain::ground::Atom;
use taskloom_domain::lang::typed::{Change, Effect, Formula, FormulaKind, Number, Term};
use taskloom_domain::text::TypedText;
use taskloom_planner::plan::World;

/// The bindings of variables, inner ones last; `None` stands for any object.
pub type Env = Vec<(Name, Option<Name>)>;

/// The arguments of ground facts; `None` stands for any object.
type Args = Vec<Option<Name>>;

/// The facts that a step reads and changes.
#[derive(Debug, Default)]
pub struct StepAccess {
    /// The facts that it depends on while it is in progress.
    pub reads: AccessSet,
    /// The facts that its effects change.
    pub changes: AccessSet,
}

impl StepAccess {
    /// Adds an effect.
    pub fn effect(&mut self, world: &World, effect: &Effect, env: &Rc<Env>) {
        let env = self.reads.ranging(env, &effect.forall);
        if let Some(when) = &effect.when {
            self.reads.formula(world, when, &env);
        }
        let (fact, args) = match &effect.change {
            Change::Set(fact, args) | Change::Unset(fact, args) => (fact, args),
            Change::Number(_, fact, args, number) => {
                self.reads.number(world, number, &env);
                (fact, args)
            }
            Change::Object(fact, args, object) => {
                self.reads.term(world, object, &env);
                (fact, args)
            }
        };
        let args = args.iter().map(|arg| self.reads.term(world, arg, &env));
        let args = args.collect();
        self.changes
            .facts
            .entry(fact.clone())
            .or_default()
            .insert(args);
    }
}

/// A set of ground facts, as far as they are known without a state.
#[derive(Debug, Default)]
pub struct AccessSet {
    facts: FxHashMap<Name, FxHashSet<Args>>,
    /// The conditions that were added.
    conditions: FxHashSet<(Name, Args)>,
    /// `true` if the time is among them.
    pub time: bool,
    /// The types whose objects the variables of quantifiers, aggregates, effects and Bind blocks range over.
    ranges: FxHashSet<Name>,
}

/// Returns `true` if a formula reads the time, directly or through the conditions that it uses.
pub fn reads_time(world: &World, formula: &TypedText<Formula>) -> bool {
    let mut reads = AccessSet::default();
    if let Some(formula) = &formula.value {
        reads.formula(world, formula, &Rc::default());
    }
    reads.time
}

/// An expression that is still to be visited.
enum Open<'a> {
    Formula(&'a Formula, Rc<Env>),
    Number(&'a Number, Rc<Env>),
}

impl AccessSet {
    /// Returns `true` if a ground fact may be in both.
    pub fn intersects(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&Option<Name>, &Option<Name>)| a.is_none() || b.is_none() || a == b;
        let alike = |a: &Args, b: &Args| a.iter().zip(b).all(is_same);
        self.facts.iter().any(|(fact, own)| {
            let others = other.facts.get(fact);
            others.is_some_and(|others| own.iter().any(|a| others.iter().any(|b| alike(a, b))))
        })
    }

    /// Returns `true` if a ground fact may be among them.
    pub fn contains(&self, atom: &Atom) -> bool {
        let is_same =
            |(own, arg): (&Option<Name>, &Name)| own.as_ref().is_none_or(|own| own == arg);
        let all = self.facts.get(&atom.fact);
        all.is_some_and(|all| {
            all.iter()
                .any(|own| own.iter().zip(&atom.args).all(is_same))
        })
    }

    /// Returns `true` if a variable ranges over the objects of a type, so that another object of it may make a
    /// difference.
    pub fn ranges_over(&self, document: &Document, of: &Name) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|range| document.is_kind_of(of, range))
    }

    /// Adds the types that variables range over. Returns the environment with them.
    pub fn ranging(&mut self, env: &Rc<Env>, params: &[Param]) -> Rc<Env> {
        self.ranges
            .extend(params.iter().map(|param| param.of.clone()));
        with(env, params.iter().map(|param| &param.name))
    }

    /// Adds what a formula reads.
    pub fn formula(&mut self, world: &World, formula: &Formula, env: &Rc<Env>) {
        self.all(world, Open::Formula(formula, env.clone()));
    }

    /// Adds what a number reads.
    pub fn number(&mut self, world: &World, number: &Number, env: &Rc<Env>) {
        self.all(world, Open::Number(number, env.clone()));
    }

    /// Adds what a term reads. Returns the object that it stands for, if known.
    pub fn term(&mut self, world: &World, term: &Term, env: &Env) -> Option<Name> {
        match term {
            Term::Object(name) => Some(name.clone()),
            Term::Me => world.actor().me().cloned(),
            Term::Variable(name) => {
                let bound = env.iter().rev().find(|(bound, _)| bound == name);
                bound.and_then(|(_, object)| object.clone())
            }
            Term::Fact(fact, args) => {
                self.fact(world, fact, args, env);
                None
            }
        }
    }

    fn fact(&mut self, world: &World, fact: &Name, args: &[Term], env: &Env) {
        let args = args.iter().map(|arg| self.term(world, arg, env));
        let args: Args = args.collect();
        self.facts.entry(fact.clone()).or_default().insert(args);
    }

    /// Visits an expression without recursion: conditions may nest deeper than the machine's stack allows.
    fn all<'a>(&mut self, world: &'a World, first: Open<'a>) {
        let mut open = vec![first];
        while let Some(next) = open.pop() {
            match next {
                Open::Formula(formula, env) => self.one_formula(world, formula, env, &mut open),
                Open::Number(number, env) => self.one_number(world, number, env, &mut open),
            }
        }
    }

    fn one_formula<'a>(
        &mut self,
        world: &'a World,
        formula: &'a Formula,
        env: Rc<Env>,
        open: &mut Vec<Open<'a>>,
    ) {
        match &formula.kind {
            FormulaKind::Constant(_) => {}
            FormulaKind::Fact(fact, args) => self.fact(world, fact, args, &env),
            FormulaKind::Condition(name, args) => {
                let args = args.iter().map(|arg| self.term(world, arg, &env));
                let args: Args = args.collect();
                let called = (name.clone(), args.clone());
                let body = world.domain().condition(name);
                let record = world.document().conditions.get(name);
                if let (Some(body), Some(record)) = (body, record)
                    && let Some(body) = &body.value
                    && self.conditions.insert(called)
                {
                    let params = record.params.iter().map(|param| param.name.clone());
                    open.push(Open::Formula(body, Rc::new(params.zip(args).collect())));
                }
            }
            FormulaKind::Compare(_, a, b) => {
                open.extend([a, b].map(|number| Open::Number(number, env.clone())));
            }
            FormulaKind::Same(a, b) => {
                self.term(world, a, &env);
                self.term(world, b, &env);
            }
            FormulaKind::Not(inner) => open.push(Open::Formula(inner, env)),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                open.extend(parts.iter().map(|part| Open::Formula(part, env.clone())));
            }
            FormulaKind::Imply(a, b) => {
                open.extend([a, b].map(|part| Open::Formula(part, env.clone())));
            }
            FormulaKind::Quantified(_, params, body) => {
                let env = self.ranging(&env, params);
                open.push(Open::Formula(body, env));
            }
        }
    }

    fn one_number<'a>(
        &mut self,
        world: &World,
        number: &'a Number,
        env: Rc<Env>,
        open: &mut Vec<Open<'a>>,
    ) {
        match number {
            Number::Constant(_) => {}
            Number::Time => self.time = true,
            Number::Fact(fact, args) => self.fact(world, fact, args, &env),
            Number::Arithmetic(_, a, b) => {
                open.extend([a, b].map(|number| Open::Number(number, env.clone())));
            }
            Number::Negative(inner) => open.push(Open::Number(inner, env)),
            Number::Aggregate(_, params, value, of) => {
                let env = self.ranging(&env, params);
                open.extend(of.as_deref().map(|of| Open::Formula(of, env.clone())));
                open.push(Open::Number(value, env));
            }
            Number::Function(_, numbers) => {
                open.extend(numbers.iter().map(|part| Open::Number(part, env.clone())));
            }
        }
    }
}

/// Returns the environment with additional variables, which stand for any object.
fn with<'n>(env: &Rc<Env>, names: impl Iterator<Item = &'n Name>) -> Rc<Env> {
    let mut names = names.peekable();
    if names.peek().is_none() {
        return env.clone();
    }
    let inner = names.map(|name| (name.clone(), None));
    Rc::new(env.iter().cloned().chain(inner).collect())
}
