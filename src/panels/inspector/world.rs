//! Types, objects, facts and conditions.

use leptos::prelude::*;
use taskloom_document::{Fact, Field, Kind, Name, Object, RecordRef, Source, Type, ValueKind};

use super::fields::{Labelled, NameSelect, NumberField, Written, type_names};
use super::params::{MeHint, Params};
use crate::session::Session;
use crate::ui::select::{Choice, Select};

/// The parent of a type.
#[component]
pub fn TypeFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<Type>(name.clone());
    let types = type_names(session);
    let own = name.clone();
    let possible = Memo::new(move |_| {
        let document = session.document();
        let mut names = types.get();
        names.retain(|n| !document.is_kind_of(n, &own) || *n == "object");
        names
    });
    let parent = Memo::new(move |_| data.with(|d| d.as_deref().map(|d| d.parent.clone())));
    let set = Callback::new(move |to: Option<Name>| {
        if let Some(to) = to {
            session.change(
                &name,
                &format!("Change the parent of {name}"),
                |r: &mut Type| r.parent = to,
            );
        }
    });
    view! {
        <Labelled label="Parent type">
            <NameSelect label="Parent type" names=possible current=parent set/>
        </Labelled>
    }
}

/// The type of an object.
#[component]
pub fn ObjectFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<Object>(name.clone());
    let of = Memo::new(move |_| data.with(|d| d.as_deref().map(|d| d.of.clone())));
    let set = Callback::new(move |to: Option<Name>| {
        if let Some(to) = to {
            session.change(
                &name,
                &format!("Change the type of {name}"),
                |r: &mut Object| r.of = to,
            );
        }
    });
    view! {
        <Labelled label="Type">
            <NameSelect label="Type" names=type_names(session) current=of set/>
        </Labelled>
    }
}

static SOURCES: [Choice<Source>; 3] = [
    (Source::Sensor, "sensor", "game sensor"),
    (
        Source::Memory,
        "memory",
        "memory (one per actor, written by its effects)",
    ),
    (
        Source::Blackboard,
        "blackboard",
        "blackboard (shared by all actors)",
    ),
];

/// Parameters, values and source of a fact.
#[component]
pub fn FactFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<Fact>(name.clone());
    let name = StoredValue::new(name);
    let value = Memo::new(move |_| {
        data.with(|d| d.as_deref().map(|d| d.value.clone()).unwrap_or_default())
    });
    let source =
        Memo::new(move |_| data.with(|d| d.as_deref().map(|d| d.source).unwrap_or_default()));
    let change = move |what: &str, change: &dyn Fn(&mut Fact)| {
        let name = name.get_value();
        session.change(
            &name,
            &format!("Change the {what} of {name}"),
            |f: &mut Fact| change(f),
        );
    };
    let set_kind = move |to: String| {
        let value = match to.as_str() {
            "number" => ValueKind::Number {
                integer: true,
                min: None,
                max: None,
            },
            "object" => match Name::new("object") {
                Ok(root) => ValueKind::Object(root),
                Err(_) => return,
            },
            _ => ValueKind::Boolean,
        };
        change("values", &|f| f.value = value.clone());
    };
    let word = move || match value.get() {
        ValueKind::Boolean => "boolean",
        ValueKind::Number { .. } => "number",
        ValueKind::Object(_) => "object",
    };
    let kind = Memo::new(move |_| word());
    view! {
        <Params record=RecordRef::new(Kind::Fact, name.get_value())/>
        <Labelled label="Value type">
            <select aria-label="Value type" prop:value=word on:change=move |event| set_kind(event_target_value(&event))>
                <option value="boolean" selected=move || word() == "boolean">"true or false"</option>
                <option value="number" selected=move || word() == "number">"a number"</option>
                <option value="object" selected=move || word() == "object">"an object"</option>
            </select>
        </Labelled>
        {move || match kind.get() {
            "number" => view! { <NumberRange name=name.get_value() value/> }.into_any(),
            "object" => {
                let of = Memo::new(move |_| match value.get() {
                    ValueKind::Object(of) => Some(of),
                    _ => None,
                });
                let set = Callback::new(move |to: Option<Name>| {
                    if let Some(to) = to {
                        change("values", &|f| f.value = ValueKind::Object(to.clone()));
                    }
                });
                view! {
                    <Labelled label="Object type">
                        <NameSelect label="Object type" names=type_names(session) current=of set/>
                    </Labelled>
                }
                    .into_any()
            }
            _ => ().into_any(),
        }}
        <Labelled label="Source">
            <Select
                label="Source" choices=&SOURCES chosen=source
                set=Callback::new(move |to| change("source", &|f| f.source = to))
            />
        </Labelled>
        <Absence name=name.get_value()/>
    }
}

