//! `?me` of an actor without an object: it is undefined (semantics, section 4).

use taskloom_domain::lang::typed::{Operator, Term};

use super::code::Number;
use super::lower::Lowering;

impl Lowering {
    /// Returns `true` if a term is undefined in every state, because the actor has no object.
    pub(super) fn is_undefined(&self, term: &Term) -> bool {
        match term {
            Term::Me => self.me.is_none(),
            Term::Fact(_, args) => self.any_undefined(args),
            Term::Variable(_) | Term::Object(_) => false,
        }
    }

    /// Returns `true` if any of these terms is undefined in every state.
    pub(super) fn any_undefined(&self, terms: &[Term]) -> bool {
        terms.iter().any(|term| self.is_undefined(term))
    }

    /// Returns a number that is undefined in every state.
    pub(super) fn undefined(&mut self) -> Number {
        let (one, zero) = (self.constant(1.0), self.constant(0.0));
        Number::Arithmetic(Operator::Divide, one, zero)
    }
}
