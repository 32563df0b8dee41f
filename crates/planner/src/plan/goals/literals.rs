//! Literals: conditions that a variable has a value.

use super::formula::{Cond, Obj, Test, Values};
use crate::plan::evaluate::UNDEFINED;

/// The condition that a variable has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Literal {
    /// A boolean variable has this value.
    Is(u32, bool),
    /// An object variable is this object.
    Object(u32, u32),
}

impl Literal {
    /// Returns the literal that is equivalent to a condition, if there is one.
    pub fn of(cond: &Cond) -> Option<Self> {
        match cond {
            Cond::Literal(Test::Is(variable, expected)) => Some(Self::Is(*variable, *expected)),
            Cond::Literal(Test::Same(both, true)) => match **both {
                (Obj::Var(variable), Obj::Object(object))
                | (Obj::Object(object), Obj::Var(variable))
                    if object != UNDEFINED =>
                {
                    Some(Self::Object(variable, object))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the equivalent condition.
    pub fn condition(self) -> Cond {
        match self {
            Self::Is(variable, expected) => Cond::Literal(Test::Is(variable, expected)),
            Self::Object(variable, object) => Cond::Literal(Test::Same(
                Box::new((Obj::Var(variable), Obj::Object(object))),
                true,
            )),
        }
    }

    /// Returns `true` if the literal holds in a state.
    pub fn holds(self, state: Values<'_>) -> bool {
        match self {
            Self::Is(variable, expected) => state.is(variable) == expected,
            Self::Object(variable, object) => state.object(variable) == object,
        }
    }

    /// Returns `true` if both literals are about the same variable.
    pub fn shares(self, other: Self) -> bool {
        match (self, other) {
            (Self::Is(a, _), Self::Is(b, _)) | (Self::Object(a, _), Self::Object(b, _)) => a == b,
            _ => false,
        }
    }
}
