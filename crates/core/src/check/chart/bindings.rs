//! Variables of Bind blocks: where they have a value, and where not.
//!
//! ```text
//! v: bind ?p: place, v.out -> t     t: task walk(?p)     bound
//! q.true -> v -> t, q.false -> t                         not bound where 'q' is false
//! b.out -> v, b.out -> t                                 't' does not wait for 'v'
//! ```

use crate::document::{Block, BlockId, CompoundTask, Field, Name, Param, Port};
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::{parse_call, parse_expr};

use super::super::findings::Findings;
use super::graph::Graph;
use super::label;

/// After so many ways through a flowchart a variable counts as bound.
const MOST_WAYS: usize = 2_000;

/// The variables that the texts of a block may name: the parameters, and what the
/// Binds that lead to it bind, which win. Those of other Binds, where it names them,
/// have no value there, which a finding of its own says.
pub(super) fn scope(task: &CompoundTask, graph: &Graph, block: usize) -> Vec<Param> {
    let mut variables = task.params.clone();
    if binds(graph).next().is_some() {
        let before = graph.leading_to(block);
        let (id, of) = graph.blocks[block];
        let used = uses(of, id);
        let is_used = |name: &Name| {
            let mut used = used.iter();
            used.any(|(_, used)| matches!(&used.kind, ExprKind::Variable(n) if n == name))
        };
        let elsewhere =
            binds(graph).filter(|(bind, variable)| !before[*bind] && is_used(&variable.name));
        variables.extend(elsewhere.map(|(_, variable)| variable.clone()));
        let leading = graph.order.iter().filter(|bind| before[**bind]);
        variables.extend(leading.filter_map(|bind| variable(graph.blocks[*bind].1).cloned()));
    }
    variables
}

fn variable(block: &Block) -> Option<&Param> {
    match block {
        Block::Bind { variable, .. } => Some(variable),
        _ => None,
    }
}

fn binds<'g>(graph: &'g Graph) -> impl Iterator<Item = (usize, &'g Param)> {
    let numbered = graph.blocks.iter().enumerate();
    numbered.filter_map(|(number, (_, block))| Some((number, variable(block)?)))
}

pub(super) fn check(findings: &mut Findings, task: &CompoundTask, graph: &Graph) {
    for (block, bound) in binds(graph) {
        hiding(findings, task, graph, block, bound);
    }
    if binds(graph).next().is_none() || !graph.is_acyclic() {
        return;
    }
    let reached = graph.begin.map(|begin| graph.reached_from(begin));
    for (block, &(id, of)) in graph.blocks.iter().enumerate() {
        if reached.as_ref().is_none_or(|reached| !reached[block]) {
            continue;
        }
        for (field, used) in uses(of, id) {
            let name = match &used.kind {
                ExprKind::Variable(name) => name,
                _ => continue,
            };
            let is_param = task.params.iter().any(|param| param.name == *name);
            let mut makers = binds(graph).filter(|(_, bound)| bound.name == *name);
            let Some((_, made)) = makers.next() else {
                continue;
            };
            if is_param || variable(of).is_some_and(|own| own.name == *name) {
                continue;
            }
            let before = graph.leading_to(block);
            let comes_before =
                binds(graph).any(|(bind, bound)| before[bind] && bound.name == *name);
            let message = if !comes_before {
                format!(
                    "'?{name}' has no value here: Bind '{made}' does not come before this block. \
                     Draw a wire from it to here."
                )
            } else if let Some(way) = way_around(graph, block, &before, name) {
                let when = match way.as_slice() {
                    [] => String::new(),
                    way => format!(", when {}", way.join(" and ")),
                };
                format!(
                    "'?{name}' may have no value here: a way from Begin leads to this block and \
                     not through Bind '{made}'{when}."
                )
            } else {
                continue;
            };
            findings
                .error("unbound-variable", field, message)
                .at(used.span);
        }
    }
}

/// Reports a Bind whose variable is the name of something else already.
fn hiding(
    findings: &mut Findings,
    task: &CompoundTask,
    graph: &Graph,
    block: usize,
    bound: &Param,
) {
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
    let before = graph.leading_to(block);
    let twice = binds(graph)
        .any(|(other, earlier)| other != block && before[other] && earlier.name == bound.name);
    if twice {
        let message = format!(
            "'?{}' is bound before this block already, and this Bind hides that. \
             Give the variable another name.",
            bound.name
        );
        findings.warning("hidden-variable", field, message);
    }
}

