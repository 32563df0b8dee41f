//! What typed trees amount to in a state: clear and simple rather than fast, and
//! sharing nothing with the search's compiled code, so that one can check the
//! other. The meaning is set down at the top of [`super::typed`].

use std::fmt;

use crate::ground::{Atom, Value};
use taskloom_document::stop::Stop;
use taskloom_document::{Name, Param};

use super::typed::{Aggregate, Formula, FormulaKind, Number, Term};

mod effects;
mod explain;

#[cfg(test)]
mod tests;

pub use effects::eval_effects;
pub use explain::{Explanation, explain};

/// How deep formulas may call conditions and nest, taken together: what fits on
/// the small stack of a Web Worker, several times over.
const MAX_LEVELS: u32 = 300;

/// How many parts of formulas one question may evaluate where nothing stops it.
const MAX_STEPS: u64 = 10_000_000;

/// A state and the domain around it.
pub trait World {
    /// The value of a ground fact; its default where it is not set.
    fn value(&self, atom: &Atom) -> Value;
    /// The objects of a type and of all kinds of it, by name.
    fn objects(&self, of: &Name) -> Vec<Name>;
    /// A named condition's parameters and formula; `None` where it means nothing.
    fn condition(&self, name: &Name) -> Option<(&[Param], &Formula)>;
    /// The object that plays, `?me`; none where none does.
    fn me(&self) -> Option<&Name> {
        None
    }
    /// The tick, `time`.
    fn time(&self) -> f64 {
        0.0
    }
    /// What stops a question, which may be as long as it likes then; by default
    /// nothing does.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

/// The objects that variables stand for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Env(Vec<(Name, Name)>);

impl Env {
    /// No variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parameters bound to as many objects.
    pub fn bound(params: &[Param], objects: &[Name]) -> Self {
        let names = params.iter().map(|param| param.name.clone());
        Self(names.zip(objects.iter().cloned()).collect())
    }

    /// Binds a variable.
    pub fn bind(&mut self, variable: Name, object: Name) {
        self.0.push((variable, object));
    }

    /// What a variable stands for.
    pub fn get(&self, variable: &Name) -> Option<&Name> {
        let found = self.0.iter().rev().find(|(name, _)| name == variable);
        found.map(|(_, object)| object)
    }
}

/// Why something has no value in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvalError {
    /// A number divides by zero.
    DivisionByZero,
    /// A number takes the root of a negative one.
    RootOfNegative,
    /// There is no object whose number would be the least or the greatest.
    NoObject,
    /// A number is too large for the computer.
    NotFinite,
    /// An argument of this fact, or the fact itself, has no value.
    NoValue(Name),
    /// The variable is not in the [`Env`].
    UnboundVariable(Name),
    /// The world has no such condition.
    UnknownCondition(Name),
    /// Conditions call each other too deeply.
    TooDeep,
    /// Quantifiers or aggregates range over too many combinations of objects.
    TooLong,
    /// The world's [`World::stop`] was heard.
    Stopped,
}

impl EvalError {
    /// Whether only a number or an object is missing: that makes a comparison
    /// false, and the formula around it means something all the same.
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

/// Whether a formula holds.
pub fn eval_formula(formula: &Formula, world: &dyn World, env: &Env) -> Result<bool, EvalError> {
    Evaluation::new(world).formula(formula, &mut env.clone())
}

/// The value of a number, finite.
pub fn eval_number(number: &Number, world: &dyn World, env: &Env) -> Result<f64, EvalError> {
    Evaluation::new(world).number(number, &mut env.clone())
}

/// The object that a term stands for; `None` where it has no value.
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

/// One question to a world.
struct Evaluation<'w> {
    world: &'w dyn World,
    levels: u32,
    /// How many numbers are evaluated since the last formula or aggregate was begun.
    numbers: u32,
    steps: u64,
    stop: Stop,
    /// Facts read, each once, the first of them only; `None`: not asked for.
    saw: Option<Vec<(Atom, Value)>>,
}

/// What is done for each binding of quantified variables; whether to go on.
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

    /// Counts parts of formulas.
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
                self.formula(formula, &mut Env::bound(params, &args))
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

    /// Runs through all combinations of objects for the parameters, the last
    /// changing fastest, until one says to stop.
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
                // What is inside may be as deep again: the numbers around it count, too.
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
            Term::Fact(fact, args) => match self.objects(args, env)? {
                Some(args) => match self.read(fact, args) {
                    Value::Object(object) => Ok(object),
                    Value::Bool(_) | Value::Number(_) => Ok(None),
                },
                None => Ok(None),
            },
        }
    }

    /// The objects of arguments; `None` where one has no value.
    fn objects(&mut self, args: &[Term], env: &Env) -> Result<Option<Vec<Name>>, EvalError> {
        let mut objects = Vec::with_capacity(args.len());
        for arg in args {
            objects.extend(self.term(arg, env)?);
        }
        Ok((objects.len() == args.len()).then_some(objects))
    }

    fn time(&mut self) -> f64 {
        let time = self.world.time();
        let (fact, args) = (Name::time(), vec![]);
        self.note(Atom { fact, args }, &Value::Number(time));
        time
    }

    fn read(&mut self, fact: &Name, args: Vec<Name>) -> Value {
        let fact = fact.clone();
        let atom = Atom { fact, args };
        let value = self.world.value(&atom);
        self.note(atom, &value);
        value
    }

    /// Notes what was read, where that is asked for.
    fn note(&mut self, atom: Atom, value: &Value) {
        if let Some(saw) = &mut self.saw
            && saw.len() < explain::MAX_FACTS
            && !saw.iter().any(|(seen, _)| *seen == atom)
        {
            saw.push((atom, value.clone()));
        }
    }
}
