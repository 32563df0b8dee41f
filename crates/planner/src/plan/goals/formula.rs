//! Conditions, objects and numbers of ground actions, and what they come to in a state.
//! Everything that never changes has been put in for good; what is left reads variables.

use std::hash::{Hash, Hasher};

use taskloom_domain::lang::ast::{Aggregate, Comparison, Function, Operator};

use crate::plan::evaluate::NOTHING;

/// What is true or false. Negations are at the leaves.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// Itself.
    Constant(bool),
    /// A boolean variable is so.
    Is(u32, bool),
    /// Every one of these.
    All(Box<[Cond]>),
    /// One of these.
    Any(Box<[Cond]>),
    /// Whether both are the same object is so. What has no value is the same as nothing.
    Same(Box<(Obj, Obj)>, bool),
    /// There is such an object.
    Exists(Obj),
    /// The comparison is so. One with a number that has no value holds only for `!=`.
    Compare(Comparison, Box<(Num, Num)>, bool),
    /// The condition of the object that this is; the last of them where it is none.
    Case(Box<Case<Cond>>),
}

/// What stands for an object.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Obj {
    /// The object, or [`NOTHING`].
    Object(u32),
    /// The value of a variable.
    Var(u32),
    /// What belongs to the object that this is.
    Case(Box<Case<Obj>>),
}

/// What is a number.
#[derive(Debug, Clone, PartialEq)]
pub enum Num {
    /// Itself; not a number: no value.
    Constant(f64),
    /// The value of a variable.
    Var(u32),
    /// What belongs to the object that this is.
    Case(Box<Case<Num>>),
    /// The opposite.
    Negative(Box<Num>),
    /// Two numbers.
    Arithmetic(Operator, Box<(Num, Num)>),
    /// A function of one number, which is there twice then, or of two.
    Function(Function, Box<(Num, Num)>),
    /// One number of all these for which the condition holds.
    Aggregate(Aggregate, Box<[(Cond, Num)]>),
}

/// One of these for each object, and one for where there is none.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Case<T> {
    /// Which.
    pub of: Obj,
    /// By object; the last: for none.
    pub by: Vec<T>,
}

impl<T> Case<T> {
    /// What belongs to an object.
    pub fn of(&self, object: u32) -> &T {
        let last = self.by.len() - 1;
        &self.by[last.min(object as usize)]
    }
}

/// A value for every variable: those of the boolean ones, 64 in a word, then of each other one
/// its bits: of a number those of its `f64`, of an object its number + 1, 0 for none.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// Boolean variables.
    pub bits: &'a [u64],
    /// The others.
    pub words: &'a [u64],
}

impl Values<'_> {
    /// Whether a boolean variable is true.
    pub fn is(&self, variable: u32) -> bool {
        self.bits[variable as usize / 64] >> (variable % 64) & 1 == 1
    }

    /// The object that a variable is.
    pub fn object(&self, variable: u32) -> u32 {
        match self.words[variable as usize] {
            0 => NOTHING,
            object => (object - 1) as u32,
        }
    }

    /// The number that a variable is.
    pub fn number(&self, variable: u32) -> f64 {
        f64::from_bits(self.words[variable as usize])
    }
}

/// Whether numbers compare so; not if one has no value, except for `!=`.
pub fn compares(comparison: Comparison, a: f64, b: f64) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessOrEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterOrEqual => a >= b,
    }
}

/// What arithmetic gives; not a number where it has no value.
pub fn calculate(operator: Operator, a: f64, b: f64) -> f64 {
    let result = operator.apply(a, b).unwrap_or(f64::NAN);
    if result.is_finite() { result } else { f64::NAN }
}

/// What a function gives; not a number where it has no value.
pub fn call(function: Function, a: f64, b: f64) -> f64 {
    let both = [a, b];
    let numbers = &both[..function.arity()];
    if numbers.iter().any(|number| number.is_nan()) {
        return f64::NAN;
    }
    function.apply(numbers).unwrap_or(f64::NAN)
}

