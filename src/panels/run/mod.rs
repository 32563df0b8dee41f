//! What happened: the run's course along its ticks, and its record, line by line.

mod chart;
mod compare;
mod course;
mod lanes;
mod scrubber;

use leptos::prelude::*;
use taskloom::planner::plan::{Change, Outcome};
use taskloom::runtime::{
    Cause, Entry, Execution, Happening, MOST_PLANS, Planning, Run, RunEnd, TaskState,
};

use super::plan::steps::{because, look, task_of};
use crate::session::{Session, names};
use crate::ui::more::{More, ROWS};
use crate::ui::rows::Rows;
use crate::worker::Answer;
pub use chart::NumberCourse;
use course::Course;
pub use course::last_of;
pub use scrubber::Scrubber;

/// One line of the run.
#[derive(Clone)]
struct Line {
    tick: u32,
    class: &'static str,
    mark: &'static str,
    text: String,
    detail: String,
    entry: Entry,
}

/// The run, tick by tick.
#[component]
pub fn RunTab() -> impl IntoView {
    let session = Session::expect();
    let answer = move || session.answer.get();
    let chart = RwSignal::new(None);
    // Who goes through the ticks changes no row.
    let chosen = Memo::new(move |_| session.cursor.get().entry());
    view! {
        <div class="run">
            {move || {
                let Some((answer, entries)) = answer().and_then(|a| Some((a.clone(), a.run.as_ref()?.entries()))) else {
                    return view! { <p class="hint">"There is nothing to run."</p> }.into_any();
                };
                let names = names(&session.document_untracked(), &answer.scenario);
                let (class, end) = answer.run.as_ref().map(end).unwrap_or_default();
                let count = entries.len();
                let shown = RwSignal::new(ROWS);
                let rows = Rows::new();
                let row = {
                    let (answer, names) = (answer.clone(), names.clone());
                    // Of a long run few lines are ever looked at.
                    move |at: usize| {
                        let line = entries.get(at).and_then(|entry| line(session, &answer, *entry, &names));
                        line.map(|line| view! { <LineView line at rows chosen/> })
                    }
                };
                view! {
                    <Course answer names chart/>
                    <div role="listbox" aria-label="Simulated run" on:keydown=move |event| rows.key(&event)>
                        <For each=move || 0..shown.get().min(count) key=|at| *at children=row/>
                    </div>
                    <More shown all=Signal::stored(count)/>
                    <p class=format!("run-end {class}")>{end}</p>
                }
                    .into_any()
            }}
        </div>
    }
}

#[component]
fn LineView(line: Line, at: usize, rows: Rows, chosen: Memo<Option<Entry>>) -> impl IntoView {
    let session = Session::expect();
    let entry = line.entry;
    let chosen = move || chosen.get() == Some(entry);
    let title = line.detail.clone();
    view! {
        <div
            class=format!("run-line {}", line.class)
            class:on=chosen
            role="option"
            data-row=""
            tabindex=move || rows.stop(at)
            aria-selected=move || chosen().to_string()
            on:focus=move |_| rows.reach(at)
            on:click=move |_| look(session, entry)
        >
            <span class="tick">{line.tick}</span>
            <span class="mark" aria-hidden="true">{line.mark}</span>
            <span class="task">{line.text}</span>
            <span class="dim" title=title>{line.detail}</span>
        </div>
    }
}

