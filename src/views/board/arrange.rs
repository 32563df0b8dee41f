//! Commands on the selected cards that draw no wire: collapsing.

use leptos::prelude::*;
use taskloom_core::document::{Edit, RecordRef};

use super::actions::Actions;

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
}
