//! Objects that a game adds and removes while it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};
use taskloom_document::Name;
use taskloom_document::sort::set_of;
use taskloom_domain::scene::Scene;
use taskloom_domain::world::Removal;
use taskloom_planner::plan::{Atom, Change, Value};

use super::World;
use crate::error::Error;
use crate::log::LogLevel;
use crate::save::Dropped;

/// The objects that a world has in addition to those of its scenario, and those that it no longer has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ObjectChanges {
    /// The objects that were added, with their types.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    added: BTreeMap<Name, Name>,
    /// The objects of the scenario that were removed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    removed: BTreeSet<Name>,
}

impl ObjectChanges {
    /// Returns `true` if no object was added or removed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

/// The changes of the objects that an actor has not received yet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct ObjectNews {
    /// The types of the objects that were added or removed.
    pub types: BTreeSet<Name>,
    /// The objects that were removed. There may be others of the same names now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Name>,
}

impl ObjectNews {
    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Returns `true` if a ground fact, or its value, is about an object that was removed.
    pub fn is_about_removed(&self, atom: &Atom, value: &Value) -> bool {
        let is_removed = |object: &Name| self.removed.contains(object);
        atom.args.iter().any(is_removed)
            || matches!(value, Value::Object(Some(object)) if is_removed(object))
    }
}

impl World {
    /// Returns its objects with their types, sorted by name.
    pub fn objects(&self) -> &[(Name, Name)] {
        self.facts.scene().objects()
    }

    /// Adds an object of a type, of which all facts have their default values. Its actors learn of it at
    /// their next turns: to them, it is a change by another.
    ///
    /// # Errors
    /// Returns an error if there is no such type, the name is invalid, or another object has it.
    pub fn add(&mut self, object: &str, of: &str) -> Result<(), Error> {
        self.add_all([(object, of)])
    }

