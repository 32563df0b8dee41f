//! The run along its ticks: what was carried out and what came between, with a slider that goes through it and plays it.

use gloo::timers::callback::Interval;
use leptos::prelude::*;
use taskloom::runtime::{Cause, Execution, Run, RunEnd, TaskState};

use super::super::plan::steps::{cursor_at, look, show, task_of, tick};
use crate::session::Session;
use taskloom::runtime::Entry;

/// Steps that are a smaller part of the whole are too thin to be seen.
const THINNEST: f64 = 0.0005;

/// How many ticks are played in a second.
const SPEEDS: [u32; 5] = [1, 2, 4, 10, 30];

/// How much room the marks take above the bars, in pixels.
const MARKS: usize = 18;

/// A lane's height in pixels, with the gap to the next.
const LANE: usize = 26;

/// What is drawn of a run, in ticks.
#[derive(Debug, PartialEq)]
struct Bar {
    /// The line from the top.
    line: usize,
    start: u32,
    end: u32,
    state: TaskState,
    text: String,
    entry: Entry,
}

/// Something that took no time: an event, or a plan that was made anew.
#[derive(Debug, PartialEq)]
struct Mark {
    tick: u32,
    class: &'static str,
    sign: &'static str,
    text: &'static str,
}

/// The course of a run, and the tick of it that is looked at.
#[component]
pub fn Course(
    /// What happened.
    run: Run,
    /// What the characters are called, where there are several.
    names: Vec<String>,
) -> impl IntoView {
    let session = Session::expect();
    let last = last(&run);
    let whole = f64::from(last.max(1));
    let percent = move |tick: u32| format!("{:.3}%", f64::from(tick) / whole * 100.0);
    let now = move || tick(session).map(|tick| tick.min(last));
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
                style:left=percent(bar.start)
                style:top=format!("{}px", MARKS + LANE * bar.line)
                style:width=percent(bar.end - bar.start)
                title=title
                on:click=move |_| look(session, entry)
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
    let lines = lines(&run, names.len().max(1));
    let (tops, all) = (lines.clone(), lines.last().copied().unwrap_or(1));
    let lane = move |(number, name): (usize, &String)| {
        let (top, next) = (tops[number], tops[number + 1]);
        let shown = move || session.character.get() == number;
        view! {
            <div
                class="lane"
                class:on=shown
                style:top=format!("{}px", MARKS + LANE * top)
                style:height=(next > top + 1).then(|| format!("{}px", LANE * (next - top) - 2))
                title=format!("Show {name}")
                on:click=move |_| show(session, number)
            ></div>
        }
    };
    let lanes = names.iter().enumerate().map(lane).collect_view();
    let height = MARKS + LANE * all;
    let bars = bars(&run, &names, &lines).into_iter();
    let bars = bars
        .filter(|bar| bar.end == bar.start || f64::from(bar.end - bar.start) / whole >= THINNEST);
    let bars = bars.map(bar).collect_view();
    let marks = marks(&run).into_iter().map(mark).collect_view();
    view! {
        <Scrubber last/>
        <div class="course" aria-hidden="true" style:height=format!("{height}px")>
            {lanes}
            {bars}
            {marks}
            <Show when=move || now().is_some()>
                <div class="now" style:left=move || percent(now().unwrap_or(0))></div>
            </Show>
        </div>
    }
}

/// Goes through the run: plays it, and has a slider for its tick.
#[component]
pub fn Scrubber(
    /// The last tick that is shown.
    last: u32,
) -> impl IntoView {
    let session = Session::expect();
    let now = move || tick(session).map(|tick| tick.min(last));
    let go = move |tick: u32| {
        let cursor = session.answer.with_untracked(|answer| {
            let run = answer.as_ref()?.run.as_ref()?;
            let character = session.character.get_untracked();
            Some(cursor_at(run, tick.min(last), character))
        });
        session.cursor.set(cursor.unwrap_or_default());
    };
    view! {
        <div class="course-bar">
            <Player last now=Signal::derive(now) go=Callback::new(go)/>
            <span class="dim course-tick">
                {move || now().map_or(format!("{last} ticks"), |tick| format!("tick {tick} of {last}"))}
            </span>
        </div>
        <input
            type="range"
            class="course-slider"
            aria-label="Tick of the run"
            aria-valuetext=move || now().map_or("before the run".to_owned(), |tick| format!("tick {tick}"))
            min="0"
            max=last
            step="1"
            prop:value=move || now().unwrap_or(0).to_string()
            on:input=move |event| go(event_target_value(&event).parse().unwrap_or(0))
        />
    }
}

