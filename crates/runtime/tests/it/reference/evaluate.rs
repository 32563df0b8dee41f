//! The evaluation of texts in a state, the ground facts that it reads, and why a formula is false.

use std::collections::BTreeMap;
use std::sync::Arc;

use taskloom_document::{Name, Param};
use taskloom_domain::lang::typed::{
    self, Aggregate, Assignment, Change, Comparison, Formula, FormulaKind, Function, Number,
    Operator, Quantifier, Term, print_formula,
};

use super::domain::Domain;
use super::names::{Atom, Kind, Object};
use super::state::State;

/// The maximum numbers of ground facts and of parts in an explanation.
const MAX_FACTS: usize = 16;
const MAX_PARTS: usize = 8;
/// The maximum number of values in its text.
const MAX_VALUES: usize = 3;

/// The bindings of variables.
#[derive(Debug, Clone, Default)]
pub struct Env {
    pub me: Option<Object>,
    pub variables: Vec<(Name, Object)>,
}

impl Env {
    pub fn of(me: Option<Object>) -> Self {
        let variables = vec![];
        Self { me, variables }
    }

    /// Returns the same with parameters bound to objects.
    pub fn with(&self, params: &[Param], objects: impl IntoIterator<Item = Object>) -> Self {
        let mut env = self.clone();
        let names = params.iter().map(|param| param.name.clone());
        env.variables.extend(names.zip(objects));
        env
    }

    pub fn get(&self, variable: &Name) -> Option<Object> {
        let mut all = self.variables.iter().rev();
        all.find(|(name, _)| name == variable).map(|(_, one)| *one)
    }
}

/// A ground fact that was read, or the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Read {
    Atom(Atom),
    Time,
}

/// An evaluation in a state.
pub struct Evaluation<'s> {
    state: &'s State,
    /// Everything read so far, if that is asked.
    pub reads: Option<Vec<Read>>,
}

impl<'s> Evaluation<'s> {
    pub fn new(state: &'s State) -> Self {
        Self { state, reads: None }
    }

    pub fn noting(state: &'s State) -> Self {
        let reads = Some(vec![]);
        Self { state, reads }
    }

    pub fn domain(&self) -> Arc<Domain> {
        self.state.domain.clone()
    }

    /// Returns the ground facts read.
    pub fn atoms(self) -> Vec<Atom> {
        let reads = self.reads.into_iter().flatten();
        let atoms = reads.filter_map(|read| match read {
            Read::Atom(atom) => Some(atom),
            Read::Time => None,
        });
        atoms.collect()
    }

    fn note(&mut self, read: Read) {
        if let Some(reads) = &mut self.reads {
            reads.push(read);
        }
    }

    /// Reads a ground fact; `None` if an argument is undefined.
    fn value(&mut self, fact: &Name, args: &[Term], env: &Env) -> Option<f64> {
        let args = self.objects(args, env)?;
        let names = &self.state.domain.names;
        let atom = names.atom(names.fact(fact), &args)?;
        self.note(Read::Atom(atom));
        Some(self.state.value(atom))
    }

    /// Returns the objects that arguments stand for; `None` if one is undefined.
    pub fn objects(&mut self, args: &[Term], env: &Env) -> Option<Vec<Object>> {
        let objects: Vec<_> = args.iter().map(|arg| self.object(arg, env)).collect();
        objects.into_iter().collect()
    }

    /// Returns the object that a term stands for; `None` if it is undefined.
    pub fn object(&mut self, term: &Term, env: &Env) -> Option<Object> {
        match term {
            Term::Variable(name) => Some(env.get(name).expect("a bound variable")),
            Term::Me => env.me,
            Term::Object(name) => Some(self.state.domain.names.object(name)),
            Term::Fact(fact, args) => {
                let value = self.value(fact, args, env)?;
                (value as usize).checked_sub(1)
            }
        }
    }

    /// Calls a function for all objects of variables until it returns `false`.
    pub fn each(
        &mut self,
        params: &[Param],
        env: &Env,
        each: &mut dyn FnMut(&mut Self, &Env) -> bool,
    ) {
        if params.is_empty() {
            each(self, env);
            return;
        }
        for objects in self.state.domain.names.tuples(params) {
            if !each(self, &env.with(params, objects)) {
                return;
            }
        }
    }

