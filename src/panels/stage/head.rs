//! The head of an actor: its colour and shape are those of its number in the cast.

use leptos::prelude::*;

/// The number of colours and shapes.
pub const HEADS: usize = 8;

/// Returns the colour of an actor, as a value of CSS.
pub fn colour(actor: usize) -> String {
    format!("var(--actor-{}, var(--accent))", actor % HEADS + 1)
}

/// Returns the outline of an actor's head in a square of 42 units around the origin.
pub fn outline(actor: usize) -> &'static str {
    match actor % HEADS {
        0 => "M-19 0a19 19 0 1 0 38 0a19 19 0 1 0 -38 0z",
        1 => "M-11 -18h22a7 7 0 0 1 7 7v22a7 7 0 0 1 -7 7h-22a7 7 0 0 1 -7 -7v-22a7 7 0 0 1 7 -7z",
        2 => "M-10 -18h20l10 18l-10 18h-20l-10 -18z",
        3 => "M-17 -16q17 -6 34 0v14q0 14 -17 22q-17 -8 -17 -22z",
        4 => "M0 -21q5 8 12 14a17 17 0 1 1 -24 0q7 -6 12 -14z",
        5 => "M0 -21l19 21l-19 21l-19 -21z",
        6 => "M0 -20l21 36h-42z",
        _ => "M-8 -19h16l11 11v16l-11 11h-16l-11 -11v-16z",
    }
}

/// Draws the head of an actor; a ghost's is dashed.
#[component]
pub fn Head(actor: usize) -> impl IntoView {
    view! {
        <svg class="stage-head" viewBox="-23 -23 46 46" aria-hidden="true">
            <path d=outline(actor)/>
            <g class="eyes">
                <circle cx="-6" cy="-3" r="3.4"/>
                <circle cx="6" cy="-3" r="3.4"/>
            </g>
        </svg>
    }
}
