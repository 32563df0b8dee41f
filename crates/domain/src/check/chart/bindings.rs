//! Checks of the variables of Bind blocks: where they are bound, and where not.
//!
//! ```text
//! v: bind ?p: place, v.out -> t     t: task walk(?p)     bound
//! q.true -> v -> t, q.false -> t                         unbound if 'q' is false
//! b.out -> v, b.out -> t                                 't' does not wait for 'v'
//! ```

use crate::lang::free_variables;
use crate::method::Binds;
use taskloom_document::{CompoundTask, Field, Name, Param};

use super::super::findings::Findings;
use super::definite_assignment::Known;
use super::graph::Graph;

/// The variables known at a block, for typing its texts.
pub(super) struct KnownAt<'g, 'a> {
    pub graph: &'g Graph<'a>,
    pub known: &'g Known<'g, 'a>,
    pub block: usize,
}

impl KnownAt<'_, '_> {
    /// Returns `true` if a Bind is visible at the block. An unreachable block sees all Binds,
    /// reachable or not.
    fn counts(&self, bind: &usize) -> bool {
        self.graph.is_reached(self.graph.binds[*bind].0) || !self.graph.is_reached(self.block)
    }
}

impl Binds for KnownAt<'_, '_> {
    fn named(&self, name: &Name) -> Option<&Param> {
        let above = self.known.bind(name, self.block);
        let elsewhere = self.known.binds(name).last().copied();
        let elsewhere = elsewhere.filter(|_| !self.graph.is_reached(self.block));
        let bind = above.filter(|bind| self.counts(bind)).or(elsewhere)?;
        Some(self.graph.binds[bind].1)
    }

    fn count(&self) -> usize {
        self.known.count()
    }

    fn all(&self) -> Vec<&Param> {
        let binds = self.known.all(self.block).into_iter();
        let binds = binds.filter(|bind| self.counts(bind));
        binds.map(|bind| self.graph.binds[bind].1).collect()
    }
}

pub(super) fn check(findings: &mut Findings, task: &CompoundTask, graph: &Graph, known: &Known) {
    for bind in 0..graph.binds.len() {
        check_hidden(findings, task, graph, (known, bind));
    }
    if graph.binds.is_empty() {
        return;
    }
    for (block, &(id, of)) in graph.blocks.iter().enumerate() {
        if !graph.is_reached(block) {
            continue;
        }
        let known_at = KnownAt {
            graph,
            known,
            block,
        };
        for (text, _, text_of) in of.texts().filter(|(.., text)| text.contains('?')) {
            for used in free_variables(text_of) {
                let name = &used.name;
                let is_param = task.params.iter().any(|param| param.name == *name);
                // If no Bind precedes the block, the check of the text itself reports the variable.
                if is_param
                    || of.binds().is_some_and(|own| own.name == *name)
                    || known_at.named(name).is_none()
                {
                    continue;
                }
                let (Some(first), Some(path)) =
                    (known.binds(name).first(), known.around(name, block))
                else {
                    continue;
                };
                let message = format!(
                    "'?{name}' may be unbound here: a path from Begin to this block bypasses \
                     Bind '{}'{}.",
                    graph.binds[*first].1,
                    path.when()
                );
                findings
                    .error("unbound-variable", text.field(id), message)
                    .at(used.span());
            }
        }
    }
}

