//! What records and methods were called in the planning files, read off the
//! document: titles, labels of outputs, notes and the ids of blocks keep it.

use super::chart;
use crate::document::{Block, BlockId, CompoundTask, Document, Name, Port};
use crate::plan::Decomposed;
use crate::sorted::SortedMap;

/// The task that stands for an initial task network which is no sequence of
/// ground tasks.
pub const INITIAL_NETWORK: &str = "initial-network";
/// Its note.
pub const INITIAL_NOTE: &str = "The initial task network of the problem.";

/// Names in planning files of what a document holds. A document that was not
/// imported has them too: they are its own, in small letters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportNames {
    /// Primitive and compound tasks whose name is another one than in the file.
    pub tasks: SortedMap<Name, String>,
    /// Such objects, of the domain and of the scenario.
    pub objects: SortedMap<Name, String>,
    /// The methods of each compound task, in the order of the file.
    pub methods: SortedMap<Name, Vec<MethodNames>>,
    /// The compound task that stands for the initial task network, where that is
    /// no sequence of ground tasks: its subtasks are the plan's roots.
    pub initial_network: Option<Name>,
}

/// A method of a planning file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodNames {
    /// What it is called.
    pub name: String,
    /// The output of the Choice block that leads to it; none where it is the
    /// task's only one.
    pub output: Option<(BlockId, Port)>,
    /// The Task blocks of its subtasks, as declared.
    pub subtasks: Vec<BlockId>,
}

impl ImportNames {
    /// The names of a document and one of its scenarios.
    pub fn of(document: &Document, scenario: &Name) -> Self {
        let document = &*document.without_muted();
        let mut names = Self::default();
        let scenario = document.scenarios.get(scenario);
        let objects = scenario.iter().flat_map(|s| &s.objects);
        for (name, object) in document.objects.iter().chain(objects) {
            keep(&mut names.objects, name, &object.title);
        }
        for (name, task) in &document.primitive_tasks {
            keep(&mut names.tasks, name, &task.title);
        }
        for (name, task) in &document.compound_tasks {
            keep(&mut names.tasks, name, &task.title);
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

    /// What a task is called in the files.
    pub fn task<'n>(&'n self, name: &'n Name) -> &'n str {
        let original = self.tasks.get(name).map(String::as_str);
        original.unwrap_or(name.as_str())
    }

    /// What an object is called in the files.
    pub fn object<'n>(&'n self, name: &'n Name) -> &'n str {
        let original = self.objects.get(name).map(String::as_str);
        original.unwrap_or(name.as_str())
    }

    /// The method by which a compound task was decomposed.
    pub fn method(&self, task: &Name, by: &Decomposed) -> Option<&MethodNames> {
        let mut methods = self.methods.get(task)?.iter();
        methods.find(|method| match &method.output {
            None => true,
            Some((block, port)) => {
                let mut wires = by.wires.iter();
                wires.any(|wire| wire.from == *block && wire.port == *port)
            }
        })
    }
}

fn keep(names: &mut SortedMap<Name, String>, name: &Name, title: &str) {
    if !title.is_empty() {
        names.insert(name.clone(), title.to_owned());
    }
}

/// The methods that a task's flowchart was drawn from: the outputs of the Choice
/// block behind its Begin block, or all of it as one.
fn methods(name: &Name, task: &CompoundTask) -> Vec<MethodNames> {
    let chart = &task.method;
    let begin = chart
        .blocks
        .iter()
        .find(|(_, block)| matches!(***block, Block::Begin {}));
    let first = begin.and_then(|(begin, _)| {
        let wire = chart.wires.iter().find(|wire| wire.from == *begin)?;
        let block = chart.blocks.get(&wire.to)?;
        Some((&wire.to, &**block))
    });
    let Some((choice, Block::Choice { alternatives, .. })) = first else {
        let all = chart.blocks.iter();
        let tasks = all.filter(|(_, block)| matches!(***block, Block::Task { .. }));
        let only = chart::method_in(&task.note);
        return vec![MethodNames {
            name: only.map_or_else(|| format!("m-{name}"), str::to_owned),
            output: None,
            subtasks: declared(tasks.map(|(id, _)| id.clone()).collect()),
        }];
    };
    let mut following: SortedMap<&BlockId, Vec<&BlockId>> = SortedMap::new();
    let mut outputs: SortedMap<Port, Vec<&BlockId>> = SortedMap::new();
    for wire in &chart.wires {
        match wire.from == *choice {
            true => outputs.entry(wire.port).or_default().push(&wire.to),
            false => following.entry(&wire.from).or_default().push(&wire.to),
        }
    }
    let numbered = alternatives.iter().enumerate();
    numbered
        .map(|(number, alternative)| {
            let port = Port::Alternative(alternative.id);
            let mut left = outputs.get(&port).cloned().unwrap_or_default();
            let mut reached: Vec<&BlockId> = vec![];
            let mut seen = crate::sorted::SortedSet::new();
            while let Some(id) = left.pop() {
                if seen.insert(id) {
                    reached.push(id);
                    left.extend(following.get(id).into_iter().flatten());
                }
            }
            let is_task = |id: &&&BlockId| {
                let block = chart.blocks.get(**id);
                block.is_some_and(|block| matches!(**block, Block::Task { .. }))
            };
            let label = alternative.label.trim();
            MethodNames {
                name: match label.is_empty() {
                    true => format!("m-{name}-{}", number + 1),
                    false => label.to_owned(),
                },
                output: Some((choice.clone(), port)),
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

/// Blocks of subtasks in the order in which they were declared; by id where their
/// ids do not say.
fn declared(mut blocks: Vec<BlockId>) -> Vec<BlockId> {
    crate::order::sort_by_key(&mut blocks, |id| {
        let number = chart::subtask_number(id);
        (number.unwrap_or(usize::MAX), id.clone())
    });
    blocks
}
