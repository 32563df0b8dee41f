//! The saved state of an actor.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};
use taskloom_document::sort::map_of;
use taskloom_document::{CastMember, Name};
use taskloom_domain::{Actor as Role, Scene};
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{Change, World as Facts};

use super::explain::Recollection;
use super::pace::Pace;
use super::{Actor, Status, compiled, created_role};
use crate::body::{Body, StepRef, action_args, action_of};
use crate::error::Error;
use crate::mind::SavedMind;
use crate::orders::Order;
use crate::plan_execution::Abandoned;
use crate::run::{Reason, TaskState};
use crate::save::{Dropped, SAVE_VERSION, check_version};
use crate::world::{ObjectNews, Received, World};

/// The state of an [`Actor`].
///
/// The keys of its JSON are `version`; `number`, `agent`, `object`, and `created` for an actor that isn't in
/// the cast; `mind`, with its `memory` and `beliefs` (ground facts by their texts), its `tasks` with the plan,
/// the steps in progress and cooldowns, its `goals` (the pursued one, excluded ones and cooldowns), and its
/// `failed` tasks; and the tick, the status, the
/// orders and the changes of the world that its next turn starts with, also of its `objects`, with those removed
/// that are still `known`; and the `recollection` by which it [explains](Actor::explain) what it does; and its
/// `pace`, the ticks at which it begins to plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedActor {
    version: u32,
    number: usize,
    agent: Option<Name>,
    object: Option<Name>,
    created: Option<CastMember>,
    mind: SavedMind,
    tick: Option<u32>,
    status: Status,
    next_id: u64,
    /// Changes by others that it has not received yet.
    received: Vec<(Vec<Change>, bool)>,
    /// Changes of the world's objects that it has not received yet.
    #[serde(default, skip_serializing_if = "ObjectNews::is_empty")]
    objects: ObjectNews,
    /// The types of those of them that were removed and that it still knows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    known: BTreeMap<Name, Name>,
    orders: Vec<Order>,
    abandoned: Vec<Abandoned>,
    recollection: Recollection,
    #[serde(default)]
    pace: Pace,
}

impl Actor {
    /// Returns its state. A search for a plan isn't part of it: it begins again.
    pub fn save(&self) -> SavedActor {
        let role = &self.mind.actor;
        let is_created = self.seed.0 >= self.mind.world.scene().cast.len();
        let received = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        let scene = self.mind.world.scene();
        let removed = received.objects.removed.iter();
        let known =
            removed.filter_map(|object| Some((object.clone(), scene.type_of(object)?.clone())));
        SavedActor {
            version: SAVE_VERSION,
            number: self.seed.0,
            agent: role.agent.as_ref().map(|(name, _)| name.clone()),
            object: role.me().cloned(),
            created: role.member().filter(|_| is_created).cloned(),
            mind: self.mind.save(),
            tick: self.turn.tick,
            status: self.turn.status,
            next_id: self.turn.next_id,
            objects: received.objects.clone(),
            known: map_of(known),
            received: received
                .changes
                .iter()
                .map(|(changes, is_event)| (changes.to_vec(), *is_event))
                .collect(),
            orders: self.orders.given(),
            abandoned: self.abandoned.clone(),
            recollection: self.recollection.clone(),
            pace: self.pace,
        }
    }

    /// Creates an actor from a saved state, in a world that was loaded. Also returns what no longer exists.
    /// The limits of its searches are the default ones.
    ///
    /// Its steps in progress continue: its next turn calls [`Body::tick`] for each action that was running.
    /// If its plan no longer exists, it calls [`Body::stop`] instead.
    ///
    /// This compiles the domain for the actor.
    ///
    /// # Errors
    /// Returns an error if the actor's agent or object doesn't exist, or the version is unknown.
    pub fn load(world: &mut World, saved: &SavedActor) -> Result<(Self, Vec<Dropped>), Error> {
        check_version(saved.version)?;
        let facts = facts_with(&saved.known, world);
        let role = match &saved.created {
            Some(member) => created_role(&facts, member)?,
            None => facts.scene().cast[index_of((world.scenario(), facts.scene()), saved)?].clone(),
        };
        let number = saved.number;
        let problem = compiled(world, (&role, number));
        Ok(Self::restored(
            world,
            saved.clone(),
            (&role, number),
            problem,
            false,
        ))
    }

