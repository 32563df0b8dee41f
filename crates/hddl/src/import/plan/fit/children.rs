//! The children of a node, indexed by their tasks.

use rustc_hash::FxHashMap;

use super::super::pattern::{Arg, Pattern, Subtask};
use super::super::tree::Tree;
use taskloom_document::Name;
use taskloom_planner::plan::GroundTask;

/// See the module.
#[derive(Default)]
pub struct Children {
    /// Lists of candidate children, each with the index from which on one may be free.
    pub buckets: Vec<(Vec<usize>, usize)>,
    /// The list of each subtask.
    pub bucket_of: Vec<usize>,
    /// The two lists that contain each child, and its indices in them.
    member_of: Vec<[(usize, usize); 2]>,
    /// The interchangeable children before and after each.
    pub twins: Vec<(Option<usize>, Option<usize>)>,
}

impl Children {
    pub fn new(tree: &Tree, node: usize, task: &GroundTask, pattern: &Pattern) -> Self {
        let mut children = Self {
            twins: vec![(None, None); tree.children(node).len()],
            ..Self::default()
        };
        children.sort(tree, node, task, pattern);
        children.find_twins(tree, node);
        children
    }

    /// Returns the index from which on a child of a list may be free.
    pub fn first_free(&self, bucket: usize) -> usize {
        self.buckets.get(bucket).map_or(0, |(_, low)| *low)
    }

    /// Marks a child as free again.
    pub fn release(&mut self, place: usize) {
        for (bucket, at) in self.member_of.get(place).into_iter().flatten() {
            if let Some((_, low)) = self.buckets.get_mut(*bucket) {
                *low = (*low).min(*at);
            }
        }
    }

    /// Sorts children by task, and by task and arguments for fully known subtasks.
    fn sort(&mut self, tree: &Tree, node: usize, task: &GroundTask, pattern: &Pattern) {
        let mut by_name: FxHashMap<&Name, usize> = FxHashMap::default();
        let mut by_task: FxHashMap<&GroundTask, usize> = FxHashMap::default();
        for place in 0..tree.children(node).len() {
            let Some((_, child)) = tree.child(node, place) else {
                break;
            };
            let next = self.buckets.len();
            let named = *by_name.entry(&child.task.task).or_insert(next);
            if named == next {
                self.buckets.push((vec![], 0));
            }
            let next = self.buckets.len();
            let exact = *by_task.entry(&child.task).or_insert(next);
            if exact == next {
                self.buckets.push((vec![], 0));
            }
            let member_of = [named, exact].map(|bucket| {
                let list = self.buckets.get_mut(bucket);
                let at = list.map_or(0, |(list, _)| {
                    list.push(place);
                    list.len() - 1
                });
                (bucket, at)
            });
            self.member_of.push(member_of);
        }
        let none = self.buckets.len();
        self.buckets.push((vec![], 0));
        let bucket = |subtask: &Subtask| {
            let args = subtask.args.iter().map(|arg| match arg {
                Arg::Object(object) => Some(object.clone()),
                Arg::Param(at) => task.args.get(*at).cloned(),
                Arg::Variable(_) | Arg::Value(_) => None,
            });
            match args.collect::<Option<Vec<Name>>>() {
                Some(args) => {
                    let task = subtask.task.clone();
                    by_task.get(&GroundTask { task, args }).copied()
                }
                None => by_name.get(&subtask.task).copied(),
            }
        };
        let all = pattern.subtasks.iter();
        self.bucket_of = all.map(|subtask| bucket(subtask).unwrap_or(none)).collect();
    }

    fn find_twins(&mut self, tree: &Tree, node: usize) {
        let mut last: FxHashMap<u32, usize> = FxHashMap::default();
        for (place, child) in tree.children(node).iter().enumerate() {
            let Some(alike) = tree.alike.get(*child).copied().flatten() else {
                continue;
            };
            if let Some(before) = last.insert(alike, place) {
                if let Some((_, next)) = self.twins.get_mut(before) {
                    *next = Some(place);
                }
                if let Some((previous, _)) = self.twins.get_mut(place) {
                    *previous = Some(before);
                }
            }
        }
    }
}
