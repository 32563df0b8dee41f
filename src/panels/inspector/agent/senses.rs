//! The senses of an agent: their facts, intervals and conditions.

use leptos::prelude::*;
use taskloom::document::diagnostic::Place;
use taskloom::document::{Agent, Field, Kind, Name, Param, Sense, Source};

use crate::expression::ExpressionField;
use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::{NameSelect, NumberField};
use crate::session::Session;

/// One row per sense.
#[component]
pub fn Senses(agent: Edited<Agent>) -> impl IntoView {
    let session = Session::expect();
    let count = agent.memo(|agent| agent.senses.len());
    let facts = session.open.names(Kind::Fact);
    let sensors = Memo::new(move |_| {
        let (document, mut names) = (session.document(), facts.get());
        names.retain(|name| {
            document
                .facts
                .get(name)
                .is_some_and(|fact| fact.source == Source::Sensor)
        });
        names
    });
    let none = move || sensors.with(Vec::is_empty);
    let add = move |_| {
        let used = agent.memo(|agent| agent.senses.clone()).get_untracked();
        let next = sensors.with_untracked(|sensors| {
            let unused = sensors
                .iter()
                .find(|name| used.iter().all(|sense| sense.fact != **name));
            unused.or(sensors.first()).cloned()
        });
        let Some(fact) = next else {
            return;
        };
        agent.change("Add a sense to", |agent| {
            agent.senses.push(Sense {
                fact,
                every: 1,
                when: String::new(),
                forget: None,
                unknown: false,
            });
        });
        let (record, field) = (agent.record(), Field::Sense(used.len()));
        session.desk.focus_field(Place {
            record,
            field,
            span: None,
        });
    };
    view! {
        <section class="section" aria-label="Senses">
            <h3>
                "Senses"
                <button
                    class="bare add"
                    aria-label="Add a sense"
                    title=move || if none() { "Add a sensor fact first" } else { "Add a sense" }
                    disabled=none
                    on:click=add
                >"+"</button>
            </h3>
            <Show when=move || count.get() == 0>
                <p class="hint">"Facts without a sense are always visible."</p>
            </Show>
            <For each=move || 0..count.get() key=|at| *at children=move |at| view! { <Row agent sensors at/> }/>
        </section>
    }
}

#[component]
fn Row(agent: Edited<Agent>, sensors: Memo<Vec<Name>>, at: usize) -> impl IntoView {
    let session = Session::expect();
    let fact = agent.memo(move |agent| agent.senses.get(at).map(|sense| sense.fact.clone()));
    let every = agent.memo(move |agent| agent.senses.get(at).map(|sense| f64::from(sense.every)));
    let forget = agent.memo(move |agent| agent.senses.get(at)?.forget.map(f64::from));
    let unknown = agent.memo(move |agent| agent.senses.get(at).is_some_and(|sense| sense.unknown));
    let change = move |field: &str, change: &dyn Fn(&mut Sense)| {
        agent.typed(
            "Change a sense of",
            &format!("sense {at} {field}"),
            |agent| {
                if let Some(sense) = agent.senses.get_mut(at) {
                    change(sense);
                }
            },
        );
    };
    let params = move || {
        let params = fact.get().and_then(|fact| {
            let document = session.document();
            document.facts.get(&fact).map(|fact| fact.params.clone())
        });
        names(&params.unwrap_or_default())
    };
    let remove = move |_| {
        agent.change("Remove a sense of", |agent| {
            if at < agent.senses.len() {
                agent.senses.remove(at);
            }
        });
    };
    view! {
        <div class="boxed">
            <div class="row">
                <NameSelect
                    label=format!("Fact of sense {}", at + 1)
                    names=sensors
                    current=fact
                    set=Callback::new(move |to: Option<Name>| {
                        if let Some(to) = to {
                            session.open.seal();
                            change("fact", &|sense| sense.fact = to.clone());
                        }
                    })
                />
                <button class="bare remove" aria-label=format!("Remove sense {}", at + 1) on:click=remove>"✕"</button>
            </div>
            <div class="row words">
                "every"
                <NumberField label=format!("Update interval of sense {}, in ticks", at + 1) natural=true value=every
                    set=Callback::new(move |to: Option<f64>| change("every", &|sense| sense.every = to.unwrap_or(1.0) as u32))/>
                "ticks, keep for"
                <NumberField label=format!("Ticks until sense {} forgets", at + 1) natural=true optional=true placeholder="forever" value=forget
                    set=Callback::new(move |to: Option<f64>| change("forget", &|sense| sense.forget = to.map(|to| to as u32)))/>
            </div>
            <label class="check">
                <input type="checkbox" prop:checked=unknown
                    on:change=move |event| {
                        let is_unknown = event_target_checked(&event);
                        session.open.seal();
                        change("unknown", &|sense| sense.unknown = is_unknown);
                    }/>
                "initially unknown"
            </label>
            <div class="row words">
                "when"
                <ExpressionField record=agent.record() field=Field::Sense(at) label=format!("Condition of sense {}", at + 1)
                    placeholder="always"/>
            </div>
            <p class="hint">{move || format!("‘when’ may refer to {}.", params())}</p>
        </div>
    }
}

/// `?who, ?place and ?me`
fn names(params: &[Param]) -> String {
    let names: Vec<String> = params
        .iter()
        .map(|param| format!("?{}", param.name))
        .collect();
    if names.is_empty() {
        "?me".to_owned()
    } else {
        format!("{} and ?me", names.join(", "))
    }
}
