//! The names of records and methods in the planning files, read from the document: titles, labels
//! of outputs, notes and block ids preserve them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::chart;
use taskloom_document::sort::{CompactSort, map_of};
use taskloom_document::{Block, BlockId, CompoundTask, Document, Name, Port};
use taskloom_planner::plan::Decomposed;

/// The task that represents an initial task network that isn't a sequence of ground tasks.
pub const INITIAL_NETWORK: &str = "initial-network";
/// Its note.
pub const INITIAL_NOTE: &str = "The initial task network of the problem.";

/// The names in planning files of a document's records. A document that wasn't imported has them
/// too: they are its own names in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportNames {
    /// Primitive and compound tasks whose name differs from the file's.
    pub tasks: BTreeMap<Name, String>,
    /// Objects whose name differs, of the domain and the scenario.
    pub objects: BTreeMap<Name, String>,
    /// The methods of each compound task, in the order of the file.
    pub methods: BTreeMap<Name, Vec<MethodNames>>,
    /// The compound task that represents the initial task network, if that isn't a sequence of
    /// ground tasks: its subtasks are the plan's roots.
    pub initial_network: Option<Name>,
}

/// A method of a planning file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodNames {
    /// Its name.
    pub name: String,
    /// The output of the Choice block that leads to it; `None` if it is the task's only one.
    pub output: Option<(BlockId, Port)>,
    /// `true` if no wire leaves that output.
    pub is_loose: bool,
    /// The Task blocks of its subtasks, in declared order.
    pub subtasks: Vec<BlockId>,
}

impl ImportNames {
    /// Reads the names of a document and one of its scenarios.
    pub fn of(document: &Document, scenario: &Name) -> Self {
        let document = &*document.without_muted();
        let mut names = Self::default();
        let scenario = document.expanded_scenario(scenario);
        let objects = scenario.iter().flat_map(|s| &s.objects);
        let objects = document.objects.iter().chain(objects);
        names.objects = titles(objects.map(|(name, object)| (name, object.title.as_str())));
        let primitive = document.primitive_tasks.iter();
        let primitive = primitive.map(|(name, task)| (name, task.title.as_str()));
        let compound = document.compound_tasks.iter();
        let compound = compound.map(|(name, task)| (name, task.title.as_str()));
        names.tasks = titles(primitive.chain(compound));
        for (name, task) in &document.compound_tasks {
            names.methods.insert(name.clone(), methods(name, task));
        }
        let root = scenario.and_then(|scenario| match scenario.tasks.as_slice() {
            [one] => Name::new(one.trim()).ok(),
            _ => None,
        });
        names.initial_network = root.filter(|root| {
            let task = document.compound_tasks.get(root);
            task.is_some_and(|task| task.note == INITIAL_NOTE)
        });
        names
    }

    /// Returns a task's name in the files.
    pub fn task<'n>(&'n self, name: &'n Name) -> &'n str {
        let original = self.tasks.get(name).map(String::as_str);
        original.unwrap_or(name.as_str())
    }

    /// Returns an object's name in the files.
    pub fn object<'n>(&'n self, name: &'n Name) -> &'n str {
        let original = self.objects.get(name).map(String::as_str);
        original.unwrap_or(name.as_str())
    }

    /// Returns the method that decomposed a compound task.
    pub fn method(&self, task: &Name, by: &Decomposed) -> Option<&MethodNames> {
        let methods = self.methods.get(task)?;
        let leaves = |block: &BlockId, port: Option<Port>| {
            let mut wires = by.wires.iter().filter(|wire| wire.from == *block);
            wires.any(|wire| port.is_none_or(|port| wire.port == port))
        };
        methods.iter().find(|method| match &method.output {
            None => true,
            // Several loose outputs are indistinguishable, and equivalent.
            Some((block, _)) if method.is_loose => !leaves(block, None),
            Some((block, port)) => leaves(block, Some(*port)),
        })
    }
}

