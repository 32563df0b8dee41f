//! Ranges of bytes in texts, and the lines and columns of bytes.

use serde::{Deserialize, Serialize};

/// A range of bytes in one text of the document.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize, Deserialize,
)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the range from `start` to `end`, exclusive.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// Returns the smallest range that contains both.
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An index of the lines and characters of a text, to find the line and column of a byte without
/// scanning from the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// The first byte of each line.
    starts: Vec<usize>,
    /// The number of characters before each [`STRIDE`]th byte.
    characters: Vec<usize>,
}

/// The number of bytes between two indexed character counts.
const STRIDE: usize = 1024;

impl Lines {
    /// Indexes the lines of a text in time linear in its length.
    pub fn of(text: &str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut characters = vec![0];
        for part in text.as_bytes().chunks(STRIDE) {
            characters.push(characters.last().unwrap_or(&0) + characters_in(part));
        }
        Self {
            starts: std::iter::once(0).chain(after_breaks).collect(),
            characters,
        }
    }

    /// Returns the first byte of a line, counted from 1; that of the last line if there are fewer.
    pub fn start(&self, line: usize) -> usize {
        let at = line.clamp(1, self.starts.len());
        self.starts.get(at - 1).copied().unwrap_or_default()
    }

    /// Returns the line and the column of a byte of this text, both from 1, in characters; those of
    /// the text's end if it is shorter.
    pub fn position(&self, text: &str, at: usize) -> (usize, usize) {
        let at = at.min(text.len());
        let line = self.starts.partition_point(|start| *start <= at);
        let before = |at| {
            let part = at / STRIDE;
            let rest = text.as_bytes().get(part * STRIDE..at).unwrap_or_default();
            self.characters.get(part).copied().unwrap_or_default() + characters_in(rest)
        };
        (line, before(at) - before(self.start(line)) + 1)
    }
}

/// Returns the number of characters that start in a part of a text in UTF-8.
fn characters_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| **b & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_match_a_naive_count() {
        let short = "eins\n\nzwei drei vier\r\n€ und ü\n";
        let long = format!(
            "{short}{}\n{}",
            "aé𝄞".repeat(3 * STRIDE),
            "x\n".repeat(2 * STRIDE)
        );
        for text in ["", "\n", short, &long] {
            let lines = Lines::of(text);
            let (mut line, mut column) = (1, 1);
            for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
                assert_eq!(lines.position(text, at), (line, column), "byte {at}");
                assert!(text[lines.start(line)..at].chars().count() == column - 1);
                (line, column) = if c == '\n' {
                    (line + 1, 1)
                } else {
                    (line, column + 1)
                };
            }
            assert_eq!(
                lines.position(text, usize::MAX),
                lines.position(text, text.len())
            );
        }
    }
}
