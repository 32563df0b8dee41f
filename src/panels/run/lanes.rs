//! The drawing of a run along its ticks: a lane of steps per character, with the tasks above them
//! and marks for events, observations and replanning.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::axis::Axis;
use super::bars::{Bar, BarState, Lane, Mark, TaskBar, lanes, marks, merged, shortened};
use crate::panels::why::{ask, open_reason};
use crate::session::{Session, Subject};
use crate::ui::avatar::{Avatar, colour};
use crate::ui::focus::rove;
use crate::ui::icon::{FoldIcon, Icon};
use crate::ui::rows::Rows;
use crate::ui::typed_key::TypedKey;
use crate::worker::Answer;

/// The height of a row of tasks and of a line of steps in pixels, with the gap to the next.
const TASK_ROW: usize = 19;
const LINE: usize = 26;

/// The lanes that are changed by their buttons.
type Changed = RwSignal<BTreeSet<usize>>;

/// The state that all parts of a drawing share.
#[derive(Clone, Copy)]
struct Drawing {
    session: Session,
    axis: Axis,
    /// If `true`, it is the run that the panels show, and a click moves the cursor; otherwise it is
    /// the run that is compared with it.
    is_shown: bool,
    /// The cursor's tick.
    now: Memo<Option<u32>>,
    all: Memo<Vec<Lane>>,
    marks: Memo<Vec<Mark>>,
    /// The lanes in which repetitions are drawn one by one.
    unfolded: Changed,
    /// The lanes in which each level of tasks has its row.
    opened: Changed,
}

/// Draws the lanes of a run.
#[component]
pub fn Lanes(
    /// The answer with the run.
    answer: Arc<Answer>,
    /// The names of the characters, if there are several.
    names: Vec<String>,
    axis: Axis,
    /// `true` for each event that is an override.
    by_hand: Vec<bool>,
    /// If `true`, it is the run that the panels show, and a click moves the cursor; otherwise it is
    /// the run that is compared with it.
    is_shown: bool,
) -> impl IntoView {
    let session = Session::expect();
    let last = axis.last;
    let run = match is_shown {
        true => answer.run.clone(),
        false => answer.compared.clone(),
    };
    let run = StoredValue::new(run);
    let characters = names.len().max(1);
    let unfolded = Changed::default();
    let all = Memo::new(move |_| {
        let unfolded = unfolded.get();
        let domain = session.domain_untracked();
        let is_drawn = |task: &_| domain.drawn_block(task).is_none();
        let of = |run: &_| {
            lanes(
                run,
                (characters, last),
                |lane| !unfolded.contains(&lane),
                is_drawn,
            )
        };
        run.with_value(|run| run.as_ref().map(of))
            .unwrap_or_default()
    });
    let marks = Memo::new(move |_| {
        let visible = axis.visible.get();
        let is_by_hand = |event| by_hand.get(event) == Some(&true);
        let of = |run: &_| marks(run, (last, visible), is_by_hand);
        run.with_value(|run| run.as_ref().map(of))
            .unwrap_or_default()
    });
    let drawing = Drawing {
        session,
        axis,
        is_shown,
        now: Memo::new(move |_| session.tick().map(|tick| tick.min(last))),
        all,
        marks,
        unfolded,
        opened: Changed::default(),
    };
    let events = Rows::new();
    let of_lane = move |lane: usize| {
        let name = names.get(lane).cloned();
        view! { <LaneView drawing lane name/> }
    };
    view! {
        <div class="course" role="group" aria-label="Lanes">
            <div class="course-events" on:keydown=move |event| key(events, &event)>
                {move || drawing.marks(None, events, 0)}
            </div>
            {(0..characters).map(of_lane).collect_view()}
            <Now last/>
        </div>
    }
}

