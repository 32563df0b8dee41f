//! The map: places and what is in them, arranged and moved by hand.

use std::mem::replace;

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent, WheelEvent};
use leptos::html;
use leptos::prelude::*;
use taskloom_document::{Edit, Name, Point};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};

use super::arrange::{Arrangement, Key, key};
use super::background::{Alignment, BackgroundView};
use super::bubbles::Bubbles;
use super::layers::is_brief;
use super::lines::Lines;
use super::menu;
use super::relocate::relocate;
use super::state::{Moving, Stage, moved, open_reason};
use super::token::{PlaceView, TokenView};
use crate::canvas::fingers::Fingers;
use crate::canvas::geometry::Vec2;
use crate::canvas::wheel::{Motion, Turn};
use crate::ui::drag::{Drag, drag};
use crate::ui::focus::rove;
use crate::ui::keyed::Keyed;
use crate::ui::typed_key::TypedKey;

/// The distance that an arrow key moves a place, in pixels; with Shift, four times that.
const STRIDE: i32 = 8;
/// The distance in pixels from which a press is a drag.
const SLACK: f64 = 4.0;
/// The maximum time between the clicks of a double click, in milliseconds.
const DOUBLE: f64 = 400.0;

/// The thing that a press is about.
#[derive(Clone)]
enum Target {
    Token(Key),
    Place(Name),
    Ground,
}

/// Draws places as boxes with tokens in them, in a view that can be moved and magnified.
#[component]
pub fn Picture(stage: Stage) -> impl IntoView {
    let camera = stage.camera;
    let view = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(view) = view.get() {
            observe_size(stage, view);
        }
    });
    Effect::new(move || {
        let names = stage
            .play
            .with(|play| play.as_ref().map(|play| play.places.len()));
        if names.is_some() && camera.fits() {
            camera.fit(stage.stands.with_untracked(|stands| stands.bounds));
        }
    });
    let hand = StoredValue::new(Hand::default());
    let down = move |event: PointerEvent| press(stage, view, hand, &event);
    let moved = move |event: PointerEvent| pinch(stage, view, hand, &event);
    let up = move |event: PointerEvent| {
        hand.update_value(|hand| {
            hand.fingers.lift(event.pointer_id());
        });
    };
    let wheel = move |event: WheelEvent| {
        event.prevent_default();
        let Some(view) = view.get_untracked() else {
            return;
        };
        zoom_or_pan(stage, &view, &event);
    };
    let right_click = move |event: MouseEvent| {
        if let Some(Target::Token(key)) = target_of(&event) {
            event.prevent_default();
            event.stop_propagation();
            menu::open(stage, &key, (event.client_x(), event.client_y()));
        }
    };
    view! {
        <div
            class="stage-view"
            node_ref=view
            on:pointerdown=down
            on:pointermove=moved
            on:pointerup=up
            on:pointercancel=up
            on:wheel=wheel
            on:contextmenu=right_click
        >
            <Map stage view/>
        </div>
    }
}

/// The places and tokens, which move with the camera.
#[component]
fn Map(stage: Stage, view: NodeRef<html::Div>) -> impl IntoView {
    let Stage {
        camera,
        scene,
        arranged,
        ..
    } = stage;
    let key_down = move |event: KeyboardEvent| keys(stage, view, &event);
    let places = move || {
        let places = stage
            .play
            .with(|play| play.as_ref().map(|play| play.places.clone()));
        places.unwrap_or_default()
    };
    let nowhere = move || arranged.with(|arranged| arranged.places.contains_key(&None));
    let tokens = move || scene.with(|scene| scene.tokens.iter().map(key).collect::<Vec<Key>>());
    let transform = move || {
        let camera = camera.get();
        let at = camera.offset;
        format!("translate({}px, {}px) scale({})", at.x, at.y, camera.zoom)
    };
    view! {
        <div
            class="stage-map"
            class:over-image=move || stage.session.open.background.with(Option::is_some)
            class:dragging=move || stage.moving.with(Option::is_some)
            class:brief=move || is_brief(camera.enlargement())
            role="application"
            aria-label="Map"
            style:transform=transform
            style:--enlargement=move || format!("{:.2}", camera.enlargement())
            on:keydown=key_down
            on:focusout=move |_| stage.session.open.seal()
        >
            <BackgroundView/>
            <Keyed each=places key=Clone::clone children=move |name| view! { <PlaceView name=Some(name) stage/> }/>
            <Show when=nowhere>
                <PlaceView name=None stage/>
            </Show>
            <Lines stage/>
            <Keyed each=tokens key=Clone::clone children=move |key| view! { <TokenView key stage/> }/>
            <Bubbles stage/>
            <Show when=move || stage.is_aligning.get()>
                <Alignment stage/>
            </Show>
        </div>
    }
}

