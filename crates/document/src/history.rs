//! Undo and redo: labelled snapshots of the document.
//!
//! A snapshot shares with its neighbours every record that did not change, so undo is correct by
//! construction and no edit needs an inverse. A stored history consists of differences of texts
//! instead: a snapshot that was read from it is made when it is first needed.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Document;
use super::file::FileParts;

mod change;
mod stored;

/// The snapshots of one open document, and the current one.
#[derive(Debug, Clone)]
pub struct History {
    steps: VecDeque<Step>,
    current: usize,
    document: Arc<Document>,
    /// The texts that were written last: that of the current document, and of one before it.
    written: [FileParts; 2],
    limit: usize,
    /// If `true`, the next commit may merge with the current step.
    open: bool,
}

/// A snapshot. At least one is known of its document, its change from the previous snapshot, and
/// the next one's change.
#[derive(Debug, Clone)]
struct Step {
    label: String,
    key: Option<String>,
    document: Option<Arc<Document>>,
    /// The step in its stored form: its label, and the change of the file's text that it makes.
    stored: Option<String>,
}

impl History {
    /// The default maximum number of snapshots.
    pub const LIMIT: usize = 1000;

    /// Creates a history that starts with a document as it was opened.
    pub fn new(label: &str, document: Document) -> Self {
        Self::bounded(label, document, Self::LIMIT)
    }

    /// Creates a history that keeps up to `limit` snapshots, at least one; the oldest are dropped.
    pub fn bounded(label: &str, document: Document, limit: usize) -> Self {
        let document = Arc::new(document);
        let first = Step {
            label: label.to_owned(),
            key: None,
            document: Some(document.clone()),
            stored: None,
        };
        Self {
            steps: VecDeque::from([first]),
            current: 0,
            document,
            written: [FileParts::default(), FileParts::default()],
            limit: limit.max(1),
            open: false,
        }
    }

    /// Returns the current document.
    pub fn current(&self) -> &Arc<Document> {
        &self.document
    }

    /// Adds a snapshot after the current one; undone snapshots are dropped.
    pub fn commit(&mut self, label: &str, document: Document) {
        self.push(label, None, document);
    }

    /// Commits like [`History::commit`], but merges with the previous commit if that had the same
    /// key: typing in a field is one undo step.
    pub fn commit_merging(&mut self, label: &str, key: &str, document: Document) {
        if self.merges(key) {
            self.document = Arc::new(document);
            let step = &mut self.steps[self.current];
            step.label = label.to_owned();
            step.document = Some(self.document.clone());
            step.stored = None;
        } else {
            self.push(label, Some(key.to_owned()), document);
        }
    }

    /// Returns `true` if a merging commit with this key would become part of the current step.
    pub fn merges(&self, key: &str) -> bool {
        self.open && self.steps[self.current].key.as_deref() == Some(key)
    }

    /// Ends merging: the next commit is a separate step, whatever its key. Called when a field
    /// loses focus.
    pub fn seal(&mut self) {
        self.open = false;
    }

    fn push(&mut self, label: &str, key: Option<String>, document: Document) {
        self.steps.truncate(self.current + 1);
        self.open = key.is_some();
        self.document = Arc::new(document);
        self.steps.push_back(Step {
            label: label.to_owned(),
            key,
            document: Some(self.document.clone()),
            stored: None,
        });
        while self.steps.len() > self.limit {
            self.steps.pop_front();
        }
        self.current = self.steps.len() - 1;
    }

    /// Steps back; returns the label of the undone step, or none at the oldest snapshot.
    pub fn undo(&mut self) -> Option<&str> {
        let before = self.current.checked_sub(1)?;
        self.go_to(before)
            .then(|| self.steps[before + 1].label.as_str())
    }

    /// Steps forward; returns the label of the redone step, or none at the newest snapshot.
    pub fn redo(&mut self) -> Option<&str> {
        self.go_to(self.current + 1).then_some(())?;
        Some(&self.steps[self.current].label)
    }

    /// Returns the label of the step that [`History::undo`] would undo.
    pub fn undo_label(&self) -> Option<&str> {
        (self.current > 0).then(|| self.steps[self.current].label.as_str())
    }

    /// Returns the document that [`History::undo`] would restore.
    pub fn previous(&mut self) -> Option<Arc<Document>> {
        self.snapshot(self.current.checked_sub(1)?)
    }

