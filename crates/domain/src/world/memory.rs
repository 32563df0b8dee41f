//! A character's own memory, separate from the world, and its initial beliefs (semantics, section
//! 5).

use std::sync::Arc;

use super::{Values, World};
use crate::actor::Actor;
use crate::ground::{Atom, Change, Value};
use taskloom_document::{Name, Source};

impl World {
    /// Returns the same world, seen by a character with its own memory: from now on its memory is
    /// separate.
    #[must_use]
    pub fn with_own_memory(self) -> Self {
        let remembered = self.assigned_atoms().into_iter();
        let remembered = remembered.filter(|(atom, _)| self.is_memory(&atom.fact));
        let memory = Values {
            set: remembered.collect(),
            ..Values::default()
        };
        Self {
            memory: Some(Arc::new(memory)),
            ..self
        }
    }

    /// Returns a character's initial belief about this world.
    #[must_use]
    pub fn believed_by(self, actor: Arc<Actor>) -> Self {
        let mut world = self.played_by(actor.clone());
        if actor.has_unknown() {
            for (atom, _) in world.assigned_atoms() {
                if world.is_sensed(&atom.fact) && actor.is_unknown_at_first(&atom.fact) {
                    world.write(&atom, world.unset(&atom));
                }
            }
        }
        let domain = world.domain.clone();
        let scene = world.scene.clone();
        let beliefs = actor.counting_beliefs(domain.texts());
        for belief in beliefs.filter(|belief| !scene.is_past(belief)) {
            world.write(&belief.atom, belief.value.clone());
        }
        world
    }

    /// Returns `true` if the acting character has its own memory.
    pub fn has_own_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Returns the same world with the memory of another world's character.
    #[must_use]
    pub fn remembering(self, other: &Self) -> Self {
        Self {
            memory: other.memory.clone(),
            ..self
        }
    }

    /// Returns `true` if the separate memory has a different value of a ground fact.
    pub fn memory_differs(&self, atom: &Atom, value: &Value) -> bool {
        self.is_own(atom) && self.present(atom) != *value
    }

    /// Applies changes to the character's own memory; does nothing if it has none.
    pub fn remember(&mut self, changes: &[Change]) {
        if self.memory.is_some() {
            self.apply(changes);
        }
    }

    /// Returns `true` if actors have their own values of a fact.
    pub fn is_memory(&self, fact: &Name) -> bool {
        self.domain.is_memory(fact)
    }

    /// Returns `true` if a fact's value comes from a sensor.
    fn is_sensed(&self, fact: &Name) -> bool {
        let fact = self.document().facts.get(fact);
        fact.is_some_and(|fact| fact.source == Source::Sensor)
    }

    /// Returns `true` if a ground fact's value is in the character's own memory.
    pub(super) fn is_own(&self, atom: &Atom) -> bool {
        self.memory.is_some() && self.is_memory(&atom.fact)
    }
}
