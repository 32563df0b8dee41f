//! An actor whose world has gained or lost objects.

use std::mem;
use std::sync::{Arc, PoisonError};

use super::{Actor, Phase, Status};
use crate::body::Body;
use crate::run::Reason;
use crate::world::World;

impl Actor {
    /// Learns which objects were added and removed since its last turn. If its own was removed, it leaves the
    /// world.
    pub(super) fn meet_objects(&mut self, world: &mut World, body: &mut dyn Body) {
        let mut inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        let news = mem::take(&mut inbox.objects);
        drop(inbox);
        let scene = &world.facts.scene().clone();
        if news.is_empty() && !self.checks_plan && Arc::ptr_eq(scene, self.mind.world.scene()) {
            return;
        }
        let (number, role) = (self.seed.0, &self.mind.actor);
        let role = match role.member().filter(|_| number >= scene.cast.len()) {
            Some(member) => scene.role(world.facts.document(), member),
            None => scene.actor(number).clone(),
        };
        if let Some(me) = self.mind.actor.me()
            && (role.me().is_none() || news.removed.contains(me))
        {
            let reason = Reason::Removed(me.clone());
            return self.leave(&reason, world.tick(), body);
        }
        // A plan that it searches for may still name what was removed.
        self.checks_plan &= self.is_searching();
        self.checks_plan |= !news.removed.is_empty() && self.is_searching();
        let tick = world.tick();
        let removal = world.removal_of(&news.removed);
        let loss = self.mind.meet((scene, role), (&news, removal), tick, body);
        for execution in loss.stopped {
            self.push(execution);
        }
        if loss.is_concerned {
            self.restart_search();
        }
    }

    /// Leaves the world.
    fn leave(&mut self, reason: &Reason, tick: u32, body: &mut dyn Body) {
        self.search = None;
        let at = (&self.mind.world, tick);
        let ended = self.mind.character.reassign(None, reason, at, body);
        self.mind.drop_search();
        for execution in ended {
            self.push(execution);
        }
        self.turn.phase = Phase::Over;
        self.turn.status = Status::Removed;
    }
}
