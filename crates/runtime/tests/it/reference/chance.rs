//! Randomness as defined in the semantics.

/// Returns the seed of a part of another seed.
pub fn seed(of: u64, part: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in part.bytes() {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    }
    finish(hash ^ finish(of.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// Returns the draw for a decision.
pub fn draw(of: u64, decision: &str) -> f64 {
    (seed(of, decision) >> 11) as f64 / 2f64.powi(53)
}

/// The last three lines of SplitMix64.
fn finish(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
