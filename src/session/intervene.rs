//! Facts that the user overrides in a run.

use leptos::prelude::*;
use taskloom::document::{Event, Scenario};

use super::Session;
use crate::worker::{Answer, Intervention};

impl Session {
    /// Overrides a ground fact from a tick of the run on, replacing an earlier override there.
    pub fn intervene(&self, intervention: Intervention) {
        self.interventions.update(|all| {
            all.retain(|other| (other.at, &other.atom) != (intervention.at, &intervention.atom));
            all.push(intervention);
        });
    }

    /// Removes the n-th override.
    pub fn take_back(&self, number: usize) {
        self.interventions.update(|all| {
            if number < all.len() {
                all.remove(number);
            }
        });
    }

    /// Turns the n-th override into an event of the scenario, as one undo step.
    pub fn keep_as_event(&self, number: usize) {
        let all = self.interventions.get_untracked();
        let (Some(kept), Some(scenario)) = (all.get(number), self.scenario.get_untracked()) else {
            return;
        };
        let event = kept.event();
        let label = format!("Keep {} at tick {} as an event", event.effect, event.at);
        self.change(&scenario, &label, |scenario: &mut Scenario| {
            scenario.events.push(event);
        });
        self.take_back(number);
    }

    /// Removes all overrides: they belonged to another scenario.
    pub(super) fn drop_interventions(&self) {
        if self.interventions.with_untracked(|all| !all.is_empty()) {
            self.interventions.set(vec![]);
        }
    }

    /// Returns one of the events of an answer's run. The scenario's own events come first, then the
    /// overrides, for which the second value is `true`.
    pub fn event(&self, answer: &Answer, number: usize) -> Option<(Event, bool)> {
        let document = self.document_untracked();
        let own = &document.scenarios.get(&answer.scenario)?.events;
        let set = &answer.experiment.interventions;
        match own.get(number) {
            Some(event) => Some((event.clone(), false)),
            None => set
                .get(number.checked_sub(own.len())?)
                .map(|intervention| (intervention.event(), true)),
        }
    }
}
