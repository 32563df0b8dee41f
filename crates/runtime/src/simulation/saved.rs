//! The saved state of a run between two ticks, from which it continues.

use serde::{Deserialize, Serialize};
use taskloom_document::{Event, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::Problem;

use super::{Changes, Member, Simulation};
use crate::actor::{Actor, SavedActor, index_of};
use crate::chance::SavedFailing;
use crate::error::Error;
use crate::run::{MAX_PLANS, Run, RunEnd};
use crate::save::{Dropped, SAVE_VERSION, SavedWorld, check_version};
use crate::world::World;

/// The state of a [`Simulation`] at the end of a tick.
///
/// The keys of its JSON are `version`; `document`, the hash of its document; `world` and `actors`, as in a
/// [saved game](SavedWorld), each actor with the indices of its entries in the record; `events`, those of the
/// scenario, each with `true` if it has occurred; `failures`, with the number of times that each actor has
/// done what may fail; `changes`, which decide the next tick; `end`, if the run is over; and `run`, the record
/// so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedSimulation {
    version: u32,
    document: String,
    world: SavedWorld,
    actors: Vec<SavedMember>,
    events: Vec<(Event, bool)>,
    failures: Vec<SavedFailing>,
    changes: Changes,
    end: Option<RunEnd>,
    run: Run,
}

/// The saved state of a member of the cast.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedMember {
    actor: SavedActor,
    plannings: Vec<usize>,
    ended: Vec<usize>,
}

impl SavedSimulation {
    /// Returns the name of its scenario.
    pub fn scenario(&self) -> &Name {
        self.world.scenario()
    }
}

impl Simulation {
    /// Continues a run from a saved state. Also returns what no longer exists in the document, which may be a
    /// changed version of the one that it was saved in. The record is that of the whole run, except for actors
    /// that no longer exist. `problem` is the compiled scenario for its first character.
    ///
    /// In a changed document, characters without a plan look for one again.
    ///
    /// # Errors
    /// Returns an error if the scenario doesn't exist, or the version is unknown.
    pub fn resume(
        domain: &Domain,
        saved: SavedSimulation,
        problem: &Problem,
        max_ticks: u32,
    ) -> Result<(Self, Vec<Dropped>), Error> {
        check_version(saved.version)?;
        let scenario = saved.world.scenario().clone();
        let unknown = || Error::UnknownScenario(scenario.to_string());
        let new = Self::new(domain, &scenario, problem, None, max_ticks);
        let mut simulation = new.ok_or_else(unknown)?;
        let (world, mut dropped) = World::load(domain, &saved.world)?;
        simulation.world = world;
        let cast = simulation.load_cast(saved.actors, problem, &mut dropped);
        let events = simulation.schedule.load(&saved.events);
        simulation.failures.load(&saved.failures, &cast);
        simulation.changes = saved.changes;
        simulation.part.over = saved.end;
        simulation.part.continues = true;
        let senses = std::mem::take(&mut simulation.run.senses);
        simulation.run = saved.run;
        simulation.run.senses = senses;
        simulation.number_again(&cast, &events);
        if simulation.world.facts.document().hash() != saved.document {
            simulation.changes.is_document_new = true;
            for member in &mut simulation.members {
                member.actor.mind.character.notice();
            }
        }
        Ok((simulation, dropped))
    }

    /// Loads the saved actors into the cast. Returns their indices; `None` for one that no longer exists.
    /// New members of the cast have done nothing yet.
    fn load_cast(
        &mut self,
        saved: Vec<SavedMember>,
        problem: &Problem,
        dropped: &mut Vec<Dropped>,
    ) -> Vec<Option<usize>> {
        let roles = self.world.facts.scene().cast.clone();
        let is_alone = roles.len() == 1 && saved.len() == 1;
        let mut places: Vec<Option<Member>> = roles.iter().map(|_| None).collect();
        let mut indices = vec![];
        for member in saved {
            let index = match index_of(
                (self.world.scenario(), self.world.facts.scene()),
                &member.actor,
            ) {
                Ok(index) if places[index].is_none() => Ok(index),
                Ok(_) => Err("another actor has its place in the cast".to_owned()),
                Err(why) => Err(why.to_string()),
            };
            indices.push(index.as_ref().ok().copied());
            match index {
                Ok(index) => {
                    let role = (&roles[index], index);
                    let (actor, parts) = Actor::restored(
                        &mut self.world,
                        member.actor,
                        role,
                        problem.clone(),
                        is_alone,
                    );
                    dropped.extend(parts);
                    places[index] = Some(Member::loaded(actor, member.plannings, member.ended));
                }
                Err(why) => dropped.push(Dropped::Actor { why }),
            }
        }
        let members = places.into_iter().zip(&roles).enumerate();
        let members = members.map(|(index, (place, role))| {
            let world = &mut self.world;
            let new = || {
                let actor = Actor::with_problem(world, (role, index), problem.clone(), false);
                Member::new(actor)
            };
            let mut member = place.unwrap_or_else(new);
            member.actor.give_up_after(MAX_PLANS);
            member
        });
        self.members = members.collect();
        indices
    }

    /// Adapts the record to the indices that the saved actors and events have now.
    fn number_again(&mut self, cast: &[Option<usize>], events: &[Option<usize>]) {
        for event in &mut self.run.events {
            let index = events.get(event.event).copied().flatten();
            event.event = index.unwrap_or(Run::SET_BY_GAME);
        }
        if cast.iter().copied().eq((0..cast.len()).map(Some)) {
            return;
        }
        let (plannings, steps) = self.run.keep_characters(cast);
        for member in &mut self.members {
            member.number_again(&plannings, &steps);
        }
    }

    /// Keeps the state in which it ends, for [`take_saved`](Self::take_saved).
    pub fn keep_state(&mut self) {
        self.part.keeps_state = true;
    }

    /// Returns the state in which it has ended, if it was to be [kept](Self::keep_state). `None` if it was
    /// stopped within a tick.
    pub fn take_saved(&mut self) -> Option<SavedSimulation> {
        self.part.saved.take().map(|saved| *saved)
    }

    /// Keeps its state, if it was requested. `end` is how the run ends, if it is over for good.
    pub(super) fn remember(&mut self, end: Option<&RunEnd>) {
        if !self.part.keeps_state {
            return;
        }
        let facts = &mut self.world.facts;
        let mut save = |member: &mut Member| {
            // Memory that nobody shares may be in the world.
            member.actor.mind.world.swap_values(facts);
            let actor = member.actor.save();
            member.actor.mind.world.swap_values(facts);
            let (plannings, ended) = member.numbers();
            SavedMember {
                actor,
                plannings,
                ended,
            }
        };
        let actors = self.members.iter_mut().map(&mut save).collect();
        self.part.saved = Some(Box::new(SavedSimulation {
            version: SAVE_VERSION,
            document: self.world.facts.document().hash(),
            world: self.world.save(),
            actors,
            events: self.schedule.save(),
            failures: self.failures.save(),
            changes: self.changes,
            end: end.cloned(),
            run: self.run.clone(),
        }));
    }
}
