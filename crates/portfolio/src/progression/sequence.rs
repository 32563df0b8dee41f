//! Totally ordered networks: lists of open tasks, of which only the first can be processed. Lists
//! share their tails, and equal ones are the same cell.
//!
//! Forced moves are made at once: an action, or a task with exactly one applicable method.

use super::best_first::{Networks, Taken};
use super::relax::{Relaxed, Unknown};
use super::replay::Record;
use super::state;
use crate::grounding::ground::Ground;
use crate::relation::Relation;
use taskloom_planner::search_kit::{MemoryUse, NONE};

/// The maximum number of forced moves in a row, before other nodes get their turn.
const FORCED: u32 = 10_000;

/// The lists reached so far.
#[derive(Debug)]
pub struct Sequence {
    /// The first task and the list of the others; [`NONE`] is the empty list.
    lists: Relation,
    /// For each list, how many tasks of the first list with a choice it still contains.
    first_tasks: Vec<u32>,
    root: u32,
    /// The list that begins after the tasks the heuristic considers, or [`NONE`], and `true` if the
    /// last choice reached it.
    border: u32,
    has_crossed: bool,
    effort: u64,
    /// During replay: the tags of the open tasks, the first last.
    tags: Vec<u32>,
}

impl Sequence {
    /// Creates the list of the roots.
    pub fn new(ground: &Ground) -> Self {
        let mut lists = Self {
            lists: Relation::new(2),
            first_tasks: vec![],
            root: NONE,
            border: NONE,
            has_crossed: false,
            effort: 0,
            tags: vec![],
        };
        for task in ground.roots.iter().rev() {
            lists.root = lists.cell(*task, lists.root);
        }
        lists
    }

    fn cell(&mut self, task: u32, next: u32) -> u32 {
        let new = self.lists.insert(&[task, next]);
        if new.is_some() {
            self.first_tasks.push(self.first_tasks(next));
        }
        new.or_else(|| self.lists.find(&[task, next]))
            .unwrap_or(NONE)
    }

    /// Returns how many of the first list's tasks a list contains.
    fn first_tasks(&self, list: u32) -> u32 {
        let known = self.first_tasks.get(list as usize);
        known.copied().unwrap_or(0)
    }

    /// Marks a list as the first one with a choice.
    fn mark_first(&mut self, mut list: u32) {
        let mut cells = vec![];
        while let Some(next) = (list != NONE).then(|| self.lists.tuple(list)[1]) {
            cells.push(list);
            list = next;
        }
        for (count, cell) in (1..).zip(cells.into_iter().rev()) {
            self.first_tasks[cell as usize] = count;
        }
    }

    /// Returns the list with its first task decomposed.
    fn decompose(
        &mut self,
        ground: &Ground,
        list: u32,
        method: u32,
        record: &mut impl Record,
    ) -> u32 {
        let mut list = self.lists.tuple(list)[1];
        let subtasks = ground.subtasks(method);
        for task in subtasks.iter().rev() {
            list = self.cell(*task, list);
        }
        let tag = self.tags.pop().unwrap_or(NONE);
        let first = record.decompose(tag, method);
        self.tags.extend((first..).take(subtasks.len()));
        let from = self.tags.len() - subtasks.len();
        self.tags[from..].reverse();
        list
    }
}

impl Networks for Sequence {
    fn root(&self) -> u32 {
        self.root
    }

    /// Returns the number of methods of the first task. If forced moves were interrupted,
    /// continuing them is the only choice.
    fn choices(&self, ground: &Ground, list: u32) -> u32 {
        match self.lists.tuple(list).first() {
            Some(task) if *task >= ground.actions => ground.methods_of(*task).len() as u32,
            _ => 1,
        }
    }

    fn take(
        &mut self,
        ground: &Ground,
        state: &mut [u32],
        network: u32,
        choice: u32,
        record: &mut impl Record,
    ) -> Taken {
        let mut list = network;
        self.has_crossed = false;
        if list == NONE {
            return Taken::Done;
        }
        let first = self.lists.tuple(list)[0];
        let method = match first >= ground.actions {
            true => Some(ground.methods_of(first).start + choice),
            false => None,
        };
        if method.is_some_and(|m| !state::method_applies(ground, state, m)) {
            return Taken::Dead;
        }
        if record.needs_tags() && self.tags.is_empty() {
            let tags = (0..ground.roots.len() as u32).map(|r| record.root(r));
            self.tags.extend(tags);
            self.tags.reverse();
        }
        if let Some(method) = method {
            list = self.decompose(ground, list, method, record);
        }
        let is_first = network == self.root;
        let taken = self.advance(ground, state, list, record);
        if let (Taken::Open(list), true) = (taken, is_first) {
            self.mark_first(list);
        }
        if !record.needs_tags() {
            self.tags.clear();
        }
        taken
    }

    fn call(
        &self,
        ground: &Ground,
        relaxed: &mut Relaxed,
        list: u32,
        window: u32,
    ) -> Result<u32, Unknown> {
        let mut sum = 0u32;
        let mut at = list;
        // Tasks after the window contain at most `rest` of the first list's tasks.
        let rest = self.rest(list, window);
        while at != NONE && (self.first_tasks(at) > rest || rest == 0) {
            let &[task, next] = self.lists.tuple(at) else {
                break;
            };
            sum = sum.saturating_add(relaxed.call_task(ground, task)?);
            at = next;
        }
        Ok(sum)
    }

    fn rest(&self, list: u32, window: u32) -> u32 {
        self.first_tasks(list).saturating_sub(window)
    }

    fn set_border(&mut self, list: u32, window: u32) {
        let rest = self.rest(list, window);
        self.border = if rest == 0 { NONE } else { list };
        while self.border != NONE && self.first_tasks(self.border) > rest {
            self.border = self.lists.tuple(self.border)[1];
        }
    }

    fn has_crossed(&self) -> bool {
        self.has_crossed
    }

    fn memory_use(&self) -> MemoryUse {
        self.lists.memory_use() + MemoryUse::of_vec(&self.first_tasks)
    }

    fn effort(&self) -> u64 {
        self.effort
    }
}

impl Sequence {
    /// Makes all forced moves.
    fn advance(
        &mut self,
        ground: &Ground,
        state: &mut [u32],
        mut list: u32,
        record: &mut impl Record,
    ) -> Taken {
        for _ in 0..FORCED {
            self.effort += 4;
            if ground.stop.after(1) {
                break;
            }
            self.has_crossed |= list == self.border;
            let &[task, next] = (match list {
                NONE => return Taken::Done,
                list => self.lists.tuple(list),
            }) else {
                return Taken::Dead;
            };
            if task < ground.actions {
                if !state::applies(ground, state, task) {
                    return Taken::Dead;
                }
                state::apply(ground, state, task);
                record.act(self.tags.pop().unwrap_or(NONE));
                list = next;
                continue;
            }
            let mut applicable = ground
                .methods_of(task)
                .filter(|m| state::method_applies(ground, state, *m));
            match (applicable.next(), applicable.next()) {
                (None, _) => return Taken::Dead,
                (Some(method), None) => list = self.decompose(ground, list, method, record),
                _ => return Taken::Open(list),
            }
        }
        Taken::Open(list)
    }
}
