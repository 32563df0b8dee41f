//! Matches the tasks of a plan file to the subtasks of their methods: finds all assignments that
//! fit by name, arguments and steps.

mod children;
mod order;

use children::Children;

use super::pattern::{Arg, Pattern};
use super::tree::{Tree, TreeNode};
use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_planner::plan::GroundTask;

/// The maximum number of tasks tried for one plan,
const MAX_ATTEMPTS: u64 = 3_000_000;
/// plus this number for each of its tasks: a long plan isn't a hard one.
const MORE_ATTEMPTS: u64 = 1_000;
/// The maximum for one task, in addition to those for its subtasks.
const MAX_ATTEMPTS_FOR_ONE: u64 = 300_000;
/// The maximum number of matchings kept for one task.
const MAX_MATCHINGS: usize = 1_000;

/// An assignment of the tasks of a plan to the subtasks of a network.
#[derive(Debug)]
pub struct Matching {
    /// The index of each subtask's child.
    pub places: Vec<u32>,
    /// The resulting orderings of the children, sorted.
    pub order: Vec<(u32, u32)>,
    /// The values of the variables of Bind blocks that follow from the subtasks, by number.
    pub known: Vec<Option<Name>>,
}

/// The remaining effort for a plan.
#[derive(Debug)]
pub struct Effort {
    left: u64,
    left_for_one: u64,
    stop: Stop,
}

impl Effort {
    /// Creates the full budget for a plan of `tasks` tasks.
    pub fn new(tasks: usize, stop: Stop) -> Self {
        Self {
            stop,
            left: MAX_ATTEMPTS + MORE_ATTEMPTS * tasks as u64,
            left_for_one: 0,
        }
    }

    /// Begins a task of `subtasks` subtasks.
    fn begin(&mut self, subtasks: usize) {
        self.left_for_one = MAX_ATTEMPTS_FOR_ONE + MORE_ATTEMPTS * subtasks as u64;
    }

    /// Counts an attempt; returns `false` if the budget is exhausted.
    fn spend(&mut self) -> bool {
        if self.stop.after(1) {
            return false;
        }
        self.left = self.left.saturating_sub(1);
        self.left_for_one = self.left_for_one.saturating_sub(1);
        self.left > 0 && self.left_for_one > 0
    }
}

/// The result of a search for matchings.
#[derive(Debug, Default)]
pub struct Matchings {
    /// The matchings kept.
    pub all: Vec<Matching>,
    /// `true` if there may be more.
    pub is_cut: bool,
    /// The reason, if there are none.
    pub why: String,
}

/// Finds all assignments of the children of a node to the subtasks of a network. Assignments that
/// differ only in interchangeable items are found once. If none fits the order of the steps, finds
/// the first that fits otherwise: walking through the plan with it leads to the error.
pub fn matchings(tree: &Tree, node: usize, pattern: &Pattern, effort: &mut Effort) -> Matchings {
    let Some(own) = tree.nodes.get(node) else {
        return Matchings::default();
    };
    let mut search = Search::new(tree, node, own, pattern);
    search.run(MAX_MATCHINGS, effort);
    if search.found.all.is_empty() && !search.found.is_cut && !pattern.order.is_empty() {
        let why = std::mem::take(&mut search.found.why);
        let mut unordered = Search::new(tree, node, own, pattern);
        unordered.requires_order = false;
        unordered.run(1, effort);
        if unordered.found.all.is_empty() {
            unordered.found.why = why;
        } else {
            // An error in one of them is an error in all.
            unordered.found.is_cut = false;
        }
        return unordered.found;
    }
    search.found
}

/// A subtask that was matched, or is being matched.
struct Level {
    subtask: usize,
    /// The list of children it is tried with, and the position in it.
    bucket: usize,
    next: usize,
    /// The current child.
    place: Option<usize>,
    /// `true` if any child fitted.
    is_fitted: bool,
    /// The number of variables bound before.
    bound: usize,
}

