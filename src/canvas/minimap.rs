//! The minimap: all of the canvas at a glance, and what is seen of it. Drawn when
//! the scene changes; while the camera moves, only the frame of what is seen is.

use std::sync::Arc;

use leptos::ev::PointerEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement};

use super::camera::Camera;
use super::geometry::{Rect, Vec2};
use super::scene::{Graph, Scene};
use super::surface::{State, Surface};
use crate::web::storage;
use taskloom_core::sorted::SortedSet;

/// Its size, in pixels.
const SIZE: Vec2 = Vec2::new(190.0, 126.0);
/// Pixels left free at its edges.
const EDGE: f64 = 8.0;
/// From so many wires on they would be all that is seen.
const MOST_WIRES: usize = 4_000;
const KEY: &str = "taskloom.minimap";

/// Whether it is shown, provided as context.
#[derive(Debug, Clone, Copy)]
pub struct Minimap(RwSignal<bool>);

impl Minimap {
    /// As it was last, for the components below.
    pub fn provide() -> Self {
        let minimap = Self(RwSignal::new(storage::get(KEY).is_some()));
        provide_context(minimap);
        minimap
    }

    /// Shows or hides it.
    pub fn toggle(self) {
        self.0.update(|shown| *shown = !*shown);
        match self.0.get_untracked() {
            true => storage::set(KEY, "1"),
            false => storage::remove(KEY),
        }
    }

    /// Whether it is shown. Tracked.
    pub fn is_shown(self) -> bool {
        self.0.get()
    }
}

/// The elements of a minimap, and what they show.
pub(super) struct Map<G: Graph> {
    canvas: HtmlCanvasElement,
    window: HtmlElement,
    drawn: Option<Arc<Scene<G>>>,
    scale: Scale,
}

/// From graph units to pixels of the minimap.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Scale {
    corner: Vec2,
    factor: f64,
    offset: Vec2,
}

impl Scale {
    /// That at which all of these fit.
    fn fitting(bounds: Rect) -> Self {
        let room = Vec2::new(SIZE.x - 2.0 * EDGE, SIZE.y - 2.0 * EDGE);
        let factor = (room.x / bounds.w.max(1.0))
            .min(room.y / bounds.h.max(1.0))
            .min(0.25);
        let used = Vec2::new(bounds.w, bounds.h) * factor;
        Self {
            corner: bounds.corner(),
            factor,
            offset: (SIZE - used) * 0.5,
        }
    }

    fn to_map(self, graph: Vec2) -> Vec2 {
        (graph - self.corner) * self.factor + self.offset
    }

    fn to_graph(self, map: Vec2) -> Vec2 {
        (map - self.offset) * (1.0 / self.factor.max(f64::MIN_POSITIVE)) + self.corner
    }
}

impl<G: Graph> State<G> {
    /// Brings the minimap in line with scene and camera.
    pub(super) fn show_minimap(&self) {
        let mut map = self.minimap.borrow_mut();
        let Some(map) = map.as_mut() else { return };
        let scene = self.scene();
        if !map
            .drawn
            .as_ref()
            .is_some_and(|drawn| Arc::ptr_eq(drawn, &scene))
        {
            let bounds = scene.bounds(&SortedSet::new()).unwrap_or_default();
            map.scale = Scale::fitting(bounds);
            draw(&map.canvas, &scene, map.scale);
            map.drawn = Some(scene);
        }
        let seen = self.camera.get().window(self.size.get());
        let (from, to) = (
            map.scale.to_map(seen.corner()),
            map.scale.to_map(Vec2::new(seen.right(), seen.bottom())),
        );
        let style = map.window.style();
        let place = format!("translate({:.1}px,{:.1}px)", from.x, from.y);
        let _ = style.set_property("transform", &place);
        let _ = style.set_property("width", &format!("{:.1}px", to.x - from.x));
        let _ = style.set_property("height", &format!("{:.1}px", to.y - from.y));
    }
}

