//! The view, scenario and selection of the open document, which the browser's tab keeps across a
//! reload.

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{BlockId, Document, Name, RecordRef};

use super::{Selection, Session, View};
use crate::web::platform::PLACE;

/// The shown part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shown {
    /// The document's row.
    id: String,
    scenario: Option<Name>,
    view: View,
    records: Vec<RecordRef>,
    blocks: Vec<BlockId>,
}

impl Shown {
    fn write(&self) -> String {
        let mut lines = vec![format!("document {}", self.id)];
        lines.extend(self.scenario.iter().map(|name| format!("scenario {name}")));
        lines.push(match &self.view {
            View::Board => "view board".to_owned(),
            View::Stage => "view stage".to_owned(),
            View::Scenarios => "view scenarios".to_owned(),
            View::Method(task) => format!("method {task}"),
        });
        lines.extend(self.records.iter().map(|record| format!("record {record}")));
        lines.extend(self.blocks.iter().map(|block| format!("block {block}")));
        lines.join("\n")
    }

    /// Reads what is still part of the document; `None` if the text is about another one.
    fn read(text: &str, id: &str, document: &Document) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()?.strip_prefix("document ") != Some(id) {
            return None;
        }
        let mut shown = Self {
            id: id.to_owned(),
            scenario: None,
            view: View::Board,
            records: vec![],
            blocks: vec![],
        };
        for line in lines {
            let (what, rest) = line.split_once(' ')?;
            match what {
                "scenario" => {
                    let name = Name::new(rest).ok();
                    shown.scenario = name.filter(|name| document.scenarios.contains_key(name));
                }
                "view" if rest == "stage" => shown.view = View::Stage,
                "view" if rest == "scenarios" => shown.view = View::Scenarios,
                "method" => {
                    let name = Name::new(rest).ok();
                    let task = name.filter(|name| document.compound_tasks.contains_key(name));
                    shown.view = task.map_or(View::Board, View::Method);
                }
                "record" => {
                    let record: Option<RecordRef> = rest.parse().ok();
                    let record = record.and_then(|record| document.spelled(&record));
                    shown.records.extend(record);
                }
                "block" => shown.blocks.extend(rest.parse().ok()),
                _ => {}
            }
        }
        let task = shown.view.method();
        let method = task.and_then(|task| document.compound_tasks.get(task));
        let blocks = method.map(|task| &task.method.blocks);
        shown
            .blocks
            .retain(|block| blocks.is_some_and(|blocks| blocks.contains_key(block)));
        Some(shown)
    }
}

impl Session {
    /// Shows what the tab showed before it was reloaded, if it is the same document.
    pub(super) fn restore_place(&self) {
        let document = self.document_untracked();
        let text = self.platform().notes.of_tab(PLACE);
        let shown = text.and_then(|text| Shown::read(&text, &self.entry().id, &document));
        let Some(shown) = shown else {
            return;
        };
        if shown.scenario.is_some() {
            self.plan.scenario.set(shown.scenario);
        }
        self.open.view.set(shown.view);
        self.open.selection.set(Selection {
            records: set_of(shown.records),
            blocks: set_of(shown.blocks),
            ..Selection::default()
        });
    }

    /// Keeps what is shown from now on.
    pub(super) fn keep_place(&self) {
        let session = *self;
        Effect::new(move || {
            // A document's row changes if another one opens, or if this one becomes a copy.
            session.storage.opened.track();
            session.storage.hold.track();
            let (records, blocks) = session.open.selection.with(|selection| {
                let records = selection.records.iter().cloned().collect();
                (records, selection.blocks.iter().cloned().collect())
            });
            let shown = Shown {
                id: session.entry().id,
                scenario: session.plan.scenario.get(),
                view: session.open.view.get(),
                records,
                blocks,
            };
            session.platform().notes.set_of_tab(PLACE, &shown.write());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let text = r#"{ "taskloom": 4, "scenarios": { "day": {}, "night": {} }, "compound_tasks": { "go": {} } }"#;
        Document::from_json(text).unwrap()
    }

    fn read(text: &str) -> Option<String> {
        Some(Shown::read(text, "one", &document())?.write())
    }

    #[test]
    fn what_was_shown_is_read_again() {
        let text = "document one\nscenario night\nmethod go\nrecord scenario:day";
        assert_eq!(read(text).as_deref(), Some(text));
        let text = "document one\nscenario day\nview stage";
        assert_eq!(read(text).as_deref(), Some(text));
    }

    #[test]
    fn what_no_longer_exists_is_not_shown() {
        let text = "document one\nscenario dusk\nmethod gone\nrecord scenario:dusk\nblock b1";
        assert_eq!(read(text).as_deref(), Some("document one\nview board"));
        assert_eq!(read("document two\nview stage"), None);
        assert_eq!(read(""), None);
    }
}
