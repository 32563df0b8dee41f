//! A browser with its storage and files, and the tabs in it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::executor::{self, NOBODY};
use crate::web::platform::{Changes, Later, Platform, Stamp, Value};

mod tab;

use tab::TabBrowser;

/// The user's reaction to a file picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// Picks the file with this number.
    File(usize),
    /// Cancels.
    Cancel,
    /// Denies access to files.
    Deny,
}

/// A file on the user's disk.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    /// Its content.
    pub text: String,
    /// The time of the last write.
    modified: u64,
    /// `true` if it can't be written.
    pub is_locked: bool,
    /// `true` if it was deleted.
    is_gone: bool,
    /// `true` if another program has written it last.
    is_foreign: bool,
    /// The contents that tabs have written in place of those of another program, each with what it replaced.
    written: Vec<(String, String)>,
}

impl Disk {
    fn stamp(&self) -> Stamp {
        Stamp {
            modified: self.modified as f64,
            size: self.text.len() as f64,
        }
    }
}

struct Held {
    tab: usize,
    number: u64,
    on_lost: Rc<dyn Fn()>,
}

#[derive(Default)]
struct State {
    random: fastrand::Rng,
    values: BTreeMap<String, Value>,
    /// The time when the database has finished all requests.
    free_at: u64,
    /// The database's pending requests, each with its tab.
    under_way: VecDeque<(u64, usize)>,
    aborted: BTreeSet<u64>,
    notes: BTreeMap<String, String>,
    tab_notes: BTreeMap<(usize, String), String>,
    locks: BTreeMap<String, Held>,
    number: u64,
    picks: VecDeque<Pick>,
    files: Vec<Disk>,
    listeners: Listeners,
    faults: Faults,
}

/// The tabs' event listeners.
#[derive(Default)]
struct Listeners {
    on_message: BTreeMap<usize, Rc<dyn Fn(String)>>,
    leave: BTreeMap<usize, Rc<dyn Fn()>>,
    asks: BTreeMap<usize, Rc<dyn Fn() -> bool>>,
}

/// Simulated faults of the browser.
#[derive(Default)]
struct Faults {
    /// The reason why the database can't be opened.
    refused: Option<String>,
    is_full: bool,
    are_notes_full: bool,
    /// `true` if there is no room for undo histories.
    is_short: bool,
    /// `true` if there is no room for images.
    has_no_images: bool,
    /// `true` if there is no room for references to files.
    has_no_files: bool,
    /// `true` if the user lets no tab use a file again.
    denies: bool,
    stalls: bool,
}

/// The browser that several tabs share.
#[derive(Clone)]
pub struct World(Rc<RefCell<State>>);

impl World {
    /// Creates an empty browser whose random decisions depend on a seed.
    pub fn new(seed: u64) -> Self {
        executor::start(1_700_000_000_000);
        Self(Rc::new(RefCell::new(State {
            random: fastrand::Rng::with_seed(seed),
            ..State::default()
        })))
    }

    /// Returns a random number below `end`.
    pub fn below(&self, end: u64) -> u64 {
        self.0.borrow_mut().random.u64(0..end.max(1))
    }

    /// Returns the platform of a tab. A reloaded tab gets a new number with the same `slot`.
    pub fn platform(&self, tab: usize, slot: usize) -> Platform {
        let of_tab = |world: &Self| {
            Rc::new(TabBrowser {
                world: world.clone(),
                tab,
                slot,
            })
        };
        Platform {
            storage: of_tab(self),
            notes: of_tab(self),
            locks: of_tab(self),
            page: of_tab(self),
            clock: of_tab(self),
            files: of_tab(self),
        }
    }

    /// Makes the database fail to open from now on, for this reason.
    pub fn refuse(&self, reason: Option<&str>) {
        self.0.borrow_mut().faults.refused = reason.map(str::to_owned);
    }

    /// Sets whether the database is full.
    pub fn set_full(&self, is_full: bool) {
        self.0.borrow_mut().faults.is_full = is_full;
    }

    /// Sets whether the database has no room for undo histories.
    pub fn set_short(&self, is_short: bool) {
        self.0.borrow_mut().faults.is_short = is_short;
    }

    /// Sets whether the database has no room for images.
    pub fn refuse_images(&self, has_no_images: bool) {
        self.0.borrow_mut().faults.has_no_images = has_no_images;
    }

