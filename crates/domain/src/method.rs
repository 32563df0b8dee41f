//! A compound task's flowchart as a graph, with the variables visible at each block and the meaning
//! of its texts.

use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Chart;
use crate::lang::Me;
use crate::text::TextReader;
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::Stop;
use taskloom_document::{Block, BlockId, CompoundTask, Name, Param};

mod content;

pub use content::Content;
use content::variables_in;
pub(crate) use content::{Binds, Reader};

/// The blocks of a flowchart that Begin reaches, in the order of resolution.
#[derive(Debug)]
pub struct Method {
    record: Arc<CompoundTask>,
    /// The meaning of `?me`.
    me: Option<Me>,
    /// The flowchart.
    pub chart: Arc<Chart>,
    positions: OnceLock<FxHashMap<BlockId, u32>>,
    /// The positions of the Bind blocks.
    binds: Vec<u32>,
    /// The Binds of each variable, as indices into `binds`.
    named: FxHashMap<Name, Vec<usize>>,
    /// The variables of the Bind blocks that Begin doesn't reach.
    unreached: Vec<Param>,
    /// For each block, a row of bits: the Binds, by index, that lead to it.
    above: OnceLock<Vec<u64>>,
    stop: Stop,
    contents: Vec<OnceLock<Content>>,
}

impl Method {
    pub(crate) fn new(record: &Arc<CompoundTask>, me: &Option<Me>, stop: &Stop) -> Option<Self> {
        let chart = Chart::new(&record.method)?;
        let mut method = Self {
            positions: OnceLock::new(),
            contents: chart.blocks.iter().map(|_| OnceLock::new()).collect(),
            record: record.clone(),
            me: me.clone(),
            binds: vec![],
            named: FxHashMap::default(),
            unreached: vec![],
            above: OnceLock::new(),
            stop: stop.clone(),
            chart: Arc::new(chart),
        };
        for position in 0..method.chart.blocks.len() as u32 {
            if let Some(variable) = method.variable(position) {
                let name = variable.name.clone();
                method
                    .named
                    .entry(name)
                    .or_default()
                    .push(method.binds.len());
                method.binds.push(position);
            }
        }
        if method.chart.blocks.len() < record.method.blocks.len() {
            let blocks = record.method.blocks.iter();
            let blocks = blocks.filter(|(id, _)| method.position(id).is_none());
            method.unreached = blocks
                .filter_map(|(_, block)| block.binds().cloned())
                .collect();
        }
        Some(method)
    }

    /// Finds the Binds that lead to each block. Wires lead forward in the order of resolution.
    fn find_above(&self) -> Vec<u64> {
        let words = self.binds.len().div_ceil(64);
        let mut rows = vec![0; words * self.chart.blocks.len()];
        let mut own = self.binds.iter().zip(0usize..).peekable();
        for position in 0..self.chart.blocks.len() as u32 {
            if words == 0 || self.stop.after(words) {
                break;
            }
            let start = position as usize * words;
            let mut row = rows[start..start + words].to_vec();
            if let Some((_, bind)) = own.next_if(|(bind, _)| **bind == position) {
                row[bind / 64] |= 1 << (bind % 64);
            }
            for wire in self.chart.wires_from(position) {
                let to = self.chart.wires[wire as usize].to as usize * words;
                for (above, passed) in rows[to..].iter_mut().zip(&row) {
                    *above |= passed;
                }
            }
        }
        rows
    }

    /// Returns the block at a position.
    pub fn block(&self, position: u32) -> &Block {
        &self.chart.blocks[position as usize].block
    }

    /// Returns the position of a block, or `None` if Begin doesn't reach it.
    pub fn position(&self, id: &BlockId) -> Option<u32> {
        let ids = || self.chart.blocks.iter().map(|block| block.id.clone());
        let positions = self.positions.get_or_init(|| ids().zip(0..).collect());
        positions.get(id).copied()
    }

    /// Returns the variable that the block at a position binds.
    pub fn variable(&self, position: u32) -> Option<&Param> {
        self.block(position).binds()
    }

    /// Returns the positions of the Bind blocks.
    pub fn binds(&self) -> &[u32] {
        &self.binds
    }

    fn is_above(&self, bind: usize, position: u32) -> bool {
        let words = self.binds.len().div_ceil(64);
        let above = self.above.get_or_init(|| self.find_above());
        let word = above.get(position as usize * words + bind / 64);
        word.is_some_and(|word| word >> (bind % 64) & 1 == 1)
    }

    /// Returns the positions of the Binds that lead to the block at a position, in the order of
    /// resolution.
    pub fn binds_above(&self, position: u32) -> impl Iterator<Item = u32> {
        let above = move |(bind, _): &(usize, &u32)| self.is_above(*bind, position);
        self.binds
            .iter()
            .enumerate()
            .filter(above)
            .map(|(_, bind)| *bind)
    }

    /// Returns the positions of those of these Binds whose variables the block's texts may name.
    pub fn binds_named(&self, position: u32) -> Vec<u32> {
        let mut named = vec![];
        if !self.binds.is_empty() {
            for (.., text) in self.block(position).texts() {
                let binds = variables_in(text).filter_map(|name| self.named.get(&name));
                let binds = binds
                    .flatten()
                    .filter(|bind| self.is_above(**bind, position));
                named.extend(binds.map(|bind| self.binds[*bind]));
            }
            named.compact_sort();
            named.dedup();
        }
        named
    }

    /// Returns the first and the last Bind of a variable in the whole flowchart; reachable ones
    /// come before the others.
    fn elsewhere(&self, name: &Name) -> Option<(&Param, &Param)> {
        let reached = self.named.get(name).into_iter().flatten();
        let reached = reached.filter_map(|bind| self.variable(self.binds[*bind]));
        let mut binds = reached.chain(self.unreached.iter().filter(|bind| bind.name == *name));
        let first = binds.next()?;
        Some((first, binds.last().unwrap_or(first)))
    }

