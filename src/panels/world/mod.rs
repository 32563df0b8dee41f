//! The world before and after what is looked at.

pub mod states;

use leptos::prelude::*;
use taskloom::planner::plan::Value;
use taskloom::runtime::Entry;

use super::plan::steps::{keep_inside, plan_at, task_of};
use crate::session::{Cursor, Happened, Session};
use crate::ui::more::{More, ROWS};
use crate::worker::Answer;
use states::{Row, around};

/// A table of ground facts; what changes is marked and stands first.
#[component]
pub fn World() -> impl IntoView {
    let session = Session::expect();
    keep_inside(session);
    let all = RwSignal::new(false);
    let shown = RwSignal::new(ROWS);
    let rows = Memo::new(move |_| {
        let cursor = session.cursor.get();
        let mut rows = session.answer.with(|answer| {
            answer
                .as_ref()
                .map(|a| around(a, cursor))
                .unwrap_or_default()
        });
        rows.sort_by_key(|r| r.before == r.after);
        rows
    });
    let count = Memo::new(move |_| {
        let all = all.get();
        let shows = |r: &&Row| all || r.before != r.after || !plain(&r.before);
        rows.with(|rows| rows.iter().filter(shows).count())
    });
    let heading = move || {
        let cursor = session.cursor.get();
        let heading = session
            .answer
            .with(|answer| answer.as_ref().and_then(|answer| title(answer, cursor)));
        heading.unwrap_or_else(|| "World at the start".to_owned())
    };
    let stepping = move || {
        let cursor = session.cursor.get();
        match cursor.happened {
            Some(Happened::Line(Entry::Planning(_))) => false,
            Some(Happened::Line(_) | Happened::Tick(_)) => true,
            None => cursor.step.is_some(),
        }
    };
    view! {
        <section class="world" aria-label="World">
            <div class="tabs">
                <h2 title=heading>{heading}</h2>
                <span class="grow"></span>
                <label class="check" title="Facts that are false, 0 or have no value">
                    <input
                        type="checkbox"
                        prop:checked=move || all.get()
                        on:change=move |event| all.set(event_target_checked(&event))
                    />
                    "all"
                </label>
            </div>
            <div class="tab-body" role="group" tabindex="0" aria-label="Facts">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Fact"</th>
                            <th scope="col">{move || if stepping() { "Before" } else { "Value" }}</th>
                            <Show when=stepping><th scope="col">"After"</th></Show>
                        </tr>
                    </thead>
                    <tbody>
                        {move || {
                            let all = all.get();
                            let stepping = stepping();
                            rows.with(|rows| {
                                rows.iter()
                                    .filter(|r| all || r.before != r.after || !plain(&r.before))
                                    .take(shown.get())
                                    .map(|row| {
                                        let atom = row.atom.to_string();
                                        let title = atom.clone();
                                        view! {
                                            <tr class:changed=row.before != row.after>
                                                <td title=title>{atom}</td>
                                                <td>{row.before.to_string()}</td>
                                                {stepping.then(|| view! { <td>{row.after.to_string()}</td> })}
                                            </tr>
                                        }
                                    })
                                    .collect_view()
                            })
                        }}
                    </tbody>
                </table>
                <More shown all=count/>
                {move || {
                    let unlisted = session.answer.with(|a| a.as_ref().map_or(0, |a| a.unlisted));
                    (unlisted > 0)
                        .then(|| {
                            let text = format!("{unlisted} facts more are not listed, as long as no step changes them.");
                            view! { <p class="hint">{text}</p> }
                        })
                }}
                {move || {
                    let all = all.get();
                    rows.with(|rows| {
                        if rows.is_empty() {
                            Some("No facts in this scenario yet.")
                        } else if all || rows.iter().any(|r| r.before != r.after || !plain(&r.before)) {
                            None
                        } else {
                            Some("Every fact is false, 0 or without a value.")
                        }
                    })
                        .map(|text| view! { <p class="hint">{text}</p> })
                }}
            </div>
        </section>
    }
}

/// What the world is shown around: a step of a plan, or a line of the run.
fn title(answer: &Answer, cursor: Cursor) -> Option<String> {
    let entry = match cursor.happened {
        Some(Happened::Line(entry)) => entry,
        Some(Happened::Tick(tick)) => return Some(format!("World around tick {tick} of the run")),
        None => {
            let step = plan_at(answer, cursor.plan)?.steps.get(cursor.step?)?;
            return Some(format!("World around {} {}", cursor.step? + 1, step.task));
        }
    };
    let run = answer.run.as_ref()?;
    Some(match entry {
        Entry::Event(at) => format!(
            "World around the event at tick {}",
            run.events.get(at)?.tick
        ),
        Entry::Perception(_) | Entry::Planning(_) => {
            format!("World at tick {} of the run", run.tick_of(entry)?)
        }
        Entry::Step(at) => {
            let step = run.executed.get(at)?;
            let ticks = match step.end.unwrap_or(run.ticks) {
                end if end == step.start => format!("tick {end}"),
                end => format!("ticks {} to {end}", step.start),
            };
            format!("World around {}, {ticks} of the run", task_of(run, step)?)
        }
    })
}

/// Whether a value is what a fact has unless it is set.
fn plain(value: &Value) -> bool {
    matches!(value, Value::Bool(false) | Value::Object(None)) || *value == Value::Number(0.0)
}
