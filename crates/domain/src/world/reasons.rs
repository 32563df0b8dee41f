//! Why formulas do not hold in a world, as text.

use super::World;
use crate::elaborate::Text;
use crate::ground::{Atom, Value};
use crate::lang::typed::Formula;
use crate::lang::{Env, Explanation, eval_formula, explain, read_formula};
use taskloom_document::{Name, Param};

/// Of what a condition read, so many values are told at most.
const SEEN: usize = 3;

impl World<'_> {
    /// Why a formula of the scenario, which may name its objects, does not hold,
    /// as text; `None` where it does. One that cannot be read does not hold.
    pub fn violation_of_scenario(&self, text: &str) -> Option<String> {
        self.why_not(
            &self
                .domain()
                .read(text, &self.scenario_scope(), read_formula),
            &Env::new(),
        )
    }

    /// The first of some formulas of a task that does not hold, as text.
    pub fn first_violation(
        &self,
        formulas: &[Text<Formula>],
        params: &[Param],
        args: &[Name],
    ) -> Option<String> {
        let env = Env::bound(params, args);
        formulas.iter().find_map(|read| self.why_not(read, &env))
    }

    /// The ground facts that the first of some formulas of a task reads where it does not hold.
    pub fn read_in_violation(
        &self,
        formulas: &[Text<Formula>],
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

    fn why_not(&self, read: &Text<Formula>, env: &Env) -> Option<String> {
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

/// A part of a formula that does not hold, with the values that it read where the part
/// alone does not say them.
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
