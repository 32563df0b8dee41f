//! The objects that actors claim for their steps in progress, shared by all actors of a world.

use std::sync::{Arc, PoisonError, Weak};

use taskloom_document::Name;
use taskloom_domain::world::Claimed;

use crate::actor::Actor;
use crate::world::{Inbox, World};

/// The claims of all actors of a world. Those of an actor that was dropped are released.
#[derive(Debug, Default)]
pub(crate) struct Claims(Vec<Claimant>);

/// An actor that claims objects.
#[derive(Debug)]
struct Claimant {
    /// Identifies the actor.
    inbox: Weak<Inbox>,
    name: Option<Name>,
    objects: Vec<Name>,
}

impl Claims {
    /// Sets the objects that an actor claims. Returns `true` if it has released any.
    fn set(&mut self, by: &Arc<Inbox>, name: Option<Name>, objects: Vec<Name>) -> bool {
        let is_own = |one: &Claimant| std::ptr::eq(one.inbox.as_ptr(), Arc::as_ptr(by));
        let before = self.0.iter().position(is_own);
        let before = before.map(|at| self.0.remove(at).objects);
        let released = before.is_some_and(|all| all.iter().any(|one| !objects.contains(one)));
        if !objects.is_empty() {
            self.0.push(Claimant {
                inbox: Arc::downgrade(by),
                name,
                objects,
            });
        }
        released
    }

    /// Releases objects.
    pub(crate) fn remove(&mut self, objects: &[Name]) {
        for one in &mut self.0 {
            one.objects.retain(|object| !objects.contains(object));
        }
    }

    /// Returns the objects that actors claim, except for one actor, each with the name of its actor.
    fn except<'c>(
        &'c self,
        inbox: Option<&'c Arc<Inbox>>,
    ) -> impl Iterator<Item = (&'c Name, &'c Option<Name>)> {
        let others = self.0.iter().filter(move |one| {
            let is_own =
                inbox.is_some_and(|own| std::ptr::eq(one.inbox.as_ptr(), Arc::as_ptr(own)));
            !is_own && one.inbox.strong_count() > 0
        });
        others.flat_map(|one| one.objects.iter().map(|object| (object, &one.name)))
    }
}

impl World {
    /// Returns the objects that actors claim for their steps in progress, in order, each with the name of the
    /// actor if it has one.
    pub fn claims(&self) -> Vec<(Name, Option<Name>)> {
        collected(self.claims.except(None)).into_iter().collect()
    }
}

impl Actor {
    /// Returns the objects that it claims for its steps in progress.
    pub fn claims(&self) -> Vec<Name> {
        let mut claims: Vec<Name> = vec![];
        let executions = self.mind.character.executions();
        for object in executions.flat_map(|execution| &execution.claims) {
            if !claims.contains(object) {
                claims.push(object.clone());
            }
        }
        claims
    }

    /// Makes its claims known to all others, except for those of removed objects: its steps learn of the removal
    /// only at its next turn. Returns `true` if it has released any.
    pub(crate) fn publish_claims(&self, world: &mut World) -> bool {
        let name = self.mind.actor.name().cloned();
        let mut objects = self.claims();
        let news = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        objects.retain(|object| !news.objects.removed.contains(object));
        drop(news);
        world.claims.set(&self.inbox, name, objects)
    }

    /// Returns the objects that all others claim.
    pub(crate) fn others_claims(&self, world: &World) -> Claimed {
        collected(world.claims.except(Some(&self.inbox)))
    }

    /// Learns which objects all others claim. Allocates only if that has changed.
    pub(crate) fn learn_claims(&mut self, world: &World) {
        let claimed = self.mind.world.claimed();
        let mut count = 0;
        let is_known = world
            .claims
            .except(Some(&self.inbox))
            .all(|(object, name)| {
                count += 1;
                claimed.get(object) == Some(name)
            });
        if !is_known || count != claimed.len() {
            self.mind.receive_claims(self.others_claims(world));
        }
    }
}

fn collected<'c>(claims: impl Iterator<Item = (&'c Name, &'c Option<Name>)>) -> Claimed {
    claims
        .map(|(object, name)| (object.clone(), name.clone()))
        .collect()
}