/// Measures the view whenever its size changes, until it is removed.
fn observe_size(stage: Stage, view: web_sys::HtmlDivElement) {
    let own = view.clone();
    let measure = move || {
        let size = (own.client_width(), own.client_height());
        stage
            .camera
            .resize(Vec2::new(f64::from(size.0), f64::from(size.1)));
    };
    measure();
    let resized = Closure::<dyn Fn()>::new(measure);
    let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) else {
        return;
    };
    observer.observe(&view);
    let kept = StoredValue::new_local((observer, resized));
    on_cleanup(move || kept.with_value(|(observer, _)| observer.disconnect()));
}

/// The state of pointer and fingers.
#[derive(Default)]
struct Hand {
    fingers: Fingers,
    /// `true` once a pinch has replaced the drag that began with the press.
    is_taken: bool,
    /// The time of the last click on an object or actor, and which one it was.
    last_click: (f64, Option<Key>),
}

/// Cancels the drag that is in progress.
fn cancel(stage: Stage, hand: StoredValue<Hand>) {
    hand.update_value(|hand| hand.is_taken = true);
    stage.moving.set(None);
}

/// Pans and zooms with two fingers.
fn pinch(stage: Stage, view: NodeRef<html::Div>, hand: StoredValue<Hand>, event: &PointerEvent) {
    let pinch = hand.try_update_value(|hand| hand.fingers.drag(event.pointer_id(), at(event)));
    if let (Some(pinch), Some(view)) = (pinch.flatten(), view.get_untracked()) {
        stage.camera.pan(pinch.by);
        let about = pinch.about - corner_of(&view);
        stage.camera.zoom(Some(about), pinch.factor);
    }
}

/// Follows a press: on an object or actor, on a place, or on the ground between them.
fn press(stage: Stage, view: NodeRef<html::Div>, hand: StoredValue<Hand>, event: &PointerEvent) {
    let Some(view) = view.get_untracked() else {
        return;
    };
    let count = hand.try_update_value(|hand| match event.pointer_type().as_str() {
        "touch" => {
            if event.is_primary() {
                hand.fingers = Fingers::default();
            }
            hand.fingers.press(event.pointer_id(), at(event))
        }
        _ => 1,
    });
    if count.is_some_and(|count| count > 1) {
        let _ = view.set_pointer_capture(event.pointer_id());
        return cancel(stage, hand);
    }
    hand.update_value(|hand| hand.is_taken = false);
    let target = match event.button() {
        0 => target_of(event).unwrap_or(Target::Ground),
        1 => Target::Ground,
        _ => return,
    };
    focus(&view, &target);
    let (from, mut by) = (at(event), Vec2::default());
    let corner = corner_of(&view);
    let time = event.time_stamp();
    drag(&view, event, move |step| match (step, &target) {
        _ if hand.with_value(|hand| hand.is_taken) => {}
        (Drag::Moved(event), Target::Ground) => {
            let to = at(event) - from;
            stage.camera.pan(to - by);
            by = to;
        }
        (Drag::Moved(event), Target::Token(_) | Target::Place(_)) => {
            by = at(event) - from;
            if by.length() >= SLACK {
                let zoom = stage.camera.get_untracked().zoom;
                stage.moving.set(Some(moving(&target, by * (1.0 / zoom))));
            }
        }
        (Drag::Released, target) => {
            let moved = stage.moving.get_untracked();
            stage.moving.set(None);
            let on_map = stage.camera.get_untracked().to_graph(from + by - corner);
            match (target, moved) {
                (Target::Token(key), Some(_)) => drop_token(stage, key, on_map.to_point()),
                (Target::Token(key), None) => {
                    let key = key.clone();
                    let last = (time, Some(key.clone()));
                    let before = hand.try_update_value(|hand| replace(&mut hand.last_click, last));
                    let (before, other) = before.unwrap_or_default();
                    let is_double = time - before < DOUBLE && other.as_ref() == Some(&key);
                    // By then the release can no longer close a popover that the click opens.
                    request_animation_frame(move || click(stage, &key, is_double, from));
                }
                (Target::Place(place), Some(Moving::Place(_, by))) => {
                    let (label, edit) = put(stage.stands, place, by);
                    stage.session.commit(&label, edit);
                }
                _ => {}
            }
        }
        (Drag::Cancelled, _) => stage.moving.set(None),
    });
}

fn moving(target: &Target, by: Vec2) -> Moving {
    let by = by.to_point();
    match target {
        Target::Token(key) => Moving::Token(key.clone(), by),
        Target::Place(place) => Moving::Place(place.clone(), by),
        Target::Ground => Moving::None,
    }
}

