//! The order of open tasks: a sequence, except for those in the background.

use std::sync::Arc;

use taskloom_document::BlockId;
use taskloom_document::sort::CompactSort;
use taskloom_planner::plan::{Decomposed, RootOrder};

use super::Open;

impl Open {
    /// Returns the order of this number of tasks, of which the open ones are the first, and the others
    /// follow in sequence; `None` if none is in the background, so that all are a sequence.
    ///
    /// An open task in the background waits only for those that lead to its block, and no task waits for it.
    pub fn order(&self, count: usize) -> Option<Arc<RootOrder>> {
        let tree = &self.tree;
        if !(0..tree.nodes.len()).any(|node| tree.is_in_background(node)) {
            return None;
        }
        let paths: Vec<Vec<usize>> = self.leaves.iter().map(|leaf| self.path(*leaf)).collect();
        let mut order: RootOrder = Vec::with_capacity(count);
        for later in 0..count {
            let mut before: Vec<usize> = vec![];
            for (earlier, known) in order.iter().enumerate() {
                let waits = match (paths.get(earlier), paths.get(later)) {
                    (Some(earlier), Some(later)) => self.waits(earlier, later),
                    _ => true,
                };
                if waits {
                    before.extend(known);
                    before.push(earlier);
                }
            }
            before.compact_sort();
            before.dedup();
            order.push(before);
        }
        Some(Arc::new(order))
    }

    /// Returns the path to a node, from the root down.
    fn path(&self, node: usize) -> Vec<usize> {
        let above = |node: &usize| self.tree.nodes[*node].parent;
        let mut path: Vec<usize> = std::iter::successors(Some(node), above).collect();
        path.reverse();
        path
    }

    /// Returns `true` if the open task at the end of a path waits for an earlier one.
    fn waits(&self, earlier: &[usize], later: &[usize]) -> bool {
        let mut pairs = earlier.iter().zip(later);
        let Some((earlier, later)) = pairs.find(|(earlier, later)| earlier != later) else {
            return true;
        };
        let (first, second) = (&self.tree.nodes[*earlier], &self.tree.nodes[*later]);
        let (Some(from), Some(to)) = (&first.block, &second.block) else {
            return true;
        };
        if from == to {
            // It repeats.
            return true;
        }
        if self.tree.is_in_background(*earlier) {
            return false;
        }
        let above = second
            .parent
            .and_then(|above| self.tree.nodes[above].decomposed());
        !self.tree.is_in_background(*later) || above.is_some_and(|above| leads(above, from, to))
    }
}

/// Returns `true` if the wires of a decomposition lead from a block to another one.
fn leads(decomposed: &Decomposed, from: &BlockId, to: &BlockId) -> bool {
    let mut reached = vec![from];
    // Wires are ordered by the block that they leave, and blocks in topological order.
    for wire in &*decomposed.wires {
        if reached.contains(&&wire.from) {
            reached.push(&wire.to);
        }
    }
    reached.contains(&to)
}
