//! The parameters of a fact, condition, action or task.

use leptos::prelude::*;
use taskloom_document::{Edit, Field, Name, Param, Record, RecordRef};

use super::editable_list::{EditableList, RemoveButton};
use super::fields::{NameSelect, type_names};
use super::heading::HelpLink;
use crate::expression::Messages;
use crate::session::Session;
use crate::ui::entry::{Entry, Refusal};

/// One row per parameter: variable and type.
#[component]
pub fn Params(record: RecordRef) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.record(record.clone());
    let params = Memo::new(move |_| {
        let params = |d: &Record| d.view().params().to_vec();
        data.with(|d| d.as_ref().map(params).unwrap_or_default())
    });
    let count = Memo::new(move |_| params.with(Vec::len));
    let types = type_names(session);
    let record = StoredValue::new(record);
    let findings = session.open.findings(move |place| {
        record.with_value(|record| place.record == *record)
            && matches!(place.field, Field::Param(_))
    });
    let add = move || {
        let record = record.get_value();
        change(session, &record, "Add a parameter", |params| {
            let free = (1..)
                .map(|n| {
                    if n == 1 {
                        "x".to_owned()
                    } else {
                        format!("x{n}")
                    }
                })
                .filter_map(|text| Name::new(&text).ok())
                .find(|name| params.iter().all(|p| p.name != *name));
            if let Some(name) = free {
                let of = session.parameter_type();
                params.push(Param { name, of });
            }
        });
    };
    let hint = move || (count.get() == 0).then_some("none");
    let row = move |at| view! { <Row record=record.get_value() at params types/> };
    view! {
        <EditableList title="Parameters" one="a parameter" count add hint=Signal::derive(hint) row>
            <Messages findings/>
        </EditableList>
    }
}

/// Says what `?me` is in the record's texts, and its type once an agent with a type uses the record.
#[component]
pub fn MeHint(record: RecordRef) -> impl IntoView {
    let session = Session::expect();
    let of = Memo::new(move |_| {
        let me = session.domain().me_at(&record, &Field::Whole);
        me.map(|me| me.of.to_string())
    });
    let detail = move || of.get().unwrap_or("no agent yet".to_owned());
    view! {
        <p class="hint me">
            <code>"?me"</code>
            {move || format!(" is the actor itself ({}).", detail())}
            <HelpLink about="?me" page="help/expressions.html#me"/>
        </p>
    }
}

#[component]
fn Row(
    record: RecordRef,
    at: usize,
    params: Memo<Vec<Param>>,
    types: Memo<Vec<Name>>,
) -> impl IntoView {
    let session = Session::expect();
    let record = StoredValue::new(record);
    let reason = RwSignal::new(None::<String>);
    let variable = Memo::new(move |_| {
        params.with(|p| {
            p.get(at)
                .map(|p| format!("?{}", p.name))
                .unwrap_or_default()
        })
    });
    let of = Memo::new(move |_| params.with(|p| p.get(at).map(|p| p.of.clone())));
    let rename = move |typed: String| {
        let old = params.with_untracked(|p| p.get(at).map(|p| p.name.clone()));
        old.map_or(Ok(()), |old| {
            session.rename_variable(record.get_value(), old, &typed)
        })
    };
    let retype = Callback::new(move |to: Option<Name>| {
        if let Some(to) = to {
            change(
                session,
                &record.get_value(),
                "Change a parameter's type",
                |params| {
                    if let Some(param) = params.get_mut(at) {
                        param.of = to;
                    }
                },
            );
        }
    });
    let remove = move || {
        change(
            session,
            &record.get_value(),
            "Remove a parameter",
            |params| {
                if at < params.len() {
                    params.remove(at);
                }
            },
        );
    };
    view! {
        <div class="row param">
            <Entry label=format!("Parameter {}", at + 1) text=variable take=rename reason restores=false attr:class="text code"/>
            <NameSelect label=format!("Type of parameter {}", at + 1) names=types current=of set=retype/>
            <RemoveButton what=format!("parameter {}", at + 1) remove/>
        </div>
        <Refusal reason/>
    }
}

fn change(session: Session, record: &RecordRef, label: &str, change: impl FnOnce(&mut Vec<Param>)) {
    let Some(mut data) = session.document_untracked().get(record) else {
        return;
    };
    let Some(params) = data.params_mut() else {
        return;
    };
    change(params);
    session.commit(
        &format!("{label} of {}", record.name),
        Edit::Replace(record.name.clone(), data),
    );
}
