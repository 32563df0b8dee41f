//! Whether the steps come in an order that the flowcharts allow, and say so.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{NodeKind, Plan};
use super::{Invalid, decomposition};
use crate::document::BlockId;

/// The orderings that plans of more steps state are checked for being right, no
/// more for being all: that takes the square of their number.
const ALL_ORDERINGS: usize = 2000;

/// The blocks to which wires lead from one.
fn behind<'a>(
    following: &FxHashMap<&'a BlockId, Vec<&'a BlockId>>,
    from: &'a BlockId,
) -> FxHashSet<&'a BlockId> {
    let mut reached = FxHashSet::default();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        for to in following.get(id).into_iter().flatten().copied() {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

/// When a task and all below it happen: no step before `start`, none from `end` on.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

/// Checks what a plan says about order.
pub fn check(plan: &Plan) -> Result<(), Invalid> {
    let mut spans: Vec<Span> = plan
        .nodes
        .iter()
        .map(|node| match &node.kind {
            NodeKind::Step(step) => Span {
                start: *step,
                end: step + 1,
            },
            NodeKind::Decomposed(decomposed) => Span {
                start: decomposed.at,
                end: decomposed.at,
            },
        })
        .collect();
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

    // The steps that must come before each, as bits.
    let all = plan.steps.len() <= ALL_ORDERINGS;
    let words = if all {
        plan.steps.len().div_ceil(64)
    } else {
        0
    };
    let mut required = vec![vec![0u64; words]; plan.steps.len()];
    let below = if all { steps_below(plan) } else { vec![] };
    // The roots are a sequence: each comes after all steps of those before.
    let mut end = 0;
    let mut earlier = vec![0u64; words];
    for root in &plan.roots {
        if spans[*root].start < end {
            let message = format!("'{}' comes too early", plan.nodes[*root].task);
            return Err(Invalid::new(message));
        }
        end = end.max(spans[*root].end);
        if all {
            for step in &below[*root] {
                required[*step].clone_from(&earlier);
            }
            for step in &below[*root] {
                earlier[step / 64] |= 1 << (step % 64);
            }
        }
    }
    for (first, second) in ordered_pairs(plan) {
        if spans[first].end > spans[second].start {
            let (a, b) = (&plan.nodes[first].task, &plan.nodes[second].task);
            return Err(Invalid::new(format!("'{b}' comes before '{a}' is done")));
        }
        if all {
            for step in &below[second] {
                for before in &below[first] {
                    required[*step][before / 64] |= 1 << (before % 64);
                }
            }
        }
    }
    for (number, step) in plan.steps.iter().enumerate() {
        if let Some(before) = step.after.iter().find(|before| **before >= number) {
            return Err(Invalid::at(
                number,
                format!("it comes after {}", before + 1),
            ));
        }
        if !all {
            continue;
        }
        // What it waits for directly, and what those wait for.
        let mut stated = vec![0u64; words];
        for before in &step.after {
            stated[before / 64] |= 1 << (before % 64);
            for (word, more) in stated.iter_mut().zip(&required[*before]) {
                *word |= more;
            }
        }
        if stated != required[number] {
            return Err(Invalid::at(number, "it waits for other steps than it says"));
        }
    }
    Ok(())
}

/// The steps of each node's subtree.
fn steps_below(plan: &Plan) -> Vec<Vec<usize>> {
    let mut below: Vec<Vec<usize>> = vec![vec![]; plan.nodes.len()];
    for (number, node) in plan.nodes.iter().enumerate().rev() {
        if let NodeKind::Step(step) = node.kind {
            below[number].push(step);
        }
        if let Some(parent) = node.parent {
            let own = below[number].clone();
            below[parent].extend(own);
        }
    }
    below
}

/// Pairs of nodes of one flowchart, the first of which comes before the second.
fn ordered_pairs(plan: &Plan) -> Vec<(usize, usize)> {
    let mut pairs = vec![];
    for node in &plan.nodes {
        let Some(decomposed) = decomposition(node) else {
            continue;
        };
        let mut following: FxHashMap<&BlockId, Vec<&BlockId>> = FxHashMap::default();
        for wire in &decomposed.wires {
            following.entry(&wire.from).or_default().push(&wire.to);
        }
        for first in &decomposed.children {
            let Some(from) = &plan.nodes[*first].block else {
                continue;
            };
            let behind = behind(&following, from);
            for second in &decomposed.children {
                let block = plan.nodes[*second].block.as_ref();
                if block.is_some_and(|block| behind.contains(block)) {
                    pairs.push((*first, *second));
                }
            }
        }
    }
    pairs
}
