//! Follows the log that `taskloom watch` serves.

use std::cell::RefCell;
use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use leptos::task::spawn_local;

use super::FileState;
use crate::session::{Ending, Following, LogFollower, Session};
use crate::web::watched::{self, WatchedLog};
use crate::worker::{LoggedRun, TextFile};

/// The time between two requests for what is new, in milliseconds.
const INTERVAL: f64 = 500.0;
/// The time between two requests is at least this many times that of reading the log.
const REST: f64 = 4.0;
/// The number of requests without an answer after which the server counts as stopped.
const ATTEMPTS: u32 = 3;

/// Opens the document of the log that the page was opened to follow, and shows its run as it grows. The document
/// that was open stays in the list.
pub fn follow_watched(session: Session, files: FileState) {
    if watched::is_watching() {
        let opening = session.begin_opening();
        spawn_local(async move {
            let name = watched::text("name").await;
            let Some((name, document)) = name.zip(watched::text("document").await) else {
                session.cancel_opening(opening);
                return session.complain("Couldn't open the log: `taskloom watch` doesn't answer.");
            };
            if files.open_text(session, &name, &document, opening) {
                follow(session, files, name).await;
            }
        });
    }
}

/// Shows the log as it grows, until it is closed, another document is opened, it can't be read, or the server has
/// stopped.
async fn follow(session: Session, files: FileState, name: String) {
    let mut follower = LogFollower::new(session, name.clone());
    let mut log = WatchedLog::default();
    let mut failures = 0;
    let mut waits = false;
    loop {
        let begun = js_sys::Date::now();
        let fetched = log.fetch().await;
        if !follower.goes_on() {
            return;
        }
        match fetched {
            Ok(has_changed) => {
                failures = 0;
                // The first line has what the rest depends on.
                if has_changed && !log.lines().is_empty() {
                    let logged = read(session, &name, log.lines()).await;
                    if !follower.goes_on() {
                        return;
                    }
                    match logged {
                        Ok(logged) => follower.show(*logged, state(log.lines())),
                        Err(reason) => {
                            follower.end(Following::Unreadable);
                            return files.refuse(format!("Couldn't read {name}"), reason);
                        }
                    }
                }
            }
            Err(_) => failures += 1,
        }
        if log.lines().is_empty() && !waits {
            session.toast(format!("Waiting for {name}: it has no lines yet."), None);
            waits = true;
        }
        follower.follow_end();
        if failures == ATTEMPTS {
            return follower.end(Following::ServerStopped);
        }
        let pause = (REST * (js_sys::Date::now() - begun)).max(INTERVAL);
        TimeoutFuture::new(pause as u32).await;
    }
}

/// Reads a log in a worker, for the open document.
async fn read(session: Session, name: &str, lines: &str) -> Result<Box<LoggedRun>, String> {
    let log = TextFile {
        name: name.to_owned(),
        text: lines.to_owned(),
    };
    let result = Rc::new(RefCell::new(None));
    let ending = Ending::default();
    let (place, ended) = (result.clone(), ending.clone());
    let client = session.plan.client();
    // Dropped, it would be cancelled.
    let _reading = client.read_log(session.file_text(), log, move |read| {
        place.replace(Some(read));
        ended.end();
    });
    ending.ended().await;
    let read = result.take();
    read.unwrap_or_else(|| Err("The worker didn't answer.".to_owned()))
}

/// Returns whether the run of a log has ended, by its last line.
fn state(lines: &str) -> Following {
    let last = lines.trim_end().rsplit('\n').next().unwrap_or_default();
    let spaceless = last.replace(' ', "");
    match spaceless.contains("\"entry\":\"end\"") {
        true => Following::Ended,
        false => Following::Growing,
    }
}
