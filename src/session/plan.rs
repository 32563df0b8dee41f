//! Planning: what is requested, with the overrides that the user tries, and what was answered.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Event, Name, Scenario};
use taskloom::planner::plan::{Strategy, policy};

use super::open::Resets;
use super::{Kept, Session};
use crate::worker::{Answer, Client, Experiment, Intervention, PlanRequest, Planning, Shown};

/// The planning of the open document.
#[derive(Clone, Copy)]
pub struct PlanState {
    client: StoredValue<Option<Client>, LocalStorage>,
    /// The scenario being planned.
    pub scenario: Kept<RwSignal<Option<Name>>>,
    /// The search strategy, if it differs from the document's setting.
    pub strategy: Kept<RwSignal<Option<Strategy>>>,
    /// The overrides in the run of the scenario being planned.
    pub interventions: Kept<RwSignal<Vec<Intervention>>>,
    /// If `true`, the scenario is also run in the other planning mode.
    pub compares: Kept<RwSignal<bool>>,
    /// The planner's latest answer.
    pub answer: Kept<ReadSignal<Option<Arc<Answer>>>>,
    /// The revision being planned: that of the latest request.
    revision: Kept<ReadSignal<u64>>,
    /// The planner's current activity.
    pub planning: Kept<ReadSignal<Planning>>,
    /// The reason why the planner was restarted since the latest request, if it was.
    pub note: Kept<ReadSignal<Option<&'static str>>>,
}

impl PlanState {
    /// Creates the state before anything was planned. Tests run without a client.
    pub(super) fn new(
        scenario: Option<Name>,
        client: impl FnOnce(Shown) -> Option<Client>,
        resets: &mut Resets,
    ) -> Self {
        let shown = Shown::new();
        Self {
            client: StoredValue::new_local(client(shown)),
            scenario: Kept::new(scenario),
            strategy: resets.signal(None),
            interventions: resets.signal(vec![]),
            compares: resets.signal(false),
            answer: Kept(shown.answer.read_only()),
            revision: Kept(shown.revision.read_only()),
            planning: Kept(shown.status.read_only()),
            note: Kept(shown.note.read_only()),
        }
    }

    /// Returns the worker's handle, for exports and the Stop button.
    pub fn client(&self) -> Client {
        let client = self.client.get_value();
        client.expect("the page has a planner")
    }

    /// Discards answer and request: another document opens.
    pub(super) fn close(&self) {
        self.client
            .with_value(|client| client.iter().for_each(Client::close));
    }

    /// Searches with this strategy, or with the document's setting.
    pub fn set_strategy(&self, strategy: Option<Strategy>) {
        self.strategy.set(strategy);
    }

    /// Starts or stops running the scenario in the other planning mode, too.
    pub fn toggle_comparison(&self) {
        self.compares.update(|compares| *compares = !*compares);
    }

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

    /// Removes all overrides: they belonged to another scenario.
    pub(super) fn drop_interventions(&self) {
        if self.interventions.with_untracked(|all| !all.is_empty()) {
            self.interventions.set(vec![]);
        }
    }

    /// Repeats the latest request, as after a stop.
    pub fn plan_again(&self) {
        self.client().plan_again();
    }

    /// Returns `true` if an answer belongs to the latest request.
    pub fn is_newest(&self, answer: &Answer) -> bool {
        self.revision
            .with_untracked(|newest| *newest == answer.revision)
    }

    /// Returns `true` if the shown answer belongs to another revision than the document's. Tracked.
    pub fn is_old(&self) -> bool {
        let revision = self.revision.get();
        let planning = self.planning.get();
        let answer = self.answer;
        answer.with(|answer| {
            answer
                .as_ref()
                .is_some_and(|a| planning.is_old(a, revision))
        })
    }

    /// Returns `true` if an answer for the current document is pending. Tracked.
    pub fn is_planning(&self) -> bool {
        let planning = self.planning.get();
        matches!(
            planning,
            Planning::Starting | Planning::Sent | Planning::Busy(..)
        )
    }
}

impl Session {
    /// Requests a plan after each relevant change.
    pub(super) fn keep_planning(&self) {
        let session = *self;
        Effect::new(move || {
            let document = session.open.document.get();
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
                strategy: strategy
                    .unwrap_or_else(|| policy(&document, &scenario, character).into()),
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
