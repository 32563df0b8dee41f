//! The actors of a scenario: which objects act as which agents, what they do and what they
//! believe.

use leptos::prelude::*;
use taskloom_document::{CastMember, Document, Edit, Field, Kind, Name, Object, Record, Scenario};

use super::editable_list::{EditableList, EditedList, RemoveButton};
use super::edited::Edited;
use super::example;
use super::fields::NameSelect;
use super::own_texts::{OwnBeliefs, OwnTasks};
use crate::expression::Messages;
use crate::page::Linked;
use crate::session::{LinkedText, Session};
use crate::ui::avatar::Avatar;
use crate::ui::sortable::{Grip, Sorting};

/// Returns the objects that may act as an agent in a scenario: those of its type that no actor
/// other than the n-th is.
fn candidates(document: &Document, scenario: &Scenario, agent: &Name, at: usize) -> Vec<Name> {
    let Some(agent) = document.agents.get(agent) else {
        return vec![];
    };
    let others = scenario.cast.iter().enumerate().filter(|(n, _)| *n != at);
    let taken: Vec<&Name> = others
        .filter_map(|(_, member)| member.object.as_ref())
        .collect();
    let objects = scenario.all_objects(&document.objects).into_iter();
    let fitting = objects.filter(|(name, object)| {
        document.is_kind_of(&object.of, &agent.of) && !taken.contains(name)
    });
    fitting.map(|(name, _)| name.clone()).collect()
}

/// Returns the next actor for a scenario: of an agent that has no actor yet, or else of the last
/// one's agent, or of any that has a free object; `None` if there are no agents.
fn next(document: &Document, scenario: &Scenario) -> Option<CastMember> {
    let last = scenario.cast.last().map(|member| &member.agent);
    let last = last.filter(|agent| document.agents.contains_key(agent));
    let is_unused = |agent: &&Name| scenario.cast.iter().all(|member| member.agent != **agent);
    let unused = document.agents.keys().filter(is_unused);
    let agents: Vec<&Name> = unused.chain(last).chain(document.agents.keys()).collect();
    let player = |agent: &Name| {
        let new = scenario.cast.len();
        candidates(document, scenario, agent, new)
            .into_iter()
            .next()
    };
    let played = agents
        .iter()
        .find_map(|agent| Some((*agent, player(agent)?)));
    let (agent, object) = match played {
        Some((agent, object)) => (agent, Some(object)),
        None => (*agents.first()?, None),
    };
    Some(CastMember {
        object,
        ..CastMember::playing(agent.clone())
    })
}

/// Returns the edit that adds an object for an actor.
fn add_object(document: &Document, scenario: &Name, at: usize) -> Option<Edit> {
    let mut changed = Scenario::clone(document.scenarios.get(scenario)?);
    let member = changed.cast.get_mut(at)?;
    let of = document.agents.get(&member.agent)?.of.clone();
    let object = document.fresh_name(Kind::Object, member.agent.as_str());
    member.object = Some(object.clone());
    let (title, note) = Default::default();
    Some(Edit::Batch(vec![
        Edit::Add(object, Record::Object(Object { of, title, note }.into())),
        Edit::Replace(scenario.clone(), Record::Scenario(changed.into())),
    ]))
}

/// One card per actor, in the order in which they act.
#[component]
pub fn Actors(scenario: Edited<Scenario>) -> impl IntoView {
    let session = Session::expect();
    let cast = EditedList::new(scenario, "an actor", |s| &s.cast, |s| &mut s.cast);
    let count = cast.count();
    let agents = session.open.names(Kind::Agent);
    let none = move || agents.with(Vec::is_empty);
    let sorting = Sorting::new(move |from, to| cast.shift(from, to));
    let add = move || {
        let document = session.document_untracked();
        scenario.change("Add an actor to", |scenario| {
            let next = next(&document, scenario);
            scenario.cast.extend(next);
        });
    };
    let first = move || none().then_some("Add an agent in the outline first");
    let has_crowds = scenario.memo(|scenario| !scenario.crowds.is_empty());
    let hint = move || match (count.get(), none()) {
        _ if has_crowds.get() => None,
        (0, true) => Some("One unnamed actor. To add others, add an agent in the outline first."),
        (0, false) => Some("One unnamed actor. Add the actors of this scenario."),
        _ => None,
    };
    let row = move |at| view! { <ActorCard scenario cast agents at count sorting/> };
    view! {
        <EditableList
            title="Actors"
            one="an actor"
            count
            add
            first=Signal::derive(first)
            hint=Signal::derive(hint)
            row
        />
    }
}

