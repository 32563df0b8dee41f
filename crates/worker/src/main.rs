//! The worker's program: the page starts it, and it serves the page's requests until it is
//! terminated.

use wasm_bindgen::JsCast;

fn main() {
    // A worker that can't start is reported by the page's watchdog.
    if let Ok(scope) = js_sys::global().dyn_into() {
        drop(taskloom_worker::serve(&scope, taskloom_portfolio::search));
    }
}
