//! The world before and after the step that is looked at.

use leptos::prelude::*;
use taskloom_core::plan::Value;

use super::states::{Row, around};
use super::steps::{keep_inside, plan_at};
use crate::session::Session;
use crate::views::more::{More, ROWS};

/// A table of ground facts; what the step changes is marked and stands first.
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
        taskloom_core::order::sort_by_key(&mut rows, |r| r.before == r.after);
        rows
    });
    let count = Memo::new(move |_| {
        let all = all.get();
        let shows = |r: &&Row| all || r.before != r.after || !plain(&r.before);
        rows.with(|rows| rows.iter().filter(shows).count())
    });
    let heading = move || {
        let cursor = session.cursor.get();
        session.answer.with(|answer| {
            let plan = answer.as_ref().and_then(|a| plan_at(a, cursor.plan));
            match (plan, cursor.step) {
                (Some(plan), Some(at)) if at < plan.steps.len() => {
                    format!("World around {} {}", at + 1, plan.steps[at].task)
                }
                _ => "World at the start".to_owned(),
            }
        })
    };
    let stepping = move || session.cursor.get().step.is_some();
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

/// Whether a value is what a fact has unless it is set.
fn plain(value: &Value) -> bool {
    matches!(value, Value::Bool(false) | Value::Object(None)) || *value == Value::Number(0.0)
}
