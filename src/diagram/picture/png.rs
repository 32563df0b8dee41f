//! A picture as a bitmap.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, HtmlImageElement, OffscreenCanvas, OffscreenCanvasRenderingContext2d,
    Url,
};

use crate::canvas::geometry::Vec2;

/// Returns a PNG file, at twice the screen's resolution if that is not too large for the browser.
pub async fn png(svg: &str, size: Vec2) -> Option<Blob> {
    let scale = (16_000.0 / size.x.max(size.y))
        .min((120e6 / (size.x * size.y)).sqrt())
        .min(2.0);
    let parts = js_sys::Array::of1(&svg.into());
    let options = BlobPropertyBag::new();
    options.set_type("image/svg+xml");
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let image = HtmlImageElement::new().ok()?;
    image.set_src(&address);
    let decoded = JsFuture::from(image.decode()).await;
    let _ = Url::revoke_object_url(&address);
    decoded.ok()?;
    let (w, h) = ((size.x * scale).floor(), (size.y * scale).floor());
    let canvas = OffscreenCanvas::new(w as u32, h as u32).ok()?;
    let context = canvas.get_context("2d").ok()??;
    let context: OffscreenCanvasRenderingContext2d = context.dyn_into().ok()?;
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, w, h)
        .ok()?;
    let blob = JsFuture::from(canvas.convert_to_blob().ok()?).await.ok()?;
    blob.dyn_into().ok()
}
