//! An agent: a kind of actor. Its object type, planning, repertoire, senses and triggers.

mod goals;
mod planning;
mod repertoire;
mod senses;
mod triggers;

use leptos::prelude::*;
use taskloom_document::{Agent, Name};

use super::edited::Edited;
use super::fields::{Labelled, NameSelect, type_names};
use crate::session::Session;
use planning::PlanningFields;
use repertoire::Repertoire;
use senses::Senses;
use triggers::TriggerFields;

/// All fields of an agent.
#[component]
pub fn AgentFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let agent = Edited::<Agent>::new(session, name);
    let of = agent.memo(|agent| Some(agent.of.clone()));
    let set = Callback::new(move |to: Option<Name>| {
        if let Some(to) = to {
            agent.change("Change the object type of", |agent| agent.of = to);
        }
    });
    view! {
        <Labelled label="Object type">
            <NameSelect label="Object type" names=type_names(session) current=of set/>
        </Labelled>
        <PlanningFields agent/>
        <Repertoire agent/>
        <Senses agent/>
        <TriggerFields agent/>
    }
}
