//! Random values from the browser.

use taskloom_document::BlockId;

/// Returns eight letters and digits, about 47 bits: two people's branches hardly ever get the same
/// id.
pub fn block_id() -> BlockId {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bytes = random_bytes();
    let text: String = bytes
        .iter()
        .map(|b| char::from(ALPHABET[usize::from(b % 32)]))
        .collect();
    BlockId::new(&text).unwrap_or_else(|_| unreachable!("letters and digits make an id"))
}

/// Returns random bytes. If the browser refuses its secure source, another one is used.
fn random_bytes() -> [u8; 8] {
    let mut bytes = [0_u8; 8];
    let crypto = leptos::prelude::window().crypto();
    let filled = crypto.and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes));
    if filled.is_err() {
        bytes = bytes.map(|_| (js_sys::Math::random() * 256.0) as u8);
    }
    bytes
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn ids_are_unique_and_round_trip() {
        let ids: Vec<BlockId> = (0..2000).map(|_| block_id()).collect();
        let distinct: BTreeSet<String> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(distinct.len(), ids.len());
        for (id, text) in ids.iter().map(|id| (id, id.to_string())) {
            assert_eq!(text.len(), 8);
            assert_eq!(text.parse::<BlockId>().as_ref(), Ok(id));
        }
    }
}
