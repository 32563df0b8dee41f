//! Checks of the texts in a flowchart's blocks.
//!
//! ```text
//! task (nothing)        the block calls nothing yet
//! task go(?p)           '?p' is bound by an earlier Bind, or is a parameter
//! branch near(?p)
//! ```

use crate::method::{Content, Reader};
use crate::records::Compound;
use taskloom_document::{BlockText, Field, Port};

use super::super::findings::Findings;
use super::super::texts::{self, Empty};
use super::super::types;
use super::bindings::KnownAt;
use super::definite_assignment::Known;
use super::graph::Graph;

pub(super) fn check(findings: &mut Findings, task: &Compound, graph: &Graph, known: &Known) {
    let domain = findings.domain;
    let method = domain.method(task);
    for (number, &(id, block)) in graph.blocks.iter().enumerate() {
        if block.texts().next().is_none() {
            continue;
        }
        let binds = &KnownAt {
            graph,
            known,
            block: number,
        };
        let unreached;
        let content = match method.filter(|_| graph.is_reached(number)) {
            Some(method) => method.content(domain.texts(), number as u32, binds),
            None => {
                let reader = Reader {
                    texts: domain.texts(),
                    params: &task.record.params,
                    binds,
                    me: &task.me,
                    method: None,
                };
                unreached = reader.content(block);
                &unreached
            }
        };
        let field = |text: BlockText| text.field(id);
        match content {
            Content::Task {
                call,
                repeat_while,
                on_abort,
            } => {
                let missing = "The block calls no task yet. Enter one, such as 'walk-to(box)'.";
                texts::check(
                    findings,
                    field(BlockText::Main),
                    call,
                    Empty::Missing(missing),
                );
                texts::optional(findings, field(BlockText::While), repeat_while.as_ref());
                texts::optional(findings, field(BlockText::Abort), on_abort.as_ref());
            }
            Content::Branch(condition) => {
                let missing = "The Branch has no condition yet, so neither side can be taken.";
                let empty = Empty::Missing(missing);
                texts::check(findings, field(BlockText::Main), condition, empty);
            }
            Content::Bind {
                variable,
                condition,
                order_by,
                query,
            } => {
                types::unknown(findings, Field::BlockVariable(id.clone()), &variable.of);
                texts::optional(findings, field(BlockText::Main), condition.as_ref());
                texts::optional(findings, field(BlockText::Order), order_by.as_ref());
                texts::optional(findings, field(BlockText::Query), query.as_ref());
            }
            Content::Choice {
                alternatives,
                scores,
                ..
            } => {
                for (output, score) in alternatives.iter().zip(scores) {
                    let port = Port::Alternative(output.id);
                    texts::optional(findings, field(BlockText::Score(port)), score.as_ref());
                }
            }
            Content::Pass => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn checks_texts_of_blocks() {
        check_method(
            "b: begin
             q: branch
             v: bind ?p: plaec | near(?p) | near(?p)
             t: task walk(?q)
             u: task
             w: task wlak(?to, box) | on_abort walk(?q)
             x: task rest | on_abort rset
             y: task rest | on_abort walk(?p)
             m: task rest | repeat 3 | repeat_while lti and near(?to)
             n: task rest | repeat_while near(?p)
             o: task rest | repeat_while near(?q) or distance(box)
             b.out -> q
             q.true -> v
             v.out -> t
             t.out -> u
             u.out -> w
             w.out -> x
             x.out -> y
             y.out -> m
             m.out -> n
             n.out -> o",
            expect![[r#"
                error[empty] compound:go block_text q: The Branch has no condition yet, so neither side can be taken.
                error[unknown-variable] compound:go block_text t 5..7: Variable '?q' isn't bound here; did you mean '?p'?
                    Change to '?p'
                error[empty] compound:go block_text u: The block calls no task yet. Enter one, such as 'walk-to(box)'.
                error[unknown-name] compound:go block_text w 0..4: There is no task 'wlak'; did you mean 'walk'?
                    Change to 'walk'
                error[unknown-name] compound:go block_while m 0..3: There is no fact or condition 'lti'; did you mean 'lit'?
                    Change to 'lit'
                error[unknown-variable] compound:go block_while o 5..7: Variable '?q' isn't bound here; did you mean '?p'?
                    Change to '?p'
                error[not-a-formula] compound:go block_while o 12..25: 'distance' is a number, but a formula is expected: compare it, as in 'distance(box) > 0'.
                    Change to 'distance(box) > 0'
                error[unknown-variable] compound:go block_abort w 5..7: Variable '?q' isn't bound here; did you mean '?p'?
                    Change to '?p'
                error[unknown-name] compound:go block_abort x 0..4: There is no task 'rset'; did you mean 'rest'?
                    Change to 'rest'
                error[not-a-number] compound:go block_order v 0..8: 'near' is true or false, but a number is expected.
                error[unknown-type] compound:go block_variable v: There is no type 'plaec'; did you mean 'place'?
                    Change to 'place'
                    Add a type 'plaec'
            "#]],
        );
    }
}
