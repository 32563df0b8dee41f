//! Ways around the Binds of a variable: resolutions of a flowchart (semantics, section 3) in which a block is present
//! and no Bind of the variable comes before it.
//!
//! ```text
//! q.true -> v -> t, q.false -> t      around Bind 'v', when 'q' is false
//! b.out -> v -> t, b.out -> t         none: both wires are there, so 't' waits for 'v'
//! ```

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};

use taskloom_document::{Block, Name, Port};

use super::graph::Graph;
use super::label;

/// So many resolutions are looked at one by one where looking at blocks alone finds no way.
const MOST_RESOLUTIONS: usize = 2_000;

/// So many decisions of a way a message names.
const MOST_NAMED: usize = 8;

/// A way as the decisions that make it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Way {
    /// The first of them, as a message says them: `'lit' is false`.
    named: Vec<String>,
    /// How many follow.
    more: usize,
}

impl Way {
    /// This way and then another one.
    pub fn then(&self, after: &Self) -> Self {
        let left = MOST_NAMED.saturating_sub(self.named.len());
        let named = self.named.iter().chain(after.named.iter().take(left));
        let named: Vec<String> = named.cloned().collect();
        let count = self.named.len() + after.named.len();
        Self {
            more: self.more + after.more + count - named.len(),
            named,
        }
    }

    /// `, when 'lit' is false and 'dark' is true`
    pub fn when(&self) -> String {
        let decisions = self.named.join(" and ");
        match (decisions.as_str(), self.more) {
            ("", _) => String::new(),
            (decisions, 0) => format!(", when {decisions}"),
            (decisions, 1) => format!(", when {decisions}, and by one decision more"),
            (decisions, more) => format!(", when {decisions}, and by {more} decisions more"),
        }
    }
}

/// What a block of a region leads to, by numbers of the region.
enum Leads {
    /// To all of these.
    All(Vec<usize>),
    /// To all that one of its outputs leads to, or elsewhere, where that can be.
    One {
        outputs: Vec<(Port, Vec<usize>)>,
        elsewhere: bool,
    },
}

/// Which output a block takes: one of those in [`Leads::One`], or one that leads elsewhere.
type Decision = (usize, Option<usize>);

/// The blocks on the ways from one that all of them pass to another one.
struct Region<'g, 'a> {
    graph: &'g Graph<'a>,
    /// The blocks, each after all that lead to it: the first is where the region starts, the last where it ends.
    blocks: Vec<usize>,
    leads: Vec<Leads>,
    /// Which of them bind the variable.
    binds: Vec<bool>,
}

/// The first way, in the order of the outputs, from a block that all ways to another one pass to that other one; none
/// where there is none, or where too much would have to be looked at. Each block looked at is taken from `left`.
pub fn way(
    graph: &Graph,
    (start, end): (usize, usize),
    name: &Name,
    left: &Cell<usize>,
) -> Option<Way> {
    let region = Region::new(graph, (start, end), name, left)?;
    let decisions = region.along().or_else(|| region.one_by_one(left))?;
    let decisions = decisions.iter();
    let named = decisions.clone().take(MOST_NAMED);
    Some(Way {
        named: named.map(|decision| region.said(*decision)).collect(),
        more: decisions.len().saturating_sub(MOST_NAMED),
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
        blocks.sort_unstable_by_key(|block| graph.places[*block]);
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

    /// A way with no Bind of the variable in the region at all, found by looking at each block twice. Where each output
    /// has one wire there is no other.
    fn along(&self) -> Option<Vec<Decision>> {
        // Whether a block can lead on without such a Bind, and whether it then can lead to the end.
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
        // How many blocks that are present, and have not been looked at, can lead to the end.
        let mut hopes = 1_usize;
        for (at, leads) in self.leads.iter().enumerate() {
            if !is_present[at] {
                continue;
            }
            hopes -= usize::from(is_good[at]);
            let to: &[usize] = match leads {
                Leads::All(to) => to,
                Leads::One { outputs, .. } => {
                    let fits = |to: &[usize]| {
                        to.iter().all(|to| is_safe[*to])
                            && (hopes > 0 || to.iter().any(|to| is_good[*to]))
                    };
                    let taken = outputs.iter().position(|(_, to)| fits(to));
                    decisions.push((at, taken));
                    taken.map_or(&[], |taken| &outputs[taken].1)
                }
            };
            for &to in to {
                if !std::mem::replace(&mut is_present[to], true) {
                    hopes += usize::from(is_good[to]);
                }
            }
        }
        Some(decisions)
    }

    /// A way on which there may be such a Bind that does not lead to the end, by looking at one resolution after the
    /// other. Only where an output has several wires is there such a way.
    fn one_by_one(&self, left: &Cell<usize>) -> Option<Vec<Decision>> {
        let forks = self.leads.iter().any(|leads| match leads {
            Leads::All(to) => to.len() > 1,
            Leads::One { outputs, .. } => outputs.iter().any(|(_, to)| to.len() > 1),
        });
        if !forks {
            return None;
        }
        let end = self.blocks.len() - 1;
        // Of each deciding block met, in order, the output taken; one past the last stands for elsewhere.
        let mut taken: Vec<(usize, usize)> = vec![];
        for _ in 0..MOST_RESOLUTIONS {
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
            // The next resolution: the last decision that has another output left.
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

    /// The outputs of a deciding block, and whether it can lead elsewhere.
    fn outputs(&self, at: usize) -> (&[(Port, Vec<usize>)], bool) {
        match &self.leads[at] {
            Leads::All(_) => (&[], false),
            Leads::One { outputs, elsewhere } => (outputs, *elsewhere),
        }
    }

    /// A decision as a message says it: `'lit' is false`.
    fn said(&self, (at, taken): Decision) -> String {
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

/// What a block leads to in a region, of whose blocks these are the numbers.
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
