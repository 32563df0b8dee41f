//! Saved games: the state of a world and of its actors, as values that serde writes as JSON.
//!
//! A saved game refers to everything by name, so it can be loaded into another version of its document:
//! what still exists is kept, and the rest is reported as [`Dropped`]. A search for a plan is not saved: it
//! begins again.

use std::fmt;

use serde::{Deserialize, Serialize};
use taskloom_document::Name;
use taskloom_domain::Domain;

use crate::error::Error;
use crate::world::{Act, ObjectChanges, World};

mod existing;
mod facts;
mod plan;

pub use existing::Existing;
pub use facts::{SavedFacts, parse, read, retain_changes, write};
pub use plan::{check, check_indices, task_exists};

/// The version of the format of saved games.
pub const SAVE_VERSION: u32 = 1;

/// The state of a [`World`].
///
/// The keys of its JSON are `version`, `scenario`, `tick`, `facts` (every ground fact that was set, by its
/// text, with `true`, `false`, a number, an object's name, or `null` if undefined), `created` (the number
/// of actors created so far that are not in the cast), `existing` (the names of all objects, and of all facts with
/// their default values: a ground fact that isn't in `facts` had its default value), if a game has changed the objects,
/// `objects`: those that were `added`, with their types, and those of the scenario that were `removed`; and `acts`, what
/// actors have changed at this tick, if there are any.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedWorld {
    version: u32,
    scenario: Name,
    tick: u32,
    facts: SavedFacts,
    created: usize,
    /// `None` in games that were saved without it: new initial values then count for all facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    existing: Option<Existing>,
    #[serde(default, skip_serializing_if = "ObjectChanges::is_empty")]
    objects: ObjectChanges,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    acts: Vec<Act>,
}

impl SavedWorld {
    /// Returns the name of its scenario.
    pub fn scenario(&self) -> &Name {
        &self.scenario
    }
}

/// A part of a saved game that doesn't exist in the document into which it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dropped {
    /// The value of a ground fact. The fact keeps its initial value.
    Fact {
        /// The ground fact.
        fact: String,
        /// The reason.
        why: String,
    },
    /// An object that was added, or the removal of one.
    Object {
        /// The object.
        object: String,
        /// The reason.
        why: String,
    },
    /// A task that an actor has to do.
    Task {
        /// The task.
        task: String,
        /// The reason.
        why: String,
    },
    /// An actor.
    Actor {
        /// The reason.
        why: String,
    },
    /// An actor's plan, or its progress. The actor replans, and its steps in progress are stopped.
    Plan {
        /// The reason.
        why: String,
    },
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact { fact, why } => write!(f, "the value of {fact} was dropped: {why}"),
            Self::Object { object, why } => {
                write!(f, "the change of the object {object} was dropped: {why}")
            }
            Self::Task { task, why } => write!(f, "the task {task} was dropped: {why}"),
            Self::Actor { why } => write!(f, "an actor was dropped: {why}"),
            Self::Plan { why } => write!(f, "the plan was dropped: {why}"),
        }
    }
}

/// Checks the version of a saved game.
///
/// # Errors
/// Returns an error if it is not the current one.
pub fn check_version(found: u32) -> Result<(), Error> {
    match found == SAVE_VERSION {
        true => Ok(()),
        false => Err(Error::SavedVersion {
            found,
            known: SAVE_VERSION,
        }),
    }
}

impl World {
    /// Returns its state, without its actors: each of them is saved [by itself](crate::Actor::save).
    pub fn save(&self) -> SavedWorld {
        SavedWorld {
            version: SAVE_VERSION,
            scenario: self.scenario().clone(),
            tick: self.tick(),
            facts: write(&self.facts, |_| true),
            created: self.created,
            existing: Some(Existing::of(&self.facts)),
            objects: self.changed_objects().clone(),
            acts: self.acts.clone(),
        }
    }

    /// Creates a world from a saved state. Also returns what no longer exists. New facts, and facts about new
    /// objects, have the initial values of the scenario.
    ///
    /// # Errors
    /// Returns an error if the scenario doesn't exist, or the version is unknown.
    pub fn load(domain: &Domain, saved: &SavedWorld) -> Result<(Self, Vec<Dropped>), Error> {
        check_version(saved.version)?;
        let world = Self::new(domain, &saved.scenario);
        let unknown = || Error::UnknownScenario(saved.scenario.to_string());
        let mut world = world.ok_or_else(unknown)?;
        let mut dropped = vec![];
        world.load_objects(&saved.objects, &mut dropped);
        if let Some(existing) = &saved.existing {
            existing.reset(&mut world.facts, &saved.facts);
        }
        read(&saved.facts, &mut world.facts, &mut dropped);
        world.existing = saved.existing.clone();
        world.created = saved.created;
        world.advance_to(saved.tick);
        world.acts.clone_from(&saved.acts);
        for act in &mut world.acts {
            retain_changes(&mut act.changes, &world.facts);
        }
        Ok((world, dropped))
    }
}