    pub fn formula(&mut self, formula: &Formula, env: &Env) -> bool {
        match &formula.kind {
            FormulaKind::Constant(value) => *value,
            FormulaKind::Fact(fact, args) => self.value(fact, args, env) == Some(1.0),
            FormulaKind::Condition(name, args) => {
                let Some(args) = self.objects(args, env) else {
                    return false;
                };
                let domain = self.state.domain.clone();
                let (params, body) = &domain.conditions[name];
                self.formula(body, &Env::of(env.me).with(params, args))
            }
            FormulaKind::Compare(comparison, a, b) => {
                let mut both = || Some((self.number(a, env)?, self.number(b, env)?));
                match both() {
                    None => *comparison == Comparison::NotEqual,
                    Some((a, b)) => match comparison {
                        Comparison::Equal => a == b,
                        Comparison::NotEqual => a != b,
                        Comparison::Less => a < b,
                        Comparison::LessOrEqual => a <= b,
                        Comparison::Greater => a > b,
                        Comparison::GreaterOrEqual => a >= b,
                    },
                }
            }
            FormulaKind::Same(a, b) => {
                let (a, b) = (self.object(a, env), self.object(b, env));
                a.is_some() && a == b
            }
            FormulaKind::Not(inner) => !self.formula(inner, env),
            FormulaKind::And(parts) => parts.iter().all(|part| self.formula(part, env)),
            FormulaKind::Or(parts) => parts.iter().any(|part| self.formula(part, env)),
            FormulaKind::Imply(a, b) => !self.formula(a, env) || self.formula(b, env),
            FormulaKind::Quantified(quantifier, params, body) => {
                let is_exists = *quantifier == Quantifier::Exists;
                let mut is_decided = false;
                self.each(params, env, &mut |this, env| {
                    is_decided = this.formula(body, env) == is_exists;
                    !is_decided
                });
                is_decided == is_exists
            }
        }
    }

    /// Returns a number; `None` if it is undefined.
    pub fn number(&mut self, number: &Number, env: &Env) -> Option<f64> {
        let value = match number {
            Number::Constant(value) => *value,
            Number::Time => {
                self.note(Read::Time);
                f64::from(self.state.time)
            }
            Number::Fact(fact, args) => self.value(fact, args, env)?,
            Number::Negative(a) => -self.number(a, env)?,
            Number::Arithmetic(operator, a, b) => {
                let (a, b) = (self.number(a, env)?, self.number(b, env)?);
                rounded(match operator {
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a * b,
                    Operator::Divide => a / b,
                })
            }
            Number::Function(function, numbers) => {
                let numbers = numbers.iter().map(|number| self.number(number, env));
                let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
                match function {
                    Function::Min => numbers[0].min(numbers[1]),
                    Function::Max => numbers[0].max(numbers[1]),
                    Function::Abs => numbers[0].abs(),
                    Function::Sqrt => rounded(numbers[0].sqrt()),
                    Function::Floor => numbers[0].floor(),
                    Function::Ceil => numbers[0].ceil(),
                }
            }
            Number::Aggregate(aggregate, params, value, of) => {
                self.aggregate(*aggregate, params, (value, of.as_deref()), env)?
            }
        };
        value.is_finite().then_some(value)
    }

    fn aggregate(
        &mut self,
        aggregate: Aggregate,
        params: &[Param],
        (value, of): (&Number, Option<&Formula>),
        env: &Env,
    ) -> Option<f64> {
        let mut numbers = vec![];
        self.each(params, env, &mut |this, env| {
            let counts = of.is_none_or(|of| this.formula(of, env));
            let number = counts.then(|| this.number(value, env));
            let is_undefined = number == Some(None);
            numbers.extend(number);
            !is_undefined
        });
        let numbers: Vec<f64> = numbers.into_iter().collect::<Option<_>>()?;
        let numbers = numbers.into_iter();
        match aggregate {
            Aggregate::Count | Aggregate::Sum => {
                Some(numbers.fold(0.0, |sum, number| rounded(sum + number)))
            }
            Aggregate::Min => numbers.reduce(f64::min),
            Aggregate::Max => numbers.reduce(f64::max),
        }
    }

