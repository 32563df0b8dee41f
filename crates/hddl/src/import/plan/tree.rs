//! The tree of a plan file: every task once, each below the task whose method it is part of. The
//! file doesn't state which subtask of the method a task is: ids are listed in any order.

use rustc_hash::FxHashMap;

use crate::import::ImportNames;
use crate::syntax::ast::Ident;
use crate::syntax::{PlanFile, PlannedMethod};
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Name};
use taskloom_planner::plan::{GroundTask, Invalid};

/// A task of the tree.
#[derive(Debug)]
pub struct TreeNode {
    pub task: GroundTask,
    pub parent: Option<usize>,
    /// Its index among its parent's children.
    pub place: usize,
    pub kind: TreeKind,
    /// The first and last step below it.
    pub steps: Option<(usize, usize)>,
}

#[derive(Debug)]
pub enum TreeKind {
    /// The step with this number.
    Step(usize),
    Compound {
        /// Its method's name in the file; empty for the tasks of a scenario.
        method: String,
        /// Its subtasks, ordered by their steps; those without steps keep their positions in the
        /// file.
        children: Vec<usize>,
    },
}

/// A plan file's tree: parents come before their children. The first node is above the initial
/// tasks.
#[derive(Debug)]
pub struct Tree {
    pub nodes: Vec<TreeNode>,
    /// The node of each step.
    pub steps: Vec<usize>,
    /// Classes of tasks without steps: two with the same number are identical, including everything
    /// below.
    pub alike: Vec<Option<u32>>,
    /// A task of the file that isn't in the tree.
    pub left: Option<String>,
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
        shown(self.words())
    }
}

fn shown(words: &[Ident]) -> String {
    let words: Vec<&str> = words.iter().map(Ident::as_str).collect();
    words.join(" ")
}

fn invalid(message: String) -> Invalid {
    Invalid {
        message,
        step: None,
    }
}

/// Returns the error about the subtasks of a task.
pub fn about(task: Option<&GroundTask>, why: &str) -> Invalid {
    invalid(match task {
        Some(task) => format!("decomposition of '{task}': {why}"),
        None => format!("the initial tasks don't match: {why}"),
    })
}

struct Reader<'a> {
    document: &'a Document,
    entries: FxHashMap<u64, Entry<'a>>,
    tasks: FxHashMap<String, Name>,
    objects: FxHashMap<String, Name>,
    tree: Tree,
}

/// A task still to be added to the tree.
struct Open {
    id: u64,
    parent: usize,
    place: usize,
}

impl Tree {
    /// Reads the tree of a file.
    ///
    /// # Errors
    /// The first inconsistency; meaningless if stopped.
    pub fn new(
        file: &PlanFile,
        document: &Document,
        scenario: &Name,
        names: &ImportNames,
        stop: &Stop,
    ) -> Result<Self, Invalid> {
        let mut entries = FxHashMap::default();
        let steps = file.steps.iter().enumerate();
        let steps = steps.map(|(number, step)| (step.id, Entry::Step(number, &step.task)));
        let compounds = file
            .decompositions
            .iter()
            .map(|d| (d.id, Entry::Compound(d)));
        for (id, entry) in steps.chain(compounds) {
            if stop.after(1) {
                return Err(invalid(Stopped.to_string()));
            }
            if entries.insert(id, entry).is_some() {
                return Err(invalid(format!("two tasks have the id {id}")));
            }
        }
        let own = document.expanded_scenario(scenario);
        let objects = document.objects.keys();
        let objects = objects.chain(own.iter().flat_map(|scenario| scenario.objects.keys()));
        let all_tasks = document.primitive_tasks.keys();
        let all_tasks = all_tasks.chain(document.compound_tasks.keys());
        let reader = Reader {
            document,
            tasks: all_tasks
                .map(|name| (names.task(name).to_ascii_lowercase(), name.clone()))
                .collect(),
            objects: objects
                .map(|name| (names.object(name).to_ascii_lowercase(), name.clone()))
                .collect(),
            entries,
            tree: Self {
                nodes: vec![],
                steps: vec![usize::MAX; file.steps.len()],
                alike: vec![],
                left: None,
            },
        };
        // A scenario's name represents its tasks; no node has a task of that name.
        let top = GroundTask {
            task: names.initial_network.as_ref().unwrap_or(scenario).clone(),
            args: vec![],
        };
        let method = names.initial_network.as_ref().and_then(|initial| {
            let only = names.methods.get(initial)?.first()?;
            Some(only.name.clone())
        });
        let mut tree = reader.read(file, top, method.unwrap_or_default(), stop)?;
        tree.measure(stop);
        Ok(tree)
    }

