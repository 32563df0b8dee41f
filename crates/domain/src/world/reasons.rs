//! Explanations as text of why formulas don't hold in a world.

use super::World;
use crate::ground::{Atom, Value};
use crate::lang::typed::Formula;
use crate::lang::{Env, Explanation, eval_formula, explain};
use crate::text::TypedText;
use taskloom_document::{Name, Param};

/// Maximum number of values shown of those that a condition read.
const SEEN: usize = 3;

impl World {
    /// Explains as text why a formula without variables doesn't hold; `None` if it holds. An invalid
    /// formula doesn't hold.
    pub fn violation(&self, formula: &TypedText<Formula>) -> Option<String> {
        self.why_not(formula, &Env::new())
    }

    /// Explains as text the first of a task's formulas that doesn't hold.
    pub fn first_violation(
        &self,
        formulas: &[TypedText<Formula>],
        params: &[Param],
        args: &[Name],
    ) -> Option<String> {
        if formulas.is_empty() {
            return None;
        }
        let env = Env::bound(params, args);
        formulas.iter().find_map(|read| self.why_not(read, &env))
    }

    /// Returns the ground facts read by the first of a task's formulas that doesn't hold.
    pub fn read_in_violation(
        &self,
        formulas: &[TypedText<Formula>],
        params: &[Param],
        args: &[Name],
    ) -> Vec<Atom> {
        let env = Env::bound(params, args);
        let mut formulas = formulas.iter().filter_map(|read| read.value.as_ref());
        let violated = formulas.find(|formula| eval_formula(formula, self, &env) != Ok(true));
        let parts = violated.and_then(|formula| explain(formula, self, &env).ok());
        let parts = parts.into_iter().flatten();
        parts
            .flat_map(|part| part.saw.into_iter().map(|(atom, _)| atom))
            .collect()
    }

    fn why_not(&self, read: &TypedText<Formula>, env: &Env) -> Option<String> {
        let text = &read.text;
        let Some(formula) = &read.value else {
            return Some(format!("'{text}' is invalid"));
        };
        match eval_formula(formula, self, env) {
            Ok(true) => None,
            Ok(false) => {
                let parts = explain(formula, self, env).unwrap_or_default();
                let first = parts.into_iter().next();
                Some(first.map_or_else(|| text.clone(), |part| with_values(&part)))
            }
            Err(error) => Some(format!("'{text}': {error}")),
        }
    }
}

/// Formats a part of a formula that doesn't hold, with the values that it read unless the part
/// alone implies them.
fn with_values(part: &Explanation) -> String {
    let is_said = |(atom, value): &&(Atom, Value)| match value {
        Value::Bool(true) => part.text == format!("not {atom}"),
        Value::Bool(false) => part.text == atom.to_string(),
        Value::Number(_) | Value::Object(_) => false,
    };
    let unsaid = part.saw.iter().filter(|seen| !is_said(seen));
    let unsaid: Vec<String> = unsaid
        .take(SEEN)
        .map(|(atom, value)| format!("{atom} is {value}"))
        .collect();
    if unsaid.is_empty() {
        part.text.clone()
    } else {
        format!("{} ({})", part.text, unsaid.join(", "))
    }
}