struct Search<'a> {
    tree: &'a Tree,
    node: usize,
    task: &'a GroundTask,
    pattern: &'a Pattern,
    requires_order: bool,
    children: Children,
    /// The subtask of each child, and the child of each subtask.
    subtask_of: Vec<Option<usize>>,
    place_of: Vec<Option<usize>>,
    /// For subtasks matched to children without steps: the last step before them, once all
    /// predecessors are matched.
    ends: Vec<Option<Option<usize>>>,
    variables: Vec<Option<Name>>,
    trail: Vec<usize>,
    levels: Vec<Level>,
    furthest: Option<usize>,
    found: Matchings,
}

impl<'a> Search<'a> {
    fn new(tree: &'a Tree, node: usize, own: &'a TreeNode, pattern: &'a Pattern) -> Self {
        let count = tree.children(node).len();
        Self {
            tree,
            node,
            task: &own.task,
            pattern,
            requires_order: true,
            children: Children::new(tree, node, &own.task, pattern),
            subtask_of: vec![None; count],
            place_of: vec![None; pattern.subtasks.len()],
            ends: vec![None; pattern.subtasks.len()],
            variables: vec![None; pattern.binds.len()],
            trail: vec![],
            levels: vec![],
            furthest: None,
            found: Matchings::default(),
        }
    }

    /// Searches depth first, one subtask per level.
    fn run(&mut self, most: usize, effort: &mut Effort) {
        effort.begin(self.pattern.subtasks.len());
        self.descend();
        while let Some(at) = self.levels.len().checked_sub(1) {
            if self.levels.len() > self.pattern.matching.len() {
                self.keep();
                if self.found.all.len() >= most {
                    self.found.is_cut = true;
                    return;
                }
                self.levels.pop();
                self.release();
                continue;
            }
            match self.advance(at, effort) {
                Some(true) => self.descend(),
                Some(false) => {
                    self.levels.pop();
                    self.release();
                }
                None => {
                    self.found.is_cut = true;
                    return;
                }
            }
        }
        if self.found.all.is_empty() {
            self.found.why = self.why();
        }
    }

    /// Descends to the next subtask; after the last one there is an empty level.
    fn descend(&mut self) {
        let subtask = self.pattern.matching.get(self.levels.len());
        let subtask = subtask.map_or(usize::MAX, |subtask| *subtask as usize);
        let bucket = self.children.bucket_of.get(subtask).copied();
        let bucket = bucket.unwrap_or_default();
        self.levels.push(Level {
            subtask,
            bucket,
            next: self.children.first_free(bucket),
            place: None,
            is_fitted: false,
            bound: self.trail.len(),
        });
    }

