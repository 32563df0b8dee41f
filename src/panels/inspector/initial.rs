//! The initial state as a table of ground facts.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{Document, Name, Scenario, ValueKind};
use taskloom_planner::plan::{Atom, Value, initial_state};

use super::fields::{NameSelect, NumberField};
use super::heading::Heading;
use crate::session::Session;
use crate::ui::keyed::Keyed;

/// The maximum number of rows; facts that would fill more are edited as text only.
const MAX_ROWS: usize = 64;

/// Every ground fact that the table can show, with a field for its value.
#[component]
pub fn InitialValues(name: Name) -> impl IntoView {
    let session = Session::expect();
    let scenario = name.clone();
    let state = Memo::new(move |_| initial_state(&session.domain(), &scenario));
    let atoms = Memo::new(move |_| {
        let mut by_fact: BTreeMap<Name, Vec<Atom>> = BTreeMap::new();
        state.with(|state| {
            for (atom, _) in state {
                by_fact
                    .entry(atom.fact.clone())
                    .or_default()
                    .push(atom.clone());
            }
        });
        by_fact.retain(|_, atoms| atoms.len() <= MAX_ROWS);
        by_fact.into_values().flatten().collect::<Vec<Atom>>()
    });
    let this = StoredValue::new(name);
    let of_crowds = Memo::new(move |_| {
        let document = session.document();
        let scenario = this.with_value(|name| document.scenarios.get(name).cloned());
        scenario.map_or_else(BTreeSet::new, |scenario| {
            set_by_crowds(&document, &scenario)
        })
    });
    view! {
        <section class="section" aria-label="Initial values as a table">
            <Heading title="Initial values as a table"/>
            <Show when=move || atoms.with(Vec::is_empty)>
                <p class="hint">"No facts yet."</p>
            </Show>
            <div class="initial">
                <Keyed
                    each=move || atoms.get()
                    key=Clone::clone
                    children=move |atom: Atom| view! { <InitialRow scenario=this.get_value() atom state of_crowds/> }
                />
            </div>
        </section>
    }
}

#[component]
fn InitialRow(
    scenario: Name,
    atom: Atom,
    state: Memo<Vec<(Atom, Value)>>,
    /// The facts that crowds set, without spaces.
    of_crowds: Memo<BTreeSet<String>>,
) -> impl IntoView {
    let session = Session::expect();
    let text = atom.to_string();
    let own = atom.clone();
    let value = Memo::new(move |_| {
        state.with(|s| s.iter().find(|(a, _)| *a == own).map(|(_, v)| v.clone()))
    });
    let fact = atom.fact.clone();
    let (shown, label) = (text.clone(), format!("Initial value of {text}"));
    let of_scenario = scenario.clone();
    let set = Callback::new(move |literal: Option<String>| {
        let label = format!("Set {text} in {scenario}");
        session.change_typing(
            &scenario,
            &label,
            &format!("{scenario}/initial/{text}"),
            |s: &mut Scenario| {
                put_in(&session.document_untracked(), s, &text, literal);
            },
        );
    });
    let kind = session
        .document_untracked()
        .facts
        .get(&fact)
        .map(|f| f.value.clone())
        .unwrap_or_default();
    let (atom_text, title) = (shown.clone(), shown.clone());
    let field = match kind {
        ValueKind::Boolean => view! {
            <input
                type="checkbox"
                aria-label=label
                prop:checked=move || value.get() == Some(Value::Bool(true))
                on:change=move |event| {
                    session.open.seal();
                    set.run(event_target_checked(&event).then(|| atom_text.clone()));
                }
            />
        }
        .into_any(),
        ValueKind::Number { .. } => {
            let number = Signal::derive(move || match value.get() {
                Some(Value::Number(n)) => Some(n),
                _ => None,
            });
            let take = Callback::new(move |n: Option<f64>| {
                set.run(n.map(|n| format!("{atom_text} = {n}")));
            });
            view! { <NumberField label=label optional=true value=number set=take/> }.into_any()
        }
        ValueKind::Object(of) => {
            let possible = objects_of(session, of_scenario, of);
            // No text says that an actor of a crowd has no object although the others have one.
            let is_of_crowd = {
                let atom = compact(&atom_text);
                Memo::new(move |_| of_crowds.with(|set| set.contains(&atom)))
            };
            let none = Signal::derive(move || (!is_of_crowd.get()).then_some("none"));
            let current = Memo::new(move |_| match value.get() {
                Some(Value::Object(object)) => object,
                _ => None,
            });
            let take = Callback::new(move |to: Option<Name>| {
                session.open.seal();
                set.run(to.map(|to| format!("{atom_text} = {to}")));
            });
            view! { <NameSelect label=label names=possible current=current none=none set=take/> }
                .into_any()
        }
    };
    view! {
        <label class="initial-row" class:set=move || value.get().is_some_and(|v| !is_default(&v))>
            <span class="code" title=title>{shown}</span>
            {field}
        </label>
    }
}

