//! Facts that the designer sets by hand while looking at a run.

use leptos::prelude::*;
use taskloom::document::{Event, Scenario};

use super::Session;
use crate::worker::{Answer, Intervention};

impl Session {
    /// Sets a ground fact from a tick of the run on; what was set there before is replaced.
    pub fn intervene(&self, intervention: Intervention) {
        self.interventions.update(|all| {
            all.retain(|other| (other.at, &other.atom) != (intervention.at, &intervention.atom));
            all.push(intervention);
        });
    }

    /// The n-th fact that was set goes its own way again.
    pub fn take_back(&self, number: usize) {
        self.interventions.update(|all| {
            if number < all.len() {
                all.remove(number);
            }
        });
    }

    /// Makes the n-th fact that was set an event of the scenario, in one step of undo.
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

    /// Nothing is set by hand any more: it was said of another scenario.
    pub(super) fn drop_interventions(&self) {
        if self.interventions.with_untracked(|all| !all.is_empty()) {
            self.interventions.set(vec![]);
        }
    }

    /// One of the events of an answer's run: the scenario's own come first, then what was set by
    /// hand, which is told apart by the second value.
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
