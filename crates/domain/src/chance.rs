//! Reproducible random numbers: there is no generator with a state; each number depends only on a
//! seed and on the decision that it is for (semantics, section 5).

/// Derives a seed for a named part from the seed of the whole.
///
/// The text's bytes are hashed by FNV-1a (Fowler, Noll and Vo); the hash and the seed together are
/// finished as in SplitMix64 (Steele, Lea and Flood 2014).
pub fn seed(seed: u64, part: &str) -> u64 {
    let hash = part.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    finish(hash ^ finish(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// Returns a number from 0 to below 1 for a named decision: the upper 53 bits of its seed.
pub fn draw(of: u64, decision: &str) -> f64 {
    (seed(of, decision) >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns the seed of the planning of a scenario's n-th character at a tick.
pub fn seed_of_planning(of_scenario: u32, player: usize, tick: u32) -> u64 {
    seed(u64::from(of_scenario), &format!("plan {player} {tick}"))
}

fn finish(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_evenly() {
        let mut tenths = [0; 10];
        for n in 0..10_000 {
            tenths[(draw(7, &n.to_string()) * 10.0) as usize] += 1;
        }
        assert!(tenths.iter().all(|n| (850..1150).contains(n)), "{tenths:?}");
        assert_eq!(draw(7, "a"), draw(7, "a"));
        assert_ne!(draw(7, "a"), draw(8, "a"));
    }
}
