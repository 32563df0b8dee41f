//! Undo and redo: labelled snapshots of the document.
//!
//! A snapshot shares with its neighbours every record that did not change, so undo is correct by
//! construction and no edit needs an inverse.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Document;

/// The snapshots of one open document, and the current one.
#[derive(Debug, Clone)]
pub struct History {
    steps: VecDeque<Step>,
    current: usize,
    limit: usize,
    /// If `true`, the next commit may merge with the current step.
    open: bool,
}

#[derive(Debug, Clone)]
struct Step {
    label: String,
    key: Option<String>,
    document: Arc<Document>,
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
        let first = Step {
            label: label.to_owned(),
            key: None,
            document: Arc::new(document),
        };
        Self {
            steps: VecDeque::from([first]),
            current: 0,
            limit: limit.max(1),
            open: false,
        }
    }

    /// Returns the current document.
    pub fn current(&self) -> &Arc<Document> {
        &self.steps[self.current].document
    }

    /// Adds a snapshot after the current one; undone snapshots are dropped.
    pub fn commit(&mut self, label: &str, document: Document) {
        self.push(label, None, document);
    }

    /// Commits like [`History::commit`], but merges with the previous commit if that had the same
    /// key: typing in a field is one undo step.
    pub fn commit_merging(&mut self, label: &str, key: &str, document: Document) {
        if self.merges(key) {
            let step = &mut self.steps[self.current];
            step.label = label.to_owned();
            step.document = Arc::new(document);
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
        self.steps.push_back(Step {
            label: label.to_owned(),
            key,
            document: Arc::new(document),
        });
        while self.steps.len() > self.limit {
            self.steps.pop_front();
        }
        self.current = self.steps.len() - 1;
    }

    /// Steps back; returns the label of the undone step, or none at the oldest snapshot.
    pub fn undo(&mut self) -> Option<&str> {
        let before = self.current.checked_sub(1)?;
        self.seal();
        let undone = std::mem::replace(&mut self.current, before);
        Some(&self.steps[undone].label)
    }

    /// Steps forward; returns the label of the redone step, or none at the newest snapshot.
    pub fn redo(&mut self) -> Option<&str> {
        self.redo_label()?;
        self.seal();
        self.current += 1;
        Some(&self.steps[self.current].label)
    }

    /// Returns the label of the step that [`History::undo`] would undo.
    pub fn undo_label(&self) -> Option<&str> {
        (self.current > 0).then(|| self.steps[self.current].label.as_str())
    }

    /// Returns the document that [`History::undo`] would restore.
    pub fn previous(&self) -> Option<&Arc<Document>> {
        let before = self.current.checked_sub(1)?;
        Some(&self.steps[before].document)
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
        let exists = position < self.steps.len();
        if exists {
            self.current = position;
            self.seal();
        }
        exists
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Info;

    fn titled(title: &str) -> Document {
        Document {
            info: Arc::new(Info {
                title: title.to_owned(),
                note: String::new(),
            }),
            ..Document::default()
        }
    }

    fn title(history: &History) -> &str {
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
