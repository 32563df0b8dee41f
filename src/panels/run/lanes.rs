//! The drawing of a run along its ticks: a lane of steps per character, with marks above them for
//! events and replanning.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::runtime::{Cause, Entry, Run, StepExecution, TaskState};

use super::axis::Axis;
use crate::session::{Session, task_of};
use crate::worker::Answer;

/// The minimum width of a bar, as a part of the whole. Smaller ones are merged with their
/// neighbors: they couldn't be read, and each bar costs time in every frame.
const THINNEST: f64 = 1.0 / 150.0;

/// The height of the marks above the bars, in pixels.
const MARKS: usize = 18;

/// A lane's height in pixels, with the gap to the next.
const LANE: usize = 26;

/// A bar of a run, in ticks.
#[derive(Debug, Clone, PartialEq)]
struct Bar {
    /// The index of its character.
    lane: usize,
    /// The line from the top.
    line: usize,
    start: u32,
    end: u32,
    state: TaskState,
    text: String,
    /// The number of steps that it stands for.
    count: usize,
    /// The first of them.
    entry: Entry,
}

/// Something that took no time: an event or a replan.
#[derive(Debug, Clone, PartialEq)]
struct Mark {
    tick: u32,
    class: &'static str,
    sign: &'static str,
    text: String,
}

/// Draws the lanes of a run. Screen readers get them in words elsewhere.
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
    let run = if is_shown {
        answer.run.as_ref()
    } else {
        answer.compared.as_ref()
    };
    let firsts = run.map_or_else(|| vec![0], |run| firsts(run, names.len().max(1)));
    let height = MARKS + LANE * firsts.last().copied().unwrap_or(1);
    let lanes = lanes(session, &names, &firsts);
    let run = run.cloned();
    let (drawn_bars, drawn_marks) = {
        // How thin a bar is depends on the zoom; what is far outside isn't drawn.
        let run = StoredValue::new(run);
        let all_bars = Memo::new(move |_| {
            let visible = axis.visible.get();
            run.with_value(|run| {
                run.as_ref()
                    .map_or_else(Vec::new, |run| bars(run, &names, &firsts, (last, visible)))
            })
        });
        let all_marks = Memo::new(move |_| {
            let visible = axis.visible.get();
            let is_by_hand = |event| by_hand.get(event) == Some(&true);
            run.with_value(|run| {
                run.as_ref()
                    .map_or_else(Vec::new, |run| marks(run, (last, visible), is_by_hand))
            })
        });
        let drawn_bars = move || {
            let (from, to) = axis.drawn.get();
            let near = |bar: &&Bar| bar.start <= to && bar.end >= from;
            all_bars.with(|all| {
                all.iter()
                    .filter(near)
                    .cloned()
                    .map(|bar| bar_view(session, bar, last, is_shown))
                    .collect_view()
            })
        };
        let drawn_marks = move || {
            let (from, to) = axis.drawn.get();
            let near = |mark: &&Mark| (from..=to).contains(&mark.tick);
            all_marks.with(|all| {
                all.iter()
                    .filter(near)
                    .cloned()
                    .map(|mark| mark_view(mark, last))
                    .collect_view()
            })
        };
        (drawn_bars, drawn_marks)
    };
    view! {
        <div class="course" aria-hidden="true" style:height=format!("{height}px")>
            {lanes}
            {drawn_bars}
            {drawn_marks}
            <Now last/>
        </div>
    }
}

/// The lanes of the characters, each with its lines.
fn lanes(session: Session, names: &[String], tops: &[usize]) -> impl IntoView + use<> {
    let lane = move |(number, name): (usize, &String)| {
        let top = tops.get(number).copied().unwrap_or(0);
        let below = tops.get(number + 1).copied().unwrap_or(top + 1);
        let shown = move || session.desk.character.get() == number;
        view! {
            <div
                class="lane"
                class:on=shown
                style:top=format!("{}px", MARKS + LANE * top)
                style:height=(below > top + 1).then(|| format!("{}px", LANE * (below - top) - 2))
                title=format!("Show {name}")
                on:click=move |_| session.show_character(number)
            ></div>
        }
    };
    names.iter().enumerate().map(lane).collect_view()
}

