//! The switch between the views: Stage, Board and Scenarios.

use leptos::prelude::*;

use crate::page::{Page, shown};
use crate::session::View;
use crate::ui::icon::{Icon, Lucide};

/// A view of the switch: its label, its icon, its command, and whether it is open.
type Switch = (&'static str, Lucide, &'static str, fn(&View) -> bool);

/// The views, in the order of the switch.
pub const SWITCHES: [Switch; 3] = [
    ("Stage", Lucide::Map, "stage", |view| *view == View::Stage),
    ("Board", Lucide::LayoutGrid, "board", View::is_canvas),
    ("Scenarios", Lucide::Table2, "scenarios", |view| {
        *view == View::Scenarios
    }),
];

/// The buttons that open the views.
#[component]
pub fn ViewSwitch() -> impl IntoView {
    let page = Page::expect();
    let view = page.session.open.view;
    let button = move |(label, icon, command, is_open): Switch| {
        let pressed = move || view.with(is_open).to_string();
        view! {
            <button
                aria-pressed=pressed
                title=move || format!("{label} ({})", shown(command))
                on:click=move |_| page.command(command)
            >
                <Icon name=icon/>
                <span>{label}</span>
            </button>
        }
    };
    view! {
        <nav class="view-switch" aria-label="Views">
            {SWITCHES.map(button).into_iter().collect_view()}
        </nav>
    }
}
