//! Paths around the Binds of a variable: resolutions of a flowchart (semantics, section 3) in which
//! a block is present and no Bind of the variable comes before it.
//!
//! ```text
//! q.true -> v -> t, q.false -> t      around Bind 'v', when 'q' is false
//! b.out -> v -> t, b.out -> t         none: both wires are followed, so 't' waits for 'v'
//! ```

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::sort::CompactSort;
use taskloom_document::{Block, Name, Port};

use super::graph::Graph;
use super::label;

/// Maximum number of resolutions enumerated when the pass over single blocks finds no path.
const MAX_RESOLUTIONS: usize = 2_000;

/// Maximum number of a path's decisions that a message names.
const MAX_NAMED: usize = 8;

/// A path around a variable's Binds, as the decisions that select it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct BypassPath {
    /// The first decisions, as a message shows them: `'lit' is false`.
    named: Vec<String>,
    /// The number of further decisions.
    more: usize,
}

impl BypassPath {
    /// Returns this path followed by another one.
    pub fn then(&self, after: &Self) -> Self {
        let left = MAX_NAMED.saturating_sub(self.named.len());
        let named = self.named.iter().chain(after.named.iter().take(left));
        let named: Vec<String> = named.cloned().collect();
        let count = self.named.len() + after.named.len();
        Self {
            more: self.more + after.more + count - named.len(),
            named,
        }
    }

    /// Returns the decisions as the end of a sentence: `, when 'lit' is false and 'dark' is true`.
    pub fn when(&self) -> String {
        let decisions = self.named.join(" and ");
        match (decisions.as_str(), self.more) {
            ("", _) => String::new(),
            (decisions, 0) => format!(", when {decisions}"),
            (decisions, 1) => format!(", when {decisions}, and with 1 more decision"),
            (decisions, more) => format!(", when {decisions}, and with {more} more decisions"),
        }
    }
}

/// The successors of a block in a region, as indices into the region.
enum Leads {
    /// All of these.
    All(Vec<usize>),
    /// All successors on one of the outputs, or, if `elsewhere`, none in the region.
    One {
        outputs: Vec<(Port, Vec<usize>)>,
        elsewhere: bool,
    },
}

/// The output that a block takes: an index into [`Leads::One`], or `None` for one that leads
/// elsewhere.
type Decision = (usize, Option<usize>);

/// The blocks on the paths from a dominating block to the block it dominates.
struct Region<'g, 'a> {
    graph: &'g Graph<'a>,
    /// The blocks in topological order: the first is the region's start, the last its end.
    blocks: Vec<usize>,
    leads: Vec<Leads>,
    /// For each block, `true` if it binds the variable.
    binds: Vec<bool>,
}

/// Returns the first path, in the order of the outputs, from a block to one that it dominates,
/// avoiding the variable's Binds. Returns `None` if there is no such path or if finding it would
/// take too long. Each block visited is deducted from `left`.
pub fn bypass(
    graph: &Graph,
    (start, end): (usize, usize),
    name: &Name,
    left: &Cell<usize>,
) -> Option<BypassPath> {
    let region = Region::new(graph, (start, end), name, left)?;
    let decisions = region.without_binds().or_else(|| region.one_by_one(left))?;
    let decisions = decisions.iter();
    let named = decisions.clone().take(MAX_NAMED);
    Some(BypassPath {
        named: named.map(|decision| region.describe(*decision)).collect(),
        more: decisions.len().saturating_sub(MAX_NAMED),
    })
}

impl<'g, 'a> Region<'g, 'a> {
    fn new(
        graph: &'g Graph<'a>,
        (start, end): (usize, usize),
        name: &Name,
        left: &Cell<usize>,
    ) -> Option<Self> {
        let mut numbers = FxHashMap::default();
        let mut stack = vec![end];
        while let Some(block) = stack.pop() {
            if numbers.insert(block, 0).is_none() {
                left.set(left.get().checked_sub(1)?);
                if block != start {
                    stack.extend(&graph.entering[block]);
                }
            }
        }
        if !numbers.contains_key(&start) {
            return None;
        }
        let mut blocks: Vec<usize> = numbers.keys().copied().collect();
        blocks.compact_sort_by_key(|block| graph.positions[*block]);
        for (number, block) in blocks.iter().enumerate() {
            numbers.insert(*block, number);
        }
        let within = blocks.iter().take(blocks.len() - 1);
        let leads = within.map(|block| leads(graph, *block, &numbers));
        let binds = |block: &usize| {
            let own = graph.blocks[*block].1.binds();
            *block != end && own.is_some_and(|own| own.name == *name)
        };
        Some(Self {
            graph,
            leads: leads.collect(),
            binds: blocks.iter().map(binds).collect(),
            blocks,
        })
    }

