//! What happens when the program breaks: the designer is told, in place of a
//! page that is silently dead.

use wasm_bindgen::prelude::wasm_bindgen;

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
    show();
}

fn show() -> Option<()> {
    let document = web_sys::window()?.document()?;
    if document.get_element_by_id("broken").is_some() {
        return None;
    }
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
