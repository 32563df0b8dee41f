//! Another program that changes files on the disk.

use std::collections::BTreeSet;

use super::super::{Tab, World};
use super::{FILES, Model, edits, note_in};
use crate::testing::executor;

/// The time that a picked file takes to be written, in milliseconds.
const PICKING: u64 = 2_000;

/// The edits that other programs made in files.
#[derive(Default)]
pub(super) struct Programs {
    made: BTreeSet<u64>,
    /// The edits that the user has allowed to replace, each with its file.
    given_up: BTreeSet<(usize, u64)>,
    /// The time until which files that are being picked stay as they are.
    quiet_until: u64,
}

impl Programs {
    /// Notes that the user agrees to replace what is in a file now.
    fn give_up(&mut self, world: &World, number: usize) {
        let found = edits(note_in(&world.file(number).text));
        self.given_up
            .extend(found.into_iter().map(|edit| (number, edit)));
    }

    /// Notes that the user picks a file to save to, which replaces whatever is in it.
    pub(super) fn picked(&mut self, world: &World, number: usize) {
        self.give_up(world, number);
        self.quiet_until = executor::now() + PICKING;
    }
}

/// Returns the number of the file that a tab asks about.
fn asked_about(tab: &Tab) -> Option<usize> {
    let changed = tab.asks_about()?;
    changed.name.split('.').next()?.parse().ok()
}

impl Model {
    /// Adds an edit to a file as another program does, or writes the same content again.
    pub(super) fn change_file(&mut self) {
        if executor::now() < self.programs.quiet_until {
            return;
        }
        let number = self.below(FILES);
        let text = self.world.file(number).text;
        if self.below(4) == 0 {
            return self.world.change_file(number, &text);
        }
        let edit = self.next();
        let note = note_in(&text);
        let (before, after) = (format!("\"{note}\""), format!("\"{note} e{edit}\""));
        if !note.is_empty() {
            self.programs.made.insert(edit);
            self.world
                .change_file(number, &text.replacen(&before, &after, 1));
        }
    }

    /// Answers a question about a changed file.
    pub(super) fn answer(&mut self) {
        let asking = self.tabs.iter().enumerate().rev();
        let mut asking = asking.filter_map(|(at, tab)| Some((at, asked_about(tab)?)));
        let Some((at, number)) = asking.next() else {
            return;
        };
        let answer = self.below(4);
        if answer == 1 {
            self.programs.give_up(&self.world, number);
        }
        let tab = &self.tabs[at];
        tab.answers(|session, files, changed| match answer {
            1 => files.overwrite(session, changed),
            2 => files.open_changed(session),
            _ => {}
        });
        if answer == 3 {
            self.save(at, true);
        }
    }

    /// Checks that no tab has replaced an edit of another program unless it contains the edit, or the user agreed.
    pub(super) fn programs_texts_are_kept(&self) {
        for number in 0..FILES {
            for (before, after) in self.world.take_written(number) {
                let kept = edits(note_in(&after));
                let lost = edits(note_in(&before)).into_iter().filter(|edit| {
                    let is_agreed = self.programs.given_up.contains(&(number, *edit));
                    self.programs.made.contains(edit) && !kept.contains(edit) && !is_agreed
                });
                let lost: Vec<u64> = lost.collect();
                assert!(
                    lost.is_empty(),
                    "edits {lost:?} of another program are lost"
                );
            }
        }
    }
}
