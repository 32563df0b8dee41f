//! Requesting plans, and checking whether an answer is current.

use leptos::prelude::*;
use taskloom::planner::plan::policy;

use super::Session;
use crate::worker::{Answer, Experiment, PlanRequest, Planning};

impl Session {
    /// Requests a plan after each relevant change.
    pub(super) fn keep_planning(&self) {
        let session = *self;
        Effect::new(move || {
            let document = session.document.get();
            let scenario = session.scenario.get();
            let character = session.character.get();
            let wish = session.wish.get();
            let experiment = Experiment {
                interventions: session.interventions.get(),
                compares: session.compares.get(),
            };
            let scenario = scenario.filter(|s| document.scenarios.contains_key(s));
            let now = scenario.map(|scenario| PlanRequest {
                revision: 0,
                character,
                strategy: wish.unwrap_or_else(|| policy(&document, &scenario, character).into()),
                is_for_all: wish.is_some(),
                experiment,
                document,
                scenario,
            });
            session.planner().want(now);
        });
    }

    /// Repeats the latest request, as after a stop.
    pub fn plan_again(&self) {
        self.planner().plan_again();
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