/// Reports a Bind whose variable shadows a parameter or an earlier Bind.
fn check_hidden(
    findings: &mut Findings,
    task: &CompoundTask,
    graph: &Graph,
    (known, bind): (&Known, usize),
) {
    let (block, bound) = graph.binds[bind];
    let field = Field::BlockVariable(graph.blocks[block].0.clone());
    if task.params.iter().any(|param| param.name == bound.name) {
        let message = format!(
            "'?{}' is already a parameter of the task, and this Bind hides it. \
             Rename the variable.",
            bound.name
        );
        findings.warning("hidden-variable", field, message);
        return;
    }
    if known.is_bound_before(bind) {
        let message = format!(
            "'?{}' is already bound by an earlier Bind, and this one hides it. \
             Rename the variable.",
            bound.name
        );
        findings.warning("hidden-variable", field, message);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn accepts_binding_before_use() {
        check_method(
            "b: begin
             v: bind ?p: place | near(?p) and exists ?q: place. near(?q) | distance(?p)
             t: task walk(?p)
             b.out -> v
             v.out -> t",
            expect![[""]],
        );
    }

    #[test]
    fn reports_use_before_or_parallel_to_binding() {
        check_method(
            "b: begin
             t: task walk(?p)
             u: task walk(?p)
             v: bind ?p: place
             w: task walk(?p)
             b.out -> t
             t.out -> v
             v.out -> w
             b.out -> u",
            expect![[r#"
                error[unbound-variable] compound:go block_text t 5..7: '?p' is unbound here: Bind '?p: place' doesn't come before this block. Draw a wire from it to this block.
                error[unbound-variable] compound:go block_text u 5..7: '?p' is unbound here: Bind '?p: place' doesn't come before this block. Draw a wire from it to this block.
            "#]],
        );
    }

    #[test]
    fn suggests_similar_variables() {
        check_method(
            "b: begin
             v: bind ?item: place
             t: task walk(?item2)
             w: bind ?item2: place
             u: task walk(?item)
             b.out -> v
             v.out -> t
             b.out -> w
             w.out -> u",
            expect![[r#"
                error[unbound-variable] compound:go block_text t 5..11: '?item2' is unbound here: Bind '?item2: place' doesn't come before this block. Did you mean '?item'?
                    Change to '?item'
                error[unbound-variable] compound:go block_text u 5..10: '?item' is unbound here: Bind '?item: place' doesn't come before this block. Did you mean '?item2'?
                    Change to '?item2'
            "#]],
        );
    }

    #[test]
    fn quantifier_may_reuse_a_variable_bound_on_another_path() {
        check_method(
            "b: begin
             v: bind ?p: place
             t: task walk(?p)
             q: branch forall ?p: place. near(?p)
             b.out -> v
             v.out -> t
             b.out -> q
             q.true -> b2
             b2: end",
            expect![[""]],
        );
    }

    #[test]
    fn reports_variables_bound_on_only_one_side() {
        check_method(
            "b: begin
             q: branch lit
             v: bind ?p: place | near(?p)
             c: choice 1 by day, 2 by night
             t: task walk(?p)
             b.out -> c
             c.1 -> q
             c.2 -> v
             q.true -> v
             q.false -> t
             v.out -> t",
            expect![[r#"
                error[unbound-variable] compound:go block_text t 5..7: '?p' may be unbound here: a path from Begin to this block bypasses Bind '?p: place', when the Choice takes 'by day' and 'lit' is false.
            "#]],
        );
    }

    #[test]
    fn accepts_binding_on_one_of_several_incoming_wires() {
        check_method(
            "b: begin
             v: bind ?p: place
             u: task rest
             t: task walk(?p)
             b.out -> v
             b.out -> u
             v.out -> t
             u.out -> t",
            expect![[""]],
        );
    }

    #[test]
    fn accepts_binding_on_each_side() {
        check_method(
            "b: begin
             q: branch lit
             v: bind ?p: place | near(?p)
             w: bind ?p: place
             t: task walk(?p)
             b.out -> q
             q.true -> v
             q.false -> w
             v.out -> t
             w.out -> t",
            expect![[""]],
        );
    }

    #[test]
    fn warns_of_shadowed_variables() {
        check_method(
            "b: begin
             v: bind ?to: place
             w: bind ?p: place
             x: bind ?p: place | near(?p)
             t: task walk(?p)
             b.out -> v
             v.out -> w
             w.out -> x
             x.out -> t",
            expect![[r#"
                warning[hidden-variable] compound:go block_variable v: '?to' is already a parameter of the task, and this Bind hides it. Rename the variable.
                warning[hidden-variable] compound:go block_variable x: '?p' is already bound by an earlier Bind, and this one hides it. Rename the variable.
            "#]],
        );
    }
}
