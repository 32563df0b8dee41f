//! What can be of no use, to a fixpoint: what needs an atom that nothing makes
//! so, methods with a subtask that cannot be done, what the roots do not reach.

use super::Rows;
use super::draft::Draft;

/// What of a draft is left.
#[derive(Debug)]
pub struct Left {
    /// By the draft's task.
    pub tasks: Vec<bool>,
    /// By the draft's method.
    pub methods: Vec<bool>,
    /// By atom: whether it may be true, whether it may be false.
    pub may_be: Vec<[bool; 2]>,
}

struct Pruning<'a> {
    draft: &'a Draft,
    /// The methods of each task, and those that it is a subtask of.
    methods: Rows,
    users: Rows,
    left: Left,
}

/// Prunes a draft, given which atoms are true at first. `None` where a root
/// cannot be done.
pub fn prune(draft: &Draft, initial: &[bool]) -> Option<Left> {
    let tasks = draft.tasks.len();
    let owners = (0u32..).zip(&draft.methods).map(|(m, of)| (of.task, m));
    let users = (0..draft.methods.len() as u32)
        .flat_map(|m| draft.subtasks.row(m).iter().map(move |task| (*task, m)));
    let mut pruning = Pruning {
        draft,
        methods: Rows::grouped(tasks, owners),
        users: Rows::grouped(tasks, users),
        left: Left {
            tasks: vec![true; tasks],
            methods: vec![true; draft.methods.len()],
            may_be: vec![],
        },
    };
    loop {
        let changed = pruning.ask_atoms(initial);
        let changed = pruning.keep_done() || changed;
        let changed = pruning.keep_called() || changed;
        if !draft.roots.iter().all(|r| pruning.left.tasks[*r as usize]) {
            return None;
        }
        if !changed {
            return Some(pruning.left);
        }
    }
}

impl Pruning<'_> {
    /// Drops what needs an atom to be as it cannot be.
    fn ask_atoms(&mut self, initial: &[bool]) -> bool {
        let mut may_be: Vec<[bool; 2]> = initial.iter().map(|i| [*i, !*i]).collect();
        let Left { tasks, methods, .. } = &mut self.left;
        let actions = |tasks: &[bool]| {
            let tasks = self.draft.tasks.iter().zip(tasks.to_vec());
            tasks.filter_map(|(task, left)| task.action.as_ref().filter(|_| left))
        };
        for change in actions(tasks).flat_map(|a| &a.changes) {
            may_be[change.atom as usize][usize::from(!change.add)] = true;
        }
        let holds = |literal: u32| may_be[literal as usize >> 1][literal as usize & 1];
        let mut changed = false;
        for (task, left) in self.draft.tasks.iter().zip(tasks.iter_mut()) {
            if let Some(action) = &task.action
                && *left
                && !action.need.as_ref().is_some_and(|n| n.holds(&holds))
            {
                *left = false;
                changed = true;
            }
        }
        for (method, left) in self.draft.methods.iter().zip(methods.iter_mut()) {
            if *left && !method.need.holds(&holds) {
                *left = false;
                changed = true;
            }
        }
        self.left.may_be = may_be;
        changed
    }

    /// Drops the tasks that cannot be done, and the methods that need them.
    fn keep_done(&mut self) -> bool {
        let draft = self.draft;
        let mut done = vec![false; draft.tasks.len()];
        let mut missing: Vec<u32> = (0..draft.methods.len() as u32)
            .map(|m| draft.subtasks.row(m).len() as u32)
            .collect();
        let mut open: Vec<u32> = vec![];
        for (number, task) in (0u32..).zip(&draft.tasks) {
            let has_empty = || {
                let methods = self.methods.row(number).iter();
                let mut left = methods.filter(|m| self.left.methods[**m as usize]);
                left.any(|m| missing[*m as usize] == 0)
            };
            if self.left.tasks[number as usize] && (task.action.is_some() || has_empty()) {
                done[number as usize] = true;
                open.push(number);
            }
        }
        while let Some(task) = open.pop() {
            for method in self.users.row(task) {
                missing[*method as usize] -= 1;
                if missing[*method as usize] == 0 && self.left.methods[*method as usize] {
                    let owner = draft.methods[*method as usize].task as usize;
                    if self.left.tasks[owner] && !std::mem::replace(&mut done[owner], true) {
                        open.push(owner as u32);
                    }
                }
            }
        }
        let mut changed = false;
        for (left, done) in self.left.tasks.iter_mut().zip(done) {
            changed |= *left && !done;
            *left &= done;
        }
        for (left, missing) in self.left.methods.iter_mut().zip(missing) {
            changed |= *left && missing > 0;
            *left &= missing == 0;
        }
        changed
    }

    /// Drops what the roots do not reach.
    fn keep_called(&mut self) -> bool {
        let draft = self.draft;
        let mut called = vec![false; draft.tasks.len()];
        let mut reached = vec![false; draft.methods.len()];
        let mut open = draft.roots.clone();
        open.retain(|r| self.left.tasks[*r as usize]);
        for root in &open {
            called[*root as usize] = true;
        }
        while let Some(task) = open.pop() {
            for method in self.methods.row(task) {
                if !self.left.methods[*method as usize] {
                    continue;
                }
                reached[*method as usize] = true;
                for subtask in draft.subtasks.row(*method) {
                    if !std::mem::replace(&mut called[*subtask as usize], true) {
                        open.push(*subtask);
                    }
                }
            }
        }
        let mut changed = false;
        let tasks = self.left.tasks.iter_mut().zip(called);
        for (left, is_kept) in tasks.chain(self.left.methods.iter_mut().zip(reached)) {
            changed |= *left && !is_kept;
            *left &= is_kept;
        }
        changed
    }
}