    /// Returns the label of the step that [`History::redo`] would redo.
    pub fn redo_label(&self) -> Option<&str> {
        let next = self.steps.get(self.current + 1)?;
        Some(&next.label)
    }

    /// Iterates over the labels of all snapshots, oldest first.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.label.as_str())
    }

    /// Returns the index of the current snapshot.
    pub fn position(&self) -> usize {
        self.current
    }

    /// Goes to a snapshot by its index; returns `true` if it exists.
    pub fn go_to(&mut self, position: usize) -> bool {
        let Some(document) = self.snapshot(position) else {
            return false;
        };
        self.document = document;
        self.current = position;
        self.seal();
        true
    }

    /// Returns a snapshot's document, made from a stored change if necessary. If that fails, drops
    /// the snapshot, and those that are reached through it.
    fn snapshot(&mut self, position: usize) -> Option<Arc<Document>> {
        if let Some(document) = &self.steps.get(position)?.document {
            return Some(document.clone());
        }
        let made = self.made(position).map(Arc::new);
        match &made {
            Some(_) => self.steps[position].document.clone_from(&made),
            None if position < self.current => {
                self.steps.drain(..=position);
                self.current -= position + 1;
            }
            None => self.steps.truncate(position),
        }
        made
    }

    /// Makes a document from that of the nearest snapshot toward the current one.
    fn made(&self, position: usize) -> Option<Document> {
        let is_known = |at: &usize| self.steps[*at].document.is_some();
        let change = |at: usize| stored::change(self.steps[at].stored.as_deref()?);
        let text = |at: usize| Some(self.steps[at].document.as_ref()?.to_json());
        let text = if position < self.current {
            let start = (position..=self.current).find(is_known)?;
            let mut steps = (position + 1..=start).rev();
            steps.try_fold(text(start)?, |text, at| change(at)?.revert(&text))?
        } else {
            let start = (self.current..=position).rev().find(is_known)?;
            let mut steps = start + 1..=position;
            steps.try_fold(text(start)?, |text, at| change(at)?.apply(&text))?
        };
        let mut document = Document::from_json(&text).ok()?;
        document.share_records(&self.document);
        Some(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Info;

    pub fn titled(title: &str) -> Document {
        Document {
            info: Arc::new(Info {
                title: title.to_owned(),
                note: String::new(),
            }),
            ..Document::default()
        }
    }

    pub fn title(history: &History) -> &str {
        &history.current().info.title
    }

    #[test]
    fn undo_and_redo_walk_the_snapshots() {
        let mut history = History::new("open", titled("a"));
        history.commit("to b", titled("b"));
        history.commit("to c", titled("c"));
        assert_eq!(history.undo(), Some("to c"));
        assert_eq!(title(&history), "b");
        assert_eq!(history.redo_label(), Some("to c"));
        assert_eq!(history.previous().unwrap().info.title, "a");
        assert_eq!(history.undo(), Some("to b"));
        assert_eq!(history.undo(), None);
        assert_eq!(history.previous(), None);
        assert_eq!(history.redo(), Some("to b"));
        history.commit("to d", titled("d"));
        assert_eq!(history.redo(), None);
        assert_eq!(
            history.labels().collect::<Vec<_>>(),
            ["open", "to b", "to d"]
        );
        assert!(history.go_to(0) && !history.go_to(3));
        assert_eq!(title(&history), "a");
    }

    #[test]
    fn typing_in_one_field_is_one_step() {
        let mut history = History::new("open", titled(""));
        history.commit_merging("title", "info", titled("t"));
        history.commit_merging("title", "info", titled("ti"));
        assert_eq!(history.labels().count(), 2);
        history.commit_merging("other", "elsewhere", titled("x"));
        assert_eq!(history.labels().count(), 3);
        history.undo();
        assert_eq!(title(&history), "ti");
        history.commit_merging("title", "info", titled("tit"));
        assert_eq!(history.undo(), Some("title"));
        assert_eq!(title(&history), "ti");
        history.redo();
        history.seal();
        history.commit_merging("title", "info", titled("titl"));
        history.undo();
        assert_eq!(title(&history), "tit");
    }

    #[test]
    fn the_oldest_snapshots_are_dropped() {
        let mut history = History::bounded("0", titled("0"), 3);
        for n in 1..10 {
            history.commit(&n.to_string(), titled(&n.to_string()));
        }
        assert_eq!(history.labels().collect::<Vec<_>>(), ["7", "8", "9"]);
        while history.undo().is_some() {}
        assert_eq!(title(&history), "7");
    }
}
