//! Requests for plans, with the overrides that the user tries.

use leptos::prelude::*;
use taskloom_document::{Event, Scenario};
use taskloom_planner::plan::policy;

use super::Session;
use crate::worker::{Answer, Experiment, PlanRequest};

impl Session {
    /// Requests a plan after each relevant change.
    pub(super) fn keep_planning(&self) {
        let session = *self;
        Effect::new(move || {
            let document = session.open.document.get();
            let domain = session.open.domain.get();
            let scenario = session.plan.scenario.get();
            let character = session.desk.character.get();
            let strategy = session.plan.strategy.get();
            let experiment = Experiment {
                interventions: session.plan.interventions.get(),
                compares: session.plan.compares.get(),
            };
            let scenario = scenario.filter(|s| document.scenarios.contains_key(s));
            let now = scenario.map(|scenario| PlanRequest {
                revision: 0,
                character,
                strategy: strategy.unwrap_or_else(|| policy(&domain, &scenario, character).into()),
                is_for_all: strategy.is_some(),
                experiment,
                document,
                scenario,
            });
            session.plan.client().want(now);
        });
    }

    /// Turns the n-th override into an event of the scenario, as one undo step.
    pub fn keep_as_event(&self, number: usize) {
        let all = self.plan.interventions.get_untracked();
        let (Some(kept), Some(scenario)) = (all.get(number), self.plan.scenario.get_untracked())
        else {
            return;
        };
        let event = kept.event();
        let label = format!("Keep {} at tick {} as an event", event.effect, event.at);
        self.change(&scenario, &label, |scenario: &mut Scenario| {
            scenario.events.push(event);
        });
        self.plan.take_back(number);
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
