//! A finger that rests opens the menu that a right click opens, in every browser.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, MouseEvent, MouseEventInit, PointerEvent, PointerEventInit};

/// The time for which a finger rests. Browsers that have a long press wait about as long.
const HOLD: Duration = Duration::from_millis(500);
/// The distance, in pixels, within which a finger rests.
const SLACK: f64 = 8.0;
/// Elements in which the browser selects text, or which handle a long press themselves.
const EXCEPT: &str = "input, textarea, select, .canvas, .outline [role=treeitem]";

/// The finger on the page, and what has come of its press.
struct Finger {
    pointer: i32,
    at: (f64, f64),
    target: Element,
    timer: Option<TimeoutHandle>,
    /// `true` once a menu was requested.
    is_answered: bool,
}

type State = Rc<RefCell<Option<Finger>>>;

/// Turns long presses into `contextmenu` events, unless the browser does so itself.
pub fn listen() {
    let state = State::default();
    let options = EventListenerOptions {
        passive: false,
        ..EventListenerOptions::run_in_capture_phase()
    };
    let on = |name: &'static str, run: fn(&State, &Event)| {
        let state = state.clone();
        let run = move |event: &Event| run(&state, event);
        EventListener::new_with_options(&window(), name, options, run).forget();
    };
    on("pointerdown", press);
    on("pointermove", moved);
    on("pointerup", |state, _| wait_no_longer(state));
    on("pointercancel", |state, _| wait_no_longer(state));
    on("contextmenu", requested);
    // The release after a long press is no click.
    on("click", clicked);
}

fn press(state: &State, event: &Event) {
    wait_no_longer(state);
    let Some(event) = event.dyn_ref::<PointerEvent>() else {
        return;
    };
    let target = event.target().and_then(|target| target.dyn_into().ok());
    let target = target.filter(|target: &Element| !matches!(target.closest(EXCEPT), Ok(Some(_))));
    let is_touch = event.pointer_type() == "touch" && event.is_primary();
    let finger = target.filter(|_| is_touch).map(|target| {
        let own = state.clone();
        Finger {
            pointer: event.pointer_id(),
            at: (event.client_x(), event.client_y()),
            target,
            timer: set_timeout_with_handle(move || hold(&own), HOLD).ok(),
            is_answered: false,
        }
    });
    state.replace(finger);
}

fn moved(state: &State, event: &Event) {
    let is_far = state.borrow().as_ref().is_some_and(|finger| {
        let event = event.dyn_ref::<PointerEvent>();
        event.is_some_and(|event| {
            let (x, y) = finger.at;
            event.pointer_id() == finger.pointer
                && (event.client_x() - x).hypot(event.client_y() - y) > SLACK
        })
    });
    if is_far {
        wait_no_longer(state);
    }
}

fn wait_no_longer(state: &State) {
    let timer = state
        .borrow_mut()
        .as_mut()
        .and_then(|finger| finger.timer.take());
    if let Some(timer) = timer {
        timer.clear();
    }
}

/// Requests the menu of what the finger rests on.
fn hold(state: &State) {
    wait_no_longer(state);
    // Nothing is borrowed while an event is dispatched: it may come back here.
    let finger = |finger: &Finger| (finger.target.clone(), finger.at);
    let Some((target, (x, y))) = state.borrow().as_ref().map(finger) else {
        return;
    };
    if !target.is_connected() {
        return;
    }
    let init = MouseEventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    init.set_client_x(x as i32);
    init.set_client_y(y as i32);
    init.set_button(2);
    let Ok(event) = MouseEvent::new_with_mouse_event_init_dict("contextmenu", &init) else {
        return;
    };
    let is_answered = target.dispatch_event(&event) == Ok(false);
    if let Some(finger) = state.borrow_mut().as_mut() {
        finger.is_answered = is_answered;
    }
    if is_answered {
        end_drag(state);
    }
}

/// Cancels what the finger has been dragging.
fn end_drag(state: &State) {
    let finger = |finger: &Finger| (finger.target.clone(), finger.pointer);
    let Some((target, pointer)) = state.borrow().as_ref().map(finger) else {
        return;
    };
    let init = PointerEventInit::new();
    init.set_bubbles(true);
    init.set_pointer_id(pointer);
    init.set_pointer_type("touch");
    if let Ok(event) = PointerEvent::new_with_event_init_dict("pointercancel", &init) {
        // Nobody can prevent it.
        let _ = target.dispatch_event(&event);
    }
}

/// Drops the browser's own event if the menu was already requested.
fn requested(state: &State, event: &Event) {
    if !event.is_trusted() {
        return;
    }
    wait_no_longer(state);
    let is_answered = state.borrow().as_ref().is_some_and(|f| f.is_answered);
    if is_answered {
        event.prevent_default();
        event.stop_immediate_propagation();
    } else {
        end_drag(state);
    }
}

fn clicked(state: &State, event: &Event) {
    let mut finger = state.borrow_mut();
    if let Some(finger) = finger.as_mut().filter(|finger| finger.is_answered) {
        let is_pointer = event
            .dyn_ref::<MouseEvent>()
            .is_some_and(|e| e.detail() != 0);
        if is_pointer {
            finger.is_answered = false;
            event.prevent_default();
            event.stop_immediate_propagation();
        }
    }
}
