//! A goal: what an agent wants to be so, and how much.

use leptos::prelude::*;
use taskloom::document::{Field, Goal, Name};

use super::edited::Edited;
use super::fields::{Labelled, NumberField, Written};
use super::texts::TextList;
use super::worth::WorthNow;
use crate::session::Session;

/// All of a goal.
#[component]
pub fn GoalFields(name: Name) -> impl IntoView {
    let shown = Signal::stored(Some(name.clone()));
    let goal = Edited::<Goal>::new(Session::expect(), name);
    let record = goal.record();
    let count = goal.memo(|goal| goal.subgoals.len());
    let priority = goal.memo(|goal| Some(f64::from(goal.priority)));
    let set = Callback::new(move |to: Option<f64>| {
        if let Some(to) = to {
            goal.typed("Change the priority of", "priority", |goal| {
                goal.priority = to as i32
            });
        }
    });
    view! {
        <Written record=record.clone() field=Field::Formula label="Condition" placeholder="what is to be so…"/>
        <TextList record=record.clone() title="Subgoals, one after the other" one="subgoal" field=Field::Subgoal count
            placeholder="what is to be so on the way…" ordered=true/>
        <section class="section" aria-label="Worth">
            <h3>"Worth"</h3>
            <p class="hint">"Priority × relevance + bias. Of the goals that do not hold, the one that is worth most is pursued; none that is worth 0 or less."</p>
            <WorthNow goal=shown/>
            <Labelled label="Priority">
                <NumberField label="Priority" whole=true value=priority set/>
            </Labelled>
            <Written record=record.clone() field=Field::Relevance label="Relevance" placeholder="1"/>
            <Written record field=Field::Bias label="Bias" placeholder="0"/>
        </section>
    }
}
