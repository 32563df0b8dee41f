//! What is requested from the planner, and whether its answer is that of the document.

use leptos::prelude::*;
use taskloom::planner::plan::policy;

use super::Session;
use crate::worker::{Answer, Experiment, Planning, Wish};

impl Session {
    /// Plans after each change of what is planned.
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
            let now = scenario.map(|scenario| Wish {
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

    /// Plans once more what was last to be planned, as after a stop.
    pub fn plan_again(&self) {
        self.planner().plan_again();
    }

    /// Returns `true` if an answer is that of the newest request.
    pub fn is_newest(&self, answer: &Answer) -> bool {
        self.revision
            .with_untracked(|newest| *newest == answer.revision)
    }

    /// Returns `true` if the answer that is shown is marked as that of another revision than
    /// the document's. Tracked.
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

    /// Returns `true` if an answer to the document as it is is on its way. Tracked.
    pub fn is_planning(&self) -> bool {
        let planning = self.planning.get();
        matches!(
            planning,
            Planning::Starting | Planning::Sent | Planning::Busy(..)
        )
    }
}
