//! Translates the page's pointer, wheel and key events into steps of a gesture.

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;

use super::camera::{MAX_ZOOM, MIN_ZOOM};
use super::elements::set_class;
use super::fingers::Fingers;
use super::geometry::Vec2;
use super::gesture::{Button, Gesture, Pointer};
use super::intent::Intent;
use super::scene::Hit;
use super::surface::{State, Surface};
use super::wheel::{Motion, Turn};
use crate::ui::typed_key::TypedKey;

/// The time for which a finger rests before the menu opens.
const HOLD: std::time::Duration = std::time::Duration::from_millis(500);

/// Returns `true` if an event belongs to a field or a button on the canvas.
pub fn is_inner(event: &ev::Event) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .and_then(|element| {
            element
                .closest("input, textarea, select, button, a, [data-inner]")
                .ok()?
        })
        .is_some()
}

impl Surface {
    /// Converts a position on the page into pixels from the canvas's corner.
    fn on_canvas(&self, state: &State, x: f64, y: f64) -> Vec2 {
        // While a button is held nothing moves the canvas.
        let mut hand = state.hand.borrow_mut();
        if !hand.gesture.is_held() {
            hand.corner = self.corner();
        }
        Vec2::new(x, y) - hand.corner
    }

    fn pointer(&self, state: &State, event: &ev::MouseEvent) -> Pointer {
        Pointer {
            at: self.on_canvas(state, event.client_x(), event.client_y()),
            shift: event.shift_key(),
            ctrl: event.ctrl_key() || event.meta_key(),
            alt: event.alt_key(),
        }
    }

    pub(super) fn pointer_down(&self, event: &ev::PointerEvent) {
        let Some(state) = self.state() else { return };
        if is_inner(event) {
            return;
        }
        let pointer = self.pointer(&state, event);
        let touch = event.pointer_type() == "touch";
        if let Some(elements) = state.elements.borrow().as_ref() {
            let _ = elements.root.set_pointer_capture(event.pointer_id());
        }
        if touch {
            let mut hand = state.hand.borrow_mut();
            if event.is_primary() {
                // The first finger: others can only be left over.
                hand.fingers = Fingers::default();
            }
            if hand.fingers.press(event.pointer_id(), pointer.at) > 1 {
                hand.gesture.cancel();
                self.redraw();
                return;
            }
        }
        let button = match event.button() {
            0 if touch => Button::Touch,
            0 if state.hand.borrow().space => Button::Pan,
            0 => Button::Primary,
            1 => Button::Pan,
            2 => Button::Secondary,
            _ => return,
        };
        if button == Button::Pan {
            // The middle button would start the browser's own scrolling.
            event.prevent_default();
        }
        state.focus.borrow_mut().port = None;
        if let Some(active) = document().active_element()
            && active.matches("input, textarea, select").unwrap_or(false)
        {
            // A field commits its text when it loses the focus.
            self.focus(None);
        }
        if let Ok(Some(marked)) = window().get_selection() {
            // As everywhere else, pressing something clears a text selection or removes the caret
            // from it.
            let _ = marked.remove_all_ranges();
        }
        self.advance(|gesture, context| gesture.press(context, button, pointer));
        if touch {
            let surface = *self;
            set_timeout(
                move || {
                    let Some(state) = surface.state() else { return };
                    let same = matches!(state.hand.borrow().gesture, Gesture::Press { start, .. } if start.at == pointer.at);
                    if same {
                        surface.advance(|gesture, _| gesture.hold());
                    }
                },
                HOLD,
            );
        }
        self.redraw();
    }

    pub(super) fn pointer_move(&self, event: &ev::PointerEvent) {
        let Some(state) = self.state() else { return };
        let pointer = self.pointer(&state, event);
        state.viewport.borrow_mut().pointer = Some(pointer.at);
        let mut hand = state.hand.borrow_mut();
        let pinch = hand.fingers.drag(event.pointer_id(), pointer.at);
        let is_pinched = hand.fingers.count() > 1;
        drop(hand);
        if let Some(pinch) = pinch {
            self.look(pinch.applied(self.camera()));
        }
        if is_pinched {
            return;
        }
        let idle = matches!(state.hand.borrow().gesture, Gesture::Idle);
        if idle {
            self.hover(&state, pointer);
            return;
        }
        self.advance(|gesture, context| gesture.drag(context, pointer));
        self.redraw();
    }

