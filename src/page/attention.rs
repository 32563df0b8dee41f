//! The place where the designer types: the element that has the focus, or had it until it was
//! removed.

use leptos::ev::{self, Event, KeyboardEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::chord::{self, is_sign};

/// The forms, in which texts are typed: a letter for a button there was meant for a field.
const FORM: &str = ".inspector";
/// The time after a letter, in milliseconds, in which Space and Enter belong to the same text.
const TYPING: f64 = 2_000.0;

/// The element that was focused or pressed last, and its surroundings.
#[derive(Clone, Copy)]
pub struct Attention {
    /// The element and those around it within a form, innermost first; empty elsewhere.
    form: StoredValue<Vec<Element>, LocalStorage>,
    /// The time at which a letter was last typed on a button.
    typed: StoredValue<Option<f64>>,
}

impl Attention {
    /// Listens for the lifetime of the page.
    pub fn new() -> Self {
        let attention = Self {
            form: StoredValue::new_local(vec![]),
            typed: StoredValue::new(None),
        };
        let focused = window_event_listener(ev::focusin, move |event| attention.turn_to(&event));
        let pressed =
            window_event_listener(ev::pointerdown, move |event| attention.turn_to(&event));
        let released = window_event_listener(ev::keyup, move |event| {
            if event.key() == " " && attention.is_typing(&event) {
                event.prevent_default();
            }
        });
        on_cleanup(move || {
            focused.remove();
            pressed.remove();
            released.remove();
        });
        attention
    }

    fn turn_to(self, event: &Event) {
        let target = target(event);
        let form = target.as_ref().and_then(|t| t.closest(FORM).ok().flatten());
        let around = std::iter::successors(target, |element| element.parent_element());
        let mut within = vec![];
        if form.is_some() {
            within.extend(around.take_while(|element| Some(element) != form.as_ref()));
            within.extend(form);
        }
        self.form.set_value(within);
        self.typed.set_value(None);
    }

    /// Returns `true` if a key belongs to a form: to an element in it, or to none because the
    /// focused one was removed.
    pub fn is_in_form(self, event: &Event) -> bool {
        let Some(target) = target(event) else {
            return false;
        };
        match target.tag_name().as_str() {
            "BODY" => self.form.with_value(|form| !form.is_empty()),
            _ => target.closest(FORM).is_ok_and(|form| form.is_some()),
        }
    }

    /// Returns `true` if a key would press a button of a form, but is part of a text typed there by
    /// mistake.
    pub fn is_slip(self, event: &KeyboardEvent) -> bool {
        let chord = chord::of(event).unwrap_or_default();
        let is_control = target(event).is_some_and(|target| is_control(&target));
        if !is_control || !self.is_in_form(event) {
            return false;
        }
        match chord.as_str() {
            "Space" | "Enter" if self.is_typing(event) => {
                self.typed.set_value(Some(event.time_stamp()));
                true
            }
            sign if is_sign(sign) => {
                self.typed.set_value(Some(event.time_stamp()));
                false
            }
            // A modifier, pressed for a letter.
            "" => false,
            _ => {
                self.typed.set_value(None);
                false
            }
        }
    }

    fn is_typing(self, event: &Event) -> bool {
        let typed = self.typed.get_value();
        typed.is_some_and(|at| event.time_stamp() - at < TYPING)
    }

    /// Focuses the surroundings of a form's element that had the focus and was removed. Returns
    /// `true` if there are any.
    pub fn stay_in_form(self) -> bool {
        let kept = self.form.with_value(|form| {
            let mut form = form.iter().skip(1);
            form.find(|element| element.is_connected()).cloned()
        });
        let Some(kept) = kept.and_then(|element| element.dyn_into::<HtmlElement>().ok()) else {
            return false;
        };
        if !kept.has_attribute("tabindex") {
            kept.set_tab_index(-1);
        }
        kept.focus().is_ok()
    }
}

/// Returns the element that is an event's target.
pub fn target(event: &Event) -> Option<Element> {
    event.target().and_then(|t| t.dyn_into().ok())
}

/// Returns `true` for elements that Space or Enter presses.
fn is_control(element: &Element) -> bool {
    let kind = element.get_attribute("type");
    match element.tag_name().as_str() {
        "BUTTON" | "SUMMARY" | "A" => true,
        "INPUT" => matches!(kind.as_deref(), Some("checkbox" | "radio" | "button")),
        _ => false,
    }
}
