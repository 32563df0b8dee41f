//! Small settings, in the browser's local storage. If the browser refuses, they are lost.

use leptos::prelude::window;
use web_sys::Storage;

fn local() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Returns the value of a key.
pub fn get(key: &str) -> Option<String> {
    local()?.get_item(key).ok().flatten()
}

/// Stores a setting. If the storage is full, a panel's width is lost, which isn't worth a message.
pub fn set(key: &str, value: &str) {
    let _ = keep(key, value);
}

/// Stores a text that must not be lost. Returns `false` if there is no room for it.
#[must_use = "a failure must be reported"]
pub fn keep(key: &str, value: &str) -> bool {
    local().is_some_and(|storage| storage.set_item(key, value).is_ok())
}

/// Removes a key.
pub fn remove(key: &str) {
    if let Some(storage) = local() {
        let _ = storage.remove_item(key);
    }
}

/// Returns the keys with a prefix, without the prefix.
pub fn keys(prefix: &str) -> Vec<String> {
    keys_in(local(), prefix)
}

fn keys_in(storage: Option<Storage>, prefix: &str) -> Vec<String> {
    let Some(storage) = storage else {
        return vec![];
    };
    (0..storage.length().unwrap_or(0))
        .filter_map(|at| storage.key(at).ok().flatten())
        .filter_map(|key| Some(key.strip_prefix(prefix)?.to_owned()))
        .collect()
}

fn session() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

/// Returns this browser tab's value of a key, which survives reloads.
pub fn of_tab(key: &str) -> Option<String> {
    session()?.get_item(key).ok().flatten()
}

/// Stores a text for this browser tab.
pub fn set_of_tab(key: &str, value: &str) {
    if let Some(storage) = session() {
        let _ = storage.set_item(key, value);
    }
}

/// Removes a key of this browser tab.
pub fn remove_of_tab(key: &str) {
    if let Some(storage) = session() {
        let _ = storage.remove_item(key);
    }
}

/// Returns this browser tab's keys with a prefix, without the prefix.
pub fn keys_of_tab(prefix: &str) -> Vec<String> {
    keys_in(session(), prefix)
}
