//! The tooltip of the whole page: it shows the title of what is under the pointer or has the
//! keyboard's focus, and the whole of a text that is cut. The browser's own tooltips are slow, and
//! don't appear by keyboard or touch.
//!
//! While a title is shown, its attribute is taken away, so that the browser doesn't show it too.

mod place;
mod subject;
mod words;

use std::cell::RefCell;
use std::rc::Rc;

use gloo::timers::callback::Timeout;
use leptos::ev::{self, EventDescriptor, FocusEvent, KeyboardEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, HtmlElement};

use crate::ui::anchor::Bounds;
use place::place;
use subject::Subject;
use words::Words;

/// The time in milliseconds for which the pointer rests on an element.
const REST: u32 = 400;
/// The delay shortly after another tooltip was shown.
const NEXT: u32 = 60;
/// The time after a tooltip in which the next one is shown sooner, in milliseconds.
const WARM: f64 = 400.0;
/// The time in milliseconds for which a finger rests on an element.
const PRESS: u32 = 500;
/// The time in milliseconds for which a tooltip stays when the finger is lifted.
const STAY: u32 = 1500;
/// The tooltip's id.
const ID: &str = "tooltip";

/// The last input, which decides whether a tooltip is shown.
#[derive(Default)]
struct State {
    /// The element whose tooltip is shown.
    shown: Option<Subject>,
    /// The next change.
    timer: Option<Timeout>,
    /// The time at which the last tooltip was hidden, in milliseconds.
    hidden: f64,
    /// The element that was pressed: it shows no tooltip until the pointer moves again.
    pressed: Option<Element>,
    /// The key that was pressed last, if nothing else was since then.
    key: Option<String>,
    /// `true` if the press that shows a tooltip does nothing else.
    is_long_press: bool,
}

/// The tooltip. Cheap to clone.
#[derive(Clone)]
struct Tooltip {
    element: NodeRef<Div>,
    state: Rc<RefCell<State>>,
}

/// The tooltip's element, and the listeners that show it.
#[component]
pub fn TooltipView() -> impl IntoView {
    let element = NodeRef::<Div>::new();
    let tooltip = Tooltip {
        element,
        state: Rc::default(),
    };
    tooltip.listen();
    view! { <div node_ref=element id=ID class="tooltip" role="tooltip" popover="manual"></div> }
}

