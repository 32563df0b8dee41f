//! Variables of Bind blocks: where they have a value, and where not.
//!
//! ```text
//! v: bind ?p: place, v.out -> t     t: task walk(?p)     bound
//! q.true -> v -> t, q.false -> t                         not bound where 'q' is false
//! b.out -> v, b.out -> t                                 't' does not wait for 'v'
//! ```

use crate::lang::ast::{Expr, ExprKind};
use crate::lang::{Near, Role, parse_call, parse_expr};
use crate::method::variables_in;
use taskloom_document::{Block, BlockId, BlockText, CompoundTask, Edit, Field, Name, Param};

use super::super::findings::Findings;
use super::graph::Graph;
use super::known::Known;

/// The variables that the texts of a block may name, in a scope to read them in: the parameters, and what the Binds
/// that lead to it bind, which win. Those of other Binds, where it names them, have no value there, which a finding of
/// its own says.
pub(super) struct Variables<'g, 'a> {
    task: &'a CompoundTask,
    graph: &'g Graph<'a>,
    known: &'g Known<'g, 'a>,
    block: usize,
    /// The Binds of variables that the block's texts name and that none leads to.
    missing: Vec<usize>,
}

impl<'g, 'a> Variables<'g, 'a> {
    pub fn of(
        task: &'a CompoundTask,
        graph: &'g Graph<'a>,
        known: &'g Known<'g, 'a>,
        block: usize,
    ) -> Self {
        let (_, of) = graph.blocks[block];
        let mut missing = vec![];
        for (_, used) in uses(of) {
            if let ExprKind::Variable(name) = &used.kind
                && known.bind(name, block).is_none()
            {
                missing.extend(known.binds(name).last());
            }
        }
        missing.sort_unstable();
        missing.dedup();
        Self {
            task,
            graph,
            known,
            block,
            missing,
        }
    }

    /// Those whose names occur in a text.
    pub fn named(&self, text: &str) -> Vec<Param> {
        let mut binds: Vec<usize> = variables_in(text)
            .filter_map(|name| self.known.bind(&name, self.block))
            .collect();
        binds.sort_unstable();
        binds.dedup();
        self.with(binds)
    }

    /// All of them, where there is work left to look for names that may have been meant.
    pub fn all(&self, near: &Near) -> Option<Vec<Param>> {
        near.may_compare(self.known.count())
            .then(|| self.with(self.known.all(self.block)))
    }

    fn with(&self, binds: Vec<usize>) -> Vec<Param> {
        let binds = self.missing.iter().copied().chain(binds);
        let bound = binds.map(|bind| self.graph.binds[bind].1);
        self.task.params.iter().chain(bound).cloned().collect()
    }
}

pub(super) fn check(findings: &mut Findings, task: &CompoundTask, graph: &Graph, known: &Known) {
    for bind in 0..graph.binds.len() {
        hiding(findings, task, graph, (known, bind));
    }
    if graph.binds.is_empty() {
        return;
    }
    let reached = graph.begin.map(|begin| graph.reached_from(begin));
    for (block, &(id, of)) in graph.blocks.iter().enumerate() {
        if reached.as_ref().is_none_or(|reached| !reached[block]) {
            continue;
        }
        for (text, used) in uses(of) {
            let ExprKind::Variable(name) = &used.kind else {
                continue;
            };
            let is_param = task.params.iter().any(|param| param.name == *name);
            let Some(&first) = known.binds(name).first() else {
                continue;
            };
            if is_param || of.binds().is_some_and(|own| own.name == *name) {
                continue;
            }
            let made = graph.binds[first].1;
            if known.bind(name, block).is_none() {
                let variables = Variables::of(task, graph, known, block);
                let meant = meant(findings, &variables, name);
                unbound(findings, (id, of, text), &used, (name, made, meant));
            } else if let Some(way) = known.around(name, block) {
                let message = format!(
                    "'?{name}' may have no value here: a way from Begin leads to this block and \
                     not through Bind '{made}'{}.",
                    way.when()
                );
                findings
                    .error("unbound-variable", text.field(id), message)
                    .at(used.span);
            }
        }
    }
}

/// The variables that have a value at a block and may have been meant by another one's name.
fn meant(findings: &Findings, variables: &Variables, name: &Name) -> Vec<String> {
    let near = &findings.shared.near;
    let available = near.may_compare(variables.known.count());
    let available = available.then(|| variables.known.all(variables.block));
    let binds = available.iter().flatten();
    let bound = binds.map(|bind| variables.graph.binds[*bind].1);
    let params = variables.task.params.iter().chain(bound);
    near.among(name, params.map(|param| &param.name))
}

