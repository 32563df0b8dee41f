//! Conditions, object expressions and numeric expressions of ground actions, and their evaluation
//! in a state. Static facts are replaced by their values, so that only variables are read.

use std::hash::{Hash, Hasher};

use taskloom_domain::lang::ast::{Aggregate, Comparison, Function, Operator};

use crate::plan::condition::Condition;
use crate::plan::evaluate::UNDEFINED;

/// A condition on variables.
pub type Cond = Condition<Test>;

/// A test of variables.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// A boolean variable has this value.
    Is(u32, bool),
    /// The comparison of two objects for equality has this result. An undefined object equals
    /// nothing, not even itself.
    Same(Box<(Obj, Obj)>, bool),
    /// The object is defined.
    IsDefined(Obj),
    /// The comparison has this result. A comparison with an undefined number is false, except for
    /// `!=`.
    Compare(Comparison, Box<(Num, Num)>, bool),
    /// The condition selected by an object; the last one if it is undefined.
    Case(Box<Case<Cond>>),
}

/// An object expression.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Obj {
    /// A constant object, or [`UNDEFINED`].
    Object(u32),
    /// The value of a variable.
    Var(u32),
    /// The expression selected by an object.
    Case(Box<Case<Obj>>),
}

/// A numeric expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Num {
    /// A constant; undefined if it is NaN.
    Constant(f64),
    /// The value of a variable.
    Var(u32),
    /// The expression selected by an object.
    Case(Box<Case<Num>>),
    /// The negation of a number.
    Negative(Box<Num>),
    /// An arithmetic operation on two numbers.
    Arithmetic(Operator, Box<(Num, Num)>),
    /// A function of two numbers, or of one, which is then stored twice.
    Function(Function, Box<(Num, Num)>),
    /// An aggregate of the numbers whose conditions hold.
    Aggregate(Aggregate, Box<[(Cond, Num)]>),
}

/// One alternative for each object, and one for an undefined object.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Case<T> {
    /// The object that selects the alternative.
    pub selector: Obj,
    /// The alternatives, indexed by object. The last one is for an undefined object.
    pub by: Vec<T>,
}

impl<T> Case<T> {
    /// Returns the alternative that an object selects.
    pub fn select(&self, object: u32) -> &T {
        let last = self.by.len() - 1;
        &self.by[last.min(object as usize)]
    }
}

/// The values of all variables. The boolean ones are packed 64 to a word. Each other variable has a
/// word: the bits of an `f64` for a number, and the object's number plus 1 for an object, or 0 if
/// it is undefined.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// The boolean variables.
    pub bits: &'a [u64],
    /// The other variables.
    pub words: &'a [u64],
}

impl Values<'_> {
    /// Returns the value of a boolean variable.
    pub fn is(&self, variable: u32) -> bool {
        self.bits[variable as usize / 64] >> (variable % 64) & 1 == 1
    }

    /// Returns the object that is a variable's value.
    pub fn object(&self, variable: u32) -> u32 {
        match self.words[variable as usize] {
            0 => UNDEFINED,
            object => (object - 1) as u32,
        }
    }

    /// Returns the number that is a variable's value.
    pub fn number(&self, variable: u32) -> f64 {
        f64::from_bits(self.words[variable as usize])
    }
}

/// Evaluates a comparison. With an undefined number it is false, except for `!=`.
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

/// Evaluates an arithmetic operation; NaN if the result is undefined.
pub fn calculate(operator: Operator, a: f64, b: f64) -> f64 {
    let result = operator.apply(a, b).unwrap_or(f64::NAN);
    if result.is_finite() { result } else { f64::NAN }
}

/// Evaluates a function; NaN if the result is undefined.
pub fn call(function: Function, a: f64, b: f64) -> f64 {
    let both = [a, b];
    let numbers = &both[..function.arity()];
    if numbers.iter().any(|number| number.is_nan()) {
        return f64::NAN;
    }
    function.apply(numbers).unwrap_or(f64::NAN)
}

/// Evaluates an aggregate; NaN if the result or one of the numbers is undefined.
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

impl Hash for Test {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Is(variable, expected) => (variable, expected).hash(state),
            Self::Same(both, expected) => (both, expected).hash(state),
            Self::IsDefined(object) => object.hash(state),
            Self::Compare(comparison, both, expected) => {
                (*comparison as u8, both, expected).hash(state)
            }
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
    /// Returns the heap memory in bytes, excluding the condition itself.
    pub fn memory(&self) -> usize {
        self.memory_by(&Test::memory)
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.memory()
    }

    /// Returns the negation.
    pub fn negated(&self) -> Self {
        self.negated_by(&Test::negated)
    }

