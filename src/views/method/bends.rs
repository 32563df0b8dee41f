//! The points that wires go by: a double click on a wire makes one, a drag moves
//! it, Delete or a double click takes it away.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;
use taskloom_core::document::{Edit, Name, Point, Wire};

use super::chart::Chart;
use crate::canvas::geometry::Vec2;
use crate::canvas::gesture::SNAP;
use crate::canvas::mirror::Mirror;
use crate::canvas::surface::Surface;
use crate::session::Session;
use crate::views::frames::Under;

/// Which point of which wire.
type Key = (Wire, usize);

#[derive(Clone, Copy)]
struct Handles {
    session: Session,
    task: StoredValue<Name>,
    surface: Surface<Chart>,
    under: Under,
    /// The point that is dragged, from where, and how far.
    drag: RwSignal<Option<(Key, Vec2, Vec2)>>,
}

/// The points of all wires of a method.
#[component]
pub fn Bends(surface: Surface<Chart>, task: Name, under: Under) -> impl IntoView {
    let session = Session::expect();
    let handles = Handles {
        session,
        task: StoredValue::new(task),
        surface,
        under,
        drag: RwSignal::new(None),
    };
    let points = Mirror::of(move || {
        let document = session.document();
        let bends = handles
            .task
            .with_value(|task| document.layout.drawing(task).bends.clone());
        let all = bends.into_iter().flat_map(|(wire, points)| {
            let numbered = points.into_iter().enumerate();
            numbered.map(move |(n, at)| ((wire.clone(), n), at))
        });
        all.collect()
    });
    view! {
        <For each=move || points.keys.get() key=|key| key.clone() children=move |key| handle(handles, points, key)/>
    }
}

impl Handles {
    fn bends(&self, wire: &Wire) -> Vec<Point> {
        let document = self.session.document_untracked();
        let bends = self
            .task
            .with_value(|task| document.layout.drawing(task).bends.get(wire).cloned());
        bends.unwrap_or_default()
    }

    fn commit(&self, label: &str, wire: &Wire, points: Vec<Point>) {
        let edit = Edit::Bend(self.task.get_value(), wire.clone(), points);
        self.session.commit(label, edit);
    }

    /// The points of a wire with one of them farther on.
    fn moved(&self, (wire, number): &Key, by: Vec2) -> Vec<Point> {
        let mut points = self.bends(wire);
        if let Some(point) = points.get_mut(*number) {
            *point = (Vec2::from(*point) + by).snapped(SNAP).to_point();
        }
        points
    }

    fn remove(&self, (wire, number): &Key) {
        let mut points = self.bends(wire);
        if *number < points.len() {
            points.remove(*number);
            self.commit("Straighten wire", wire, points);
        }
    }

    fn press(&self, key: &Key, event: &PointerEvent) {
        event.stop_propagation();
        if event.button() != 0 {
            return;
        }
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if let Some(target) = target {
            // Without the pointer's capture a drag ends where it is too fast.
            let _ = target.set_pointer_capture(event.pointer_id());
        }
        self.drag
            .set(Some((key.clone(), self.pointer(event), Vec2::default())));
    }

    fn pointer(&self, event: &PointerEvent) -> Vec2 {
        let page = Vec2::new(event.client_x().into(), event.client_y().into());
        self.under.at(page)
    }

    fn pull(&self, event: &PointerEvent) {
        if let Some((key, from, _)) = self.drag.get_untracked() {
            event.stop_propagation();
            let by = self.pointer(event) - from;
            let points = self.moved(&key, by).into_iter().map(Vec2::from);
            self.surface.show_bent(&key.0, &points.collect::<Vec<_>>());
            self.drag.set(Some((key, from, by)));
        }
    }

    fn release(&self) {
        if let Some((key, _, by)) = self.drag.try_update(Option::take).flatten() {
            self.commit("Move point of wire", &key.0, self.moved(&key, by));
        }
    }

    fn key(&self, key: &Key, event: &KeyboardEvent) {
        let by = match event.key().as_str() {
            "Delete" | "Backspace" => None,
            "ArrowLeft" => Some(Vec2::new(-SNAP, 0.0)),
            "ArrowRight" => Some(Vec2::new(SNAP, 0.0)),
            "ArrowUp" => Some(Vec2::new(0.0, -SNAP)),
            "ArrowDown" => Some(Vec2::new(0.0, SNAP)),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        match by {
            Some(by) => self.commit("Move point of wire", &key.0, self.moved(key, by)),
            None => self.remove(key),
        }
    }
}

fn handle(handles: Handles, points: Mirror<Key, Point>, key: Key) -> AnyView {
    let Some(model) = points.model(&key) else {
        return ().into_any();
    };
    let name = format!("Point {} of the wire {}", key.1 + 1, key.0);
    let key = StoredValue::new(key);
    let place = move || {
        let at = Vec2::from(model.get());
        let dragged = handles.drag.with(|drag| match drag {
            Some((held, _, by)) if key.with_value(|key| key == held) => *by,
            _ => Vec2::default(),
        });
        (at + dragged).snapped(SNAP)
    };
    let top = place.clone();
    view! {
        <button type="button" class="bend" aria-label=name title="Drag to bend the wire; Del straightens it"
            style:left=move || format!("{}px", place().x) style:top=move || format!("{}px", top().y)
            on:pointerdown=move |e| key.with_value(|key| handles.press(key, &e))
            on:pointermove=move |e| handles.pull(&e)
            on:pointerup=move |_| handles.release()
            on:dblclick=move |e| { e.stop_propagation(); key.with_value(|key| handles.remove(key)) }
            on:keydown=move |e| key.with_value(|key| handles.key(key, &e))
        ></button>
    }
    .into_any()
}