/// Returns the titles that identify records in files: words that no other record is named.
fn titles<'d>(records: impl Iterator<Item = (&'d Name, &'d str)>) -> BTreeMap<Name, String> {
    // If two records have the same name, the later one counts.
    let mut titled: FxHashMap<&Name, &str> = records.collect();
    let mut called: FxHashMap<String, Vec<&Name>> = FxHashMap::default();
    for (name, title) in &titled {
        let own = if is_word(title) { title } else { name.as_str() };
        called
            .entry(own.to_ascii_lowercase())
            .or_default()
            .push(name);
    }
    titled.retain(|_, title| is_word(title));
    // Records that share a word keep their own names, which may be another one's word.
    let shared = called.values().filter(|names| names.len() > 1);
    let mut shared: Vec<&Name> = shared.flatten().copied().collect();
    while let Some(name) = shared.pop() {
        if titled.remove(name).is_some() {
            let same = called
                .entry(name.as_str().to_ascii_lowercase())
                .or_default();
            shared.append(&mut same.clone());
            same.push(name);
        }
    }
    let titled = titled.into_iter();
    map_of(titled.map(|(name, title)| (name.clone(), title.to_owned())))
}

/// Returns `true` if a plan file can use this as a name.
fn is_word(text: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')' | ';');
    !text.is_empty() && text != "->" && !text.contains(ends)
}

/// Returns a label as a word of a plan file.
fn word(label: &str, otherwise: impl Fn() -> String) -> String {
    if is_word(label) {
        return label.to_owned();
    }
    let words = label.split(|c: char| c.is_whitespace() || !is_word(c.encode_utf8(&mut [0; 4])));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let word = words.join("-");
    if is_word(&word) { word } else { otherwise() }
}

/// Returns the methods that a task's flowchart was drawn from: the outputs of the Choice block
/// after its Begin block, or the whole chart as one.
fn methods(name: &Name, task: &CompoundTask) -> Vec<MethodNames> {
    let chart = &task.method;
    let begin = chart.blocks.keys().find(|id| chart.is_begin(id));
    // If there are other blocks beside it, a path needn't pass through it.
    let first = begin.and_then(|begin| {
        let mut wires = chart.wires.iter().filter(|wire| wire.from == *begin);
        let (wire, None) = (wires.next()?, wires.next()) else {
            return None;
        };
        let block = chart.blocks.get(&wire.to)?;
        Some((&wire.to, &**block))
    });
    let Some((choice, Block::Choice { alternatives, .. })) = first else {
        let all = chart.blocks.iter();
        let tasks = all.filter(|(_, block)| block.call().is_some());
        let only = chart::method_in(&task.note);
        return vec![MethodNames {
            name: only.map_or_else(|| format!("m-{name}"), str::to_owned),
            output: None,
            is_loose: false,
            subtasks: declared(tasks.map(|(id, _)| id.clone()).collect()),
        }];
    };
    let mut following: FxHashMap<&BlockId, Vec<&BlockId>> = FxHashMap::default();
    let mut outputs: BTreeMap<Port, Vec<&BlockId>> = BTreeMap::new();
    for wire in &chart.wires {
        if wire.from == *choice {
            outputs.entry(wire.port).or_default().push(&wire.to);
        } else {
            following.entry(&wire.from).or_default().push(&wire.to);
        }
    }
    let numbered = alternatives.iter().enumerate();
    numbered
        .map(|(number, alternative)| {
            let port = Port::Alternative(alternative.id);
            let mut left = outputs.get(&port).cloned().unwrap_or_default();
            let mut reached: Vec<&BlockId> = vec![];
            let mut seen = std::collections::BTreeSet::new();
            while let Some(id) = left.pop() {
                if seen.insert(id) {
                    reached.push(id);
                    left.extend(following.get(id).into_iter().flatten());
                }
            }
            let is_task = |id: &&&BlockId| {
                let block = chart.blocks.get(**id);
                block.is_some_and(|block| block.call().is_some())
            };
            let label = alternative.label.trim();
            MethodNames {
                name: word(label, || format!("m-{name}-{}", number + 1)),
                output: Some((choice.clone(), port)),
                is_loose: !outputs.contains_key(&port),
                subtasks: declared(
                    reached
                        .iter()
                        .filter(is_task)
                        .map(|id| (*id).clone())
                        .collect(),
                ),
            }
        })
        .collect()
}

/// Returns blocks of subtasks in declared order; by id if their ids don't encode it.
fn declared(mut blocks: Vec<BlockId>) -> Vec<BlockId> {
    blocks.compact_sort_by_key(|id| {
        let number = chart::subtask_number(id);
        (number.unwrap_or(usize::MAX), id.clone())
    });
    blocks
}
