//! The evaluation of a formula for many arguments in the same state.

use super::{Env, EvalError, Evaluation, World};
use crate::lang::typed::{Formula, Term};
use taskloom_document::{Name, Param};

/// The maximum number of terms whose values are reused: more would take longer to find.
const MAX_CLOSED: usize = 16;

/// A formula over parameters that is evaluated for one list of arguments after the other, in a state that stays
/// the same: terms without variables are evaluated only once.
pub struct Repeated<'w> {
    formula: &'w Formula,
    params: &'w [Param],
    evaluation: Evaluation<'w>,
    env: Env,
}

impl<'w> Repeated<'w> {
    /// Creates the evaluation of a formula over these parameters.
    pub fn new(formula: &'w Formula, params: &'w [Param], world: &'w dyn World) -> Self {
        Self {
            formula,
            params,
            evaluation: Evaluation {
                closed: Some(Default::default()),
                ..Evaluation::new(world)
            },
            env: Env::new(),
        }
    }

    /// Returns `true` if the formula holds for these arguments.
    ///
    /// # Errors
    /// Returns the reason if it can't be evaluated for them.
    pub fn holds(&mut self, args: &[Name]) -> Result<bool, EvalError> {
        self.env.0.clear();
        for (param, arg) in self.params.iter().zip(args) {
            self.env.bind(param.name.clone(), arg.clone());
        }
        self.evaluation.steps = 0;
        self.evaluation.formula(self.formula, &mut self.env)
    }
}

impl Evaluation<'_> {
    /// Returns the value of a term, which is evaluated only once if it has no variables and values are reused.
    pub(super) fn reuse(
        &mut self,
        term: &Term,
        evaluate: impl FnOnce(&mut Self) -> Result<Option<Name>, EvalError>,
    ) -> Result<Option<Name>, EvalError> {
        let Some(closed) = self.closed.as_ref().filter(|_| is_closed(term)) else {
            return evaluate(self);
        };
        if let Some((_, value)) = closed.iter().find(|(known, _)| std::ptr::eq(*known, term)) {
            return Ok(value.clone());
        }
        let value = evaluate(self)?;
        if let Some(closed) = self.closed.as_mut().filter(|all| all.len() < MAX_CLOSED) {
            closed.push((term, value.clone()));
        }
        Ok(value)
    }
}

/// Returns `true` if a term has no variables.
fn is_closed(term: &Term) -> bool {
    match term {
        Term::Object(_) | Term::Me => true,
        Term::Variable(_) => false,
        Term::Fact(_, args) => args.iter().all(is_closed),
    }
}
