//! Panic handling: the user is notified, instead of facing a silently dead page.

use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// `true` once the program has panicked: only the first panic is reported, and none that happens
/// while reporting it.
static BROKEN: AtomicBool = AtomicBool::new(false);

/// Makes a panic log its message to the console and show a banner over the page, outside of Leptos.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
        if !BROKEN.swap(true, Ordering::Relaxed) {
            show(info);
        }
    }));
}

/// Panics. Called only by the end-to-end tests, to see what a user sees then.
#[wasm_bindgen(js_name = breakDown)]
pub fn break_down(reason: &str) {
    panic!("{reason}");
}

/// Shows what happened on the page, if there is one.
fn show(info: &PanicHookInfo) -> Option<()> {
    let document = web_sys::window()?.document()?;
    let banner = document.create_element("div").ok()?;
    banner.set_id("broken");
    banner.set_attribute("role", "alert").ok()?;
    let text = document.create_element("p").ok()?;
    text.set_text_content(Some(
        "Taskloom crashed. Your work is saved except for the last second. Reload the page.",
    ));
    let reload = document.create_element("a").ok()?;
    reload.set_text_content(Some("Reload"));
    reload.set_attribute("href", "").ok()?;
    let cause = document.create_element("code").ok()?;
    cause.set_text_content(Some(&cause_of(info)));
    for part in [&text, &reload, &cause] {
        banner.append_child(part).ok()?;
    }
    document.body()?.append_child(&banner).ok()?;
    Some(())
}

/// Returns the details for a bug report: the message, and the location in the source code.
fn cause_of(info: &PanicHookInfo) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    match info.location() {
        Some(place) => format!("{message} ({place})"),
        None => message.to_owned(),
    }
}
