//! The run: its timeline along the ticks, and its record, entry by entry.

mod axis;
mod bars;
mod chart;
mod compare;
mod discoveries;
mod lanes;
mod number;
mod run_timeline;
mod scrubber;
mod words;
mod zoom;

use std::sync::Arc;
use std::time::Duration;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};
use taskloom_runtime::{Entry, Reason, Run, TaskState};

use crate::page::Linked;
use crate::panels::why::ask;
use crate::session::{Happened, Session, Subject, names, task_of};
use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;
use crate::ui::more::ROWS;
use crate::ui::rows::Rows;
use crate::ui::typed_key::TypedKey;
use crate::worker::Answer;
pub use discoveries::{Discoveries, discoveries};
pub use number::NumberTimeline;
use run_timeline::RunTimeline;
pub use scrubber::Scrubber;
pub use words::{because, changed, describe_event, describe_planning, limit};
use words::{describe_step, end};

/// One entry of the run.
#[derive(Clone)]
struct Line {
    tick: u32,
    class: &'static str,
    mark: Lucide,
    text: String,
    detail: String,
    entry: Entry,
}

/// The run, tick by tick.
#[component]
pub fn RunTab() -> impl IntoView {
    let session = Session::expect();
    let answer = move || session.plan.answer.get();
    let chart = RwSignal::new(None);
    let zoom = RwSignal::new(None);
    // Another run has another timeline.
    Effect::new(move || {
        session.plan.scenario.track();
        session.storage.opened.track();
        zoom.set(None);
    });
    view! {
        <div class="run">
            {move || {
                let Some((answer, entries)) = answer().and_then(|a| Some((a.clone(), a.run.as_ref()?.entries()))) else {
                    return view! { <p class="hint">"There is nothing to run."</p> }.into_any();
                };
                let names = names(&session.domain_untracked(), &answer.scenario);
                let (class, end) = answer.run.as_ref().map(end).unwrap_or_default();
                view! {
                    <div class="run-course">
                        <RunTimeline answer=answer.clone() names=names.clone() chart zoom/>
                    </div>
                    <div class="run-record">
                        <Record answer names entries/>
                        <p class=format!("run-end {class}")><Linked text=end/></p>
                    </div>
                }
                    .into_any()
            }}
        </div>
    }
}

/// The time that the slider has to rest before the record moves to an entry that isn't listed:
/// creating rows takes time.
const REST: Duration = Duration::from_millis(90);

/// The entries of a run. Of a long one only a range is listed, which follows the cursor's tick.
#[component]
fn Record(answer: Arc<Answer>, names: Vec<String>, entries: Vec<Entry>) -> impl IntoView {
    let session = Session::expect();
    let count = entries.len();
    let ticks = answer.run.as_ref().map_or_else(Vec::new, |run| {
        let ticks = entries.iter().map(|entry| run.tick_of(*entry).unwrap_or(0));
        ticks.collect()
    });
    let ticks = StoredValue::new(ticks);
    let range = RwSignal::new((0, ROWS));
    let list = NodeRef::<html::Div>::new();
    let rows = Rows::new();
    // Moving through the ticks changes no row.
    let chosen = Memo::new(move |_| session.desk.cursor.get().entry());
    // The last entry that has begun at the cursor's tick.
    let now = Memo::new(move |_| match session.desk.cursor.get().happened? {
        Happened::Tick(tick) => {
            let begun = ticks.with_value(|ticks| ticks.partition_point(|begun| *begun <= tick));
            begun.checked_sub(1)
        }
        Happened::Line(_) => None,
    });
    let reveal = move |at: usize| reveal(list, at);
    let list_around = move |at: usize| {
        let from = at.saturating_sub(ROWS / 2);
        range.set((from, from + ROWS));
    };
    Effect::new(move || {
        let Some(at) = now.get() else { return };
        let is_listed = |(from, to): (usize, usize)| (from..to).contains(&at);
        if is_listed(range.get_untracked()) {
            reveal(at);
            return;
        }
        let show = move || {
            if now.try_get_untracked().flatten() == Some(at) {
                list_around(at);
                reveal(at);
            }
        };
        set_timeout(show, REST);
    });
    // A bar that is clicked shows its entry.
    let all = StoredValue::new(entries.clone());
    Effect::new(move || {
        let Some(entry) = chosen.get() else { return };
        let at = all.with_value(|all| all.iter().position(|other| *other == entry));
        let Some(at) = at else { return };
        let (from, to) = range.get_untracked();
        if !(from..to).contains(&at) {
            list_around(at);
        }
        reveal(at);
    });
    // Enter also says why.
    let key = move |event: KeyboardEvent| {
        rows.key(&event);
        let row = document()
            .active_element()
            .filter(|_| event.typed_key() == "Enter");
        if let (Some(row), Some(entry)) = (row, session.desk.cursor.get_untracked().entry()) {
            ask(session, Subject::Entry(entry), &row);
        }
    };
    // Few entries of a long run are ever looked at.
    let row = move |at: usize| {
        let entry = entries.get(at);
        let line = entry.and_then(|entry| line(session, &answer, *entry, &names));
        line.map(|line| view! { <LineView line at rows chosen now/> })
    };
    let earlier = move || range.with(|(from, _)| *from);
    let later = move || count.saturating_sub(range.with(|(_, to)| *to));
    view! {
        <Show when=move || { earlier() > 0 }>
            <button
                class="more"
                on:click=move |_| range.update(|(from, _)| *from = from.saturating_sub(ROWS))
            >
                {move || format!("Show {} earlier ({} left)", earlier().min(ROWS), earlier())}
            </button>
        </Show>
        <div role="listbox" aria-label="Simulated run" node_ref=list on:keydown=key>
            <Keyed
                each=move || {
                    let (from, to) = range.get();
                    from..to.min(count)
                }
                key=|at| *at
                children=row
            />
        </div>
        <Show when=move || { later() > 0 }>
            <button class="more" on:click=move |_| range.update(|(_, to)| *to += ROWS)>
                {move || format!("Show {} more ({} left)", later().min(ROWS), later())}
            </button>
        </Show>
    }
}

