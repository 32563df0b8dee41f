//! The map, drawn and arranged by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use taskloom::document::{Edit, Name, Point};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::arrange::{Arrangement, Key, TOKEN_WIDTH, arrange, key};
use super::scene::{Play, Scene, Token};
use crate::session::Session;
use crate::ui::drag::{Drag, drag};

/// The distance that an arrow key moves a place, in pixels; with Shift, four times that.
const STRIDE: i32 = 8;

/// A place that is being dragged, and its displacement.
#[derive(Debug, Clone, PartialEq)]
struct Moving {
    place: Name,
    by: Point,
}

impl Moving {
    /// Returns the arrangement during the drag.
    fn arranged(&self, play: &Play, scene: &Scene, stands: &Arrangement) -> Arrangement {
        let mut placed: BTreeMap<Name, Point> = corners(stands).into_iter().collect();
        if let Some(at) = placed.get_mut(&self.place) {
            *at = moved(*at, self.by);
        }
        arrange(play, scene, &placed)
    }
}

/// Returns the edit that moves a place, and its label. Once one place has been moved, the others
/// keep their positions, too, whatever places are added.
fn put(stands: Memo<Arrangement>, place: &Name, by: Point) -> (String, Edit) {
    let moves = stands.with_untracked(corners).into_iter();
    let moves = moves.map(|(name, at)| {
        let at = if name == *place { moved(at, by) } else { at };
        (name, Some(at))
    });
    (
        format!("Move {place} on the map"),
        Edit::MovePlaces(moves.collect()),
    )
}

/// Draws places as boxes with tokens in them.
#[component]
pub fn Picture(play: Arc<Play>, scene: Memo<Scene>) -> impl IntoView {
    let session = Session::expect();
    let dragged = RwSignal::new(None::<Moving>);
    let placed = Memo::new(move |_| session.document().layout.stage.places.clone());
    let names = play.places.clone();
    let omitted = play.omitted;
    let stands = {
        let play = play.clone();
        Memo::new(move |_| scene.with(|scene| placed.with(|placed| arrange(&play, scene, placed))))
    };
    let arranged = Memo::new(move |_| match dragged.get() {
        None => stands.get(),
        Some(moving) => {
            scene.with(|scene| stands.with(|stands| moving.arranged(&play, scene, stands)))
        }
    });
    let map = NodeRef::<html::Div>::new();
    let down = move |event: PointerEvent| {
        let (Some(place), Some(map)) = (place_of(&event), map.get_untracked()) else {
            return;
        };
        if event.button() != 0 {
            return;
        }
        focus(&map, &place);
        let (from, mut by) = (at(&event), Point::default());
        drag(&map, &event, move |step| match step {
            Drag::Moved(event) => {
                let to = at(event);
                by = Point {
                    x: to.x - from.x,
                    y: to.y - from.y,
                };
                let place = place.clone();
                dragged.set(Some(Moving { place, by }));
            }
            Drag::Released => {
                dragged.set(None);
                if by != Point::default() {
                    let (label, edit) = put(stands, &place, by);
                    session.commit(&label, edit);
                }
            }
            Drag::Cancelled => dragged.set(None),
        });
    };
    let key_down = move |event: KeyboardEvent| {
        let Some(by) = stride(&event) else { return };
        let Some(place) = place_of(&event) else {
            return;
        };
        event.prevent_default();
        event.stop_propagation();
        let (label, edit) = put(stands, &place, by);
        session.commit_typing(&label, &format!("map {place}"), edit);
    };
    let nowhere = move || arranged.with(|arranged| arranged.places.contains_key(&None));
    let keys = move || scene.with(|scene| scene.tokens.iter().map(key).collect::<Vec<Key>>());
    let size = move |length: fn(Point) -> i32| arranged.with(|arranged| length(arranged.size));
    view! {
        <div
            class="stage-map"
            class:dragging=move || dragged.with(Option::is_some)
            role="application"
            aria-label="Map"
            node_ref=map
            style:width=move || format!("{}px", size(|size| size.x))
            style:height=move || format!("{}px", size(|size| size.y))
            on:pointerdown=down
            on:keydown=key_down
            on:focusout=move |_| session.open.seal()
        >
            {names.into_iter().map(|name| view! { <Place name=Some(name) scene arranged/> }).collect_view()}
            <Show when=nowhere>
                <Place name=None scene arranged/>
            </Show>
            <For each=keys key=Clone::clone children=move |key| view! { <TokenView key scene arranged/> }/>
        </div>
        {(omitted > 0).then(|| view! { <p class="hint">{format!("{omitted} more places not shown.")}</p> })}
    }
}

/// Focuses a place on the map.
fn focus(map: &Element, place: &Name) {
    let own = format!(".stage-place[data-place={place}]");
    let found = map.query_selector(&own).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = found.focus();
    }
}