    /// Returns the values that effects write; `None` if one needs an undefined value, or would leave
    /// the range of a fact.
    pub fn writes<'e>(
        &mut self,
        effects: impl IntoIterator<Item = &'e typed::Effect>,
        env: &Env,
    ) -> Option<Vec<(Atom, f64)>> {
        // Unsetting, setting, and adding.
        let mut changes: [Vec<(Atom, f64)>; 3] = Default::default();
        let mut is_possible = true;
        for effect in effects {
            self.each(&effect.forall, env, &mut |this, env| {
                let applies = effect.when.as_ref();
                if applies.is_none_or(|when| this.formula(when, env)) {
                    match this.change(&effect.change, env) {
                        Some((kind, atom, value)) => changes[kind].push((atom, value)),
                        None => is_possible = false,
                    }
                }
                is_possible
            });
        }
        if !is_possible {
            return None;
        }
        let [unset, set, add] = changes;
        let mut written: BTreeMap<Atom, f64> = unset.into_iter().chain(set).collect();
        for (atom, difference) in add {
            let before = written.get(&atom).copied();
            let before = before.unwrap_or_else(|| {
                self.note(Read::Atom(atom));
                self.state.value(atom)
            });
            written.insert(atom, rounded(before + difference));
        }
        let names = &self.state.domain.names;
        let is_in_range = |(atom, value): (&Atom, &f64)| match names.fact_of(*atom).kind {
            Kind::Number { integer, min, max } => {
                min.is_none_or(|min| *value >= min)
                    && max.is_none_or(|max| *value <= max)
                    && (!integer || value.fract() == 0.0)
                    && value.is_finite()
            }
            Kind::Bool | Kind::Object => true,
        };
        let is_possible = written.iter().all(is_in_range);
        is_possible.then(|| written.into_iter().collect())
    }

    fn change(&mut self, change: &Change, env: &Env) -> Option<(usize, Atom, f64)> {
        let (fact, args) = match change {
            Change::Set(fact, args)
            | Change::Unset(fact, args)
            | Change::Number(_, fact, args, _)
            | Change::Object(fact, args, _) => (fact, args),
        };
        let args = self.objects(args, env)?;
        let names = &self.state.domain.names;
        let atom = names.atom(names.fact(fact), &args)?;
        Some(match change {
            Change::Unset(..) => (0, atom, 0.0),
            Change::Set(..) => (1, atom, 1.0),
            Change::Object(.., term) => (1, atom, self.object(term, env)? as f64 + 1.0),
            Change::Number(assignment, .., number) => {
                let number = self.number(number, env)?;
                match assignment {
                    Assignment::Assign => (1, atom, number),
                    Assignment::Increase => (2, atom, number),
                    Assignment::Decrease => (2, atom, -number),
                }
            }
        })
    }
}

/// Returns the result of an operation whose floating-point result this is.
pub fn rounded(result: f64) -> f64 {
    let size = result.abs();
    if result.fract() == 0.0 || !result.is_finite() {
        return result + 0.0;
    }
    let places = match size {
        _ if size < 1e9 => 1e6,
        _ if size < 1e12 => 1e3,
        _ => 1.0,
    };
    let nearest = result.signum() * (size * places).round() / places;
    if size >= 1e6 || nearest != 0.0 && (result - nearest).abs() <= 1e-9 {
        nearest
    } else {
        result
    }
}

/// A part of a formula that isn't as it should be, and what it read.
pub struct Part {
    text: String,
    pub reads: Vec<Read>,
}

impl Part {
    /// Returns the part in words, with the values that it has read unless it says them itself.
    pub fn describe(&self, state: &State) -> String {
        let domain = &state.domain;
        let describe = |read: &Read| {
            let Read::Atom(atom) = read else {
                return Some(format!("time is {}", state.time));
            };
            let (name, value) = (domain.names.written(*atom).to_string(), state.value(*atom));
            let text = match domain.names.fact_of(*atom).kind {
                Kind::Bool => {
                    let says = match value == 1.0 {
                        true => format!("not {name}"),
                        false => name.clone(),
                    };
                    if self.text == says {
                        return None;
                    }
                    (value == 1.0).to_string()
                }
                Kind::Number { .. } => value.to_string(),
                Kind::Object => match (value as usize).checked_sub(1) {
                    Some(object) => domain.names.objects[object].to_string(),
                    None => "none".to_owned(),
                },
            };
            Some(format!("{name} is {text}"))
        };
        let values: Vec<String> = self
            .reads
            .iter()
            .filter_map(describe)
            .take(MAX_VALUES)
            .collect();
        match values.is_empty() {
            true => self.text.clone(),
            false => format!("{} ({})", self.text, values.join(", ")),
        }
    }
}

/// Finds the parts that keep a formula from being as wanted.
pub fn parts(state: &State, formula: &Formula, wanted: bool, env: &Env) -> Vec<Part> {
    let mut found = vec![];
    add_parts(state, formula, wanted, env, &mut found);
    found
}