/// The aggregate of numbers; not a number if one of them has no value, or the aggregate has none.
pub fn aggregated(aggregate: Aggregate, numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut so_far = aggregate.start();
    for number in numbers {
        if number.is_nan() {
            return number;
        }
        so_far = aggregate.with(so_far, number);
    }
    if so_far.is_finite() { so_far } else { f64::NAN }
}

impl Hash for Cond {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Constant(value) => value.hash(state),
            Self::Is(variable, so) => (variable, so).hash(state),
            Self::All(parts) | Self::Any(parts) => parts.hash(state),
            Self::Same(both, so) => (both, so).hash(state),
            Self::Exists(object) => object.hash(state),
            Self::Compare(comparison, both, so) => (*comparison as u8, both, so).hash(state),
            Self::Case(case) => case.hash(state),
        }
    }
}

impl Hash for Num {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Constant(number) => number.to_bits().hash(state),
            Self::Var(variable) => variable.hash(state),
            Self::Case(case) => case.hash(state),
            Self::Negative(of) => of.hash(state),
            Self::Arithmetic(operator, both) => (*operator as u8, both).hash(state),
            Self::Function(function, both) => (*function as u8, both).hash(state),
            Self::Aggregate(aggregate, parts) => (*aggregate as u8, parts).hash(state),
        }
    }
}

impl Cond {
    /// Bytes held, but for itself.
    pub fn memory(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Is(..) => 0,
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::size).sum(),
            Self::Same(both, _) => both.0.size() + both.1.size(),
            Self::Exists(object) => object.memory(),
            Self::Compare(_, both, _) => both.0.size() + both.1.size(),
            Self::Case(case) => case.size(Self::size),
        }
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.memory()
    }

    /// All of these, put simply.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, true)
    }

    /// One of these, put simply.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, false)
    }

    fn join(parts: impl IntoIterator<Item = Self>, all: bool) -> Self {
        let mut left = vec![];
        for part in parts {
            match part {
                Self::Constant(value) if value == all => {}
                Self::Constant(_) => return part,
                Self::All(inner) if all => left.extend(inner),
                Self::Any(inner) if !all => left.extend(inner),
                part => left.push(part),
            }
        }
        match left.len() {
            0 => Self::Constant(all),
            1 => left.remove(0),
            _ if all => Self::All(left.into()),
            _ => Self::Any(left.into()),
        }
    }

    /// The opposite.
    pub fn negated(&self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Is(variable, so) => Self::Is(*variable, !so),
            Self::All(parts) => Self::any(parts.iter().map(Self::negated)),
            Self::Any(parts) => Self::all(parts.iter().map(Self::negated)),
            Self::Same(both, so) => Self::Same(both.clone(), !so),
            Self::Exists(object) => Self::Same(Box::new((object.clone(), object.clone())), false),
            Self::Compare(comparison, both, so) => Self::Compare(*comparison, both.clone(), !so),
            Self::Case(case) => Self::Case(Box::new(Case {
                of: case.of.clone(),
                by: case.by.iter().map(Self::negated).collect(),
            })),
        }
    }

    /// Whether it holds.
    pub fn holds(&self, values: Values<'_>) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Is(variable, so) => values.is(*variable) == *so,
            Self::All(parts) => parts.iter().all(|part| part.holds(values)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(values)),
            Self::Same(both, so) => {
                let (a, b) = (both.0.value(values), both.1.value(values));
                (a == b && a != NOTHING) == *so
            }
            Self::Exists(object) => object.value(values) != NOTHING,
            Self::Compare(comparison, both, so) => {
                compares(*comparison, both.0.value(values), both.1.value(values)) == *so
            }
            Self::Case(case) => case.of(case.of.value(values)).holds(values),
        }
    }

    /// Says of each variable that it reads which it is, and whether it is a boolean one.
    pub fn reads(&self, note: &mut dyn FnMut(u32, bool)) {
        match self {
            Self::Constant(_) => {}
            Self::Is(variable, _) => note(*variable, true),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.reads(note));
            }
            Self::Same(both, _) => {
                both.0.reads(note);
                both.1.reads(note);
            }
            Self::Exists(object) => object.reads(note),
            Self::Compare(_, both, _) => {
                both.0.reads(note);
                both.1.reads(note);
            }
            Self::Case(case) => {
                case.of.reads(note);
                case.by.iter().for_each(|part| part.reads(note));
            }
        }
    }
}

