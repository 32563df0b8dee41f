//! The reasons why a scenario fails.

use leptos::prelude::*;

use super::rows::{Failure, Row};
use super::state::Table;
use crate::page::Link;
use crate::panels::results::Change;
use crate::session::LinkTarget;
use crate::ui::live::live;

/// The failed expectations with their reasons, and what to do about them.
#[component]
pub fn Reasons(table: Table, row: Memo<Option<Row>>) -> impl IntoView {
    live(move || {
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
    })
}

/// A failed expectation, with links to it and, if it is about the run, to the first step that failed
/// and to the end.
fn reason(table: Table, row: &Row, failure: Failure) -> impl IntoView + use<> {
    let target = LinkTarget::Expectation(row.name.clone(), failure.at);
    let summary = row.summary.as_ref().filter(|_| failure.is_of_run);
    let end = summary.map(|summary| summary.ticks);
    let failed = summary.and_then(|summary| summary.first_failure);
    let failed = failed.filter(|tick| Some(*tick) != end);
    let watch = |tick: u32, words: String, title: &'static str| {
        let name = row.name.clone();
        let watch = move |_| {
            let name = name.clone();
            table.results.watch(table.session, name, Some(tick));
        };
        view! { <button class="small" title=title on:click=watch>{words}</button> }
    };
    view! {
        <li>
            <Link target text=failure.expected/>
            <span class="why">{failure.why}</span>
            {failed.map(|tick| watch(tick, format!("Watch tick {tick}: a step fails"), FAILURE))}
            {end.map(|tick| watch(tick, format!("Watch tick {tick}"), END))}
        </li>
    }
}

const FAILURE: &str = "Open the Stage where the first step fails";
const END: &str = "Open the Stage at the end of the run";

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