/// The lane of a character.
#[component]
fn LaneView(drawing: Drawing, lane: usize, name: Option<String>) -> impl IntoView {
    let Drawing {
        session,
        is_shown,
        all,
        opened,
        ..
    } = drawing;
    let rows = Rows::new();
    let task_rows = Memo::new(move |_| {
        all.with(|all| match all.get(lane) {
            Some(lane_of) if opened.with(|opened| opened.contains(&lane)) => lane_of.levels.clone(),
            Some(lane_of) if !lane_of.paths.is_empty() => vec![lane_of.paths.clone()],
            _ => vec![],
        })
    });
    let above = move || task_rows.with(Vec::len) * TASK_ROW;
    let lines = move || all.with(|all| all.get(lane).map_or(1, |lane| lane.lines));
    let steps = Memo::new(move |_| {
        let visible = drawing.axis.visible.get();
        all.with(|all| all.get(lane).map(|lane| merged(&lane.steps, visible)))
    });
    let whose = StoredValue::new(name.clone());
    let drawn_steps = move || {
        let (from, to) = drawing.axis.drawn.get();
        let near = |bar: &Bar| bar.start <= to && bar.end >= from;
        let above = above();
        let steps = steps.get().unwrap_or_default().into_iter().filter(near);
        let bar = |(at, bar)| drawing.bar(bar, above, whose.get_value(), rows, at);
        steps.enumerate().map(bar).collect_view()
    };
    let drawn_tasks = move || {
        let tasks = task_rows.get().into_iter().enumerate();
        let row = |(row, tasks): (usize, Vec<TaskBar>)| {
            let (from, to) = drawing.axis.drawn.get();
            let near = tasks
                .into_iter()
                .filter(move |bar| bar.start <= to && bar.end >= from);
            near.map(|bar| drawing.task(bar, row)).collect_view()
        };
        tasks.map(row).collect_view()
    };
    let shown = move || is_shown && name.is_some() && session.desk.character.get() == lane;
    let name = whose.get_value();
    view! {
        <div
            class="lane"
            class:on=shown
            style:--own=colour(lane)
            on:click=move |_| if is_shown && whose.with_value(Option::is_some) { session.show_character(lane) }
        >
            <LaneHead drawing lane name/>
            <div
                class="course-rows"
                style:height=move || format!("{}px", above() + lines() * LINE)
                on:keydown=move |event| key(rows, &event)
            >
                {drawn_tasks}
                {drawn_steps}
                <div class="lane-marks" style:top=move || format!("{}px", above())>
                    {move || drawing.marks(Some(lane), rows, steps.with(|steps| steps.as_ref().map_or(0, Vec::len)))}
                </div>
            </div>
        </div>
    }
}

/// The name of a lane's character, and the buttons that change the lane.
#[component]
fn LaneHead(drawing: Drawing, lane: usize, name: Option<String>) -> impl IntoView {
    let Drawing {
        session,
        is_shown,
        all,
        unfolded,
        opened,
        ..
    } = drawing;
    let toggle = move |changed: Changed| {
        changed.update(|changed| {
            if !changed.remove(&lane) {
                changed.insert(lane);
            }
        });
    };
    let who = name.clone().unwrap_or_else(|| "the actor".to_owned());
    let levels =
        Memo::new(move |_| all.with(|all| all.get(lane).map_or(0, |lane| lane.levels.len())));
    let repeats =
        Memo::new(move |_| all.with(|all| all.get(lane).is_some_and(|lane| lane.repeats)));
    let named = name.map(|name| {
        let title = format!("Show {name}");
        view! {
            <button
                class="bare lane-name"
                aria-label=title.clone()
                title=title
                disabled=!is_shown
                on:click=move |event: MouseEvent| {
                    event.stop_propagation();
                    session.show_character(lane);
                }
            >
                <Avatar number=lane size=18/>
                <b>{name}</b>
            </button>
        }
    });
    let of = who.clone();
    let open = move || {
        (levels.get() > 1).then(|| {
            let is_open = move || opened.with(|opened| opened.contains(&lane));
            view! {
                <button
                    class="bare with-icon"
                    aria-expanded=move || is_open().to_string()
                    aria-label=format!("All levels of tasks of {of}")
                    title="Show a row for each level of tasks"
                    on:click=move |event: MouseEvent| {
                        event.stop_propagation();
                        toggle(opened);
                    }
                >
                    <FoldIcon open=is_open/> "Levels"
                </button>
            }
        })
    };
    let of = who.clone();
    let fold = move || {
        repeats.get().then(|| {
            let is_folded = move || !unfolded.with(|unfolded| unfolded.contains(&lane));
            view! {
                <button
                    class="bare"
                    aria-pressed=move || is_folded().to_string()
                    aria-label=format!("Fold repetitions of {of}")
                    title="Draw repeated steps as one bar"
                    on:click=move |event: MouseEvent| {
                        event.stop_propagation();
                        toggle(unfolded);
                    }
                >
                    "Fold repetitions"
                </button>
            }
        })
    };
    let why = is_shown.then(|| {
        view! {
            <button
                class="bare"
                aria-label=format!("Why does {who} do this?")
                title="Why this step?"
                on:click=move |event: MouseEvent| {
                    event.stop_propagation();
                    if let Some(anchor) = anchor(&event) {
                        open_reason(session, lane, &anchor);
                    }
                }
            >
                "Why?"
            </button>
        }
    });
    view! { <div class="lane-head">{named} {open} {fold} {why}</div> }
}