fn target(event: &web_sys::Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

impl Tooltip {
    fn listen(&self) {
        let on = |handle: fn(&Self, &PointerEvent)| {
            let tooltip = self.clone();
            move |event: PointerEvent| handle(&tooltip, &event)
        };
        let listeners = [
            window_event_listener(ev::pointerover, on(Self::enter)),
            window_event_listener(ev::pointerout, on(Self::leave)),
            window_event_listener(ev::pointermove, on(Self::moved)),
            window_event_listener(ev::pointerup, on(Self::lift)),
            window_event_listener(ev::pointercancel, on(|this, _| this.hide())),
        ];
        let this = self.clone();
        let focus = window_event_listener(ev::focusin, move |event| this.focused(&event));
        let this = self.clone();
        let blur = window_event_listener(ev::focusout, move |_| this.hide());
        // Others may stop these events.
        let this = self.clone();
        let press = captured(ev::pointerdown, move |event| this.press(&event));
        let this = self.clone();
        let key = captured(ev::keydown, move |event: KeyboardEvent| {
            this.hide();
            this.state.borrow_mut().key = Some(event.key());
        });
        let this = self.clone();
        let click = captured(ev::click, move |event| {
            if std::mem::take(&mut this.state.borrow_mut().is_long_press) {
                event.prevent_default();
                event.stop_propagation();
            }
        });
        let this = self.clone();
        let wheel = captured(ev::wheel, move |_| this.hide());
        let captured = [press, key, click, wheel];
        let all = StoredValue::new_local(Some((listeners, focus, blur, captured)));
        on_cleanup(move || {
            let Some(Some((listeners, focus, blur, captured))) = all.try_update_value(Option::take)
            else {
                return;
            };
            listeners.into_iter().for_each(|one| one.remove());
            focus.remove();
            blur.remove();
            captured.into_iter().for_each(|remove| remove());
        });
    }

    /// The pointer is over an element.
    fn enter(&self, event: &PointerEvent) {
        let Some(element) = target(event) else { return };
        if event.pointer_type() == "touch" || event.buttons() != 0 {
            return;
        }
        if self.is_shown_in(&element) {
            return;
        }
        self.hide();
        if self.is_pressed(&element) {
            return;
        }
        self.state.borrow_mut().pressed = None;
        self.rest(element, event.client_x());
    }

    /// Shows the tooltip of an element if the pointer rests there.
    fn rest(&self, element: Element, x: f64) {
        let hidden = self.state.borrow().hidden;
        let time = if now() - hidden < WARM { NEXT } else { REST };
        self.later(time, move |this| this.show(&element, Some(x)));
    }

    fn leave(&self, event: &PointerEvent) {
        if event.related_target().is_none() && event.pointer_type() != "touch" {
            self.hide();
        }
    }

    /// The pointer moved: what was pressed counts as entered again.
    fn moved(&self, event: &PointerEvent) {
        if event.buttons() != 0 || self.state.borrow().pressed.is_none() {
            return;
        }
        let pressed = self.state.borrow_mut().pressed.take();
        if let (Some(_), Some(element)) = (pressed, target(event)) {
            self.later(REST, move |this| this.show(&element, None));
        }
    }

    fn press(&self, event: &PointerEvent) {
        self.hide();
        let element = target(event);
        {
            let mut state = self.state.borrow_mut();
            state.key = None;
            state.is_long_press = false;
            state.pressed.clone_from(&element);
        }
        let button = element.filter(|_| event.pointer_type() == "touch");
        let button = button.and_then(|it| it.closest("button, a, summary").ok()?);
        if let Some(button) = button {
            self.later(PRESS, move |this| {
                this.show(&button, None);
                let mut state = this.state.borrow_mut();
                state.is_long_press = state.shown.is_some();
            });
        }
    }

    fn lift(&self, event: &PointerEvent) {
        if event.pointer_type() != "touch" {
            return;
        }
        if self.state.borrow().shown.is_some() {
            self.later(STAY, |this| this.hide());
        } else {
            self.state.borrow_mut().timer = None;
        }
    }

    /// By Tab, the tooltip appears at once; by arrows, after a rest, since one passes many rows.
    fn focused(&self, event: &FocusEvent) {
        let Some(element) = target(event) else { return };
        let key = self.state.borrow().key.clone();
        match key.as_deref() {
            Some("Tab") => self.show(&element, None),
            Some("ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight" | "Home" | "End") => {
                self.later(REST, move |this| this.show(&element, None));
            }
            _ => {}
        }
    }

    fn is_shown_in(&self, element: &Element) -> bool {
        let state = self.state.borrow();
        let shown = state.shown.as_ref();
        shown.is_some_and(|shown| shown.owner.contains(Some(element)))
    }

    fn is_pressed(&self, element: &Element) -> bool {
        let state = self.state.borrow();
        let pressed = state.pressed.as_ref();
        pressed.is_some_and(|pressed| pressed == element || element.contains(Some(pressed)))
    }

    fn later(&self, time: u32, change: impl FnOnce(&Self) + 'static) {
        let this = self.clone();
        let timer = Timeout::new(time, move || change(&this));
        self.state.borrow_mut().timer = Some(timer);
    }

    /// Shows the tooltip of an element, if it has one.
    fn show(&self, at: &Element, pointer: Option<f64>) {
        self.hide();
        let Some(element) = self.element.get_untracked() else {
            return;
        };
        let element: HtmlElement = element.into();
        let Some(mut subject) = Subject::of(at).filter(|found| found.owner.is_connected()) else {
            return;
        };
        fill(&element, &words::words(&subject.title));
        let side = subject.side();
        let around = Bounds::of(&subject.owner);
        subject.describe(ID);
        self.state.borrow_mut().shown = Some(subject);
        let _ = element.show_popover();
        let (width, height) = (element.offset_width(), element.offset_height());
        let size = (f64::from(width), f64::from(height));
        let (x, y) = place(around, side, pointer, size, window_size());
        let style = element.style();
        let _ = style.set_property("left", &format!("{x:.0}px"));
        let _ = style.set_property("top", &format!("{y:.0}px"));
    }

    /// Hides the tooltip, and forgets the one that is due.
    fn hide(&self) {
        let shown = {
            let mut state = self.state.borrow_mut();
            state.timer = None;
            let shown = state.shown.take();
            if shown.is_some() {
                state.hidden = now();
            }
            shown
        };
        let Some(shown) = shown else { return };
        shown.restore();
        if let Some(element) = self.element.get_untracked() {
            let _ = element.hide_popover();
            element.set_text_content(None);
        }
    }
}

/// Returns the time since the page was loaded, in milliseconds.
fn now() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

fn window_size() -> (f64, f64) {
    let root = document().document_element();
    root.map_or((0.0, 0.0), |root| {
        (root.client_width().into(), root.client_height().into())
    })
}

/// Writes the words into the element.
fn fill(element: &HtmlElement, words: &Words) {
    element.set_text_content(None);
    let add = |parent: &Element, tag: &str, text: &str| {
        let child = document().create_element(tag).ok()?;
        child.set_text_content(Some(text));
        parent.append_child(&child).ok()?;
        Some(child)
    };
    add(element, "span", &words.text);
    for caps in &words.keys {
        let group = add(element, "span", "");
        if let Some(group) = group {
            group.set_class_name("caps");
            for cap in caps {
                add(&group, "kbd", cap);
            }
        }
    }
}

/// Listens before anything else does, and returns how to stop that.
fn captured<E: EventDescriptor>(
    event: E,
    handle: impl FnMut(E::EventType) + 'static,
) -> Box<dyn FnOnce()>
where
    E::EventType: 'static,
{
    let closure = Closure::<dyn FnMut(E::EventType)>::new(handle);
    let name = event.name();
    let listener = closure.as_ref().unchecked_ref();
    let _ = window().add_event_listener_with_callback_and_bool(&name, listener, true);
    Box::new(move || {
        let listener = closure.as_ref().unchecked_ref();
        let _ = window().remove_event_listener_with_callback_and_bool(&name, listener, true);
    })
}
