//! The evaluation of effects.

use std::collections::BTreeMap;

use super::super::typed::{Assignment, Change, Effect};
use super::{Env, EvalError, Evaluation, World, as_number, finite, spare};
use crate::ground::{Atom, Value};
use taskloom_document::sort::CompactSort;
use taskloom_document::syntax::decimal::rounded;

/// Returns the ground facts that the effects of one step set, with their new values.
///
/// All effects read the state before. Facts become false before any become true; numbers are
/// assigned first and then increased and decreased, so several changes of one number add up. An
/// undefined number is an error: the step can't be executed. The caller must check that numbers are
/// in their facts' ranges.
pub fn eval_effects<'a>(
    effects: impl IntoIterator<Item = &'a Effect>,
    world: &dyn World,
    env: &Env,
) -> Result<BTreeMap<Atom, Value>, EvalError> {
    let mut evaluation = Evaluation::new(world);
    let mut env = env.clone();
    let mut changes = vec![];
    for effect in effects {
        evaluation.each_binding(&effect.forall, &mut env, &mut |this, env| {
            let applies = match &effect.when {
                Some(when) => this.formula(when, env)?,
                None => true,
            };
            if applies {
                changes.push(this.change(&effect.change, env)?);
            }
            Ok(true)
        })?;
    }
    // Deletes, then adds and assignments, then increases and decreases.
    changes.compact_sort_by_key(|(_, change)| match change {
        Ground::To(Value::Bool(false)) => 0,
        Ground::To(_) => 1,
        Ground::By(_) => 2,
    });
    let mut after: BTreeMap<Atom, Value> = BTreeMap::new();
    for (atom, change) in changes {
        let value = match change {
            Ground::To(value) => value,
            Ground::By(difference) => {
                let before = after.get(&atom).cloned();
                let before = before.unwrap_or_else(|| world.value(&atom));
                let sum = as_number(&atom.fact, before)? + difference;
                Value::Number(finite(rounded(sum))?)
            }
        };
        after.insert(atom, value);
    }
    Ok(after)
}

/// A change of a ground fact: its new value, or a difference.
enum Ground {
    To(Value),
    By(f64),
}

impl Evaluation<'_> {
    fn change(&mut self, change: &Change, env: &mut Env) -> Result<(Atom, Ground), EvalError> {
        let (fact, args) = match change {
            Change::Set(fact, args)
            | Change::Unset(fact, args)
            | Change::Number(_, fact, args, _)
            | Change::Object(fact, args, _) => (fact, args),
        };
        let missing = || EvalError::NoValue(fact.clone());
        let args = self.objects(args, env)?.ok_or_else(missing)?;
        let atom = Atom {
            fact: fact.clone(),
            // The change is kept, the list is used again.
            args: args.clone(),
        };
        spare::give_back(args);
        let ground = match change {
            Change::Set(..) => Ground::To(Value::Bool(true)),
            Change::Unset(..) => Ground::To(Value::Bool(false)),
            Change::Number(assignment, _, _, number) => {
                let number = self.number(number, env)?;
                match assignment {
                    Assignment::Assign => Ground::To(Value::Number(number)),
                    Assignment::Increase => Ground::By(number),
                    Assignment::Decrease => Ground::By(-number),
                }
            }
            Change::Object(_, _, term) => {
                let object = self.term(term, env)?.ok_or_else(missing)?;
                Ground::To(Value::Object(Some(object)))
            }
        };
        Ok((atom, ground))
    }
}
