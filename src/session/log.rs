//! A log that is shown in place of the simulator's run.

use std::sync::Arc;

use leptos::prelude::*;

use super::{Kept, Session, Tab};
use crate::worker::{Answer, Experiment, LoggedRun};

/// A log that was opened.
pub struct OpenLog {
    /// The name of its file.
    pub file: String,
    logged: LoggedRun,
}

impl OpenLog {
    /// Returns `true` if it was written for this very version of the document.
    pub fn is_of_this_version(&self) -> bool {
        self.logged.is_of_this_version
    }

    /// Returns an answer whose run is the logged one, without experiments.
    fn in_place_of_run(&self, answer: &Answer) -> Answer {
        Answer {
            experiment: Experiment::default(),
            run: Some(self.logged.run.clone()),
            compared: None,
            verdicts: self.logged.verdicts.clone(),
            ..answer.clone()
        }
    }
}

/// Returns the planner's answers. While the scenario of an open log is planned, their run is the logged one.
pub(super) fn with_log(
    answers: RwSignal<Option<Arc<Answer>>>,
    log: Kept<RwSignal<Option<Arc<OpenLog>>>>,
) -> Memo<Option<Arc<Answer>>> {
    let is_other = |old: Option<&Option<Arc<Answer>>>, new: Option<&Option<Arc<Answer>>>| {
        let [old, new] = [old, new].map(|answer| answer.and_then(Option::as_ref).map(Arc::as_ptr));
        old != new
    };
    let shown = move |_: Option<&Option<Arc<Answer>>>| {
        let answer = answers.get()?;
        let log = log.get();
        let log = log.filter(|log| log.logged.scenario == answer.scenario);
        Some(log.map_or_else(
            || answer.clone(),
            |log| Arc::new(log.in_place_of_run(&answer)),
        ))
    };
    Memo::new_with_compare(shown, is_other)
}

impl Session {
    /// Returns the log whose run is shown, if one is. Tracked.
    pub fn shown_log(&self) -> Option<Arc<OpenLog>> {
        let log = self.plan.log.get()?;
        let scenario = self.plan.scenario;
        let is_shown = scenario.with(|scenario| scenario.as_ref() == Some(&log.logged.scenario));
        is_shown.then_some(log)
    }

    /// Shows a logged run in place of the simulator's run of its scenario.
    pub fn show_log(&self, file: String, logged: LoggedRun) {
        if self.plan.scenario.get_untracked().as_ref() != Some(&logged.scenario) {
            self.choose_scenario(Some(logged.scenario.clone()));
        }
        self.plan.log.set(Some(Arc::new(OpenLog { file, logged })));
        self.desk.show_tab(Tab::Run);
        self.show_start();
    }

    /// Shows the simulator's run again.
    pub fn close_log(&self) {
        self.plan.log.set(None);
        self.show_start();
    }
}
