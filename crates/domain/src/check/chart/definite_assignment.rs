//! Definite assignment of variables: for each block, which Bind a variable has its value from, and
//! whether it always has one.
//!
//! ```text
//! b -> q, q.true -> v -> t, q.false -> t, t -> u     at 't' and 'u' the variable of Bind 'v' may be unbound
//! ```
//!
//! For one variable, the answer stays the same in the tree of [`Dominators`] from one definition to
//! the next. A definition is a Bind, or a block where paths with and without a Bind join; as in
//! static single assignment form (Cytron et al. 1991).

use std::cell::{Cell, OnceCell};
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use taskloom_document::Name;
use taskloom_document::sort::CompactSort;

use super::bypass::{self, BypassPath};
use super::dominators::Dominators;
use super::graph::Graph;

/// Maximum number of blocks visited to find paths around Binds: a constant, plus an amount per
/// block of the flowchart. Beyond that, no more paths are reported; where outputs have several
/// wires, the variable then counts as bound.
const MAX_VISITS: (usize, usize) = (1_000_000, 16);

/// Maximum number of definitions per block and wire, over all variables.
const MAX_DEFINITIONS: usize = 16;

/// A definition of a variable: a Bind of it, or a block where paths join.
struct Definition {
    block: usize,
    is_bind: bool,
    /// The last Bind, in the order of [`Graph::binds`], that the value may come from.
    bind: usize,
    /// The index of the previous definition in the dominator tree.
    above: Option<usize>,
    /// The path on which the variable is unbound here, if there is one.
    around: OnceCell<Option<Rc<BypassPath>>>,
}

/// The definitions of one variable.
struct Variable {
    /// The Binds, as indices into [`Graph::binds`].
    binds: Vec<usize>,
    definitions: Vec<Definition>,
    /// The block number, in the order of [`Dominators::span`], from which each definition applies.
    changes: Vec<(usize, Option<usize>)>,
    /// Without forks: for each definition, `true` if the variable may be unbound there.
    missing: OnceCell<Vec<bool>>,
    /// `true` if paths join in too many blocks to know where the variable has a value.
    is_tangled: bool,
}

/// The variables that the Binds of a flowchart bind.
pub struct Known<'g, 'a> {
    graph: &'g Graph<'a>,
    dominators: Dominators,
    /// The variables, in the order of their first Binds.
    variables: Vec<Variable>,
    numbers: FxHashMap<&'a Name, usize>,
    has_forks: bool,
    left: Cell<usize>,
}

impl<'g, 'a> Known<'g, 'a> {
    pub fn new(graph: &'g Graph<'a>) -> Self {
        let mut known = Self {
            graph,
            dominators: Dominators::new(graph),
            variables: vec![],
            numbers: FxHashMap::default(),
            has_forks: graph.has_forks(),
            left: Cell::new(MAX_VISITS.0 + MAX_VISITS.1 * graph.blocks.len()),
        };
        let mut binds: Vec<Vec<usize>> = vec![];
        for (bind, (_, variable)) in graph.binds.iter().enumerate() {
            let number = *known.numbers.entry(&variable.name).or_insert(binds.len());
            if number == binds.len() {
                binds.push(vec![]);
            }
            binds[number].push(bind);
        }
        let mut left = MAX_DEFINITIONS * (graph.blocks.len() + graph.flowchart.wires.len());
        for binds in binds {
            let definitions = known.definitions(&binds, &mut left);
            let variable = known.variable(binds, definitions);
            known.variables.push(variable);
        }
        known
    }

    /// Computes the definitions of a variable: its Binds, their dominance frontiers, the frontiers
    /// of these, and so on. They are in the order of [`Graph::walk`]; at the same block, a join
    /// comes before a Bind. Returns `None` if there are too many. Each definition is deducted from
    /// `left`.
    fn definitions(&self, binds: &[usize], left: &mut usize) -> Option<Vec<Definition>> {
        let mut found: Vec<Definition> = vec![];
        // Lowest index first; at the same index, joins first, and of these the last Bind first.
        let mut next: BinaryHeap<(std::cmp::Reverse<(usize, bool)>, usize)> = BinaryHeap::new();
        for &bind in binds {
            let (block, _) = self.graph.binds[bind];
            next.push((std::cmp::Reverse((self.graph.positions[block], true)), bind));
        }
        while let Some((std::cmp::Reverse((place, is_bind)), bind)) = next.pop() {
            let block = self.graph.walk[place];
            let is_known = |last: &Definition| last.block == block && last.is_bind == is_bind;
            if found.last().is_some_and(is_known) {
                continue;
            }
            *left = left.checked_sub(1)?;
            found.push(Definition {
                block,
                is_bind,
                bind,
                above: None,
                around: OnceCell::new(),
            });
            for meeting in self.dominators.frontier(block)? {
                next.push((
                    std::cmp::Reverse((self.graph.positions[*meeting], false)),
                    bind,
                ));
            }
        }
        Some(found)
    }

