//! What the planner is asked for, and whether its answer is that of the document as it is.

use leptos::prelude::*;
use taskloom::planner::plan::policy;

use super::Session;
use crate::worker::{Experiment, Planning, Wish};

impl Session {
    /// Plans after each change of what is planned. A change that means nothing to the
    /// planner leaves a search running, and its answer right.
    pub(super) fn keep_planning(&self) {
        let session = *self;
        let open = self.open;
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
            let same = open.with_value(|open| match (&open.asked, &now) {
                (Some(asked), Some(now)) => asked.is_same(now),
                _ => false,
            });
            if same {
                return;
            }
            open.update_value(|open| open.asked = now);
            session.plan_again();
        });
    }

    /// Plans once more what was last to be planned, as after a stop.
    pub fn plan_again(&self) {
        let revision = self.revision.get_untracked() + 1;
        self.revision.set(revision);
        match self.open.with_value(|open| open.asked.clone()) {
            Some(wish) => self
                .planner
                .with_value(|planner| planner.plan(Wish { revision, ..wish })),
            None => {
                self.planner.with_value(|planner| planner.forget(revision));
                self.set_answer.set(None);
            }
        }
    }

    /// Whether what is shown of a plan is of before the last change, and what is there
    /// now is still searched for. Tracked.
    pub fn is_old(&self) -> bool {
        let revision = self.revision.get();
        matches!(self.planning.get(), Planning::Busy(..))
            && self.answer.with(|answer| {
                answer
                    .as_ref()
                    .is_some_and(|answer| answer.revision != revision)
            })
    }
}
