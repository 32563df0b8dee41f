//! Random sequences of everything that can happen to documents.
//!
//! Each document has a mark, and each edit a number, in its note, so a text shows which document it
//! belongs to and which edits it contains.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use taskloom_document::Edit;
use testkit::counts::{is_sample, on_all_cores, seeds_and};

use super::*;
use crate::session::saver::Saver;

mod chain;
mod disk;

use chain::Chains;
use disk::Programs;

/// The number of actions in each sequence.
const STEPS: usize = 40;
/// The number of concurrent tabs, and of files on the disk.
const TABS: usize = 3;
const FILES: usize = 3;
/// The maximum age of edits that may be lost silently, in milliseconds.
const FRESH: u64 = 1_000;

/// The seeds of cases that once failed.
const FAILED_ONCE: [u64; 5] = [
    949_337_846,
    1_981_714_947,
    149_826_337,
    1_488_912_098,
    1_488_911_497,
];

struct Made {
    at: u64,
    mark: Option<String>,
}

struct Model {
    world: World,
    tabs: Vec<Tab>,
    /// The number of tabs opened so far.
    opened: usize,
    /// The number of documents and edits made so far.
    made: u64,
    /// Edits that must not be lost.
    edits: BTreeMap<u64, Made>,
    /// The marks of each row, and those that each file may have.
    rows: BTreeMap<String, Option<String>>,
    files: Vec<BTreeSet<Option<String>>>,
    programs: Programs,
    chains: Chains,
    log: Vec<String>,
}

/// Returns the note in a document's file.
fn note_in(text: &str) -> &str {
    let note = text.split_once("\"note\": \"").map_or("", |(_, rest)| rest);
    note.split('"').next().unwrap_or_default()
}

/// Returns the document's mark.
fn mark(text: &str) -> Option<String> {
    let word = note_in(text).split(' ').next()?;
    word.starts_with('D').then(|| word.to_owned())
}

/// Returns the numbers of the edits in a note.
fn edits(note: &str) -> BTreeSet<u64> {
    let words = note.split(' ');
    words
        .filter_map(|word| word.strip_prefix('e')?.parse().ok())
        .collect()
}

fn marked(number: u64) -> String {
    let info = Info {
        title: format!("Document {number}"),
        note: format!("D{number}"),
    };
    let document = Document {
        info: info.into(),
        ..Document::default()
    };
    document.to_json()
}

impl Tab {
    fn note(&self) -> String {
        self.session.document_untracked().info.note.clone()
    }

    /// Returns the notes of documents that it holds until they can be written.
    fn pending(&self) -> Vec<String> {
        let texts = self.session.storage.saver.with_value(Saver::pending_texts);
        texts.iter().map(|text| note_in(text).to_owned()).collect()
    }

    fn has_failed(&self) -> bool {
        matches!(self.saved(), Saved::Failed(_))
    }
}

impl Model {
    fn new(seed: u64) -> Self {
        let world = World::new(seed);
        let mut model = Self {
            tabs: vec![],
            opened: 0,
            made: 0,
            edits: BTreeMap::new(),
            rows: BTreeMap::new(),
            files: vec![],
            programs: Programs::default(),
            chains: Chains::default(),
            log: vec![],
            world,
        };
        for _ in 0..FILES {
            let text = marked(model.next());
            model.files.push([mark(&text)].into());
            model.world.add_file(&text);
        }
        model.open_tab(0);
        model
    }

