//! Image files, scaled down to be stored in the browser.

use gloo::file::futures::read_as_data_url;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, File, HtmlCanvasElement, HtmlImageElement};

/// The largest file that is read, in bytes.
const LARGEST: f64 = 50e6;
/// The maximum width and height at first, in pixels.
const SIDE: f64 = 2_000.0;
/// The width and height of an image that has none, such as some SVG files.
const NO_SIZE: f64 = 1_000.0;
/// The maximum length of the address, in characters: about 300 kB in base64.
const LONGEST: usize = 400_000;
/// The quality of compressed images.
const QUALITY: f64 = 0.85;

/// Returns an image file as a `data:` address, scaled down to about 300 kB, with its width and
/// height in pixels. It is drawn by the browser, so that it contains nothing but pixels.
///
/// # Errors
/// Returns the reason why it can't be shown.
pub async fn scaled_down(file: &File) -> Result<(String, (i32, i32)), String> {
    if file.size() > LARGEST {
        return Err(format!("it is larger than {} MB.", LARGEST / 1e6));
    }
    let unreadable = "this browser can't read it as an image.";
    // Chromium reports a `blob:` address that it can't decode as a breach of the page's policy.
    let address = read_as_data_url(&gloo::file::File::from(file.clone()))
        .await
        .map_err(|_| unreadable)?;
    let image = HtmlImageElement::new().map_err(|_| unreadable)?;
    image.set_src(&address);
    let decoded = JsFuture::from(image.decode()).await;
    let drawn = decoded.ok().and_then(|_| drawn(&image));
    drawn.ok_or_else(|| unreadable.to_owned())
}

/// Draws an image smaller and smaller, until it is small enough.
fn drawn(image: &HtmlImageElement) -> Option<(String, (i32, i32))> {
    let length = |own: u32| if own == 0 { NO_SIZE } else { f64::from(own) };
    let (width, height) = (
        length(image.natural_width()),
        length(image.natural_height()),
    );
    let mut scale = (SIDE / width.max(height)).min(1.0);
    loop {
        let (w, h) = (
            (width * scale).ceil().max(1.0),
            (height * scale).ceil().max(1.0),
        );
        let canvas = document().create_element("canvas").ok()?;
        let canvas: HtmlCanvasElement = canvas.dyn_into().ok()?;
        canvas.set_width(w as u32);
        canvas.set_height(h as u32);
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        context
            .draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, w, h)
            .ok()?;
        // A browser that doesn't write WebP returns a PNG file.
        let address =
            canvas.to_data_url_with_type_and_encoder_options("image/webp", &QUALITY.into());
        let address = address.ok()?;
        if address.len() <= LONGEST || w.max(h) < 64.0 {
            return Some((address, (w as i32, h as i32)));
        }
        scale *= 0.8;
    }
}