    /// Finds the steps below each task, and sorts children.
    fn measure(&mut self, stop: &Stop) {
        for number in (0..self.nodes.len()).rev() {
            if stop.after(1) {
                return;
            }
            let Some(node) = self.nodes.get_mut(number) else {
                continue;
            };
            if let TreeKind::Step(step) = node.kind {
                node.steps = Some((step, step));
            }
            let (Some((first, last)), Some(parent)) = (node.steps, node.parent) else {
                continue;
            };
            if let Some(above) = self.nodes.get_mut(parent) {
                let (from, to) = above.steps.unwrap_or((first, last));
                above.steps = Some((from.min(first), to.max(last)));
            }
        }
        for number in 0..self.nodes.len() {
            if stop.after(1) {
                return;
            }
            self.arrange(number);
        }
        self.find_alike(stop);
    }

    fn arrange(&mut self, number: usize) {
        let Some(TreeKind::Compound { children, .. }) =
            self.nodes.get_mut(number).map(|node| &mut node.kind)
        else {
            return;
        };
        let mut children = std::mem::take(children);
        let mut last = 0;
        let mut keys: FxHashMap<usize, (usize, bool)> = FxHashMap::default();
        for child in &children {
            let steps = self.nodes.get(*child).and_then(|node| node.steps);
            last = steps.map_or(last, |(first, _)| first);
            keys.insert(*child, (last, steps.is_none()));
        }
        children.compact_sort_by_key(|child| keys.get(child).copied());
        for (place, child) in children.iter().enumerate() {
            if let Some(node) = self.nodes.get_mut(*child) {
                node.place = place;
            }
        }
        if let Some(TreeKind::Compound { children: own, .. }) =
            self.nodes.get_mut(number).map(|node| &mut node.kind)
        {
            *own = children;
        }
    }

    /// Numbers the tasks without steps by their content and everything below them.
    fn find_alike(&mut self, stop: &Stop) {
        type NodeContent<'t> = (&'t GroundTask, &'t str, Vec<u32>);
        let mut alike = vec![None; self.nodes.len()];
        let mut known: FxHashMap<NodeContent, u32> = FxHashMap::default();
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if stop.after(1) {
                return;
            }
            let TreeKind::Compound { method, children } = &node.kind else {
                continue;
            };
            if node.steps.is_some() {
                continue;
            }
            let below = children.iter();
            let below = below.filter_map(|child| alike.get(*child).copied().flatten());
            let mut below: Vec<u32> = below.collect();
            below.compact_sort();
            let next = known.len() as u32;
            let own = known.entry((&node.task, method, below)).or_insert(next);
            if let Some(slot) = alike.get_mut(number) {
                *slot = Some(*own);
            }
        }
        self.alike = alike;
    }

    /// Returns the children of a node, in their order.
    pub fn children(&self, node: usize) -> &[usize] {
        match self.nodes.get(node).map(|node| &node.kind) {
            Some(TreeKind::Compound { children, .. }) => children,
            _ => &[],
        }
    }

    /// Returns the tasks of a node's children, in their order.
    pub fn tasks_below(&self, node: usize) -> impl Iterator<Item = &GroundTask> {
        let children = self.children(node).iter();
        children.filter_map(|child| Some(&self.nodes.get(*child)?.task))
    }

    /// Returns the child at an index.
    pub fn child(&self, node: usize, place: usize) -> Option<(usize, &TreeNode)> {
        let child = *self.children(node).get(place)?;
        Some((child, self.nodes.get(child)?))
    }

    /// Returns the first step below a node.
    pub fn first(&self, node: usize) -> Option<usize> {
        let (first, _) = self.nodes.get(node)?.steps?;
        Some(first)
    }
}