/// Plays a run, tick by tick.
#[component]
fn Player(last: u32, #[prop(into)] now: Signal<Option<u32>>, go: Callback<u32>) -> impl IntoView {
    let speed = RwSignal::new(SPEEDS[2]);
    let playing = RwSignal::new(false);
    let timer = StoredValue::new_local(None::<Interval>);
    Effect::new(move || {
        // The one before it is dropped, and beats no more.
        let beat = playing.get().then(|| {
            Interval::new(1_000 / speed.get(), move || match now.get_untracked() {
                Some(tick) if tick >= last => playing.set(false),
                tick => go.run(tick.map_or(0, |tick| tick + 1)),
            })
        });
        timer.set_value(beat);
    });
    let toggle = move |_| {
        // From its end it is played again.
        if !playing.get_untracked() && now.get_untracked().is_none_or(|tick| tick >= last) {
            go.run(0);
        }
        playing.update(|playing| *playing = !*playing);
    };
    view! {
        <button class="play" on:click=toggle>
            {move || if playing.get() { "❚❚ Pause" } else { "▶ Play" }}
        </button>
        <select
            aria-label="Speed"
            title="How fast it plays"
            on:change=move |event| speed.set(event_target_value(&event).parse().unwrap_or(SPEEDS[2]))
        >
            {SPEEDS
                .map(|each| {
                    view! {
                        <option value=each selected=each == SPEEDS[2]>
                            {if each == 1 { "1 tick a second".to_owned() } else { format!("{each} ticks a second") }}
                        </option>
                    }
                })
                .collect_view()}
        </select>
    }
}

/// The last tick of a run that is shown. One that was cut off while it waited is not shown waiting for long.
pub fn last(run: &Run) -> u32 {
    if run.end != RunEnd::OutOfTicks {
        return run.ticks;
    }
    let events = run.events.iter().map(|event| event.tick);
    let plans = run.plans.iter().map(|planning| planning.tick);
    let steps = run.executed.iter();
    let steps = steps.map(|step| step.end.or(step.acted).unwrap_or(step.start));
    let busy = events.chain(plans).chain(steps).max().unwrap_or(0);
    run.ticks.min(busy + busy / 4 + 1)
}

/// The first line of each of so many characters, and how many there are: each has one more for each
/// step that is in progress beside others.
fn lines(run: &Run, characters: usize) -> Vec<usize> {
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

fn bars(run: &Run, names: &[String], firsts: &[usize]) -> Vec<Bar> {
    let last = last(run);
    let lines = run.lines();
    let bar = |(at, step): (usize, &Execution)| {
        let lane = run.character_of(Entry::Step(at))?;
        let task = task_of(run, step)?;
        Some(Bar {
            line: firsts.get(lane)? + lines[at],
            start: step.start.min(last),
            end: step.end.unwrap_or(last).clamp(step.start.min(last), last),
            state: step.state,
            text: match names.get(lane) {
                Some(name) => format!("{name}: {task}"),
                None => task.to_string(),
            },
            entry: Entry::Step(at),
        })
    };
    run.executed.iter().enumerate().filter_map(bar).collect()
}

fn marks(run: &Run) -> Vec<Mark> {
    let events = run.events.iter().map(|event| Mark {
        tick: event.tick,
        class: "event",
        sign: "⚡",
        text: "an event of the scenario",
    });
    // The first is how each run begins.
    let plans = run
        .plans
        .iter()
        .filter(|planning| planning.cause != Cause::Start);
    let plans = plans.map(|planning| Mark {
        tick: planning.tick,
        class: "replan",
        sign: "⟳",
        text: "plans again",
    });
    events.chain(plans).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom::document::Document;
    use taskloom::planner::plan::Budget;
    use taskloom::runtime::simulate;

    fn drawn(scenario: &str) -> String {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let run = simulate(
            &document,
            &scenario.parse().unwrap(),
            Budget::default(),
            10_000,
        );
        let bars = bars(&run, &[], &lines(&run, 1)).into_iter();
        let bars =
            bars.map(|bar| format!("{}..{} {} {:?}", bar.start, bar.end, bar.text, bar.state));
        let marks = marks(&run).into_iter();
        let marks = marks.map(|mark| format!("{} {}", mark.tick, mark.text));
        let lines: Vec<String> = bars
            .chain(marks)
            .chain([format!("{} ticks", last(&run))])
            .collect();
        lines.join("\n")
    }

    #[test]
    fn steps_are_bars_and_events_and_plans_anew_are_marks() {
        assert_eq!(
            drawn("case-5-the-box-slams-shut"),
            "0..3 walk-to(box) Complete\n3..4 take-ball Failed\n5..6 open-box Complete\n6..8 take-ball Complete\n\
             4 an event of the scenario\n5 plans again\n8 ticks"
        );
    }

    #[test]
    fn a_run_that_waits_until_it_is_cut_off_is_shown_as_far_as_something_happens() {
        let run = Run {
            end: RunEnd::OutOfTicks,
            ticks: 10_000,
            ..Run::default()
        };
        assert_eq!(last(&run), 1);
    }
}
