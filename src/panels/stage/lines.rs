//! The lines over the map: where actors came from, and where they plan to go.

use leptos::prelude::*;
use taskloom::document::Point;

use super::Stage;
use super::arrange::{Arrangement, Key};
use super::layers::Layer;
use super::play::Play;
use crate::session::Cursor;
use crate::ui::avatar::colour;

/// The maximum number of planned stops that are drawn.
const MAX_STOPS: usize = 12;
/// The distance between parallel paths.
const APART: i32 = 6;
/// The distance between the numbers of steps that end in one place.
const STEP: i32 = 22;

/// The path of an actor.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The actor.
    pub actor: usize,
    /// Its previous and its current position.
    pub trail: Option<(Point, Point)>,
    /// The points of its plan, from where it is.
    pub points: Vec<Point>,
    /// The numbers of the plan's steps, and where they end.
    pub stops: Vec<(usize, Point)>,
}

/// Returns the key of the token of an actor.
pub fn key_of(play: &Play, actor: usize) -> Option<Key> {
    let thing = play.actors.get(actor)?.thing.clone()?;
    Some((thing, 0, None))
}

/// Returns the path of an actor at the cursor.
pub fn path(play: &Play, arranged: &Arrangement, cursor: Cursor, actor: usize) -> Option<Path> {
    let head = arranged.head(&key_of(play, actor)?)?;
    let offset = APART * i32::try_from(actor % 8).unwrap_or(0);
    let center = |place| {
        let rect = arranged.places.get(&Some(place))?;
        let center = rect.center();
        Some(Point {
            x: center.x + offset,
            y: center.y + offset,
        })
    };
    let (mut points, mut stops, mut here) = (vec![head], vec![], None);
    let mut repeated = 0;
    for (step, place) in play.route(cursor, actor).into_iter().take(MAX_STOPS) {
        let Some(at) = center(place) else { continue };
        if here == Some(at) {
            repeated += 1;
        } else {
            points.push(at);
            repeated = 0;
        }
        here = Some(at);
        // The number beside the actor's place, so that the next to arrive doesn't cover it.
        let label = Point {
            x: at.x + repeated * STEP,
            y: at.y + 44,
        };
        stops.push((step, label));
    }
    let trail = play
        .came_from(cursor, actor)
        .and_then(center)
        .map(|from| (from, head));
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
        let drawn = stage.drawn.get().into_iter();
        stage.arranged.with(|arranged| {
            let path = |actor| path(play.as_ref()?, arranged, cursor, actor);
            drawn.filter_map(path).collect::<Vec<Path>>()
        })
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
        let stops = path.stops.into_iter().map(|(step, at)| {
            view! {
                <circle class="stage-stop" cx=at.x cy=at.y r="9"/>
                <text class="stage-step" x=at.x y=at.y + 4>{step}</text>
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
