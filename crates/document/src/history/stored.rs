//! A history as text, to be stored next to its document.
//!
//! ```json
//! { "text": "hash of the current document's file", "position": 1, "first": "Open",
//!   "steps": [["Rename a to b", [[17, "a", "b"]]], ...] }
//! ```
//!
//! Each step has the parts of the file's text that it changes. A history belongs to one text: for
//! any other, there is none.

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::{Document, History, Step};
use crate::file::{FileParts, hash_of};

/// The maximum number of steps that are stored, and that of their bytes.
const STEPS: usize = 200;
const BYTES: usize = 500_000;

#[derive(Deserialize)]
struct Stored {
    text: String,
    position: usize,
    first: String,
    steps: Vec<(String, Change)>,
}

/// The part of a stored history before its steps.
#[derive(Serialize)]
struct Head<'a> {
    text: String,
    position: usize,
    first: &'a str,
}

/// The room for further steps.
struct Room {
    steps: usize,
    bytes: usize,
}

impl Room {
    /// Takes the room for a step; returns `false` if there is none.
    fn takes(&mut self, step: &str) -> bool {
        let fits = self.steps > 0 && self.bytes >= step.len();
        if fits {
            self.steps -= 1;
            self.bytes -= step.len();
        }
        fits
    }
}

/// Returns the change of a stored step.
pub(super) fn change(stored: &str) -> Option<Change> {
    let read: Option<(String, Change)> = serde_json::from_str(stored).ok();
    read.map(|(_, change)| change)
}

/// Returns a step in its stored form.
fn step_text(label: &str, change: &Change) -> String {
    serde_json::to_string(&(label, change)).unwrap_or_default()
}

impl History {
    /// Returns the text of the current document's file, and the history in its stored form: the
    /// steps nearest to the current one. It has none if there is nothing to undo or redo.
    pub fn store(&mut self) -> (String, Option<String>) {
        let text = self.text();
        self.complete_steps();
        let stored = self.nearest(&text);
        (text, stored)
    }

    /// Returns the text of the current document's file. Records that haven't changed since the last
    /// time aren't written again.
    pub fn text(&mut self) -> String {
        let parts = FileParts::of(&self.document, &self.written);
        let text = parts.text();
        self.written[0] = parts;
        text
    }

    /// Adds the stored form of the nearest steps that have none.
    fn complete_steps(&mut self) {
        let earliest = self.current.saturating_sub(STEPS);
        let latest = (self.current + STEPS).min(self.steps.len() - 1);
        let mut previous: Option<(usize, FileParts)> = None;
        for at in earliest + 1..=latest {
            if self.steps[at].stored.is_some() {
                continue;
            }
            let before = match previous.take() {
                Some((known, parts)) if known == at - 1 => parts,
                _ => self.parts(at - 1),
            };
            let after = self.parts(at);
            let change = Change::between_files(&before, &after);
            let step = &mut self.steps[at];
            step.stored = Some(step_text(&step.label, &change));
            previous = Some((at, after));
            self.written[1] = before;
        }
    }

    /// Returns the text of a snapshot's file. That of the current one has just been written.
    fn parts(&self, at: usize) -> FileParts {
        if at == self.current {
            return self.written[0].clone();
        }
        let document = self.steps[at].document.as_ref();
        document
            .map(|document| FileParts::of(document, &self.written))
            .unwrap_or_default()
    }

    /// Joins the stored steps nearest to the current one. Half of the room is for undone steps.
    fn nearest(&self, text: &str) -> Option<String> {
        let stored = |at: usize| self.steps[at].stored.as_deref();
        let mut room = Room {
            steps: STEPS / 2,
            bytes: BYTES / 2,
        };
        let redo = (self.current + 1..self.steps.len()).map_while(stored);
        let redo: Vec<&str> = redo.take_while(|step| room.takes(step)).collect();
        room.steps += STEPS / 2;
        room.bytes += BYTES / 2;
        let undo = (1..=self.current).rev().map_while(stored);
        let mut steps: Vec<&str> = undo.take_while(|step| room.takes(step)).collect();
        let position = steps.len();
        steps.reverse();
        steps.extend(redo);
        if steps.is_empty() {
            return None;
        }
        let head = Head {
            text: hash_of(text),
            position,
            first: &self.steps[self.current - position].label,
        };
        let mut head = serde_json::to_string(&head).ok()?;
        head.truncate(head.len() - 1);
        Some(format!("{head},\"steps\":[{}]}}", steps.join(",")))
    }

