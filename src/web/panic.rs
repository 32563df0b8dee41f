//! What happens when the program breaks: the designer is told, in place of a
//! page that is silently dead.

use std::sync::atomic::{AtomicBool, Ordering};

use wasm_bindgen::prelude::wasm_bindgen;

/// Whether the program broke: once is told, and what breaks while telling it is not.
static BROKEN: AtomicBool = AtomicBool::new(false);

/// Has a panic put a banner over the page, outside of Leptos. In the release page
/// panics say nothing and call [`broken`] themselves; see xtask/src/panics.rs.
pub fn install() {
    if cfg!(debug_assertions) {
        std::panic::set_hook(Box::new(|info| {
            let message = wasm_bindgen::JsValue::from_str(&info.to_string());
            web_sys::console::error_1(&message);
            broken();
        }));
    }
}

/// Tells that the program is broken, if there is a page to tell it on.
#[wasm_bindgen]
pub fn broken() {
    if !BROKEN.swap(true, Ordering::Relaxed) {
        show();
    }
}

fn show() -> Option<()> {
    let document = web_sys::window()?.document()?;
    let banner = document.create_element("div").ok()?;
    banner.set_id("broken");
    banner.set_attribute("role", "alert").ok()?;
    let text = document.create_element("p").ok()?;
    text.set_text_content(Some(
        "Something in Taskloom broke. Your work is saved up to a moment ago; reload the page to go on.",
    ));
    let reload = document.create_element("a").ok()?;
    reload.set_text_content(Some("Reload"));
    reload.set_attribute("href", "").ok()?;
    banner.append_child(&text).ok()?;
    banner.append_child(&reload).ok()?;
    document.body()?.append_child(&banner).ok()?;
    Some(())
}