/// The variables in a block's texts that no quantifier binds, with their places.
fn uses(block: &Block, id: &BlockId) -> Vec<(Field, Expr)> {
    let text = || Field::BlockText(id.clone());
    match block {
        Block::Task { call } => {
            let args = parse_call(call).value.map_or_else(Vec::new, |c| c.args);
            free(args).into_iter().map(|used| (text(), used)).collect()
        }
        Block::Branch { condition } => of_formula(condition, text),
        Block::Bind {
            condition,
            order_by,
            ..
        } => {
            let mut all = of_formula(condition, text);
            all.extend(of_formula(order_by, || Field::BlockOrder(id.clone())));
            all
        }
        _ => vec![],
    }
}

fn of_formula(formula: &str, field: impl Fn() -> Field) -> Vec<(Field, Expr)> {
    if !formula.contains('?') {
        return vec![];
    }
    let used = free(vec![parse_expr(formula).value]);
    used.into_iter().map(|used| (field(), used)).collect()
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

/// A resolution of the flowchart (semantics, section 3) in which a block is
/// present and no Bind of a variable before it is, as the decisions that make it;
/// none where there is none, or too many resolutions to look at them all.
///
/// Wires out of Begin, Task and Bind are present together, so a Bind on one of
/// several wires into the block is enough; of a Branch or Choice there is only one.
fn way_around(graph: &Graph, block: usize, before: &[bool], name: &Name) -> Option<Vec<String>> {
    if !leads_around(graph, block, name) {
        return None;
    }
    let order: Vec<_> = graph.order.iter().copied().filter(|b| before[*b]).collect();
    // Of each deciding block met, in order, the output taken and how many it has.
    let mut decisions: Vec<(usize, usize, usize)> = vec![];
    for _ in 0..MOST_WAYS {
        let mut present = vec![false; graph.blocks.len()];
        let mut bound = vec![false; graph.blocks.len()];
        let mut met = 0;
        for &at in &order {
            present[at] |= graph.begin == Some(at);
            if !present[at] {
                continue;
            }
            bound[at] |= variable(graph.blocks[at].1).is_some_and(|own| own.name == *name);
            let taken = match leading(graph, at, before) {
                Some(outputs) => {
                    if met == decisions.len() {
                        decisions.push((at, 0, outputs.len()));
                    }
                    met += 1;
                    outputs.get(decisions[met - 1].1).copied()
                }
                None => Some(Port::Out),
            };
            for &(port, to) in &graph.leaving[at] {
                if Some(port) == taken {
                    present[to] = true;
                    bound[to] |= bound[at];
                }
            }
        }
        if present[block] && !bound[block] {
            let said = decisions.iter().filter(|(_, _, outputs)| *outputs > 0);
            return Some(
                said.map(|&(at, taken, _)| decision(graph, at, taken, before))
                    .collect(),
            );
        }
        // The next resolution: the last decision that has another output left.
        loop {
            let (_, taken, outputs) = decisions.last_mut()?;
            *taken += 1;
            // One past the last stands for an output that does not lead here.
            if *taken <= *outputs {
                break;
            }
            decisions.pop();
        }
    }
    None
}

/// Whether wires lead from Begin to a block by none of the Binds of a variable.
/// Mostly they do not, and no resolution needs to be looked at.
fn leads_around(graph: &Graph, block: usize, name: &Name) -> bool {
    let mut met = vec![false; graph.blocks.len()];
    let mut stack: Vec<_> = graph.begin.into_iter().collect();
    while let Some(at) = stack.pop() {
        let is_bind = variable(graph.blocks[at].1).is_some_and(|own| own.name == *name);
        if !is_bind && !std::mem::replace(&mut met[at], true) {
            stack.extend(graph.leaving[at].iter().map(|(_, to)| *to));
        }
    }
    met[block]
}

/// Of a Branch or Choice the outputs that lead on to where `before` leads.
fn leading(graph: &Graph, block: usize, before: &[bool]) -> Option<Vec<Port>> {
    let of = graph.blocks[block].1;
    if !matches!(of, Block::Branch { .. } | Block::Choice { .. }) {
        return None;
    }
    let leads = |port: &Port| {
        let mut wires = graph.leaving[block].iter();
        wires.any(|(from, to)| from == port && before[*to])
    };
    Some(of.ports().into_iter().filter(leads).collect())
}

/// A decision as a message says it: `'lit' is false`.
fn decision(graph: &Graph, block: usize, taken: usize, before: &[bool]) -> String {
    let of = graph.blocks[block].1;
    let outputs = leading(graph, block, before).unwrap_or_default();
    match (of, outputs.get(taken)) {
        (Block::Branch { condition }, Some(port)) => format!("'{}' is {port}", condition.trim()),
        (Block::Choice { alternatives, .. }, Some(Port::Alternative(id))) => {
            let label = alternatives.iter().find(|a| a.id == *id);
            match label.map_or("", |a| a.label.trim()) {
                "" => format!("the Choice takes output {id}"),
                text => format!("the Choice takes '{text}'"),
            }
        }
        _ => format!("{} leads elsewhere", label(of)),
    }
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
