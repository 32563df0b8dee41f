//! What the search did, in order.

use leptos::prelude::*;
use taskloom_core::plan::{Trace, TraceEvent, TraceKind};

use crate::keyed::For;
use crate::session::{Selection, Session, View};
use crate::views::more::{More, ROWS};

/// The trace as an indented list.
#[component]
pub fn SearchTab() -> impl IntoView {
    let session = Session::expect();
    view! {
        <div class="trace">
            {move || {
                let Some(answer) = session.answer.get() else {
                    return view! { <p class="hint">"Nothing was searched yet."</p> }.into_any();
                };
                let statistics = answer.statistics;
                let dropped = answer.trace.dropped;
                let count = answer.trace.events.len();
                let depths = StoredValue::new(depths(&answer.trace));
                let shown = RwSignal::new(ROWS);
                let row = move |at: usize| {
                    let depth = depths.with_value(|depths| depths.get(at).copied())?;
                    Some(row(session, answer.trace.events.get(at)?, depth))
                };
                view! {
                    <p class="hint">
                        {format!(
                            "{} decisions, {} taken back, nested {} deep",
                            statistics.nodes,
                            statistics.backtracks,
                            statistics.depth,
                        )}
                    </p>
                    <div role="list" aria-label="Search">
                        <For each=move || 0..shown.get().min(count) key=|at| *at children=row/>
                    </div>
                    <More shown all=Signal::stored(count)/>
                    {(dropped > 0)
                        .then(|| {
                            let text = format!("{dropped} later events were not kept.");
                            view! { <p class="hint">{text}</p> }
                        })}
                }
                    .into_any()
            }}
        </div>
    }
}

/// How deep each event stands in the tree.
fn depths(trace: &Trace) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(trace.events.len());
    for event in &trace.events {
        let above = event.parent.and_then(|p| depths.get(p));
        depths.push(above.map_or(0, |depth| depth + 1));
    }
    depths
}

fn row(session: Session, event: &TraceEvent, depth: usize) -> impl IntoView + use<> {
    let (class, mark, text) = match &event.kind {
        TraceKind::Task => ("task", "▹", event.task.to_string()),
        TraceKind::Alternative { label, .. } => {
            let label = if label.is_empty() {
                "the only way"
            } else {
                label
            };
            ("alternative", "⋔", format!("{}: {label}", event.task))
        }
        TraceKind::Failed { conjunct, saw, .. } => {
            let saw: Vec<String> = saw.iter().map(|(a, v)| format!("{a} = {v}")).collect();
            let saw = if saw.is_empty() {
                String::new()
            } else {
                format!("  ({})", saw.join(", "))
            };
            ("failed", "✗", format!("{conjunct} does not hold{saw}"))
        }
        TraceKind::Backtrack => ("back", "↩", format!("{}: goes back", event.task)),
        TraceKind::Pruned => (
            "failed",
            "✂",
            format!("{}: too deep, or in a circle", event.task),
        ),
    };
    let task = event.task.task.clone();
    let block = match &event.kind {
        TraceKind::Failed { block, .. } => block.clone(),
        _ => None,
    };
    let click = move |_| {
        if session
            .document_untracked()
            .compound_tasks
            .contains_key(&task)
        {
            session.view.set(View::Method(task.clone()));
            session
                .selection
                .set(block.clone().map(Selection::block).unwrap_or_default());
        }
    };
    view! {
        <div
            class=format!("trace-row {class}")
            role="listitem"
            style:padding-left=format!("{}px", 8 + depth.min(30) * 14)
            on:click=click
        >
            <span class="mark" aria-hidden="true">{mark}</span>
            <span>{text}</span>
        </div>
    }
}
