//! Prunes useless parts up to a fixpoint: whatever requires a literal that nothing achieves,
//! methods with an impossible subtask, and whatever the roots do not reach.
//!
//! Every pass is incremental, since there may be millions of tasks.

use super::draft::Draft;
use taskloom_planner::search_kit::{Grouping, MemoryUse, Rows};

/// The remaining part of a draft.
#[derive(Debug, Default)]
pub struct Kept {
    /// By the draft's task.
    pub tasks: Vec<bool>,
    /// By the draft's method.
    pub methods: Vec<bool>,
    /// By atom: `true` if it may be true, and `true` if it may be false.
    pub may_be: Vec<[bool; 2]>,
}

/// The result of pruning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PruningEnd {
    /// Nothing is left to prune.
    Done,
    /// A root is impossible.
    Unsolvable,
}

/// A pass over tasks or methods, or through a list of open tasks. They run in this order, and
/// repeatedly from [`Pass::Make`] on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Finds the methods that each task is a subtask of.
    CountUsers,
    PutUsers,
    /// Records which atoms actions make true or false.
    Make,
    /// Prunes whatever requires an impossible literal.
    CheckTasks,
    CheckMethods,
    /// Finds what is possible, starting with what needs no subtask.
    Count,
    Start,
    Do,
    KeepDone,
    KeepComplete,
    /// Finds what the roots reach.
    Call,
    KeepCalled,
    KeepReached,
}

/// The pruning in progress; see the module.
#[derive(Debug)]
pub struct Pruning {
    pub left: Kept,
    pass: Pass,
    /// The position in the pass.
    at: usize,
    /// Tasks that a pass has yet to follow.
    open: Vec<u32>,
    user_groups: Grouping,
    /// The methods that each task is a subtask of.
    users: Rows,
    /// Tasks that are possible or reached; methods that are reached.
    marked: Vec<bool>,
    reached: Vec<bool>,
    /// For each method, the number of subtasks not known to be possible.
    missing: Vec<u32>,
    has_changed: bool,
}

impl Pruning {
    /// Starts with a finished draft.
    pub fn new(draft: &Draft) -> Self {
        Self {
            left: Kept {
                tasks: vec![true; draft.tasks.len()],
                methods: vec![true; draft.methods.len()],
                may_be: vec![],
            },
            pass: Pass::CountUsers,
            at: 0,
            open: vec![],
            user_groups: Grouping::new(draft.tasks.len()),
            users: Rows::default(),
            marked: vec![],
            reached: vec![],
            missing: vec![],
            has_changed: false,
        }
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        let Kept {
            tasks,
            methods,
            may_be,
        } = &self.left;
        let marks = tasks.len() + methods.len() + self.marked.len() + self.reached.len();
        self.user_groups.memory_use()
            + self.users.memory_use()
            + MemoryUse::of_vec(&self.open)
            + MemoryUse::of_vec(&self.missing)
            + MemoryUse::fixed(marks + size_of_val(&**may_be))
    }

    /// Returns the future memory use for a draft, in bytes.
    pub fn expected(draft: &Draft) -> usize {
        let (tasks, methods) = (draft.tasks.len(), draft.methods.len());
        let numbers = tasks + methods + draft.subtasks.items();
        2 * (tasks + methods) + numbers * size_of::<u32>()
    }

    /// Continues until the budget `left` is used up, given the atoms that are true initially.
    /// Returns the result once done.
    pub fn step(&mut self, draft: &Draft, initial: &[bool], left: &mut i64) -> Option<PruningEnd> {
        while *left > 0 {
            let len = match self.pass {
                Pass::CountUsers | Pass::PutUsers | Pass::CheckMethods | Pass::Count => {
                    draft.methods.len()
                }
                Pass::KeepComplete | Pass::KeepReached => draft.methods.len(),
                Pass::Make | Pass::CheckTasks | Pass::Start => draft.tasks.len(),
                Pass::KeepDone | Pass::KeepCalled => draft.tasks.len(),
                Pass::Do | Pass::Call => {
                    self.follow(draft, left);
                    if !self.open.is_empty() {
                        return None;
                    }
                    0
                }
            };
            let until = len.min(self.at.saturating_add(*left as usize));
            for number in self.at..until {
                *left -= 1;
                self.visit(draft, number, left);
            }
            self.at = self.at.max(until);
            if self.at >= len
                && let Some(pruned) = self.next_pass(draft, initial)
            {
                return Some(pruned);
            }
        }
        None
    }

