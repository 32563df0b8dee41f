//! Several selected items: the fields that they have in common, and the commands for them.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Document, Edit, Kind, Name, Record, RecordRef, Source};

use super::fields::Labelled;
use crate::page::{self, Page};
use crate::session::Session;

/// A field that all records of a kind have.
struct Common {
    kind: Kind,
    label: &'static str,
    /// The values to choose from; if there are none, the value is typed.
    options: fn(&Document) -> Vec<String>,
    get: fn(&Record) -> String,
    /// Sets it; returns `true` if the text is a valid value.
    set: fn(&mut Record, &str) -> bool,
}

fn types(document: &Document) -> Vec<String> {
    let names = document.types.keys().map(Name::to_string);
    std::iter::once("object".to_owned()).chain(names).collect()
}

fn named(place: &mut Name, text: &str) -> bool {
    Name::new(text).is_ok_and(|name| {
        *place = name;
        true
    })
}

static COMMON: [Common; 5] = [
    Common {
        kind: Kind::Type,
        label: "Parent type",
        options: types,
        get: |record| match record {
            Record::Type(of) => of.parent.to_string(),
            _ => String::new(),
        },
        set: |record, text| match record {
            Record::Type(of) => named(&mut Arc::make_mut(of).parent, text),
            _ => false,
        },
    },
    Common {
        kind: Kind::Object,
        label: "Type",
        options: types,
        get: |record| match record {
            Record::Object(object) => object.of.to_string(),
            _ => String::new(),
        },
        set: |record, text| match record {
            Record::Object(object) => named(&mut Arc::make_mut(object).of, text),
            _ => false,
        },
    },
    Common {
        kind: Kind::Fact,
        label: "Source",
        options: |_| vec!["sensor".into(), "memory".into(), "blackboard".into()],
        get: |record| match record {
            Record::Fact(fact) => match fact.source {
                Source::Sensor => "sensor".into(),
                Source::Memory => "memory".into(),
                Source::Blackboard => "blackboard".into(),
            },
            _ => String::new(),
        },
        set: |record, text| {
            let Record::Fact(fact) = record else {
                return false;
            };
            Arc::make_mut(fact).source = match text {
                "sensor" => Source::Sensor,
                "blackboard" => Source::Blackboard,
                _ => Source::Memory,
            };
            true
        },
    },
    Common {
        kind: Kind::Action,
        label: "Duration, in ticks",
        options: |_| vec![],
        get: |record| match record {
            Record::Action(action) => action.duration.clone(),
            _ => String::new(),
        },
        set: |record, text| match record {
            Record::Action(action) => {
                text.clone_into(&mut Arc::make_mut(action).duration);
                true
            }
            _ => false,
        },
    },
    Common {
        kind: Kind::PrimitiveTask,
        label: "Cost",
        options: |_| vec![],
        get: |record| match record {
            Record::PrimitiveTask(task) => task.cost.clone(),
            _ => String::new(),
        },
        set: |record, text| match record {
            Record::PrimitiveTask(task) => {
                text.clone_into(&mut Arc::make_mut(task).cost);
                true
            }
            _ => false,
        },
    },
];

/// Returns buttons for commands on the selection.
pub fn actions(ids: &'static [&'static str]) -> AnyView {
    let page = Page::expect();
    let buttons = ids.iter().filter_map(|id| page.find(id)).map(|command| {
        let shown = page::shown(command.id);
        view! {
            <button type="button" on:click=move |_| { (command.run)(&page); }><span>{command.title}</span><kbd>{shown}</kbd></button>
        }
    });
    view! { <div class="selection-actions">{buttons.collect_view()}</div> }.into_any()
}

/// The fields and commands of a selection of more than one item.
#[component]
pub fn ManyInspector(count: usize) -> impl IntoView {
    let session = Session::expect();
    let records = session.open.selection.with_untracked(|s| s.records.clone());
    let blocks = session
        .open
        .selection
        .with_untracked(|s| !s.blocks.is_empty());
    let kind = records.first().map(|record| record.kind);
    let one_kind = kind.filter(|kind| records.iter().all(|record| record.kind == *kind));
    let records: Vec<RecordRef> = records.into_iter().collect();
    let names: Vec<String> = records
        .iter()
        .take(12)
        .map(|r| r.name.to_string())
        .collect();
    let common = COMMON.iter().find(|common| Some(common.kind) == one_kind);
    let all = StoredValue::new(records);
    let field = common.map(|common| common_field(session, common, all));
    let actions = if blocks {
        actions(&[
            "duplicate",
            "mute",
            "collapse",
            "frame",
            "extract",
            "delete",
        ])
    } else {
        actions(&["duplicate", "collapse", "frame", "delete"])
    };
    view! {
        <h2>{format!("{count} selected")}</h2>
        <p class="hint">{names.join(", ")}</p>
        {field}
        {actions}
    }
    .into_any()
}

fn common_field(
    session: Session,
    common: &'static Common,
    all: StoredValue<Vec<RecordRef>>,
) -> AnyView {
    // The value of all; `None` if they differ.
    let value = Memo::new(move |_| {
        let document = session.document();
        let values = all.with_value(|all| {
            let values = all.iter().filter_map(|record| document.get(record));
            values
                .map(|record| (common.get)(&record))
                .collect::<Vec<_>>()
        });
        let first = values.first().cloned()?;
        values.iter().all(|value| *value == first).then_some(first)
    });
    let set = move |text: String| {
        let document = session.document_untracked();
        let changed = all.with_value(|all| {
            let changed = all.iter().map(|reference| {
                let mut record = document.get(reference)?;
                let name = reference.name.clone();
                let fits = (common.set)(&mut record, &text);
                fits.then_some(Edit::Replace(name, record))
            });
            changed.collect::<Option<Vec<Edit>>>()
        });
        match changed {
            Some(edits) => {
                let label = format!(
                    "Change {} of {} records",
                    common.label.to_ascii_lowercase(),
                    edits.len()
                );
                session.commit(&label, Edit::Batch(edits));
            }
            None => session.complain(format!("“{}” can't be “{text}”.", common.label)),
        }
    };
    let options = (common.options)(&session.document_untracked());
    let input = if options.is_empty() {
        view! {
            <input class="text" aria-label=common.label placeholder="several values"
                prop:value=move || value.get().unwrap_or_default() on:change=move |e| set(event_target_value(&e))/>
        }
        .into_any()
    } else {
        let options = std::iter::once(String::new()).chain(options).map(|option| {
            let (text, own) = (option.clone(), option.clone());
            let shown = if text.is_empty() { "several values".to_owned() } else { text };
            view! { <option value=option prop:selected=move || value.get().unwrap_or_default() == own>{shown}</option> }
        });
        view! {
            <select aria-label=common.label on:change=move |e| {
                let text = event_target_value(&e);
                if !text.is_empty() { set(text) }
            }>{options.collect_view()}</select>
        }
        .into_any()
    };
    view! { <Labelled label=common.label>{input}</Labelled> }.into_any()
}
