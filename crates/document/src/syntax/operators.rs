//! How operators are written, and what they come to.

use super::ast::{Assignment, Comparison, Operator, Quantifier};

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
