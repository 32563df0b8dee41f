//! All scenarios of the document, side by side, as a table of tests.

mod actions;
mod compare;
mod comparison;
mod header;
mod reasons;
mod row;
mod row_menu;
mod rows;
mod state;
mod table;

use leptos::prelude::*;

use self::compare::Compare;
use self::header::Header;
use self::state::Table;
use self::table::TableView;
use super::toolbar::new_scenario;

/// The table of scenarios, with their summary above it and the comparison of two below it.
#[component]
pub fn ScenariosView() -> impl IntoView {
    let table = Table::new();
    let is_empty = Memo::new(move |_| table.rows.with(|rows| rows.is_empty()));
    let compared = Memo::new(move |_| {
        let exists = |names: &[_; 2]| {
            table
                .rows
                .with(|rows| names.iter().all(|name| rows.contains_key(name)))
        };
        table.compared.get().filter(exists)
    });
    view! {
        <section class="scenarios-view" aria-label="Scenarios">
            <Header table/>
            <Show
                when=move || !is_empty.get()
                fallback=move || {
                    view! {
                        <div class="no-scenarios">
                            <p class="hint">"No scenarios yet. A scenario is a situation to plan, run and test."</p>
                            <button class="primary" on:click=move |_| new_scenario(table.session)>"Add a scenario"</button>
                        </div>
                    }
                }
            >
                <TableView table/>
            </Show>
            {move || compared.get().map(|names| view! { <Compare table names/> })}
        </section>
    }
}
