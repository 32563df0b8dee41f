//! Whether the steps come in an order that the flowcharts allow, and say so.

use super::super::{Decomposed, NodeKind, Plan};
use super::{Invalid, decomposition};

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

/// Sets of numbers, one a row.
struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    /// Empty sets of numbers less than `columns`.
    fn new(rows: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64);
        let bits = vec![0; rows * words];
        Self { words, bits }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    fn contains(&self, row: usize, number: usize) -> bool {
        self.row(row)[number / 64] & (1 << (number % 64)) != 0
    }

    fn insert(&mut self, row: usize, number: usize) {
        self.bits[row * self.words + number / 64] |= 1 << (number % 64);
    }

    /// Adds a row of other sets to one of these.
    fn join(&mut self, row: usize, more: &[u64]) {
        let row = &mut self.bits[row * self.words..][..self.words];
        for (word, more) in row.iter_mut().zip(more) {
            *word |= more;
        }
    }

    /// Adds one of these sets to another.
    fn join_own(&mut self, row: usize, from: usize) {
        for word in 0..self.words {
            let more = self.bits[from * self.words + word];
            self.bits[row * self.words + word] |= more;
        }
    }
}

/// Of a plan's nodes, the steps below each and those that must come before it.
struct Orderings {
    below: Rows,
    before: Rows,
}

/// Checks what a plan says about order.
pub fn check(plan: &Plan) -> Result<(), Invalid> {
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
        for (first, second) in ordered_pairs(plan, decomposed) {
            if spans[first].end > spans[second].start {
                let (a, b) = (&plan.nodes[first].task, &plan.nodes[second].task);
                return Err(Invalid::new(format!("'{b}' comes before '{a}' is done")));
            }
            if let Some(Orderings { below, before }) = &mut orderings {
                before.join(second, below.row(first));
            }
        }
    }
    check_stated(plan, orderings.as_ref())
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

/// Pairs of a decomposition's children, the first of which comes before the
/// second: wires lead from its block to the other's.
fn ordered_pairs(plan: &Plan, decomposed: &Decomposed) -> Vec<(usize, usize)> {
    let mut pairs = vec![];
    if decomposed.children.len() < 2 {
        return pairs;
    }
    let blocks = decomposed.blocks.iter().enumerate();
    let mut sorted: Vec<_> = blocks.map(|(place, block)| (block, place)).collect();
    crate::order::sort_by_key(&mut sorted, |(block, _)| *block);
    let place = |block| {
        let found = sorted.binary_search_by(|(other, _)| (*other).cmp(block));
        found.ok().map(|found| sorted[found].1)
    };
    // Wires lead on along the path, or the replay says so: the last blocks first.
    let wires = decomposed.wires.iter();
    let wires = wires.filter_map(|wire| Some((place(&wire.from)?, place(&wire.to)?)));
    let mut wires: Vec<(usize, usize)> = wires.filter(|(from, to)| from < to).collect();
    crate::order::sort_by(&mut wires, |(a, _), (b, _)| b.cmp(a));
    let mut after = Rows::new(decomposed.blocks.len(), decomposed.blocks.len());
    for (from, to) in wires {
        after.insert(from, to);
        after.join_own(from, to);
    }
    let children = decomposed.children.iter();
    let children =
        children.filter_map(|child| Some((*child, place(plan.nodes[*child].block.as_ref()?)?)));
    let children: Vec<(usize, usize)> = children.collect();
    for (first, from) in &children {
        for (second, to) in &children {
            if after.contains(*from, *to) {
                pairs.push((*first, *second));
            }
        }
    }
    pairs
}

/// Whether each step waits for earlier ones, and for those that it must.
fn check_stated(plan: &Plan, orderings: Option<&Orderings>) -> Result<(), Invalid> {
    for (number, step) in plan.steps.iter().enumerate() {
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
