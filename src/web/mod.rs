//! All that touches the browser outside Leptos.

pub mod database;
pub mod files;
pub mod js;
pub mod live;
pub mod locks;
pub mod page;
pub mod panic;
pub mod random;
pub mod share;
pub mod storage;
pub mod typing;
pub mod update;
pub mod worker;

/// A text in small letters, as the browser knows them: the standard library's
/// tables of them are a hundredth of the program.
pub fn lowercase(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}
