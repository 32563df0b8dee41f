//! The objects that actors claim for their steps (semantics, section 5).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::World;
use crate::lang::{Env, eval_term};
use crate::records::Primitive;
use taskloom_document::Name;

/// The objects that other actors claim, each with the name of the actor if it has one.
pub type Claimed = BTreeMap<Name, Option<Name>>;

/// Describes that an object is claimed: `'hammer' is claimed by 'guard-2' until its step ends`.
pub fn claimed_by(object: &Name, actor: Option<&Name>) -> String {
    match actor {
        Some(actor) => format!("'{object}' is claimed by '{actor}' until its step ends"),
        None => format!("'{object}' is claimed by another actor until its step ends"),
    }
}

impl World {
    /// Sets the objects that other actors claim.
    pub fn set_claimed(&mut self, claimed: &Arc<Claimed>) {
        self.claimed = claimed.clone();
    }

    /// Returns the objects that other actors claim.
    pub fn claimed(&self) -> &Arc<Claimed> {
        &self.claimed
    }

    /// Returns the objects that a step of a task with these arguments claims if it starts now, each once.
    /// An undefined one claims nothing.
    ///
    /// # Errors
    /// Returns a sentence if a claim is invalid.
    pub fn claims(&self, task: &Primitive, args: &[Name]) -> Result<Vec<Name>, String> {
        let env = Env::bound(&task.record.params, args);
        let mut claims = vec![];
        for claim in &task.claims {
            let text = claim.text.trim();
            let term = claim.value.as_ref();
            let term = term.ok_or_else(|| format!("'{text}' is invalid"))?;
            let object = eval_term(term, self, &env);
            let object = object.map_err(|error| format!("'{text}': {error}"))?;
            claims.extend(object.filter(|object| !claims.contains(object)));
        }
        Ok(claims)
    }

    /// Checks that no other actor claims what a step of a task with these arguments would claim.
    ///
    /// # Errors
    /// Returns a sentence if another actor does, or a claim is invalid.
    pub fn check_claims(&self, task: &Primitive, args: &[Name]) -> Result<(), String> {
        let claims = self.claims(task, args)?;
        match self.claimed_among(&claims) {
            Some((object, actor)) => Err(claimed_by(object, actor)),
            None => Ok(()),
        }
    }

    /// Returns the first of these objects that another actor claims, with the name of the actor.
    pub fn claimed_among(&self, objects: &[Name]) -> Option<(&Name, Option<&Name>)> {
        let mut objects = objects.iter();
        let (object, actor) = objects.find_map(|object| self.claimed.get_key_value(object))?;
        Some((object, actor.as_ref()))
    }
}