    /// Finds a path with no Bind of the variable in the region at all, in two passes over the
    /// blocks. If each output has a single wire, there is no other kind of path.
    fn without_binds(&self) -> Option<Vec<Decision>> {
        // For each block: can it be resolved without such a Bind, and can it then also reach the
        // end?
        let mut is_safe = vec![true; self.blocks.len()];
        let mut is_good = is_safe.clone();
        for (at, leads) in self.leads.iter().enumerate().rev() {
            let is = |to: &[usize]| {
                let all_safe = to.iter().all(|to| is_safe[*to]);
                (all_safe, all_safe && to.iter().any(|to| is_good[*to]))
            };
            let (safe, good) = match leads {
                Leads::All(to) => is(to),
                Leads::One { outputs, elsewhere } => {
                    let outputs = outputs.iter().map(|(_, to)| is(to));
                    outputs.fold((*elsewhere, false), |(safe, good), (also, better)| {
                        (safe | also, good | better)
                    })
                }
            };
            is_safe[at] = safe && !self.binds[at];
            is_good[at] = good && !self.binds[at];
        }
        if !is_good[0] {
            return None;
        }
        let mut decisions = vec![];
        let mut is_present = vec![false; self.blocks.len()];
        is_present[0] = true;
        // The number of present blocks, not visited yet, that can reach the end.
        let mut pending = 1_usize;
        for (at, leads) in self.leads.iter().enumerate() {
            if !is_present[at] {
                continue;
            }
            pending -= usize::from(is_good[at]);
            let to: &[usize] = match leads {
                Leads::All(to) => to,
                Leads::One { outputs, .. } => {
                    let fits = |to: &[usize]| {
                        to.iter().all(|to| is_safe[*to])
                            && (pending > 0 || to.iter().any(|to| is_good[*to]))
                    };
                    let taken = outputs.iter().position(|(_, to)| fits(to));
                    decisions.push((at, taken));
                    taken.map_or(&[], |taken| &outputs[taken].1)
                }
            };
            for &to in to {
                if !std::mem::replace(&mut is_present[to], true) {
                    pending += usize::from(is_good[to]);
                }
            }
        }
        Some(decisions)
    }

    /// Enumerates the resolutions to find a path that may have such a Bind as long as it doesn't
    /// lead to the end. Such paths exist only where an output has several wires.
    fn one_by_one(&self, left: &Cell<usize>) -> Option<Vec<Decision>> {
        let forks = self.leads.iter().any(|leads| match leads {
            Leads::All(to) => to.len() > 1,
            Leads::One { outputs, .. } => outputs.iter().any(|(_, to)| to.len() > 1),
        });
        if !forks {
            return None;
        }
        let end = self.blocks.len() - 1;
        // The output taken by each deciding block, in the order visited; one past the last means
        // elsewhere.
        let mut taken: Vec<(usize, usize)> = vec![];
        for _ in 0..MAX_RESOLUTIONS {
            left.set(left.get().checked_sub(self.blocks.len())?);
            let mut is_present = vec![false; self.blocks.len()];
            let mut is_bound = is_present.clone();
            is_present[0] = true;
            let mut met = 0;
            for (at, leads) in self.leads.iter().enumerate() {
                if !is_present[at] {
                    continue;
                }
                is_bound[at] |= self.binds[at];
                let to: &[usize] = match leads {
                    Leads::All(to) => to,
                    Leads::One { outputs, .. } => {
                        if met == taken.len() {
                            taken.push((at, 0));
                        }
                        met += 1;
                        outputs.get(taken[met - 1].1).map_or(&[], |(_, to)| to)
                    }
                };
                for &to in to {
                    is_present[to] = true;
                    is_bound[to] |= is_bound[at];
                }
            }
            if is_present[end] && !is_bound[end] {
                let decision = |(at, taken): (usize, usize)| {
                    let is_output = taken < self.outputs(at).0.len();
                    (at, is_output.then_some(taken))
                };
                return Some(taken.into_iter().map(decision).collect());
            }
            // Advance to the next resolution: the last decision with an untried output.
            loop {
                let (at, taken_there) = taken.last_mut()?;
                *taken_there += 1;
                let (outputs, elsewhere) = self.outputs(*at);
                if *taken_there < outputs.len() + usize::from(elsewhere) {
                    break;
                }
                taken.pop();
            }
        }
        None
    }

    /// Returns the outputs of a deciding block, and `true` if it can lead elsewhere.
    fn outputs(&self, at: usize) -> (&[(Port, Vec<usize>)], bool) {
        match &self.leads[at] {
            Leads::All(_) => (&[], false),
            Leads::One { outputs, elsewhere } => (outputs, *elsewhere),
        }
    }

    /// Describes a decision for a message: `'lit' is false`.
    fn describe(&self, (at, taken): Decision) -> String {
        let block = self.graph.blocks[self.blocks[at]].1;
        let port = taken.and_then(|taken| self.outputs(at).0.get(taken));
        let Some((port, _)) = port else {
            return format!("{} leads elsewhere", label(block));
        };
        match block {
            Block::Branch { condition } => format!("'{}' is {port}", condition.trim()),
            Block::Choice { alternatives, .. } => {
                let label = alternatives
                    .iter()
                    .find(|a| Port::Alternative(a.id) == *port);
                match label.map_or("", |a| a.label.trim()) {
                    "" => format!("the Choice takes output {port}"),
                    text => format!("the Choice takes '{text}'"),
                }
            }
            Block::Begin {} | Block::Task { .. } | Block::Bind { .. } | Block::End {} => {
                format!("{} leads on", label(block))
            }
        }
    }
}

/// Returns the successors of a block in the region whose blocks have these indices.
fn leads(graph: &Graph, block: usize, numbers: &FxHashMap<usize, usize>) -> Leads {
    let mut outputs: FxHashMap<Port, Vec<usize>> = FxHashMap::default();
    let mut others = FxHashSet::default();
    for (port, to) in &graph.leaving[block] {
        match numbers.get(to) {
            Some(number) => outputs.entry(*port).or_default().push(*number),
            None => drop(others.insert(*port)),
        }
    }
    let of = graph.blocks[block].1;
    let ports = of.ports();
    if !of.kind().chooses_output() {
        return Leads::All(outputs.remove(&Port::Out).unwrap_or_default());
    }
    let is_other = |port: &Port| {
        !outputs.contains_key(port) && (!of.kind().needs_wire() || others.contains(port))
    };
    Leads::One {
        elsewhere: ports.iter().any(is_other),
        outputs: ports
            .into_iter()
            .filter_map(|port| Some((port, outputs.remove(&port)?)))
            .collect(),
    }
}
