//! The evaluation of typed trees in a state: simple rather than fast, and sharing nothing with the
//! search's compiled code, so that one can check the other. The semantics are at the top of
//! [`super::typed`].

use std::fmt;

use smallvec::SmallVec;

use crate::ground::{Atom, Value};
use taskloom_document::stop::Stop;
use taskloom_document::{Name, Param};

use super::typed::{Aggregate, Formula, FormulaKind, Number, Term};

mod effects;
mod explain;
mod repeated;
mod spare;

#[cfg(test)]
mod tests;

pub use effects::eval_effects;
pub use explain::{Explanation, evidence, explain};
pub use repeated::Repeated;
pub(crate) use spare::with_atom;

/// Maximum depth of nested formulas and condition calls together: fits several times on the small
/// stack of a Web Worker.
const MAX_LEVELS: u32 = 300;

/// Maximum number of formula parts evaluated for one query that can't be stopped.
const MAX_STEPS: u64 = 10_000_000;

/// A state and its domain.
pub trait World {
    /// Returns the value of a ground fact, or its default if it isn't set.
    fn value(&self, atom: &Atom) -> Value;
    /// Returns the objects of a type, including its subtypes, by name.
    fn objects(&self, of: &Name) -> Vec<Name>;
    /// Returns a named condition's parameters and formula, or `None` if it is invalid.
    fn condition(&self, name: &Name) -> Option<(&[Param], &Formula)>;
    /// Returns the object that acts, `?me`, if there is one.
    fn me(&self) -> Option<&Name> {
        None
    }
    /// Returns the current tick, `time`.
    fn time(&self) -> f64 {
        0.0
    }
    /// Returns the stop that ends evaluation, which then has no limit; by default there is none.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

/// The bindings of variables to objects.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Env(SmallVec<[(Name, Name); 4]>);

impl Env {
    /// Creates an environment without variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Binds parameters to as many objects.
    pub fn bound(params: &[Param], objects: &[Name]) -> Self {
        let names = params.iter().map(|param| param.name.clone());
        Self(names.zip(objects.iter().cloned()).collect())
    }

    /// Binds a variable.
    pub fn bind(&mut self, variable: Name, object: Name) {
        self.0.push((variable, object));
    }

    /// Returns the object that a variable is bound to.
    pub fn get(&self, variable: &Name) -> Option<&Name> {
        let found = self.0.iter().rev().find(|(name, _)| name == variable);
        found.map(|(_, object)| object)
    }
}

/// The reason why something can't be evaluated in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvalError {
    /// Division by zero.
    DivisionByZero,
    /// The square root of a negative number.
    RootOfNegative,
    /// A minimum or maximum over no objects.
    NoObject,
    /// A number that isn't finite.
    NotFinite,
    /// This fact, or one of its arguments, is undefined.
    NoValue(Name),
    /// The variable is not in the [`Env`].
    UnboundVariable(Name),
    /// The world has no such condition.
    UnknownCondition(Name),
    /// Formulas and conditions are nested too deeply.
    TooDeep,
    /// Quantifiers or aggregates range over too many combinations of objects.
    TooLong,
    /// The world's [`World::stop`] was triggered.
    Stopped,
}

impl EvalError {
    /// Returns `true` if only a number or an object is undefined. Then a comparison is false, but
    /// the formula around it still has a value.
    pub fn is_missing_value(&self) -> bool {
        matches!(
            self,
            Self::DivisionByZero
                | Self::RootOfNegative
                | Self::NoObject
                | Self::NotFinite
                | Self::NoValue(_)
        )
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::RootOfNegative => f.write_str("square root of a negative number"),
            Self::NoObject => f.write_str("minimum or maximum over no objects"),
            Self::NotFinite => f.write_str("a number is too large"),
            Self::NoValue(fact) => write!(f, "'{fact}' or one of its arguments is undefined"),
            Self::UnboundVariable(name) => write!(f, "'?{name}' is unbound"),
            Self::UnknownCondition(name) => write!(f, "the condition '{name}' is invalid"),
            Self::TooDeep => f.write_str("formulas and conditions are nested too deeply"),
            Self::TooLong => f.write_str("a quantifier or aggregate ranges over too many objects"),
            Self::Stopped => f.write_str("the evaluation was stopped"),
        }
    }
}
impl std::error::Error for EvalError {}

/// Evaluates a formula.
pub fn eval_formula(formula: &Formula, world: &dyn World, env: &Env) -> Result<bool, EvalError> {
    Evaluation::new(world).formula(formula, &mut env.clone())
}

/// Evaluates a number; the result is finite.
pub fn eval_number(number: &Number, world: &dyn World, env: &Env) -> Result<f64, EvalError> {
    Evaluation::new(world).number(number, &mut env.clone())
}

/// Evaluates a term to an object, or to `None` if it is undefined.
pub fn eval_term(term: &Term, world: &dyn World, env: &Env) -> Result<Option<Name>, EvalError> {
    Evaluation::new(world).term(term, env)
}

fn finite(number: f64) -> Result<f64, EvalError> {
    match number.is_finite() {
        true => Ok(number),
        false => Err(EvalError::NotFinite),
    }
}

