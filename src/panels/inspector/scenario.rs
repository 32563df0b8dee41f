//! A scenario: its objects, initial state, tasks and expectations.

use leptos::prelude::*;
use taskloom_document::{Field, Kind, Name, Object, RecordRef, Scenario};

use super::actors::Actors;
use super::crowds::Crowds;
use super::editable_list::RemoveButton;
use super::edited::Edited;
use super::event_occurrences::{Events, Failures};
use super::example;
use super::expectations::Expectations;
use super::fields::{NameSelect, Written, type_names};
use super::heading::Heading;
use super::initial::InitialValues;
use super::texts::TextList;
use crate::session::Session;
use crate::ui::entry::Refusal;
use crate::ui::keyed::Keyed;
use crate::ui::live::live;
use crate::ui::more::{More, ROWS};
use crate::ui::row_keys::move_in_row;

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
    let document = session.document_untracked();
    view! {
        <Show when=move || !planned.get()>
            <button class="primary wide" on:click=move |_| session.choose_scenario(Some(this.get_value()))>
                "Plan this scenario"
            </button>
        </Show>
        <Purpose scenario/>
        <TextList record=record.clone() title="Initial values" one="initial value" field=Field::Initial
            count=count(|d| d.initial.len()) placeholder=example::value(&document)/>
        <InitialValues name=name.clone()/>
        <Actors scenario/>
        <Crowds scenario/>
        <OwnObjects scenario/>
        <Events scenario/>
        <Failures scenario/>
        <Expectations scenario/>
    }
}

/// The tasks and the goal of the scenario. With actors, which have their own, they are folded up
/// unless they are used.
#[component]
fn Purpose(scenario: Edited<Scenario>) -> impl IntoView {
    let session = Session::expect();
    let example = StoredValue::new(example::task(&session.document_untracked()));
    let tasks = scenario.memo(|scenario| scenario.tasks.len());
    let has_actors =
        scenario.memo(|scenario| !scenario.cast.is_empty() || !scenario.crowds.is_empty());
    let goal = scenario.memo(|scenario| scenario.goal.trim().is_empty());
    let is_used = move || tasks.get_untracked() > 0 || !goal.get_untracked();
    let fields = move || {
        view! {
            <TextList record=scenario.record() title="Tasks" one="task" field=Field::Task count=tasks
                placeholder=example.get_value() ordered=true/>
            <Written record=scenario.record() field=Field::Goal label="Goal" placeholder="condition to be true at the end"/>
        }
    };
    live(move || {
        match has_actors.get() {
        false => fields().into_any(),
        true => view! {
            <details class="for-all" open=is_used()>
                <summary>"Tasks and goal for all actors"</summary>
                <p class="hint">"They replace those of the agents. An actor's override comes first."</p>
                {fields()}
            </details>
        }
        .into_any(),
    }
    })
}

/// The objects that only this scenario has.
#[component]
fn OwnObjects(scenario: Edited<Scenario>) -> impl IntoView {
    let shown = RwSignal::new(ROWS);
    let count = scenario.memo(|scenario| scenario.objects.len());
    let names = scenario.memo(|scenario| scenario.objects.keys().cloned().collect::<Vec<Name>>());
    let names = move || {
        names
            .get()
            .into_iter()
            .take(shown.get())
            .collect::<Vec<_>>()
    };
    view! {
        <section class="section" aria-label="Objects of this scenario" on:keydown=|event| move_in_row(&event)>
            <Heading title="Objects in this scenario only"/>
            <Keyed
                each=names
                key=|n| n.as_str().to_owned()
                children=move |object: Name| view! { <OwnObject scenario object/> }
            />
            <More shown all=count/>
            <NewObject scenario/>
        </section>
    }
}

#[component]
fn OwnObject(scenario: Edited<Scenario>, object: Name) -> impl IntoView {
    let session = Session::expect();
    let text = object.to_string();
    let own = object.clone();
    let of = scenario.memo(move |s| s.objects.get(&own).map(|object| object.of.clone()));
    let set = object.clone();
    let retype = Callback::new(move |to: Option<Name>| {
        let Some(to) = to else { return };
        scenario.change("Change an object's type of", |scenario| {
            if let Some(object) = scenario.objects.get_mut(&set) {
                let mut changed = Object::clone(object);
                changed.of = to;
                *object = changed.into();
            }
        });
    });
    let remove = move || {
        scenario.change("Remove an object of", |scenario| {
            scenario.objects.remove(&object);
        });
    };
    view! {
        <div class="row">
            <span class="code fixed" title=text.clone()>{text.clone()}</span>
            <NameSelect label=format!("Type of {text}") names=type_names(session) current=of set=retype/>
            <RemoveButton what=format!("object {text}") remove/>
        </div>
    }
}

/// The field for the name of another object.
#[component]
fn NewObject(scenario: Edited<Scenario>) -> impl IntoView {
    let draft = RwSignal::new(String::new());
    let reason = RwSignal::new(None::<String>);
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
                scenario.change("Add an object of", |scenario| {
                    let entry = scenario.objects.entry(name);
                    entry.or_insert_with(|| object.into());
                });
                draft.set(String::new());
            }
            (Err(error), _) | (_, Err(error)) => reason.set(Some(error.to_string())),
        }
    };
    view! {
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
    }
}
