//! The reasons why a scenario fails.

use leptos::prelude::*;

use super::rows::{Failure, Row};
use super::state::Table;
use crate::page::Link;
use crate::panels::results::Change;
use crate::session::LinkTarget;

/// The failed expectations with their reasons, and what to do about them.
#[component]
pub fn Reasons(table: Table, row: Memo<Option<Row>>) -> impl IntoView {
    move || {
        let row = row.get()?;
        let failures = row.failures.clone().into_iter();
        let failures = failures.map(|failure| reason(table, &row, failure));
        let failures = failures.collect_view();
        let undo = (row.change == Change::Broken).then(|| view! { <Undo table/> });
        Some(view! {
            <div role="row" class="scenario-reasons">
                <div role="gridcell">
                    <ul aria-label=format!("Reasons why {} fails", row.title)>{failures}</ul>
                    {undo}
                </div>
            </div>
        })
    }
}

/// A failed expectation, with links to it and to the end of the run.
fn reason(table: Table, row: &Row, failure: Failure) -> impl IntoView + use<> {
    let target = LinkTarget::Expectation(row.name.clone(), failure.at);
    let ticks = row.summary.as_ref().map(|summary| summary.ticks);
    let ticks = ticks.filter(|_| failure.is_of_run);
    let name = row.name.clone();
    let end = ticks.map(|tick| {
        let watch = move |_| {
            let name = name.clone();
            table.results.watch(table.session, name, Some(tick));
        };
        view! {
            <button class="small" title="Open the Stage at the end of the run" on:click=watch>
                {format!("Watch tick {tick}")}
            </button>
        }
    });
    view! {
        <li>
            <Link target text=failure.expected/>
            <span class="why">{failure.why}</span>
            {end}
        </li>
    }
}

/// The edit before which the scenario passed, and the button that undoes it.
#[component]
fn Undo(table: Table) -> impl IntoView {
    let session = table.session;
    let label = move || session.open.undo_label().unwrap_or_default();
    view! {
        <p class="changed-by">
            <span>"Passed before: " {label}</span>
            <button class="small" title="Undo the last edit" on:click=move |_| session.undo()>"Undo edit"</button>
        </p>
    }
}
