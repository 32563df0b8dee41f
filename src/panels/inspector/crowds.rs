//! The crowds of a scenario: `12 clerk as worker` stands for the actors clerk-1 to clerk-12.

use leptos::prelude::*;
use taskloom_document::{Crowd, Document, Field, Kind, Name, Scenario};

use super::editable_list::{EditableList, EditedList, RemoveButton};
use super::edited::Edited;
use super::example;
use super::fields::{NameSelect, NumberField};
use super::own_texts::{OwnBeliefs, OwnTasks};
use super::texts::TextList;
use crate::expression::Messages;
use crate::session::Session;
use crate::ui::entry::{Entry, Refusal};
use crate::ui::sortable::{Grip, Sorting};

/// The number of actors in a new crowd.
const NEW: u32 = 3;

/// Returns the next crowd of a scenario: of the last crowd's agent, or else of the first, and with a
/// name for which all its actors are new; `None` if there are no agents.
fn next(document: &Document, scenario: &Scenario) -> Option<Crowd> {
    let last = scenario.crowds.last().map(|crowd| &crowd.agent);
    let last = last.filter(|agent| document.agents.contains_key(agent));
    let agent = last.or_else(|| document.agents.keys().next())?;
    let is_object =
        |name: &Name| scenario.objects.contains_key(name) || document.objects.contains_key(name);
    let is_free = |new: &Crowd| {
        let is_other = scenario.crowds.iter().all(|crowd| crowd.name != new.name);
        is_other && !(1..=NEW).any(|number| is_object(&new.actor(number)))
    };
    let first = Some(agent.clone());
    let others = ('b'..='z').filter_map(|letter| Name::new(&format!("{agent}-{letter}")).ok());
    let crowds = first
        .into_iter()
        .chain(others)
        .map(|name| Crowd::playing(NEW, name, agent.clone()));
    crowds.clone().find(is_free).or(crowds.last())
}

/// Returns the names of a crowd's actors: `clerk-1 … clerk-12`.
fn actors(crowd: &Crowd) -> String {
    match crowd.count {
        0 => "no actors".to_owned(),
        1 => crowd.actor(1).to_string(),
        2 => format!("{}, {}", crowd.actor(1), crowd.actor(2)),
        count => format!("{} … {}", crowd.actor(1), crowd.actor(count)),
    }
}

/// One card per crowd, in the order in which they act.
#[component]
pub fn Crowds(scenario: Edited<Scenario>) -> impl IntoView {
    let session = Session::expect();
    let crowds = EditedList::new(scenario, "a crowd", |s| &s.crowds, |s| &mut s.crowds);
    let count = crowds.count();
    let agents = session.open.names(Kind::Agent);
    let sorting = Sorting::new(move |from, to| crowds.shift(from, to));
    let add = move || {
        let document = session.document_untracked();
        scenario.change("Add a crowd to", |scenario| {
            let next = next(&document, scenario);
            scenario.crowds.extend(next);
        });
    };
    let none = move || agents.with(Vec::is_empty);
    let first = move || none().then_some("Add an agent in the outline first");
    let row = move |at| view! { <CrowdCard scenario crowds agents at count sorting/> };
    view! {
        <EditableList title="Crowds" one="a crowd" count add first=Signal::derive(first) row/>
    }
}

#[component]
fn CrowdCard(
    scenario: Edited<Scenario>,
    crowds: EditedList<Scenario, Crowd>,
    agents: Memo<Vec<Name>>,
    at: usize,
    count: Memo<usize>,
    sorting: Sorting,
) -> impl IntoView {
    let session = Session::expect();
    let who = format!("crowd {}", at + 1);
    let size = crowds.memo(at, |crowd| Some(f64::from(crowd.count)));
    let name = crowds.memo(at, |crowd| crowd.name.to_string());
    let agent = crowds.memo(at, |crowd| Some(crowd.agent.clone()));
    let actors = crowds.memo(at, actors);
    let resize = Callback::new(move |to: Option<f64>| {
        crowds.change(at, "count", |crowd| {
            crowd.count = to.unwrap_or_default() as u32;
        });
    });
    let reason = RwSignal::new(None);
    let rename = move |typed: String| {
        let to = Name::new(typed.trim()).map_err(|error| error.to_string())?;
        scenario.change("Rename a crowd in", |scenario| {
            scenario.rename_crowd(&session.document_untracked(), at, to);
        });
        Ok(())
    };
    let act = Callback::new(move |agent: Option<Name>| {
        let Some(agent) = agent else { return };
        crowds.edit(at, "Change the agent of", |crowd| crowd.agent = agent);
    });
    let clear = Callback::new(move |()| {
        crowds.edit(at, "Remove the override of", |crowd| crowd.tasks.clear());
    });
    let initial = crowds.memo(at, |crowd| crowd.initial.len());
    let tasks = crowds.memo(at, |crowd| crowd.tasks.len());
    let beliefs = crowds.memo(at, |crowd| crowd.beliefs.len());
    let findings = session.open.findings(move |place| {
        place.field == Field::Crowd(at) && place.record == scenario.record()
    });
    let document = session.document_untracked();
    let example = match agent.get_untracked() {
        Some(agent) => example::value_of_me(&document, &agent),
        None => example::value(&document),
    };
    let (label, whose) = (format!("Crowd {}", at + 1), format!(" of {who}"));
    view! {
        <div class="boxed crowd" role="group" aria-label=label data-sorted="" data-drag=move || sorting.state(at)>
            <div class="row">
                <Show when=move || 1 < count.get()><Grip sorting at count one="crowd"/></Show>
                <NumberField label=format!("Number of actors in {who}") natural=true value=size set=resize/>
                <Entry label=format!("Name of {who}") text=name take=rename reason attr:class="text code"/>
                <RemoveButton what=who.clone() remove=move || crowds.remove(at)/>
            </div>
            <div class="row">
                <span class="dim">"as"</span>
                <NameSelect label=format!("Agent of {who}") names=agents current=agent set=act/>
            </div>
            <Refusal reason/>
            <p class="hint code">{move || actors.get()}</p>
            <Messages findings/>
            <TextList record=scenario.record() title="Initial values" one="initial value" whose
                field=move |value| Field::CrowdInitial(at, value) count=initial placeholder=example.clone()/>
            <OwnTasks scenario who=who.clone() agent tasks field=Field::CrowdTask at clear/>
            <OwnBeliefs scenario who beliefs field=move |belief| Field::CrowdBelief(at, belief) example/>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_crowds_have_actors_that_are_new() {
        let text = r#"{ "taskloom": 4, "objects": { "guard-b-2": { "type": "object" } },
            "agents": { "guard": {}, "thief": {} }, "scenarios": { "night": {} } }"#;
        let document = Document::from_json(text).unwrap();
        let mut scenario = Scenario::default();
        let mut added = vec![];
        for _ in 0..3 {
            let crowd = next(&document, &scenario).unwrap();
            added.push(actors(&crowd));
            scenario.crowds.push(crowd);
        }
        let expected = [
            "guard-1 … guard-3",
            "guard-c-1 … guard-c-3",
            "guard-d-1 … guard-d-3",
        ];
        assert_eq!(added, expected);
        scenario.crowds[2].agent = "thief".parse().unwrap();
        assert_eq!(next(&document, &scenario).unwrap().name, "thief");
        assert_eq!(next(&Document::default(), &scenario), None);
    }
}