/// Reports a variable that no Bind before the block binds: its name, what a Bind elsewhere makes of it, and what may
/// have been meant.
fn unbound(
    findings: &mut Findings,
    (id, block, text): (&BlockId, &Block, BlockText),
    used: &Expr,
    (name, made, meant): (&Name, &Param, Vec<String>),
) {
    let advice = match meant.first() {
        Some(meant) => format!("Did you mean '?{meant}'?"),
        None => "Draw a wire from it to here.".to_owned(),
    };
    let message = format!(
        "'?{name}' has no value here: Bind '{made}' does not come before this block. {advice}"
    );
    let mended = meant.into_iter().filter_map(|meant| {
        let range = used.span.range();
        let said = block.text(text)?;
        let (before, after) = (said.get(..range.start)?, said.get(range.end..)?);
        let mended = format!("{before}?{meant}{after}");
        let edit = Edit::SetText(findings.record.clone(), text.field(id), mended);
        Some((format!("Change to '?{meant}'"), edit))
    });
    let mended: Vec<(String, Edit)> = mended.collect();
    let finding = findings.error("unbound-variable", text.field(id), message);
    finding.at(used.span);
    for (label, edit) in mended {
        finding.fix(label, edit);
    }
}

/// Reports a Bind whose variable is the name of something else already.
fn hiding(
    findings: &mut Findings,
    task: &CompoundTask,
    graph: &Graph,
    (known, bind): (&Known, usize),
) {
    let (block, bound) = graph.binds[bind];
    let field = Field::BlockVariable(graph.blocks[block].0.clone());
    if task.params.iter().any(|param| param.name == bound.name) {
        let message = format!(
            "'?{}' is a parameter of the task already, and this Bind hides it. \
             Give the variable another name.",
            bound.name
        );
        findings.warning("hidden-variable", field, message);
        return;
    }
    if known.is_bound_before(bind) {
        let message = format!(
            "'?{}' is bound before this block already, and this Bind hides that. \
             Give the variable another name.",
            bound.name
        );
        findings.warning("hidden-variable", field, message);
    }
}

/// The variables in a block's texts that no quantifier binds, with the texts.
fn uses(block: &Block) -> Vec<(BlockText, Expr)> {
    let mut uses = vec![];
    for (which, role, text) in block.texts().filter(|(.., text)| text.contains('?')) {
        let exprs = match role {
            Role::TaskCall | Role::ActionCall => parse_call(text)
                .value
                .map_or_else(Vec::new, |call| call.args),
            Role::Formula | Role::Number => vec![parse_expr(text).value],
            Role::Effect | Role::Initial => vec![],
        };
        uses.extend(free(exprs).into_iter().map(|used| (which, used)));
    }
    uses
}

fn free(exprs: Vec<Expr>) -> Vec<Expr> {
    let mut found = vec![];
    let mut stack: Vec<(Expr, Vec<Name>)> = exprs.into_iter().map(|e| (e, vec![])).collect();
    while let Some((expr, bound)) = stack.pop() {
        match expr.kind {
            ExprKind::Variable(ref name) if !bound.contains(name) => found.push(expr),
            ExprKind::Reference(reference) => {
                stack.extend(reference.args.into_iter().map(|arg| (arg, bound.clone())));
            }
            ExprKind::Not(inner) | ExprKind::Negative(inner) => stack.push((*inner, bound)),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                stack.extend(parts.into_iter().map(|part| (part, bound.clone())));
            }
            ExprKind::Imply(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Arithmetic(_, a, b) => {
                stack.extend([(*a, bound.clone()), (*b, bound)]);
            }
            ExprKind::Quantified(_, binders, inner) => {
                let inside = binders.into_iter().map(|b| b.param.name).chain(bound);
                stack.push((*inner, inside.collect()));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check_method;

    #[test]
    fn bound_before_it_is_used() {
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
    fn used_before_it_is_bound_or_beside_it() {
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
                error[unbound-variable] compound:go block_text t 5..7: '?p' has no value here: Bind '?p: place' does not come before this block. Draw a wire from it to here.
                error[unbound-variable] compound:go block_text u 5..7: '?p' has no value here: Bind '?p: place' does not come before this block. Draw a wire from it to here.
            "#]],
        );
    }

    #[test]
    fn another_variable_was_meant() {
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
                error[unbound-variable] compound:go block_text t 5..11: '?item2' has no value here: Bind '?item2: place' does not come before this block. Did you mean '?item'?
                    Change to '?item'
                error[unbound-variable] compound:go block_text u 5..10: '?item' has no value here: Bind '?item: place' does not come before this block. Did you mean '?item2'?
                    Change to '?item2'
            "#]],
        );
    }

    #[test]
    fn bound_on_one_side_only() {
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
                error[unbound-variable] compound:go block_text t 5..7: '?p' may have no value here: a way from Begin leads to this block and not through Bind '?p: place', when the Choice takes 'by day' and 'lit' is false.
            "#]],
        );
    }

    #[test]
    fn a_block_waits_for_the_bind_on_one_of_its_wires() {
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
    fn each_side_binds_it() {
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
    fn a_variable_that_hides_another() {
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
                warning[hidden-variable] compound:go block_variable v: '?to' is a parameter of the task already, and this Bind hides it. Give the variable another name.
                warning[hidden-variable] compound:go block_variable x: '?p' is bound before this block already, and this Bind hides that. Give the variable another name.
            "#]],
        );
    }
}
