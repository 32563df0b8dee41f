//! A character's beliefs at any moment of a run, from the record of what it saw and did.

use std::sync::Arc;

use super::history::{Entry, Moment, Part, Source, TimeKey};
use super::run::Run;
use taskloom_document::sort::CompactSort;
use taskloom_document::{Document, Source as FactSource};
use taskloom_domain::{Domain, Scene};
use taskloom_planner::plan::{Change, World};

/// Returns the initial beliefs of a character of a scenario, by its index in the cast;
/// `None` for a character without senses, which sees everything.
pub fn believed_at_first(domain: &Domain, scene: &Arc<Scene>, character: usize) -> Option<World> {
    let actor = scene.cast.get(character)?;
    let (_, agent) = actor.agent.as_ref()?;
    let has_senses = !agent.senses.is_empty();
    has_senses.then(|| World::initial(domain, scene).believed_by(actor.clone()))
}

impl Run {
    /// Returns the changes of a character's beliefs until a moment, in order; meaningless for a character
    /// without senses. All changes, if the run does not have this moment.
    pub fn believed_until(
        &self,
        document: &Document,
        character: usize,
        moment: Moment,
    ) -> Vec<&Change> {
        let until = self.time_key(moment);
        self.belief_changes(document, character)
            .into_iter()
            .take_while(|(place, _)| until.is_none_or(|until| *place < until))
            .flat_map(|(_, changes)| changes)
            .collect()
    }

    /// Returns all changes of a character's beliefs, in order.
    pub(super) fn belief_changes(
        &self,
        document: &Document,
        character: usize,
    ) -> Vec<(TimeKey, Vec<&Change>)> {
        let source = |change: &Change| {
            let fact = document.facts.get(&change.atom.fact);
            fact.map(|fact| fact.source)
        };
        let senses = self.senses.get(character).map_or(&[][..], Vec::as_slice);
        let is_hidden = |change: &Change| {
            source(change) == Some(FactSource::Sensor) && senses.contains(&change.atom.fact)
        };
        let mut all: Vec<(TimeKey, Vec<&Change>)> = vec![];
        for (at, event) in self.events.iter().enumerate() {
            let visible = event.changes.iter().filter(|change| !is_hidden(change));
            let place = (event.tick, Source::Event, 0, Part::Observe, at);
            all.push((place, visible.collect()));
        }
        for (at, seen) in self.perceptions.iter().enumerate() {
            if seen.character == character {
                let place = (seen.tick, Source::Step, character, Part::Observe, at);
                all.push((place, seen.changes.iter().collect()));
            }
        }
        for (at, step) in self.executed.iter().enumerate() {
            let turn = self.character_of(Entry::Step(at)).unwrap_or(0);
            // A step whose precondition turns out to be false in the world reveals that without
            // acting.
            let Some(tick) = step.acted.or(step.end) else {
                continue;
            };
            let changes = step.changes.iter();
            let visible = if turn == character {
                changes.chain(&step.learned).collect()
            } else {
                let is_memory = |change: &Change| source(change) == Some(FactSource::Memory);
                let visible = changes.filter(|change| !is_memory(change) && !is_hidden(change));
                visible.collect()
            };
            all.push(((tick, Source::Step, turn, Part::Act, at), visible));
        }
        all.compact_sort_by_key(|(place, _)| *place);
        all
    }
}
