//! Checks of blocks that Begin doesn't reach.
//!
//! ```text
//! b: begin   t: task rest   (no wire)    't' is never reached
//! ```

use taskloom_document::sort::CompactSort;
use taskloom_document::{Edit, Field};

use super::super::findings::Findings;
use super::graph::Graph;
use super::{capital, label};

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    if graph.begin.is_none() {
        return;
    }
    let blocks = 0..graph.blocks.len();
    let mut reached: Vec<bool> = blocks.map(|block| graph.is_reached(block)).collect();
    for (block, (id, of)) in graph.blocks.iter().enumerate() {
        // Blocks after an unreachable block are fixed together with it.
        if reached[block] || !of.has_input() || !graph.entering[block].is_empty() {
            continue;
        }
        // Blocks shared by several of them are fixed together with the first.
        let mut lost = graph.reach(block, &mut reached);
        lost.compact_sort();
        let lost: Vec<_> = lost
            .into_iter()
            .map(|b| graph.blocks[b].0.clone())
            .collect();
        let (rest, fix) = match lost.len() - 1 {
            0 => (String::new(), "Remove the block".to_owned()),
            n => (
                format!(" (and {n} more after it)"),
                format!("Remove the {} blocks", n + 1),
            ),
        };
        let message = format!(
            "{}{rest} is never reached: no wire leads to it.",
            capital(label(of))
        );
        let edit = Edit::RemoveBlocks(findings.record.name.clone(), lost);
        findings
            .warning("unreachable", Field::Block((*id).clone()), message)
            .fix(fix, edit);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn reports_unreachable_blocks() {
        check_method(
            "b: begin
             t: task rest
             alone: end
             u: task walk(box)
             v: task walk(shed)
             b.out -> t
             u.out -> v
             v.out -> t",
            expect![[r#"
                warning[unreachable] compound:go block alone: End is never reached: no wire leads to it.
                    Remove the block
                warning[unreachable] compound:go block u: Task 'walk(box)' (and 1 more after it) is never reached: no wire leads to it.
                    Remove the 2 blocks
            "#]],
        );
    }
}
