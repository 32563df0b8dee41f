//! The search trace, in order.

mod later;
mod states;

use leptos::prelude::*;
use taskloom_planner::plan::{Outcome, Statistics, Trace, TraceEvent, TraceKind};

use crate::panels::plan::repetition;
use crate::panels::run::limit;
use crate::session::{Selection, Session, View};
use crate::ui::count::grouped;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;
use crate::ui::more::{More, ROWS};
use crate::ui::rows::Rows;
use crate::worker::{Answer, SearchReport};
use later::Later;
use states::States;
use taskloom_planner::explain::{Reason, reason};

/// Shows the search of the planning at the cursor, as an indented list.
#[component]
pub fn SearchTab() -> impl IntoView {
    let session = Session::expect();
    let later = Later::new(session);
    let content = move || {
        let Some(answer) = session.plan.answer.get() else {
            return hint("No search yet.".to_owned());
        };
        if session.plan.shown.with(|shown| shown.log().is_some()) {
            return hint(
                "A log doesn’t record searches. Close it to see the simulator’s.".to_owned(),
            );
        }
        match later.shown.get() {
            Some(planning) => later_search(session, later, &answer, planning),
            None => {
                let names = session.desk.characters.get();
                let whose = names.get(answer.character);
                let whose = whose.map(|name| format!("{name}’s first plan: "));
                let whose = whose.unwrap_or_default();
                search(session, &answer.outcome, &answer.search, &whose)
            }
        }
    };
    view! { <div class="trace">{content}</div> }
}

fn hint(text: String) -> AnyView {
    view! { <p class="hint">{text}</p> }.into_any()
}

/// Shows the search of a later planning of the run, which is repeated for that. Tracked.
fn later_search(session: Session, later: Later, answer: &Answer, planning: usize) -> AnyView {
    let plans = answer.run.as_ref().map_or(&[][..], |run| &run.plans);
    let Some(planned) = plans.get(planning) else {
        return ().into_any();
    };
    let names = session.desk.characters.get();
    let what = match names.get(planned.character) {
        Some(name) => format!("{name}’s planning at tick {}", planned.tick),
        None => format!("Planning at tick {}", planned.tick),
    };
    match (later.of((answer.revision, planning)), &planned.outcome) {
        (None, _) => hint(format!("{what}: repeating the search…")),
        (Some(Err(reason)), _) => hint(format!("{what}: couldn’t repeat the search: {reason}.")),
        (Some(Ok(Some(report))), Ok(outcome)) => {
            search(session, outcome, &report, &format!("{what}: "))
        }
        (Some(Ok(Some(_))), Err(reason)) => hint(format!("{what}: invalid plan: {reason}")),
        (Some(Ok(None)), _) => hint(format!("{what}: no search was needed.")),
    }
}

/// Shows a search below its summary, which begins with this text.
fn search(session: Session, outcome: &Outcome, report: &SearchReport, whose: &str) -> AnyView {
    let summary = summary(outcome, report.statistics, &report.trace);
    let summary = format!("{whose}{summary}");
    let trace = report.trace.clone();
    if !trace.states.is_empty() {
        return view! {
            <p class="hint">{summary}</p>
            <States trace/>
        }
        .into_any();
    }
    let (dropped, count) = (trace.dropped, trace.events.len());
    let depths = depths(&trace);
    let shown = RwSignal::new(ROWS);
    let rows = Rows::new();
    let chosen = RwSignal::new(None);
    let row = move |at: usize| {
        let depth = depths.get(at).copied()?;
        let event = trace.events.get(at)?;
        let place = Place {
            at,
            depth,
            rows,
            chosen,
        };
        row(session, event, place)
    };
    view! {
        <p class="hint">{summary}</p>
        <div role="listbox" aria-label="Search" on:keydown=move |event| rows.key(&event)>
            <Keyed each=move || 0..shown.get().min(count) key=|at| *at children=row/>
        </div>
        <More shown all=Signal::stored(count)/>
        {(dropped > 0).then(|| hint(format!("{dropped} later events omitted.")))}
    }
    .into_any()
}