/// Returns the displacement that an arrow key stands for.
fn stride(event: &KeyboardEvent) -> Option<Point> {
    let stride = STRIDE * if event.shift_key() { 4 } else { 1 };
    let (x, y) = match event.key().as_str() {
        "ArrowLeft" => (-stride, 0),
        "ArrowRight" => (stride, 0),
        "ArrowUp" => (0, -stride),
        "ArrowDown" => (0, stride),
        _ => return None,
    };
    Some(Point { x, y })
}

/// A place, or the area for what is nowhere.
#[component]
fn Place(name: Option<Name>, scene: Memo<Scene>, arranged: Memo<Arrangement>) -> impl IntoView {
    let title = name.as_ref().map_or("nowhere".to_owned(), Name::to_string);
    let is_place = name.is_some();
    let label = {
        let (name, title) = (name.clone(), title.clone());
        move || {
            let inside = scene.with(|scene| {
                let inside = scene.in_place(name.as_ref()).map(words);
                inside.collect::<Vec<_>>().join(", ")
            });
            if inside.is_empty() {
                format!("{title}: empty")
            } else {
                format!("{title}: {inside}")
            }
        }
    };
    let place = name.as_ref().map(ToString::to_string);
    let rect = Memo::new(move |_| {
        arranged.with(|arranged| arranged.places.get(&name).copied().unwrap_or_default())
    });
    view! {
        <div
            class="stage-place"
            class:nowhere=!is_place
            role="group"
            aria-roledescription=is_place.then_some("place")
            aria-label=label
            title=is_place.then_some("Drag, or move with the arrow keys")
            tabindex=is_place.then_some("0")
            data-place=place
            style:transform=move || shift(rect.get().at)
            style:width=move || format!("{}px", rect.get().width)
            style:height=move || format!("{}px", rect.get().height)
        >
            <span class="stage-name" aria-hidden="true">{title}</span>
        </div>
    }
}

/// A token in a place. The place says so, too, for screen readers.
#[component]
fn TokenView(key: Key, scene: Memo<Scene>, arranged: Memo<Arrangement>) -> impl IntoView {
    let (thing, _, ghost) = key.clone();
    let is_ghost = ghost.is_some();
    let token = {
        let key = key.clone();
        Memo::new(move |_| {
            scene.with(|scene| {
                let mut tokens = scene.tokens.iter();
                tokens
                    .find(|token| super::arrange::key(token) == key)
                    .cloned()
            })
        })
    };
    let at = Memo::new(move |_| {
        arranged.with(|arranged| arranged.tokens.get(&key).copied().unwrap_or_default())
    });
    let place = move || token.with(|token| Some(token.as_ref()?.place.as_ref()?.to_string()));
    let title = move || token.with(|token| token.as_ref().map(words));
    let meters = move || {
        let meters = token.with(|token| token.as_ref().map(|token| token.meters.clone()));
        let bar = |level: super::meters::Level| {
            let width = format!("{:.1}%", level.part * 100.0);
            view! {
                <span class="stage-meter" title=level.text>
                    <span style:width=width></span>
                </span>
            }
        };
        meters
            .unwrap_or_default()
            .into_iter()
            .map(bar)
            .collect_view()
    };
    view! {
        <div
            class="stage-token"
            class:ghost=is_ghost
            aria-hidden="true"
            title=title
            data-thing=thing.to_string()
            data-place=place
            style:width=format!("{TOKEN_WIDTH}px")
            style:transform=move || shift(at.get())
        >
            <span class="stage-name">
                {thing.to_string()}
                {ghost.map(|believer| view! { <i>{format!("? ({believer})")}</i> })}
            </span>
            {meters}
        </div>
    }
}

/// A token in words: `guard (stamina 3 of 10)`, `guard believes intruder here`.
fn words(token: &Token) -> String {
    let Token { thing, meters, .. } = token;
    if let Some(believer) = &token.ghost {
        return format!("{believer} believes {thing} here");
    }
    let meters: Vec<&str> = meters.iter().map(|level| level.text.as_str()).collect();
    match meters.as_slice() {
        [] => thing.to_string(),
        meters => format!("{thing} ({})", meters.join(", ")),
    }
}

/// Returns the positions of all places that can be moved.
fn corners(arranged: &Arrangement) -> Vec<(Name, Point)> {
    let places = arranged.places.iter();
    let places = places.filter_map(|(name, rect)| Some((name.clone()?, rect.at)));
    places.collect()
}

/// Moves a place, but not beyond the map's top or left, where nobody could scroll to it.
fn moved(at: Point, by: Point) -> Point {
    Point {
        x: at.x.saturating_add(by.x).max(0),
        y: at.y.saturating_add(by.y).max(0),
    }
}

fn shift(at: Point) -> String {
    format!("translate({}px, {}px)", at.x, at.y)
}

fn at(event: &PointerEvent) -> Point {
    Point {
        x: event.client_x().round() as i32,
        y: event.client_y().round() as i32,
    }
}

/// Returns the place that an event is about, or that contains the token that it is about.
fn place_of(event: &web_sys::Event) -> Option<Name> {
    let element = event.target()?.dyn_into::<Element>().ok()?;
    let found = element.closest("[data-place]").ok()??;
    Name::new(&found.get_attribute("data-place")?).ok()
}