    /// Sets whether the database has no room for references to files.
    pub fn refuse_files(&self, has_no_files: bool) {
        self.0.borrow_mut().faults.has_no_files = has_no_files;
    }

    /// Sets whether the user lets no tab use a file again after a reload.
    pub fn deny_files(&self, denies: bool) {
        self.0.borrow_mut().faults.denies = denies;
    }

    /// Sets whether the local storage is full.
    pub fn set_notes_full(&self, are_full: bool) {
        self.0.borrow_mut().faults.are_notes_full = are_full;
    }

    /// Sets whether the database stops responding.
    pub fn set_stalled(&self, stalls: bool) {
        self.0.borrow_mut().faults.stalls = stalls;
    }

    /// Sets the user's reaction to the next file picker.
    pub fn pick(&self, pick: Pick) {
        self.0.borrow_mut().picks.push_back(pick);
    }

    /// Adds a file to the disk. Returns its number.
    pub fn add_file(&self, text: &str) -> usize {
        let files = &mut self.0.borrow_mut().files;
        files.push(Disk {
            text: text.to_owned(),
            modified: executor::now(),
            ..Disk::default()
        });
        files.len() - 1
    }

    /// Returns a file on the disk.
    pub fn file(&self, number: usize) -> Disk {
        self.0.borrow().files[number].clone()
    }

    /// Returns the texts of all files.
    pub fn files(&self) -> Vec<String> {
        let files = &self.0.borrow().files;
        files.iter().map(|file| file.text.clone()).collect()
    }

    /// Writes a file as another program does.
    pub fn change_file(&self, number: usize, text: &str) {
        let file = &mut self.0.borrow_mut().files[number];
        text.clone_into(&mut file.text);
        file.modified = executor::now();
        file.is_gone = false;
        file.is_foreign = true;
    }

    /// Deletes a file.
    pub fn delete_file(&self, number: usize) {
        let file = &mut self.0.borrow_mut().files[number];
        file.text.clear();
        file.is_gone = true;
    }

    /// Takes the contents that tabs have written in place of those of another program, each with what it replaced.
    pub fn take_written(&self, number: usize) -> Vec<(String, String)> {
        std::mem::take(&mut self.0.borrow_mut().files[number].written)
    }

    /// Sets whether a file can't be written.
    pub fn lock_file(&self, number: usize, is_locked: bool) {
        self.0.borrow_mut().files[number].is_locked = is_locked;
    }

    /// Returns the texts in the database, with their keys.
    pub fn texts(&self) -> Vec<(String, String)> {
        let state = self.0.borrow();
        let texts = state.values.iter();
        texts
            .filter_map(|(key, value)| Some((key.clone(), value.text()?.to_owned())))
            .collect()
    }

    /// Changes a value of the database, as another version of the editor would.
    pub fn put(&self, key: &str, value: Value) {
        self.0.borrow_mut().values.insert(key.to_owned(), value);
    }

    /// Returns the value of a key of the database.
    pub fn value(&self, key: &str) -> Option<Value> {
        self.0.borrow().values.get(key).cloned()
    }

    /// Returns the revision of a document's stored row.
    pub fn revision(&self, id: &str) -> Option<f64> {
        let row = self.value(&format!("entry-{id}"))?;
        row.list().get(3)?.number()
    }

    /// Returns the keys of the database with a prefix.
    pub fn keys(&self, prefix: &str) -> Vec<String> {
        let values = self.0.borrow().with_prefix(prefix);
        values.into_iter().map(|(key, _)| key).collect()
    }

    /// Returns the texts in the local storage and in that of tabs.
    pub fn notes(&self) -> Vec<String> {
        let state = self.0.borrow();
        let notes = state.notes.values().chain(state.tab_notes.values());
        notes.cloned().collect()
    }

    /// Empties the storage of a tab that was closed.
    pub fn close(&self, slot: usize) {
        let notes = &mut self.0.borrow_mut().tab_notes;
        notes.retain(|(of, _), _| *of != slot);
    }

    /// Tells a tab that its page is being left and may end at any moment.
    pub fn leave(&self, tab: usize) {
        let leave = self.0.borrow().listeners.leave.get(&tab).cloned();
        if let Some(leave) = leave {
            executor::enter(tab, || leave());
        }
    }

