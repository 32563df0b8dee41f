//! Outputs that should lead somewhere.
//!
//! ```text
//! branch with neither side      the method ends in no way at all
//! choice 1 left, 2 right        output 2 unconnected: that way does nothing more
//! choice                        nothing to choose
//! choice, cheapest              the planner takes the outputs in order
//! ```

use taskloom_document::{Alternative, Block, BlockId, Edit, Field, Policy, Port};

use rustc_hash::FxHashSet;

use super::super::findings::Findings;
use super::graph::Graph;

/// A fix is a whole block: where a Choice has more outputs than anybody draws, it is not made for each of them.
const MOST_OUTPUTS: usize = 100;

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    for (block, &(id, of)) in graph.blocks.iter().enumerate() {
        let connected: FxHashSet<Port> =
            graph.leaving[block].iter().map(|(port, _)| *port).collect();
        match of {
            Block::Branch { .. } if connected.is_empty() => {
                let message = "Neither side of the Branch leads on, so no way through it exists. \
                               Connect 'yes', 'no' or both.";
                findings.error("dead-end", Field::Block(id.clone()), message.into());
            }
            Block::Choice {
                alternatives,
                policy,
            } => choice(findings, id, alternatives, *policy, &connected),
            _ => {}
        }
    }
}

fn choice(
    findings: &mut Findings,
    id: &BlockId,
    alternatives: &[Alternative],
    policy: Policy,
    connected: &FxHashSet<Port>,
) {
    let field = || Field::Block(id.clone());
    let task = findings.record.name.clone();
    if alternatives.is_empty() {
        let output = |id| Alternative {
            id,
            label: String::new(),
        };
        let block = Block::Choice {
            policy,
            alternatives: vec![output(1), output(2)],
        };
        let message = "The Choice has no outputs, so there is nothing to choose.".into();
        findings.error("dead-end", field(), message).fix(
            "Give it two outputs",
            Edit::SetBlock(task, id.clone(), block),
        );
        return;
    }
    let mut numbers = FxHashSet::default();
    let is_numbered = alternatives.iter().all(|output| numbers.insert(output.id));
    let is_short = alternatives.len() <= MOST_OUTPUTS;
    if policy == Policy::Cheapest {
        let block = Block::Choice {
            policy: Policy::First,
            alternatives: alternatives.to_vec(),
        };
        let message = "The Choice asks for its cheapest output, and the planner takes the first \
                       that leads to a plan, unless an agent in play wants the cheapest plan.";
        let finding = findings.warning("cheapest-ignored", field(), message.into());
        // An edit does not leave two outputs of one number.
        if is_numbered {
            let edit = Edit::SetBlock(task.clone(), id.clone(), block);
            finding.fix("Take the first that leads to a plan", edit);
        }
    }
    let mut taken = FxHashSet::default();
    for (at, alternative) in alternatives.iter().enumerate() {
        let called = match alternative.label.trim() {
            "" => format!("Output {}", at + 1),
            text => format!("Output {} ('{text}')", at + 1),
        };
        if !taken.insert(alternative.id) {
            let message = format!(
                "{called} has the number {} of another one, so that wires cannot tell them apart.",
                alternative.id
            );
            let finding = findings.error("duplicate-output", field(), message);
            if is_short {
                let block = Block::Choice {
                    policy,
                    alternatives: renumbered(alternatives),
                };
                let edit = Edit::SetBlock(task.clone(), id.clone(), block);
                finding.fix("Give it a number of its own", edit);
            }
        } else if !connected.contains(&Port::Alternative(alternative.id)) {
            let message = format!(
                "{called} of the Choice leads nowhere: this alternative does nothing more."
            );
            let finding = findings.warning("open-output", field(), message);
            let mut left = if is_short {
                alternatives.to_vec()
            } else {
                vec![]
            };
            left.retain(|other| other.id != alternative.id);
            // An edit does not leave two outputs of one number.
            if !left.is_empty() && renumbered(&left) == left {
                let block = Block::Choice {
                    policy,
                    alternatives: left,
                };
                finding.fix(
                    "Remove the output",
                    Edit::SetBlock(task.clone(), id.clone(), block),
                );
            }
        }
    }
}

/// The outputs, with another number for each that has the number of one before.
fn renumbered(alternatives: &[Alternative]) -> Vec<Alternative> {
    let mut all: Vec<Alternative> = vec![];
    for alternative in alternatives {
        let taken = |id: u16, all: &[Alternative]| all.iter().any(|a| a.id == id);
        let mut own = alternative.clone();
        if taken(own.id, &all) {
            let free = |id: &u16| !taken(*id, &all) && !taken(*id, alternatives);
            own.id = (1..=u16::MAX).find(free).unwrap_or(own.id);
        }
        all.push(own);
    }
    all
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn outputs_that_lead_nowhere() {
        check_method(
            "b: begin
             c: choice 1 left, 2, 3 right, 3 again
             q: branch lit
             d: choice
             t: task rest
             b.out -> c
             c.1 -> q
             c.3 -> d
             b.out -> t",
            expect![[r#"
                error[duplicate-output] compound:go block c: Output 4 ('again') has the number 3 of another one, so that wires cannot tell them apart.
                    Give it a number of its own
                warning[open-output] compound:go block c: Output 2 of the Choice leads nowhere: this alternative does nothing more.
                error[dead-end] compound:go block d: The Choice has no outputs, so there is nothing to choose.
                    Give it two outputs
                error[dead-end] compound:go block q: Neither side of the Branch leads on, so no way through it exists. Connect 'yes', 'no' or both.
            "#]],
        );
    }

    #[test]
    fn the_cheapest_output() {
        check_method(
            "b: begin
             c: cheapest 1 left, 2 right
             t: task rest
             b.out -> c
             c.1 -> t
             c.2 -> t",
            expect![[r#"
                warning[cheapest-ignored] compound:go block c: The Choice asks for its cheapest output, and the planner takes the first that leads to a plan, unless an agent in play wants the cheapest plan.
                    Take the first that leads to a plan
            "#]],
        );
    }

    #[test]
    fn one_side_of_a_branch_is_a_guard() {
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