    fn variable(&self, binds: Vec<usize>, definitions: Option<Vec<Definition>>) -> Variable {
        let is_tangled = definitions.is_none();
        let mut definitions = definitions.unwrap_or_default();
        definitions.compact_sort_by_key(|of| (self.dominators.span(of.block).0, of.is_bind));
        let mut changes: Vec<(usize, Option<usize>)> = vec![];
        let mut open: Vec<(usize, usize)> = vec![];
        for (number, definition) in definitions.iter_mut().enumerate() {
            let (first, end) = self.dominators.span(definition.block);
            close(&mut open, &mut changes, first);
            definition.above = open.last().map(|(above, _)| *above);
            changes.push((first, Some(number)));
            open.push((number, end));
        }
        close(&mut open, &mut changes, usize::MAX);
        Variable {
            binds,
            definitions,
            changes,
            missing: OnceCell::new(),
            is_tangled,
        }
    }

    fn named(&self, name: &Name) -> Option<&Variable> {
        Some(&self.variables[*self.numbers.get(name)?])
    }

    /// Returns the Binds of a variable, as indices into [`Graph::binds`], in order.
    pub fn binds(&self, name: &Name) -> &[usize] {
        self.named(name).map_or(&[], |variable| &variable.binds)
    }

    /// Returns the Bind that a variable may have its value from at a block, which may be the block
    /// itself; the last one if there are several. It is an index into [`Graph::binds`].
    pub fn bind(&self, name: &Name, block: usize) -> Option<usize> {
        let (number, _) = self.dominators.span(block);
        self.named(name)?.bind(number)
    }

    /// Returns the Binds that variables may have their values from at a block, including the block
    /// itself: for each variable the last one, as indices into [`Graph::binds`], in order. This
    /// visits all variables of the flowchart.
    pub fn all(&self, block: usize) -> Vec<usize> {
        let (number, _) = self.dominators.span(block);
        let variables = self.variables.iter();
        let mut binds: Vec<usize> = variables.filter_map(|of| of.bind(number)).collect();
        binds.compact_sort();
        binds
    }

    /// Returns the number of variables.
    pub fn count(&self) -> usize {
        self.variables.len()
    }

    /// Returns `true` if the variable of a Bind has, or may have, a value before it.
    pub fn is_bound_before(&self, bind: usize) -> bool {
        let (block, variable) = self.graph.binds[bind];
        let Some(variable) = self.named(&variable.name) else {
            return false;
        };
        let own = variable.at(self.dominators.span(block).0);
        own.is_some_and(|own| own.above.is_some())
    }

    /// Returns a path from Begin to a block on which a variable is unbound, or `None` if it is
    /// always bound.
    pub fn around(&self, name: &Name, block: usize) -> Option<Rc<BypassPath>> {
        let variable = self.named(name)?;
        let at = variable.number_at(self.dominators.span(block).0)?;
        // Earlier definitions determine whether there is a path that far.
        let mut above = vec![];
        let mut next = Some(at);
        let definitions = &variable.definitions;
        while let Some(number) = next.filter(|of| definitions[*of].around.get().is_none()) {
            above.push(number);
            next = definitions[number].above;
        }
        for number in above.into_iter().rev() {
            let path = self.bypass(name, variable, number);
            // It can't be set already: nothing else sets it in between.
            let _ = definitions[number].around.set(path);
        }
        definitions[at].around.get().cloned().flatten()
    }

    fn bypass(&self, name: &Name, variable: &Variable, number: usize) -> Option<Rc<BypassPath>> {
        let at = &variable.definitions[number];
        if at.is_bind || !self.has_forks && !self.missing(variable)[number] {
            return None;
        }
        let before = match at.above {
            Some(above) => variable.definitions[above]
                .around
                .get()
                .cloned()
                .flatten()?,
            None => Rc::default(),
        };
        let parent = self.dominators.parent(at.block);
        let start = if parent == self.dominators.root() {
            self.graph.begin?
        } else {
            parent
        };
        let region = (start, at.block);
        match bypass::bypass(self.graph, region, name, &self.left) {
            Some(on) => Some(Rc::new(before.then(&on))),
            // There is a path, but finding its decisions would take too long.
            None if !self.has_forks => Some(before),
            None => None,
        }
    }

    /// Returns, for each definition of a variable, `true` if it may be unbound there. This assumes
    /// that no output has several wires: a variable then may be unbound at a join if it may be on
    /// one of the joining paths.
    fn missing<'v>(&self, variable: &'v Variable) -> &'v [bool] {
        variable.missing.get_or_init(|| {
            let definitions = &variable.definitions;
            let mut order: Vec<usize> = (0..definitions.len()).collect();
            order.compact_sort_by_key(|of| {
                let of = &definitions[*of];
                (self.graph.positions[of.block], of.is_bind)
            });
            let mut missing = vec![false; definitions.len()];
            for number in order {
                let at = &definitions[number];
                let mut from = self.graph.entering[at.block].iter();
                missing[number] = !at.is_bind
                    && from.any(|from| {
                        let known = variable.number_at(self.dominators.span(*from).0);
                        self.graph.is_reached(*from) && known.is_none_or(|known| missing[known])
                    });
            }
            missing
        })
    }
}

