//! Small settings, in the browser's local storage. A browser that refuses forgets them.

use leptos::prelude::window;
use web_sys::Storage;

fn local() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What was kept under a key.
pub fn get(key: &str) -> Option<String> {
    local()?.get_item(key).ok().flatten()
}

/// Keeps a text under a key.
pub fn set(key: &str, value: &str) {
    if let Some(storage) = local() {
        // A full storage loses a panel's width: nothing to tell anybody.
        let _ = storage.set_item(key, value);
    }
}

/// Forgets a key.
pub fn remove(key: &str) {
    if let Some(storage) = local() {
        let _ = storage.remove_item(key);
    }
}

/// A word that stays the same over reloads of this browser tab, and that no
/// other tab has.
pub fn tab_slot() -> String {
    const KEY: &str = "taskloom.tab";
    let storage = window().session_storage().ok().flatten();
    let known = storage
        .as_ref()
        .and_then(|s| s.get_item(KEY).ok().flatten());
    known.unwrap_or_else(|| {
        let slot = super::random::block_id().to_string();
        if let Some(storage) = storage {
            let _ = storage.set_item(KEY, &slot);
        }
        slot
    })
}
