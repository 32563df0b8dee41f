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
    domain: &'d Domain<'d>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::{Document, Edit, Field};

    /// A flowchart of so many Binds in two columns, joined now and then, with a Task behind each.
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
            r#"{{ "taskloom": 1, "compound_tasks": {{ "go": {{ "params": ["?a: object"], "method": {{ "blocks": {{ {blocks} }}, "wires": [{wires}] }} }} }} }}"#
        );
        Document::from_json(&text).expect("a document")
    }

    #[test]
    fn the_binds_above_a_block_are_those_that_wires_lead_from() {
        let document = document(150);
        let domain = Domain::new(&document, &Stop::default());
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
    fn a_text_knows_the_variables_of_the_binds_above_it_and_no_others() {
        let document = document(9);
        let domain = Domain::new(&document, &Stop::default());
        let compound = domain
            .compound(&Name::new("go").expect("a name"))
            .expect("a task");
        let method = domain.method(compound).expect("a Begin block");
        let read = |id: &str| {
            let id = BlockId::new(id).expect("an id");
            let position = method.position(&id).expect("a block");
            let Content::Task(call) = domain.content(method, position) else {
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
        let (_, found) = Domain::elaborate(&apart);
        let found: Vec<(&str, &Field)> = found.iter().map(|d| (d.code, &d.place.field)).collect();
        let field = Field::BlockText(BlockId::new("t4").expect("an id"));
        assert_eq!(found, [("unknown-variable", &field)]);
    }
}
