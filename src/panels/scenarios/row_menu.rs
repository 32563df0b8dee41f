//! The menu of a row.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use taskloom_document::Name;

use super::actions;
use super::state::Table;
use crate::ui::focus::rove;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::typed_key::TypedKey;

/// A command: its label, and what it does with a scenario of the table.
type RowCommand = (&'static str, fn(Table, Name));

/// The commands of the menu.
const COMMANDS: [RowCommand; 5] = [
    ("Open", |table, name| table.open(name)),
    ("Duplicate", |table, name| table.duplicate(&[name].into())),
    ("Rename", |table, name| table.renaming.set(Some(name))),
    ("Copy", |table, name| {
        actions::copy(table.session, &[name].into())
    }),
    ("Delete", |table, name| {
        actions::delete(table.session, &[name].into())
    }),
];

/// The button that opens the menu, and the menu while it is open.
#[component]
pub fn RowMenu(table: Table, name: StoredValue<Name>, stop: Memo<&'static str>) -> impl IntoView {
    let button = NodeRef::<html::Button>::new();
    let is_open = Memo::new(move |_| {
        table
            .menu
            .with(|menu| name.with_value(|name| menu.as_ref() == Some(name)))
    });
    let title = move || {
        table.rows.with(|rows| {
            let row = name.with_value(|name| rows.get(name).map(|row| row.title.clone()));
            row.unwrap_or_default()
        })
    };
    let toggle = move |_| {
        let to = (!is_open.get_untracked()).then(|| name.get_value());
        table.menu.set(to);
    };
    view! {
        <div
            class="row-menu"
            on:click=|event| event.stop_propagation()
            on:dblclick=|event| event.stop_propagation()
        >
            <button
                class="bare more"
                tabindex=move || stop.get()
                aria-haspopup="menu"
                aria-expanded=move || is_open.get().to_string()
                aria-label=move || format!("Actions for {}", title())
                title="Actions"
                node_ref=button
                on:click=toggle
            >
                <Icon name=Lucide::Ellipsis/>
            </button>
            <Show when=move || is_open.get()>
                <OpenMenu table name button label=title()/>
            </Show>
        </div>
    }
}

#[component]
fn OpenMenu(
    table: Table,
    name: StoredValue<Name>,
    button: NodeRef<html::Button>,
    label: String,
) -> impl IntoView {
    let list = NodeRef::<html::Div>::new();
    let focus = move |next: fn(Option<usize>, usize) -> usize| {
        if let Some(list) = list.get_untracked() {
            rove(&list, "[role=menuitem]", next);
        }
    };
    Effect::new(move || {
        if let Some(list) = list.get() {
            // A menu that is already open stays open.
            let _ = list.show_popover();
            focus(|_, _| 0);
        }
    });
    let close = move || table.menu.set(None);
    let closed = move |_| {
        let list = list.get_untracked();
        if !list.is_some_and(|list| list.matches(":popover-open").unwrap_or(false)) {
            let is_own = |menu: &Option<Name>| name.with_value(|name| menu.as_ref() == Some(name));
            if table.menu.with_untracked(is_own) {
                close();
            }
        }
    };
    let key = move |event: KeyboardEvent| {
        match event.typed_key().as_str() {
            "ArrowDown" => focus(|at, count| at.map_or(0, |at| (at + 1) % count.max(1))),
            "ArrowUp" => focus(|at, count| {
                at.unwrap_or(0)
                    .checked_sub(1)
                    .unwrap_or(count.saturating_sub(1))
            }),
            "Home" => focus(|_, _| 0),
            "End" => focus(|_, count| count.saturating_sub(1)),
            "Escape" | "Tab" => {
                close();
                if let Some(button) = button.get_untracked() {
                    // The button stays on the screen.
                    let _ = button.focus();
                }
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let item = move |(label, run): (&'static str, fn(Table, Name))| {
        let choose = move |_| {
            close();
            run(table, name.get_value());
        };
        view! { <button role="menuitem" tabindex="-1" on:click=choose>{label}</button> }
    };
    view! {
        <div
            class="menu right"
            role="menu"
            aria-label=format!("Actions for {label}")
            popover="auto"
            node_ref=list
            on:toggle=closed
            on:keydown=key
        >
            {COMMANDS.map(item).collect_view()}
        </div>
    }
}