fn as_number(fact: &Name, value: Value) -> Result<f64, EvalError> {
    match value {
        Value::Number(number) => finite(number),
        Value::Bool(_) | Value::Object(_) => Err(EvalError::NoValue(fact.clone())),
    }
}

/// One query of a world.
struct Evaluation<'w> {
    world: &'w dyn World,
    levels: u32,
    /// The nesting of numbers since the last formula or aggregate was entered.
    numbers: u32,
    steps: u64,
    stop: Stop,
    /// The facts read, without duplicates, up to a maximum; `None` if they aren't recorded.
    saw: Option<Vec<(Atom, Value)>>,
    /// The values of terms without variables so far; `None` if they aren't reused.
    closed: Option<Closed>,
}

/// The values of terms, by their addresses.
type Closed = SmallVec<[(*const Term, Option<Name>); 4]>;

/// A callback for each binding of quantified variables; returns `false` to end the iteration.
type Each<'f, 'w> = dyn FnMut(&mut Evaluation<'w>, &mut Env) -> Result<bool, EvalError> + 'f;

impl<'w> Evaluation<'w> {
    fn new(world: &'w dyn World) -> Self {
        Self {
            world,
            levels: 0,
            numbers: 0,
            steps: 0,
            stop: world.stop(),
            saw: None,
            closed: None,
        }
    }

    fn formula(&mut self, formula: &Formula, env: &mut Env) -> Result<bool, EvalError> {
        if self.levels >= MAX_LEVELS {
            return Err(EvalError::TooDeep);
        }
        self.count(1)?;
        self.levels += 1;
        let numbers = std::mem::take(&mut self.numbers);
        let holds = self.holds(formula, env);
        self.numbers = numbers;
        self.levels -= 1;
        holds
    }

    /// Counts evaluated parts of formulas.
    fn count(&mut self, parts: usize) -> Result<(), EvalError> {
        self.steps += parts as u64;
        if self.stop.after(parts) {
            Err(EvalError::Stopped)
        } else if self.steps > MAX_STEPS && self.stop.is_never() {
            Err(EvalError::TooLong)
        } else {
            Ok(())
        }
    }

    fn holds(&mut self, formula: &Formula, env: &mut Env) -> Result<bool, EvalError> {
        match &formula.kind {
            FormulaKind::Constant(value) => Ok(*value),
            FormulaKind::Fact(fact, args) => {
                let value = match self.objects(args, env)? {
                    Some(args) => self.read(fact, args),
                    None => return Ok(false),
                };
                Ok(value == Value::Bool(true))
            }
            FormulaKind::Condition(name, args) => {
                let Some(args) = self.objects(args, env)? else {
                    return Ok(false);
                };
                let found = self.world.condition(name);
                let (params, formula) =
                    found.ok_or_else(|| EvalError::UnknownCondition(name.clone()))?;
                let mut inner = Env::bound(params, &args);
                spare::give_back(args);
                self.formula(formula, &mut inner)
            }
            FormulaKind::Compare(comparison, a, b) => {
                let both = self
                    .number(a, env)
                    .and_then(|a| Ok((a, self.number(b, env)?)));
                match both {
                    Ok((a, b)) => Ok(comparison.holds(a, b)),
                    Err(error) if error.is_missing_value() => {
                        Ok(comparison.of_different().unwrap_or(false))
                    }
                    Err(error) => Err(error),
                }
            }
            FormulaKind::Same(a, b) => {
                let (a, b) = (self.term(a, env)?, self.term(b, env)?);
                Ok(a.is_some() && a == b)
            }
            FormulaKind::Not(inner) => Ok(!self.formula(inner, env)?),
            FormulaKind::And(parts) => {
                for part in parts {
                    if !self.formula(part, env)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            FormulaKind::Or(parts) => {
                for part in parts {
                    if self.formula(part, env)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            FormulaKind::Imply(a, b) => Ok(!self.formula(a, env)? || self.formula(b, env)?),
            FormulaKind::Quantified(quantifier, params, body) => {
                let decisive = quantifier.decisive();
                let mut holds = !decisive;
                self.each_binding(params, env, &mut |this, env| {
                    let found = this.formula(body, env)? == decisive;
                    if found {
                        holds = decisive;
                    }
                    Ok(!found)
                })?;
                Ok(holds)
            }
        }
    }

    /// Iterates over all combinations of objects for the parameters, the last parameter changing
    /// fastest, until the callback returns `false`.
    fn each_binding(
        &mut self,
        params: &[Param],
        env: &mut Env,
        each: &mut Each<'_, 'w>,
    ) -> Result<(), EvalError> {
        let world = self.world;
        let objects: Vec<Vec<Name>> = params.iter().map(|p| world.objects(&p.of)).collect();
        let listed: usize = objects.iter().map(Vec::len).sum();
        self.stop.after(listed);
        if objects.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let before = env.0.len();
        let mut choice = vec![0usize; params.len()];
        let result = loop {
            env.0.truncate(before);
            for ((param, objects), chosen) in params.iter().zip(&objects).zip(&choice) {
                if let Some(object) = objects.get(*chosen) {
                    env.bind(param.name.clone(), object.clone());
                }
            }
            match each(self, env) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
            if let Err(error) = self.count(params.len()) {
                break Err(error);
            }
            let mut digits = choice.iter_mut().zip(&objects).rev();
            let advanced = digits.any(|(chosen, objects)| {
                *chosen += 1;
                let fits = *chosen < objects.len();
                if !fits {
                    *chosen = 0;
                }
                fits
            });
            if !advanced {
                break Ok(());
            }
        };
        env.0.truncate(before);
        result
    }

    fn number(&mut self, number: &Number, env: &mut Env) -> Result<f64, EvalError> {
        self.numbers += 1;
        let value = self.number_value(number, env);
        self.numbers -= 1;
        value
    }

    fn number_value(&mut self, number: &Number, env: &mut Env) -> Result<f64, EvalError> {
        match number {
            Number::Constant(value) => Ok(*value),
            Number::Fact(fact, args) => match self.objects(args, env)? {
                Some(args) => as_number(fact, self.read(fact, args)),
                None => Err(EvalError::NoValue(fact.clone())),
            },
            Number::Time => Ok(self.time()),
            Number::Negative(a) => Ok(-self.number(a, env)?),
            Number::Arithmetic(operator, a, b) => {
                let (a, b) = (self.number(a, env)?, self.number(b, env)?);
                finite(operator.apply(a, b).ok_or(EvalError::DivisionByZero)?)
            }
            Number::Function(function, numbers) => {
                let numbers = numbers.iter().map(|number| self.number(number, env));
                let numbers: Vec<f64> = numbers.collect::<Result<_, _>>()?;
                function.apply(&numbers).ok_or(EvalError::RootOfNegative)
            }
            Number::Aggregate(aggregate, params, value, of) => {
                // The inside may be just as deep again, so the enclosing numbers count too.
                let numbers = std::mem::take(&mut self.numbers);
                self.levels += numbers;
                let all = if self.levels < MAX_LEVELS {
                    self.aggregate(*aggregate, params, (value, of.as_deref()), env)
                } else {
                    Err(EvalError::TooDeep)
                };
                self.levels -= numbers;
                self.numbers = numbers;
                all
            }
        }
    }

    fn aggregate(
        &mut self,
        aggregate: Aggregate,
        params: &[Param],
        (value, of): (&Number, Option<&Formula>),
        env: &mut Env,
    ) -> Result<f64, EvalError> {
        let mut so_far = aggregate.start();
        let mut is_empty = true;
        self.each_binding(params, env, &mut |this, env| {
            let counts = match of {
                Some(of) => this.formula(of, env)?,
                None => true,
            };
            if counts {
                so_far = aggregate.with(so_far, this.number(value, env)?);
                is_empty = false;
            }
            Ok(true)
        })?;
        match aggregate {
            Aggregate::Min | Aggregate::Max if is_empty => Err(EvalError::NoObject),
            _ => finite(so_far),
        }
    }

    fn term(&mut self, term: &Term, env: &Env) -> Result<Option<Name>, EvalError> {
        match term {
            Term::Object(name) => Ok(Some(name.clone())),
            Term::Me => Ok(self.world.me().cloned()),
            Term::Variable(name) => match env.get(name) {
                Some(object) => Ok(Some(object.clone())),
                None => Err(EvalError::UnboundVariable(name.clone())),
            },
            Term::Fact(fact, args) => self.reuse(term, |this| match this.objects(args, env)? {
                Some(args) => match this.read(fact, args) {
                    Value::Object(object) => Ok(object),
                    Value::Bool(_) | Value::Number(_) => Ok(None),
                },
                None => Ok(None),
            }),
        }
    }

    /// Evaluates arguments to objects, or to `None` if one is undefined.
    fn objects(&mut self, args: &[Term], env: &Env) -> Result<Option<Vec<Name>>, EvalError> {
        let mut objects = spare::take();
        for arg in args {
            objects.extend(self.term(arg, env)?);
        }
        if objects.len() < args.len() {
            spare::give_back(objects);
            return Ok(None);
        }
        Ok(Some(objects))
    }

    fn time(&mut self) -> f64 {
        let time = self.world.time();
        if self.saw.is_some() {
            let (fact, args) = (Name::time(), vec![]);
            self.note(&Atom { fact, args }, &Value::Number(time));
        }
        time
    }

    fn read(&mut self, fact: &Name, args: Vec<Name>) -> Value {
        let fact = fact.clone();
        let atom = Atom { fact, args };
        let value = self.world.value(&atom);
        self.note(&atom, &value);
        spare::give_back(atom.args);
        value
    }

    /// Records what was read, if requested.
    fn note(&mut self, atom: &Atom, value: &Value) {
        if let Some(saw) = &mut self.saw
            && saw.len() < explain::MAX_FACTS
            && !saw.iter().any(|(seen, _)| seen == atom)
        {
            saw.push((atom.clone(), value.clone()));
        }
    }
}
