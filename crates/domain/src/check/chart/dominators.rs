//! Which blocks every way to a block leads through.
//!
//! ```text
//! b -> q, q.true -> v -> t, q.false -> t     'q' dominates 't', and 'v' does not:
//!                                            't' is the frontier of 'v', where ways meet that did not all pass it
//! ```
//!
//! A block dominates another if all ways that lead there pass it. The nearest of those that dominate a block is its
//! parent in a tree (Cooper, Harvey and Kennedy 2001), and of one name the dominance frontiers of what binds it are
//! where it is not clear any more whether it has a value (Cytron et al. 1991).

use super::graph::Graph;

/// So many entries the frontiers may have for each block and wire; only where exits cross each other there are more.
const MOST_ENTRIES: usize = 64;

/// The tree of a flowchart.
pub struct Dominators {
    /// The nearest block that all ways to a block pass; of what no single block leads to, [`Dominators::root`].
    parents: Vec<usize>,
    /// Of each block its number and the first one that is not below it, in an order in which each block has its
    /// number before, and next to, all that it dominates.
    spans: Vec<(usize, usize)>,
    /// Of each block where it stops to dominate: the blocks that it does not dominate and that a wire leads to from
    /// it or from what it dominates.
    frontiers: Vec<Vec<usize>>,
    /// Whether the frontiers are complete.
    is_complete: bool,
}

impl Dominators {
    pub fn new(graph: &Graph) -> Self {
        let count = graph.blocks.len();
        let root = count;
        let before = |block: usize| graph.entering[block].iter().copied();
        let mut tree = Tree {
            parents: vec![root; count + 1],
            depths: vec![0; count + 1],
            jumps: vec![root; count + 1],
        };
        for &block in &graph.walk {
            let common = before(block).reduce(|a, b| tree.common(a, b));
            tree.hang(block, common.unwrap_or(root));
        }
        let (mut entries, mut is_complete) = (0, true);
        let wires = graph.entering.count();
        let mut frontiers: Vec<Vec<usize>> = vec![vec![]; count];
        'all: for &block in &graph.walk {
            for from in before(block) {
                let mut above = from;
                while above != tree.parents[block] && frontiers[above].last() != Some(&block) {
                    frontiers[above].push(block);
                    above = tree.parents[above];
                    entries += 1;
                    if entries > MOST_ENTRIES * (count + wires) {
                        is_complete = false;
                        break 'all;
                    }
                }
            }
        }
        Self {
            spans: tree.spans(&graph.walk),
            parents: tree.parents,
            frontiers,
            is_complete,
        }
    }

    /// What stands above all blocks, and is none.
    pub fn root(&self) -> usize {
        self.frontiers.len()
    }

    /// The nearest block that all ways to a block pass.
    pub fn parent(&self, block: usize) -> usize {
        self.parents[block]
    }

    /// The numbers of a block and what it dominates: the first, its own, and one past the last.
    pub fn span(&self, block: usize) -> (usize, usize) {
        self.spans[block]
    }

    /// Where a block stops to dominate; none where the flowchart is too tangled to say so.
    pub fn frontier(&self, block: usize) -> Option<&[usize]> {
        self.is_complete.then(|| &*self.frontiers[block])
    }
}

/// A tree that grows by leaves, with a pointer from each far up, so that the nearest that two have above them is found
/// in logarithmic time (Myers 1983).
struct Tree {
    parents: Vec<usize>,
    depths: Vec<usize>,
    jumps: Vec<usize>,
}

impl Tree {
    fn hang(&mut self, block: usize, parent: usize) {
        let (jump, depths) = (self.jumps[parent], &self.depths);
        let is_even = depths[parent] - depths[jump] == depths[jump] - depths[self.jumps[jump]];
        self.jumps[block] = if is_even { self.jumps[jump] } else { parent };
        self.depths[block] = self.depths[parent] + 1;
        self.parents[block] = parent;
    }

    fn common(&self, mut a: usize, mut b: usize) -> usize {
        if self.depths[a] < self.depths[b] {
            std::mem::swap(&mut a, &mut b);
        }
        while self.depths[a] > self.depths[b] {
            a = if self.depths[self.jumps[a]] >= self.depths[b] {
                self.jumps[a]
            } else {
                self.parents[a]
            };
        }
        while a != b {
            (a, b) = if self.jumps[a] == self.jumps[b] {
                (self.parents[a], self.parents[b])
            } else {
                (self.jumps[a], self.jumps[b])
            };
        }
        a
    }

    /// Of each block its number and one past the last below it, where `walk` has parents first.
    fn spans(&self, walk: &[usize]) -> Vec<(usize, usize)> {
        let mut sizes = vec![1; self.parents.len()];
        for &block in walk.iter().rev() {
            sizes[self.parents[block]] += sizes[block];
        }
        let mut free = vec![0; sizes.len()];
        let mut spans = vec![(0, 0); walk.len()];
        for &block in walk {
            let parent = self.parents[block];
            let own = free[parent];
            free[parent] += sizes[block];
            free[block] = own + 1;
            spans[block] = (own, own + sizes[block]);
        }
        spans
    }
}