fn draw<G: Graph>(canvas: &HtmlCanvasElement, scene: &Scene<G>, scale: Scale) {
    let ratio = window().device_pixel_ratio();
    canvas.set_width((SIZE.x * ratio) as u32);
    canvas.set_height((SIZE.y * ratio) as u32);
    let context = canvas.get_context("2d").ok().flatten();
    let Some(context) = context.and_then(|c| c.dyn_into::<CanvasRenderingContext2d>().ok()) else {
        return;
    };
    let style = window().get_computed_style(canvas).ok().flatten();
    let colour = |property: &str| {
        let value = style
            .as_ref()
            .and_then(|s| s.get_property_value(property).ok());
        value.unwrap_or_default()
    };
    let _ = context.scale(ratio, ratio);
    context.set_stroke_style_str(&colour("outline-color"));
    context.begin_path();
    if scene.wires.len() <= MOST_WIRES {
        for span in scene.wires.values() {
            if let (Some((from, _)), Some((to, _))) =
                (scene.socket(&span.from), scene.socket(&span.to))
            {
                let (from, to) = (scale.to_map(from), scale.to_map(to));
                context.move_to(from.x, from.y);
                context.line_to(to.x, to.y);
            }
        }
    }
    context.stroke();
    context.set_fill_style_str(&colour("color"));
    for shape in scene.nodes.values() {
        let at = scale.to_map(shape.rect.corner());
        let (w, h) = (shape.rect.w * scale.factor, shape.rect.h * scale.factor);
        context.fill_rect(at.x, at.y, w.max(1.5), h.max(1.5));
    }
}

impl<G: Graph> Surface<G> {
    fn attach_minimap(&self, elements: Option<(HtmlCanvasElement, HtmlElement)>) {
        let Some(state) = self.state() else { return };
        *state.minimap.borrow_mut() = elements.map(|(canvas, window)| Map {
            canvas,
            window,
            drawn: None,
            scale: Scale::default(),
        });
        self.redraw();
    }

    /// Puts a place of the minimap into the middle of the canvas.
    fn look_by_minimap(&self, event: &PointerEvent) {
        let Some(state) = self.state() else { return };
        let scale = state.minimap.borrow().as_ref().map(|map| map.scale);
        let Some(scale) = scale else { return };
        let at = Vec2::new(event.offset_x().into(), event.offset_y().into());
        let camera = state.camera.get();
        let offset = state.size.get() * 0.5 - scale.to_graph(at) * camera.zoom;
        self.look(Camera { offset, ..camera });
    }
}

/// The minimap, where it is shown. What it does the keyboard does otherwise: it is
/// for the pointer alone.
pub(super) fn view<G: Graph>(surface: Surface<G>) -> impl IntoView {
    let shown = use_context::<Minimap>();
    move || {
        shown.is_some_and(Minimap::is_shown).then(|| {
            let canvas = NodeRef::<html::Canvas>::new();
            let frame = NodeRef::<html::Div>::new();
            Effect::new(move |_| {
                let elements = canvas.get().zip(frame.get());
                surface.attach_minimap(
                    elements.map(|(canvas, frame)| (canvas, frame.unchecked_into())),
                );
            });
            on_cleanup(move || surface.attach_minimap(None));
            let press = move |event: PointerEvent| {
                event.stop_propagation();
                let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
                if let Some(target) = target {
                    // Without the pointer's capture a drag ends at the edge.
                    let _ = target.set_pointer_capture(event.pointer_id());
                }
                surface.look_by_minimap(&event);
            };
            let drag = move |event: PointerEvent| {
                event.stop_propagation();
                if event.buttons() & 1 == 1 {
                    surface.look_by_minimap(&event);
                }
            };
            view! {
                <div class="minimap" data-inner="" aria-hidden="true">
                    <canvas node_ref=canvas on:pointerdown=press on:pointermove=drag></canvas>
                    <div class="minimap-window" node_ref=frame></div>
                </div>
            }
            .into_any()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fits_and_a_place_of_the_map_is_one_of_the_graph() {
        for bounds in [
            Rect::at(Vec2::new(-500.0, 30.0), 8000.0, 300.0),
            Rect::at(Vec2::default(), 100.0, 9000.0),
            Rect::default(),
        ] {
            let scale = Scale::fitting(bounds);
            let (a, b) = (
                scale.to_map(bounds.corner()),
                scale.to_map(Vec2::new(bounds.right(), bounds.bottom())),
            );
            assert!(a.x >= EDGE && a.y >= EDGE && b.x <= SIZE.x - EDGE && b.y <= SIZE.y - EDGE);
            let back = scale.to_graph(scale.to_map(Vec2::new(17.0, 4.0)));
            assert!((back - Vec2::new(17.0, 4.0)).length() < 1e-6);
        }
    }
}
