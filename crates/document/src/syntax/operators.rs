//! The notation and the semantics of operators.

use super::ast::{Aggregate, Assignment, Comparison, Function, Operator, Quantifier};
use super::decimal::rounded;
use crate::Name;

impl Comparison {
    /// Returns its sign: `<=`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// Returns the result of comparing two numbers.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            Self::Less => a < b,
            Self::LessOrEqual => a <= b,
            Self::Greater => a > b,
            Self::GreaterOrEqual => a >= b,
        }
    }

    /// Returns the result of comparing two different objects, whichever they are; none if it
    /// compares sizes.
    pub fn of_different(self) -> Option<bool> {
        match self {
            Self::Equal => Some(false),
            Self::NotEqual => Some(true),
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => None,
        }
    }
}

impl Operator {
    /// Returns its sign: `+`.
    pub fn sign(self) -> char {
        match self {
            Self::Add => '+',
            Self::Subtract => '-',
            Self::Multiply => '*',
            Self::Divide => '/',
        }
    }

    /// Applies it to two numbers; none if the result is undefined.
    pub fn apply(self, a: f64, b: f64) -> Option<f64> {
        let result = match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide if b == 0.0 => return None,
            Self::Divide => a / b,
        };
        Some(rounded(result))
    }
}

impl Assignment {
    /// Returns its sign: `+=`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Assign => ":=",
            Self::Increase => "+=",
            Self::Decrease => "-=",
        }
    }

    /// Returns `true` if the previous value does not matter.
    pub fn replaces(self) -> bool {
        match self {
            Self::Assign => true,
            Self::Increase | Self::Decrease => false,
        }
    }
}

impl Quantifier {
    /// Returns its keyword: `forall`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Forall => "forall",
            Self::Exists => "exists",
        }
    }

    /// Returns the truth value for one object that decides the result for all of them.
    pub fn decisive(self) -> bool {
        match self {
            Self::Forall => false,
            Self::Exists => true,
        }
    }
}

impl Aggregate {
    /// All aggregates, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Count, Self::Sum, Self::Min, Self::Max];

    /// Returns its word: `count`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// Returns the aggregate of this word, in any case.
    pub fn of_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|aggregate| aggregate.word().eq_ignore_ascii_case(word))
    }

    /// Returns the initial value: its result over no objects, if that is finite.
    pub fn start(self) -> f64 {
        match self {
            Self::Count | Self::Sum => 0.0,
            Self::Min => f64::INFINITY,
            Self::Max => f64::NEG_INFINITY,
        }
    }

    /// Returns its result with one more number, if both are numbers.
    pub fn with(self, so_far: f64, number: f64) -> f64 {
        match self {
            Self::Count | Self::Sum => rounded(so_far + number),
            // Rust leaves open which of two zeros of different sign is returned, so the sign is
            // dropped.
            Self::Min => so_far.min(number) + 0.0,
            Self::Max => so_far.max(number) + 0.0,
        }
    }
}

impl Function {
    /// All functions, in the order in which they are offered.
    pub const ALL: [Self; 6] = [
        Self::Abs,
        Self::Ceil,
        Self::Floor,
        Self::Max,
        Self::Min,
        Self::Sqrt,
    ];

    /// Returns its word: `min`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Abs => "abs",
            Self::Sqrt => "sqrt",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
        }
    }

    /// Returns its word as a name.
    pub fn name(self) -> Name {
        Name::known(self.word())
    }

    /// Returns the function of this name.
    pub fn named(name: &Name) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|function| *name == function.word())
    }

    /// Returns the number of its arguments.
    pub fn arity(self) -> usize {
        match self {
            Self::Min | Self::Max => 2,
            Self::Abs | Self::Sqrt | Self::Floor | Self::Ceil => 1,
        }
    }

    /// Applies it to finite numbers; none if the result is undefined, or if the number of arguments
    /// is wrong.
    pub fn apply(self, numbers: &[f64]) -> Option<f64> {
        let value = match (self, numbers) {
            (Self::Min, [a, b]) => a.min(*b),
            (Self::Max, [a, b]) => a.max(*b),
            (Self::Abs, [a]) => a.abs(),
            (Self::Sqrt, [a]) if *a >= 0.0 => rounded(a.sqrt()),
            (Self::Floor, [a]) => a.floor(),
            (Self::Ceil, [a]) => a.ceil(),
            _ => return None,
        };
        // Drops the sign of a zero.
        Some(value + 0.0)
    }
}
