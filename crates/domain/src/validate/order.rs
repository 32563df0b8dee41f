//! Whether the steps come in an order that the flowcharts allow, and say so.

use super::method::Methods;
use super::rows::Rows;
use super::{Invalid, decomposition};
use crate::plan::{NodeKind, Plan};
use taskloom_document::stop::Stop;

/// The orderings that plans of more tasks and steps state are checked for being
/// right, no more for being all: that takes the product of their numbers, in bits.
/// So many words of them are kept.
const MOST_WORDS: usize = 1 << 19;

/// When a task and all below it happen: no step before `start`, none from `end` on.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

/// Of a plan's nodes, the steps below each and those that must come before it.
struct Orderings {
    below: Rows,
    before: Rows,
}

/// Checks what a plan says about order. Tasks that are not those of their
/// flowchart are left for the replay to find.
pub fn check(methods: &Methods, plan: &Plan) -> Result<(), Invalid> {
    let spans = spans(plan)?;
    let words = plan.nodes.len().saturating_mul(plan.steps.len()) / 64;
    let mut orderings = (words <= MOST_WORDS).then(|| Orderings {
        below: below(plan),
        before: Rows::new(plan.nodes.len(), plan.steps.len()),
    });
    // The roots are a sequence: each comes after all steps of those before.
    let mut last: Option<usize> = None;
    let mut end = 0;
    for root in &plan.roots {
        if spans[*root].start < end {
            let message = format!("'{}' comes too early", plan.nodes[*root].task);
            return Err(Invalid::new(message));
        }
        end = end.max(spans[*root].end);
        if let (Some(Orderings { below, before }), Some(last)) = (&mut orderings, last) {
            before.join_own(*root, last);
            before.join(*root, below.row(last));
        }
        last = Some(*root);
    }
    for (number, node) in plan.nodes.iter().enumerate() {
        let Some(decomposed) = decomposition(node) else {
            continue;
        };
        if let Some(Orderings { before, .. }) = &mut orderings {
            for child in &decomposed.children {
                before.join_own(*child, number);
            }
        }
        let path =
            match methods.get(&node.task.task) {
                Some(Ok(method)) => Some(method.path(decomposed).map_err(|why| {
                    Invalid::new(format!("decomposition of '{}': {why}", node.task))
                })?),
                _ => None,
            };
        let Some(path) = path.filter(|p| p.tasks == decomposed.children.len()) else {
            orderings = None;
            continue;
        };
        for (from, first) in decomposed.children.iter().enumerate() {
            if methods.stop.after(decomposed.children.len() / 8 + 1) {
                return Ok(());
            }
            for (to, second) in decomposed.children.iter().enumerate() {
                if !path.after.contains(from, to) {
                    continue;
                }
                if spans[*first].end > spans[*second].start {
                    let (a, b) = (&plan.nodes[*first].task, &plan.nodes[*second].task);
                    return Err(Invalid::new(format!("'{b}' comes before '{a}' is done")));
                }
                if let Some(Orderings { below, before }) = &mut orderings {
                    before.join(*second, below.row(*first));
                }
            }
        }
    }
    check_stated(plan, orderings.as_ref(), methods.stop)
}

/// When each node happens.
fn spans(plan: &Plan) -> Result<Vec<Span>, Invalid> {
    let spans = plan.nodes.iter().map(|node| match &node.kind {
        NodeKind::Step(step) => Span {
            start: *step,
            end: step + 1,
        },
        NodeKind::Decomposed(decomposed) => Span {
            start: decomposed.at,
            end: decomposed.at,
        },
    });
    let mut spans: Vec<Span> = spans.collect();
    for (number, node) in plan.nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            let own = spans[number];
            if own.start < spans[parent].start {
                let parent = &plan.nodes[parent].task;
                let message = format!("'{}' comes before '{parent}' is decomposed", node.task);
                return Err(Invalid::new(message));
            }
            spans[parent].end = spans[parent].end.max(own.end);
        }
    }
    Ok(spans)
}

/// The steps of each node's subtree.
fn below(plan: &Plan) -> Rows {
    let mut below = Rows::new(plan.nodes.len(), plan.steps.len());
    for (number, node) in plan.nodes.iter().enumerate().rev() {
        if let NodeKind::Step(step) = node.kind {
            below.insert(number, step);
        }
        if let Some(parent) = node.parent {
            below.join_own(parent, number);
        }
    }
    below
}

/// Whether each step waits for earlier ones, and for those that it must.
fn check_stated(plan: &Plan, orderings: Option<&Orderings>, stop: &Stop) -> Result<(), Invalid> {
    for (number, step) in plan.steps.iter().enumerate() {
        if stop.after(plan.steps.len() / 64 + step.after.len()) {
            break;
        }
        if let Some(before) = step.after.iter().find(|before| **before >= number) {
            let message = format!("it comes after {}", before + 1);
            return Err(Invalid::at(number, message));
        }
        let Some(Orderings { before, .. }) = orderings else {
            continue;
        };
        // What it waits for directly, and what those wait for.
        let mut stated = Rows::new(1, plan.steps.len());
        for other in &step.after {
            stated.insert(0, *other);
            stated.join(0, before.row(plan.steps[*other].node));
        }
        if stated.row(0) != before.row(step.node) {
            return Err(Invalid::at(number, "it waits for other steps than it says"));
        }
    }
    Ok(())
}
