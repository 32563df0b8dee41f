//! Shuffles a plan file without changing its meaning.

/// Returns a plan with its lines and their ids in another, fixed order: only the order of the steps
/// has a meaning.
pub fn shuffled(plan: &str) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = move |limit: usize| {
        // Marsaglia's xorshift64* (2003, after Vigna 2016).
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    };
    let mut shuffle = |words: &mut [String]| {
        for at in (1..words.len()).rev() {
            words.swap(at, below(at + 1));
        }
    };
    let mut shuffled_line = |line: &str, ids_from: usize| {
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        shuffle(words.get_mut(ids_from..).unwrap_or_default());
        words.join(" ")
    };
    let (mut steps, mut others) = (vec![], vec![]);
    let inside = plan.lines().skip_while(|line| *line != "==>").skip(1);
    for line in inside.take_while(|line| *line != "<==") {
        let arrow = line.split_whitespace().position(|word| word == "->");
        match (line.starts_with("root"), arrow) {
            (true, _) => others.push(shuffled_line(line, 1)),
            (false, Some(arrow)) => others.push(shuffled_line(line, arrow + 2)),
            (false, None) => steps.push(line.to_owned()),
        }
    }
    shuffle(&mut others);
    let lines = ["==>".to_owned()].into_iter().chain(steps).chain(others);
    lines
        .chain(["<==\n".to_owned()])
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_keeps_only_ordered_lists_in_order() {
        let plan = "found\n==>\n0 a\n1 b\nroot 4 5\n4 x -> m 5 1\n5 y -> n 0\n<==\n";
        let other = shuffled(plan);
        let lines: Vec<&str> = other.lines().collect();
        assert_eq!(lines[..3], ["==>", "0 a", "1 b"]);
        assert_eq!(lines.last(), Some(&"<=="));
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(sorted(&other), sorted(plan.trim_start_matches("found")));
        assert_eq!(other, shuffled(plan));
    }
}
