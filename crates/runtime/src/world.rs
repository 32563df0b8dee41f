//! The world of one or several actors: the values of facts, and the tick.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_domain::lang::{Env, World as _, read_formula};
use taskloom_domain::world::Removal;
use taskloom_planner::plan::{Atom, Change, Value, World as Facts};

mod acts;
mod objects;

use crate::claims::Claims;
use crate::error::Error;
use crate::log::Logger;
use crate::save::Existing;

pub(crate) use acts::{Act, OthersActs};
pub use objects::ObjectChanges;
pub(crate) use objects::ObjectNews;

/// The changes by others that an actor has yet to receive.
#[derive(Debug, Default)]
pub(crate) struct Received {
    /// The changes of facts, each with `true` if an event made them.
    pub changes: Vec<(Arc<[Change]>, bool)>,
    /// The changes of the world's objects.
    pub objects: ObjectNews,
}

/// The place where an actor receives what others change.
pub(crate) type Inbox = Mutex<Received>;

/// An actor that receives what others change.
struct Listener {
    inbox: Weak<Inbox>,
    /// `true` if it has senses, which may depend on what is in the memory of others.
    has_senses: bool,
}

impl Listener {
    fn exists(&self) -> bool {
        self.inbox.strong_count() > 0
    }
}

/// The values of all facts, the blackboard, and the tick. The game owns it, and its actors share it.
pub struct World {
    scenario: Name,
    pub(crate) facts: Facts,
    tick: u32,
    /// The actors in it. Actors that were dropped are removed from the list.
    actors: Vec<Listener>,
    /// `true` if anything was delivered since this was last asked.
    has_delivered: bool,
    /// The objects that they claim.
    pub(crate) claims: Claims,
    /// The changes that actors have made at this tick.
    pub(crate) acts: Vec<Act>,
    /// The number of actors created so far that are not in the cast.
    pub(crate) created: usize,
    /// The facts and objects of the saved game from which it was loaded; `None` for a new world.
    pub(crate) existing: Option<Existing>,
    /// The differences from the objects of its scenario.
    changed_objects: ObjectChanges,
    /// The last removal of objects, until all its actors have learned of it.
    removal: Removal,
    /// Its log.
    pub(crate) logger: Option<Box<Logger>>,
}

impl World {
    /// Creates the initial world of a scenario, at tick 0; `None` if there is no such scenario.
    pub fn new(domain: &Domain, scenario: &Name) -> Option<Self> {
        Some(Self {
            scenario: scenario.clone(),
            facts: Facts::initial(domain, domain.scene(scenario)?),
            tick: 0,
            actors: vec![],
            has_delivered: false,
            claims: Claims::default(),
            acts: vec![],
            created: 0,
            existing: None,
            changed_objects: ObjectChanges::default(),
            removal: Removal::default(),
            logger: None,
        })
    }

    /// Returns the name of its scenario.
    pub fn scenario(&self) -> &Name {
        &self.scenario
    }

    /// Returns the current tick.
    pub fn tick(&self) -> u32 {
        self.tick
    }

    /// Begins the next tick.
    pub fn advance(&mut self) {
        self.advance_to(self.tick.saturating_add(1));
    }

    /// Begins a later tick. An earlier one is ignored: time doesn't go back.
    pub fn advance_to(&mut self, tick: u32) {
        if tick > self.tick {
            self.acts.clear();
        }
        self.tick = self.tick.max(tick);
        if self.facts.domain().clock().runs {
            self.facts.set_time(f64::from(self.tick));
        }
        self.snapshot_if_due();
    }

    /// Returns the ground fact that a text names, such as `at(box)`.
    ///
    /// # Errors
    /// Returns an error if there is no such fact, or it doesn't accept these objects.
    pub fn atom(&self, text: &str) -> Result<Atom, Error> {
        self.facts.atom(text).map_err(|message| Error::InvalidFact {
            text: text.to_owned(),
            message,
        })
    }

    /// Returns the value of a ground fact.
    pub fn value(&self, atom: &Atom) -> Value {
        self.facts.value(atom)
    }

    /// Returns every fact that was set, in order. All others have their defaults.
    pub fn facts(&self) -> Vec<(Atom, Value)> {
        self.facts.assigned_atoms()
    }

    /// Sets a ground fact, as an event of a scenario does. Returns `true` if that changed its value. A
    /// memory fact is set in the memory of every actor.
    ///
    /// # Errors
    /// Returns an error if there is no such ground fact, or it can't have the value.
    pub fn set(&mut self, atom: &Atom, value: impl Into<Value>) -> Result<bool, Error> {
        let before = self.facts.value(atom);
        let after = value.into();
        let set = self.facts.set(atom, after.clone());
        let has_changed = set.map_err(|message| Error::InvalidValue {
            fact: atom.to_string(),
            message,
        })?;
        let change = Change {
            atom: atom.clone(),
            before,
            after,
        };
        if has_changed || self.facts.is_memory(&change.atom.fact) {
            self.log_set(&change);
            self.deliver(&[change], true, None);
        }
        Ok(has_changed)
    }

    /// Returns `true` if a formula such as `at(box) and not carrying` is true.
    ///
    /// # Errors
    /// Returns an error if it can't be parsed or evaluated.
    pub fn holds(&self, formula: &str) -> Result<bool, Error> {
        let (domain, scope) = (self.facts.domain(), self.facts.scenario_scope());
        let read = domain.read(formula, &scope, read_formula);
        let holds = self.facts.holds(&read, &Env::new());
        holds.map_err(|message| Error::invalid_text(formula, &read.mistakes, message))
    }

    /// Returns the number of the next actor that isn't in the cast. Its random draws depend on it.
    pub(crate) fn next_number(&mut self) -> usize {
        self.created += 1;
        self.facts.scene().cast.len() + self.created - 1
    }

    /// Adds an actor, which may have senses. Returns its inbox.
    pub(crate) fn join(&mut self, has_senses: bool) -> Arc<Inbox> {
        let inbox = Arc::new(Inbox::default());
        // Not each time: a scenario may have thousands of actors.
        if self.actors.len().is_power_of_two() {
            self.actors.retain(Listener::exists);
        }
        self.actors.push(Listener {
            inbox: Arc::downgrade(&inbox),
            has_senses,
        });
        inbox
    }

    /// Delivers changes to all actors but the one that made them: those of its memory only to actors with senses.
    pub(crate) fn deliver(&mut self, changes: &[Change], is_event: bool, by: Option<&Arc<Inbox>>) {
        if changes.is_empty() {
            return;
        }
        let is_memory = |change: &Change| self.facts.is_memory(&change.atom.fact);
        let is_for_senses_only = !is_event && changes.iter().all(is_memory);
        let changes: Arc<[Change]> = changes.into();
        let has_delivered = &mut self.has_delivered;
        self.actors.retain(|one| {
            let Some(inbox) = one.inbox.upgrade() else {
                return false;
            };
            let is_other = by.is_none_or(|by| !Arc::ptr_eq(by, &inbox));
            if is_other && (one.has_senses || !is_for_senses_only) {
                *has_delivered = true;
                let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
                inbox.changes.push((changes.clone(), is_event));
            }
            true
        });
    }

    /// Returns `true` if anything was delivered to any actor since this was last called.
    pub(crate) fn take_has_delivered(&mut self) -> bool {
        std::mem::take(&mut self.has_delivered)
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut map = f.debug_map();
        for (atom, value) in self.facts() {
            map.key(&format_args!("{atom}"));
            map.value(&format_args!("{value}"));
        }
        map.finish()
    }
}
