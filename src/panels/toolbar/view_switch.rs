//! The switch between the views: Stage, Board and Scenarios.

use leptos::prelude::*;

use crate::page::{Page, shown};
use crate::session::View;

/// A view of the switch: its label, its command, and whether it is open.
type Switch = (&'static str, &'static str, fn(&View) -> bool);

const SWITCHES: [Switch; 3] = [
    ("Stage", "stage", |view| *view == View::Stage),
    ("Board", "board", View::is_canvas),
    ("Scenarios", "scenarios", |view| *view == View::Scenarios),
];

/// The buttons that open the views.
#[component]
pub fn ViewSwitch() -> impl IntoView {
    let page = Page::expect();
    let view = page.session.open.view;
    let button = move |(label, command, is_open): Switch| {
        let pressed = move || view.with(is_open).to_string();
        view! {
            <button
                aria-pressed=pressed
                title=move || format!("{label} ({})", shown(command))
                on:click=move |_| page.command(command)
            >
                {label}
            </button>
        }
    };
    view! {
        <nav class="joined view-switch" aria-label="Views">
            {SWITCHES.map(button).into_iter().collect_view()}
        </nav>
    }
}