impl Variable {
    /// Returns the Bind that the value may come from at a block with this number.
    fn bind(&self, number: usize) -> Option<usize> {
        if self.is_tangled {
            return self.binds.last().copied();
        }
        self.at(number).map(|known| known.bind)
    }

    /// Returns the definition that applies at a block with this number.
    fn at(&self, number: usize) -> Option<&Definition> {
        self.number_at(number)
            .map(|number| &self.definitions[number])
    }

    fn number_at(&self, number: usize) -> Option<usize> {
        let later = self.changes.partition_point(|(from, _)| *from <= number);
        self.changes.get(later.checked_sub(1)?)?.1
    }
}

/// Closes the definitions that don't apply to blocks from a number on.
fn close(open: &mut Vec<(usize, usize)>, changes: &mut Vec<(usize, Option<usize>)>, number: usize) {
    while let Some((_, end)) = open.pop_if(|(_, end)| *end <= number) {
        changes.push((end, open.last().map(|(above, _)| *above)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Domain;
    use crate::check::fixture;

    /// Measures the definitions created and blocks visited to analyse every variable at every
    /// block.
    fn work(size: usize, part: fn(usize) -> String) -> usize {
        let parts: Vec<String> = (0..size).map(part).collect();
        let lines = parts.iter().flat_map(|part| part.split("; "));
        let (wires, blocks): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains("->"));
        let block = |line: &&str| {
            let (id, block) = line.split_once(": ").expect("'id: block'");
            match block.split_once(' ') {
                Some((kind, variable)) => {
                    format!(r#""{id}": {{ "kind": "{kind}", "variable": "?{variable}: object" }}"#)
                }
                None if block == "task" => format!(r#""{id}": {{ "kind": "task", "call": "" }}"#),
                None => format!(r#""{id}": {{ "kind": "{block}", "condition": "" }}"#),
            }
        };
        let blocks: Vec<String> = blocks.iter().map(block).collect();
        let wires: Vec<String> = wires.iter().map(|wire| format!(r#""{wire}""#)).collect();
        let document = fixture::read(&format!(
            r#"{{ "compound_tasks": {{ "go": {{ "method": {{ "blocks": {{ "t0": {{ "kind": "begin" }}, {} }}, "wires": [{}] }} }} }} }}"#,
            blocks.join(", "),
            wires.join(", "),
        ));
        let (name, task) = document.compound_tasks.iter().next().expect("a task");
        let domain = Domain::from(&document);
        let method = domain.compound(name).and_then(|task| domain.method(task));
        let graph = Graph::new(&task.method, method);
        let known = Known::new(&graph);
        let before = known.left.get();
        for (_, variable) in &graph.binds {
            for block in 0..graph.blocks.len() {
                known.around(&variable.name, block);
            }
        }
        let definitions = known.variables.iter().map(|of| of.definitions.len());
        let frontiers = (0..graph.blocks.len()).map(|block| {
            let frontier = known.dominators.frontier(block);
            frontier.expect("no tangle").len()
        });
        definitions.sum::<usize>() + frontiers.sum::<usize>() + before - known.left.get()
    }

    #[test]
    fn analysis_takes_linear_time() {
        let parts: [fn(usize) -> String; 4] = [
            // One Bind after another.
            |n| format!("t{}: bind p{n}; t{n}.out -> t{}", n + 1, n + 1),
            // One variable each, bound on one side only.
            |n| {
                let m = n + 1;
                format!(
                    "q{m}: branch; v{m}: bind p{m}; t{m}: task; t{n}.out -> q{m}; q{m}.true -> v{m}; \
                     q{m}.false -> t{m}; v{m}.out -> t{m}"
                )
            },
            // The same variable for all.
            |n| {
                let m = n + 1;
                format!(
                    "q{m}: branch; v{m}: bind p; t{m}: task; t{n}.out -> q{m}; q{m}.true -> v{m}; \
                     q{m}.false -> t{m}; v{m}.out -> t{m}"
                )
            },
            // In parallel.
            |n| {
                let m = n + 1;
                format!("q{m}: bind p{m}; t{m}: task; t0.out -> q{m}; q{m}.out -> t{m}")
            },
        ];
        for (number, part) in parts.into_iter().enumerate() {
            let (one, two) = (work(60, part), work(120, part));
            assert!(one >= 60, "part {number}: {one}");
            assert!(two <= 2 * one + 10, "part {number}: {one}, then {two}");
        }
    }
}
