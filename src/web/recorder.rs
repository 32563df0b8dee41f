//! The browser's recorder of videos, and its paths for canvases. They are called by name: for a
//! few calls, that takes less room than their bindings, and a browser may lack them.

use js_sys::{Array, Function, Object, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement};

use super::error::message;

/// The video formats, the best first, with their file extensions.
const FORMATS: [(&str, &str); 4] = [
    ("video/webm;codecs=vp9", "webm"),
    ("video/webm;codecs=vp8", "webm"),
    ("video/webm", "webm"),
    ("video/mp4", "mp4"),
];
/// The frames per second.
const RATE: f64 = 30.0;
/// The bits per second: text stays sharp.
const BITS: f64 = 5e6;

/// Returns the format in which this browser records videos, with its file extension; `None` if it
/// records none.
pub fn format() -> Option<(&'static str, &'static str)> {
    let class = class("MediaRecorder").ok()?;
    let is_supported = |kind: &str| call(&class, "isTypeSupported", &[kind.into()]);
    let mut formats = FORMATS.into_iter();
    formats.find(|(kind, _)| is_supported(kind).is_ok_and(|answer| answer.is_truthy()))
}

/// A recording of a canvas.
#[derive(Clone)]
pub struct Recorder {
    recorder: JsValue,
    /// The recorded parts.
    parts: Array,
    kind: String,
    stopped: Promise,
}

impl Recorder {
    /// Starts to record what is drawn on a canvas.
    ///
    /// # Errors
    /// Returns the browser's reason for not recording.
    pub fn start(canvas: &HtmlCanvasElement, kind: &str) -> Result<Self, String> {
        Self::started(canvas, kind).map_err(|error| message(&error))
    }

    fn started(canvas: &HtmlCanvasElement, kind: &str) -> Result<Self, JsValue> {
        let stream = call(canvas, "captureStream", &[RATE.into()])?;
        let options = Object::new();
        set(&options, "mimeType", &kind.into())?;
        set(&options, "videoBitsPerSecond", &BITS.into())?;
        let class = class("MediaRecorder")?;
        let recorder = Reflect::construct(&class, &Array::of2(&stream, &options))?;
        let parts = Array::new();
        let kept = parts.clone();
        // It lives as long as the recorder, which the browser drops with it.
        let on_data = Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
            if let Ok(data) = Reflect::get(&event, &"data".into()) {
                kept.push(&data);
            }
        });
        set(&recorder, "ondataavailable", &on_data.into_js_value())?;
        let stopped = Promise::new(&mut |resolve, _| drop(set(&recorder, "onstop", &resolve)));
        call(&recorder, "start", &[])?;
        Ok(Self {
            recorder,
            parts,
            kind: kind.to_owned(),
            stopped,
        })
    }

    /// Pauses or continues the recording. One that has ended stays as it is.
    pub fn pause(&self, is_paused: bool) {
        let name = if is_paused { "pause" } else { "resume" };
        let _ = call(&self.recorder, name, &[]);
    }

    /// Ends the recording, and returns the video.
    ///
    /// # Errors
    /// Returns the browser's reason for not recording.
    pub async fn stop(self) -> Result<Blob, String> {
        call(&self.recorder, "stop", &[]).map_err(|error| message(&error))?;
        let _ = JsFuture::from(self.stopped).await;
        let options = BlobPropertyBag::new();
        options.set_type(&self.kind);
        let blob = Blob::new_with_blob_sequence_and_options(&self.parts, &options);
        let blob = blob.map_err(|error| message(&error))?;
        match blob.size() > 0.0 {
            true => Ok(blob),
            false => Err("The browser recorded nothing.".to_owned()),
        }
    }
}

/// A path for a canvas.
pub struct CanvasPath(JsValue);

impl CanvasPath {
    /// Creates a path from the `d` of an SVG path.
    pub fn new(path: &str) -> Option<Self> {
        let class = class("Path2D").ok()?;
        let path = Reflect::construct(&class, &Array::of1(&path.into()));
        path.ok().map(Self)
    }

    /// Fills it.
    pub fn fill(&self, context: &CanvasRenderingContext2d) {
        let _ = call(context, "fill", std::slice::from_ref(&self.0));
    }

    /// Strokes it.
    pub fn stroke(&self, context: &CanvasRenderingContext2d) {
        let _ = call(context, "stroke", std::slice::from_ref(&self.0));
    }
}

/// Returns a class of the browser.
fn class(name: &str) -> Result<Function, JsValue> {
    Reflect::get(&window(), &name.into())?.dyn_into()
}

fn set(object: &JsValue, name: &str, value: &JsValue) -> Result<bool, JsValue> {
    Reflect::set(object, &name.into(), value)
}

fn call(object: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let method: Function = Reflect::get(object, &name.into())?.dyn_into()?;
    Reflect::apply(&method, object, &arguments.iter().collect())
}