    fn hover(&self, state: &State, pointer: Pointer) {
        let camera = self.camera();
        let hit = state.scene().hit(
            camera.to_graph(pointer.at),
            4.0 / camera.zoom,
            &state.selected().nodes,
        );
        let node = match hit {
            Hit::Node(node) if node.is_solid() => Some(node),
            Hit::Socket(end) => Some(end.node),
            _ => None,
        };
        if self.hovered.get_untracked() != node {
            self.hovered.set(node);
        }
    }

    pub(super) fn pointer_up(&self, event: &ev::PointerEvent) {
        let Some(state) = self.state() else { return };
        let mut hand = state.hand.borrow_mut();
        hand.fingers.lift(event.pointer_id());
        if matches!(hand.gesture, Gesture::Idle) {
            return;
        }
        drop(hand);
        let pointer = self.pointer(&state, event);
        self.advance(|gesture, context| gesture.release(context, pointer));
        self.redraw();
    }

    /// Handles the browser taking the pointer away.
    pub(super) fn pointer_cancel(&self, event: &ev::PointerEvent) {
        let Some(state) = self.state() else { return };
        let mut hand = state.hand.borrow_mut();
        hand.fingers.lift(event.pointer_id());
        hand.gesture.cancel();
        drop(hand);
        self.redraw();
    }

    /// Handles the pointer leaving the canvas.
    pub(super) fn pointer_leave(&self) {
        if let Some(state) = self.state() {
            state.viewport.borrow_mut().pointer = None;
            self.hovered.set(None);
        }
    }

    pub(super) fn wheel(&self, event: &ev::WheelEvent) {
        let Some(state) = self.state() else { return };
        event.prevent_default();
        let at = self.on_canvas(&state, event.client_x(), event.client_y());
        let camera = self.camera();
        let turn = Turn::of(event, self.size().y);
        self.look(match turn.motion(state.presets.wheel()) {
            Motion::Pan(by) => camera.panned(by),
            Motion::Zoom(factor) => {
                let zoom = (camera.zoom * factor).clamp(MIN_ZOOM, MAX_ZOOM);
                camera.zoomed_about(at, zoom)
            }
        });
    }

    pub(super) fn double_click(&self, event: &ev::MouseEvent) {
        let Some(state) = self.state() else { return };
        if is_inner(event) {
            return;
        }
        let at = self.on_canvas(&state, event.client_x(), event.client_y());
        let camera = self.camera();
        let selected = state.selected();
        let hit = state
            .scene()
            .hit(camera.to_graph(at), 4.0 / camera.zoom, &selected.nodes);
        let intent = match hit {
            Hit::Node(node) | Hit::Corner(node) => Intent::Open(Some(node)),
            Hit::Wire(wire) | Hit::WireEnd(wire, _) => {
                Intent::Bend(Some((wire, camera.to_graph(at))))
            }
            Hit::Empty => Intent::Menu(at),
            Hit::Socket(..) => return,
        };
        self.perform(intent);
    }

    /// Handles a click on one of the canvas's buttons. If the click gives the button the focus, the
    /// canvas takes it, so that keys continue to work; after a click by keyboard, the focus stays
    /// on the button.
    pub(super) fn clicked(&self, event: &ev::MouseEvent) {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let button = target.and_then(|target| target.closest("button").ok()?);
        let (surface, by_key) = (*self, event.detail() == 0);
        if let Some(button) = button.filter(|_| !by_key) {
            let after = move || {
                if document().active_element() == Some(button) {
                    surface.perform(Intent::Focus);
                }
            };
            set_timeout(after, std::time::Duration::ZERO);
        }
    }

    /// Handles the space bar, which pans while it is held.
    pub(super) fn key_down(&self, event: &ev::KeyboardEvent) {
        if let (" ", false, Some(state)) =
            (event.typed_key().as_str(), is_inner(event), self.state())
        {
            self.hold_space(&state, true);
            event.prevent_default();
        }
    }

    /// Ends panning when the space bar is released, wherever the focus is by then.
    pub(super) fn key_up(&self, event: &ev::KeyboardEvent) {
        if event.key() == " " {
            self.release_space();
        }
    }

    /// Ends panning by the space bar. What happens to keys outside of the window is not known here.
    pub(super) fn release_space(&self) {
        if let Some(state) = self.state().filter(|state| state.hand.borrow().space) {
            self.hold_space(&state, false);
        }
    }

    fn hold_space(&self, state: &State, held: bool) {
        state.hand.borrow_mut().space = held;
        if let Some(elements) = state.elements.borrow().as_ref() {
            set_class(&elements.root, "pannable", held);
        }
    }
}
