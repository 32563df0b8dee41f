//! Checks of outputs that should lead somewhere.
//!
//! ```text
//! branch with neither side      no path leads through it
//! choice 1 left, 2 right        output 2 unconnected: that alternative does nothing more
//! choice 1, 2                   no output connected: reported once
//! choice                        nothing to choose
//! choice, cheapest              without costs, the outputs are tried in order
//! ```

use std::collections::BTreeMap;

use taskloom_document::{Alternative, Block, BlockId, ChoicePolicy, Edit, Field, Port};

use rustc_hash::FxHashSet;

use super::super::findings::Findings;
use super::graph::Graph;

/// Maximum number of a Choice's outputs for which fixes are offered: each fix copies the whole
/// block.
const MAX_OUTPUTS: usize = 100;

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    for (block, &(id, of)) in graph.blocks.iter().enumerate() {
        // A block that Begin doesn't reach has one finding, which says so.
        if graph.begin.is_some() && !graph.is_reached(block) {
            continue;
        }
        let connected: FxHashSet<Port> =
            graph.leaving[block].iter().map(|(port, _)| *port).collect();
        match of {
            Block::Branch { .. } if connected.is_empty() => {
                let message = "Neither side of the Branch is connected, so no path leads through it. \
                               Connect 'yes', 'no' or both.";
                findings.error("dead-end", Field::Block(id.clone()), message.into());
            }
            Block::Choice {
                alternatives,
                policy,
                scores,
            } => choice(findings, id, (alternatives, *policy, scores), &connected),
            Block::Branch { .. }
            | Block::Begin {}
            | Block::Task { .. }
            | Block::Bind { .. }
            | Block::End {} => {}
        }
    }
}

fn choice(
    findings: &mut Findings,
    id: &BlockId,
    (alternatives, policy, scores): (&[Alternative], ChoicePolicy, &BTreeMap<Port, String>),
    connected: &FxHashSet<Port>,
) {
    let field = || Field::Block(id.clone());
    let task = findings.record.name.clone();
    if alternatives.is_empty() {
        let output = |id| Alternative {
            id,
            label: String::new(),
        };
        let block = Block::choice(vec![output(1), output(2)]);
        let message = "The Choice has no outputs, so there is nothing to choose.".into();
        findings
            .error("dead-end", field(), message)
            .fix("Add two outputs", Edit::SetBlock(task, id.clone(), block));
        return;
    }
    let is_short = alternatives.len() <= MAX_OUTPUTS;
    let ports = alternatives
        .iter()
        .map(|output| Port::Alternative(output.id));
    let is_said = |port: Port| {
        scores
            .get(&port)
            .is_some_and(|score| !score.trim().is_empty())
    };
    let wanted = match policy {
        ChoicePolicy::First | ChoicePolicy::Random => None,
        ChoicePolicy::Cheapest => Some("cost"),
        ChoicePolicy::Highest => Some("score"),
    };
    if let Some(wanted) = wanted.filter(|_| !ports.clone().any(is_said)) {
        let message =
            format!("No alternative has a {wanted}, so they are tried in the order drawn.");
        findings.warning("no-scores", field(), message);
    }
    if connected.is_empty() && alternatives.len() > 1 {
        let message = "No output of the Choice leads anywhere, so it does nothing more.";
        findings.warning("open-output", field(), message.into());
        return;
    }
    for (at, alternative) in alternatives.iter().enumerate() {
        if connected.contains(&Port::Alternative(alternative.id)) {
            continue;
        }
        let called = match alternative.label.trim() {
            "" => format!("Output {}", at + 1),
            text => format!("Output {} ('{text}')", at + 1),
        };
        let message =
            format!("{called} of the Choice leads nowhere: this alternative does nothing more.");
        let finding = findings.warning("open-output", field(), message);
        if is_short && alternatives.len() > 1 {
            let mut rest = alternatives.to_vec();
            rest.remove(at);
            let block = Block::Choice {
                policy,
                alternatives: rest,
                scores: scores.clone(),
            };
            let edit = Edit::SetBlock(task.clone(), id.clone(), block);
            finding.fix("Remove the output", edit);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn outputs_of_unreachable_blocks_are_not_reported() {
        check_method(
            "b: begin
             c: choice 1 left, 2 right
             d: branch lit",
            expect![[r#"
                warning[empty-method] compound:go block b: Nothing follows Begin, so 'go' completes at once without doing anything.
                warning[unreachable] compound:go block c: The Choice is never reached: no wire leads to it.
                    Remove the block
                warning[unreachable] compound:go block d: Branch 'lit' is never reached: no wire leads to it.
                    Remove the block
            "#]],
        );
    }

    #[test]
    fn reports_unconnected_outputs() {
        check_method(
            "b: begin
             c: choice 1 left, 2, 3 right
             q: branch lit
             d: choice
             t: task rest
             b.out -> c
             c.1 -> q
             c.3 -> d
             b.out -> t",
            expect![[r#"
                warning[open-output] compound:go block c: Output 2 of the Choice leads nowhere: this alternative does nothing more.
                    Remove the output
                error[dead-end] compound:go block d: The Choice has no outputs, so there is nothing to choose.
                    Add two outputs
                error[dead-end] compound:go block q: Neither side of the Branch is connected, so no path leads through it. Connect 'yes', 'no' or both.
            "#]],
        );
    }

    #[test]
    fn reports_a_choice_without_wires_once() {
        check_method(
            "b: begin
             c: choice 1 left, 2 right
             b.out -> c",
            expect![[r#"
                warning[open-output] compound:go block c: No output of the Choice leads anywhere, so it does nothing more.
            "#]],
        );
    }

    #[test]
    fn warns_of_cheapest_choices_without_costs() {
        check_method(
            "b: begin
             c: cheapest 1 left, 2 right
             t: task rest
             b.out -> c
             c.1 -> t
             c.2 -> t",
            expect![[r#"
                warning[no-scores] compound:go block c: No alternative has a cost, so they are tried in the order drawn.
            "#]],
        );
    }

    #[test]
    fn accepts_branches_with_one_connected_side() {
        check_method(
            "b: begin
             q: branch lit
             t: task rest
             b.out -> q
             q.true -> t",
            expect![[""]],
        );
    }
}
