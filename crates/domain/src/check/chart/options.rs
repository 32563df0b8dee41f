//! Checks of the options of Task blocks.
//!
//! ```text
//! repeat 0        mute the block instead
//! repeat 500      more than a method can repeat
//! ```

use taskloom_document::{Block, BlockId, Edit, Field};

use super::super::findings::Findings;
use super::graph::Graph;

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    for &(id, block) in &graph.blocks {
        let Block::Task { repeat, .. } = block else {
            continue;
        };
        if let Some(times) = *repeat {
            check_repeat(findings, id, block, times);
        }
    }
}

fn check_repeat(findings: &mut Findings, id: &BlockId, block: &Block, times: u32) {
    let most = Block::MAX_REPEAT;
    let (message, label, repeat) = match times {
        0 => (
            "A task can't be done 0 times. Mute the block instead.".to_owned(),
            "Do it once",
            None,
        ),
        times if times > most => (
            format!("A block can repeat its task up to {most} times, not {times}."),
            "Repeat 100 times",
            Some(most),
        ),
        _ => return,
    };
    let mended = block.with_repeat(repeat);
    let edit = Edit::SetBlock(findings.record.name.clone(), id.clone(), mended);
    findings
        .error("repeat", Field::Block(id.clone()), message)
        .fix(label, edit);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn checks_how_often_a_block_repeats() {
        check_method(
            "b: begin
             t: task rest | repeat 0
             u: task rest | repeat 101
             v: task rest | repeat 1
             w: task rest | repeat 100
             b.out -> t
             t.out -> u
             u.out -> v
             v.out -> w",
            expect![[r#"
                error[repeat] compound:go block t: A task can't be done 0 times. Mute the block instead.
                    Do it once
                error[repeat] compound:go block u: A block can repeat its task up to 100 times, not 101.
                    Repeat 100 times
            "#]],
        );
    }
}