    /// Returns `true` if the browser would ask the user before leaving a tab.
    pub fn asks_before_leaving(&self, tab: usize) -> bool {
        let asks = self.0.borrow().listeners.asks.get(&tab).cloned();
        asks.is_some_and(|asks| executor::enter(tab, || asks()))
    }

    /// Ends a tab: its pending database requests may be executed or not.
    pub fn kill(&self, tab: usize) {
        executor::kill(tab);
        let gone = {
            let mut state = self.0.borrow_mut();
            let State {
                random,
                under_way,
                aborted,
                ..
            } = &mut *state;
            let own = under_way.iter().filter(|(_, of)| *of == tab);
            let own: Vec<u64> = own.map(|(number, _)| *number).collect();
            let done = random.usize(0..=own.len());
            aborted.extend(&own[done..]);
            let locks: Vec<Held> = state
                .locks
                .extract_if(.., |_, held| held.tab == tab)
                .map(|(_, held)| held)
                .collect();
            (
                locks,
                state.listeners.on_message.remove(&tab),
                state.listeners.leave.remove(&tab),
                state.listeners.asks.remove(&tab),
            )
        };
        drop(gone);
    }

    /// Sends a request to the database, which processes requests in order, with delays.
    fn request<T: 'static>(
        &self,
        tab: usize,
        act: impl FnOnce(&mut State) -> Result<T, String> + 'static,
    ) -> Later<Result<T, String>> {
        let (number, delay) = {
            let mut state = self.0.borrow_mut();
            state.number += 1;
            let number = state.number;
            state.under_way.push_back((number, tab));
            let now = executor::now();
            let stall = if state.faults.stalls { 30_000 } else { 0 };
            let end = state.free_at.max(now) + state.random.u64(1..25) + stall;
            state.free_at = end;
            (number, end - now)
        };
        let answer = Answer::default();
        let (world, given) = (self.clone(), answer.clone());
        executor::enter(NOBODY, || {
            executor::after(delay, move || {
                let result = {
                    let mut state = world.0.borrow_mut();
                    state.under_way.retain(|(other, _)| *other != number);
                    if state.aborted.remove(&number) {
                        return;
                    }
                    act(&mut state)
                };
                given.give(result);
            });
        });
        answer.taken()
    }

    /// Returns a value after a random delay.
    fn later<T: 'static>(&self, most: u64, make: impl FnOnce() -> T + 'static) -> Later<T> {
        let delay = self.below(most);
        let answer = Answer::default();
        let given = answer.clone();
        executor::after(delay, move || given.give(make()));
        answer.taken()
    }
}

/// A value that arrives later.
struct Answer<T>(Rc<RefCell<(Option<T>, Option<Waker>)>>);

impl<T> Default for Answer<T> {
    fn default() -> Self {
        Self(Rc::new(RefCell::new((None, None))))
    }
}

impl<T> Clone for Answer<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: 'static> Answer<T> {
    fn give(&self, value: T) {
        let waker = {
            let mut state = self.0.borrow_mut();
            state.0 = Some(value);
            state.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn taken(self) -> Later<T> {
        Box::pin(poll_fn(move |context| {
            let mut state = self.0.borrow_mut();
            if let Some(value) = state.0.take() {
                return Poll::Ready(value);
            }
            state.1 = Some(context.waker().clone());
            Poll::Pending
        }))
    }
}

impl State {
    fn change(&mut self, changes: Changes) -> Result<(), String> {
        let grows = |prefix: &str| {
            let mut changes = changes.iter();
            changes.any(|(key, value)| value.is_some() && key.starts_with(prefix))
        };
        let is_too_much = self.faults.is_full && grows("")
            || self.faults.is_short && grows("history-")
            || self.faults.has_no_images && grows("image-")
            || self.faults.has_no_files && grows("file-");
        if is_too_much {
            return Err("the browser's storage is full".to_owned());
        }
        for (key, value) in changes {
            match value {
                Some(value) => self.values.insert(key, value),
                None => self.values.remove(&key),
            };
        }
        Ok(())
    }

    fn with_prefix(&self, prefix: &str) -> Vec<(String, Value)> {
        let all = self.values.iter();
        all.filter(|(key, _)| key.starts_with(prefix))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}