/// Returns what the search used, and why it gave up if it did.
fn summary(outcome: &Outcome, statistics: Statistics, trace: &Trace) -> String {
    let nodes = grouped(statistics.nodes);
    let figures = match (trace.states.is_empty(), trace.events.is_empty()) {
        (false, _) => format!("{nodes} states visited."),
        (true, true) if statistics.backtracks == 0 && statistics.depth == 0 => {
            format!("{nodes} states or decisions, none of them recorded.")
        }
        (true, _) => format!(
            "{nodes} decisions, {} backtracks, maximum depth {}.",
            grouped(statistics.backtracks),
            statistics.depth,
        ),
    };
    match outcome {
        Outcome::GaveUp(why) => format!("Gave up: {}. {figures}", limit(*why)),
        Outcome::Stopped => format!("Stopped. {figures}"),
        _ => figures,
    }
}

/// Returns the depth of each event in the tree.
fn depths(trace: &Trace) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(trace.events.len());
    for event in &trace.events {
        let above = event.parent.and_then(|p| depths.get(p));
        depths.push(above.map_or(0, |depth| depth + 1));
    }
    depths
}

/// The position of a row in the list.
struct Place {
    at: usize,
    depth: usize,
    rows: Rows,
    /// The row chosen last.
    chosen: RwSignal<Option<usize>>,
}

fn row(session: Session, event: &TraceEvent, place: Place) -> Option<impl IntoView + use<>> {
    let Place {
        at,
        depth,
        rows,
        chosen,
    } = place;
    let is_chosen = move || chosen.get() == Some(at);
    let task = repetition(&session.domain_untracked(), &event.task.task);
    let task = task.unwrap_or_else(|| event.task.to_string());
    let (class, mark, text) = match &event.kind {
        TraceKind::Task { .. } => ("task", Lucide::ChevronRight, task),
        TraceKind::Alternative { label, .. } => {
            let label = if label.is_empty() {
                "only alternative"
            } else {
                label
            };
            ("alternative", Lucide::Split, format!("{task}: {label}"))
        }
        TraceKind::Failed { .. }
        | TraceKind::Inapplicable { .. }
        | TraceKind::NoObject { .. }
        | TraceKind::NoAnswer { .. }
        | TraceKind::GoalFailed { .. } => {
            let Reason { text, seen } = reason(&event.kind)?;
            let seen: Vec<String> = seen.iter().map(ToString::to_string).collect();
            let seen = if seen.is_empty() {
                String::new()
            } else {
                format!("  ({})", seen.join(", "))
            };
            ("failed", Lucide::X, format!("{text}{seen}"))
        }
        TraceKind::Backtrack => ("back", Lucide::Undo2, format!("{task}: backtrack")),
        TraceKind::Pruned { why, .. } => ("failed", Lucide::Scissors, format!("{task}: {why}")),
    };
    let task = event.task.task.clone();
    let block = event.kind.block().cloned();
    let click = move |_| {
        chosen.set(Some(at));
        if session.domain_untracked().drawn_block(&task).is_some() {
            session.open.show_view(View::Method(task.clone()));
        } else if session
            .document_untracked()
            .compound_tasks
            .contains_key(&task)
        {
            session.open.show_view(View::Method(task.clone()));
            let selection = block.clone().map(Selection::block);
            session.open.select(selection.unwrap_or_default());
        }
    };
    let row = view! {
        <div
            class=format!("trace-row {class}")
            class:on=is_chosen
            role="option"
            data-row=""
            tabindex=move || rows.stop(at)
            aria-selected=move || is_chosen().to_string()
            on:focus=move |_| rows.reach(at)
            style:padding-left=format!("{}px", 8 + depth.min(30) * 14)
            on:click=click
        >
            <span class="mark"><Icon name=mark size=12/></span>
            <span>{text}</span>
        </div>
    };
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_planner::plan::Limit;

    #[test]
    fn given_up_searches_report_the_limit_and_progress() {
        let statistics = Statistics {
            nodes: 29_536,
            ..Statistics::default()
        };
        let gave_up = summary(&Outcome::GaveUp(Limit::Time), statistics, &Trace::default());
        assert_eq!(
            gave_up,
            "Gave up: out of time. 29,536 states or decisions, none of them recorded."
        );
    }
}
