//! The icons of the frame, drawn as lines in a square of 24 units (Lucide, ISC licence).

use leptos::prelude::*;

/// Returns an icon by its name in Lucide. A button with an icon alone has a label as well.
pub fn glyph(name: &'static str) -> impl IntoView {
    view! {
        <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
            <path d=path(name)/>
        </svg>
    }
}

fn path(name: &str) -> &'static str {
    match name {
        "undo-2" => "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11",
        "redo-2" => "M15 14l5-5-5-5M20 9H9.5a5.5 5.5 0 0 0 0 11H13",
        "history" => "M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5M12 7v5l4 2",
        "map" => {
            "M14.1 5.6a2 2 0 0 0 1.8 0l3.7-1.9A1 1 0 0 1 21 4.6v12.8a1 1 0 0 1-.6.9l-4.5 2.2a2 2 0 0 1-1.8 0l-4.2-2.1a2 2 0 0 0-1.8 0l-3.7 1.9a1 1 0 0 1-1.4-.9V6.6a1 1 0 0 1 .6-.9l4.5-2.2a2 2 0 0 1 1.8 0zM15 5.8v15M9 3.2v15"
        }
        "layout-grid" => "M3 3h7v7H3zM14 3h7v7h-7zM14 14h7v7h-7zM3 14h7v7H3z",
        "table-2" => {
            "M9 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V5a2 2 0 0 0-2-2zM9 3v18M3 9h18"
        }
        "search" => "M21 21l-4.3-4.3M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
        "chevron-down" => "M6 9l6 6 6-6",
        "pencil" => {
            "M21.2 6.8a2.8 2.8 0 0 0-4-4L3.8 16.2a2 2 0 0 0-.5.8L2 21.4a.5.5 0 0 0 .6.6L7 20.7a2 2 0 0 0 .8-.5z"
        }
        "upload" => "M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4",
        "sun" => {
            "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M6.3 17.7l-1.4 1.4M19.1 4.9l-1.4 1.4"
        }
        "moon" => "M21 12.8A9 9 0 1 1 11.2 3a7 7 0 0 0 9.8 9.8z",
        "contrast" => "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM12 18a6 6 0 0 0 0-12z",
        "circle-help" => {
            "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h.01"
        }
        "panel-left" => {
            "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM9 3v18"
        }
        "panel-right" => {
            "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM15 3v18"
        }
        "panel-bottom" => {
            "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM3 15h18"
        }
        "list-tree" => "M21 12h-8M21 6H8M21 18h-8M3 6v4a2 2 0 0 0 2 2h3M3 10v6a2 2 0 0 0 2 2h3",
        "play" => "M6 4.5v15a1 1 0 0 0 1.5.9L20 12.9a1 1 0 0 0 0-1.8L7.5 3.6A1 1 0 0 0 6 4.5z",
        "sliders-horizontal" => {
            "M10 5H3M12 19H3M14 3v4M16 17v4M21 12h-9M21 19h-5M21 5h-7M8 10v4M8 12H3"
        }
        // ellipsis
        _ => "M5 12h.01M12 12h.01M19 12h.01",
    }
}