impl Drawing {
    /// Returns the width of a length in ticks, in pixels.
    fn pixels(self, ticks: u32) -> f64 {
        f64::from(ticks) / f64::from(self.axis.visible.get().max(1)) * self.axis.pixels.get()
    }

    /// A bar; if it is part of the shown run, a click moves the cursor there and says why.
    fn bar(
        self,
        bar: Bar,
        above: usize,
        whose: Option<String>,
        rows: Rows,
        at: usize,
    ) -> impl IntoView {
        let (last, session, entry) = (self.axis.last, self.session, bar.entry);
        let (class, ending) = match bar.state {
            BarState::Failed => ("bar failed", "failed"),
            BarState::Interrupted => ("bar interrupted", "interrupted"),
            BarState::Stopped => ("bar interrupted", "stopped"),
            BarState::Complete => ("bar complete", "complete"),
            BarState::Running => ("bar running", "in progress"),
        };
        let whose = whose.map_or_else(String::new, |name| format!("{name}: "));
        let words = format!(
            "{whose}{}, ticks {} to {}, {ending}",
            bar.words(),
            bar.start,
            bar.end
        );
        let (start, end, now) = (bar.start, bar.end, self.now);
        let top = format!("{}px", above + LINE * bar.line);
        let is_current = move || now.get().is_some_and(|now| start <= now && now < end);
        let is_chosen = move || session.desk.cursor.get().entry() == Some(entry);
        let label = move || bar.label(self.pixels(end - start));
        view! {
            <button
                class=class
                class:inert=!self.is_shown
                class:current=is_current
                class:to-come=move || now.get().is_none_or(|now| now < start)
                class:on=is_chosen
                disabled=!self.is_shown
                data-row=""
                tabindex=move || if at == 0 { "0" } else { rows.stop(at) }
                aria-label=words.clone()
                title=words
                style:left=percent(start, last)
                style:top=top
                style:width=percent(end - start, last)
                on:focus=move |_| rows.reach(at)
                on:click=move |event| {
                    event.stop_propagation();
                    session.show_entry(entry);
                    ask_at(session, Subject::Entry(entry), &event);
                }
            >
                {label}
            </button>
        }
    }

    /// A task above steps; a click says why.
    fn task(self, bar: TaskBar, row: usize) -> impl IntoView {
        let (last, session) = (self.axis.last, self.session);
        let (plan, node) = bar.node;
        let (start, end, now) = (bar.start, bar.end, self.now);
        let words = format!("{}, ticks {start} to {end}", bar.text);
        let text = bar.text;
        let label = move || match shortened(&text, self.pixels(end - start)) {
            label if label.is_empty() => String::new(),
            // A path is cut by an ellipsis.
            _ => text.clone(),
        };
        view! {
            <button
                class="task-bar"
                class:to-come=move || now.get().is_none_or(|now| now < start)
                disabled=!self.is_shown
                data-row=""
                tabindex="-1"
                aria-label=words.clone()
                title=words
                style:left=percent(start, last)
                style:top=format!("{}px", TASK_ROW * row)
                style:width=percent(end - start, last)
                on:click=move |event| {
                    event.stop_propagation();
                    ask_at(session, Subject::Task { plan: Some(plan), node }, &event);
                }
            >
                {label}
            </button>
        }
    }

