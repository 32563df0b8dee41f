//! Commands on the selected cards that draw no wire: collapsing and framing.

use leptos::prelude::*;
use taskloom_core::document::{Edit, RecordRef};

use super::actions::Actions;
use crate::views::frames;

impl Actions {
    /// Collapses the selected cards to their titles; where all of them are,
    /// expands them.
    pub fn collapse(&self) -> bool {
        let document = self.session.document_untracked();
        let collapsed = &document.layout.collapsed_cards;
        let records = self.session.selection.with_untracked(|s| s.records.clone());
        let records: Vec<RecordRef> = records.into_iter().collect();
        let on = !records.iter().all(|record| collapsed.contains(record));
        let label = if on { "Collapse cards" } else { "Expand cards" };
        let edit = Edit::CollapseCards(records.clone(), on);
        !records.is_empty() && self.session.commit(label, edit)
    }

    /// Puts a frame around the selected cards, or a note where there are none.
    pub fn frame(&self) -> bool {
        let records = self.session.selection.with_untracked(|s| s.records.clone());
        let scene = self.scene.get_untracked();
        let around = (!records.is_empty())
            .then(|| scene.bounds(&records))
            .flatten();
        frames::add(self.session, around)
    }
}