#[component]
fn ActorCard(
    scenario: Edited<Scenario>,
    cast: EditedList<Scenario, CastMember>,
    agents: Memo<Vec<Name>>,
    at: usize,
    count: Memo<usize>,
    sorting: Sorting,
) -> impl IntoView {
    let session = Session::expect();
    let agent = cast.memo(at, |member| Some(member.agent.clone()));
    let object = cast.memo(at, |member| member.object.clone());
    let data = session.open.follow::<Scenario>(scenario.name());
    let candidates = Memo::new(move |_| {
        let document = session.document();
        let listed =
            data.with(|data| Some(candidates(&document, data.as_deref()?, &agent.get()?, at)));
        listed.unwrap_or_default()
    });
    let lacks = move || object.with(Option::is_none) && candidates.with(Vec::is_empty);
    let play = Callback::new(move |object: Option<Name>| {
        cast.edit(at, "Change the object of", |member| member.object = object);
    });
    let act = Callback::new(move |agent: Option<Name>| {
        let Some(agent) = agent else { return };
        cast.edit(at, "Change the agent of", |member| member.agent = agent);
    });
    let make = move |_| {
        let name = scenario.name();
        if let Some(edit) = add_object(&session.document_untracked(), &name, at) {
            session.commit(&format!("Add an object for an actor of {name}"), edit);
        }
    };
    let findings = session.open.findings(move |place| {
        let own = matches!(place.field, Field::Cast(n) | Field::CastObject(n) if n == at);
        own && place.record == scenario.record()
    });
    let who = format!("actor {}", at + 1);
    let tasks = cast.memo(at, |member| member.tasks.len());
    let beliefs = cast.memo(at, |member| member.beliefs.len());
    let clear = Callback::new(move |()| {
        cast.edit(at, "Remove the override of", |member| member.tasks.clear());
    });
    let example = example::value(&session.document_untracked());
    view! {
        <div class="boxed" role="group" aria-label=format!("Actor {}", at + 1) data-sorted="" data-drag=move || sorting.state(at)>
            <div class="row">
                <Avatar number=at size=20/>
                <Show when=move || 1 < count.get()><Grip sorting at count one="actor"/></Show>
                <NameSelect label=format!("Object of actor {}", at + 1) names=candidates current=object none="no object" set=play/>
                <span class="dim">"as"</span>
                <NameSelect label=format!("Agent of actor {}", at + 1) names=agents current=agent set=act/>
                <RemoveButton what=format!("actor {}", at + 1) remove=move || cast.remove(at)/>
            </div>
            <Show when=lacks>
                <p class="hint">
                    {move || {
                        let agent = agent.get()?;
                        let text = LinkedText::from("No object left to act as ").record(Kind::Agent, &agent);
                        Some(view! { <Linked text=text.text(". ")/> })
                    }}
                    <button class="fix" on:click=make>"New object"</button>
                </p>
            </Show>
            <Messages findings/>
            <OwnTasks scenario who=who.clone() agent tasks field=Field::CastTask at clear/>
            <OwnBeliefs scenario who beliefs field=move |belief| Field::Belief(at, belief) example/>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let text = r#"{ "taskloom": 4,
            "types": { "person": { "parent": "object" }, "dog": { "parent": "object" } },
            "objects": { "anna": { "type": "person" }, "rex": { "type": "dog" }, "zoe": { "type": "person" } },
            "agents": { "guard": { "type": "person" }, "hound": { "type": "dog" } },
            "scenarios": { "night": {} } }"#;
        Document::from_json(text).unwrap()
    }

    fn night() -> Name {
        "night".parse().unwrap()
    }

    /// `anna as guard`
    fn describe(member: &CastMember) -> String {
        let object = member.object.as_ref().map_or("nobody", Name::as_str);
        format!("{object} as {}", member.agent)
    }

    #[test]
    fn next_actor_is_an_unused_object_of_an_unused_agent() {
        let document = document();
        let mut scenario = Scenario::clone(&document.scenarios[&night()]);
        let mut added = vec![];
        for _ in 0..4 {
            let member = next(&document, &scenario).unwrap();
            added.push(describe(&member));
            scenario.cast.push(member);
        }
        let expected = [
            "anna as guard",
            "rex as hound",
            "zoe as guard",
            "nobody as guard",
        ];
        assert_eq!(added, expected);
        let guard = "guard".parse().unwrap();
        assert_eq!(
            candidates(&document, &scenario, &guard, 0),
            [Name::new("anna").unwrap()]
        );
        assert_eq!(next(&Document::default(), &scenario), None);
    }

    #[test]
    fn new_objects_have_the_agents_type_and_act_as_it() {
        let mut document = document();
        let mut scenario = Scenario::default();
        scenario
            .cast
            .push(CastMember::playing("hound".parse().unwrap()));
        document.scenarios.insert(night(), scenario.into());
        let edit = add_object(&document, &night(), 0).unwrap();
        let document = document.apply(&edit).unwrap();
        let member = &document.scenarios[&night()].cast[0];
        assert_eq!(describe(member), "hound as hound");
        let object = member.object.clone().unwrap();
        assert_eq!(document.objects[&object].of.as_str(), "dog");
    }
}
