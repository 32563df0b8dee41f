//! The trail into a method: the methods through which the user entered it.

use leptos::prelude::*;
use taskloom_document::{BlockId, Kind, Name, RecordRef};
use taskloom_domain::calls::called_task;

use super::open::DocumentState;
use super::{Selection, View};

impl DocumentState {
    /// Returns the methods from the Board to the open one, which is last.
    pub fn path(&self) -> Vec<Name> {
        let View::Method(open) = self.view.get() else {
            return vec![];
        };
        let trail = self.trail.get();
        // After a jump, for instance from the outline, the trail starts at the Board.
        let entered = trail.last().is_some_and(|last| *last == open);
        if entered { trail } else { vec![open] }
    }

    /// Opens a canvas, whichever was open before. The selection stays.
    pub fn show_view(&self, view: View) {
        let drawn = match &view {
            View::Method(task) => self.drawn_block(task),
            _ => None,
        };
        match drawn {
            Some((task, block)) => self.show_block(task, block),
            None => self.view.set(view),
        }
    }

    /// Returns the block from which a task of the executable domain was made, with its method.
    fn drawn_block(&self, task: &Name) -> Option<(Name, BlockId)> {
        let domain = self.domain.get_untracked();
        domain.drawn_block(task)
    }

    /// Opens the method of a task with one of its blocks selected.
    pub fn show_block(&self, task: Name, block: BlockId) {
        let (task, block) = self.drawn_block(&task).unwrap_or((task, block));
        self.view.set(View::Method(task));
        self.select(Selection::block(block));
    }

    /// Opens the method of a task from the current canvas.
    pub fn enter(&self, task: Name) {
        let mut path = untrack(|| self.path());
        let known = path.iter().position(|name| *name == task);
        path.truncate(known.unwrap_or(path.len()));
        path.push(task.clone());
        self.trail.set(path);
        self.select(Selection::default());
        self.view.set(View::Method(task));
    }

    /// Returns to the method from which the open one was entered, or to the Board, and selects the
    /// task that was left.
    pub fn leave(&self) {
        let mut path = untrack(|| self.path());
        let Some(left) = path.pop() else {
            return;
        };
        let document = self.document.get_untracked();
        let parent = path
            .last()
            .and_then(|name| document.compound_tasks.get_key_value(name));
        match parent {
            Some((name, task)) => {
                let mut blocks = task.method.blocks.iter();
                let call = blocks
                    .find(|(_, block)| called_task(block).as_ref() == Some(&left))
                    .map(|(id, _)| id.clone());
                let name = name.clone();
                self.trail.set(path);
                self.view.set(View::Method(name));
                self.select(call.map_or_else(Selection::default, Selection::block));
            }
            None => {
                self.view.set(View::Board);
                self.select(Selection::record(RecordRef::new(Kind::CompoundTask, left)));
            }
        }
    }
}