/// Shows a clicked actor, or its reason; of an object, opens the menu.
fn click(stage: Stage, key: &Key, is_double: bool, at: Vec2) {
    match (stage.actor(key), is_double) {
        (Some(actor), true) => open_reason(stage.session, actor),
        (Some(actor), false) => stage.session.show_character(actor),
        (None, _) => menu::open(stage, key, (at.x, at.y)),
    }
}

/// Moves a token to the place where it was dropped.
fn drop_token(stage: Stage, (thing, number, _): &Key, at: Point) {
    let to = stage
        .stands
        .with_untracked(|stands| stands.place_at(at).cloned());
    let from = stage.place_of(&(thing.clone(), *number, None));
    if let (Some(to), Some(play)) = (to, stage.play.get_untracked())
        && from.as_ref() != Some(&to)
    {
        relocate(stage.session, &play, thing, from.as_ref(), &to);
    }
}

fn zoom_or_pan(stage: Stage, view: &Element, event: &WheelEvent) {
    let turn = Turn::of(event, f64::from(view.client_height()));
    match turn.motion(stage.presets.wheel()) {
        Motion::Pan(by) => stage.camera.pan(by),
        Motion::Zoom(factor) => {
            let at = Vec2::new(event.client_x(), event.client_y()) - corner_of(view);
            stage.camera.zoom(Some(at), factor);
        }
    }
}

/// Handles the arrow keys: they move a place, or the focus among objects and actors.
fn keys(stage: Stage, view: NodeRef<html::Div>, event: &KeyboardEvent) {
    let Some(by) = stride(event) else { return };
    match target_of(event) {
        Some(Target::Place(place)) => {
            let (label, edit) = put(stage.stands, &place, by);
            stage
                .session
                .commit_in_series(&label, &format!("map {place}"), edit);
        }
        Some(Target::Token(_)) => {
            let Some(view) = view.get_untracked() else {
                return;
            };
            let step = if by.x + by.y > 0 { 1 } else { -1 };
            rove(&view, "[data-token]", |current, count| {
                let next = current.map_or(0, |at| at as i32 + step);
                next.rem_euclid(count.max(1) as i32) as usize
            });
        }
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

/// Returns the edit that moves a place, and its label. Once one place has been moved, the others
/// keep their positions, too, whatever places are added.
fn put(stands: Memo<Arrangement>, place: &Name, by: Point) -> (String, Edit) {
    let moves = stands.with_untracked(|stands| {
        let places = stands.small.iter();
        let moves = places.map(|(name, at)| {
            let at = if name == place { moved(*at, by) } else { *at };
            (name.clone(), Some(at))
        });
        moves.collect()
    });
    (format!("Move {place} on the map"), Edit::MovePlaces(moves))
}

/// Focuses what was pressed.
fn focus(view: &Element, target: &Target) {
    let selector = match target {
        Target::Token((thing, number, _)) => {
            format!("[data-token][data-thing=\"{thing}\"][data-number=\"{number}\"]")
        }
        Target::Place(place) => format!(".stage-place[data-place=\"{place}\"]"),
        Target::Ground => return,
    };
    let found = view.query_selector(&selector).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = found.focus();
    }
}

/// Returns the displacement that an arrow key stands for.
pub fn stride(event: &KeyboardEvent) -> Option<Point> {
    let stride = STRIDE * if event.shift_key() { 4 } else { 1 };
    let (x, y) = match event.typed_key().as_str() {
        "ArrowLeft" => (-stride, 0),
        "ArrowRight" => (stride, 0),
        "ArrowUp" => (0, -stride),
        "ArrowDown" => (0, stride),
        _ => return None,
    };
    Some(Point { x, y })
}

fn at(event: &PointerEvent) -> Vec2 {
    Vec2::new(event.client_x(), event.client_y())
}

fn corner_of(view: &Element) -> Vec2 {
    let rect = view.get_bounding_client_rect();
    Vec2::new(rect.left(), rect.top())
}

/// Returns the object, actor or place that an event is about.
fn target_of(event: &web_sys::Event) -> Option<Target> {
    let element = event.target()?.dyn_into::<Element>().ok()?;
    let name =
        |element: &Element, attribute: &str| Name::new(&element.get_attribute(attribute)?).ok();
    if let Some(token) = element.closest("[data-token]").ok().flatten() {
        let number = token.get_attribute("data-number")?.parse().ok()?;
        return Some(Target::Token((name(&token, "data-thing")?, number, None)));
    }
    let place = element.closest("[data-place]").ok()??;
    Some(Target::Place(name(&place, "data-place")?))
}
