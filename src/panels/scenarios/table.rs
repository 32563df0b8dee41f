//! The table: its header and its rows.

use std::collections::BTreeSet;

use leptos::prelude::*;

use super::row::ScenarioRow;
use super::rows::{Column, next_sort};
use super::state::Table;
use taskloom_document::sort::set_of;

use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;

/// The columns with a header, in order.
const COLUMNS: [(Column, &str, &str); 8] = [
    (Column::Result, "Result", "result"),
    (Column::Scenario, "Scenario", "title"),
    (Column::Actors, "Actors", "actors"),
    (Column::Ticks, "Ticks", "figure"),
    (Column::Steps, "Steps", "figure"),
    (Column::Cost, "Cost", "figure"),
    (Column::Expectations, "Expectations", "expected"),
    (Column::LastEdit, "Last edit", "change"),
];

/// The rows below their header.
#[component]
pub fn TableView(table: Table) -> impl IntoView {
    let count = move || table.order.with(Vec::len);
    let nothing = move || {
        let words = "The last edit changes no scenario.";
        (count() == 0).then(|| view! { <p class="hint no-scenarios">{words}</p> })
    };
    view! {
        <div class="scenario-table">
            <div
                role="grid"
                aria-label="All scenarios"
                aria-multiselectable="true"
                on:keydown=move |event| table.key(&event)
            >
                <div role="rowgroup">
                    <HeaderRow table/>
                </div>
                <Keyed each=move || table.order.get() key=ToString::to_string let:name>
                    <ScenarioRow table name/>
                </Keyed>
            </div>
            {nothing}
        </div>
    }
}

#[component]
fn HeaderRow(table: Table) -> impl IntoView {
    let all_chosen = move || {
        let chosen = table.chosen();
        !chosen.is_empty()
            && table
                .order
                .with(|order| order.iter().all(|n| chosen.contains(n)))
    };
    let choose = move |_| {
        let all = match untrack(all_chosen) {
            true => BTreeSet::new(),
            false => table
                .order
                .with_untracked(|order| set_of(order.iter().cloned())),
        };
        table.chosen.set(all);
    };
    let header = move |(column, label, class): (Column, &'static str, &'static str)| {
        let order = move || {
            let order = table.sort.get();
            order.filter(|(current, _)| *current == column)
        };
        let direction = move || match order() {
            None => "none",
            Some((_, false)) => "ascending",
            Some((_, true)) => "descending",
        };
        let arrow = move || {
            let name = match order()?.1 {
                false => Lucide::ArrowUp,
                true => Lucide::ArrowDown,
            };
            Some(view! { <Icon name size=12/> })
        };
        view! {
            <div role="columnheader" class=class aria-sort=direction>
                <button
                    class="bare with-icon"
                    title=format!("Sort by {}", label.to_lowercase())
                    on:click=move |_| table.sort.update(|sort| *sort = next_sort(*sort, column))
                >
                    {label}
                    {arrow}
                </button>
            </div>
        }
    };
    view! {
        <div role="row" class="scenario-row head">
            <div role="columnheader" class="choice">
                <input
                    type="checkbox"
                    aria-label="Select all scenarios"
                    prop:checked=all_chosen
                    on:change=choose
                />
            </div>
            {COLUMNS.map(header).collect_view()}
            <div role="columnheader" class="tools"><span class="unseen">"Actions"</span></div>
        </div>
    }
}