    /// Returns the contents of the blocks that have been read.
    pub(crate) fn contents_read(&self) -> impl Iterator<Item = &Content> {
        self.contents.iter().filter_map(OnceLock::get)
    }

    /// Returns the content of the block at a position; `binds` are the Binds above it, used by the
    /// first read.
    pub(crate) fn content(&self, texts: &TextReader, position: u32, binds: &dyn Binds) -> &Content {
        self.contents[position as usize].get_or_init(|| {
            let reader = Reader {
                texts,
                params: &self.record.params,
                binds,
                me: &self.me,
                method: Some(self),
            };
            reader.content(self.block(position))
        })
    }
}

/// The Binds above the block at a position of a method.
pub(crate) struct Above<'m>(pub &'m Method, pub u32);

impl Binds for Above<'_> {
    fn named(&self, name: &Name) -> Option<&Param> {
        let Self(method, position) = *self;
        let own = method.variable(position).filter(|own| own.name == *name);
        own.or_else(|| {
            let mut binds = method.named.get(name)?.iter().rev();
            let bind = binds.find(|bind| method.is_above(**bind, position))?;
            method.variable(method.binds[*bind])
        })
    }

    fn count(&self) -> usize {
        self.0.binds.len()
    }

    fn all(&self) -> Vec<&Param> {
        let Self(method, position) = *self;
        let binds = method.binds_above(position).chain([position]);
        let mut binds: Vec<&Param> = binds.filter_map(|at| method.variable(at)).collect();
        let mut later = FxHashSet::default();
        binds.reverse();
        binds.retain(|bind| later.insert(&bind.name));
        binds.reverse();
        binds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Domain;
    use taskloom_document::diagnostic::Severity;
    use taskloom_document::{Document, Edit, Field};

    /// Creates a flowchart with this many Binds in two columns that join now and then, with a Task
    /// after each.
    fn document(size: usize) -> Document {
        let mut blocks = vec![r#""b": { "kind": "begin" }"#.to_owned()];
        let mut wires = vec![r#""b.out -> v0", "b.out -> v1""#.to_owned()];
        for n in 0..size {
            let name = n % 7;
            blocks.push(format!(
                r#""v{n}": {{ "kind": "bind", "variable": "?p{name}: object" }}, "t{n}": {{ "kind": "task", "call": "go(?p{name})" }}"#
            ));
            wires.push(format!(r#""v{n}.out -> t{n}""#));
            if n >= 2 {
                wires.push(format!(r#""v{}.out -> v{n}""#, n - 2));
            }
            if n % 10 == 9 {
                wires.push(format!(r#""v{}.out -> v{n}""#, n - 1));
            }
        }
        let (blocks, wires) = (blocks.join(", "), wires.join(", "));
        let text = format!(
            r#"{{ "taskloom": 4, "compound_tasks": {{ "go": {{ "params": ["?a: object"], "method": {{ "blocks": {{ {blocks} }}, "wires": [{wires}] }} }} }} }}"#
        );
        Document::from_json(&text).expect("a document")
    }

    #[test]
    fn binds_above_a_block_are_those_upstream() {
        let document = document(150);
        let domain = Domain::from(&document);
        let compound = domain
            .compound(&Name::new("go").expect("a name"))
            .expect("a task");
        let method = domain.method(compound).expect("a Begin block");
        for (position, block) in (0u32..).zip(&method.chart.blocks) {
            let upstream = compound.record.method.upstream(&block.id);
            let mut naive: Vec<u32> = upstream
                .iter()
                .filter_map(|id| method.position(id))
                .filter(|at| method.variable(*at).is_some())
                .collect();
            naive.sort_unstable();
            assert_eq!(method.binds_above(position).collect::<Vec<_>>(), naive);
            let named = method.binds_named(position);
            let is_named = |at: &u32| {
                let name = method.variable(*at).map(|variable| &variable.name);
                let texts = method.block(position).texts();
                let mut named = texts.flat_map(|(.., text)| variables_in(text));
                named.any(|other| Some(&other) == name)
            };
            naive.retain(is_named);
            assert_eq!(named, naive);
        }
    }

    #[test]
    fn texts_see_only_variables_bound_upstream() {
        let document = document(9);
        let domain = Domain::from(&document);
        let compound = domain
            .compound(&Name::new("go").expect("a name"))
            .expect("a task");
        let method = domain.method(compound).expect("a Begin block");
        let read = |id: &str| {
            let id = BlockId::new(id).expect("an id");
            let position = method.position(&id).expect("a block");
            let Content::Task { call, .. } = domain.content(method, position) else {
                panic!("a Task block");
            };
            let codes: Vec<&str> = call.mistakes.iter().map(|m| m.code).collect();
            (call.value.is_some(), codes)
        };
        assert_eq!(read("t4"), (true, vec![]));
        let edit = Edit::Disconnect(
            Name::new("go").expect("a name"),
            "v4.out -> t4".parse().expect("a wire"),
        );
        let apart = domain.document().apply(&edit).expect("an edit");
        let wire = "b.out -> t4".parse().expect("a wire");
        let edit = Edit::Connect(Name::new("go").expect("a name"), wire);
        let apart = apart.apply(&edit).expect("an edit");
        let found = crate::check::check(&Domain::from(&apart));
        let errors = found.iter().filter(|d| d.severity == Severity::Error);
        let found: Vec<(&str, &Field)> = errors.map(|d| (d.code, &d.place.field)).collect();
        let field = Field::BlockText(BlockId::new("t4").expect("an id"));
        assert_eq!(found, [("unbound-variable", &field)]);
    }
}
