//! A log that is shown in place of the simulator's run.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::Name;

use super::{Kept, Session, Tab};
use crate::worker::{Answer, Experiment, LoggedRun};

/// A log that was opened.
#[derive(Clone)]
pub struct OpenLog {
    /// The name of its file.
    pub file: String,
    logged: LoggedRun,
    /// The previous name of its scenario, if that was renamed: the latest answer may still have it.
    renamed_from: Option<Name>,
    /// The state of following it; `None` for a file that was read once.
    pub following: Option<Following>,
}

/// The state of following a log while it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Following {
    /// Its run goes on.
    Growing,
    /// Its run has ended. Another one may take its place.
    Ended,
    /// It is no longer followed: its server has stopped.
    ServerStopped,
    /// It is no longer followed: it can't be read.
    Unreadable,
}

impl Following {
    /// Returns `true` if it goes on.
    fn goes_on(self) -> bool {
        matches!(self, Self::Growing | Self::Ended)
    }
}

impl OpenLog {
    /// Returns `true` if it was written for this very version of the document.
    pub fn is_of_this_version(&self) -> bool {
        self.logged.is_of_this_version
    }

    /// Returns `true` if its run takes the place of the one in an answer.
    fn is_of(&self, answer: &Answer) -> bool {
        let names = [Some(&self.logged.scenario), self.renamed_from.as_ref()];
        names.contains(&Some(&answer.scenario))
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
        let log = log.filter(|log| log.is_of(&answer));
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
        self.plan.log.set(Some(Arc::new(OpenLog {
            file,
            logged,
            renamed_from: None,
            following: None,
        })));
        self.desk.show_tab(Tab::Run);
        self.show_start();
    }

    /// Shows the run of a log that is followed: its first part, or the same with what has been added. Call
    /// [`follow_end`](Self::follow_end) afterwards.
    pub fn follow_log(&self, file: &str, logged: LoggedRun, following: Following) {
        let is_new = !self.follows_log();
        if is_new && self.plan.scenario.get_untracked().as_ref() != Some(&logged.scenario) {
            self.choose_scenario(Some(logged.scenario.clone()));
        }
        if is_new {
            self.desk.show_tab(Tab::Run);
            self.plan.followed_to.set_value(None);
        }
        // The end of the old run: a cursor there moves on.
        let end = untrack(|| self.tick()).filter(|tick| Some(*tick) == self.end_of_log());
        if !is_new && end.is_some() {
            self.plan.followed_to.set_value(end);
        }
        self.plan.log.set(Some(Arc::new(OpenLog {
            file: file.to_owned(),
            logged,
            renamed_from: None,
            following: Some(following),
        })));
    }

    /// Returns `true` if a log is open that is followed.
    pub fn follows_log(&self) -> bool {
        let log = self.plan.log.get_untracked();
        let following = log.and_then(|log| log.following);
        following.is_some_and(Following::goes_on)
    }

    fn end_of_log(&self) -> Option<u32> {
        let log = self.plan.log;
        log.with_untracked(|log| log.as_ref().map(|log| log.logged.run.ticks))
    }

    /// Moves the cursor to the end of the run that is followed, if it was at its end before, or the run has only
    /// just been shown.
    pub fn follow_end(&self) {
        let log = untrack(|| self.shown_log());
        let answer = self.plan.answer.get_untracked();
        let is_shown = log
            .zip(answer)
            .is_some_and(|(log, answer)| log.logged.scenario == answer.scenario);
        let Some(end) = self.end_of_log().filter(|_| is_shown && self.follows_log()) else {
            return;
        };
        let followed_to = self.plan.followed_to;
        let before = followed_to.get_value();
        if before == Some(end) || before.is_some() && untrack(|| self.tick()) != before {
            return;
        }
        self.show_tick(end);
        followed_to.set_value(Some(end));
    }

    /// Stops following the open log, for this reason. Its run so far stays.
    pub fn end_following(&self, why: Following) {
        if self.follows_log() {
            self.change_log(|log| log.following = Some(why));
        }
    }

    /// Keeps an open log on its scenario, which has got another name.
    pub(super) fn rename_scenario_of_log(&self, from: &Name, to: &Name) {
        let log = self.plan.log;
        if log.with_untracked(|log| log.as_ref().is_some_and(|log| log.logged.scenario == *from)) {
            self.change_log(|log| {
                log.renamed_from = Some(from.clone());
                log.logged.scenario = to.clone();
            });
        }
    }

    fn change_log(&self, change: impl FnOnce(&mut OpenLog)) {
        self.plan.log.update(|log| {
            if let Some(log) = log {
                change(Arc::make_mut(log));
            }
        });
    }

    /// Shows the simulator's run again.
    pub fn close_log(&self) {
        self.plan.log.set(None);
        self.show_start();
    }
}
