//! A question about a plan or a run, asked at a place on the screen: why is this so?

use leptos::prelude::*;
use taskloom_runtime::Entry;

use super::Desk;

/// The subject of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// An entry of the run.
    Entry(Entry),
    /// A task of a plan: that of the run by its index, or else the scenario's.
    Task {
        /// The index of the plan in the run.
        plan: Option<usize>,
        /// The index of the task among the plan's nodes.
        node: usize,
    },
}

/// A place on the screen, in pixels of the viewport.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anchor {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The lower edge.
    pub bottom: f64,
}

/// A question, and the place that the answer is shown at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Its subject.
    pub subject: Subject,
    /// The place that it was asked at.
    pub anchor: Anchor,
}

impl Desk {
    /// Asks a question; the answer replaces that of an earlier one.
    pub fn ask(&self, question: Question) {
        self.boxes.question.set(Some(question));
    }

    /// Closes the answer to a question, if it is still the latest.
    pub fn end_question(&self, question: Question) {
        if self.boxes.question.get_untracked() == Some(question) {
            self.boxes.question.set(None);
        }
    }
}
