//! The planner's program: the page starts it in a worker, and it serves the page's requests until it
//! is terminated.

use taskloom_planner::plan::Strategy;
use wasm_bindgen::prelude::*;

fn main() {
    // A worker that can't start is reported by the page's watchdog.
    if let Ok(scope) = js_sys::global().dyn_into() {
        let nothing = |_, _: fn() -> f64| None;
        drop(taskloom_worker::serve(&scope, Strategy::search, nothing));
    }
}

/// Plans an example while the page is built: its first scenario, and the one in which it opens. Returns
/// the file of the answers, for the program file of this name.
#[wasm_bindgen]
pub fn store(document: &str, opens_in: &str, program: &str) -> Result<Vec<u8>, String> {
    taskloom_worker::store(document, opens_in, program, Strategy::search)
}
