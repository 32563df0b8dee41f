//! The tree that a plan file states: every task once, each below the task whose
//! method it is part of, with the resolution that the method's name stands for.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::compile::{self, methods};
use crate::document::{Block, BlockId, Document, Name, Param};
use crate::hddl::ast::Ident;
use crate::hddl::{PlanFile, PlannedMethod};
use crate::import::ImportNames;
use crate::lang::typed::Term;
use crate::lang::{Scope, read_task_call};
use crate::plan::{GroundTask, Invalid};

/// A flowchart may stand for so many methods.
const MOST_METHODS: usize = 10_000;

/// A task of the tree.
#[derive(Debug)]
pub struct TreeNode {
    pub task: GroundTask,
    pub parent: Option<usize>,
    pub block: Option<BlockId>,
    pub kind: TreeKind,
}

#[derive(Debug)]
pub enum TreeKind {
    /// The step with this number.
    Step(usize),
    Compound {
        /// What its method is called in the file.
        method: String,
        resolution: Rc<compile::Method>,
        /// The nodes of the resolution's tasks, in its order.
        children: Vec<usize>,
        /// What its subtasks say that the variables of Bind blocks stand for.
        known: Vec<(Name, Name)>,
    },
}

/// A plan file's tree: parents stand before their children.
#[derive(Debug)]
pub struct Tree {
    pub nodes: Vec<TreeNode>,
    pub roots: Vec<usize>,
    /// The node of each step.
    pub steps: Vec<usize>,
}

/// A line of the file.
#[derive(Clone, Copy)]
enum Entry<'f> {
    Step(usize, &'f [Ident]),
    Compound(&'f PlannedMethod),
}

impl<'f> Entry<'f> {
    fn words(self) -> &'f [Ident] {
        match self {
            Self::Step(_, task) => task,
            Self::Compound(planned) => &planned.task,
        }
    }

    fn shown(self) -> String {
        let words: Vec<&str> = self.words().iter().map(Ident::as_str).collect();
        words.join(" ")
    }
}

fn invalid(message: String) -> Invalid {
    Invalid {
        message,
        step: None,
    }
}

struct Reader<'a> {
    document: &'a Document,
    names: &'a ImportNames,
    entries: FxHashMap<u64, Entry<'a>>,
    tasks: FxHashMap<String, Name>,
    objects: FxHashMap<String, Name>,
    /// The resolutions of each flowchart, once they are asked for.
    resolutions: FxHashMap<Name, Rc<[Rc<compile::Method>]>>,
    tree: Tree,
}

impl Tree {
    /// Reads the tree of a file.
    ///
    /// # Errors
    /// The first thing that does not fit together.
    pub fn new(
        file: &PlanFile,
        document: &Document,
        scenario: &Name,
        names: &ImportNames,
    ) -> Result<Self, Invalid> {
        let mut entries = FxHashMap::default();
        let steps = file.steps.iter().enumerate();
        let steps = steps.map(|(number, step)| (step.id, Entry::Step(number, &step.task)));
        let compounds = file
            .decompositions
            .iter()
            .map(|d| (d.id, Entry::Compound(d)));
        for (id, entry) in steps.chain(compounds) {
            if entries.insert(id, entry).is_some() {
                return Err(invalid(format!("two tasks have the id {id}")));
            }
        }
        let own = document.scenarios.get(scenario);
        let objects = document.objects.keys();
        let objects = objects.chain(own.iter().flat_map(|scenario| scenario.objects.keys()));
        let all_tasks = document.primitive_tasks.keys();
        let all_tasks = all_tasks.chain(document.compound_tasks.keys());
        let reader = Reader {
            document,
            names,
            tasks: all_tasks
                .map(|name| (names.task(name).to_ascii_lowercase(), name.clone()))
                .collect(),
            objects: objects
                .map(|name| (names.object(name).to_ascii_lowercase(), name.clone()))
                .collect(),
            entries,
            resolutions: FxHashMap::default(),
            tree: Tree {
                nodes: vec![],
                roots: vec![],
                steps: vec![usize::MAX; file.steps.len()],
            },
        };
        reader.read(file)
    }
}

/// A task that is still to be put into the tree.
struct Open {
    id: u64,
    parent: Option<usize>,
    block: Option<BlockId>,
    /// Which of the parent's children it is.
    at: usize,
}

