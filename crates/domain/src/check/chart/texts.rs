//! The texts in a flowchart's blocks.
//!
//! ```text
//! task (nothing)        the block calls nothing yet
//! task go(?p)           '?p' is bound by a Bind before it, or is a parameter
//! branch near(?p)
//! ```

use crate::lang::{Role, Scope};
use taskloom_document::{Block, CompoundTask, Field};

use super::super::findings::Findings;
use super::super::texts::{self, Empty};
use super::super::types;
use super::bindings::Variables;
use super::graph::Graph;
use super::known::Known;

pub(super) fn check(findings: &mut Findings, task: &CompoundTask, graph: &Graph, known: &Known) {
    for (number, &(id, block)) in graph.blocks.iter().enumerate() {
        let text = match block {
            Block::Task { call } => {
                let missing = "The block calls no task yet: write one, as in 'walk-to(box)'.";
                (&**call, Role::TaskCall, Empty::Missing(missing))
            }
            Block::Branch { condition } => {
                let missing = "The Branch has no condition yet, so neither side can be taken.";
                (&**condition, Role::Formula, Empty::Missing(missing))
            }
            Block::Bind { condition, .. } => (&**condition, Role::Formula, Empty::Fine),
            Block::Begin {} | Block::Choice { .. } | Block::End {} => continue,
        };
        // Variables that a text does not name matter only to what is suggested instead of a mistake.
        let (document, near) = (findings.document, &findings.shared.near);
        let variables = Variables::of(task, graph, known, number);
        let scope = |variables| Scope::of_domain(document, variables).with(near);
        let named = |text| scope(variables.named(text));
        let all = || variables.all(near).map(scope);
        let field = Field::BlockText(id.clone());
        texts::check_among(findings, field, text, &named(text.0), &all);
        if let Block::Bind {
            variable, order_by, ..
        } = block
        {
            types::unknown(findings, Field::BlockVariable(id.clone()), &variable.of);
            let order = (&**order_by, Role::Number, Empty::Fine);
            let field = Field::BlockOrder(id.clone());
            texts::check_among(findings, field, order, &named(order_by), &all);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn texts_of_blocks() {
        check_method(
            "b: begin
             q: branch
             v: bind ?p: plaec | near(?p) | near(?p)
             t: task walk(?q)
             u: task
             w: task wlak(?to, box)
             b.out -> q
             q.true -> v
             v.out -> t
             t.out -> u
             u.out -> w",
            expect![[r#"
                error[empty] compound:go block_text q: The Branch has no condition yet, so neither side can be taken.
                error[unknown-variable] compound:go block_text t 5..7: No variable '?q' is bound here; did you mean '?p'?
                    Change to '?p'
                error[empty] compound:go block_text u: The block calls no task yet: write one, as in 'walk-to(box)'.
                error[unknown-name] compound:go block_text w 0..4: No task is called 'wlak'; did you mean 'walk'?
                    Change to 'walk'
                error[not-a-number] compound:go block_order v 0..8: 'near' is true or false, and a number is expected.
                error[unknown-type] compound:go block_variable v: No type is called 'plaec'; did you mean 'place'?
                    Change to 'place'
                    Add a type 'plaec'
            "#]],
        );
    }
}