fn add_parts(state: &State, formula: &Formula, wanted: bool, env: &Env, found: &mut Vec<Part>) {
    let is = |formula: &Formula, env: &Env| Evaluation::new(state).formula(formula, env);
    if found.len() >= MAX_PARTS || is(formula, env) == wanted {
        return;
    }
    match (&formula.kind, wanted) {
        (FormulaKind::Not(inner), _) => return add_parts(state, inner, !wanted, env, found),
        (FormulaKind::And(all), true) | (FormulaKind::Or(all), false) => {
            for one in all {
                add_parts(state, one, wanted, env, found);
            }
            return;
        }
        (FormulaKind::Quantified(quantifier, params, body), _)
            if (*quantifier == Quantifier::Exists) != wanted =>
        {
            let mut failing = None;
            Evaluation::new(state).each(params, env, &mut |this, env| {
                let is_wrong = this.formula(body, env) != wanted;
                failing = is_wrong.then(|| env.clone());
                !is_wrong
            });
            let failing = failing.expect("one is wrong");
            return add_parts(state, body, wanted, &failing, found);
        }
        (FormulaKind::Condition(name, args), _) => {
            if let Some(args) = Evaluation::new(state).objects(args, env) {
                let (params, body) = &state.domain.conditions[name];
                let env = Env::of(env.me).with(params, args);
                return add_parts(state, body, wanted, &env, found);
            }
        }
        _ => {}
    }
    let mut evaluation = Evaluation::noting(state);
    evaluation.formula(formula, env);
    let mut reads: Vec<Read> = vec![];
    for read in evaluation.reads.into_iter().flatten() {
        if !reads.contains(&read) && reads.len() < MAX_FACTS {
            reads.push(read);
        }
    }
    let ground = ground(&state.domain, formula, env);
    let text = match wanted {
        true => print_formula(&ground),
        false => print_formula(&Formula {
            span: ground.span,
            kind: FormulaKind::Not(Box::new(ground)),
        }),
    };
    found.push(Part { text, reads });
}

/// Returns a formula with objects in the place of variables.
fn ground(domain: &Domain, formula: &Formula, env: &Env) -> Formula {
    let again = |formula: &Formula| Box::new(ground(domain, formula, env));
    let all = |parts: &[Formula]| parts.iter().map(|part| *again(part)).collect();
    let terms = |args: &[Term]| {
        args.iter()
            .map(|arg| ground_term(domain, arg, env))
            .collect()
    };
    let number = |number: &Number| ground_number(domain, number, env);
    let kind = match &formula.kind {
        FormulaKind::Constant(value) => FormulaKind::Constant(*value),
        FormulaKind::Fact(name, args) => FormulaKind::Fact(name.clone(), terms(args)),
        FormulaKind::Condition(name, args) => FormulaKind::Condition(name.clone(), terms(args)),
        FormulaKind::Compare(by, a, b) => FormulaKind::Compare(*by, number(a), number(b)),
        FormulaKind::Same(a, b) => {
            FormulaKind::Same(ground_term(domain, a, env), ground_term(domain, b, env))
        }
        FormulaKind::Not(inner) => FormulaKind::Not(again(inner)),
        FormulaKind::And(parts) => FormulaKind::And(all(parts)),
        FormulaKind::Or(parts) => FormulaKind::Or(all(parts)),
        FormulaKind::Imply(a, b) => FormulaKind::Imply(again(a), again(b)),
        FormulaKind::Quantified(quantifier, params, body) => {
            FormulaKind::Quantified(*quantifier, params.clone(), again(body))
        }
    };
    let span = formula.span;
    Formula { kind, span }
}

fn ground_number(domain: &Domain, number: &Number, env: &Env) -> Number {
    let again = |number: &Number| Box::new(ground_number(domain, number, env));
    let terms = |args: &[Term]| {
        args.iter()
            .map(|arg| ground_term(domain, arg, env))
            .collect()
    };
    match number {
        Number::Constant(_) | Number::Time => number.clone(),
        Number::Fact(name, args) => Number::Fact(name.clone(), terms(args)),
        Number::Arithmetic(operator, a, b) => Number::Arithmetic(*operator, again(a), again(b)),
        Number::Negative(a) => Number::Negative(again(a)),
        Number::Aggregate(aggregate, params, value, of) => {
            let of = of.as_ref().map(|of| Box::new(ground(domain, of, env)));
            Number::Aggregate(*aggregate, params.clone(), again(value), of)
        }
        Number::Function(function, numbers) => {
            Number::Function(*function, numbers.iter().map(|one| *again(one)).collect())
        }
    }
}

fn ground_term(domain: &Domain, term: &Term, env: &Env) -> Term {
    match term {
        Term::Variable(name) => match env.get(name) {
            Some(object) => Term::Object(domain.names.objects[object].clone()),
            None => term.clone(),
        },
        Term::Me | Term::Object(_) => term.clone(),
        Term::Fact(fact, args) => {
            let args = args.iter().map(|arg| ground_term(domain, arg, env));
            Term::Fact(fact.clone(), args.collect())
        }
    }
}
