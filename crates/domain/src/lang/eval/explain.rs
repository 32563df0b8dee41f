//! Explains why a formula doesn't hold: the failing parts, and the facts they read.

use crate::ground::{Atom, Value};
use taskloom_document::Name;
use taskloom_document::diagnostic::Span;

use super::super::typed::{Formula, FormulaKind, bound_as_written};
use super::{Env, EvalError, Evaluation, World, spare};
use taskloom_document::syntax::print_expr;

/// Maximum number of facts shown for one failing part.
pub(super) const MAX_FACTS: usize = 16;

/// Maximum number of failing parts shown.
const MAX_PARTS: usize = 8;

/// A failing part of a formula.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The part, with objects in place of variables: `not box_locked`.
    pub text: String,
    /// The span of the part in the text of the formula; inside a condition, the span of the call.
    pub span: Span,
    /// The enclosing calls of conditions, the outermost first.
    pub within: Vec<String>,
    /// The ground facts that it read, with their values; only the first if there are many.
    pub saw: Vec<(Atom, Value)>,
}

/// Explains why a formula doesn't hold; returns nothing if it holds. Every failing conjunct is
/// reported; for a `forall`, only for the first object for which it fails.
pub fn explain(
    formula: &Formula,
    world: &dyn World,
    env: &Env,
) -> Result<Vec<Explanation>, EvalError> {
    unwanted_parts(formula, true, world, env)
}

/// Returns the ground facts that make a formula true, with their values; nothing if it is false. For an
/// `exists`, these are the facts about the first object that makes it true.
pub fn evidence(
    formula: &Formula,
    world: &dyn World,
    env: &Env,
) -> Result<Vec<(Atom, Value)>, EvalError> {
    let mut evidence = vec![];
    for part in unwanted_parts(formula, false, world, env)? {
        for seen in part.saw {
            if !evidence.contains(&seen) {
                evidence.push(seen);
            }
        }
    }
    Ok(evidence)
}

/// Returns the parts that keep a formula from having the wanted value.
fn unwanted_parts(
    formula: &Formula,
    wanted: bool,
    world: &dyn World,
    env: &Env,
) -> Result<Vec<Explanation>, EvalError> {
    let mut explainer = Explainer {
        evaluation: Evaluation::new(world),
        within: vec![],
        span: None,
        found: vec![],
    };
    explainer.explain(formula, wanted, &mut env.clone())?;
    Ok(explainer.found)
}

struct Explainer<'w> {
    evaluation: Evaluation<'w>,
    within: Vec<String>,
    /// The span of the outermost call of a condition.
    span: Option<Span>,
    found: Vec<Explanation>,
}

impl Explainer<'_> {
    /// Finds the parts that keep a formula from having the wanted value. Goes no deeper than
    /// evaluation, which runs first.
    fn explain(&mut self, formula: &Formula, wanted: bool, env: &mut Env) -> Result<(), EvalError> {
        if self.found.len() >= MAX_PARTS || self.evaluation.formula(formula, env)? == wanted {
            return Ok(());
        }
        match (&formula.kind, wanted) {
            (FormulaKind::Not(inner), _) => self.explain(inner, !wanted, env),
            (FormulaKind::And(parts), true) | (FormulaKind::Or(parts), false) => {
                let before = self.found.len();
                for part in parts {
                    let explained = self.explain(part, wanted, env);
                    // Evaluation stops at the first failing part, so it doesn't report errors in
                    // later ones.
                    if self.found.len() == before {
                        explained?;
                    }
                }
                Ok(())
            }
            (FormulaKind::Quantified(quantifier, params, body), _)
                if quantifier.decisive() != wanted =>
            {
                let mut bound = None;
                self.evaluation
                    .each_binding(params, env, &mut |evaluation, env| {
                        let fits = evaluation.formula(body, env)? == wanted;
                        if !fits {
                            bound = Some(env.clone());
                        }
                        Ok(fits)
                    })?;
                match bound {
                    Some(mut env) => self.explain(body, wanted, &mut env),
                    None => Ok(()),
                }
            }
            (FormulaKind::Condition(name, args), _) => {
                self.called(formula, name, args, wanted, env)
            }
            _ => self.part(formula, wanted, env),
        }
    }

    fn called(
        &mut self,
        call: &Formula,
        name: &Name,
        args: &[super::Term],
        wanted: bool,
        env: &mut Env,
    ) -> Result<(), EvalError> {
        let objects = self.evaluation.objects(args, env)?;
        let condition = self.evaluation.world.condition(name);
        let (Some(objects), Some((params, formula))) = (objects, condition) else {
            return self.part(call, wanted, env);
        };
        let outermost = self.span.is_none();
        self.span.get_or_insert(call.span);
        self.within.push(print_expr(&bound_as_written(call, env)));
        let mut inner = Env::bound(params, &objects);
        spare::give_back(objects);
        let explained = self.explain(formula, wanted, &mut inner);
        self.within.pop();
        if outermost {
            self.span = None;
        }
        explained
    }

    /// Adds a part without looking inside it.
    fn part(&mut self, formula: &Formula, wanted: bool, env: &mut Env) -> Result<(), EvalError> {
        self.evaluation.saw = Some(vec![]);
        self.evaluation.formula(formula, env)?;
        let saw = self.evaluation.saw.take().unwrap_or_default();
        let span = self.span.unwrap_or(formula.span);
        let text = if wanted {
            print_expr(&bound_as_written(formula, env))
        } else {
            let kind = FormulaKind::Not(Box::new(formula.clone()));
            print_expr(&bound_as_written(&Formula { kind, span }, env))
        };
        self.found.push(Explanation {
            text,
            span,
            within: self.within.clone(),
            saw,
        });
        Ok(())
    }
}
