//! Dragging: the pointer is followed from a press to its release, or to Escape.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent, PointerEvent};

/// A step of a drag.
pub enum Drag<'e> {
    /// The pointer has moved.
    Moved(&'e PointerEvent),
    /// The pointer was released: the drag has ended.
    Released,
    /// The drag was cancelled by Escape or by the browser.
    Cancelled,
}

/// The distance, in pixels, that the pointer moves before a press becomes a drag.
const SLACK: f64 = 5.0;

/// Follows the pointer that has pressed an element, which gets all its events until the drag ends.
pub fn drag(element: &Element, press: &PointerEvent, step: impl FnMut(Drag<'_>) + 'static) {
    press.prevent_default();
    follow(element, press, step);
}

/// Follows the pointer like [`drag`], but only once it has moved a little: until then, the press
/// may still become a click, and nothing is reported.
pub fn drag_off(element: &Element, press: &PointerEvent, mut step: impl FnMut(Drag<'_>) + 'static) {
    let (x, y) = (press.client_x(), press.client_y());
    let mut is_off = false;
    follow(element, press, move |drag| {
        if let Drag::Moved(event) = drag {
            let (right, down) = (event.client_x() - x, event.client_y() - y);
            is_off |= right.hypot(down) >= SLACK;
        }
        if is_off {
            step(drag);
        }
    });
}

/// The time, in milliseconds, that a finger rests before it drags. The browser's own long press
/// takes longer.
const REST: u32 = 350;

/// Follows a finger that has pressed an element, once it has rested there: `begin` is called then,
/// and nothing is reported before. A finger that moves earlier scrolls.
pub fn drag_after_rest(
    element: &Element,
    press: &PointerEvent,
    begin: impl FnOnce() + 'static,
    mut step: impl FnMut(Drag<'_>) + 'static,
) {
    let (x, y) = (press.client_x(), press.client_y());
    let has_rested = Rc::new(Cell::new(false));
    let (own, rested) = (element.clone(), has_rested.clone());
    let begin = move || {
        if own.is_connected() {
            rested.set(true);
            begin();
        }
    };
    // Dropping it stops the clock.
    let mut clock = Some(Timeout::new(REST, begin));
    follow(element, press, move |drag| {
        if has_rested.get() {
            return step(drag);
        }
        let rests = match drag {
            Drag::Moved(event) => {
                let (right, down) = (event.client_x() - x, event.client_y() - y);
                right.hypot(down) < SLACK
            }
            Drag::Released | Drag::Cancelled => false,
        };
        if !rests {
            drop(clock.take());
        }
    });
}

fn follow(element: &Element, press: &PointerEvent, step: impl FnMut(Drag<'_>) + 'static) {
    // A pointer that is gone by now drags nothing.
    let _ = element.set_pointer_capture(press.pointer_id());
    let step = Rc::new(RefCell::new(step));
    let listeners = Rc::new(RefCell::new(Vec::<EventListener>::new()));
    let moved = step.clone();
    let on_move = move |event: &Event| {
        if let Some(event) = event.dyn_ref() {
            moved.borrow_mut()(Drag::Moved(event));
        }
    };
    let (own, all) = (element.clone(), listeners.clone());
    let end = move |how: Drag<'_>| {
        let ended = all.take();
        // A view that was removed in the meantime has nothing to update.
        if !ended.is_empty() && own.is_connected() {
            step.borrow_mut()(how);
        }
    };
    let (released, cancelled, lost, escaped) = (end.clone(), end.clone(), end.clone(), end);
    let on_key = move |event: &Event| {
        let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
        if key.as_deref() == Some("Escape") {
            event.prevent_default();
            event.stop_propagation();
            escaped(Drag::Cancelled);
        }
    };
    // Before the page's own keys.
    let first = EventListenerOptions {
        passive: false,
        ..EventListenerOptions::run_in_capture_phase()
    };
    *listeners.borrow_mut() = vec![
        EventListener::new(element, "pointermove", on_move),
        EventListener::new(element, "pointerup", move |_| released(Drag::Released)),
        EventListener::new(element, "pointercancel", move |_| {
            cancelled(Drag::Cancelled)
        }),
        EventListener::new(element, "lostpointercapture", move |_| {
            lost(Drag::Cancelled)
        }),
        EventListener::new_with_options(&window(), "keydown", first, on_key),
    ];
}
