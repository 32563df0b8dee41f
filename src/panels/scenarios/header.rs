//! The summary of all results, and what can be done with the table.

use leptos::prelude::*;

use super::actions;
use super::rows::State;
use super::state::Table;
use crate::panels::toolbar::new_scenario;

/// The heading, the numbers of results, and the buttons.
#[component]
pub fn Header(table: Table) -> impl IntoView {
    let session = table.session;
    let count = move || table.chosen().len();
    let compare = move |_| {
        let chosen: Vec<_> = untrack(|| table.chosen()).into_iter().collect();
        if let Ok(both) = <[_; 2]>::try_from(chosen) {
            table.compared.set(Some(both));
        }
    };
    let is_checking = table.results.is_checking;
    view! {
        <header class="scenarios-head">
            <h2>"Scenarios"</h2>
            <Summary table/>
            <span class="grow"></span>
            <ChangedFilter table/>
            <Show when=move || { count() > 0 }>
                <button on:click=move |_| actions::delete(session, &untrack(|| table.chosen()))>"Delete"</button>
            </Show>
            <button
                title="Compare the runs of two selected scenarios"
                disabled=move || count() != 2
                on:click=compare
            >
                "Compare"
            </button>
            <button
                title="Duplicate the selected scenarios"
                disabled=move || count() == 0
                on:click=move |_| table.duplicate(&untrack(|| table.chosen()))
            >
                "Duplicate"
            </button>
            <button title="Add a scenario" on:click=move |_| new_scenario(session)>"New"</button>
            <button
                class="primary"
                title="Run and check all scenarios"
                disabled=move || is_checking.get() || table.rows.with(|rows| rows.is_empty())
                on:click=move |_| table.results.check_all(session)
            >
                {move || if is_checking.get() { "Running…" } else { "Run all" }}
            </button>
        </header>
    }
}

/// The number of scenarios of each result.
#[component]
fn Summary(table: Table) -> impl IntoView {
    let counts = Memo::new(move |_| {
        let count = |state: State| {
            let rows = table.rows.get();
            rows.values().filter(|row| row.state == state).count()
        };
        let verb = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let kinds = [
            (State::Fails, "fails", "fail"),
            (State::Passes, "passes", "pass"),
            (State::Undecided, "undecided", "undecided"),
            (State::Unchecked, "not checked", "not checked"),
        ];
        let counts = kinds.map(|(state, one, many)| (state, count(state), one, many));
        let some = counts.into_iter().filter(|(_, count, ..)| *count > 0);
        let words = some.map(|(state, count, one, many)| (state.words().1, verb(count, one, many)));
        words.collect::<Vec<_>>()
    });
    view! {
        <p class="scenario-counts" role="status" aria-label="Results">
            {move || {
                let counts = counts.get().into_iter();
                counts.map(|(class, words)| view! { <span class=format!("count {class}")>{words}" "</span> }).collect_view()
            }}
        </p>
    }
}

/// The filter that shows only what the last edit changed, and the name of that edit.
#[component]
fn ChangedFilter(table: Table) -> impl IntoView {
    let session = table.session;
    let changed = Memo::new(move |_| {
        let is_changed = |rows: &std::collections::BTreeMap<_, super::rows::Row>| {
            rows.values().filter(|row| row.change.is_change()).count()
        };
        table.rows.with(is_changed)
    });
    let label = move || session.open.undo_label();
    view! {
        <Show when=move || label().is_some()>
            <span class="last-edit dim" title=label>
                "Last edit: "
                {label}
            </span>
        </Show>
        <button
            aria-pressed=move || table.only_changed.get().to_string()
            class:pressed=move || table.only_changed.get()
            disabled=move || changed.get() == 0 && !table.only_changed.get()
            title="Show only the scenarios whose results the last edit changed"
            on:click=move |_| table.only_changed.update(|only| *only = !*only)
        >
            {move || format!("Changed by the last edit ({})", changed.get())}
        </button>
    }
}
