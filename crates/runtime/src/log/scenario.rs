//! A logged run as one of a document's scenarios.

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_domain::lang::World as _;
use taskloom_planner::plan::{Change, World};

use super::entry::{FactValues, LogEntry};
use super::read::{LogError, LogFile};
use super::texts::{atom, parse, text};
use crate::run::{EventOccurrence, Run};

impl LogFile {
    /// Returns the scenario and the record of its logged run, for a domain that may differ from the logged
    /// one. If facts had other values when the log began than in the scenario's initial world, the record
    /// begins with an event with the index [`Run::SET_BY_GAME`] that sets them.
    ///
    /// # Errors
    /// Returns an error if the domain has no such scenario or another cast for it, if actors are in play that
    /// aren't in the cast, or if [`run`](Self::run) returns one.
    pub fn run_in(&self, domain: &Domain) -> Result<(Name, Run), LogError> {
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
        for (line, entry) in &self.entries {
            let newcomer = match entry {
                LogEntry::Actor(entry) => Some(entry.actor.number),
                entry => entry.actor().filter(|actor| *actor >= scene.cast.len()),
            };
            if let Some(actor) = newcomer {
                let why = format!("actor {actor} isn't in the scenario's cast");
                return Err(LogError::new(*line, why));
            }
        }
        let mut run = self.run()?;
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
        Ok((scenario, run))
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
