//! Several selected rows: a range from one row to another.

use std::collections::BTreeSet;

use leptos::prelude::*;
use taskloom_document::RecordRef;
use taskloom_document::sort::set_of;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::session::{Selection, Session};

/// The attribute of a row with its record.
pub const RECORD: &str = "data-outline";

/// The row at which a range begins, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct Range {
    session: Session,
    from: StoredValue<Option<RecordRef>>,
}

impl Range {
    /// Provides it to the rows of the outline.
    pub fn provide() -> Self {
        let range = Self {
            session: Session::expect(),
            from: StoredValue::new(None),
        };
        provide_context(range);
        range
    }

    /// Returns the range that the outline provides.
    pub fn expect() -> Self {
        use_context().expect("the outline provides it")
    }

    /// Begins the next range at a record.
    pub fn begin(self, record: RecordRef) {
        self.from.set_value(Some(record));
    }

    /// Selects the rows from the beginning of the range to a record, in place of other records
    /// unless it `adds` them.
    pub fn reach(self, record: &RecordRef, adds: bool) {
        let selection = self.session.open.selection;
        let from = self.from.get_value();
        let from = from.or_else(|| selection.with_untracked(Selection::only_record));
        let rows = rows();
        let rows: Vec<RecordRef> = rows.iter().filter_map(record_of).collect();
        let mut records = between(&rows, from.as_ref().unwrap_or(record), record);
        if adds {
            records.extend(selection.with_untracked(|selection| selection.records.clone()));
        }
        self.session.open.select(Selection {
            records,
            ..Selection::default()
        });
    }

    /// Extends the range from the focused row to the next one, or to the previous one.
    pub fn extend(self, step: isize) {
        let rows = rows();
        let focused = document().active_element();
        let at = rows.iter().position(|row| Some(row) == focused.as_ref());
        let next = at.and_then(|at| rows.get(at.checked_add_signed(step)?));
        let Some((next, record)) = next.and_then(|next| Some((next, record_of(next)?))) else {
            return;
        };
        self.reach(&record, false);
        if let Some(row) = next.dyn_ref::<HtmlElement>() {
            // A row on the screen takes the focus; it is selected already.
            let _ = row.focus();
        }
    }
}

/// Returns the rows that are shown, in order.
fn rows() -> Vec<Element> {
    let Ok(found) = document().query_selector_all(".outline .item") else {
        return vec![];
    };
    let row = |at| found.item(at)?.dyn_into().ok();
    (0..found.length()).filter_map(row).collect()
}

fn record_of(row: &Element) -> Option<RecordRef> {
    row.get_attribute(RECORD)?.parse().ok()
}

/// Returns the records from one row to another, in either direction; only the second if the first
/// is not shown.
fn between(rows: &[RecordRef], from: &RecordRef, to: &RecordRef) -> BTreeSet<RecordRef> {
    let at = |record: &RecordRef| rows.iter().position(|row| row == record);
    let ends = at(from).zip(at(to));
    let range = ends.and_then(|(from, to)| rows.get(from.min(to)..=from.max(to)));
    match range {
        Some(range) => set_of(range.iter().cloned()),
        None => [to.clone()].into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_reach_in_both_directions_and_over_kinds() {
        let rows = ["type:item", "object:box", "object:key", "fact:lit"];
        let rows = rows.map(|row| row.parse::<RecordRef>().unwrap());
        let selected = |from: usize, to: usize| {
            let all = between(&rows, &rows[from], &rows[to]).into_iter();
            all.map(|record| record.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(selected(1, 3).len(), 3);
        assert_eq!(selected(3, 1), selected(1, 3));
        assert_eq!(selected(2, 2), ["object:key"]);
        let folded = "goal:fed".parse::<RecordRef>().unwrap();
        assert_eq!(between(&rows, &folded, &rows[1]), [rows[1].clone()].into());
    }
}
