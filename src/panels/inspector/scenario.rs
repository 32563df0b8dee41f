//! A scenario: what there is, what is true at first, what is to be done.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::diagnostic::Place;
use taskloom::document::{Event, Field, Kind, Name, Object, RecordRef, Scenario};

use super::expectations::Expectations;
use super::fields::{NameSelect, NumberField, Written, type_names};
use super::initial::InitialValues;
use super::texts::TextList;
use crate::expression::ExpressionField;
use crate::session::Session;
use crate::ui::entry::Refusal;
use crate::ui::more::{More, ROWS};

/// All of a scenario.
#[component]
pub fn ScenarioFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.follow::<Scenario>(name.clone());
    let record = RecordRef::new(Kind::Scenario, name.clone());
    let count = move |of: fn(&Scenario) -> usize| {
        Memo::new(move |_| data.with(|d| d.as_deref().map_or(0, of)))
    };
    let own = name.clone();
    let planned = Memo::new(move |_| session.scenario.with(|s| s.as_ref() == Some(&own)));
    let this = StoredValue::new(name.clone());
    view! {
        <Show when=move || !planned.get()>
            <button class="primary wide" on:click=move |_| session.choose_scenario(Some(this.get_value()))>
                "Plan this scenario"
            </button>
        </Show>
        <TextList record=record.clone() title="Tasks" one="task" field=Field::Task
            count=count(|d| d.tasks.len()) placeholder="what is to be done…"/>
        <Written record=record.clone() field=Field::Goal label="Goal" placeholder="none: doing the tasks is enough"/>
        <InitialValues name=name.clone()/>
        <TextList record=record.clone() title="Initial values as text" one="initial value" field=Field::Initial
            count=count(|d| d.initial.len()) placeholder="a fact that holds, or fact = value…"/>
        <OwnObjects name=name.clone() data/>
        <Events name=name.clone() data/>
        <Expectations name data/>
    }
}

/// The objects that this scenario alone has.
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
            <h3>"Objects of this scenario alone"</h3>
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

/// What happens while the plan runs.
#[component]
fn Events(name: Name, data: Memo<Option<Arc<Scenario>>>) -> impl IntoView {
    let session = Session::expect();
    let count = Memo::new(move |_| data.with(|d| d.as_deref().map_or(0, |d| d.events.len())));
    let this = StoredValue::new(name);
    let change = move |label: &str, change: &dyn Fn(&mut Vec<Event>)| {
        let name = this.get_value();
        session.change_typing(
            &name,
            &format!("{label} of {name}"),
            &format!("{name}/{label}"),
            |s: &mut Scenario| change(&mut s.events),
        );
        session.seal();
    };
    view! {
        <section class="section" aria-label="Events">
            <h3>
                "Events while it runs"
                <button
                    class="bare add"
                    aria-label="Add an event"
                    title="Add an event"
                    on:click=move |_| {
                        let at = count.get_untracked();
                        change("Add an event", &|e| e.push(Event::default()));
                        let record = RecordRef::new(Kind::Scenario, this.get_value());
                        session.wanted.set(Some(Place { record, field: Field::Event(at), span: None }));
                    }
                >"+"</button>
            </h3>
            <For
                each=move || 0..count.get()
                key=|at| *at
                children=move |at| {
                    let tick = Signal::derive(move || data.with(|d| d.as_deref().and_then(|d| d.events.get(at)).map(|e| f64::from(e.at))));
                    let set = Callback::new(move |to: Option<f64>| {
                        change("Move an event", &|e| {
                            if let Some(event) = e.get_mut(at) {
                                event.at = to.unwrap_or(0.0).min(1e6) as u32;
                            }
                        });
                    });
                    view! {
                        <div class="row event">
                            <span class="dim">"tick"</span>
                            <NumberField label=format!("Tick of event {}", at + 1) natural=true value=tick set/>
                            <ExpressionField
                                record=RecordRef::new(Kind::Scenario, this.get_value())
                                field=Field::Event(at)
                                label=format!("Event {}", at + 1)
                                placeholder="what it changes…"
                            />
                            <button
                                class="bare remove"
                                aria-label=format!("Remove event {}", at + 1)
                                on:click=move |_| change("Remove an event", &|e| {
                                    if at < e.len() {
                                        e.remove(at);
                                    }
                                })
                            >"✕"</button>
                        </div>
                    }
                }
            />
        </section>
    }
}