/// Scrolls a row of the list into view.
fn reveal(list: NodeRef<html::Div>, at: usize) {
    request_animation_frame(move || {
        // The list may be gone by then.
        let row = list.try_get_untracked().flatten();
        let row = row.and_then(|list| list.query_selector(&format!("[data-at='{at}']")).ok()?);
        if let Some(row) = row {
            let near = ScrollIntoViewOptions::new();
            near.set_block(ScrollLogicalPosition::Nearest);
            row.scroll_into_view_with_scroll_into_view_options(&near);
        }
    });
}

#[component]
fn LineView(
    line: Line,
    at: usize,
    rows: Rows,
    chosen: Memo<Option<Entry>>,
    now: Memo<Option<usize>>,
) -> impl IntoView {
    let session = Session::expect();
    let entry = line.entry;
    let chosen = move || chosen.get() == Some(entry);
    let title = line.detail.clone();
    view! {
        <div
            class=format!("run-line {}", line.class)
            class:on=chosen
            class:at-tick=move || now.get() == Some(at)
            role="option"
            data-row=""
            data-at=at.to_string()
            tabindex=move || rows.stop(at)
            aria-selected=move || chosen().to_string()
            on:focus=move |_| rows.reach(at)
            on:click=move |_| session.show_entry(entry)
        >
            <span class="tick">{line.tick}</span>
            <span class="mark"><Icon name=line.mark size=14/></span>
            <span class="task">{line.text}</span>
            <span class="dim" title=title>{line.detail}</span>
        </div>
    }
}

fn line(session: Session, answer: &Answer, entry: Entry, names: &[String]) -> Option<Line> {
    let run = answer.run.as_ref()?;
    let (class, mark, text, detail) = match entry {
        Entry::Event(at) => {
            let occurrence = run.events.get(at)?;
            let (mark, text) = match session.event(answer, occurrence.event) {
                Some((event, true)) => (Lucide::Pencil, format!("override: {}", event.effect)),
                Some((event, false)) => (Lucide::CalendarClock, format!("event: {}", event.effect)),
                // The document may have been edited since, or the log is of a game.
                None if occurrence.event == Run::SET_BY_GAME => {
                    (Lucide::CalendarClock, "set by the game".to_owned())
                }
                None => (Lucide::CalendarClock, "event".to_owned()),
            };
            ("event", mark, text, describe_event(occurrence))
        }
        Entry::Perception(at) => {
            let seen = changed(&run.perceptions.get(at)?.changes);
            ("event", Lucide::Eye, "perceives".to_owned(), seen)
        }
        Entry::Planning(at) => {
            let (text, detail) = describe_planning(run, run.plans.get(at)?);
            ("replan", Lucide::RefreshCw, text, detail)
        }
        Entry::Step(at) => {
            let step = run.executed.get(at)?;
            let (class, mark) = match (step.state, &step.reason) {
                // Another plan is no failure, and neither is the end of a main branch.
                (TaskState::Failed, Some(Reason::Interrupted)) | (TaskState::Stopped, _) => {
                    ("interrupted", Lucide::ArrowRightToLine)
                }
                (TaskState::Failed, _) => ("failed", Lucide::X),
                (TaskState::Planned | TaskState::InProgress, _) => ("running", Lucide::Play),
                (TaskState::Complete, _) => ("complete", Lucide::Check),
            };
            let task = task_of(run, step)?;
            let text = match (step.state, step.end) {
                (TaskState::InProgress, _) => format!("{task} in progress"),
                (_, Some(end)) if end != step.start => format!("{task} until {end}"),
                _ => task.to_string(),
            };
            (class, mark, text, describe_step(step))
        }
    };
    let who = run.character_of(entry).and_then(|who| names.get(who));
    Some(Line {
        tick: run.tick_of(entry)?,
        class,
        mark,
        text: who.map_or_else(|| text.clone(), |who| format!("{who}: {text}")),
        detail,
        entry,
    })
}
