//! A goal: a condition that an agent wants to achieve, and its value.

use leptos::prelude::*;
use taskloom_document::{Field, Goal, Name};

use super::commitment::{Cooldown, GOAL_COOLDOWN};
use super::edited::Edited;
use super::fields::{Labelled, NumberField, Written};
use super::goal_value::CurrentValue;
use super::heading::Heading;
use super::params::MeHint;
use super::texts::TextList;
use crate::session::Session;

/// All fields of a goal.
#[component]
pub fn GoalFields(name: Name) -> impl IntoView {
    let shown = Signal::stored(Some(name.clone()));
    let goal = Edited::<Goal>::new(Session::expect(), name);
    let record = goal.record();
    let count = goal.memo(|goal| goal.subgoals.len());
    let tasks = goal.memo(|goal| goal.tasks.len());
    let priority = goal.memo(|goal| Some(f64::from(goal.priority)));
    let set = Callback::new(move |to: Option<f64>| {
        if let Some(to) = to {
            goal.typed("Change the priority of", "priority", |goal| {
                goal.priority = to as i32
            });
        }
    });
    view! {
        <MeHint record=record.clone()/>
        <Written record=record.clone() field=Field::Formula label="Condition" placeholder="condition to achieve…"/>
        <TextList record=record.clone() title="Subgoals, in order" one="subgoal" field=Field::Subgoal count
            placeholder="intermediate condition…" ordered=true/>
        <TextList record=record.clone() title="Tasks that serve it, in order" one="task" field=Field::Task count=tasks
            placeholder="task to try first…" ordered=true/>
        <section class="section" aria-label="Value">
            <Heading title="Value"/>
            <p class="hint">"Priority × relevance + bias. The unmet goal with the highest value is pursued; values of 0 or less never are."</p>
            <CurrentValue goal=shown/>
            <Labelled label="Priority">
                <NumberField label="Priority" whole=true value=priority set/>
            </Labelled>
            <Written record=record.clone() field=Field::Relevance label="Relevance" placeholder="1"/>
            <Written record field=Field::Bias label="Bias" placeholder="0"/>
        </section>
        <Cooldown record=goal of=|g| g.cooldown of_mut=|g| &mut g.cooldown hint=GOAL_COOLDOWN/>
    }
}
