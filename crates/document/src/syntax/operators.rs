//! How operators are written, and what they come to.

use super::ast::{Aggregate, Assignment, Comparison, Function, Operator, Quantifier};
use crate::Name;

impl Comparison {
    /// Its sign: `<=`.
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

    /// What it says of two numbers.
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

    /// What it says of two things that are not the same, whatever they are; none where it compares sizes.
    pub fn of_different(self) -> Option<bool> {
        match self {
            Self::Equal => Some(false),
            Self::NotEqual => Some(true),
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => None,
        }
    }
}

impl Operator {
    /// Its sign: `+`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }

    /// What it gives of two numbers; none where they have no such value at all.
    pub fn apply(self, a: f64, b: f64) -> Option<f64> {
        match self {
            Self::Add => Some(a + b),
            Self::Subtract => Some(a - b),
            Self::Multiply => Some(a * b),
            Self::Divide => (b != 0.0).then_some(a / b),
        }
    }
}

impl Assignment {
    /// Its sign: `+=`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Assign => ":=",
            Self::Increase => "+=",
            Self::Decrease => "-=",
        }
    }

    /// Whether the value before does not matter.
    pub fn replaces(self) -> bool {
        match self {
            Self::Assign => true,
            Self::Increase | Self::Decrease => false,
        }
    }
}

impl Quantifier {
    /// Its word: `forall`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Forall => "forall",
            Self::Exists => "exists",
        }
    }

    /// Which answer for one object is the answer for all of them.
    pub fn decisive(self) -> bool {
        match self {
            Self::Forall => false,
            Self::Exists => true,
        }
    }
}

impl Aggregate {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Count, Self::Sum, Self::Min, Self::Max];

    /// Its word: `count`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// The aggregate of this word, in any case.
    pub fn of_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|aggregate| aggregate.word().eq_ignore_ascii_case(word))
    }

    /// What it starts from: what it comes to over no object, where that is finite.
    pub fn start(self) -> f64 {
        match self {
            Self::Count | Self::Sum => 0.0,
            Self::Min => f64::INFINITY,
            Self::Max => f64::NEG_INFINITY,
        }
    }

    /// What it comes to with one more number, both being numbers.
    pub fn with(self, so_far: f64, number: f64) -> f64 {
        match self {
            Self::Count | Self::Sum => so_far + number,
            // Of two zeros the sign is lost, on which Rust leaves the answer open.
            Self::Min => so_far.min(number) + 0.0,
            Self::Max => so_far.max(number) + 0.0,
        }
    }
}

impl Function {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 6] = [
        Self::Abs,
        Self::Ceil,
        Self::Floor,
        Self::Max,
        Self::Min,
        Self::Sqrt,
    ];

    /// What it is called: `min`.
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

    /// Its word as a name.
    pub fn name(self) -> Name {
        Name::known(self.word())
    }

    /// The function of this name.
    pub fn named(name: &Name) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|function| *name == function.word())
    }

    /// How many numbers it takes.
    pub fn arity(self) -> usize {
        match self {
            Self::Min | Self::Max => 2,
            Self::Abs | Self::Sqrt | Self::Floor | Self::Ceil => 1,
        }
    }

    /// What it gives of finite numbers; none where they have no such value, or are
    /// not as many as it takes.
    pub fn apply(self, numbers: &[f64]) -> Option<f64> {
        let value = match (self, numbers) {
            (Self::Min, [a, b]) => a.min(*b),
            (Self::Max, [a, b]) => a.max(*b),
            (Self::Abs, [a]) => a.abs(),
            (Self::Sqrt, [a]) if *a >= 0.0 => a.sqrt(),
            (Self::Floor, [a]) => a.floor(),
            (Self::Ceil, [a]) => a.ceil(),
            _ => return None,
        };
        // No zero has a sign.
        Some(value + 0.0)
    }
}
