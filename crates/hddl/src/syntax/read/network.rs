//! Task networks: subtasks with or without labels, in all their spellings.

use rustc_hash::FxHashMap;

use super::cursor::{Cursor, Item, Words};
use crate::syntax::ast::{Atom, Formula, Ident, Network};

/// A task network under construction: labels and orderings may occur in any order.
#[derive(Default)]
pub struct NetworkDraft {
    network: Network,
    labels: FxHashMap<Ident, usize>,
    is_ordered: bool,
    ordering: Vec<(Ident, Ident)>,
    has_tasks: bool,
}

impl Words<'_> {
    /// Reads the value of a network keyword; returns `false` if it isn't one.
    pub fn network_part(
        &mut self,
        keyword: &str,
        list: &mut Cursor,
        draft: &mut NetworkDraft,
    ) -> bool {
        match keyword {
            ":subtasks" | ":tasks" | ":ordered-subtasks" | ":ordered-tasks" => {
                if draft.has_tasks {
                    let span = list.span;
                    self.error(span, "the subtasks are given twice");
                }
                draft.has_tasks = true;
                draft.is_ordered = keyword.starts_with(":ordered");
                match self.list(list, "the subtasks") {
                    Some(tasks) => self.subtasks(tasks, draft),
                    None => {
                        self.next(list);
                    }
                }
            }
            ":ordering" | ":order" => match self.list(list, "orderings such as '(< t1 t2)'") {
                Some(ordering) => self.ordering(ordering, draft),
                None => {
                    self.next(list);
                }
            },
            ":constraints" => {
                let constraints = self.formula(list, "a constraint");
                draft.network.constraints = constraints;
            }
            _ => return false,
        }
        true
    }

    fn subtasks(&mut self, mut list: Cursor, draft: &mut NetworkDraft) {
        if list.is_empty() {
            return;
        }
        if !self.is_next(&list, "and") {
            return self.subtask(list, draft);
        }
        self.next(&mut list);
        while !list.is_empty() {
            match self.list(&mut list, "a subtask such as '(t1 (drive ?a ?b))'") {
                Some(task) => self.subtask(task, draft),
                None => {
                    self.next(&mut list);
                }
            }
        }
    }

    fn subtask(&mut self, list: Cursor, draft: &mut NetworkDraft) {
        if list.is_empty() {
            return;
        }
        // `(label (task ...))` or `(task ...)`.
        let mut after = list;
        let first = self.next(&mut after);
        let task: Option<Atom> = match (first, self.peek(&after)) {
            (Some(Item::Word(label)), Some(Item::List(inner))) => {
                let label = self.ident(label);
                self.next(&mut after);
                self.expect_end(&after, "the subtask");
                let number = draft.network.tasks.len();
                if draft.labels.insert(label.clone(), number).is_some() {
                    self.error(label.span, format!("duplicate subtask label '{label}'"));
                }
                self.atom_in(inner, "a task")
            }
            _ => self.atom_in(list, "a task"),
        };
        match task {
            Some(task) => draft.network.tasks.push(task),
            // The label of an unreadable task refers to nothing.
            None => {
                let number = draft.network.tasks.len();
                draft.labels.retain(|_, n| *n != number);
            }
        }
    }

    fn ordering(&mut self, mut list: Cursor, draft: &mut NetworkDraft) {
        if list.is_empty() {
            return;
        }
        if !self.is_next(&list, "and") {
            return self.before(list, draft);
        }
        self.next(&mut list);
        while !list.is_empty() {
            match self.list(&mut list, "an ordering such as '(< t1 t2)'") {
                Some(pair) => self.before(pair, draft),
                None => {
                    self.next(&mut list);
                }
            }
        }
    }

    /// Reads `(< a b)`; some files have `(a < b)`.
    fn before(&mut self, mut list: Cursor, draft: &mut NetworkDraft) {
        if list.is_empty() {
            return;
        }
        let is_prefix = self.is_next(&list, "<");
        if is_prefix {
            self.next(&mut list);
        }
        let Some(first) = self.name(&mut list, "'<' and two labels of subtasks") else {
            return;
        };
        if !is_prefix {
            if !self.is_next(&list, "<") {
                return self.expected(&list, "'<'");
            }
            self.next(&mut list);
        }
        let Some(second) = self.name(&mut list, "the label of a subtask") else {
            return;
        };
        self.expect_end(&list, "the ordering");
        draft.ordering.push((first, second));
    }

    /// Returns the network, once all of it is read.
    pub fn network(&mut self, draft: NetworkDraft) -> Network {
        let NetworkDraft {
            mut network,
            labels,
            is_ordered,
            ordering,
            ..
        } = draft;
        if is_ordered {
            let last = network.tasks.len().saturating_sub(1);
            network.order = (0..last).map(|n| (n, n + 1)).collect();
        }
        for (first, second) in ordering {
            let [a, b] = [&first, &second].map(|label| labels.get(label).copied());
            for (label, found) in [(&first, a), (&second, b)] {
                if found.is_none() {
                    self.error(label.span, format!("no subtask has the label '{label}'"));
                }
            }
            if let (Some(a), Some(b)) = (a, b) {
                network.order.push((a, b));
            }
        }
        if let Formula::And(parts) = &mut network.constraints {
            parts.retain(|part| !part.is_true());
        }
        network
    }
}
