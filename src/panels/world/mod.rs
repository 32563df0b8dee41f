//! The world before and after what is looked at.

mod mind;
mod possible;
pub mod states;

use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Document, Source};
use taskloom::planner::plan::Value;
use taskloom::runtime::Entry;

use super::plan::steps::{keep_inside, plan_at, task_of};
use crate::session::{Cursor, Happened, Session};
use crate::ui::more::{More, ROWS};
use crate::worker::Answer;
use mind::Mind;
use possible::PossibleNow;
use states::{Row, around};

/// The groups of the table, in their order.
const GROUPS: [(Source, &str); 3] = [
    (Source::Sensor, "Sensors"),
    (Source::Memory, "Memory"),
    (Source::Blackboard, "Blackboard"),
];

/// A table of ground facts, by where they live; what changes is marked and stands first in its
/// group. What the character that is shown believes otherwise is said below a fact.
#[component]
pub fn World() -> impl IntoView {
    let session = Session::expect();
    keep_inside(session);
    let all = RwSignal::new(false);
    let wrong = RwSignal::new(false);
    let shown = RwSignal::new(ROWS);
    // The rest of the document is that of the answer: no edit of it is shown before it is planned.
    let mind = Memo::new_with_compare(
        move |_| {
            let answer = session.answer.get()?;
            let document = session.document_untracked();
            Mind::new(document, &answer.scenario, answer.character).map(Arc::new)
        },
        |_, _| true,
    );
    let can_err = Memo::new(move |_| mind.with(|mind| mind.as_ref().is_some_and(|m| m.can_err())));
    let rows = Memo::new(move |_| {
        let cursor = session.cursor.get();
        let mind = mind.get();
        let mut rows = session.answer.with(|answer| {
            answer
                .as_ref()
                .map(|a| around(a, cursor, mind.as_deref()))
                .unwrap_or_default()
        });
        let document = session.document_untracked();
        rows.sort_by_key(|r| (group(&document, r), r.before == r.after));
        rows
    });
    let only_wrong = move || wrong.get() && can_err.get();
    let shows = move || {
        let (all, only_wrong) = (all.get(), only_wrong());
        move |row: &&Row| match (&row.believed, only_wrong) {
            (believed, true) => believed.is_some(),
            (Some(_), false) => true,
            (None, false) => all || row.before != row.after || !plain(&row.before),
        }
    };
    let count = Memo::new(move |_| rows.with(|rows| rows.iter().filter(shows()).count()));
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
                <Show when=move || can_err.get()>
                    <label class="check" title="Only where what is believed is not so">
                        <input
                            type="checkbox"
                            prop:checked=move || wrong.get()
                            on:change=move |event| wrong.set(event_target_checked(&event))
                        />
                        "differences"
                    </label>
                </Show>
                <label class="check" title="Facts that are false, 0 or have no value">
                    <input
                        type="checkbox"
                        prop:checked=move || all.get()
                        disabled=only_wrong
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
                            let (stepping, shows) = (stepping(), shows());
                            let document = session.document_untracked();
                            let mind = mind.get();
                            rows.with(|rows| {
                                let listed: Vec<&Row> = rows.iter().filter(shows).take(shown.get()).collect();
                                let groups = listed.chunk_by(|a, b| group(&document, a) == group(&document, b));
                                let several = groups.clone().count() > 1;
                                groups
                                    .map(|rows| {
                                        let heading = several.then(|| heading_of(group(&document, rows[0]), mind.as_deref()));
                                        let rows = rows.iter().map(|row| row_view(row, stepping, mind.as_deref()));
                                        view! { {heading} {rows.collect_view()} }
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
                    let text = match (rows.with(Vec::is_empty), count.get()) {
                        (true, _) => "No facts in this scenario yet.".to_owned(),
                        (false, 0) if only_wrong() => {
                            let name = mind.with(|mind| mind.as_ref().map(|mind| mind.name.clone()));
                            format!("All that {} believes is so.", name.unwrap_or_default())
                        }
                        (false, 0) => "Every fact is false, 0 or without a value.".to_owned(),
                        (false, _) => return None,
                    };
                    Some(view! { <p class="hint">{text}</p> })
                }}
                <PossibleNow rows/>
            </div>
        </section>
    }
}

/// The number of a row's group.
fn group(document: &Document, row: &Row) -> usize {
    let fact = document.facts.get(&row.atom.fact);
    let source = fact.map(|fact| fact.source).unwrap_or_default();
    let mut groups = GROUPS.iter();
    groups.position(|(of, _)| *of == source).unwrap_or(0)
}

fn heading_of(group: usize, mind: Option<&Mind>) -> impl IntoView + use<> {
    let (source, title) = GROUPS[group];
    let text = match mind {
        Some(mind) if source == Source::Memory => format!("{title} of {}", mind.name),
        _ => title.to_owned(),
    };
    view! {
        <tr class="group">
            <th colspan="3" scope="rowgroup">{text}</th>
        </tr>
    }
}

fn row_view(row: &Row, stepping: bool, mind: Option<&Mind>) -> impl IntoView + use<> {
    let atom = row.atom.to_string();
    let title = atom.clone();
    let believed = row.believed.as_ref().zip(mind).map(|(belief, mind)| {
        let text = format!(
            "world: {} · {} believes: {}{}",
            row.after, mind.name, belief.value, belief.why
        );
        view! {
            <tr class="believed">
                <td colspan="3" title=text.clone()>{text.clone()}</td>
            </tr>
        }
    });
    view! {
        <tr class:changed=row.before != row.after class:mistaken=row.believed.is_some()>
            <td title=title>{atom}</td>
            <td>{row.before.to_string()}</td>
            {stepping.then(|| view! { <td>{row.after.to_string()}</td> })}
        </tr>
        {believed}
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