    fn next(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    fn below(&self, end: usize) -> usize {
        self.world.below(end as u64) as usize
    }

    fn open_tab(&mut self, slot: usize) {
        self.opened += 1;
        let tab = Tab::open(&self.world, self.opened, slot);
        self.chains.check(&tab);
        self.tabs.push(tab);
    }

    /// Returns the id of some document in the list, possibly one that a tab knows little about.
    fn some_id(&self) -> Option<String> {
        let texts = self.world.texts().into_iter();
        let ids = texts.filter_map(|(key, _)| Some(key.strip_prefix("text-")?.to_owned()));
        let ids: Vec<String> = ids.collect();
        let at = self.below(ids.len());
        ids.into_iter().nth(at)
    }

    fn edit(&mut self, at: usize) {
        let number = self.next();
        let tab = &self.tabs[at];
        let info = &tab.session.document_untracked().info;
        let note = format!("{} e{number}", info.note);
        let info = Info {
            title: info.title.clone(),
            note,
        };
        tab.does(|session, _| session.commit(&format!("Edit {number}"), Edit::SetInfo(info)));
        let made = Made {
            at: executor::now(),
            mark: mark(&tab.session.file_text()),
        };
        self.edits.insert(number, made);
    }

    fn undo(&mut self, at: usize) {
        let tab = &self.tabs[at];
        let before = edits(&tab.note());
        if self.world.below(3) == 0 {
            return tab.does(|session, _| session.redo());
        }
        tab.does(|session, _| session.undo());
        let after = edits(&tab.note());
        for gone in before.difference(&after) {
            self.edits.remove(gone);
        }
    }

    fn restore(&mut self, at: usize) {
        let tab = &self.tabs[at];
        let (done, pick) = (RwSignal::new(false), self.below(5));
        tab.begins(|session| async move {
            let versions = session.versions().await.unwrap_or_default();
            if let Some(version) = versions.iter().cycle().take(versions.len() * 5).nth(pick) {
                let _ = session.restore(version, "Restore").await;
            }
            done.set(true);
        });
        for _ in 0..200 {
            if done.get_untracked() {
                break;
            }
            executor::advance(1);
        }
        // Restoring reverts edits that aren't in the restore point.
        let tab = &self.tabs[at];
        let (mark, after) = (mark(&tab.session.file_text()), edits(&tab.note()));
        self.edits
            .retain(|number, made| made.mark != mark || after.contains(number));
    }

    fn save(&mut self, at: usize, elsewhere: bool) {
        let pick = self.some_pick();
        let tab = &self.tabs[at];
        let picks = elsewhere || tab.session.file().is_none();
        if let (true, Pick::File(number)) = (picks, pick) {
            self.files[number].insert(mark(&tab.session.file_text()));
            self.programs.picked(&self.world, number);
        }
        if elsewhere {
            tab.saves_as(pick);
        } else {
            if picks {
                self.world.pick(pick);
            }
            tab.saves();
        }
    }

    fn some_pick(&self) -> Pick {
        match self.below(8) {
            0 => Pick::Cancel,
            1 => Pick::Deny,
            _ => Pick::File(self.below(FILES)),
        }
    }

    /// Handles the end of a tab: old edits that existed only there are lost.
    fn is_gone(&mut self, was_left: bool, was_asked: bool) {
        let found = self.found(!was_asked);
        let now = executor::now();
        self.edits.retain(|number, made| {
            let is_fresh = !was_left && now - made.at <= FRESH;
            found.contains(number) || !(is_fresh || was_asked)
        });
        self.nothing_is_lost();
    }

    fn nothing_is_lost(&self) {
        let found = self.found(true);
        let lost: Vec<&u64> = self.edits.keys().filter(|n| !found.contains(n)).collect();
        assert!(lost.is_empty(), "edits {lost:?} are lost");
    }

    /// Returns the edits in all stored texts and in any tab. `with_left` adds the texts in local
    /// storage, the last resort when nothing else can be stored.
    fn found(&self, with_left: bool) -> BTreeSet<u64> {
        let texts = self.world.texts().into_iter().map(|(_, text)| text);
        let notes = self.world.notes().into_iter().filter(|_| with_left);
        let left = notes.filter_map(|note| Some(note.split_once('\n')?.1.to_owned()));
        let kept = texts.chain(left).map(|text| note_in(&text).to_owned());
        let shown = self.tabs.iter().map(Tab::note);
        let pending = self.tabs.iter().flat_map(Tab::pending);
        let kept = kept.chain(pending);
        kept.chain(shown).flat_map(|note| edits(&note)).collect()
    }

    /// Checks that no text is where it doesn't belong.
    fn texts_are_in_their_places(&mut self) {
        for (key, text) in self.world.texts() {
            let id = key.split('-').nth(1).unwrap_or_default().to_owned();
            let found = mark(&text);
            let known = self.rows.entry(id).or_insert_with(|| found.clone());
            assert_eq!(*known, found, "in the row {key}");
        }
        for (at, text) in self.world.files().iter().enumerate() {
            let found = mark(text);
            assert!(
                self.files[at].contains(&found),
                "{found:?} in the file {at}"
            );
        }
    }

    /// Checks that the image below a map is stored as it is shown in the tab that owns the document: no other tab
    /// has changed it.
    fn images_are_stored(&self) {
        for tab in &self.tabs {
            let owns = matches!(tab.hold(), Hold::Here | Hold::Copy);
            let saver = tab.session.storage.saver;
            let is_unsaved = saver.with_value(Saver::is_image_unsaved);
            // A tab that is asking for the lock closes the document under its row, if nobody has written since.
            let revision = self.world.revision(&tab.id());
            let is_newest = revision == Some(tab.session.entry().revision);
            if owns
                && tab.saved() == Saved::Yes
                && !is_unsaved
                && is_newest
                && let Some(shown) = tab.image()
            {
                let stored = images::stored(&self.world, &tab.id());
                assert_eq!(stored, shown, "the image of tab {}", tab.number);
            }
        }
    }

    fn step(&mut self) {
        self.chains.note(&self.tabs);
        let at = self.below(self.tabs.len());
        let number = self.tabs[at].number;
        let kind = self.below(49);
        self.log
            .push(format!("{} tab {number}: {kind}", executor::now()));
        let tab = &self.tabs[at];
        match kind {
            0..=9 => self.edit(at),
            10 => self.undo(at),
            11 | 12 => {
                let document = self.next();
                let text = marked(document);
                self.tabs[at].does(|session, files| {
                    let opening = session.begin_opening();
                    files.open_text(session, "text", &text, opening);
                });
            }
            13 => tab.does(|session, files| files.new_document(session)),
            14..=16 => {
                if let Some(id) = self.some_id() {
                    tab.does(|session, _| session.open_kept(id));
                }
            }
            17 => {
                let next = (self.below(3) > 0).then(|| self.some_id()).flatten();
                let id = match self.below(2) {
                    0 => Some(tab.id()),
                    _ => self.some_id(),
                };
                if let Some(id) = id {
                    let next = next.filter(|next| *next != id);
                    tab.begins(|session| async move {
                        let _ = session.delete_kept(&id, next).await;
                    });
                }
            }
            18 => {
                if let Some(id) = self.some_id() {
                    tab.begins(|session| async move {
                        let _ = session.undelete_kept(&id).await;
                    });
                }
            }
            19 => {
                if let Some(id) = self.some_id() {
                    tab.begins(|session| async move {
                        let _ = session.rename_kept(&id, "Renamed".to_owned()).await;
                    });
                }
            }
            20 => {
                if let Some(id) = self.some_id() {
                    tab.begins(|session| async move {
                        let _ = session.duplicate_kept(&id).await;
                    });
                }
            }
            21 => self.restore(at),
            22 => tab.begins(|session| async move {
                let _ = session.keep_restore_point("by hand").await;
            }),
            23 => tab.does(|session, _| session.bring_back()),
            24..=26 => tab.does(|session, _| session.take_over()),
            27 => tab.does(|session, _| session.work_on_copy()),
            28 => tab.does(|session, _| session.know_copy()),
            29 => self.save(at, false),
            30 => self.save(at, true),
            31 => {
                let pick = self.some_pick();
                self.tabs[at].opens_file(pick);
            }
            32 => {
                if self.tabs.len() < TABS {
                    self.open_tab(self.opened);
                }
            }
            33 | 34 => {
                // Reloaded or closed. The browser asks before closing a tab with texts that only a reload keeps.
                let tab = self.tabs.remove(at);
                let had_failed = tab.has_failed();
                let was_asked = self.world.asks_before_leaving(number);
                self.world.leave(number);
                let (slot, is_closed) = (tab.slot, kind == 34);
                tab.crashes();
                if is_closed {
                    self.world.close(slot);
                }
                self.is_gone(true, if is_closed { was_asked } else { had_failed });
                if !is_closed || self.tabs.is_empty() {
                    self.open_tab(slot);
                }
            }
            35 => {
                let tab = self.tabs.remove(at);
                let (slot, told) = (tab.slot, tab.has_failed());
                tab.crashes();
                self.is_gone(false, told);
                self.open_tab(slot);
            }
            36 => self.world.leave(number),
            37 => {
                self.world.set_full(self.below(3) == 0);
                self.world.set_short(self.below(3) == 0);
            }
            38 => self.world.set_notes_full(self.below(3) == 0),
            40 | 41 => {
                let name = format!("i{}", self.made);
                let name = (self.below(3) > 0).then_some(name.as_str());
                self.tabs[at].sets_image(name);
            }
            42 => self.world.refuse_images(self.below(3) == 0),
            43..=45 => self.change_file(),
            46 | 47 => self.answer(),
            48 => {
                self.world.refuse_files(self.below(3) == 0);
                self.world.deny_files(self.below(3) == 0);
            }
            _ => {
                let is_locked = self.below(2) == 0;
                self.world.lock_file(self.below(FILES), is_locked);
            }
        }
    }

    fn run(&mut self) {
        for _ in 0..STEPS {
            self.step();
            self.chains.note(&self.tabs);
            let shown = self.tabs.iter().map(|tab| {
                let (id, note) = (tab.id(), tab.note());
                format!(
                    "[{} {id} {:?} {:?} {note}]",
                    tab.number,
                    tab.hold(),
                    tab.saved()
                )
            });
            let shown: Vec<String> = shown.collect();
            self.log.push(format!("  {}", shown.join(" ")));
            self.texts_are_in_their_places();
            let pause = [0, 3, 30, 150, 700, 3_000][self.below(6)];
            executor::advance(self.world.below(pause + 1));
            self.texts_are_in_their_places();
            self.programs_texts_are_kept();
            self.images_are_stored();
        }
        self.world.set_full(false);
        self.world.set_notes_full(false);
        executor::advance(120_000);
        self.texts_are_in_their_places();
        for tab in &self.tabs {
            let (saved, hold) = (tab.saved(), tab.hold());
            let is_finished = matches!(saved, Saved::No | Saved::Yes) && hold != Hold::Asking;
            assert!(
                is_finished,
                "tab {} is stuck: {saved:?}, {hold:?}",
                tab.number
            );
        }
        self.chains.note(&self.tabs);
        for tab in self.tabs.drain(..) {
            tab.crashes();
        }
        self.nothing_is_lost();
        self.open_tab(0);
        executor::advance(5_000);
        assert_eq!(self.tabs[0].hold(), Hold::Here);
        self.texts_are_in_their_places();
    }
}

#[test]
fn random_events_lose_no_text_and_mix_up_none() {
    let results = on_all_cores(seeds_and(10_000, &FAILED_ONCE), |seed| {
        let mut model = Model::new(seed);
        let result = catch_unwind(AssertUnwindSafe(|| model.run()));
        for tab in model.tabs.drain(..) {
            tab.crashes();
        }
        let failed = result.err().map(|panic| {
            let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            (model.log, seed, text)
        });
        (model.chains.kept, failed)
    });
    let kept: usize = results.iter().map(|(kept, _)| kept).sum();
    let mut failed: Vec<_> = results
        .into_iter()
        .filter_map(|(_, failed)| failed)
        .collect();
    println!("{kept} reloads kept a history");
    failed.sort_by_key(|(log, ..)| log.len());
    let last = |log: &[String]| log[log.len().saturating_sub(12)..].join("\n");
    for (log, seed, text) in failed.iter().take(12) {
        println!("TASKLOOM_CASE={seed}: {text}\n{}\n", last(log));
    }
    if let Some((log, seed, text)) = failed.first() {
        let count = failed.len();
        panic!(
            "{count} failed, such as TASKLOOM_CASE={seed}\n{}\n{text}",
            log.join("\n")
        );
    }
    assert!(is_sample() || kept > 0, "no reload kept a history");
}
