//! A document in an address: compressed, behind the `#`, so that no server ever
//! sees it.

use js_sys::{Array, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use web_sys::Response;

use super::js;

/// What the fragment begins with: the document, deflated, in base64url.
const KEY: &str = "#d=";
/// The longest link that mail programs and browsers are known to carry.
pub const LONGEST: usize = 32_000;
/// The longest fragment that is opened: more would only fill the memory.
const LONGEST_OPENED: usize = 400_000;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The address that opens a copy of a document's file.
pub async fn link(text: &str) -> Result<String, String> {
    let packed = piped(text.as_bytes(), "CompressionStream").await;
    let packed = packed.map_err(|error| js::message(&error))?;
    let page = window().location().href().unwrap_or_default();
    let page = page.split('#').next().unwrap_or_default();
    Ok(format!("{page}{KEY}{}", to_base64(&packed)))
}

/// The document's file in the page's address; it is taken out of the address, so
/// that a reload does not open it again.
pub async fn shared() -> Option<Result<String, String>> {
    let location = window().location();
    let hash = location.hash().ok()?;
    let digits = hash.strip_prefix(KEY)?.to_owned();
    let page = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    let history = js::get(&window(), "history");
    let arguments = [JsValue::NULL, "".into(), page.into()];
    let _ = js::call(&history, "replaceState", &arguments);
    Some(
        opened(&digits)
            .await
            .ok_or_else(|| "the link is not whole".to_owned()),
    )
}

async fn opened(digits: &str) -> Option<String> {
    let packed = Some(digits).filter(|d| d.len() <= LONGEST_OPENED);
    let packed = from_base64(packed?)?;
    let bytes = piped(&packed, "DecompressionStream").await.ok()?;
    String::from_utf8(bytes).ok()
}

/// Bytes, after they went through one of the browser's streams.
async fn piped(bytes: &[u8], class: &str) -> Result<Vec<u8>, JsValue> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = js::make("Blob", &[parts.into()])?;
    let stream = js::make(class, &["deflate-raw".into()])?;
    let source = js::call(&blob, "stream", &[])?;
    let piped = js::call(&source, "pipeThrough", &[stream])?;
    let response: Response = js::make("Response", &[piped])?.unchecked_into();
    let buffer = js::wait(&response, "arrayBuffer", &[]).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..=chunk.len() {
            let digit = bits >> (18 - 6 * at) & 63;
            text.push(char::from(DIGITS[digit as usize]));
        }
    }
    text
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for at in 0..4 {
            let digit = match chunk.get(at) {
                Some(digit) => DIGITS.iter().position(|d| d == digit)?,
                None => 0,
            };
            bits = bits << 6 | digit as u32;
        }
        let [_, all @ ..] = bits.to_be_bytes();
        bytes.extend(all.iter().take(chunk.len() * 3 / 4));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_give_the_bytes_back() {
        for length in 0..70_u8 {
            let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(83)).collect();
            let text = to_base64(&bytes);
            assert!(text.bytes().all(|b| DIGITS.contains(&b)));
            assert_eq!(from_base64(&text), Some(bytes));
        }
        assert_eq!(to_base64(b"light work."), "bGlnaHQgd29yay4");
        assert_eq!(from_base64("a+b"), None);
    }

    #[cfg(target_arch = "wasm32")]
    #[wasm_bindgen_test::wasm_bindgen_test]
    async fn a_link_holds_the_whole_document() {
        let text = crate::examples::first().to_json();
        let link = link(&text).await.unwrap();
        let (_, digits) = link.split_once(KEY).unwrap();
        assert!(digits.len() < text.len() / 3, "{}", digits.len());
        assert_eq!(opened(digits).await, Some(text));
        assert_eq!(opened(&digits[..digits.len() / 2]).await, None);
        assert_eq!(opened("nonsense").await, None);
    }
}
