//! The heads of actors: everywhere the same colour and shape for the same actor.

use leptos::prelude::*;

/// The number of colours and shapes; actors beyond it share them.
pub const COUNT: usize = 8;

/// The outlines of heads in a square of 24 units around the origin: circle, square, hexagon,
/// shield, drop, diamond, triangle, octagon.
const HEADS: [&str; COUNT] = [
    "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0z",
    "M-6-9H6a3 3 0 0 1 3 3V6a3 3 0 0 1-3 3H-6a3 3 0 0 1-3-3V-6a3 3 0 0 1 3-3z",
    "M0-10 8.7-5V5L0 10-8.7 5V-5z",
    "M-8.5-8.5Q0-11 8.5-8.5V0C8.5 5.5 4 9 0 10.5-4 9-8.5 5.5-8.5 0z",
    "M0-10.5C3.5-6.5 9-2.5 9 2.5A9 8 0 0 1-9 2.5C-9-2.5-3.5-6.5 0-10.5z",
    "M0-10 10 0 0 10-10 0z",
    "M0-9.5 10 8.5H-10z",
    "M-4-9.7H4L9.7-4V4L4 9.7H-4L-9.7 4V-4z",
];

/// Returns the outline of an actor's head, in a square of 24 units around the origin.
pub fn head(number: usize) -> &'static str {
    HEADS[number % COUNT]
}

/// Returns the height of an actor's eyes, in the same square.
pub fn eyes(number: usize) -> f64 {
    // The triangle is too narrow for eyes at the middle.
    if number % COUNT == 6 { 4.0 } else { -0.5 }
}

/// Returns the colour of an actor.
pub fn colour(number: usize) -> String {
    format!("var(--actor-{})", number % COUNT + 1)
}

/// The head of an actor, without a name of its own.
#[component]
pub fn Avatar(
    /// The number of the actor in its scenario, from 0.
    number: usize,
    /// Its width and height in pixels.
    #[prop(default = 24)]
    size: u32,
) -> impl IntoView {
    let eyes = eyes(number);
    view! {
        <svg class="avatar" width=size height=size viewBox="-12 -12 24 24" aria-hidden="true" style:--actor=colour(number)>
            <path d=head(number)/>
            <circle cx="-3.6" cy=eyes r="2.1"/>
            <circle cx="3.6" cy=eyes r="2.1"/>
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn eight_actors_differ_in_shape_and_in_colour() {
        let shapes = BTreeSet::from_iter((0..COUNT).map(head));
        let colours = BTreeSet::from_iter((0..COUNT).map(colour));
        assert_eq!((shapes.len(), colours.len()), (COUNT, COUNT));
        assert_eq!(head(COUNT), head(0));
    }

    #[test]
    fn each_colour_is_defined_once_for_both_themes() {
        let sheet = include_str!("../../style/tokens.css");
        let values = (1..=COUNT).map(|number| {
            let name = format!("  --actor-{number}: ");
            let line = sheet.lines().find_map(|line| line.strip_prefix(&name));
            line.expect("the colour of an actor")
        });
        assert_eq!(BTreeSet::from_iter(values).len(), COUNT);
    }
}