    /// Adds objects, each with its type. For many objects, this is faster than to [add](Self::add) one after
    /// the other.
    ///
    /// # Errors
    /// Returns an error as [`add`](Self::add) does. Then none of them is added.
    pub fn add_all<'o>(
        &mut self,
        objects: impl IntoIterator<Item = (&'o str, &'o str)>,
    ) -> Result<(), Error> {
        let mut added: BTreeMap<Name, Name> = BTreeMap::new();
        for (object, of) in objects {
            let name = self.new_name(object)?;
            let unknown = || Error::UnknownType(of.to_owned());
            let of = Name::new(of).map_err(|_| unknown())?;
            let known = self.facts.document().types.get_key_value(&of);
            let known = known.map(|(name, _)| name.clone());
            let of = known.or_else(|| Some(Name::root()).filter(|root| *root == of));
            let of = of.ok_or_else(unknown)?;
            if added.insert(name, of).is_some() {
                return Err(Error::ObjectExists(object.to_owned()));
            }
        }
        if added.is_empty() {
            return Ok(());
        }
        let added: Vec<(Name, Name)> = added.into_iter().collect();
        let texts = self.facts.domain().texts();
        let scene = self.facts.scene().with_objects(texts, &added);
        let types = set_of(added.iter().map(|(_, of)| of.clone()));
        self.enter(scene, &types, &[]);
        for (object, of) in &added {
            self.log_object(object, Some(of), &[]);
        }
        self.changed_objects.added.extend(added);
        Ok(())
    }

    /// Removes an object. Values of facts about it are gone, and facts that have it as their value become
    /// undefined. At its next turn, an actor stops a step in progress whose task names it, replans if its plan
    /// names it later, and drops tasks that it was given and that name it; the actor whose object it is leaves
    /// the world.
    ///
    /// # Errors
    /// Returns an error if there is no such object, if it is the domain's, so that any text may name it, or
    /// if a task or the goal of the scenario names it. Such an object can be absent instead (semantics,
    /// section 1).
    pub fn remove(&mut self, object: &str) -> Result<(), Error> {
        self.remove_all([object])
    }

    /// Removes objects. For many objects, this is faster than to [remove](Self::remove) one after the other.
    ///
    /// # Errors
    /// Returns an error as [`remove`](Self::remove) does. Then none of them is removed.
    pub fn remove_all<'o>(
        &mut self,
        objects: impl IntoIterator<Item = &'o str>,
    ) -> Result<(), Error> {
        let (mut removed, mut types) = (vec![], BTreeSet::new());
        for object in objects {
            let (name, of) = self.removable(object)?;
            types.insert(of);
            if !removed.contains(&name) {
                removed.push(name);
            }
        }
        if removed.is_empty() {
            return Ok(());
        }
        let changes = self.values_about(&removed);
        self.removal = Removal::of(removed.iter().cloned());
        let undefined = self.facts.remove_values_about(&mut self.removal, &types);
        let texts = self.facts.domain().texts();
        let scene = self.facts.scene().without_objects(texts, &removed);
        self.enter(scene, &types, &removed);
        self.claims.remove(&removed);
        // Its actors have their own memories.
        let visible = undefined.iter();
        let visible = visible.filter(|change| !self.facts.is_memory(&change.atom.fact));
        let visible: Vec<Change> = visible.cloned().collect();
        self.deliver(&visible, true, None);
        for (number, object) in removed.iter().enumerate() {
            let about = changes.iter().filter(|one| one.atom.args.contains(object));
            let other = undefined.iter().filter(|_| number == 0);
            let gone: Vec<Change> = about.chain(other).cloned().collect();
            self.log_object(object, None, &gone);
        }
        for object in removed {
            if self.changed_objects.added.remove(&object).is_none() {
                self.changed_objects.removed.insert(object);
            }
        }
        Ok(())
    }

    /// Returns the name and the type of an object that can be removed.
    fn removable(&self, object: &str) -> Result<(Name, Name), Error> {
        let invalid = || Error::InvalidObject {
            object: object.to_owned(),
            message: format!("there is no object '{object}'"),
        };
        let name = Name::new(object).map_err(|_| invalid())?;
        let scene = self.facts.scene();
        let of = scene.type_of(&name).ok_or_else(invalid)?.clone();
        let needed = |why: &str| Error::ObjectNeeded {
            object: object.to_owned(),
            message: format!("'{name}' {why}; mark it as absent instead"),
        };
        let document = self.facts.document();
        if document.objects.contains_key(&name) {
            return Err(needed("belongs to the domain"));
        }
        match scene.needs(document, &name) {
            Some(text) => Err(needed(&format!("is named by '{text}'"))),
            None => Ok((name, of)),
        }
    }

    /// Returns the changes if objects lose the values of all facts about them, for its log.
    fn values_about(&self, objects: &[Name]) -> Vec<Change> {
        if self.log_level() != LogLevel::All {
            return vec![];
        }
        let facts = self.facts().into_iter();
        let about = facts.filter(|(atom, _)| atom.args.iter().any(|arg| objects.contains(arg)));
        let changes = about.map(|(atom, before)| Change {
            after: self.facts.unset(&atom),
            atom,
            before,
        });
        changes.collect()
    }

    /// Returns the removal of objects from the values of its actors.
    pub(crate) fn removal_of(&mut self, objects: &[Name]) -> &mut Removal {
        if !self.removal.is_of(objects) {
            self.removal = Removal::of(objects.iter().cloned());
        }
        &mut self.removal
    }

    /// Returns the name of a new object.
    fn new_name(&self, object: &str) -> Result<Name, Error> {
        let invalid = |message: String| Error::InvalidObject {
            object: object.to_owned(),
            message,
        };
        let name = Name::new(object).map_err(|error| invalid(error.to_string()))?;
        if name.is_reserved() {
            return Err(invalid(format!("'{name}' is a word of the language")));
        }
        match self.facts.scene().type_of(&name) {
            Some(_) => Err(Error::ObjectExists(object.to_owned())),
            None => Ok(name),
        }
    }

    /// Replaces its scene by one with other objects, and tells its actors.
    fn enter(&mut self, scene: Scene, types: &BTreeSet<Name>, removed: &[Name]) {
        let actor = scene.nobody().clone();
        self.facts.enter(&Arc::new(scene), &actor);
        self.actors.retain(|one| {
            let Some(inbox) = one.inbox.upgrade() else {
                return false;
            };
            let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
            inbox.objects.types.extend(types.iter().cloned());
            if !removed.is_empty() {
                inbox.objects.removed.extend_from_slice(removed);
                let objects = inbox.objects.clone();
                for (changes, _) in &mut inbox.changes {
                    let is_past = |change: &Change| {
                        let Change { atom, after, .. } = change;
                        objects.is_about_removed(atom, after)
                    };
                    if changes.iter().any(is_past) {
                        let kept = changes.iter().filter(|change| !is_past(change));
                        *changes = kept.cloned().collect();
                    }
                }
            }
            true
        });
    }

    /// Writes the differences from the objects of its scenario to its log.
    pub(crate) fn log_changed_objects(&mut self) {
        let ObjectChanges { added, removed } = self.changed_objects.clone();
        for object in &removed {
            self.log_object(object, None, &[]);
        }
        for (object, of) in &added {
            self.log_object(object, Some(of), &[]);
        }
    }

    /// Returns the objects that it has in addition to those of its scenario, and those that it no longer has.
    pub(crate) fn changed_objects(&self) -> &ObjectChanges {
        &self.changed_objects
    }

    /// Adds and removes the objects of a saved world, before it has actors. Reports those for which that is
    /// impossible.
    pub(crate) fn load_objects(&mut self, saved: &ObjectChanges, dropped: &mut Vec<Dropped>) {
        let mut note = |object: &Name, changed: Result<(), Error>| {
            if let Err(why) = changed {
                dropped.push(Dropped::Object {
                    object: object.to_string(),
                    why: why.to_string(),
                });
            }
        };
        for object in &saved.removed {
            // The document may no longer have it.
            if self.facts.scene().type_of(object).is_some() {
                note(object, self.remove(object.as_str()));
            }
        }
        let is_new = |object: &Name, of: &Name| self.facts.scene().type_of(object) != Some(of);
        let new = saved.added.iter().filter(|(object, of)| is_new(object, of));
        let new: Vec<(Name, Name)> = new.map(|(a, b)| (a.clone(), b.clone())).collect();
        let all = new
            .iter()
            .map(|(object, of)| (object.as_str(), of.as_str()));
        if self.add_all(all).is_err() {
            for (object, of) in &new {
                note(object, self.add(object.as_str(), of.as_str()));
            }
        }
    }
}
