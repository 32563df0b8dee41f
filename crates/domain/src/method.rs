//! A compound task's flowchart as one graph, with the variables that each block knows and what its texts mean.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::elaborate::{Domain, Text};
use crate::flow::Chart;
use crate::lang::typed::{Call, Formula, Number};
use crate::lang::{Scope, Typed, read_formula, read_number, read_task_call};
use taskloom_document::stop::Stop;
use taskloom_document::{Alternative, Block, BlockId, CompoundTask, Name, Param};

/// What stands in a block.
#[derive(Debug)]
pub enum Content {
    /// Begin and End.
    Pass,
    /// A call.
    Task(Text<Call>),
    /// A condition.
    Branch(Text<Formula>),
    /// The outputs.
    Choice(Vec<Alternative>),
    /// A variable.
    Bind {
        /// The variable.
        variable: Param,
        /// None: every object of the type.
        condition: Option<Text<Formula>>,
        /// None: object order.
        order_by: Option<Text<Number>>,
    },
}

/// The blocks of a flowchart that Begin reaches, in the order of resolution.
#[derive(Debug)]
pub struct Method {
    record: Arc<CompoundTask>,
    /// The flowchart.
    pub chart: Chart,
    positions: FxHashMap<BlockId, u32>,
    /// The positions of the Bind blocks.
    binds: Vec<u32>,
    /// Those of each variable, by number in `binds`.
    named: FxHashMap<Name, Vec<usize>>,
    /// Of each block a row of bits: which Binds, by number, lead to it.
    above: Vec<u64>,
    contents: Vec<OnceLock<Content>>,
}

impl Method {
    pub(crate) fn new(record: &Arc<CompoundTask>, stop: &Stop) -> Option<Self> {
        let chart = Chart::new(&record.method)?;
        let blocks = || (0u32..).zip(&chart.blocks);
        let mut method = Self {
            positions: blocks()
                .map(|(position, block)| (block.id.clone(), position))
                .collect(),
            contents: chart.blocks.iter().map(|_| OnceLock::new()).collect(),
            record: record.clone(),
            binds: vec![],
            named: FxHashMap::default(),
            above: vec![],
            chart,
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
        method.find_above(stop);
        Some(method)
    }

    /// Finds the Binds that lead to each block. A wire leads forward in the order of resolution.
    fn find_above(&mut self, stop: &Stop) {
        let words = self.binds.len().div_ceil(64);
        self.above = vec![0; words * self.chart.blocks.len()];
        if words == 0 {
            return;
        }
        let mut own = self.binds.iter().zip(0usize..).peekable();
        for (position, block) in (0u32..).zip(&self.chart.blocks) {
            if stop.after(words) {
                return;
            }
            let start = position as usize * words;
            let mut row = self.above[start..start + words].to_vec();
            if let Some((_, bind)) = own.next_if(|(bind, _)| **bind == position) {
                row[bind / 64] |= 1 << (bind % 64);
            }
            debug_assert_eq!(self.positions.get(&block.id), Some(&position));
            for wire in self.chart.wires_from(position) {
                let to = self.chart.wires[wire as usize].to as usize * words;
                for (above, passed) in self.above[to..].iter_mut().zip(&row) {
                    *above |= passed;
                }
            }
        }
    }

    /// The block at a position.
    pub fn block(&self, position: u32) -> &Block {
        &self.record.method.blocks[&self.chart.blocks[position as usize].id]
    }

    /// The position of a block; none where Begin does not reach it.
    pub fn position(&self, id: &BlockId) -> Option<u32> {
        self.positions.get(id).copied()
    }

    /// The variable that the block at a position binds.
    pub fn variable(&self, position: u32) -> Option<&Param> {
        self.block(position).binds()
    }

    /// The positions of the Bind blocks.
    pub fn binds(&self) -> &[u32] {
        &self.binds
    }

    fn is_above(&self, bind: usize, position: u32) -> bool {
        let words = self.binds.len().div_ceil(64);
        let word = self.above.get(position as usize * words + bind / 64);
        word.is_some_and(|word| word >> (bind % 64) & 1 == 1)
    }

    /// The positions of the Binds that lead to the block at a position, in the order of resolution.
    pub fn binds_above(&self, position: u32) -> impl Iterator<Item = u32> {
        let above = move |(bind, _): &(usize, &u32)| self.is_above(*bind, position);
        self.binds
            .iter()
            .enumerate()
            .filter(above)
            .map(|(_, bind)| *bind)
    }

    /// The positions of those among them whose variables a text of the block may name.
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
            named.sort_unstable();
            named.dedup();
        }
        named
    }

    /// The variables of the record, of Binds, and the block's own, as a text of the block knows them.
    fn known(&self, binds: impl Iterator<Item = u32>, position: u32) -> Vec<Param> {
        let binds = binds.chain([position]).filter_map(|at| self.variable(at));
        self.record.params.iter().chain(binds).cloned().collect()
    }

    pub(crate) fn content(&self, domain: &Domain, position: u32) -> &Content {
        self.contents[position as usize].get_or_init(|| {
            let named = self.known(self.binds_named(position).into_iter(), position);
            let reader = Reader {
                method: self,
                domain,
                position,
                named: Scope::of_domain(domain.document(), named),
            };
            let said = |text: &String| !text.trim().is_empty();
            match self.block(position) {
                Block::Begin {} | Block::End {} => Content::Pass,
                Block::Task { call } => Content::Task(reader.read(call, read_task_call)),
                Block::Branch { condition } => {
                    Content::Branch(reader.read(condition, read_formula))
                }
                Block::Choice { alternatives, .. } => Content::Choice(alternatives.clone()),
                Block::Bind {
                    variable,
                    condition,
                    order_by,
                } => Content::Bind {
                    variable: variable.clone(),
                    condition: said(condition).then(|| reader.read(condition, read_formula)),
                    order_by: said(order_by).then(|| reader.read(order_by, read_number)),
                },
            }
        })
    }
}

/// Reads the texts of a block.
struct Reader<'d> {
    method: &'d Method,
    domain: &'d Domain,
    position: u32,
    /// The variables that the texts name, and no others: there may be thousands.
    named: Scope<'d>,
}

impl Reader<'_> {
    fn read<T>(&self, text: &str, read: fn(&str, &Scope) -> Typed<T>) -> Text<T> {
        let narrow = self.domain.read(text, &self.named, read);
        if narrow.mistakes.is_empty() {
            return narrow;
        }
        // What could be meant instead may be any that is known.
        self.domain.read(text, &self.wide(), read)
    }

    fn wide(&self) -> Scope<'_> {
        let above = self.method.binds_above(self.position);
        let known = self.method.known(above, self.position);
        Scope::of_domain(self.domain.document(), known)
    }
}

/// The names in a text that stand behind a question mark.
pub(crate) fn variables_in(text: &str) -> impl Iterator<Item = Name> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let marks = text.match_indices('?');
    let names = marks.filter_map(move |(at, _)| text.get(at + 1..)?.split(ends).next());
    names.filter_map(|name| Name::new(name).ok())
}
