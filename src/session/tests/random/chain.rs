//! The undo history before and after a reload.

use leptos::prelude::*;
use std::collections::BTreeMap;

use super::super::{Saved, Tab};

/// A state of a document in a history: its step, title and note.
type State = (String, String, String);

/// The states of a history, oldest first, and the index of the current one.
#[derive(Clone, PartialEq)]
struct Chain {
    states: Vec<State>,
    at: usize,
}

/// All histories that tabs have shown, by the note in their current state.
#[derive(Default)]
pub(super) struct Chains {
    shown: BTreeMap<String, Vec<Chain>>,
    /// The number of reloads after which there was something to undo or redo.
    pub(super) kept: usize,
}

impl Chain {
    fn of(tab: &Tab) -> Self {
        let mut history = tab
            .session
            .open
            .content
            .with_value(|open| open.history.clone());
        let at = history.position();
        let labels: Vec<String> = history.labels().map(str::to_owned).collect();
        let states = labels.into_iter().enumerate().map(|(at, label)| {
            assert!(history.go_to(at), "{label:?} can't be read");
            let info = &history.current().info;
            (label, info.title.clone(), info.note.clone())
        });
        let states = states.collect();
        Self { states, at }
    }

    fn note(&self) -> &str {
        &self.states[self.at].2
    }

    /// Returns `true` if a history has the same states, wherever it is.
    fn is_within(&self, whole: &Self) -> bool {
        let mut parts = whole.states.windows(self.states.len());
        parts.any(|part| part == self.states)
    }

    /// Returns `true` if this is a part of a longer history, or all of it.
    fn is_part_of(&self, whole: &Self) -> bool {
        let start = whole.at.checked_sub(self.at);
        let rest = start.and_then(|start| whole.states.get(start..));
        rest.is_some_and(|rest| rest.starts_with(&self.states))
    }
}

impl Chains {
    /// Notes the histories that tabs show now.
    pub(super) fn note(&mut self, tabs: &[Tab]) {
        for tab in tabs {
            let chain = Chain::of(tab);
            let shown = self.shown.entry(chain.note().to_owned()).or_default();
            if !shown.contains(&chain) {
                shown.push(chain);
            }
        }
    }

    /// Checks that a reloaded tab continues a history that was shown, or that it has none.
    pub(super) fn check(&mut self, tab: &Tab) {
        let mut chain = Chain::of(tab);
        // A text that was left, and renaming in the list, add steps that no tab shows.
        while chain.at + 1 == chain.states.len() && chain.at > 0 {
            let (label, title, _) = &chain.states[chain.at];
            let is_renamed = label == "Change the title" && title == "Renamed";
            if !is_renamed && label != "Before reload" {
                break;
            }
            chain.states.pop();
            chain.at -= 1;
        }
        if chain.states.len() > 1 {
            self.kept += 1;
            let shown = self.shown.get(chain.note()).into_iter().flatten();
            let is_known = shown.into_iter().any(|whole| chain.is_part_of(whole));
            // A text that was left, and that restored an earlier state, is shown as that state.
            let is_left = tab.saved() != Saved::No;
            let all = || self.shown.values().flatten();
            let is_known = is_known || is_left && all().any(|whole| chain.is_within(whole));
            assert!(
                is_known,
                "{:?} at {} was never shown",
                chain.states, chain.at
            );
        }
    }
}
