//! The plan along its ticks: a lane for the tasks of each depth, one for steps.

use leptos::prelude::*;
use taskloom::document::Document;
use taskloom::domain::calls::called;
use taskloom::planner::plan::{GroundTask, NodeKind, Plan};

use super::steps;
use crate::session::Session;

/// Bars that are a smaller part of the whole are too thin to be seen.
const THINNEST: f64 = 0.0005;

/// How many ticks a step takes: its action's duration.
pub fn ticks(document: &Document, task: &GroundTask) -> u32 {
    let action = document
        .primitive_tasks
        .get(&task.task)
        .and_then(|task| called(&task.action));
    action
        .and_then(|name| document.actions.get(&name).map(|a| a.duration))
        .unwrap_or(0)
}

struct Bar {
    lane: usize,
    start: f64,
    length: f64,
    text: String,
    step: Option<usize>,
}

/// Bars from the first step's start to the last one's end.
#[component]
pub fn Timeline(plan: Plan) -> impl IntoView {
    let session = Session::expect();
    let document = session.document_untracked();
    let (bars, starts, lanes) = bars(&plan, &document);
    let whole = starts.last().copied().unwrap_or(1.0).max(1.0);
    let percent = move |length: f64| format!("{:.3}%", length / whole * 100.0);
    let cursor = move || {
        let at = session.cursor.get().step.unwrap_or(0);
        percent(starts.get(at).copied().unwrap_or(0.0))
    };
    let drawn = bars
        .into_iter()
        .filter(|bar| bar.length / whole >= THINNEST)
        .map(|bar| {
            let (step, title) = (bar.step, bar.text.clone());
            let chosen = move || step.is_some() && session.cursor.get().step == step;
            view! {
                <div
                    class="bar"
                    class:compound=step.is_none()
                    class:on=chosen
                    style:left=percent(bar.start)
                    style:width=percent(bar.length)
                    style:top=format!("{}px", bar.lane * 26)
                    title=title
                    on:click=move |_| {
                        if step.is_some() {
                            steps::choose(session, step);
                        }
                    }
                >
                    {bar.text}
                </div>
            }
        })
        .collect_view();
    view! {
        <div class="timeline" aria-hidden="true" style:height=format!("{}px", (lanes + 1) * 26 + 4)>
            {drawn}
            <div class="now" style:left=cursor></div>
        </div>
    }
}

/// Bars, the start of each step and the end of the last, lanes above the steps'.
fn bars(plan: &Plan, document: &Document) -> (Vec<Bar>, Vec<f64>, usize) {
    let mut starts = vec![0.0];
    let durations: Vec<f64> = plan
        .steps
        .iter()
        .map(|step| f64::from(ticks(document, &step.task)))
        .collect();
    // A step that is short beside the others, or has no duration, still shows.
    let shortest = durations.iter().sum::<f64>() / (2 * durations.len().max(1)) as f64;
    let shortest = if shortest > 0.0 { shortest } else { 0.5 };
    for duration in durations {
        starts.push(starts.last().copied().unwrap_or(0.0) + duration.max(shortest));
    }
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; plan.nodes.len()];
    // Children stand after their parents.
    for (at, node) in plan.nodes.iter().enumerate().rev() {
        if let NodeKind::Step(step) = node.kind {
            spans[at] = Some((step, step));
        }
        if let (Some((from, to)), Some(parent)) = (spans[at], node.parent)
            && let Some(slot) = spans.get_mut(parent)
        {
            *slot = Some(slot.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
        }
    }
    let mut depths = vec![0_usize; plan.nodes.len()];
    let mut drawn = vec![];
    for (at, node) in plan.nodes.iter().enumerate() {
        depths[at] = node.parent.and_then(|p| depths.get(p)).map_or(0, |d| d + 1);
        let Some((from, to)) = spans[at] else {
            continue;
        };
        if matches!(node.kind, NodeKind::Decomposed(_)) {
            drawn.push((depths[at], from, to, node.task.to_string()));
        }
    }
    let lanes = drawn.iter().map(|d| d.0 + 1).max().unwrap_or(0);
    let span = |from: usize, to: usize| {
        let start = starts.get(from).copied().unwrap_or(0.0);
        (start, starts.get(to + 1).copied().unwrap_or(start) - start)
    };
    let mut bars = vec![];
    for (lane, from, to, text) in drawn {
        let (start, length) = span(from, to);
        bars.push(Bar {
            lane,
            start,
            length,
            text,
            step: None,
        });
    }
    for (at, step) in plan.steps.iter().enumerate() {
        let (start, length) = span(at, at);
        bars.push(Bar {
            lane: lanes,
            start,
            length,
            text: step.task.to_string(),
            step: Some(at),
        });
    }
    (bars, starts, lanes)
}
