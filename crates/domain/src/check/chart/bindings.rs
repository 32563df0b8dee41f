//! Variables of Bind blocks: where they have a value, and where not.
//!
//! ```text
//! v: bind ?p: place, v.out -> t     t: task walk(?p)     bound
//! q.true -> v -> t, q.false -> t                         not bound where 'q' is false
//! b.out -> v, b.out -> t                                 't' does not wait for 'v'
//! ```

use crate::lang::ast::{Expr, ExprKind};
use crate::lang::{Near, parse_call, parse_expr};
use taskloom_document::{Block, BlockId, CompoundTask, Edit, Field, Name, Param, Port};

use super::super::findings::Findings;
use super::graph::Graph;
use super::label;

/// After so many ways through a flowchart a variable counts as bound.
const MOST_WAYS: usize = 2_000;

/// The variables that the texts of a block may name: the parameters, and what the
/// Binds that lead to it bind, which win. Those of other Binds, where it names them,
/// have no value there, which a finding of its own says. Where `only` is given, Binds of
/// variables that do not occur in it are left out.
pub(super) fn scope(
    task: &CompoundTask,
    graph: &Graph,
    block: usize,
    only: Option<&str>,
) -> Vec<Param> {
    let mut variables = task.params.clone();
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let names: Vec<&str> = only.map_or(vec![], |text| {
        let marks = text.match_indices('?');
        let rest = marks.filter_map(|(at, _)| text.get(at + 1..)?.split(ends).next());
        rest.collect()
    });
    if only.is_some() && names.is_empty() {
        return variables;
    }
    let (id, of) = graph.blocks[block];
    let used = uses(of, id);
    let is_used = |name: &Name| {
        let mut used = used.iter();
        used.any(|(_, used)| matches!(&used.kind, ExprKind::Variable(n) if n == name))
    };
    let mut leading = vec![];
    for (bind, &(_, variable)) in graph.binds.iter().enumerate() {
        if only.is_some() && !names.iter().any(|text| variable.name == **text) {
            continue;
        }
        if !graph.binds_before(bind, block) {
            variables.extend(is_used(&variable.name).then(|| variable.clone()));
        } else if bind < graph.ordered {
            leading.push(variable.clone());
        }
    }
    variables.extend(leading);
    variables
}

fn variable(block: &Block) -> Option<&Param> {
    match block {
        Block::Bind { variable, .. } => Some(variable),
        _ => None,
    }
}

pub(super) fn check(findings: &mut Findings, task: &CompoundTask, graph: &Graph) {
    for bind in 0..graph.binds.len() {
        hiding(findings, task, graph, bind);
    }
    if graph.binds.is_empty() || !graph.is_acyclic() {
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
            let binds = graph.binds.iter().enumerate();
            let mut makers = binds.filter(|(_, (_, bound))| bound.name == *name);
            let Some((first, (_, made))) = makers.next() else {
                continue;
            };
            if is_param || variable(of).is_some_and(|own| own.name == *name) {
                continue;
            }
            let mut makers = std::iter::once(first).chain(makers.map(|(bind, _)| bind));
            let comes_before = makers.any(|bind| graph.binds_before(bind, block));
            let meant = if comes_before {
                vec![]
            } else {
                Near::default().to(
                    name,
                    ("variable", None),
                    &available(task, graph, block),
                    |_| true,
                )
            };
            let message = if let Some(meant) = meant.first() {
                format!(
                    "'?{name}' has no value here: Bind '{made}' does not come before this block. \
                     Did you mean '?{meant}'?"
                )
            } else if !comes_before {
                format!(
                    "'?{name}' has no value here: Bind '{made}' does not come before this block. \
                     Draw a wire from it to here."
                )
            } else if let Some(way) = way_around(graph, block, name) {
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
            let mended = meant.into_iter().filter_map(|meant| {
                let range = used.span.range();
                let text = field_text(of, &field)?;
                let (before, after) = (text.get(..range.start)?, text.get(range.end..)?);
                let mended = format!("{before}?{meant}{after}");
                let edit = Edit::SetText(findings.record.clone(), field.clone(), mended);
                Some((format!("Change to '?{meant}'"), edit))
            });
            let mended: Vec<(String, Edit)> = mended.collect();
            let finding = findings.error("unbound-variable", field, message);
            finding.at(used.span);
            for (label, edit) in mended {
                finding.fix(label, edit);
            }
        }
    }
}

/// The names of the variables that have a value at a block.
fn available(task: &CompoundTask, graph: &Graph, block: usize) -> Vec<Name> {
    let before = graph.binds.iter().enumerate();
    let before = before.filter(|(bind, _)| graph.binds_before(*bind, block));
    let before = before.map(|(_, (_, variable))| &variable.name);
    let params = task.params.iter().map(|param| &param.name);
    params.chain(before).cloned().collect()
}

/// The text of a block that a field names.
fn field_text<'a>(block: &'a Block, field: &Field) -> Option<&'a str> {
    match (block, field) {
        (Block::Task { call }, Field::BlockText(_)) => Some(call),
        (Block::Branch { condition } | Block::Bind { condition, .. }, Field::BlockText(_)) => {
            Some(condition)
        }
        (Block::Bind { order_by, .. }, Field::BlockOrder(_)) => Some(order_by),
        _ => None,
    }
}

/// Reports a Bind whose variable is the name of something else already.
fn hiding(findings: &mut Findings, task: &CompoundTask, graph: &Graph, bind: usize) {
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
    let mut others = graph.binds.iter().enumerate();
    let twice = others.any(|(other, (_, earlier))| {
        other != bind && graph.binds_before(other, block) && earlier.name == bound.name
    });
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
fn way_around(graph: &Graph, block: usize, name: &Name) -> Option<Vec<String>> {
    if !leads_around(graph, block, name) {
        return None;
    }
    let before = &*graph.leading_to(block);
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
/// Mostly they do not, and no resolution needs to be looked at. It goes back from the
/// block: a Bind is nearer to what uses it than Begin is.
fn leads_around(graph: &Graph, block: usize, name: &Name) -> bool {
    let mut met = vec![false; graph.blocks.len()];
    let mut stack = vec![block];
    while let Some(at) = stack.pop() {
        let is_bind = variable(graph.blocks[at].1).is_some_and(|own| own.name == *name);
        if !is_bind && !std::mem::replace(&mut met[at], true) {
            stack.extend(&graph.entering[at]);
        }
    }
    graph.begin.is_some_and(|begin| met[begin])
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
