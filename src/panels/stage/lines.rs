//! The lines over the map: where actors came from, and where they plan to go.

use std::collections::BTreeMap;

use leptos::prelude::*;
use taskloom_document::{Name, Point};

use super::arrange::{Arrangement, Key, Rect};
use super::layers::Layer;
use super::play::Play;
use super::state::Stage;
use crate::canvas::geometry::Vec2;
use crate::session::Cursor;
use crate::ui::avatar::colour;

/// The maximum number of planned stops that are drawn.
const MAX_STOPS: usize = 12;
/// The distance between parallel paths.
const APART: i32 = 6;
/// The distances of the numbers of steps from the corner of the place where they end: of the first
/// one from its right side, between them, and of all from its lower side.
const STEPS: (f64, f64, f64) = (14.0, 22.0, 4.0);

/// The path of an actor.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The actor.
    pub actor: usize,
    /// Its previous and its current position.
    pub trail: Option<(Point, Point)>,
    /// The points of its plan, from where it is.
    pub points: Vec<Point>,
    /// The steps of the plan that lead to a place.
    pub stops: Vec<Stop>,
}

/// A step that ends in a place. Its number is in a corner, where no names are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// The number of the step.
    pub step: usize,
    /// The lower right corner of the place.
    pub corner: Point,
    /// The index among the numbers in this corner, from the right.
    slot: usize,
}

impl Stop {
    /// Returns how far to the left of the corner its number is if texts aren't enlarged.
    fn aside(self) -> f64 {
        STEPS.0 + STEPS.1 * self.slot as f64
    }

    /// Returns the position of its number if texts aren't enlarged.
    pub fn at(self) -> Vec2 {
        Vec2::from(self.corner) - Vec2::new(self.aside(), STEPS.2)
    }
}

/// Returns the key of the token of an actor.
pub fn key_of(play: &Play, actor: usize) -> Option<Key> {
    let thing = play.actors.get(actor)?.thing.clone()?;
    Some((thing, 0, None))
}

/// Returns the paths of actors at the cursor.
pub fn paths(
    play: &Play,
    arranged: &Arrangement,
    cursor: Cursor,
    actors: impl IntoIterator<Item = usize>,
) -> Vec<Path> {
    let mut crowd = BTreeMap::new();
    let actors = actors.into_iter();
    let path = |actor| path(play, arranged, (cursor, actor), &mut crowd);
    actors.filter_map(path).collect()
}

/// Returns the path of an actor. `crowd` has the number of stops in each place so far.
fn path(
    play: &Play,
    arranged: &Arrangement,
    (cursor, actor): (Cursor, usize),
    crowd: &mut BTreeMap<Name, usize>,
) -> Option<Path> {
    let head = arranged.head(&key_of(play, actor)?)?;
    let offset = APART * i32::try_from(actor % 8).unwrap_or(0);
    let center = |rect: &Rect| {
        let center = rect.center();
        Point {
            x: center.x + offset,
            y: center.y + offset,
        }
    };
    let (mut points, mut stops) = (vec![head], vec![]);
    for (step, place) in play.route(cursor, actor).into_iter().take(MAX_STOPS) {
        let Some(rect) = arranged.places.get(&Some(place.clone())) else {
            continue;
        };
        let at = center(rect);
        if points.len() == 1 || points.last() != Some(&at) {
            points.push(at);
        }
        let before = crowd.entry(place).or_default();
        let corner = Point {
            x: rect.at.x + rect.width,
            y: rect.at.y + rect.height,
        };
        stops.push(Stop {
            step,
            corner,
            slot: *before,
        });
        *before += 1;
    }
    let trail = play
        .came_from(cursor, actor)
        .and_then(|place| arranged.places.get(&Some(place)))
        .map(|from| (center(from), head));
    Some(Path {
        actor,
        trail,
        points,
        stops,
    })
}

/// Draws the paths of the actors.
#[component]
pub fn Lines(stage: Stage) -> impl IntoView {
    let paths = Memo::new(move |_| {
        if !stage.layers.shows(Layer::Plans) {
            return vec![];
        }
        let (play, cursor) = (stage.play.get(), stage.session.desk.cursor.get());
        let (Some(play), drawn) = (play, stage.drawn.get()) else {
            return vec![];
        };
        stage
            .arranged
            .with(|arranged| paths(&play, arranged, cursor, drawn))
    });
    let line = |path: Path| {
        let data: Vec<String> = path
            .points
            .iter()
            .map(|at| format!("{},{}", at.x, at.y))
            .collect();
        let trail = path.trail.map(|(from, to)| {
            view! { <line class="stage-trail" x1=from.x y1=from.y x2=to.x y2=to.y/> }
        });
        let stops = path.stops.into_iter().map(|stop| {
            let Point { x, y } = stop.corner;
            let (aside, up) = (stop.aside(), STEPS.2);
            view! {
                <g transform=format!("translate({x} {y})")>
                    <g style:translate=format!("calc({aside}px * -1 * var(--enlargement, 1)) -{up}px")>
                        <circle class="stage-stop" r="9"/>
                        <text class="stage-step" y="4">{stop.step}</text>
                    </g>
                </g>
            }
        });
        view! {
            <g style:--actor=colour(path.actor)>
                {trail}
                <polyline class="stage-plan" points=data.join(" ")/>
                {stops.collect_view()}
            </g>
        }
    };
    view! {
        <svg class="stage-lines" aria-hidden="true" width="1" height="1">
            {move || paths.get().into_iter().map(line).collect_view()}
        </svg>
    }
}
