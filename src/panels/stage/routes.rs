//! The paths of actors: where they came from, where their plans lead, and what they observe there.

use std::collections::BTreeSet;

use taskloom_document::Name;
use taskloom_document::sort::set_of;
use taskloom_domain::lang::{Env, World as _};
use taskloom_planner::plan::{Atom, Plan, World};
use taskloom_runtime::world_at;

use super::maps::reads;
use super::play::Play;
use super::scene::moment;
use crate::session::Cursor;

/// The number of objects that are tried out in a place to find out if they would be observed.
const MAX_TRIED: usize = 3;

/// The planned path of an actor: the places that it goes to, and the numbers of its steps.
pub type Route = Vec<(usize, Name)>;

impl Play {
    /// Returns the rest of an actor's planned path at the cursor.
    pub fn route(&self, cursor: Cursor, actor: usize) -> Route {
        let object = self
            .actors
            .get(actor)
            .and_then(|actor| actor.thing.as_ref());
        let (Some(own), Some((plan, done))) = (object, self.plan(cursor, actor)) else {
            return vec![];
        };
        let steps = plan.steps.iter().enumerate();
        let ahead = steps.filter(|(at, _)| !done.contains(at));
        let stops = ahead.flat_map(|(at, step)| {
            let places = step.changes.iter().filter_map(|change| {
                match reads(&self.maps, &change.atom, &change.after)? {
                    (thing, Some(place), true) if thing == own => Some(place.clone()),
                    _ => None,
                }
            });
            places.map(move |place| (at + 1, place))
        });
        stops.collect()
    }

    /// Returns the plan that an actor follows at the cursor, and the steps that are over.
    fn plan(&self, cursor: Cursor, actor: usize) -> Option<(&Plan, BTreeSet<usize>)> {
        let run = self.answer.run.as_ref();
        let tick = self.tick(cursor);
        if cursor.happened.is_none() && self.answer.character == actor {
            let plan = self.answer.plan_at_or_own(cursor.plan)?;
            let done = cursor.step.map_or(0, |step| step + 1);
            return Some((plan, set_of(0..done)));
        }
        let plans = &run?.plans;
        let is_own = |character: usize| character == actor;
        let at = match tick {
            Some(tick) => plans
                .iter()
                .rposition(|p| is_own(p.character) && p.tick <= tick)?,
            None => plans.iter().position(|p| is_own(p.character))?,
        };
        let ended = run?.executed.iter().filter(|step| {
            step.plan == at && step.end.zip(tick).is_some_and(|(end, tick)| end <= tick)
        });
        let done = ended.map(|step| step.step).collect();
        Some((plans.get(at)?.plan()?, done))
    }

    /// Returns the place that an actor came from last.
    pub fn came_from(&self, cursor: Cursor, actor: usize) -> Option<Name> {
        let own = self.actors.get(actor)?.thing.as_ref()?;
        let tick = self.tick(cursor)?;
        let arrivals = self.arrivals.get(own)?;
        let mut until = arrivals.iter().rev().filter(|(at, _)| *at <= tick);
        let (_, now) = until.next()?;
        let before = until.map(|(_, place)| place).find(|place| *place != now);
        let first = || {
            let mut initial = self.initial.iter();
            initial.find_map(|(atom, value)| match reads(&self.maps, atom, value)? {
                (thing, Some(place), true) if thing == own => Some(place),
                _ => None,
            })
        };
        before.or_else(first).filter(|place| *place != now).cloned()
    }

    /// Returns the places in which an actor's senses would observe something now. Senses without a
    /// condition, and those that aren't about places, add nothing.
    pub fn observed(&self, cursor: Cursor, actor: usize) -> BTreeSet<Name> {
        let mut seen = BTreeSet::new();
        let Some(mut world) = self.world_of(cursor, actor) else {
            return seen;
        };
        let agent = world.actor().agent.as_ref().map(|(name, _)| name.clone());
        let domain = self.domain.clone();
        let Some(agent) = agent.as_ref().and_then(|agent| domain.agent(agent)) else {
            return seen;
        };
        for (sense, when) in agent.record.senses.iter().zip(&agent.senses) {
            let (Some(when), Some(fact)) = (when, domain.document().facts.get(&sense.fact)) else {
                continue;
            };
            for place in &self.places {
                let tried = self.tried(&world, &sense.fact, place);
                let is_seen = |(atom, value): &(Atom, _)| {
                    let before = world.value(atom);
                    // A value that doesn't fit isn't observed.
                    if world.set(atom, Clone::clone(value)).is_err() {
                        return false;
                    }
                    let holds = world.holds(when, &Env::bound(&fact.params, &atom.args));
                    let _ = world.set(atom, before);
                    holds == Ok(true)
                };
                if !seen.contains(place) && tried.iter().any(is_seen) {
                    seen.insert(place.clone());
                }
            }
        }
        seen
    }

    /// Returns the values to try out: those that put objects into a place, or that a fact has there.
    fn tried(
        &self,
        world: &World,
        fact: &Name,
        place: &Name,
    ) -> Vec<(Atom, taskloom_planner::plan::Value)> {
        if let Some(map) = self.maps.iter().find(|map| map.fact == *fact) {
            if map.actor().is_some() {
                return vec![];
            }
            let me = world.actor().me().cloned();
            let things = world.objects(&map.things).into_iter();
            let others = things.filter(|thing| Some(thing) != me.as_ref());
            let tried = others.take(MAX_TRIED);
            return tried
                .flat_map(|thing| map.moving(&thing, None, place))
                .collect();
        }
        let atom = Atom {
            fact: fact.clone(),
            args: vec![place.clone()],
        };
        let is_about = self.about_places.contains(fact);
        let value = world.value(&atom);
        is_about.then_some((atom, value)).into_iter().collect()
    }

    fn world_of(&self, cursor: Cursor, actor: usize) -> Option<World> {
        let scene = self.domain.scene(&self.answer.scenario)?;
        let own = scene.cast.get(actor)?.clone();
        let moment = moment(cursor)?;
        let world = match &self.answer.run {
            Some(run) => world_at(&self.domain, scene, run, moment),
            None => World::initial(&self.domain, scene),
        };
        Some(world.played_by(own))
    }
}
