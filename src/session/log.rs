//! A log that is shown in place of the simulator's run.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Expectation, Name};

use super::documents::OpenedDocument;
use super::{Session, Tab};
use crate::worker::{Answer, Experiment, LoggedRun};

/// A log that was opened.
#[derive(Clone)]
pub struct OpenLog {
    /// The name of its file.
    pub file: String,
    logged: LoggedRun,
    /// The expectations that its verdicts are about.
    expected: Vec<Expectation>,
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

    /// Returns the names of the actors that the game created, which its run leaves out.
    pub fn others(&self) -> &[String] {
        &self.logged.others
    }

    /// Returns `true` if its verdicts are about these expectations, which may have been edited since.
    pub fn has_checked(&self, expected: &[Expectation]) -> bool {
        self.expected == expected
    }

    /// Returns the name of its scenario.
    pub(super) fn scenario(&self) -> &Name {
        &self.logged.scenario
    }

    /// Returns `true` if its run takes the place of the one in an answer.
    pub(super) fn is_of(&self, answer: &Answer) -> bool {
        let names = [Some(&self.logged.scenario), self.renamed_from.as_ref()];
        names.contains(&Some(&answer.scenario))
    }

    /// Returns an answer whose run is the logged one, without experiments.
    pub(super) fn in_place_of_run(&self, answer: &Answer) -> Answer {
        Answer {
            experiment: Experiment::default(),
            run: Some(self.logged.run.clone()),
            compared: None,
            verdicts: self.logged.verdicts.clone(),
            ..answer.clone()
        }
    }
}

impl Session {
    /// Shows a logged run in place of the simulator's run of its scenario.
    pub fn show_log(&self, file: String, logged: LoggedRun) {
        self.plan_scenario_of(&logged);
        self.opened_log(file, logged, None);
        self.desk.show_tab(Tab::Run);
        self.show_start();
    }

    fn opened_log(&self, file: String, logged: LoggedRun, following: Option<Following>) {
        let document = self.document_untracked();
        let scenario = document.scenarios.get(&logged.scenario);
        self.plan.log.set(Some(Arc::new(OpenLog {
            file,
            expected: scenario.map_or(vec![], |scenario| scenario.expect.clone()),
            logged,
            renamed_from: None,
            following,
        })));
    }

    fn plan_scenario_of(&self, logged: &LoggedRun) {
        if self.plan.scenario.get_untracked().as_ref() != Some(&logged.scenario) {
            self.choose_scenario(Some(logged.scenario.clone()));
        }
    }

    /// Returns `true` if a log is open that is followed.
    fn follows_log(&self) -> bool {
        let log = self.plan.log.get_untracked();
        let following = log.and_then(|log| log.following);
        following.is_some_and(Following::goes_on)
    }

    fn end_of_log(&self) -> Option<u32> {
        let log = self.plan.log;
        log.with_untracked(|log| log.as_ref().map(|log| log.logged.run.ticks))
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

/// Follows a log while it is written, for the document that was open when that began.
pub struct LogFollower {
    session: Session,
    document: OpenedDocument,
    file: String,
    /// `true` once its run was shown.
    has_begun: bool,
}

impl LogFollower {
    /// Begins to follow a log of the open document.
    pub fn new(session: Session, file: String) -> Self {
        Self {
            session,
            document: session.opened_document(),
            file,
            has_begun: false,
        }
    }

    /// Returns `true` if the log's run can still be shown: neither was another document opened, nor the log closed.
    pub fn goes_on(&self) -> bool {
        self.session.is_open(self.document) && (!self.has_begun || self.session.follows_log())
    }

    /// Shows the run: its first part, or the same with what has been added. Call [`follow_end`](Self::follow_end)
    /// afterwards.
    pub fn show(&mut self, logged: LoggedRun, following: Following) {
        if !self.goes_on() {
            return;
        }
        let (session, is_new) = (self.session, !self.has_begun);
        let followed_to = session.plan.followed_to;
        if is_new {
            session.plan_scenario_of(&logged);
            session.desk.show_tab(Tab::Run);
            followed_to.set_value(None);
        }
        // The end of the old run: a cursor there moves on.
        let end = untrack(|| session.tick()).filter(|tick| Some(*tick) == session.end_of_log());
        if !is_new && end.is_some() {
            followed_to.set_value(end);
        }
        self.has_begun = true;
        session.opened_log(self.file.clone(), logged, Some(following));
    }

    /// Moves the cursor to the end of the run, if it was at its end before, or the run has only just been shown.
    pub fn follow_end(&self) {
        let session = self.session;
        if !self.has_begun || !self.goes_on() {
            return;
        }
        let is_shown = session
            .plan
            .shown
            .with_untracked(|shown| shown.log().is_some() && shown.answer.is_some());
        let Some(end) = session.end_of_log().filter(|_| is_shown) else {
            return;
        };
        let followed_to = session.plan.followed_to;
        let before = followed_to.get_value();
        if before == Some(end) || before.is_some() && untrack(|| session.tick()) != before {
            return;
        }
        session.show_tick(end);
        followed_to.set_value(Some(end));
    }

    /// Stops following, for this reason. The run so far stays.
    pub fn end(self, why: Following) {
        if self.has_begun && self.goes_on() {
            self.session.change_log(|log| log.following = Some(why));
        }
    }
}
