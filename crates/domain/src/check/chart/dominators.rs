//! Dominators of the blocks of a flowchart.
//!
//! ```text
//! b -> q, q.true -> v -> t, q.false -> t     'q' dominates 't', and 'v' does not:
//!                                            't' is in the frontier of 'v', where paths with and without 'v' join
//! ```
//!
//! A block dominates another if all paths to the other pass through it. The immediate dominator of
//! a block is its parent in a tree (Cooper, Harvey and Kennedy 2001). The dominance frontiers of
//! the Binds of a name are the blocks from which on it is no longer clear whether the name has a
//! value (Cytron et al. 1991).

use super::graph::Graph;

/// Maximum number of frontier entries per block and wire; exceeded only where exits cross each
/// other.
const MAX_ENTRIES: usize = 64;

/// The dominator tree of a flowchart, with the dominance frontiers.
pub struct Dominators {
    /// The immediate dominator of each block, or [`Dominators::root`] if it has none.
    parents: Vec<usize>,
    /// For each block, its number and the first number outside its subtree. Blocks are numbered in
    /// preorder, so a subtree is a range of numbers that starts with its root.
    spans: Vec<(usize, usize)>,
    /// The dominance frontier of each block: the blocks that it doesn't dominate and that a wire
    /// enters from it or from a block it dominates.
    frontiers: Vec<Vec<usize>>,
    /// `true` if the frontiers are complete.
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
                    if entries > MAX_ENTRIES * (count + wires) {
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

    /// Returns the index of the virtual root above all blocks.
    pub fn root(&self) -> usize {
        self.frontiers.len()
    }

    /// Returns the immediate dominator of a block.
    pub fn parent(&self, block: usize) -> usize {
        self.parents[block]
    }

    /// Returns the range of numbers of a block's subtree: its own number, and one past the last.
    pub fn span(&self, block: usize) -> (usize, usize) {
        self.spans[block]
    }

    /// Returns the dominance frontier of a block, or `None` if the flowchart is too tangled to
    /// compute the frontiers.
    pub fn frontier(&self, block: usize) -> Option<&[usize]> {
        self.is_complete.then(|| &*self.frontiers[block])
    }
}

/// A tree that grows by leaves, with a jump pointer from each node to a distant ancestor, so that
/// the lowest common ancestor is found in logarithmic time (Myers 1983).
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

    /// Numbers the nodes in preorder: for each block, its number and one past the last of its
    /// subtree. In `walk`, parents come first.
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
