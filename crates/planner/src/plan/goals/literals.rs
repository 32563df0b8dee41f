//! Literals: the conditions that one variable has one value.

use super::formula::{Cond, Obj, Values};
use crate::plan::evaluate::NOTHING;

/// That a variable has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Literal {
    /// A boolean one is so.
    Is(u32, bool),
    /// It is this object.
    Object(u32, u32),
}

impl Literal {
    /// A condition that says just that.
    pub fn of(cond: &Cond) -> Option<Self> {
        match cond {
            Cond::Is(variable, so) => Some(Self::Is(*variable, *so)),
            Cond::Same(both, true) => match **both {
                (Obj::Var(variable), Obj::Object(object))
                | (Obj::Object(object), Obj::Var(variable))
                    if object != NOTHING =>
                {
                    Some(Self::Object(variable, object))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The same as a condition.
    pub fn condition(self) -> Cond {
        match self {
            Self::Is(variable, so) => Cond::Is(variable, so),
            Self::Object(variable, object) => {
                Cond::Same(Box::new((Obj::Var(variable), Obj::Object(object))), true)
            }
        }
    }

    /// Returns `true` if it holds in a state.
    pub fn holds(self, state: Values<'_>) -> bool {
        match self {
            Self::Is(variable, so) => state.is(variable) == so,
            Self::Object(variable, object) => state.object(variable) == object,
        }
    }

    /// Whether both are of one variable.
    pub fn shares(self, other: Self) -> bool {
        match (self, other) {
            (Self::Is(a, _), Self::Is(b, _)) | (Self::Object(a, _), Self::Object(b, _)) => a == b,
            _ => false,
        }
    }
}