    /// Creates a history of a document from its stored form; `None` if it is that of another text.
    pub fn restored(stored: &str, document: Document) -> Option<Self> {
        let Stored {
            text,
            position,
            first,
            steps,
        } = serde_json::from_str(stored).ok()?;
        if text != document.hash() || position > steps.len() {
            return None;
        }
        let mut history = Self::new(&first, document);
        history
            .steps
            .extend(steps.into_iter().map(|(label, change)| Step {
                stored: Some(step_text(&label, &change)),
                label,
                key: None,
                document: None,
            }));
        let document = history.steps[0].document.take();
        history.steps[position].document = document;
        history.current = position;
        Some(history)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::history::tests::{title, titled};

    /// Stores a history and reads it again.
    fn reloaded(history: &mut History) -> History {
        let (text, stored) = history.store();
        let document = Document::from_json(&text).unwrap();
        History::restored(&stored.unwrap(), document).unwrap()
    }

    /// Returns the titles of all snapshots, oldest first.
    fn titles(history: &History) -> Vec<String> {
        let mut history = history.clone();
        let count = history.labels().count();
        let titles = (0..count).map(|at| {
            assert!(history.go_to(at));
            title(&history).to_owned()
        });
        titles.collect()
    }

    #[test]
    fn undo_and_redo_continue_after_reading() {
        let mut history = History::new("Open", titled("a"));
        for title in ["b", "c", "d"] {
            history.commit(&format!("to {title}"), titled(title));
        }
        history.undo();
        let mut read = reloaded(&mut history);
        assert_eq!(title(&read), "c");
        assert_eq!(
            read.labels().collect::<Vec<_>>(),
            ["Open", "to b", "to c", "to d"]
        );
        assert_eq!(titles(&read), ["a", "b", "c", "d"]);
        assert_eq!(read.redo(), Some("to d"));
        assert_eq!(read.undo(), Some("to d"));
        assert_eq!(read.previous().unwrap().info.title, "b");
        assert_eq!(read.undo(), Some("to c"));
        read.commit("to e", titled("e"));
        assert_eq!(titles(&reloaded(&mut read)), ["a", "b", "e"]);
    }

    #[test]
    fn merged_steps_are_stored_in_their_last_state() {
        let mut history = History::new("Open", titled(""));
        history.commit_merging("type", "title", titled("t"));
        history.store();
        history.commit_merging("type", "title", titled("ti"));
        let mut read = reloaded(&mut history);
        assert_eq!(titles(&read), ["", "ti"]);
        read.commit_merging("type", "title", titled("tit"));
        assert_eq!(
            titles(&read),
            ["", "ti", "tit"],
            "typing after a reload is a separate step"
        );
    }

    #[test]
    fn records_are_shared_with_the_current_document() {
        let text = r#"{ "taskloom": 4, "facts": { "lit": {}, "open": {} } }"#;
        let first = Document::from_json(text).unwrap();
        let second = Document {
            info: titled("changed").info,
            ..first.clone()
        };
        let mut history = History::new("Open", first);
        history.commit("change", second);
        let mut read = reloaded(&mut history);
        let after = read.current().clone();
        read.undo();
        let facts = read.current().facts.values().zip(after.facts.values());
        assert!(facts.into_iter().all(|(a, b)| Arc::ptr_eq(a, b)));
        assert_eq!(read.current().facts.len(), 2);
    }

    #[test]
    fn history_of_another_text_is_dropped() {
        let mut history = History::new("Open", titled("a"));
        assert_eq!(history.store().1, None, "nothing to undo");
        history.commit("to b", titled("b"));
        let stored = history.store().1.unwrap();
        assert!(History::restored(&stored, titled("c")).is_none());
        assert!(History::restored("{}", titled("b")).is_none());
        let unknown = stored.replace("\"position\":1", "\"position\":7");
        assert!(History::restored(&unknown, titled("b")).is_none());
    }

    #[test]
    fn unreadable_steps_are_dropped_with_those_behind_them() {
        let mut history = History::new("Open", titled("a"));
        for title in ["b", "c", "d"] {
            history.commit(&format!("to {title}"), titled(title));
        }
        let (_, stored) = history.store();
        let damaged = stored.unwrap().replace(r#""a","b""#, r#""a","x""#);
        let mut read = History::restored(&damaged, titled("d")).unwrap();
        assert_eq!(read.undo(), Some("to d"));
        assert_eq!(read.undo(), Some("to c"));
        assert_eq!(read.undo(), None);
        assert_eq!(title(&read), "b");
        assert_eq!(read.labels().collect::<Vec<_>>(), ["to b", "to c", "to d"]);
        assert_eq!(read.undo_label(), None);
    }

    #[test]
    fn only_the_nearest_steps_are_stored() {
        let mut history = History::new("Open", titled("0"));
        for number in 1..=2 * STEPS {
            history.commit("step", titled(&number.to_string()));
        }
        assert_eq!(titles(&reloaded(&mut history)).len(), STEPS + 1);
        history.go_to(STEPS);
        let mut read = reloaded(&mut history);
        assert_eq!(title(&read), STEPS.to_string());
        assert_eq!(read.position(), STEPS / 2);
        assert!(read.go_to(STEPS));
        assert_eq!(title(&read), (STEPS + STEPS / 2).to_string());
        history.commit("long", titled(&"x".repeat(BYTES)));
        assert_eq!(history.store().1, None, "it doesn't fit");
    }
}
