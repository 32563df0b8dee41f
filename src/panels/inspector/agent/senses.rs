//! The senses of an agent: their facts, intervals and conditions.

use leptos::prelude::*;
use taskloom_document::{Agent, Field, Kind, Name, Param, Sense, Source};

use crate::expression::ExpressionField;
use crate::panels::inspector::editable_list::{EditableList, EditedList, RemoveButton};
use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::{NameSelect, NumberField, OptionalNumber};
use crate::panels::inspector::heading::HelpLink;
use crate::session::Session;

/// One row per sense.
#[component]
pub fn Senses(agent: Edited<Agent>) -> impl IntoView {
    let session = Session::expect();
    let senses = EditedList::new(agent, "a sense", |a| &a.senses, |a| &mut a.senses);
    let count = senses.count();
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
    let first = move || {
        sensors
            .with(Vec::is_empty)
            .then_some("Add a sensor fact first")
    };
    let hint = move || (count.get() == 0).then_some("Facts without a sense are always visible.");
    let add = move || {
        let used = agent.memo(|agent| agent.senses.clone()).get_untracked();
        let next = sensors.with_untracked(|sensors| {
            let unused = sensors
                .iter()
                .find(|name| used.iter().all(|sense| sense.fact != **name));
            unused.or(sensors.first()).cloned()
        });
        if let Some(fact) = next {
            let sense = Sense {
                fact,
                every: 1,
                when: String::new(),
                forget: None,
                unknown: false,
            };
            senses.add(sense, Field::Sense);
        }
    };
    let row = move |at| view! { <Row agent senses sensors at/> };
    view! {
        <EditableList
            title="Senses"
            one="a sense"
            count
            add
            first=Signal::derive(first)
            hint=Signal::derive(hint)
            row
        />
    }
}

#[component]
fn Row(
    agent: Edited<Agent>,
    senses: EditedList<Agent, Sense>,
    sensors: Memo<Vec<Name>>,
    at: usize,
) -> impl IntoView {
    let session = Session::expect();
    let fact = senses.memo(at, |sense| Some(sense.fact.clone()));
    let every = senses.memo(at, |sense| Some(f64::from(sense.every)));
    let forget = senses.memo(at, |sense| sense.forget.map(f64::from));
    let unknown = senses.memo(at, |sense| sense.unknown);
    let set_every = Callback::new(move |to: Option<f64>| {
        senses.change(at, "every", |sense| sense.every = to.unwrap_or(1.0) as u32);
    });
    let set_forget = Callback::new(move |to: Option<f64>| {
        senses.change(at, "forget", |sense| sense.forget = to.map(|to| to as u32));
    });
    let params = move || {
        let params = fact.get().and_then(|fact| {
            let document = session.document();
            document.facts.get(&fact).map(|fact| fact.params.clone())
        });
        names(&params.unwrap_or_default())
    };
    let ticks = move || {
        if every.get() == Some(1.0) {
            "tick"
        } else {
            "ticks"
        }
    };
    let number = at + 1;
    view! {
        <div class="boxed">
            <div class="row">
                <span class="dim">"Sees"</span>
                <NameSelect
                    label=format!("Fact of sense {number}")
                    names=sensors
                    current=fact
                    set=Callback::new(move |to: Option<Name>| {
                        if let Some(to) = to {
                            session.open.seal();
                            senses.change(at, "fact", |sense| sense.fact = to);
                        }
                    })
                />
                <RemoveButton what=format!("sense {number}") remove=move || senses.remove(at)/>
            </div>
            <div class="row words">
                "Looks every"
                <NumberField label=format!("Update interval of sense {number}, in ticks") natural=true value=every
                    set=set_every/>
                {ticks}
            </div>
            <div class="row words">
                "only when"
                <ExpressionField record=agent.record() field=Field::Sense(at) label=format!("Condition of sense {number}")
                    placeholder="no condition"/>
            </div>
            <p class="hint me">{move || format!("The condition may use {}.", params())}<HelpLink about="?me" page="help/expressions.html#me"/></p>
            <div class="row words">
                "Forgets"
                <OptionalNumber choice=format!("Forgetting of sense {number}") label=format!("Ticks until sense {number} forgets")
                    words=["never", "after"] first=10.0 natural=true value=forget set=set_forget unit="ticks"/>
            </div>
            <label class="check">
                <input type="checkbox" prop:checked=unknown
                    on:change=move |event| {
                        let is_unknown = event_target_checked(&event);
                        session.open.seal();
                        senses.change(at, "unknown", |sense| sense.unknown = is_unknown);
                    }/>
                "Doesn't know the initial value"
            </label>
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