    /// Returns `true` if the condition holds.
    pub fn holds(&self, values: Values<'_>) -> bool {
        self.holds_by(&|test| test.holds(values))
    }

    /// Calls `note` for each variable that the condition reads, with `true` if it is a boolean one.
    pub fn reads(&self, note: &mut dyn FnMut(u32, bool)) {
        self.each_literal(&mut |test| test.reads(note));
    }
}

impl Test {
    fn memory(&self) -> usize {
        match self {
            Self::Is(..) => 0,
            Self::Same(both, _) => both.0.size() + both.1.size(),
            Self::IsDefined(object) => object.memory(),
            Self::Compare(_, both, _) => both.0.size() + both.1.size(),
            Self::Case(case) => case.size(Cond::size),
        }
    }

    fn negated(&self) -> Self {
        match self {
            Self::Is(variable, expected) => Self::Is(*variable, !expected),
            Self::Same(both, expected) => Self::Same(both.clone(), !expected),
            Self::IsDefined(object) => {
                Self::Same(Box::new((object.clone(), object.clone())), false)
            }
            Self::Compare(comparison, both, expected) => {
                Self::Compare(*comparison, both.clone(), !expected)
            }
            Self::Case(case) => Self::Case(Box::new(Case {
                selector: case.selector.clone(),
                by: case.by.iter().map(Cond::negated).collect(),
            })),
        }
    }

    fn holds(&self, values: Values<'_>) -> bool {
        match self {
            Self::Is(variable, expected) => values.is(*variable) == *expected,
            Self::Same(both, expected) => {
                let (a, b) = (both.0.value(values), both.1.value(values));
                (a == b && a != UNDEFINED) == *expected
            }
            Self::IsDefined(object) => object.value(values) != UNDEFINED,
            Self::Compare(comparison, both, expected) => {
                compares(*comparison, both.0.value(values), both.1.value(values)) == *expected
            }
            Self::Case(case) => case.select(case.selector.value(values)).holds(values),
        }
    }

    fn reads(&self, note: &mut dyn FnMut(u32, bool)) {
        match self {
            Self::Is(variable, _) => note(*variable, true),
            Self::Same(both, _) => {
                both.0.reads(note);
                both.1.reads(note);
            }
            Self::IsDefined(object) => object.reads(note),
            Self::Compare(_, both, _) => {
                both.0.reads(note);
                both.1.reads(note);
            }
            Self::Case(case) => {
                case.selector.reads(note);
                case.by.iter().for_each(|part| part.reads(note));
            }
        }
    }
}

impl<T> Case<T> {
    fn size(&self, of_part: fn(&T) -> usize) -> usize {
        size_of::<Self>() + self.selector.memory() + self.by.iter().map(of_part).sum::<usize>()
    }
}

impl Obj {
    /// Returns the heap memory in bytes, excluding the expression itself.
    pub fn memory(&self) -> usize {
        match self {
            Self::Object(_) | Self::Var(_) => 0,
            Self::Case(case) => case.size(Self::size),
        }
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.memory()
    }

    /// Evaluates the expression to an object, or [`UNDEFINED`].
    pub fn value(&self, values: Values<'_>) -> u32 {
        match self {
            Self::Object(object) => *object,
            Self::Var(variable) => values.object(*variable),
            Self::Case(case) => case.select(case.selector.value(values)).value(values),
        }
    }

    /// Calls `note` for each variable that the expression reads; see [`Cond::reads`].
    pub fn reads(&self, note: &mut dyn FnMut(u32, bool)) {
        match self {
            Self::Object(_) => {}
            Self::Var(variable) => note(*variable, false),
            Self::Case(case) => {
                case.selector.reads(note);
                case.by.iter().for_each(|part| part.reads(note));
            }
        }
    }
}

impl Num {
    /// Returns the aggregate of the numbers whose conditions hold, as a constant if nothing in it
    /// changes.
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

    /// Returns the heap memory in bytes, excluding the expression itself.
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

    /// Evaluates the expression; NaN if it is undefined.
    pub fn value(&self, values: Values<'_>) -> f64 {
        match self {
            Self::Constant(number) => *number,
            Self::Var(variable) => values.number(*variable),
            Self::Case(case) => case.select(case.selector.value(values)).value(values),
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

    /// Calls `note` for each variable that the expression reads; see [`Cond::reads`].
    pub fn reads(&self, note: &mut dyn FnMut(u32, bool)) {
        match self {
            Self::Constant(_) => {}
            Self::Var(variable) => note(*variable, false),
            Self::Case(case) => {
                case.selector.reads(note);
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
