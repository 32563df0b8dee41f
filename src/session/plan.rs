//! The state of planning: what is requested, and what was answered.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Document, Name};
use taskloom_planner::plan::Strategy;

use super::Kept;
use super::log::OpenLog;
use super::open::Resets;
use super::shown_run::{self, ShownRun};
use crate::worker::{Answer, Client, Intervention, Planning, Shown};

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
    /// The log that is shown in place of the run of its scenario.
    pub log: Kept<RwSignal<Option<Arc<OpenLog>>>>,
    /// The tick to which the cursor was moved to follow the log.
    pub(super) followed_to: StoredValue<Option<u32>>,
    /// The planner's latest answer with its own run. What the document's results are made of.
    pub planned: Kept<ReadSignal<Option<Arc<Answer>>>>,
    /// The run that is shown, with its source.
    pub shown: Kept<Memo<ShownRun>>,
    /// The planner's latest answer, with the run that is shown.
    pub answer: Kept<Memo<Option<Arc<Answer>>>>,
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
        let log = resets.signal(None);
        let scenario = Kept::new(scenario);
        let (shown_run, answer) = shown_run::memos(shown.answer, log, scenario);
        Self {
            client: StoredValue::new_local(client(shown)),
            scenario,
            strategy: resets.signal(None),
            interventions: resets.signal(vec![]),
            compares: resets.signal(false),
            log,
            followed_to: StoredValue::new(None),
            planned: Kept(shown.answer.read_only()),
            shown: Kept(shown_run),
            answer: Kept(answer),
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

    /// Shows answers that were stored with the open document, once they are requested.
    pub(super) fn know(&self, document: Arc<Document>, answers: Vec<Answer>) {
        if let Some(client) = self.client.get_value() {
            client.know(document, answers);
        }
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

    /// Overrides ground facts from a tick of the run on, replacing earlier overrides there.
    ///
    /// # Errors
    /// Returns the reason why the run that is shown can't be changed.
    pub fn intervene(&self, new: Vec<Intervention>) -> Result<(), &'static str> {
        self.shown.with_untracked(ShownRun::can_be_changed)?;
        self.interventions.update(|all| {
            for intervention in new {
                let place = (intervention.at, &intervention.atom);
                all.retain(|other| (other.at, &other.atom) != place);
                all.push(intervention);
            }
        });
        Ok(())
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
        self.client().search_again();
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
