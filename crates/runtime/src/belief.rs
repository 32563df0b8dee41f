//! What a character believes in the course of a run, from the record of what it saw and did.

use super::history::{Entry, Moment, Part, Place, Source};
use super::run::Run;
use taskloom_document::{Document, Scenario, Source as Lives};
use taskloom_domain::Player;
use taskloom_planner::plan::{Change, World};

/// What a character of a scenario believes before anything happened, by its place in the cast;
/// none of one without senses, which sees everything.
pub fn believed_at_first<'a>(
    document: &'a Document,
    scenario: &'a Scenario,
    character: usize,
) -> Option<World<'a>> {
    let player = Player::all(document, scenario).into_iter().nth(character)?;
    let (_, agent) = player.agent?;
    let has_senses = !agent.senses.is_empty();
    has_senses.then(|| World::initial(document, scenario).believed_by(player))
}

impl Run {
    /// What a character believed otherwise until a moment, in order; of one without senses it
    /// means nothing. Of a moment that the run does not have: all that it ever did.
    pub fn believed_until(
        &self,
        document: &Document,
        character: usize,
        moment: Moment,
    ) -> Vec<&Change> {
        let until = self.place(moment);
        self.heard(document, character)
            .into_iter()
            .take_while(|(place, _)| until.is_none_or(|until| *place < until))
            .flat_map(|(_, changes)| changes)
            .collect()
    }

    /// What makes a character believe otherwise, in order.
    pub(super) fn heard(
        &self,
        document: &Document,
        character: usize,
    ) -> Vec<(Place, Vec<&Change>)> {
        let lives = |change: &Change| {
            let fact = document.facts.get(&change.atom.fact);
            fact.map(|fact| fact.source)
        };
        let senses = self.senses.get(character).map_or(&[][..], Vec::as_slice);
        let is_hidden = |change: &Change| {
            lives(change) == Some(Lives::Sensor) && senses.contains(&change.atom.fact)
        };
        let mut made: Vec<(Place, Vec<&Change>)> = vec![];
        for (at, event) in self.events.iter().enumerate() {
            let heard = event.changes.iter().filter(|change| !is_hidden(change));
            let place = (event.tick, Source::Event, 0, Part::Look, at);
            made.push((place, heard.collect()));
        }
        for (at, seen) in self.perceptions.iter().enumerate() {
            if seen.character == character {
                let place = (seen.tick, Source::Step, character, Part::Look, at);
                made.push((place, seen.changes.iter().collect()));
            }
        }
        for (at, step) in self.executed.iter().enumerate() {
            let turn = self.character_of(Entry::Step(at)).unwrap_or(0);
            // A step that the world denies teaches without having acted.
            let Some(tick) = step.acted.or(step.end) else {
                continue;
            };
            let changes = step.changes.iter();
            let heard = if turn == character {
                changes.chain(&step.learned).collect()
            } else {
                let is_memory = |change: &Change| lives(change) == Some(Lives::Memory);
                let heard = changes.filter(|change| !is_memory(change) && !is_hidden(change));
                heard.collect()
            };
            made.push(((tick, Source::Step, turn, Part::Act, at), heard));
        }
        made.sort_unstable_by_key(|(place, _)| *place);
        made
    }
}
