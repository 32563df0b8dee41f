//! Wires that lead nowhere, which a file can hold and no edit draws.
//!
//! ```text
//! q.out -> t     a Branch has the outputs 'true' and 'false'
//! t.out -> gone  there is no such block
//! t.out -> b     nothing can enter Begin
//! ```

use rustc_hash::FxHashSet;

use taskloom_document::{Edit, Field, Wire};

use super::super::findings::Findings;
use super::graph::Graph;
use super::label;

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    let mut drawn = FxHashSet::default();
    for wire in &graph.flowchart.wires {
        if let Some((field, message)) = wrong(graph, wire) {
            let edit = Edit::Disconnect(findings.record.name.clone(), wire.clone());
            findings
                .error("loose-wire", field, message)
                .fix("Remove the wire", edit);
        } else if !drawn.insert(wire) {
            let message = format!("The wire '{wire}' is there twice.");
            let edit = Edit::Disconnect(findings.record.name.clone(), wire.clone());
            findings
                .warning("double-wire", Field::Block(wire.from.clone()), message)
                .fix("Remove one of them", edit);
        }
    }
}

/// Why a wire means nothing, and where to say so.
fn wrong(graph: &Graph, wire: &Wire) -> Option<(Field, String)> {
    let method = graph.flowchart;
    let Some(from) = method.blocks.get(&wire.from) else {
        return Some((
            Field::Method,
            format!(
                "The wire '{wire}' leaves a block '{}' that does not exist.",
                wire.from
            ),
        ));
    };
    let field = Field::Block(wire.from.clone());
    let Some(to) = method.blocks.get(&wire.to) else {
        return Some((
            field,
            format!(
                "A wire leads from here to a block '{}' that does not exist.",
                wire.to
            ),
        ));
    };
    if !graph.has_output(wire) {
        let message = format!(
            "A wire leaves an output '{}' here that {} does not have.",
            wire.port,
            label(from)
        );
        return Some((field, message));
    }
    (!to.has_input()).then(|| {
        let message = "A wire leads from here back to Begin, which nothing can enter.";
        (field, message.into())
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn wires_that_lead_nowhere() {
        check_method(
            "b: begin
             q: branch lit
             t: task rest
             b.out -> q
             q.out -> t
             q.true -> t
             q.false -> gone
             gone.out -> t
             t.out -> b
             b.out -> q",
            expect![[r#"
                error[loose-wire] compound:go method: The wire 'gone.out -> t' leaves a block 'gone' that does not exist.
                    Remove the wire
                warning[double-wire] compound:go block b: The wire 'b.out -> q' is there twice.
                    Remove one of them
                error[loose-wire] compound:go block q: A wire leads from here to a block 'gone' that does not exist.
                    Remove the wire
                error[loose-wire] compound:go block q: A wire leaves an output 'out' here that Branch 'lit' does not have.
                    Remove the wire
                error[loose-wire] compound:go block t: A wire leads from here back to Begin, which nothing can enter.
                    Remove the wire
            "#]],
        );
    }
}
