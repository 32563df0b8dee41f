//! A row of the table.

use leptos::html;
use leptos::prelude::*;
use taskloom_document::{Kind, Name, RecordRef};

use super::actions;
use super::reasons::Reasons;
use super::row_menu::RowMenu;
use super::rows::{Row, State};
use super::state::Table;
use crate::panels::results::Change;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;
use crate::ui::rename::{Ended, Rename};

/// The row of a scenario, with the reasons below it if it fails. A click selects the scenario for
/// the inspector, Enter and a double-click open it on the Stage.
#[component]
pub fn ScenarioRow(table: Table, name: Name) -> impl IntoView {
    let this = StoredValue::new(name);
    let row = Memo::new(move |_| {
        table
            .rows
            .with(|rows| this.with_value(|name| rows.get(name).cloned()))
    });
    let state = Memo::new(move |_| row.with(|row| row.as_ref().map(|row| row.state)));
    let is_chosen = Memo::new(move |_| {
        table
            .chosen
            .with(|all| this.with_value(|name| all.contains(name)))
    });
    let is_selected = Memo::new(move |_| {
        let record = RecordRef::new(Kind::Scenario, this.get_value());
        let selection = table.session.open.selection;
        selection.with(|selection| selection.records.contains(&record))
    });
    let stop = Memo::new(move |_| match this.with_value(|name| table.is_stop(name)) {
        true => "0",
        false => "-1",
    });
    let element = NodeRef::<html::Div>::new();
    let open = move || table.open(this.get_value());
    let select = move |_| {
        let record = RecordRef::new(Kind::Scenario, this.get_value());
        table.session.select(record);
    };
    let is_stale = move || row.with(|row| row.as_ref().is_some_and(|row| row.is_stale));
    let shows_reasons = Memo::new(move |_| {
        let is_folded = table
            .folded
            .with(|all| this.with_value(|name| all.contains(name)));
        let has_failed = |row: &Row| !row.failures.is_empty();
        !is_folded && row.with(|row| row.as_ref().is_some_and(has_failed))
    });
    view! {
        <div role="rowgroup" class="scenario-entry" class:fails=move || state.get() == Some(State::Fails)>
            <div
                role="row"
                class="scenario-row"
                class:chosen=move || is_chosen.get()
                class:on=move || is_selected.get()
                class:stale=is_stale
                aria-selected=move || is_chosen.get().to_string()
                data-row=""
                tabindex=move || stop.get()
                node_ref=element
                on:focus=move |_| table.reach(this.get_value())
                on:click=select
                on:dblclick=move |_| open()
            >
                <div role="gridcell" class="choice">
                    <input
                        type="checkbox"
                        tabindex=move || stop.get()
                        aria-label=move || row.with(|row| row.as_ref().map(|row| format!("Select {}", row.title)))
                        prop:checked=move || is_chosen.get()
                        on:click=|event| event.stop_propagation()
                        on:dblclick=|event| event.stop_propagation()
                        on:change=move |_| this.with_value(|name| table.toggle(name))
                    />
                </div>
                <div role="gridcell" class="result">{move || state.get().map(|state| mark(table, this.get_value(), state))}</div>
                <div role="rowheader" class="title">
                    <Title table row element/>
                </div>
                {move || row.get().map(cells)}
                <Tools table row name=this stop/>
            </div>
            <Show when=move || shows_reasons.get()>
                <Reasons table row/>
            </Show>
        </div>
    }
}

/// The buttons at the end of a row.
#[component]
fn Tools(
    table: Table,
    row: Memo<Option<Row>>,
    name: StoredValue<Name>,
    stop: Memo<&'static str>,
) -> impl IntoView {
    view! {
        <div role="gridcell" class="tools">
            <button
                class="bare"
                tabindex=move || stop.get()
                aria-label=move || row.with(|row| row.as_ref().map(|row| format!("Watch {}", row.title)))
                title="Open on the Stage"
                on:click=move |event| {
                    event.stop_propagation();
                    table.open(name.get_value());
                }
            >
                <Icon name=Lucide::Play size=14/>
            </button>
            <RowMenu table name stop/>
        </div>
    }
}

