//! Goals and agents.

use leptos::prelude::*;
use taskloom_core::document::{Agent, Field, Goal, Kind, Name, Planning, RecordRef};

use super::fields::{Labelled, NumberField, Written};
use super::texts::TextList;
use crate::session::Session;

/// Condition, priority, bias and relevance of a goal.
#[component]
pub fn GoalFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.follow::<Goal>(Kind::Goal, name.clone());
    let record = RecordRef::new(Kind::Goal, name.clone());
    let name = StoredValue::new(name);
    let change = move |change: &dyn Fn(&mut Goal)| {
        let name = name.get_value();
        session.change_typing(
            &name,
            &format!("Change {name}"),
            &format!("{name}/numbers"),
            |g: &mut Goal| change(g),
        );
    };
    view! {
        <Written record=record.clone() field=Field::Formula label="Condition"/>
        <Labelled label="Priority">
            <NumberField label="Priority"
                value=Signal::derive(move || data.with(|d| d.map(|d| f64::from(d.priority))))
                set=Callback::new(move |n: Option<f64>| change(&|g| g.priority = n.unwrap_or(0.0) as i32))/>
        </Labelled>
        <Labelled label="Bias">
            <NumberField label="Bias"
                value=Signal::derive(move || data.with(|d| d.map(|d| d.bias)))
                set=Callback::new(move |n: Option<f64>| change(&|g| g.bias = n.unwrap_or(0.0)))/>
        </Labelled>
        <Written record field=Field::Relevance label="Relevance" placeholder="1"/>
    }
}

/// The tasks of an agent that plans by decomposition.
#[component]
pub fn AgentFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.follow::<Agent>(Kind::Agent, name.clone());
    let count = Memo::new(move |_| {
        data.with(|d| match d.as_ref().map(|d| &d.planning) {
            Some(Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks }) => {
                tasks.len()
            }
            _ => 0,
        })
    });
    let record = RecordRef::new(Kind::Agent, name);
    view! {
        <TextList record title="Tasks" one="task" field=Field::Task count placeholder="patrol…"/>
    }
}
