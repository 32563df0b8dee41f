//! A scenario: its objects, initial state, tasks and expectations.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Field, Kind, Name, Object, RecordRef, Scenario};

use super::cast::Cast;
use super::edited::Edited;
use super::event_occurrences::{Events, Failures};
use super::expectations::Expectations;
use super::fields::{NameSelect, Written, type_names};
use super::initial::InitialValues;
use super::texts::TextList;
use crate::session::Session;
use crate::ui::entry::Refusal;
use crate::ui::more::{More, ROWS};

/// All fields of a scenario.
#[component]
pub fn ScenarioFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<Scenario>(name.clone());
    let record = RecordRef::new(Kind::Scenario, name.clone());
    let count = move |of: fn(&Scenario) -> usize| {
        Memo::new(move |_| data.with(|d| d.as_deref().map_or(0, of)))
    };
    let own = name.clone();
    let planned = Memo::new(move |_| session.plan.scenario.with(|s| s.as_ref() == Some(&own)));
    let this = StoredValue::new(name.clone());
    let scenario = Edited::<Scenario>::new(session, name.clone());
    view! {
        <Show when=move || !planned.get()>
            <button class="primary wide" on:click=move |_| session.choose_scenario(Some(this.get_value()))>
                "Plan this scenario"
            </button>
        </Show>
        <Cast scenario/>
        <TextList record=record.clone() title="Tasks" one="task" field=Field::Task
            count=count(|d| d.tasks.len()) placeholder="task to do…" ordered=true/>
        <Written record=record.clone() field=Field::Goal label="Goal" placeholder="optional condition…"/>
        <InitialValues name=name.clone()/>
        <TextList record=record.clone() title="Initial values as text" one="initial value" field=Field::Initial
            count=count(|d| d.initial.len()) placeholder="fact, or fact = value…"/>
        <OwnObjects name=name.clone() data/>
        <Events scenario/>
        <Failures scenario/>
        <Expectations name data/>
    }
}

/// The objects that only this scenario has.
#[component]
fn OwnObjects(name: Name, data: Memo<Option<Arc<Scenario>>>) -> impl IntoView {
    let session = Session::expect();
    let shown = RwSignal::new(ROWS);
    let count = Memo::new(move |_| data.with(|d| d.as_deref().map_or(0, |d| d.objects.len())));
    let names = Memo::new(move |_| {
        data.with(|d| {
            let names = d.iter().flat_map(|d| d.objects.keys().cloned());
            names.take(shown.get()).collect::<Vec<Name>>()
        })
    });
    let draft = RwSignal::new(String::new());
    let reason = RwSignal::new(None::<String>);
    let this = StoredValue::new(name);
    let change = move |label: &str, change: &dyn Fn(&mut Scenario)| {
        let name = this.get_value();
        session.change(&name, &format!("{label} of {name}"), |s: &mut Scenario| {
            change(s)
        });
    };
    let add = move || {
        let text = draft.get_untracked();
        if text.trim().is_empty() {
            return;
        }
        match (Name::new(text.trim()), Name::new("object")) {
            (Ok(name), Ok(of)) => {
                let object = Object {
                    of,
                    title: String::new(),
                    note: String::new(),
                };
                change("Add an object", &|s| {
                    s.objects
                        .entry(name.clone())
                        .or_insert_with(|| object.clone().into());
                });
                draft.set(String::new());
            }
            (Err(error), _) | (_, Err(error)) => reason.set(Some(error.to_string())),
        }
    };
    view! {
        <section class="section" aria-label="Objects of this scenario">
            <h3>"Objects in this scenario only"</h3>
            <For
                each=move || names.get()
                key=|n| n.as_str().to_owned()
                children=move |object: Name| {
                    let own = object.clone();
                    let of = Memo::new(move |_| data.with(|d| d.as_deref().and_then(|d| d.objects.get(&own)).map(|o| o.of.clone())));
                    let (set, gone) = (object.clone(), object.clone());
                    let retype = Callback::new(move |to: Option<Name>| {
                        if let Some(to) = to {
                            change("Change an object's type", &|s| {
                                if let Some(object) = s.objects.get_mut(&set) {
                                    let mut changed = Object::clone(object);
                                    changed.of = to.clone();
                                    *object = changed.into();
                                }
                            });
                        }
                    });
                    view! {
                        <div class="row">
                            <span class="code fixed" title=object.to_string()>{object.to_string()}</span>
                            <NameSelect label=format!("Type of {object}") names=type_names(session) current=of set=retype/>
                            <button
                                class="bare remove"
                                aria-label=format!("Remove object {object}")
                                on:click=move |_| change("Remove an object", &|s| { s.objects.remove(&gone); })
                            >"✕"</button>
                        </div>
                    }
                }
            />
            <More shown all=count/>
            <input
                class="text code"
                aria-label="New object"
                placeholder="name, then Enter"
                prop:value=move || draft.get()
                on:input=move |event| {
                    reason.set(None);
                    draft.set(event_target_value(&event));
                }
                on:change=move |_| add()
            />
            <Refusal reason/>
        </section>
    }
}
