//! Documents in links: compressed, after the `#`, so that no server ever sees them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use js_sys::Uint8Array;
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    CompressionFormat, CompressionStream, DecompressionStream, ReadableStream,
    ReadableStreamDefaultReader, ReadableStreamReadResult, WritableStream,
    WritableStreamDefaultWriter,
};

use super::error::message;

/// The start of the fragment, before the document, deflated, in base64url.
const KEY: &str = "#d=";
/// The maximum length of a link that mail programs and browsers are known to support.
pub const LONGEST: usize = 32_000;
/// The maximum length of a fragment that is opened: more would only fill the memory.
const LONGEST_OPENED: usize = 400_000;
/// The maximum size of the file that a link may unpack to, in bytes. A few thousand characters
/// could contain gigabytes.
const LARGEST: usize = 20_000_000;
/// The number of bytes passed to the browser at a time. It unpacks each such part at once, to at
/// most a thousand times its size, and the next one only when all output has been read.
const PART: usize = 1_024;

/// Returns the address that opens a copy of a document file.
pub async fn link(text: &str) -> Result<String, String> {
    if text.len() > LARGEST {
        return Err(format!(
            "the document is larger than {} MB",
            LARGEST / 1_000_000
        ));
    }
    let packed = packed(text.as_bytes().to_vec()).await;
    let packed = packed.map_err(|failed| match failed {
        Failed::Browser(error) => message(&error),
        Failed::TooLarge => "it is too large".to_owned(),
    })?;
    let page = window().location().href().unwrap_or_default();
    let page = page.split('#').next().unwrap_or_default();
    Ok(format!("{page}{KEY}{}", URL_SAFE_NO_PAD.encode(&packed)))
}

/// Returns `true` if the page's address contains a document.
pub fn is_shared() -> bool {
    let hash = window().location().hash();
    hash.is_ok_and(|hash| hash.starts_with(KEY))
}

/// Returns the document file in the page's address and removes it from the address, so that a
/// reload doesn't open it again.
pub async fn shared() -> Option<Result<String, String>> {
    let location = window().location();
    let hash = location.hash().ok()?;
    let digits = hash.strip_prefix(KEY)?.to_owned();
    let page = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&page));
    }
    Some(opened(&digits).await)
}

async fn opened(digits: &str) -> Result<String, String> {
    if digits.len() > LONGEST_OPENED {
        return Err(format!(
            "the link is longer than {LONGEST_OPENED} characters"
        ));
    }
    let broken = || "the link is incomplete or damaged".to_owned();
    let packed = URL_SAFE_NO_PAD.decode(digits).map_err(|_| broken())?;
    match unpacked(packed, LARGEST).await {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| broken()),
        Err(Failed::TooLarge) => Err(format!(
            "the link unpacks to more than {} MB",
            LARGEST / 1_000_000
        )),
        Err(Failed::Browser(_)) => Err(broken()),
    }
}

/// The reason why bytes couldn't be passed through a stream.
enum Failed {
    /// The browser refused, or the bytes are invalid for the stream.
    Browser(JsValue),
    /// The output exceeds the limit.
    TooLarge,
}

impl From<JsValue> for Failed {
    fn from(error: JsValue) -> Self {
        Self::Browser(error)
    }
}

/// Compresses bytes.
async fn packed(bytes: Vec<u8>) -> Result<Vec<u8>, Failed> {
    let stream = CompressionStream::new(CompressionFormat::DeflateRaw)?;
    piped(bytes, stream.writable(), stream.readable(), usize::MAX).await
}

/// Decompresses bytes, to at most `most` bytes.
async fn unpacked(bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, Failed> {
    let stream = DecompressionStream::new(CompressionFormat::DeflateRaw)?;
    piped(bytes, stream.writable(), stream.readable(), most).await
}

/// Passes bytes through one of the browser's streams, with at most `most` bytes of output. The
/// output is counted as it arrives, and nothing more is unpacked once it exceeds the limit.
async fn piped(
    bytes: Vec<u8>,
    writable: WritableStream,
    readable: ReadableStream,
    most: usize,
) -> Result<Vec<u8>, Failed> {
    let writer = WritableStreamDefaultWriter::new(&writable)?;
    let reader = ReadableStreamDefaultReader::new(&readable)?;
    // A write waits until the output of the previous one is read, so it has to run concurrently
    // with the reading.
    spawn_local(async move {
        for part in bytes.chunks(PART) {
            let part = Uint8Array::from(part);
            if JsFuture::from(writer.write_with_chunk(&part))
                .await
                .is_err()
            {
                // The reader is notified as well, or has read enough.
                return;
            }
        }
        let _ = JsFuture::from(writer.close()).await;
    });
    let mut out = vec![];
    loop {
        let next = JsFuture::from(reader.read()).await?;
        let next = ReadableStreamReadResult::unchecked_from_js(next);
        if next.get_done() == Some(true) {
            return Ok(out);
        }
        let chunk: Uint8Array = next.get_value().dyn_into()?;
        if out.len() + chunk.length() as usize > most {
            let _ = JsFuture::from(reader.cancel()).await;
            return Err(Failed::TooLarge);
        }
        out.extend(chunk.to_vec());
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;

    #[wasm_bindgen_test::wasm_bindgen_test]
    async fn links_contain_the_whole_document() {
        let text = crate::examples::first().to_json();
        let link = link(&text).await.unwrap();
        let (_, digits) = link.split_once(KEY).unwrap();
        assert!(digits.len() < text.len() / 3, "{}", digits.len());
        assert_eq!(opened(digits).await, Ok(text));
        let broken = Err("the link is incomplete or damaged".to_owned());
        assert_eq!(opened(&digits[..digits.len() / 2]).await, broken);
        assert_eq!(opened("nonsense").await, broken);
        let long = "A".repeat(LONGEST_OPENED + 1);
        let reason = opened(&long).await.unwrap_err();
        assert_eq!(reason, "the link is longer than 400000 characters");
    }

    #[wasm_bindgen_test::wasm_bindgen_test]
    async fn rejects_links_that_unpack_to_too_much() {
        for (size, is_opened) in [(LARGEST, true), (LARGEST + 1, false), (2 * LARGEST, false)] {
            let blanks = vec![b' '; size];
            let packed = packed(blanks).await;
            let digits = URL_SAFE_NO_PAD.encode(packed.unwrap_or_default());
            assert!(
                (1..LONGEST_OPENED).contains(&digits.len()),
                "{}",
                digits.len()
            );
            match opened(&digits).await {
                Ok(text) => assert!(is_opened && text.len() == size),
                Err(reason) => {
                    assert!(!is_opened);
                    assert_eq!(reason, "the link unpacks to more than 20 MB");
                }
            }
        }
    }

    /// Checks that the browser unpacks no more than one part of the link beyond the output that is
    /// read.
    #[wasm_bindgen_test::wasm_bindgen_test]
    async fn unpacking_stops_at_the_size_limit() {
        let packed = packed(vec![b' '; 3_000_000]).await;
        let packed = packed.unwrap_or_default();
        assert!(packed.len() > 2 * PART, "{}", packed.len());
        // The first parts are followed by invalid data, on which unpacking everything fails.
        let mut spoiled = packed.clone();
        let half = spoiled.len() / 2;
        spoiled[half..].fill(0xff);
        let whole = unpacked(spoiled.clone(), usize::MAX).await;
        assert!(matches!(whole, Err(Failed::Browser(_))));
        let part = unpacked(spoiled, 100_000).await;
        assert!(matches!(part, Err(Failed::TooLarge)));
    }
}
