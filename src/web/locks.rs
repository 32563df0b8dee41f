//! Names that at most one tab of this browser holds at a time (Web Locks).

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::LockOptions;

use super::platform::{Later, Lock, LockMode, Locks};

/// Resolves the promise that holds a lock; `None` once it is released.
type Release = Rc<RefCell<Option<Function>>>;

/// The browser's locks. A browser without locks grants every name.
pub struct WebLocks;

impl Locks for WebLocks {
    fn request(&self, name: &str, mode: LockMode, on_lost: Rc<dyn Fn()>) -> Later<Option<Lock>> {
        let name = name.to_owned();
        Box::pin(async move { request(&name, mode, on_lost).await })
    }

    fn held(&self) -> Later<Vec<String>> {
        Box::pin(held())
    }
}

/// Returns a lock that resolves its promise when it is dropped.
fn lock(release: Release) -> Lock {
    Lock::new(move || {
        if let Some(release) = release.borrow_mut().take() {
            let _ = release.call0(&JsValue::NULL);
        }
    })
}

async fn request(name: &str, mode: LockMode, on_lost: Rc<dyn Fn()>) -> Option<Lock> {
    let locks = window().navigator().locks();
    let release: Release = Release::default();
    if locks.is_undefined() {
        return Some(lock(release));
    }
    let options = LockOptions::new();
    match mode {
        LockMode::Free => options.set_if_available(true),
        LockMode::Force => options.set_steal(true),
    }
    let mut answer = None;
    let answered = Promise::new(&mut |resolve, _| answer = Some(resolve));
    let answer = answer?;
    let (held, refuse) = (release.clone(), answer.clone());
    // The name is held until the promise returned here is resolved.
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
    let asked = locks.request_with_options(name, &options, granted.unchecked_ref());
    let held = release.clone();
    spawn_local(async move {
        if JsFuture::from(asked).await.is_err() {
            // Refused altogether, or taken away after it was granted.
            let _ = refuse.call1(&JsValue::NULL, &false.into());
            if held.borrow_mut().take().is_some() {
                on_lost();
            }
        }
    });
    let granted = JsFuture::from(answered).await.ok()?.is_truthy();
    granted.then(|| lock(release))
}

/// Returns the names that are held in this browser.
async fn held() -> Vec<String> {
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