impl Reader<'_> {
    fn read(
        mut self,
        file: &PlanFile,
        top: GroundTask,
        method: String,
        stop: &Stop,
    ) -> Result<Tree, Invalid> {
        let mut open: Vec<Open> = vec![];
        let top = TreeNode {
            task: top,
            parent: None,
            place: 0,
            kind: self.compound(0, method, &file.roots, &mut open),
            steps: None,
        };
        self.tree.nodes.push(top);
        while let Some(next) = open.pop() {
            if stop.after(1) {
                return Err(invalid(Stopped.to_string()));
            }
            let number = self.tree.nodes.len();
            let Some(entry) = self.entries.remove(&next.id) else {
                let why = format!("no unused task has the id {}", next.id);
                return Err(self.about(next.parent, &why));
            };
            let task = self.ground(entry.words());
            let task = task.map_err(|message| match entry {
                Entry::Step(step, _) if next.parent == 0 => Invalid {
                    message,
                    step: Some(step),
                },
                _ => self.about(next.parent, &message),
            })?;
            let kind = match entry {
                Entry::Step(step, _) => {
                    if !self.document.primitive_tasks.contains_key(&task.task) {
                        let message = format!("'{}' is not an action", entry.shown());
                        return Err(invalid(message));
                    }
                    if let Some(node) = self.tree.steps.get_mut(step) {
                        *node = number;
                    }
                    TreeKind::Step(step)
                }
                Entry::Compound(planned) => {
                    let wrong = |why: &str| about(Some(&task), why);
                    let record = self.document.compound_tasks.get(&task.task);
                    let record = record.ok_or_else(|| wrong("an action has no methods"))?;
                    if record.params.len() != task.args.len() {
                        return Err(wrong(&format!(
                            "it takes {} arguments, found {}",
                            record.params.len(),
                            task.args.len()
                        )));
                    }
                    let method = planned.method.to_string();
                    self.compound(number, method, &planned.subtasks, &mut open)
                }
            };
            if let Some(TreeKind::Compound { children, .. }) =
                self.tree.nodes.get_mut(next.parent).map(|n| &mut n.kind)
                && let Some(child) = children.get_mut(next.place)
            {
                *child = number;
            }
            self.tree.nodes.push(TreeNode {
                task,
                parent: Some(next.parent),
                place: next.place,
                kind,
                steps: None,
            });
        }
        let left = self.entries.iter().min_by_key(|(id, _)| **id);
        self.tree.left = left.map(|(_, entry)| entry.shown());
        Ok(self.tree)
    }

    fn about(&self, parent: usize, why: &str) -> Invalid {
        let task = self.tree.nodes.get(parent).map(|node| &node.task);
        about(task.filter(|_| parent > 0), why)
    }

    fn ground(&self, words: &[Ident]) -> Result<GroundTask, String> {
        // The file reader rejects tasks without a name.
        let (name, args) = words.split_first().ok_or("a task has no name")?;
        let task = self.tasks.get(&name.to_ascii_lowercase());
        let task = task.ok_or_else(|| format!("no task is called '{name}'"))?;
        let objects = args.iter().map(|arg| {
            let object = self.objects.get(&arg.to_ascii_lowercase()).cloned();
            object.ok_or_else(|| format!("no object is called '{arg}'"))
        });
        Ok(GroundTask {
            task: task.clone(),
            args: objects.collect::<Result<_, _>>()?,
        })
    }

    /// Adds a compound task with a number, and pushes its subtasks onto the stack.
    fn compound(
        &self,
        number: usize,
        method: String,
        subtasks: &[u64],
        open: &mut Vec<Open>,
    ) -> TreeKind {
        let places = subtasks.iter().enumerate().rev();
        open.extend(places.map(|(place, id)| Open {
            id: *id,
            parent: number,
            place,
        }));
        TreeKind::Compound {
            method,
            children: vec![usize::MAX; subtasks.len()],
        }
    }
}