    /// Creates an actor from a saved state, whose problem is compiled already.
    pub(crate) fn restored(
        world: &mut World,
        saved: SavedActor,
        (role, number): (&Arc<Role>, usize),
        problem: Problem,
        is_alone: bool,
    ) -> (Self, Vec<Dropped>) {
        // The current world may contain what others remember.
        let initial = Facts::initial(
            world.facts.domain(),
            facts_with(&saved.known, world).scene(),
        );
        let mut actor = Self::in_world(world, initial, (role, number), problem, is_alone);
        let mut dropped = vec![];
        let mind = &mut actor.mind;
        let now = facts_with(&saved.known, world);
        let abandoned = mind.load(saved.mind, (&now, world.existing.as_ref()), &mut dropped);
        actor.abandoned = [saved.abandoned, abandoned].concat();
        let exists = |change: &Change| world.facts.atom(&change.atom.to_string()).is_ok();
        let mut received = saved.received;
        received
            .iter_mut()
            .for_each(|(changes, _)| changes.retain(exists));
        let received = received.into_iter();
        let received = received.map(|(changes, is_event)| (changes.into(), is_event));
        *actor.inbox.lock().unwrap_or_else(PoisonError::into_inner) = Received {
            changes: received.collect(),
            objects: saved.objects,
        };
        actor.checks_plan = true;
        for order in saved.orders {
            actor.orders.give(order);
        }
        actor.recollection = saved.recollection;
        actor.pace = saved.pace;
        actor.publish_claims(world);
        actor.turn.tick = saved.tick;
        actor.turn.next_id = saved.next_id;
        actor.turn.status = match saved.status {
            Status::Active if !actor.mind.is_busy() => Status::Waiting,
            status => status,
        };
        (actor, dropped)
    }

    /// Returns `true` if steps of a plan that no longer exists are to be ended.
    pub(crate) fn has_abandoned(&self) -> bool {
        !self.abandoned.is_empty()
    }

    /// Ends the steps whose plan no longer exists.
    pub(super) fn end_abandoned(&mut self, tick: u32, body: &mut dyn Body) {
        if self.abandoned.is_empty() {
            return;
        }
        let why = "it no longer exists in the document".to_owned();
        let reason = Reason::Impossible(why);
        for abandoned in mem::take(&mut self.abandoned) {
            let Abandoned {
                task,
                mut execution,
                action,
            } = abandoned;
            if let Some(id) = action {
                let step = StepRef {
                    id,
                    task: &task,
                    action: action_of(&self.mind.world, &task),
                    args: &action_args(&self.mind.world, &task),
                    start: execution.start,
                    due: execution.due,
                    tick,
                };
                body.stop(&step, &reason);
            }
            let place = (execution.plan, execution.step);
            self.log.lost.push((place, task.to_string()));
            execution.state = TaskState::Failed;
            execution.reason = Some(reason.clone());
            execution.end = Some(tick);
            self.push(execution);
        }
    }
}

/// Returns a world as an actor knows it: with the objects that were removed, as it has yet to learn.
fn facts_with<'w>(removed: &BTreeMap<Name, Name>, world: &'w World) -> Cow<'w, Facts> {
    let (facts, document) = (&world.facts, world.facts.document());
    let may_exist = |(object, of): &(&Name, &Name)| {
        document.types.contains_key(*of) && !document.objects.contains_key(*object)
    };
    let removed = removed.iter().filter(may_exist);
    let removed: Vec<(Name, Name)> = removed.map(|(a, b)| (a.clone(), b.clone())).collect();
    if removed.is_empty() {
        return Cow::Borrowed(facts);
    }
    // There may be others of the same names now.
    let names: Vec<Name> = removed.iter().map(|(name, _)| name.clone()).collect();
    let texts = facts.domain().texts();
    let scene = facts.scene().without_objects(texts, &names);
    let scene = scene.with_objects(texts, &removed);
    let (actor, mut facts) = (scene.nobody().clone(), facts.clone());
    facts.enter(&Arc::new(scene), &actor);
    Cow::Owned(facts)
}

/// Returns the index of a saved actor in the cast of a scene.
///
/// # Errors
/// Returns an error if it isn't in the cast.
pub(crate) fn index_of(
    (scenario, scene): (&Name, &Scene),
    saved: &SavedActor,
) -> Result<usize, Error> {
    let is_same = |role: &Arc<Role>| {
        let agent = role.agent.as_ref().map(|(name, _)| name);
        role.me() == saved.object.as_ref() && agent == saved.agent.as_ref()
    };
    let is_same_object =
        |role: &Arc<Role>| role.me().is_some() && role.me() == saved.object.as_ref();
    let at = scene.cast.get(saved.number).filter(|role| is_same(role));
    let at = at.map(|_| saved.number);
    let at = at.or_else(|| scene.cast.iter().position(is_same));
    let at = at.or_else(|| scene.cast.iter().position(is_same_object));
    at.ok_or_else(|| {
        let name = saved.object.as_ref().or(saved.agent.as_ref());
        let names = scene.cast.iter().filter_map(|role| role.name());
        Error::UnknownActor {
            scenario: scenario.to_string(),
            actor: name.map_or_else(String::new, ToString::to_string),
            cast: names.map(ToString::to_string).collect(),
        }
    })
}