    /// The marks of a character, or those of events.
    fn marks(self, character: Option<usize>, rows: Rows, from: usize) -> impl IntoView {
        let (first, last) = self.axis.drawn.get();
        let near = |mark: &Mark| mark.character == character && (first..=last).contains(&mark.tick);
        let marks = self.marks.get().into_iter().filter(near).enumerate();
        marks
            .map(|(at, mark)| self.mark(mark, rows, from + at))
            .collect_view()
    }

    fn mark(self, mark: Mark, rows: Rows, at: usize) -> impl IntoView {
        let (session, entry) = (self.session, mark.entry);
        let words = format!("{}, tick {}", mark.text, mark.tick);
        view! {
            <button
                class=format!("course-mark {}", mark.class)
                disabled=!self.is_shown
                data-row=""
                tabindex=move || if at == 0 { "0" } else { rows.stop(at) }
                aria-label=words.clone()
                title=words
                style:left=percent(mark.tick, self.axis.last)
                on:focus=move |_| rows.reach(at)
                on:click=move |event| {
                    event.stop_propagation();
                    session.show_entry(entry);
                    ask_at(session, Subject::Entry(entry), &event);
                }
            >
                <Icon name=mark.icon size=12/>
            </button>
        }
    }
}

/// Returns the element that was clicked.
fn anchor(event: &MouseEvent) -> Option<HtmlElement> {
    event.current_target()?.dyn_into().ok()
}

fn ask_at(session: Session, subject: Subject, event: &MouseEvent) {
    if let Some(anchor) = anchor(event) {
        ask(session, subject, &anchor);
    }
}

/// Moves the focus among bars and marks. Enter and Space click.
fn key(rows: Rows, event: &KeyboardEvent) {
    let step: i32 = match event.typed_key().as_str() {
        "ArrowRight" => 1,
        "ArrowLeft" => -1,
        // The browser clicks a button.
        "Enter" | " " => return,
        _ => return rows.key(event),
    };
    let list = event
        .current_target()
        .and_then(|list| list.dyn_into::<HtmlElement>().ok());
    if let Some(list) = list {
        event.prevent_default();
        rove(&list, "[data-row]", |current, count| {
            let at = current.unwrap_or(0) as i32 + step;
            at.clamp(0, count.saturating_sub(1) as i32) as usize
        });
    }
}

/// Returns the position of a tick, or a length in ticks, as a part of the axis.
fn percent(tick: u32, last: u32) -> String {
    format!("{:.3}%", f64::from(tick) / f64::from(last.max(1)) * 100.0)
}

/// The line at the cursor's tick. It moves by its transform, so that nothing is laid out or painted
/// again.
#[component]
pub fn Now(
    /// The last tick of the axis.
    last: u32,
    /// If `true`, it has a handle with the tick's number.
    #[prop(optional)]
    has_handle: bool,
) -> impl IntoView {
    let session = Session::expect();
    let now = Memo::new(move |_| session.tick().map(|tick| tick.min(last)));
    let part = move || f64::from(now.get().unwrap_or(0)) / f64::from(last.max(1)) * 100.0;
    let mark = match has_handle {
        true => view! { <div class="now-handle">{move || now.get()}</div> }.into_any(),
        false => view! { <div class="now"></div> }.into_any(),
    };
    view! {
        <div
            class="now-axis"
            aria-hidden="true"
            class:away=move || now.get().is_none()
            style:transform=move || format!("translateX({:.3}%)", part())
        >
            {mark}
        </div>
    }
}