    /// Starts the next pass.
    fn next_pass(&mut self, draft: &Draft, initial: &[bool]) -> Option<PruningEnd> {
        self.at = 0;
        self.pass = match self.pass {
            Pass::CountUsers => {
                self.user_groups.counted();
                Pass::PutUsers
            }
            Pass::PutUsers => {
                self.users = std::mem::take(&mut self.user_groups).finish();
                self.left.may_be = initial.iter().map(|i| [*i, !*i]).collect();
                Pass::Make
            }
            Pass::Make => Pass::CheckTasks,
            Pass::CheckTasks => Pass::CheckMethods,
            Pass::CheckMethods => {
                self.marked = vec![false; draft.tasks.len()];
                self.missing.clear();
                Pass::Count
            }
            Pass::Count => Pass::Start,
            Pass::Start => Pass::Do,
            Pass::Do => Pass::KeepDone,
            Pass::KeepDone => Pass::KeepComplete,
            Pass::KeepComplete => {
                self.marked = vec![false; draft.tasks.len()];
                self.reached = vec![false; draft.methods.len()];
                let Kept { tasks, .. } = &self.left;
                let roots = draft.roots.iter().filter(|r| tasks[**r as usize]);
                self.open = roots.copied().collect();
                self.open
                    .iter()
                    .for_each(|r| self.marked[*r as usize] = true);
                Pass::Call
            }
            Pass::Call => Pass::KeepCalled,
            Pass::KeepCalled => Pass::KeepReached,
            Pass::KeepReached => {
                if !draft.roots.iter().all(|r| self.left.tasks[*r as usize]) {
                    return Some(PruningEnd::Unsolvable);
                }
                if !std::mem::take(&mut self.has_changed) {
                    return Some(PruningEnd::Done);
                }
                self.left.may_be = initial.iter().map(|i| [*i, !*i]).collect();
                Pass::Make
            }
        };
        None
    }

    /// Applies the pass to one task or method.
    fn visit(&mut self, draft: &Draft, number: usize, left: &mut i64) {
        let Kept {
            tasks,
            methods,
            may_be,
        } = &mut self.left;
        let holds = |literal: &u32| may_be[*literal as usize >> 1][*literal as usize & 1];
        match self.pass {
            Pass::CountUsers => {
                let subtasks = draft.subtasks.row(number as u32);
                subtasks.iter().for_each(|t| self.user_groups.count(*t));
            }
            Pass::PutUsers => {
                let subtasks = draft.subtasks.row(number as u32).iter();
                subtasks.for_each(|t| self.user_groups.put(*t, number as u32));
            }
            Pass::Make => {
                let action = draft.tasks[number].action.as_ref();
                for change in action
                    .iter()
                    .filter(|_| tasks[number])
                    .flat_map(|a| &a.changes)
                {
                    *left -= 1;
                    may_be[change.atom as usize][usize::from(!change.add)] = true;
                }
            }
            Pass::CheckTasks => {
                if let Some(action) = &draft.tasks[number].action
                    && tasks[number]
                    && !action.need.as_ref().is_some_and(|n| n.holds(&holds))
                {
                    tasks[number] = false;
                    self.has_changed = true;
                }
            }
            Pass::CheckMethods => {
                if methods[number] && !draft.methods[number].need.holds(&holds) {
                    methods[number] = false;
                    self.has_changed = true;
                }
            }
            Pass::Count => {
                let count = draft.subtasks.row(number as u32).len();
                self.missing.push(count as u32);
            }
            Pass::Start => {
                let mut own = draft.methods_of(number);
                let mut has_empty = || own.any(|m| methods[m] && self.missing[m] == 0);
                if tasks[number] && (draft.tasks[number].action.is_some() || has_empty()) {
                    self.marked[number] = true;
                    self.open.push(number as u32);
                }
            }
            Pass::KeepDone | Pass::KeepCalled => {
                self.has_changed |= tasks[number] && !self.marked[number];
                tasks[number] &= self.marked[number];
            }
            Pass::KeepComplete => {
                let is_complete = self.missing[number] == 0;
                self.has_changed |= methods[number] && !is_complete;
                methods[number] &= is_complete;
            }
            Pass::KeepReached => {
                self.has_changed |= methods[number] && !self.reached[number];
                methods[number] &= self.reached[number];
            }
            Pass::Do | Pass::Call => {}
        }
    }

    /// Follows open tasks: up to the tasks that they make possible, or down to those that they
    /// call.
    fn follow(&mut self, draft: &Draft, left: &mut i64) {
        while *left > 0
            && let Some(task) = self.open.pop()
        {
            *left -= 1;
            if self.pass == Pass::Do {
                for method in self.users.row(task) {
                    *left -= 1;
                    let missing = &mut self.missing[*method as usize];
                    *missing -= 1;
                    if *missing > 0 || !self.left.methods[*method as usize] {
                        continue;
                    }
                    let owner = draft.methods[*method as usize].task as usize;
                    if self.left.tasks[owner] && !std::mem::replace(&mut self.marked[owner], true) {
                        self.open.push(owner as u32);
                    }
                }
                continue;
            }
            for method in draft.methods_of(task as usize) {
                *left -= 1;
                if !self.left.methods[method] {
                    continue;
                }
                self.reached[method] = true;
                for subtask in draft.subtasks.row(method as u32) {
                    if !std::mem::replace(&mut self.marked[*subtask as usize], true) {
                        self.open.push(*subtask);
                    }
                }
            }
        }
    }
}
