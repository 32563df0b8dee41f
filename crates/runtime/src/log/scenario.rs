//! A logged run as one of a document's scenarios.

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_domain::lang::World as _;
use taskloom_planner::plan::{Change, World};

use super::entry::{ActorEntry, FactValues, LogEntry};
use super::read::{LogError, LogFile};
use super::texts::{atom, parse, text};
use crate::run::{EventOccurrence, Run};

/// A logged run as one of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioRun {
    /// The scenario.
    pub scenario: Name,
    /// The record of the scenario's cast.
    pub run: Run,
    /// The names of actors that aren't in the cast. What they have changed is in the record, as set by the game.
    pub others: Vec<String>,
}

impl LogFile {
    /// Returns its run as one of a scenario, for a domain that may differ from the logged one. If facts had other
    /// values when the log began than in the scenario's initial world, the record begins with an event with the index
    /// [`Run::SET_BY_GAME`] that sets them.
    ///
    /// # Errors
    /// Returns an error if the domain has no such scenario or another cast for it, or if [`run`](Self::run) returns
    /// one.
    pub fn run_in(&self, domain: &Domain) -> Result<ScenarioRun, LogError> {
        let name = &self.start.scenario;
        let at_start = |why: String| LogError::new(1, why);
        let scenario: Name = parse(name).map_err(at_start)?;
        let Some(scene) = domain.scene(&scenario) else {
            return Err(at_start(format!("the document has no scenario '{name}'")));
        };
        let cast = scene.cast.iter().map(|actor| actor.name().map(text));
        if !cast.eq(self.start.actors.iter().map(|actor| actor.name.clone())) {
            let why = format!("the document has another cast for the scenario '{name}'");
            return Err(at_start(why));
        }
        let others = self.entries.iter().filter_map(|(_, entry)| match entry {
            LogEntry::Actor(ActorEntry { actor, .. }) => {
                let name = actor.name.as_ref().or(actor.agent.as_ref());
                Some(name.map_or_else(|| format!("actor {}", actor.number), Clone::clone))
            }
            _ => None,
        });
        let others = others.collect();
        let mut run = self.run_of(scene.cast.len(), &|fact| domain.is_memory(fact))?;
        let begin = self.start.tick;
        let snapshot = self.entries.iter().find_map(|(line, entry)| match entry {
            LogEntry::Snapshot(snapshot) if snapshot.tick == begin => {
                Some((*line, &snapshot.facts))
            }
            _ => None,
        });
        if let Some((line, facts)) = snapshot {
            let changes = differences(&World::initial(domain, scene), facts);
            let changes = changes.map_err(|why| LogError::new(line, why))?;
            if !changes.is_empty() {
                let set = EventOccurrence {
                    tick: begin,
                    event: Run::SET_BY_GAME,
                    changes,
                    refused: None,
                };
                run.events.insert(0, set);
            }
        }
        Ok(ScenarioRun {
            scenario,
            run,
            others,
        })
    }
}

/// Returns the changes that turn a world into one with these facts; all others have their defaults.
fn differences(initial: &World, facts: &FactValues) -> Result<Vec<Change>, String> {
    let mut changes = vec![];
    let mut change = |atom, before, after| {
        if before != after {
            changes.push(Change {
                atom,
                before,
                after,
            });
        }
    };
    for (fact, value) in facts {
        let atom = atom(fact)?;
        let before = initial.value(&atom);
        change(atom, before, value.read()?);
    }
    for (atom, before) in initial.assigned_atoms() {
        if !facts.contains_key(&text(&atom)) {
            let default = initial.unset(&atom);
            change(atom, before, default);
        }
    }
    Ok(changes)
}
