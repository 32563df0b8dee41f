//! Worlds whose objects change: a game adds and removes them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Removal, World};
use crate::actor::Actor;
use crate::ground::{Change, Value};
use crate::scene::Scene;
use taskloom_document::sort::CompactSort;
use taskloom_document::{Name, Param, ValueKind};

impl World {
    /// Replaces its scene by a version with other objects, in which `actor` acts. Values about objects that
    /// don't exist there have to be [removed](Self::remove_values_about).
    pub fn enter(&mut self, scene: &Arc<Scene>, actor: &Arc<Actor>) {
        self.scene = scene.clone();
        self.actor = actor.clone();
        // Quantifiers have other objects now, so whatever was evaluated may have another result.
        let values = self.memory.as_mut().unwrap_or(&mut self.values);
        Arc::make_mut(values).revision += 1;
    }

    /// Removes the values of ground facts about objects of these types, and makes those undefined that have one
    /// of them as their value. Returns the latter, in the order of the ground facts.
    pub fn remove_values_about(
        &mut self,
        removal: &mut Removal,
        types: &BTreeSet<Name>,
    ) -> Vec<Change> {
        let document = self.document().clone();
        let may_be = |of: &Name| {
            !document.types.contains_key(of) || types.iter().any(|t| document.is_kind_of(t, of))
        };
        let may_be_about = |fact: &Name| {
            let fact = document.facts.get(fact);
            fact.is_some_and(|fact| {
                fact.params.iter().any(|param| may_be(&param.of))
                    || matches!(&fact.value, ValueKind::Object(of) if may_be(of))
            })
        };
        let mut values = vec![&mut self.values];
        values.extend(&mut self.memory);
        let mut referring = vec![];
        for values in values {
            let set = &mut Arc::make_mut(values).set;
            referring.extend(set.remove_objects(removal, &may_be_about));
        }
        let mut changes: Vec<Change> = referring
            .into_iter()
            .map(|atom| Change {
                before: self.present(&atom),
                after: Value::Object(None),
                atom,
            })
            .collect();
        // An actor's own memory may have another value than the world.
        changes.retain(|change| removal.is_about(&change.before));
        changes.compact_sort_by(|a, b| a.atom.cmp(&b.atom));
        self.apply(&changes);
        changes
    }

    /// Returns the first of these arguments that is no object of its parameter's type.
    pub fn missing<'a>(&self, params: &[Param], args: &'a [Name]) -> Option<&'a Name> {
        let mut pairs = params.iter().zip(args);
        let (_, object) = pairs.find(|(param, object)| !self.fits(object, &param.of))?;
        Some(object)
    }
}
