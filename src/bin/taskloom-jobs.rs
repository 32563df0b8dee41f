//! The program for jobs: the page loads it after the planner's, and starts a worker of it for each
//! export, import, layout or log, and where any plan will do.

use wasm_bindgen::JsCast;

fn main() {
    // A worker that can't start is reported by the page's watchdog.
    if let Ok(scope) = js_sys::global().dyn_into() {
        drop(taskloom_worker::serve(
            &scope,
            taskloom_portfolio::search,
            taskloom_worker::perform,
        ));
    }
}