/// Returns the position of a tick, or a length in ticks, as a part of the axis.
fn percent(tick: u32, last: u32) -> String {
    format!("{:.3}%", f64::from(tick) / f64::from(last.max(1)) * 100.0)
}

/// A bar; if it is part of the shown run, a click moves the cursor there.
fn bar_view(session: Session, bar: Bar, last: u32, is_shown: bool) -> impl IntoView {
    let state = match bar.state {
        TaskState::Failed => "failed",
        TaskState::Complete => "complete",
        TaskState::Planned | TaskState::InProgress => "running",
    };
    let (title, entry) = (bar.text.clone(), bar.entry);
    view! {
        <div
            class=format!("bar {state}")
            class:inert=!is_shown
            style:left=percent(bar.start, last)
            style:top=format!("{}px", MARKS + LANE * bar.line)
            style:width=percent(bar.end - bar.start, last)
            title=title
            on:click=move |_| if is_shown { session.show_entry(entry) }
        >
            {bar.text}
        </div>
    }
}

fn mark_view(mark: Mark, last: u32) -> impl IntoView {
    let class = format!("course-mark {}", mark.class);
    view! {
        <span class=class style:left=percent(mark.tick, last) title=mark.text>{mark.sign}</span>
    }
}

/// The line at the cursor's tick. It moves by its transform, so that nothing is laid out or painted
/// again.
#[component]
pub fn Now(
    /// The last tick of the axis.
    last: u32,
) -> impl IntoView {
    let session = Session::expect();
    let now = Memo::new(move |_| session.tick().map(|tick| tick.min(last)));
    let part = move || f64::from(now.get().unwrap_or(0)) / f64::from(last.max(1)) * 100.0;
    view! {
        <div
            class="now-axis"
            class:away=move || now.get().is_none()
            style:transform=move || format!("translateX({:.3}%)", part())
        >
            <div class="now"></div>
        </div>
    }
}