/// Returns the names of all objects of a type in a scenario.
fn objects_of(session: Session, scenario: Name, of: Name) -> Memo<Vec<Name>> {
    Memo::new(move |_| {
        let domain = session.domain();
        let scene = domain.scene_or_empty(&scenario);
        scene.objects_of(domain.document(), &of)
    })
}

fn is_default(value: &Value) -> bool {
    matches!(value, Value::Bool(false) | Value::Object(None)) || *value == Value::Number(0.0)
}

/// Replaces what a scenario says about a ground fact; `None` removes it, or says that it is false
/// if a crowd says that it is true.
pub fn put_in(document: &Document, scenario: &mut Scenario, atom: &str, literal: Option<String>) {
    let is_removed = literal.is_none();
    put(&mut scenario.initial, atom, literal);
    if is_removed && values_of_crowds(document, scenario).contains(&compact(atom)) {
        scenario.initial.push(format!("not {atom}"));
    }
}

/// Returns the ground facts to which crowds give values, without spaces.
fn set_by_crowds(document: &Document, scenario: &Scenario) -> BTreeSet<String> {
    let values = values_of_crowds(document, scenario).into_iter();
    let facts = values.map(|value| value.split('=').next().unwrap_or_default().to_owned());
    set_of(facts)
}

/// Returns the initial values that crowds give, whatever the scenario's own are, without spaces.
fn values_of_crowds(document: &Document, scenario: &Scenario) -> BTreeSet<String> {
    if scenario.crowds.is_empty() {
        return BTreeSet::new();
    }
    let alone = Scenario {
        initial: vec![],
        ..scenario.clone()
    };
    let expanded = document.expanded(&alone.into()).scenario;
    set_of(expanded.initial.iter().map(|text| compact(text)))
}

/// Replaces what a list of literals says about a ground fact; `None` removes it.
fn put(initial: &mut Vec<String>, atom: &str, literal: Option<String>) {
    let wanted = compact(atom);
    let about = |text: &String| {
        let text = compact(text);
        let bare = text.strip_prefix("not").filter(|rest| *rest == wanted);
        bare.is_some()
            || text
                .strip_prefix(&wanted)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let first = initial.iter().position(about);
    match (first, literal) {
        (Some(at), Some(literal)) => {
            initial[at] = literal;
            let mut seen = 0;
            initial.retain(|text| {
                seen += 1;
                seen - 1 <= at || !about(text)
            });
        }
        (None, Some(literal)) => initial.push(literal),
        (_, None) => initial.retain(|text| !about(text)),
    }
}

/// Returns a text without spaces and in lower case, since neither carries meaning.
fn compact(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_a_crowd_sets_are_overridden() {
        let text = r#"{ "taskloom": 4, "agents": { "worker": {} }, "scenarios": { "day": {
            "crowds": [{ "count": 2, "name": "clerk", "agent": "worker", "initial": ["at(?me,  hall)"] }] } } }"#;
        let document = Document::from_json(text).unwrap();
        let mut scenario = Scenario::clone(document.scenarios.values().next().unwrap());
        put_in(&document, &mut scenario, "at(clerk-2, hall)", None);
        put_in(&document, &mut scenario, "at(clerk-3, hall)", None);
        assert_eq!(scenario.initial, ["not at(clerk-2, hall)"]);
        put_in(&document, &mut scenario, "at(clerk-2, hall)", None);
        assert_eq!(scenario.initial, ["not at(clerk-2, hall)"]);
        put_in(
            &document,
            &mut scenario,
            "at(clerk-2, hall)",
            Some("at(clerk-2, hall)".into()),
        );
        assert_eq!(scenario.initial, ["at(clerk-2, hall)"]);
        scenario.crowds[0].initial = vec!["place( ?me ) = hall".into()];
        let facts = Vec::from_iter(set_by_crowds(&document, &scenario));
        assert_eq!(facts, ["place(clerk-1)", "place(clerk-2)"]);
    }

    #[test]
    fn new_values_replace_old_ones() {
        let mut initial = vec![
            "at( Box )".to_owned(),
            "ammo = 3".to_owned(),
            "at(boxes)".to_owned(),
        ];
        put(&mut initial, "ammo", Some("ammo = 4".to_owned()));
        put(&mut initial, "at(box)", None);
        put(&mut initial, "has(key)", Some("has(key)".to_owned()));
        assert_eq!(initial, ["ammo = 4", "at(boxes)", "has(key)"]);
    }
}
