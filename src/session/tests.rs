//! The session with its documents, saver and files, in several tabs of a browser in virtual time:
//! whatever the user does and whatever fails, no text ends up in another document's file or row,
//! and nothing older than a second is lost silently.

use leptos::prelude::*;
use leptos::task::spawn_local;
use taskloom_document::{Document, Info};

use super::Session;
use super::autosave::{Hold, Saved};
use super::library::start;
use crate::page::FileState;
use crate::testing::executor::{self, NOBODY};
use crate::testing::world::{Pick, World};
use crate::web::platform::Platform;
use crate::worker::Shown;

mod copying;
mod directed;
mod files;
mod histories;
mod images;
mod left;
mod links;
mod logs;
mod messages;
mod playing;
mod random;
mod series;
mod timing;

/// A tab with the editor in it.
pub struct Tab {
    world: World,
    number: usize,
    /// Persists across a reload.
    slot: usize,
    owner: Owner,
    /// Its session.
    pub session: Session,
    files: FileState,
    /// The planner's answer as the tab shows it.
    pub planner: Shown,
}

impl Tab {
    /// Opens the editor; the number differs from every other tab's.
    pub fn open(world: &World, number: usize, slot: usize) -> Self {
        Self::open_on(world.platform(number, slot), world, number, slot)
    }

    /// Opens the editor on a platform of the tab that differs from the world's.
    fn open_on(platform: Platform, world: &World, number: usize, slot: usize) -> Self {
        let started = std::rc::Rc::new(std::cell::RefCell::new(None));
        let given = started.clone();
        let starting = platform.clone();
        executor::enter(number, || {
            spawn_local(async move {
                let started = start(&starting).await;
                given.replace(Some(started));
            });
        });
        while started.borrow().is_none() {
            executor::advance(5);
        }
        let started = started.take().unwrap();
        let owner = Owner::new();
        let (session, files, planner) = executor::enter(number, || {
            owner.with(|| {
                let mut planner = None;
                let session = Session::new(started, platform.clone(), |shown| {
                    planner = Some(shown);
                    None
                });
                (session, FileState::new(platform), planner.unwrap())
            })
        });
        Self {
            world: world.clone(),
            number,
            slot,
            owner,
            session,
            files,
            planner,
        }
    }

    /// Performs an action in the tab, as a click or a key would.
    pub fn does<T>(&self, act: impl FnOnce(Session, FileState) -> T) -> T {
        let result = executor::enter(self.number, || act(self.session, self.files));
        executor::run();
        result
    }

    /// Starts an asynchronous action in the tab.
    fn begins<F: Future<Output = ()> + 'static>(&self, act: impl FnOnce(Session) -> F) {
        self.does(|session, _| spawn_local(act(session)));
    }

    fn title(&self) -> String {
        self.session.document_untracked().info.title.clone()
    }

    fn sets_title(&self, title: &str) {
        self.does(|session, _| session.set_title(title));
    }

    fn saved(&self) -> Saved {
        self.session.storage.saved.get_untracked()
    }

    fn hold(&self) -> Hold {
        self.session.storage.hold.get_untracked()
    }

    /// The messages on the screen.
    pub fn messages(&self) -> Vec<String> {
        let toasts = self.session.desk.messages.shown.get_untracked();
        toasts
            .into_iter()
            .map(|toast| toast.text.to_string())
            .collect()
    }

    fn id(&self) -> String {
        self.session.entry().id
    }

    /// Opens a document that isn't in the list, such as an example.
    fn opens_text(&self, title: &str) {
        let text = file(title);
        self.does(|session, files| {
            let opening = session.begin_opening();
            assert!(files.open_text(session, title, &text, opening));
        });
    }

    fn saves(&self) {
        self.does(|session, files| files.save(session, false));
    }

    fn saves_as(&self, pick: Pick) {
        self.world.pick(pick);
        self.does(|session, files| files.save(session, true));
    }

    fn opens_file(&self, pick: Pick) {
        self.world.pick(pick);
        self.does(|session, files| files.open(session));
    }

    /// Ends the tab without any event.
    fn crashes(self) {
        self.world.kill(self.number);
        drop(self.owner);
    }
}

/// Returns the file text of a document with a title.
fn file(title: &str) -> String {
    let info = Info {
        title: title.to_owned(),
        note: String::new(),
    };
    let document = Document {
        info: info.into(),
        ..Document::default()
    };
    document.to_json()
}

/// Returns the title in a document's file.
fn title_in(text: &str) -> String {
    let document = Document::from_json(text).expect("a document");
    document.info.title.clone()
}

/// Returns each title in the list, with the title in the stored text.
fn rows(world: &World) -> Vec<String> {
    let texts = world.texts().into_iter();
    let rows = texts.filter(|(key, _)| key.starts_with("text-"));
    let mut rows: Vec<String> = rows.map(|(_, text)| title_in(&text)).collect();
    rows.sort();
    rows
}

/// Waits until nothing is pending.
fn rest() {
    executor::enter(NOBODY, || executor::advance(5_000));
}

/// Opens a tab with a saved document of this title.
fn tab_with(world: &World, number: usize, title: &str) -> Tab {
    let tab = Tab::open(world, number, number);
    tab.opens_text(title);
    rest();
    assert_eq!(tab.saved(), Saved::Yes);
    tab
}
