//! Actions, primitive tasks and compound tasks.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{
    Action, CompoundTask, EffectTiming, Field, Kind, Name, PrimitiveTask, RecordRef,
};

use super::commitment::{Cooldown, TASK_COOLDOWN, Uninterruptible};
use super::edited::Edited;
use super::fields::{Labelled, Written};
use super::params::{MeHint, Params};
use super::texts::TextList;
use crate::session::{Session, View};
use crate::ui::select::{Choice, Select};

/// Parameters, duration and executor of an action.
#[component]
pub fn ActionFields(name: Name) -> impl IntoView {
    let record = RecordRef::new(Kind::Action, name.clone());
    view! {
        <Params record=record.clone()/>
        <Written record field=Field::Duration label="Duration in ticks" placeholder="0 (takes no time)"/>
        <Executor name/>
    }
}

/// The executor of an action. Those of other actions are suggested.
#[component]
fn Executor(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<Action>(name.clone());
    let own = move || data.with(|d| d.as_ref().map(|d| d.executor.clone()).unwrap_or_default());
    let known = Memo::new(move |_| {
        let document = session.document();
        let named = document
            .actions
            .values()
            .map(|action| action.executor.trim());
        let named = set_of(named.filter(|name| !name.is_empty()));
        named
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<String>>()
    });
    let set = move |event| {
        let to: String = event_target_value(&event);
        let key = format!("{name}/executor");
        let label = format!("Change the executor of {name}");
        session.change_typing(&name, &label, &key, |action: &mut Action| {
            action.executor = to
        });
    };
    view! {
        <Labelled label="Executor">
            <input
                class="text"
                aria-label="Executor"
                title="Steps with different executors may run in parallel"
                placeholder="e.g. legs; empty: steps never overlap"
                autocomplete="off"
                list="executors"
                prop:value=own
                on:input=set
                on:blur=move |_| session.open.seal()
            />
        </Labelled>
        <datalist id="executors">
            {move || known.get().into_iter().map(|name| view! { <option value=name></option> }).collect_view()}
        </datalist>
    }
}

/// All fields of a primitive task.
#[component]
pub fn PrimitiveFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<PrimitiveTask>(name.clone());
    let task = Edited::<PrimitiveTask>::new(session, name.clone());
    let record = task.record();
    let count = move |of: fn(&PrimitiveTask) -> usize| {
        Memo::new(move |_| data.with(|d| d.as_deref().map_or(0, of)))
    };
    let timing =
        Callback::new(move |at: usize| view! { <Timing name=name.clone() at data/> }.into_any());
    view! {
        <Params record=record.clone()/>
        <MeHint record=record.clone()/>
        <Written record=record.clone() field=Field::Action label="Action" placeholder="none (takes no time)"/>
        <TextList record=record.clone() title="When it can start" one="precondition" field=Field::Precondition
            count=count(|d| d.preconditions.len())/>
        <TextList record=record.clone() title="While it runs" one="integrity rule" field=Field::Integrity
            count=count(|d| d.integrity.len())/>
        <Uninterruptible task/>
        <TextList record=record.clone() title="Done when" one="completion condition" field=Field::Completion
            count=count(|d| d.completion.len())/>
        <TextList record=record.clone() title="What it changes" one="effect" field=Field::Effect
            count=count(|d| d.effects.len()) beside=timing/>
        <TextList record=record.clone() title="Claims" one="claim" field=Field::Claim
            count=count(|d| d.claims.len())/>
        <Written record field=Field::Cost label="Cost" placeholder="1"/>
        <Cooldown record=task of=|t| t.cooldown of_mut=|t| &mut t.cooldown hint=TASK_COOLDOWN/>
    }
}

static TIMINGS: [Choice<EffectTiming>; 3] = [
    (EffectTiming::PlannedAndExecuted, "both", "plan + run"),
    (EffectTiming::Planned, "planned", "plan only"),
    (EffectTiming::Executed, "executed", "run only"),
];

/// The timing of an effect.
#[component]
fn Timing(name: Name, at: usize, data: Memo<Option<Arc<PrimitiveTask>>>) -> impl IntoView {
    let session = Session::expect();
    let now = Memo::new(move |_| {
        data.with(|d| {
            let effect = d.as_ref().and_then(|d| d.effects.get(at));
            effect.map(|e| e.timing).unwrap_or_default()
        })
    });
    let set = Callback::new(move |timing| {
        session.change(
            &name,
            &format!("Change an effect of {name}"),
            |t: &mut PrimitiveTask| {
                if let Some(effect) = t.effects.get_mut(at) {
                    effect.timing = timing;
                }
            },
        );
    });
    view! {
        <Select
            label=format!("Timing of effect {}", at + 1) choices=&TIMINGS chosen=now set attr:class="timing" attr:tabindex="-1"
            attr:title="Applied by the planner, by execution, or by both"
        />
    }
}

/// The fields of a compound task apart from its method.
#[component]
pub fn CompoundFields(name: Name) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<CompoundTask>(name.clone());
    let task = Edited::<CompoundTask>::new(session, name.clone());
    let record = task.record();
    let count = move |of: fn(&CompoundTask) -> usize| {
        Memo::new(move |_| data.with(|d| d.as_deref().map_or(0, of)))
    };
    let blocks = count(|d| d.method.blocks.len());
    let goal =
        Memo::new(move |_| data.with(|d| d.as_ref().is_some_and(|d| !d.goal.trim().is_empty())));
    let has_goal = move || goal.get();
    let own = name.clone();
    let inside = Memo::new(move |_| session.open.view.with(|v| *v == View::Method(own.clone())));
    view! {
        <Show when=move || !inside.get()>
            <button
                class="primary wide"
                on:click={
                    let name = name.clone();
                    move |_| {
                        session.open.select(Default::default());
                        session.open.show_view(View::Method(name.clone()));
                    }
                }
            >
                "Open method"
                <small>{move || match blocks.get() { 1 => " 1 block".to_owned(), count => format!(" {count} blocks") }}</small>
            </button>
        </Show>
        <Params record=record.clone()/>
        <MeHint record=record.clone()/>
        <Written record=record.clone() field=Field::Goal label="Goal" placeholder="none (only what is drawn)"/>
        <Show when=has_goal>
            <p class="hint">{GOAL_HINT}</p>
        </Show>
        <TextList record=record.clone() title="When it can start" one="precondition" field=Field::Precondition
            count=count(|d| d.preconditions.len())/>
        <TextList record=record.clone() title="While it runs" one="integrity rule" field=Field::Integrity
            count=count(|d| d.integrity.len())/>
        <Cooldown record=task of=|t| t.cooldown of_mut=|t| &mut t.cooldown hint=TASK_COOLDOWN/>
    }
}

const GOAL_HINT: &str = "If the goal is true, there is nothing to do. Otherwise the drawn ways are tried, and then \
                         primitive tasks are searched for that lead to it.";