/// Returns the first line of each character, and the number of lines: each character has one more
/// for each step that is in progress in parallel with others.
fn firsts(run: &Run, characters: usize) -> Vec<usize> {
    let mut most = vec![1; characters];
    for (at, line) in run.lanes().into_iter().enumerate() {
        let character = run.character_of(Entry::Step(at));
        if let Some(most) = character.and_then(|character| most.get_mut(character)) {
            *most = (line + 1).max(*most);
        }
    }
    let sums = most.iter().scan(0, |sum, lines| {
        *sum += lines;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

/// Returns the bars of a run; thin ones are merged as long as they end in the same state.
fn bars(run: &Run, names: &[String], firsts: &[usize], (last, visible): (u32, u32)) -> Vec<Bar> {
    let thinnest = f64::from(visible.max(1)) * THINNEST;
    let lines = run.lanes();
    let bar = |(at, step): (usize, &StepExecution)| {
        let lane = run.character_of(Entry::Step(at))?;
        let start = step.start.min(last);
        Some(Bar {
            lane,
            line: firsts.get(lane)? + lines[at],
            start,
            end: step.end.unwrap_or(last).clamp(start, last),
            state: step.state,
            text: task_of(run, step)?.to_string(),
            count: 1,
            entry: Entry::Step(at),
        })
    };
    let is_thin = |bar: &Bar| f64::from(bar.end - bar.start) < thinnest;
    let mut bars: Vec<Bar> = vec![];
    // The last bar of each line.
    let mut ends: Vec<Option<usize>> = vec![];
    for bar in run.executed.iter().enumerate().filter_map(bar) {
        if ends.len() <= bar.line {
            ends.resize(bar.line + 1, None);
        }
        let before = ends[bar.line].and_then(|at| bars.get_mut(at));
        match before {
            // A step without a duration is shown by its mark and its entry.
            Some(before)
                if is_thin(&bar)
                    && before.state == bar.state
                    && (before.count > 1 || is_thin(before))
                    && f64::from(bar.start.saturating_sub(before.end)) < thinnest =>
            {
                before.count += 1;
                before.end = before.end.max(bar.end);
            }
            _ => {
                ends[bar.line] = Some(bars.len());
                bars.push(bar);
            }
        }
    }
    for bar in &mut bars {
        if bar.count > 1 {
            bar.text = format!("{} steps", bar.count);
        }
        if let Some(name) = names.get(bar.lane) {
            bar.text = format!("{name}: {}", bar.text);
        }
    }
    bars
}

/// Returns the marks of a run; of those that would overlap, the first.
fn marks(run: &Run, (last, visible): (u32, u32), is_by_hand: impl Fn(usize) -> bool) -> Vec<Mark> {
    let thinnest = f64::from(visible.max(1)) * THINNEST;
    let events = run.events.iter().map(|event| {
        let (class, sign, text) = if is_by_hand(event.event) {
            ("by-hand", "✎", "override")
        } else {
            ("event", "⚡", "an event of the scenario")
        };
        (event.tick, class, sign, text)
    });
    // The first plan begins each run, and a reactive character just continues after each step.
    let plans = run.plans.iter();
    let plans = plans.filter(|planning| !matches!(planning.cause, Cause::Start | Cause::Onward));
    let plans = plans.map(|planning| (planning.tick, "replan", "⟳", "replans"));
    let mut marks: Vec<(Mark, usize)> = vec![];
    for (tick, class, sign, text) in events.chain(plans).filter(|(tick, ..)| *tick <= last) {
        let before = marks.iter_mut().rev().find(|(mark, _)| mark.class == class);
        match before {
            Some((mark, more)) if f64::from(tick - mark.tick.min(tick)) < thinnest => *more += 1,
            _ => {
                let text = text.to_owned();
                let mark = Mark {
                    tick,
                    class,
                    sign,
                    text,
                };
                marks.push((mark, 0));
            }
        }
    }
    let counted = |(mark, more): (Mark, usize)| match more {
        0 => mark,
        more => Mark {
            text: format!("{}, and {more} more", mark.text),
            ..mark
        },
    };
    marks.into_iter().map(counted).collect()
}

#[cfg(test)]
mod tests {
    use super::super::axis::last;
    use super::*;
    use taskloom::document::Document;
    use taskloom::domain::Domain;
    use taskloom::planner::plan::Budget;
    use taskloom::runtime::simulate;

    fn drawn(document: &Document, scenario: &str, most: u32) -> Vec<String> {
        let run = simulate(
            &Domain::from(document),
            &scenario.parse().unwrap(),
            Budget::default(),
            most,
        );
        let last = last(&run);
        let bars = bars(&run, &[], &firsts(&run, 1), (last, last)).into_iter();
        let bars =
            bars.map(|bar| format!("{}..{} {} {:?}", bar.start, bar.end, bar.text, bar.state));
        let marks = marks(&run, (last, last), |_| false).into_iter();
        let marks = marks.map(|mark| format!("{} {}", mark.tick, mark.text));
        bars.chain(marks).chain([format!("{last} ticks")]).collect()
    }

    #[test]
    fn steps_are_bars_and_events_and_replans_are_marks() {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        assert_eq!(
            drawn(&document, "case-5-the-box-slams-shut", 10_000).join("\n"),
            "0..3 walk-to(box) Complete\n3..4 take-ball Failed\n5..6 open-box Complete\n6..8 take-ball Complete\n\
             4 an event of the scenario\n5 replans\n8 ticks"
        );
    }

    #[test]
    fn long_runs_draw_only_visible_detail() {
        let text = r#"{ "taskloom": 2, "facts": { "n": { "value": { "number": {} }, "source": "memory" } },
            "actions": { "Act": { "duration": "1" } },
            "primitive_tasks": { "count": { "action": "Act", "effects": [{ "text": "n += 1" }] } },
            "agents": { "clerk": { "planning": { "decomposition": { "tasks": ["count"] } },
                "triggers": { "complete": "again" } } },
            "scenarios": { "s": { "cast": [{ "agent": "clerk" }], "events": [{ "at": 0, "every": 1, "effect": "n += 1" }] } } }"#;
        let document = Document::from_json(text).unwrap();
        let drawn = drawn(&document, "s", 5_000);
        assert!(drawn.len() < 1_000, "{} bars and marks", drawn.len());
    }
}
