//! What is drawn of a run along its ticks: a lane of steps a character, with marks above them for
//! what came between.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::runtime::{Cause, Entry, Execution, Run, TaskState};

use super::super::plan::steps::{look, show, task_of, tick};
use super::axis::Axis;
use crate::session::Session;
use crate::worker::Answer;

/// Bars are at least this part of the whole wide. What is smaller is drawn together with what
/// stands beside it: it could not be read, and each bar costs time in every frame.
const THINNEST: f64 = 1.0 / 150.0;

/// How much room the marks take above the bars, in pixels.
const MARKS: usize = 18;

/// A lane's height in pixels, with the gap to the next.
const LANE: usize = 26;

/// What is drawn of a run, in ticks.
#[derive(Debug, Clone, PartialEq)]
struct Bar {
    /// Of which character.
    lane: usize,
    /// The line from the top.
    line: usize,
    start: u32,
    end: u32,
    state: TaskState,
    text: String,
    /// How many steps it is.
    count: usize,
    /// The first of them.
    entry: Entry,
}

/// Something that took no time: an event, or a plan that was made anew.
#[derive(Debug, Clone, PartialEq)]
struct Mark {
    tick: u32,
    class: &'static str,
    sign: &'static str,
    text: String,
}

/// The lanes of a run. They are told in words elsewhere.
#[component]
pub fn Lanes(
    /// What happened.
    answer: Arc<Answer>,
    /// What the characters are called, where there are several.
    names: Vec<String>,
    axis: Axis,
    /// Which of the events were set by hand.
    by_hand: Vec<bool>,
    /// Whether it is the run that the panels are about, of which what is clicked is looked at;
    /// otherwise it is the one that is compared with it.
    is_shown: bool,
) -> impl IntoView {
    let session = Session::expect();
    let last = axis.last;
    let whole = f64::from(last.max(1));
    let percent = move |tick: u32| format!("{:.3}%", f64::from(tick) / whole * 100.0);
    let bar = move |bar: Bar| {
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
                style:left=percent(bar.start)
                style:top=format!("{}px", MARKS + LANE * bar.line)
                style:width=percent(bar.end - bar.start)
                title=title
                on:click=move |_| if is_shown { look(session, entry) }
            >
                {bar.text}
            </div>
        }
    };
    let mark = move |mark: Mark| {
        view! {
            <span class=format!("course-mark {}", mark.class) style:left=percent(mark.tick) title=mark.text>
                {mark.sign}
            </span>
        }
    };
    let run = if is_shown {
        answer.run.as_ref()
    } else {
        answer.compared.as_ref()
    };
    let firsts = run.map_or_else(|| vec![0], |run| firsts(run, names.len().max(1)));
    let height = MARKS + LANE * firsts.last().copied().unwrap_or(1);
    let tops = firsts.clone();
    let lane = move |(number, name): (usize, &String)| {
        let top = tops.get(number).copied().unwrap_or(0);
        let below = tops.get(number + 1).copied().unwrap_or(top + 1);
        let shown = move || session.character.get() == number;
        view! {
            <div
                class="lane"
                class:on=shown
                style:top=format!("{}px", MARKS + LANE * top)
                style:height=(below > top + 1).then(|| format!("{}px", LANE * (below - top) - 2))
                title=format!("Show {name}")
                on:click=move |_| show(session, number)
            ></div>
        }
    };
    let lanes = names.clone();
    let lanes = lanes.iter().enumerate().map(lane).collect_view();
    let run = run.cloned();
    let (drawn_bars, drawn_marks) = {
        // What is thin depends on the zoom, and what is far outside isn't drawn.
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
            all_bars.with(|all| all.iter().filter(near).cloned().map(bar).collect_view())
        };
        let drawn_marks = move || {
            let (from, to) = axis.drawn.get();
            let near = |mark: &&Mark| (from..=to).contains(&mark.tick);
            all_marks.with(|all| all.iter().filter(near).cloned().map(mark).collect_view())
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

/// The line at the tick that is looked at. It moves by its transform: nothing is laid out or painted anew.
#[component]
pub fn Now(
    /// The last tick of the axis.
    last: u32,
) -> impl IntoView {
    let session = Session::expect();
    let now = Memo::new(move |_| tick(session).map(|tick| tick.min(last)));
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

/// The first line of each of so many characters, and how many there are: each has one more for each
/// step that is in progress beside others.
fn firsts(run: &Run, characters: usize) -> Vec<usize> {
    let mut most = vec![1; characters];
    for (at, line) in run.lines().into_iter().enumerate() {
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

/// The bars of a run; those that are thin are drawn together, as long as they end alike.
fn bars(run: &Run, names: &[String], firsts: &[usize], (last, visible): (u32, u32)) -> Vec<Bar> {
    let thinnest = f64::from(visible.max(1)) * THINNEST;
    let lines = run.lines();
    let bar = |(at, step): (usize, &Execution)| {
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
            // What takes no time is told by its mark and its line.
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

/// The marks of a run; of those that would stand upon each other, the first.
fn marks(run: &Run, (last, visible): (u32, u32), is_by_hand: impl Fn(usize) -> bool) -> Vec<Mark> {
    let thinnest = f64::from(visible.max(1)) * THINNEST;
    let events = run.events.iter().map(|event| {
        let (class, sign, text) = if is_by_hand(event.event) {
            ("by-hand", "✎", "set by hand")
        } else {
            ("event", "⚡", "an event of the scenario")
        };
        (event.tick, class, sign, text)
    });
    // The first is how each run begins; and who looks no further than a step goes on to the next.
    let plans = run.plans.iter();
    let plans = plans.filter(|planning| !matches!(planning.cause, Cause::Start | Cause::Onward));
    let plans = plans.map(|planning| (planning.tick, "replan", "⟳", "plans again"));
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
    let told = |(mark, more): (Mark, usize)| match more {
        0 => mark,
        more => Mark {
            text: format!("{}, and {more} more", mark.text),
            ..mark
        },
    };
    marks.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::super::course::last;
    use super::*;
    use taskloom::document::Document;
    use taskloom::planner::plan::Budget;
    use taskloom::runtime::simulate;

    fn drawn(document: &Document, scenario: &str, most: u32) -> Vec<String> {
        let run = simulate(
            document,
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
    fn steps_are_bars_and_events_and_plans_anew_are_marks() {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        assert_eq!(
            drawn(&document, "case-5-the-box-slams-shut", 10_000).join("\n"),
            "0..3 walk-to(box) Complete\n3..4 take-ball Failed\n5..6 open-box Complete\n6..8 take-ball Complete\n\
             4 an event of the scenario\n5 plans again\n8 ticks"
        );
    }

    #[test]
    fn of_a_long_run_no_more_is_drawn_than_can_be_seen() {
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