/// The switch that makes the objects absent for which a fact is true.
#[component]
fn Absence(name: Name) -> impl IntoView {
    const LABEL: &str = "objects for which it is true are absent";
    let session = Session::expect();
    let data = session.open.follow::<Fact>(name.clone());
    let name = StoredValue::new(name);
    let fact = move |of: &dyn Fn(&Fact) -> bool| data.with(|d| d.as_deref().is_some_and(of));
    let on = Memo::new(move |_| fact(&|fact| fact.absence));
    let is_possible = Memo::new(move |_| {
        fact(&|fact| fact.absence || fact.value == ValueKind::Boolean && fact.params.len() == 1)
    });
    let set = move |event| {
        let (name, on) = (name.get_value(), event_target_checked(&event));
        session.change(
            &name,
            &format!("Change the absence of {name}"),
            |fact: &mut Fact| fact.absence = on,
        );
    };
    view! {
        <Show when=move || is_possible.get()>
            <div class="switch-row">
                <label
                    class="switch"
                    title="Such as dead or untrained: variables range over the other objects, and no primitive task can be executed with these"
                >
                    <input type="checkbox" role="switch" aria-label=LABEL prop:checked=move || on.get() on:change=set/>
                    <span>{LABEL}</span>
                </label>
            </div>
        </Show>
    }
}

#[component]
fn NumberRange(name: Name, value: Memo<ValueKind>) -> impl IntoView {
    let session = Session::expect();
    let name = StoredValue::new(name);
    let range = Memo::new(move |_| match value.get() {
        ValueKind::Number { integer, min, max } => (integer, min, max),
        _ => (false, None, None),
    });
    let set = move |integer: bool, min: Option<f64>, max: Option<f64>| {
        let name = name.get_value();
        let value = ValueKind::Number { integer, min, max };
        session.change_typing(
            &name,
            &format!("Change the range of {name}"),
            &format!("{name}/range"),
            |f: &mut Fact| f.value = value,
        );
    };
    let now = move || range.get_untracked();
    view! {
        <div class="row">
            <Labelled label="Minimum" short=true>
                <NumberField label="Minimum value" placeholder="none" optional=true
                    value=Signal::derive(move || range.get().1)
                    set=Callback::new(move |min| set(now().0, min, now().2))/>
            </Labelled>
            <Labelled label="Maximum" short=true>
                <NumberField label="Maximum value" placeholder="none" optional=true
                    value=Signal::derive(move || range.get().2)
                    set=Callback::new(move |max| set(now().0, now().1, max))/>
            </Labelled>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || range.get().0
                    on:change=move |event| set(event_target_checked(&event), now().1, now().2)
                />
                "integer"
            </label>
        </div>
    }
}

/// Parameters and formula of a condition.
#[component]
pub fn ConditionFields(name: Name) -> impl IntoView {
    let record = RecordRef::new(Kind::Condition, name);
    view! {
        <Params record=record.clone()/>
        <MeHint record=record.clone()/>
        <Written record field=Field::Formula label="Formula" placeholder="formula that must hold…"/>
    }
}