impl Reader<'_> {
    fn read(mut self, file: &PlanFile) -> Result<Tree, Invalid> {
        let mut open: Vec<Open> = vec![];
        match &self.names.initial_network {
            Some(initial) => {
                let task = GroundTask {
                    task: initial.clone(),
                    args: vec![],
                };
                let only = self.names.methods.get(initial).and_then(|m| m.first());
                let label = only.map_or(String::new(), |method| method.name.clone());
                let declared = only.map_or(0, |method| method.subtasks.len());
                if declared != file.roots.len() {
                    return Err(invalid(format!(
                        "the problem has {declared} initial tasks, the plan says {}",
                        file.roots.len()
                    )));
                }
                self.compound(task, None, None, &label, &file.roots, &mut open)
                    .map_err(|why| invalid(format!("the initial tasks do not fit: {why}")))?;
                self.tree.roots.push(0);
            }
            None => open.extend(file.roots.iter().rev().map(|id| Open {
                id: *id,
                parent: None,
                block: None,
                at: 0,
            })),
        }
        while let Some(next) = open.pop() {
            let Some(entry) = self.entries.remove(&next.id) else {
                let message = format!("no task, or no further one, has the id {}", next.id);
                return Err(invalid(message));
            };
            let number = self.tree.nodes.len();
            let task = self.ground(entry.words())?;
            match next.parent {
                None => self.tree.roots.push(number),
                Some(parent) => {
                    if let Some(TreeKind::Compound { children, .. }) =
                        self.tree.nodes.get_mut(parent).map(|node| &mut node.kind)
                        && let Some(child) = children.get_mut(next.at)
                    {
                        *child = number;
                    }
                }
            }
            match entry {
                Entry::Step(step, _) => {
                    if !self.document.primitive_tasks.contains_key(&task.task) {
                        let message = format!("'{}' is no action", entry.shown());
                        return Err(invalid(message));
                    }
                    if let Some(node) = self.tree.steps.get_mut(step) {
                        *node = number;
                    }
                    self.tree.nodes.push(TreeNode {
                        task,
                        parent: next.parent,
                        block: next.block,
                        kind: TreeKind::Step(step),
                    });
                }
                Entry::Compound(planned) => {
                    let (method, subtasks) = (&planned.method, &planned.subtasks);
                    self.compound(task, next.parent, next.block, method, subtasks, &mut open)
                        .map_err(|why| {
                            invalid(format!("decomposition of '{}': {why}", entry.shown()))
                        })?;
                }
            }
        }
        let mut left: Vec<_> = self.entries.iter().collect();
        crate::order::sort_by_key(&mut left, |(id, _)| **id);
        match left.first() {
            Some((_, entry)) => Err(invalid(format!(
                "'{}' is neither an initial task nor a subtask",
                entry.shown()
            ))),
            None => Ok(self.tree),
        }
    }

    fn ground(&self, words: &[Ident]) -> Result<GroundTask, Invalid> {
        let (name, args) = words.split_first().ok_or_else(|| {
            // The reader of files lets no task without a name through.
            invalid("a task has no name".to_owned())
        })?;
        let task = self.tasks.get(name.as_str());
        let task = task.ok_or_else(|| invalid(format!("no task is called '{name}'")))?;
        let objects = args.iter().map(|arg| {
            let object = self.objects.get(arg.as_str()).cloned();
            object.ok_or_else(|| invalid(format!("no object is called '{arg}'")))
        });
        Ok(GroundTask {
            task: task.clone(),
            args: objects.collect::<Result<_, _>>()?,
        })
    }

    /// Puts a compound task into the tree and its subtasks on the list.
    fn compound(
        &mut self,
        task: GroundTask,
        parent: Option<usize>,
        block: Option<BlockId>,
        method: &str,
        subtasks: &[u64],
        open: &mut Vec<Open>,
    ) -> Result<(), String> {
        let Some(record) = self.document.compound_tasks.get(&task.task) else {
            return Err("an action has no methods".to_owned());
        };
        if record.params.len() != task.args.len() {
            return Err(format!(
                "it takes {} arguments, found {}",
                record.params.len(),
                task.args.len()
            ));
        }
        let known = self.names.methods.get(&task.task);
        let mut same = known.into_iter().flatten();
        let same = same.find(|known| known.name.eq_ignore_ascii_case(method));
        let known = same.ok_or_else(|| format!("it has no method '{method}'"))?;
        let all = self.resolutions.entry(task.task.clone());
        let all = all.or_insert_with(|| {
            let all = methods(&record.method).into_iter().flatten();
            all.take(MOST_METHODS).map(Rc::new).collect()
        });
        let all = all.clone();
        let mut why = format!("its method '{method}' means nothing");
        let mut found = None;
        for resolution in all.iter() {
            let leads_here = match &known.output {
                Some(output) => resolution.outputs.contains(output),
                None => true,
            };
            if !leads_here {
                continue;
            }
            let declared = known
                .subtasks
                .iter()
                .filter(|b| resolution.tasks.contains(b));
            let declared: Vec<&BlockId> = declared.collect();
            if declared.len() != subtasks.len() {
                why = format!(
                    "its method '{method}' has {} subtasks, the plan says {}",
                    declared.len(),
                    subtasks.len()
                );
                continue;
            }
            match self.unify(&task, resolution, &declared, subtasks) {
                Ok(known) => {
                    let declared = declared.into_iter().cloned();
                    let declared: Vec<BlockId> = declared.collect();
                    found = Some((resolution.clone(), declared, known));
                    break;
                }
                Err(reason) => why = reason,
            }
        }
        let (resolution, declared, known) = found.ok_or(why)?;
        let number = self.tree.nodes.len();
        let ids: FxHashMap<&BlockId, u64> = declared.iter().zip(subtasks.iter().copied()).collect();
        for (at, block) in resolution.tasks.iter().enumerate().rev() {
            open.extend(ids.get(block).map(|id| Open {
                id: *id,
                parent: Some(number),
                block: Some(block.clone()),
                at,
            }));
        }
        self.tree.nodes.push(TreeNode {
            task,
            parent,
            block,
            kind: TreeKind::Compound {
                method: method.to_owned(),
                children: vec![usize::MAX; resolution.tasks.len()],
                resolution,
                known,
            },
        });
        Ok(())
    }

    /// What the variables of Bind blocks stand for, by the subtasks.
    fn unify(
        &self,
        task: &GroundTask,
        resolution: &compile::Method,
        declared: &[&BlockId],
        subtasks: &[u64],
    ) -> Result<Vec<(Name, Name)>, String> {
        let Some(record) = self.document.compound_tasks.get(&task.task) else {
            return Ok(vec![]);
        };
        let params = record.params.iter().zip(&task.args);
        let mut known: Vec<(Name, Name)> = vec![];
        let bound = resolution.blocks.iter().filter_map(|id| {
            match record.method.blocks.get(id).map(|block| &**block) {
                Some(Block::Bind { variable, .. }) => Some(variable.clone()),
                _ => None,
            }
        });
        let bound: Vec<Param> = bound.collect();
        let mut scope = Scope::of_domain(self.document, record.params.clone());
        scope.variables.extend(bound.iter().cloned());
        let is_bound = |name: &Name| bound.iter().any(|param| param.name == *name);
        let given: FxHashMap<&Name, &Name> = params
            .filter(|(param, _)| !is_bound(&param.name))
            .map(|(param, object)| (&param.name, object))
            .collect();
        for (at, (block, id)) in declared.iter().zip(subtasks).enumerate() {
            let Some(Block::Task { call }) = record.method.blocks.get(*block).map(|b| &**b) else {
                continue;
            };
            let entry = self.entries.get(id).copied();
            let entry =
                entry.ok_or_else(|| format!("no task, or no further one, has the id {id}"))?;
            let stated = self.ground(entry.words()).map_err(|wrong| wrong.message)?;
            let wanted = read_task_call(call, &scope).value;
            let wanted = wanted.ok_or_else(|| format!("'{call}' cannot be read"))?;
            let differs = || {
                let (shown, call) = (entry.shown(), call.trim());
                format!("subtask {} is '{call}', the plan says '{shown}'", at + 1)
            };
            if wanted.name != stated.task || wanted.args.len() != stated.args.len() {
                return Err(differs());
            }
            for (arg, object) in wanted.args.iter().zip(&stated.args) {
                let is_it = match arg {
                    Term::Object(name) => name == object,
                    Term::Fact(..) => true,
                    Term::Variable(name) => match given.get(name) {
                        Some(given) => *given == object,
                        None => match known.iter().find(|(n, _)| n == name) {
                            Some((_, other)) => other == object,
                            None => {
                                known.push((name.clone(), object.clone()));
                                true
                            }
                        },
                    },
                };
                if !is_it {
                    return Err(differs());
                }
            }
        }
        Ok(known)
    }
}
