//! The folded groups of the Board, which the browser keeps for each document.

use std::collections::BTreeSet;

use crate::web::{platform::FOLDED, storage};
use taskloom_document::sort::set_of;

/// The number of documents for which they are kept.
const DOCUMENTS: usize = 100;

/// The keys of the folded groups.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folds(BTreeSet<String>);

impl Folds {
    /// Returns those of a document.
    pub fn of(document: &str) -> Self {
        let text = storage::get(FOLDED).unwrap_or_default();
        Self::read(&text, document)
    }

    /// Keeps these for a document.
    pub fn keep(&self, document: &str) {
        let text = storage::get(FOLDED).unwrap_or_default();
        storage::set(FOLDED, &self.written(&text, document));
    }

    /// Returns `true` if nothing is folded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if a group is folded.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }

    /// Folds or unfolds a group.
    pub fn set(&mut self, key: &str, folded: bool) {
        if folded {
            self.0.insert(key.to_owned());
        } else {
            self.0.remove(key);
        }
    }

    fn read(text: &str, document: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        let mut lines = lines.filter(|(id, _)| *id == document);
        let keys = lines
            .next()
            .map(|(_, keys)| keys.split('\t').map(str::to_owned));
        Self(set_of(keys.into_iter().flatten()))
    }

    /// Returns a text with the lines of other documents, and that of this one at the end.
    fn written(&self, text: &str, document: &str) -> String {
        let is_other = |line: &&str| line.split('\t').next() != Some(document);
        let mut lines: Vec<String> = text.lines().filter(is_other).map(str::to_owned).collect();
        if !self.is_empty() {
            let keys: Vec<&str> = self.0.iter().map(String::as_str).collect();
            lines.push(format!("{document}\t{}", keys.join("\t")));
        }
        let first = lines.len().saturating_sub(DOCUMENTS);
        lines.split_off(first).join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_document_has_its_own_folds() {
        let mut folds = Folds::default();
        folds.set("sensor", true);
        folds.set("primitive/walk", true);
        let text = folds.written("", "one");
        let text = Folds(["goal".to_owned()].into()).written(&text, "two");
        assert_eq!(Folds::read(&text, "one"), folds);
        assert!(Folds::read(&text, "two").has("goal"));
        assert!(Folds::read(&text, "three").is_empty());
        folds.set("sensor", false);
        folds.set("primitive/walk", false);
        let text = folds.written(&text, "one");
        assert_eq!(text, "two\tgoal");
    }

    #[test]
    fn only_the_latest_documents_are_kept() {
        let folds = Folds(["goal".to_owned()].into());
        let mut text = String::new();
        for number in 0..DOCUMENTS + 5 {
            text = folds.written(&text, &number.to_string());
        }
        assert_eq!(text.lines().count(), DOCUMENTS);
        assert!(Folds::read(&text, "0").is_empty());
        assert!(!Folds::read(&text, "104").is_empty());
    }
}
