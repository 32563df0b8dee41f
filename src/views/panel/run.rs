//! What the simulator did: executions, failures, events and replanning.

use leptos::prelude::*;
use taskloom_core::plan::{Change, Outcome};
use taskloom_core::simulate::{Execution, Run, RunEnd, TaskState};

use super::steps::plan_at;
use crate::keyed::For;
use crate::session::{Cursor, Session};
use crate::views::more::{More, ROWS};

/// One line of the run.
#[derive(Clone)]
struct Line {
    tick: u32,
    /// Within a tick: events, ends, plans, starts.
    order: u8,
    class: &'static str,
    mark: &'static str,
    text: String,
    detail: String,
    cursor: Option<Cursor>,
}

/// The run, tick by tick.
#[component]
pub fn RunTab() -> impl IntoView {
    let session = Session::expect();
    let answer = move || session.answer.get();
    view! {
        <div class="run">
            {move || {
                let Some((answer, run)) = answer().and_then(|a| a.run.clone().map(|r| (a, r))) else {
                    return view! { <p class="hint">"There is no plan to run."</p> }.into_any();
                };
                let name = |plan: usize, step: usize| {
                    plan_at(&answer, plan)
                        .and_then(|p| p.steps.get(step))
                        .map(|s| s.task.to_string())
                        .unwrap_or_default()
                };
                let event = |at: usize| {
                    let document = session.document_untracked();
                    let scenario = document.scenarios.get(&answer.scenario);
                    scenario.and_then(|s| s.events.get(at)).map(|e| e.effect.clone()).unwrap_or_default()
                };
                let lines = lines(&run, name, event);
                let (class, end) = match run.end {
                    RunEnd::Complete => ("ok", "The run completes"),
                    RunEnd::GoalMissed(_) => ("no", "The tasks are complete, but the goal does not hold"),
                    RunEnd::Failed => ("no", "The run fails: no other plan was found"),
                    RunEnd::OutOfTicks | RunEnd::OutOfPlans => ("no", "The run was cut off"),
                    RunEnd::Stopped => ("no", "The run was stopped"),
                };
                let count = lines.len();
                let lines = StoredValue::new(lines);
                let shown = RwSignal::new(ROWS);
                let row = move |at: usize| {
                    let line = lines.with_value(|lines| lines.get(at).cloned());
                    line.map(|line| view! { <LineView line/> })
                };
                view! {
                    <div role="list" aria-label="Simulated run">
                        <For each=move || 0..shown.get().min(count) key=|at| *at children=row/>
                    </div>
                    <More shown all=Signal::stored(count)/>
                    <p class=format!("run-end {class}")>{format!("{end} at tick {}.", run.ticks)}</p>
                }
                    .into_any()
            }}
        </div>
    }
}

#[component]
fn LineView(line: Line) -> impl IntoView {
    let session = Session::expect();
    let cursor = line.cursor;
    let chosen = move || cursor.is_some_and(|c| session.cursor.get() == c);
    view! {
        <div
            class=format!("run-line {}", line.class)
            class:on=chosen
            role="listitem"
            on:click=move |_| {
                if let Some(cursor) = cursor {
                    session.cursor.set(cursor);
                }
            }
        >
            <span class="tick">{line.tick}</span>
            <span class="mark" aria-hidden="true">{line.mark}</span>
            <span class="task">{line.text}</span>
            <span class="dim">{line.detail}</span>
        </div>
    }
}

fn lines(
    run: &Run,
    name: impl Fn(usize, usize) -> String,
    event: impl Fn(usize) -> String,
) -> Vec<Line> {
    let mut lines = vec![];
    for (at, planning) in run.plans.iter().enumerate().skip(1) {
        let text = match &planning.outcome {
            Ok(Outcome::Plan(plan)) => format!("plans again: {} steps", plan.steps.len()),
            Ok(Outcome::NoPlan) => "plans again: no plan".to_owned(),
            _ => "plans again: gave up".to_owned(),
        };
        let cursor = planning.plan().map(|_| Cursor {
            plan: at,
            step: None,
        });
        lines.push(Line {
            tick: planning.tick,
            order: 2,
            class: "replan",
            mark: "⟳",
            text,
            detail: String::new(),
            cursor,
        });
    }
    for one in &run.executed {
        let cursor = Some(Cursor {
            plan: one.plan,
            step: Some(one.step),
        });
        let (class, mark, detail) = match one.state {
            TaskState::Failed => ("failed", "✗", why(one)),
            TaskState::InProgress | TaskState::Planned => ("", "…", why(one)),
            TaskState::Complete => ("complete", "✓", changed(&one.changes)),
        };
        let until = match one.end {
            Some(end) if end != one.start => format!(" until {end}"),
            _ => String::new(),
        };
        lines.push(Line {
            tick: one.start,
            order: 3,
            class,
            mark,
            text: format!("{}{until}", name(one.plan, one.step)),
            detail,
            cursor,
        });
    }
    for one in &run.events {
        lines.push(Line {
            tick: one.tick,
            order: 0,
            class: "event",
            mark: "⚡",
            text: format!("event: {}", event(one.event)),
            detail: changed(&one.changes),
            cursor: None,
        });
    }
    taskloom_core::order::sort_by_key(&mut lines, |l| (l.tick, l.order));
    lines
}

fn why(one: &Execution) -> String {
    one.reason
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default()
}

fn changed(changes: &[Change]) -> String {
    let texts: Vec<String> = changes
        .iter()
        .map(|c| format!("{} = {}", c.atom, c.after))
        .collect();
    texts.join(", ")
}
