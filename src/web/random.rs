//! Randomness, from the browser.

use taskloom_core::document::BlockId;

/// Eight letters and digits, some 47 bits: two people's branches hardly ever draw the same.
pub fn block_id() -> BlockId {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0_u8; 8];
    if let Ok(crypto) = leptos::prelude::window().crypto() {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    let text: String = bytes
        .iter()
        .map(|b| char::from(ALPHABET[usize::from(b % 32)]))
        .collect();
    BlockId::new(&text).unwrap_or_else(|_| unreachable!("letters and digits make an id"))
}
