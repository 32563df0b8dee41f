//! Changes of the page that may move elements. They are noticed by an observer and by events, so nothing runs while
//! nothing changes.

use std::cell::RefCell;
use std::rc::Rc;

use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{MutationObserver, MutationObserverInit};

/// The minimum time between two calls while the page keeps changing, in milliseconds.
const PERIOD: f64 = 100.0;
/// The events after which elements may be elsewhere, although nothing in the document has changed.
const EVENTS: [&str; 7] = [
    "scroll",
    "resize",
    "toggle",
    "load",
    "transitionend",
    "transitioncancel",
    "animationend",
];

type Look = Rc<dyn Fn()>;

/// The callbacks after a change.
#[derive(Default)]
struct Watch {
    looks: Vec<(u32, Look)>,
    /// The number of callbacks so far.
    count: u32,
    /// The observer and the listeners, while there are callbacks.
    sources: Option<Sources>,
    /// `true` while a call is due.
    is_due: bool,
    /// The time of the last call.
    called: f64,
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::default();
}

fn watch<T>(act: impl FnOnce(&mut Watch) -> T) -> T {
    WATCH.with_borrow_mut(act)
}

/// Calls back in a frame after the page has changed, until the owner is disposed of.
pub fn follow_changes(look: impl Fn() + 'static) {
    let id = watch(|watch| {
        watch.count += 1;
        watch.looks.push((watch.count, Rc::new(look)));
        if watch.sources.is_none() {
            watch.sources = Sources::new();
        }
        watch.count
    });
    on_cleanup(move || {
        let gone = watch(|watch| {
            let look = watch.looks.extract_if(.., |(other, _)| *other == id);
            let look: Vec<_> = look.collect();
            let sources = match watch.looks.is_empty() {
                true => watch.sources.take(),
                false => None,
            };
            (look, sources)
        });
        drop(gone);
    });
}

/// Requests the next call.
fn changed() {
    let wait = watch(|watch| {
        if std::mem::replace(&mut watch.is_due, true) {
            return None;
        }
        Some((watch.called + PERIOD - now()).clamp(0.0, PERIOD))
    });
    match wait {
        Some(0.0) => request_animation_frame(call),
        Some(wait) => {
            Timeout::new(wait as u32, || request_animation_frame(call)).forget();
        }
        None => {}
    }
}

fn call() {
    let looks: Vec<Look> = watch(|watch| {
        watch.is_due = false;
        watch.called = now();
        watch.looks.iter().map(|(_, look)| look.clone()).collect()
    });
    for look in looks {
        look();
    }
}

fn now() -> f64 {
    js_sys::Date::now()
}

/// The sources of changes of the page.
struct Sources {
    observer: MutationObserver,
    _observed: Closure<dyn Fn()>,
    _events: Vec<EventListener>,
}

impl Sources {
    fn new() -> Option<Self> {
        let observed = Closure::<dyn Fn()>::new(changed);
        let observer = MutationObserver::new(observed.as_ref().unchecked_ref()).ok()?;
        let options = MutationObserverInit::new();
        options.set_subtree(true);
        options.set_child_list(true);
        options.set_attributes(true);
        options.set_character_data(true);
        observer.observe_with_options(&document(), &options).ok()?;
        let listen = |name| {
            let options = EventListenerOptions::run_in_capture_phase();
            EventListener::new_with_options(&window(), name, options, |_| changed())
        };
        // Texts are wider or narrower then.
        let fonts = EventListener::new(&document().fonts(), "loadingdone", |_| changed());
        Some(Self {
            observer,
            _observed: observed,
            _events: EVENTS.into_iter().map(listen).chain([fonts]).collect(),
        })
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
