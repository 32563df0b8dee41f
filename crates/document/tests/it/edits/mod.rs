//! The changes of edits to the file of the ball in the box.

use expect_test::Expect;
use taskloom_document::{BlockId, Document, Edit, Name, RecordRef, Wire};

mod batches;
mod charts;
mod cleanups;
mod queries;
mod removing;
mod renaming;
mod repeats_while;
mod texts;

const BALL: &str = include_str!("../../../../../public/examples/ball-in-the-box.taskloom.json");

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn record(text: &str) -> RecordRef {
    text.parse().expect("a record")
}

fn block(text: &str) -> BlockId {
    BlockId::new(text).expect("a block id")
}

fn wire(text: &str) -> Wire {
    text.parse().expect("a wire")
}

/// Returns the lines that only one of the texts has, in order (without the longest common
/// subsequence).
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, vec![]);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            lines.push(format!("- {}", old[i].trim()));
            i += 1;
        } else {
            lines.push(format!("+ {}", new[j].trim()));
            j += 1;
        }
    }
    lines.join("\n")
}

fn check(edits: &[Edit], expected: Expect) {
    check_on(BALL, edits, expected);
}

fn check_on(before: &str, edits: &[Edit], expected: Expect) {
    let document = Document::from_json(before).expect("the file opens");
    match document.apply(&Edit::Batch(edits.to_vec())) {
        Ok(after) => expected.assert_eq(&difference(&document.to_json(), &after.to_json())),
        Err(error) => expected.assert_eq(&error.to_string()),
    }
}
