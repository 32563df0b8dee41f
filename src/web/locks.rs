//! Names that at most one tab of this browser holds at a time (Web Locks).

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use gloo::timers::future::sleep;
use js_sys::{Function, Promise};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::LockOptions;

/// Keeps the promise that a lock is held for, while it is held.
type Release = Rc<RefCell<Option<Function>>>;

/// A name that this tab holds until the value is dropped.
pub struct Lock(Release);

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = self.0.borrow_mut().take() {
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

/// Takes a name if no other tab holds it; a tab that is just being left has some
/// `tries` of 60 ms to let go. A browser without locks gives every name.
///
/// `on_lost` is called if another tab takes the name away by force.
pub async fn take(name: &str, tries: u32, on_lost: impl Fn() + Clone + 'static) -> Option<Lock> {
    for attempt in 0..=tries {
        if attempt > 0 {
            sleep(Duration::from_millis(60)).await;
        }
        let options = LockOptions::new();
        options.set_if_available(true);
        let lock = request(name, &options, on_lost.clone()).await;
        if lock.is_some() {
            return lock;
        }
    }
    None
}

/// Takes a name away from whoever holds it.
pub async fn steal(name: &str, on_lost: impl Fn() + 'static) -> Option<Lock> {
    let options = LockOptions::new();
    options.set_steal(true);
    request(name, &options, on_lost).await
}

async fn request(name: &str, options: &LockOptions, on_lost: impl Fn() + 'static) -> Option<Lock> {
    let locks = window().navigator().locks();
    let release: Release = Release::default();
    if locks.is_undefined() {
        return Some(Lock(release));
    }
    let mut answer = None;
    let answered = Promise::new(&mut |resolve, _| answer = Some(resolve));
    let answer = answer?;
    let (held, refuse) = (release.clone(), answer.clone());
    // The name is held until the promise that this returns is kept.
    let granted = Closure::once_into_js(move |lock: JsValue| -> Promise {
        let is_granted = !lock.is_null();
        let _ = answer.call1(&JsValue::NULL, &is_granted.into());
        Promise::new(&mut |resolve, _| {
            if is_granted {
                *held.borrow_mut() = Some(resolve);
            } else {
                let _ = resolve.call0(&JsValue::NULL);
            }
        })
    });
    let asked = locks.request_with_options(name, options, granted.unchecked_ref());
    let held = release.clone();
    spawn_local(async move {
        if JsFuture::from(asked).await.is_err() {
            // Refused as a whole, or taken away after it was granted.
            let _ = refuse.call1(&JsValue::NULL, &false.into());
            if held.borrow_mut().take().is_some() {
                on_lost();
            }
        }
    });
    let granted = JsFuture::from(answered).await.ok()?.is_truthy();
    granted.then(|| Lock(release))
}

/// The names that are held in this browser.
pub async fn held() -> Vec<String> {
    let locks = window().navigator().locks();
    if locks.is_undefined() {
        return vec![];
    }
    let Ok(answer) = JsFuture::from(locks.query()).await else {
        return vec![];
    };
    let held = answer.get_held();
    let locks = held.iter().flat_map(|held| held.iter());
    locks.filter_map(|lock| lock.get_name()).collect()
}
