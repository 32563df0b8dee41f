//! The shown character: one of those in the scenario being planned.

use leptos::prelude::*;
use taskloom_document::{CastMember, Name, Scenario};
use taskloom_domain::Domain;

use super::desk::Desk;
use super::open::DocumentState;
use super::plan::PlanState;

/// The chosen character. It stays the same when the cast is reordered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShownCharacter {
    number: usize,
    member: Option<(Option<Name>, Name)>,
}

impl ShownCharacter {
    fn nth(scenario: &Scenario, number: usize) -> Self {
        let member = scenario.cast.get(number);
        Self {
            number,
            member: member.map(|member| (member.object.clone(), member.agent.clone())),
        }
    }

    /// Returns its current index in the cast.
    fn number(&self, scenario: &Scenario) -> usize {
        let is_it = |other: &CastMember| {
            let member = self.member.as_ref();
            member.is_some_and(|(object, agent)| *object == other.object && *agent == other.agent)
        };
        let cast = &scenario.cast;
        if cast.get(self.number).is_some_and(is_it) {
            return self.number;
        }
        let moved = cast.iter().position(is_it);
        moved.unwrap_or(self.number.min(cast.len().saturating_sub(1)))
    }
}

impl Desk {
    /// Shows the n-th character of the scenario's cast.
    pub(super) fn set_character(&self, open: DocumentState, plan: PlanState, number: usize) {
        let domain = open.domain.get_untracked();
        let scenario = plan.scenario.get_untracked();
        let record = scenario.and_then(|name| Some(domain.scene(&name)?.record.clone()));
        let chosen = ShownCharacter::nth(&record.unwrap_or_default(), number);
        if self.chosen.with_untracked(|shown| *shown != chosen) {
            self.chosen.set(chosen);
        }
    }

    /// Shows the first character of whichever scenario comes next.
    pub(super) fn show_first_character(&self) {
        self.chosen.set(ShownCharacter::default());
    }

    /// Returns the name of the shown character if there are several. Tracked.
    pub fn character_name(&self) -> Option<String> {
        let number = self.character.get();
        self.characters.with(|names| names.get(number).cloned())
    }
}

/// Returns the index of the shown character.
pub fn number(domain: &Domain, scenario: Option<&Name>, chosen: &ShownCharacter) -> usize {
    let scene = scenario.and_then(|name| domain.scene(name));
    scene.map_or(0, |scene| chosen.number(&scene.record))
}

/// Returns the names of a scenario's characters; empty if there is only one.
pub fn names(domain: &Domain, scenario: &Name) -> Vec<String> {
    let scene = domain.scene_or_empty(scenario);
    if scene.cast.len() < 2 {
        return vec![];
    }
    let names = scene.cast.iter().map(|actor| actor.name());
    names
        .map(|name| name.map(ToString::to_string).unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a cast such as `anna as guard, ben as thief`.
    fn scenario(cast: &str) -> Scenario {
        let member = |text: &str| {
            let (object, agent) = text.split_once(" as ").unwrap();
            CastMember {
                object: object.parse().ok(),
                ..CastMember::playing(agent.parse().unwrap())
            }
        };
        Scenario {
            cast: cast.split(", ").map(member).collect(),
            ..Scenario::default()
        }
    }

    #[test]
    fn shown_character_stays_the_same_when_the_cast_changes() {
        let shown = ShownCharacter::nth(&scenario("anna as guard, ben as thief"), 1);
        let at = |cast: &str| shown.number(&scenario(cast));
        assert_eq!(at("anna as guard, ben as thief"), 1);
        assert_eq!(at("ben as thief, anna as guard"), 0);
        assert_eq!(at("anna as guard, zoe as thief"), 1, "somebody else plays");
        assert_eq!(at("anna as guard"), 0, "it is gone");
        assert_eq!(shown.number(&Scenario::default()), 0);
    }
}
