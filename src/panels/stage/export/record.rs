//! Records a canvas as a video, in real time.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Promise;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlCanvasElement};

use crate::web::recorder::Recorder;

/// The maximum time between two frames, in seconds: a page that was held up continues where it was.
const LONGEST_FRAME: f64 = 0.1;

/// Records a canvas. For each frame, `show` draws what is shown after a number of seconds; it
/// returns `false` after the last frame. Returns `None` if the recording is cancelled.
///
/// # Errors
/// Returns the browser's reason for not recording.
pub async fn record(
    canvas: &HtmlCanvasElement,
    kind: &str,
    is_cancelled: Rc<Cell<bool>>,
    mut show: impl FnMut(f64) -> bool,
) -> Result<Option<Blob>, String> {
    show(0.0);
    let recorder = Recorder::start(canvas, kind)?;
    let pausing = Pausing::new(&recorder);
    let (mut seconds, mut before) = (0.0, frame().await);
    while !is_cancelled.get() {
        let now = frame().await;
        seconds += ((now - before) / 1_000.0).clamp(0.0, LONGEST_FRAME);
        before = now;
        if is_cancelled.get() || !show(seconds) {
            break;
        }
    }
    drop(pausing);
    let video = recorder.stop().await;
    match is_cancelled.get() {
        true => Ok(None),
        false => video.map(Some),
    }
}

/// Waits for the next frame of the page, and returns its time in milliseconds.
async fn frame() -> f64 {
    let next = Promise::new(&mut |resolve, _| drop(window().request_animation_frame(&resolve)));
    let time = JsFuture::from(next).await;
    time.ok().and_then(|time| time.as_f64()).unwrap_or(0.0)
}

/// Pauses a recording while the page is hidden, when it has no frames.
struct Pausing(Option<WindowListenerHandle>);

impl Pausing {
    fn new(recorder: &Recorder) -> Self {
        let recorder = recorder.clone();
        let changed = move |_: web_sys::Event| recorder.pause(document().hidden());
        Self(Some(window_event_listener_untyped(
            "visibilitychange",
            changed,
        )))
    }
}

impl Drop for Pausing {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            handle.remove();
        }
    }
}
