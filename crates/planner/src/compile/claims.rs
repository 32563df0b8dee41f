//! Claims in a plan: a hidden fact that is true for the objects that other actors claim. No effect changes
//! it, since planning assumes that they stay claimed.

use super::code::{Formula, FormulaId, Read, Term};
use super::flat::{Conjunct, Flat};
use super::lower::{Lowering, Variables};
use super::problem::Problem;
use taskloom_domain::lang::typed;
use taskloom_domain::world::claimed_by;

impl Lowering {
    /// Returns the condition that nobody else claims an object; `None` if it is invalid. It holds for an
    /// undefined object.
    pub fn unclaimed(
        &mut self,
        object: Option<&typed::Term>,
        variables: &mut Variables,
    ) -> Option<FormulaId> {
        if self.is_undefined(object?) {
            return Some(self.add(Formula::Constant(true)));
        }
        let args = self.terms(std::slice::from_ref(object?), variables)?;
        let fact = self.claimed?;
        let is_claimed = self.add(Formula::Holds(Read { fact, args }));
        Some(self.add(Formula::Not(is_claimed)))
    }
}

impl Flat {
    /// Returns the object that a precondition claims; `None` if it is another precondition.
    pub(crate) fn claim(&self, conjunct: &Conjunct) -> Option<Term> {
        let formulas = &self.code.formulas;
        let Formula::Not(claimed) = formulas[conjunct.formula?.0 as usize] else {
            return None;
        };
        match formulas[claimed.0 as usize] {
            Formula::Holds(read) if Some(read.fact) == self.claimed => {
                self.code.terms[read.args.range()].first().copied()
            }
            _ => None,
        }
    }
}

impl Problem {
    /// Returns why an object can't be claimed, if another actor claims it.
    pub(crate) fn claimed_by(&self, object: u32) -> Option<String> {
        let mut claimed = self.start.claimed.iter();
        let (_, actor) = claimed.find(|(claimed, _)| *claimed == object)?;
        let name = self.flat.objects.get(object as usize)?;
        Some(claimed_by(name, actor.as_ref()))
    }
}