fn line(session: Session, answer: &Answer, entry: Entry, names: &[String]) -> Option<Line> {
    let run = answer.run.as_ref()?;
    let (class, mark, text, detail) = match entry {
        Entry::Event(at) => {
            let happening = run.events.get(at)?;
            let (event, is_by_hand) = session.event(answer, happening.event).unwrap_or_default();
            let (mark, what) = if is_by_hand {
                ("✎", "set by hand")
            } else {
                ("⚡", "event")
            };
            let text = format!("{what}: {}", event.effect);
            ("event", mark, text, of_event(happening))
        }
        Entry::Perception(at) => {
            let seen = changed(&run.perceptions.get(at)?.changes);
            ("event", "◉", "perceives".to_owned(), seen)
        }
        Entry::Planning(at) => {
            let (text, detail) = of_planning(run, run.plans.get(at)?);
            ("replan", "⟳", text, detail)
        }
        Entry::Step(at) => {
            let step = run.executed.get(at)?;
            let (class, mark) = match step.state {
                TaskState::Failed => ("failed", "✗"),
                TaskState::Planned | TaskState::InProgress => ("running", "…"),
                TaskState::Complete => ("complete", "✓"),
            };
            let task = task_of(run, step)?;
            let text = match (step.state, step.end) {
                (TaskState::InProgress, _) => format!("{task} in progress"),
                (_, Some(end)) if end != step.start => format!("{task} until {end}"),
                _ => task.to_string(),
            };
            (class, mark, text, of_step(step))
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

fn of_event(happening: &Happening) -> String {
    match &happening.refused {
        Some(reason) => format!("cannot happen: {reason}"),
        None if happening.changes.is_empty() => "changes nothing".to_owned(),
        None => changed(&happening.changes),
    }
}

fn of_planning(run: &Run, planning: &Planning) -> (String, String) {
    let plans = match planning.cause {
        Cause::Start => "plans",
        Cause::Onward => "goes on",
        _ => "plans again",
    };
    let waits = if run.ticks > planning.tick {
        "; waits"
    } else {
        ""
    };
    let found = match &planning.outcome {
        Ok(Outcome::Plan(plan)) if plan.steps.len() == 1 => "1 step".to_owned(),
        Ok(Outcome::Plan(plan)) => format!("{} steps", plan.steps.len()),
        Ok(Outcome::NoPlan) => format!("no plan{waits}"),
        Ok(Outcome::GaveUp(_)) => format!("gave up{waits}"),
        Ok(Outcome::Stopped) => "stopped".to_owned(),
        Ok(Outcome::NotPlanned(_)) => format!("no task to plan for{waits}"),
        Err(_) => format!("found a plan that is wrong{waits}"),
    };
    let why = match planning.cause {
        Cause::Start => String::new(),
        cause => because(run, cause).trim_start().to_owned(),
    };
    let detail = match &planning.outcome {
        Err(fault) => format!("a fault of the planner: {fault}"),
        Ok(_) => why,
    };
    (format!("{plans}: {found}"), detail)
}

/// What a step changed, and what became of it.
fn of_step(step: &Execution) -> String {
    let mut parts = vec![];
    parts.extend(step.reason.as_ref().map(ToString::to_string));
    if let Some(acted) = step.acted {
        let waited = step.end != Some(acted);
        let changes = changed(&step.changes);
        match (waited, changes.is_empty()) {
            (false, true) => {}
            (false, false) => parts.push(changes),
            (true, true) => parts.push(format!("done at tick {acted}, then waited")),
            (true, false) => parts.push(format!("{changes} at tick {acted}, then waited")),
        }
    }
    parts.join("; ")
}

fn changed(changes: &[Change]) -> String {
    let texts: Vec<String> = changes
        .iter()
        .map(|c| format!("{} = {}", c.atom, c.after))
        .collect();
    texts.join(", ")
}

/// How the run ended, in a sentence.
fn end(run: &Run) -> (&'static str, String) {
    let tick = run.ticks;
    let text = match &run.end {
        RunEnd::Complete => return ("ok", format!("The run completes at tick {tick}.")),
        RunEnd::GoalMissed(part) => {
            format!("The tasks are complete at tick {tick}, but the goal does not hold: {part}.")
        }
        RunEnd::Endless => {
            let text = format!("The characters go on for ever; watched until tick {tick}.");
            return ("ok", text);
        }
        RunEnd::Failed => format!(
            "The run fails at tick {tick}: there is no plan, and no event is to come that could open a way."
        ),
        RunEnd::OutOfTicks => format!("The run was cut off at tick {tick}{}.", hanging(run)),
        RunEnd::OutOfPlans => {
            format!("The run was cut off at tick {tick}: {MOST_PLANS} plans have failed.")
        }
        RunEnd::Stopped => format!("The run was stopped at tick {tick}."),
    };
    ("no", text)
}

/// What a run that is cut off was waiting for, or why it would have gone on for ever.
fn hanging(run: &Run) -> String {
    if let Some([one, other]) = run.undoing() {
        return format!(": the goals '{one}' and '{other}' undo each other");
    }
    let last = run.executed.last();
    let of = last.and_then(|step| Some(run.plans.get(step.plan)?.character));
    // Those of one character, which may be side by side.
    let is_meant = |(at, step): &(usize, &Execution)| {
        step.state == TaskState::InProgress && run.character_of(Entry::Step(*at)) == of
    };
    let steps = run.executed.iter().enumerate().filter(is_meant);
    let told = steps.filter_map(|(_, step)| {
        let task = task_of(run, step)?;
        Some(format!("{task}, {}", step.reason.as_ref()?))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        String::new()
    } else {
        format!(": {}", told.join("; "))
    }
}
