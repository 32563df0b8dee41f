//! An order for texts that are compressed together: each after those that it is most like.
//!
//! gzip finds repetitions up to 32 kB back, and functions are some hundred bytes each: the many that one generic
//! function became are far apart in a program of megabytes unless somebody brings them together.

use std::collections::{HashMap, VecDeque};

/// How far back gzip looks, in bytes.
const WINDOW: usize = 32 * 1024;
/// How long a passage has to be to count as a repetition, in bytes.
const PASSAGE: usize = 6;
const FEW: usize = 8;
/// A passage that so many texts have tells nothing of any.
const EVERYWHERE: usize = 400;

/// The positions of `texts`, in an order in which each repeats as much as possible of what stands shortly before it.
pub fn order(texts: &[&[u8]]) -> Vec<usize> {
    let passages = shared_passages(texts);
    let mut passages_of = vec![vec![]; texts.len()];
    for (passage, holders) in passages.iter().enumerate() {
        for &text in holders {
            passages_of[text].push(passage);
        }
    }
    let mut window = Window {
        times: vec![0; passages.len()],
        known: vec![0; texts.len()],
        texts: VecDeque::new(),
        size: 0,
    };
    let mut left: Vec<usize> = (0..texts.len()).collect();
    let mut order = vec![];
    while !left.is_empty() {
        // The first of those that are known best. Of a few passages, that all are known says little.
        let share =
            |text: usize| f64::from(window.known[text]) / (passages_of[text].len() + FEW) as f64;
        let mut best = 0;
        for (place, &text) in left.iter().enumerate() {
            if share(text) > share(left[best]) {
                best = place;
            }
        }
        let text = left.remove(best);
        order.push(text);
        window.push(text, texts, &passages, &passages_of);
    }
    order
}

/// For each passage that stands in several texts, but not in most: which ones.
fn shared_passages(texts: &[&[u8]]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut holders: Vec<Vec<usize>> = vec![];
    for (text, bytes) in texts.iter().enumerate() {
        for passage in bytes.windows(PASSAGE) {
            let number = *numbers.entry(passage).or_insert_with(|| {
                holders.push(vec![]);
                holders.len() - 1
            });
            if holders[number].last() != Some(&text) {
                holders[number].push(text);
            }
        }
    }
    holders.retain(|holders| (2..=EVERYWHERE).contains(&holders.len()));
    holders
}

/// The texts that stood last, as many as a compressor sees.
struct Window {
    /// How often it holds each passage.
    times: Vec<u32>,
    /// How many of each text's passages it holds.
    known: Vec<u32>,
    texts: VecDeque<usize>,
    size: usize,
}

impl Window {
    fn push(
        &mut self,
        text: usize,
        texts: &[&[u8]],
        passages: &[Vec<usize>],
        passages_of: &[Vec<usize>],
    ) {
        for &passage in &passages_of[text] {
            self.times[passage] += 1;
            if self.times[passage] == 1 {
                passages[passage].iter().for_each(|&t| self.known[t] += 1);
            }
        }
        self.texts.push_back(text);
        self.size += texts[text].len();
        while self.size > WINDOW
            && let Some(gone) = self.texts.pop_front()
        {
            self.size -= texts[gone].len();
            for &passage in &passages_of[gone] {
                self.times[passage] -= 1;
                if self.times[passage] == 0 {
                    passages[passage].iter().for_each(|&t| self.known[t] -= 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_alike_come_together() {
        let texts: [&[u8]; 5] = [
            b"the quick brown fox jumps",
            b"0123456789 abcdefghij",
            b"a quick brown fox sleeps",
            b"0123456789 klmnopqrst",
            b"every quick brown fox eats",
        ];
        assert_eq!(order(&texts), [0, 2, 4, 1, 3]);
    }

    #[test]
    fn without_a_likeness_the_order_stays() {
        let texts: [&[u8]; 3] = [b"abcdefghi", b"123456789", b"#+*~-_.:;"];
        assert_eq!(order(&texts), [0, 1, 2]);
        assert_eq!(order(&[]), [0; 0]);
    }
}
