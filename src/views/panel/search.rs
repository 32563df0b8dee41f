//! What the search did, in order.

use leptos::prelude::*;
use taskloom_core::plan::{Trace, TraceKind};

use crate::session::{Selection, Session, View};

/// Rows that are drawn at most.
const MOST: usize = 400;

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
                let rows = rows(session, &answer.trace);
                let left = answer.trace.dropped as usize + answer.trace.events.len().saturating_sub(MOST);
                let statistics = answer.statistics;
                view! {
                    <p class="hint">
                        {format!(
                            "{} decisions, {} taken back, nested {} deep",
                            statistics.nodes,
                            statistics.backtracks,
                            statistics.depth,
                        )}
                    </p>
                    <div role="list" aria-label="Search">{rows}</div>
                    {(left > 0).then(|| view! { <p class="hint">{format!("… and {left} more events")}</p> })}
                }
                    .into_any()
            }}
        </div>
    }
}

fn rows(session: Session, trace: &Trace) -> impl IntoView + use<> {
    let mut depths: Vec<usize> = Vec::with_capacity(trace.events.len().min(MOST));
    for event in trace.events.iter().take(MOST) {
        let depth = event
            .parent
            .and_then(|p| depths.get(p))
            .map_or(0, |d| d + 1);
        depths.push(depth);
    }
    trace
        .events
        .iter()
        .zip(depths)
        .map(|(event, depth)| {
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
        })
        .collect_view()
}