/// The result; that of a failed scenario shows and hides the reasons.
fn mark(table: Table, name: Name, state: State) -> AnyView {
    let (words, class) = state.words();
    let class = format!("mark {class}");
    let icon = view! { <Icon name=state.icon()/> };
    if state != State::Fails {
        return view! { <span class=class role="img" aria-label=words title=words>{icon}</span> }
            .into_any();
    }
    let this = StoredValue::new(name);
    let is_folded = move || {
        table
            .folded
            .with(|all| this.with_value(|name| all.contains(name)))
    };
    let toggle = move |_: leptos::ev::MouseEvent| {
        table.folded.update(|folded| {
            let name = this.get_value();
            if !folded.remove(&name) {
                folded.insert(name);
            }
        });
    };
    view! {
        <button
            class="bare unfold"
            tabindex="-1"
            aria-expanded=move || (!is_folded()).to_string()
            aria-label=words
            title=move || if is_folded() { "Fails. Show the reasons" } else { "Fails. Hide the reasons" }
            on:click=move |event| {
                event.stop_propagation();
                toggle(event);
            }
        >
            <span class=class>{icon}</span>
        </button>
    }
    .into_any()
}

/// The title and the first line of the note; or the field for a new title.
#[component]
fn Title(table: Table, row: Memo<Option<Row>>, element: NodeRef<html::Div>) -> impl IntoView {
    let is_renaming = Memo::new(move |_| {
        let name = row.with(|row| row.as_ref().map(|row| row.name.clone()));
        name.is_some() && table.renaming.get() == name
    });
    let end = move |how| {
        if let Ended::Refused(message) = how {
            table.session.complain(message);
        }
        table.renaming.set(None);
        if let Some(element) = element.get_untracked() {
            // A row that is still there takes the focus.
            let _ = element.focus();
        }
    };
    live(move || {
        let row = match is_renaming.get() {
            true => row.get_untracked()?,
            false => row.get()?,
        };
        Some(match is_renaming.get() {
            true => {
                let name = row.name.clone();
                let take = move |text: String| actions::rename(table.session, &name, &text);
                view! { <Rename label=format!("Title of {}", row.title) name=row.title take end/> }
                    .into_any()
            }
            false => view! {
                <b title=row.name.to_string()>{row.title}</b>
                <span class="note">{row.note}</span>
            }
            .into_any(),
        })
    })
}

/// The cells with figures.
fn cells(row: Row) -> impl IntoView {
    let met = row.met();
    let figure =
        |figure: Option<String>| view! { <div role="gridcell" class="figure">{figure}</div> };
    let summary = row.summary.as_ref();
    let figures = [
        summary.map(|summary| summary.ticks.to_string()),
        summary.map(|summary| summary.steps.to_string()),
        summary.map(|summary| rounded(summary.cost)),
    ];
    let dots = row.verdicts.iter();
    let dots = dots.map(|class| view! { <i class=*class></i> });
    let dots = dots.collect_view();
    let actors = row.actors.join(", ");
    let all_actors = actors.clone();
    let class = match &row.change {
        Change::Broken => "change-mark broken",
        Change::Fixed => "change-mark fixed",
        Change::New | Change::Figure(_) => "change-mark differs",
        Change::Unknown | Change::Unchanged => "dim",
    };
    view! {
        <div role="gridcell" class="actors" title=all_actors>{actors}</div>
        {figures.map(figure).collect_view()}
        <div role="gridcell" class="expected">
            <span class="dots" aria-hidden="true">{dots}</span>
            <span>{met}</span>
        </div>
        <div role="gridcell" class="change"><span class=class>{row.change.words()}</span></div>
    }
}

/// Returns a cost with at most two decimals.
fn rounded(cost: f64) -> String {
    ((cost * 100.0).round() / 100.0).to_string()
}