impl<T> Case<T> {
    fn size(&self, of_part: fn(&T) -> usize) -> usize {
        size_of::<Self>() + self.of.memory() + self.by.iter().map(of_part).sum::<usize>()
    }
}

impl Obj {
    /// Bytes held, but for itself.
    pub fn memory(&self) -> usize {
        match self {
            Self::Object(_) | Self::Var(_) => 0,
            Self::Case(case) => case.size(Self::size),
        }
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.memory()
    }

    /// The object, or [`NOTHING`].
    pub fn value(&self, values: Values<'_>) -> u32 {
        match self {
            Self::Object(object) => *object,
            Self::Var(variable) => values.object(*variable),
            Self::Case(case) => case.of(case.of.value(values)).value(values),
        }
    }

    /// As [`Cond::reads`].
    pub fn reads(&self, note: &mut dyn FnMut(u32, bool)) {
        match self {
            Self::Object(_) => {}
            Self::Var(variable) => note(*variable, false),
            Self::Case(case) => {
                case.of.reads(note);
                case.by.iter().for_each(|part| part.reads(note));
            }
        }
    }
}

impl Num {
    /// The aggregate of the numbers whose conditions are true; a constant if nothing in it changes.
    pub fn aggregate(aggregate: Aggregate, parts: Vec<(Cond, Self)>) -> Self {
        let constants = parts.iter().map(|part| match part {
            (Cond::Constant(true), Self::Constant(number)) => Some(*number),
            _ => None,
        });
        match constants.collect::<Option<Vec<f64>>>() {
            Some(numbers) => Self::Constant(aggregated(aggregate, numbers)),
            None => Self::Aggregate(aggregate, parts.into()),
        }
    }

    /// Bytes held, but for itself.
    pub fn memory(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Var(_) => 0,
            Self::Case(case) => case.size(Self::size),
            Self::Negative(of) => of.size(),
            Self::Arithmetic(_, both) | Self::Function(_, both) => both.0.size() + both.1.size(),
            Self::Aggregate(_, parts) => {
                let parts = parts.iter();
                parts
                    .map(|(cond, number)| cond.size() + number.size())
                    .sum()
            }
        }
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.memory()
    }

    /// The number; not a number where it has no value.
    pub fn value(&self, values: Values<'_>) -> f64 {
        match self {
            Self::Constant(number) => *number,
            Self::Var(variable) => values.number(*variable),
            Self::Case(case) => case.of(case.of.value(values)).value(values),
            Self::Negative(of) => -of.value(values),
            Self::Arithmetic(operator, both) => {
                calculate(*operator, both.0.value(values), both.1.value(values))
            }
            Self::Function(function, both) => {
                call(*function, both.0.value(values), both.1.value(values))
            }
            Self::Aggregate(aggregate, parts) => {
                let parts = parts.iter().filter(|(of, _)| of.holds(values));
                aggregated(*aggregate, parts.map(|(_, number)| number.value(values)))
            }
        }
    }

    /// As [`Cond::reads`].
    pub fn reads(&self, note: &mut dyn FnMut(u32, bool)) {
        match self {
            Self::Constant(_) => {}
            Self::Var(variable) => note(*variable, false),
            Self::Case(case) => {
                case.of.reads(note);
                case.by.iter().for_each(|part| part.reads(note));
            }
            Self::Negative(of) => of.reads(note),
            Self::Arithmetic(_, both) | Self::Function(_, both) => {
                both.0.reads(note);
                both.1.reads(note);
            }
            Self::Aggregate(_, parts) => {
                for (of, number) in parts {
                    of.reads(note);
                    number.reads(note);
                }
            }
        }
    }
}