    /// Undoes the decision of the last level.
    fn release(&mut self) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        for variable in self.trail.drain(level.bound.min(self.trail.len())..) {
            if let Some(slot) = self.variables.get_mut(variable) {
                *slot = None;
            }
        }
        if let Some(place) = level.place.take() {
            if let Some(slot) = self.subtask_of.get_mut(place) {
                *slot = None;
            }
            if let Some(slot) = self.place_of.get_mut(level.subtask) {
                *slot = None;
            }
            if let Some(end) = self.ends.get_mut(level.subtask) {
                *end = None;
            }
            self.children.release(place);
        }
    }

    /// Finds the next child for a level's subtask; `None` if the effort is exhausted.
    fn advance(&mut self, at: usize, effort: &mut Effort) -> Option<bool> {
        loop {
            let level = self.levels.get_mut(at)?;
            let (subtask, bucket) = (level.subtask, level.bucket);
            // A child that it could take is left only to its twins, which come after it.
            if level.is_fitted && !*self.pattern.is_shared.get(subtask)? {
                return Some(false);
            }
            let (list, low) = self.children.buckets.get_mut(bucket)?;
            let Some(place) = list.get(level.next).copied() else {
                let furthest = self.furthest.is_none_or(|furthest| at > furthest);
                if furthest {
                    self.furthest = Some(at);
                }
                return Some(false);
            };
            level.next += 1;
            if self.subtask_of.get(place).is_none_or(Option::is_some) {
                if *low + 1 == level.next {
                    *low = level.next;
                }
                continue;
            }
            if !effort.spend() {
                return None;
            }
            if self.fits(subtask, place) {
                let level = self.levels.get_mut(at)?;
                level.place = Some(place);
                level.is_fitted = true;
                *self.subtask_of.get_mut(place)? = Some(subtask);
                *self.place_of.get_mut(subtask)? = Some(place);
                *self.ends.get_mut(subtask)? = self.end(subtask, place);
                return Some(true);
            }
            let bound = self.levels.get(at)?.bound;
            for variable in self.trail.drain(bound.min(self.trail.len())..) {
                *self.variables.get_mut(variable)? = None;
            }
        }
    }

    /// Returns `true` if a subtask matches the child at an index; binds variables.
    fn fits(&mut self, subtask: usize, place: usize) -> bool {
        if !self.is_first_of_alike(subtask, place) {
            return false;
        }
        let (Some(required), Some((_, child))) = (
            self.pattern.subtasks.get(subtask),
            self.tree.child(self.node, place),
        ) else {
            return false;
        };
        if required.task != child.task.task || required.args.len() != child.task.args.len() {
            return false;
        }
        for (arg, object) in required.args.iter().zip(&child.task.args) {
            let is_it = match arg {
                Arg::Object(name) => name == object,
                Arg::Param(at) => self.task.args.get(*at) == Some(object),
                Arg::Value(_) => true,
                Arg::Variable(variable) => match self.variables.get_mut(*variable) {
                    Some(Some(known)) => known == object,
                    Some(slot) => {
                        *slot = Some(object.clone());
                        self.trail.push(*variable);
                        true
                    }
                    None => false,
                },
            };
            if !is_it {
                return false;
            }
        }
        !self.requires_order || self.is_in_order(subtask, child.steps)
    }

    /// Among interchangeable subtasks and children, only assignments that keep their order count.
    fn is_first_of_alike(&self, subtask: usize, place: usize) -> bool {
        let twin = |twins: &[Option<u32>]| {
            let twin = twins.get(subtask).copied().flatten()?;
            self.place_of.get(twin as usize).copied().flatten()
        };
        let twins = self.children.twins.get(place).copied();
        let (before, after) = twins.unwrap_or_default();
        let of = |place: Option<usize>| {
            let place = place?;
            self.subtask_of.get(place).copied().flatten()
        };
        twin(&self.pattern.twin).is_none_or(|other| other < place)
            && twin(&self.pattern.next_twin).is_none_or(|other| other > place)
            && of(before).is_none_or(|other| other < subtask)
            && of(after).is_none_or(|other| other > subtask)
    }

    fn keep(&mut self) {
        let places = self
            .place_of
            .iter()
            .map(|place| place.map_or(u32::MAX, |p| p as u32));
        let places: Vec<u32> = places.collect();
        let at = |subtask: u32| places.get(subtask as usize).copied().unwrap_or(u32::MAX);
        let order = self.pattern.order.iter();
        let mut order: Vec<(u32, u32)> = order.map(|(a, b)| (at(*a), at(*b))).collect();
        order.sort_unstable();
        self.found.all.push(Matching {
            places,
            order,
            known: self.variables.clone(),
        });
    }

    /// Returns the reason why the search got no further.
    fn why(&self) -> String {
        let subtask = self.furthest.and_then(|at| self.pattern.matching.get(at));
        let subtask = subtask.and_then(|at| self.pattern.subtasks.get(*at as usize));
        let Some(subtask) = subtask else {
            return "its subtasks differ".to_owned();
        };
        format!(
            "no task that the plan lists fits the subtask '{}'",
            subtask.text
        )
    }
}
