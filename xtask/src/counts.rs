//! How many tests a runner says that it ran.

use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Counts {
    /// Adds up the closing lines of cargo's (and wasm-bindgen's) and of node's test runners.
    pub fn of(lines: &[String]) -> Self {
        let mut sum = Self::default();
        for line in lines {
            let line = without_colours(line);
            if let Some(results) = line.trim_start().strip_prefix("test result: ") {
                sum += of_cargo(results);
            } else if let Some((name, number)) = of_node(&line) {
                match name {
                    "pass" => sum.passed += number,
                    "fail" | "cancelled" => sum.failed += number,
                    "skipped" | "todo" => sum.skipped += number,
                    _ => {}
                }
            }
        }
        sum
    }
}

/// `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s`
fn of_cargo(results: &str) -> Counts {
    let number_before = |word: &str| {
        results
            .split([';', '.'])
            .find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
            .unwrap_or(0)
    };
    Counts {
        passed: number_before("passed"),
        failed: number_before("failed"),
        skipped: number_before("ignored"),
    }
}

/// `ℹ pass 3`, as node's `spec` reporter closes.
fn of_node(line: &str) -> Option<(&str, usize)> {
    let (name, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    Some((name, number.parse().ok()?))
}

/// The text alone, of a line that may hold a terminal's escape sequences.
pub fn without_colours(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        if character == '\x1b' {
            // Ends with the sequence's letter.
            let _ = rest.find(char::is_ascii_alphabetic);
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> (usize, usize, usize) {
        let lines: Vec<String> = text.lines().map(String::from).collect();
        let counts = Counts::of(&lines);
        (counts.passed, counts.failed, counts.skipped)
    }

    #[test]
    fn cargos_closing_lines_are_added_up() {
        let output = "running 3 tests\ntest a ... ok\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out; finished in 1.25s\n";
        assert_eq!(counted(output), (13, 2, 1));
    }

    #[test]
    fn wasm_bindgens_closing_line_is_read() {
        assert_eq!(
            counted(
                "test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.08s"
            ),
            (4, 0, 0)
        );
    }

    #[test]
    fn nodes_closing_lines_are_read_even_in_colour() {
        let output = "✔ opens (12ms)\n\x1b[34mℹ tests 4\x1b[39m\n\x1b[34mℹ suites 0\x1b[39m\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ \
                      skipped 1\nℹ todo 0\nℹ duration_ms 90.5\n";
        assert_eq!(counted(output), (2, 1, 1));
    }

    #[test]
    fn other_lines_count_for_nothing() {
        assert_eq!(counted("3 passed, 1 failed\npass 3\n"), (0, 0, 0));
    }
}
