//! What a designer draws besides blocks: which of them are folded to their
//! titles. It means nothing to a planner.

use std::sync::Arc;

use taskloom_record::Record;

use super::Document;
use super::edit::EditError;
use super::flowchart::{BlockId, Flowchart};
use super::name::Name;
use super::record::RecordRef;
use crate::sorted::SortedSet;

/// What is drawn besides the blocks of one method.
#[derive(Debug, Clone, PartialEq, Default, Record)]
#[cfg_attr(test, derive(serde::Serialize, schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// Blocks that show their title alone.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub collapsed: SortedSet<BlockId>,
}

impl Drawing {
    pub(super) const NOTHING: Self = Self {
        collapsed: SortedSet::new(),
    };

    /// Whether it mentions only what a method has.
    pub(super) fn fits(&self, method: &Flowchart) -> bool {
        let mut collapsed = self.collapsed.iter();
        collapsed.all(|id| method.blocks.contains_key(id))
    }

    /// Drops what a method does not have.
    pub(super) fn prune(&mut self, method: &Flowchart) {
        self.collapsed.retain(|id| method.blocks.contains_key(id));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.collapsed.is_empty()
    }
}

impl Document {
    /// Changes what is drawn on a method; nothing is kept of an empty drawing.
    fn redraw(&mut self, task: &Name, change: impl FnOnce(&mut Drawing)) -> Result<(), EditError> {
        let known = self.compound_tasks.get_key_value(task);
        let (name, _) =
            known.ok_or_else(|| EditError::new(format!("there is no compound task '{task}'")))?;
        let drawing = self.layout.drawings.entry(name.clone()).or_default();
        change(Arc::make_mut(drawing));
        if drawing.is_empty() {
            self.layout.drawings.remove(task);
        }
        Ok(())
    }

    /// Drops what is drawn for blocks that a method no longer has.
    pub(super) fn prune_drawing(&mut self, task: &Name) {
        let method = self.compound_tasks.get(task).cloned();
        let drawing = self.layout.drawings.get(task);
        if let (Some(record), Some(drawing)) = (method, drawing)
            && !drawing.fits(&record.method)
        {
            // The task exists, so this is no refusal.
            let _ = self.redraw(task, |drawing| drawing.prune(&record.method));
        }
    }

    pub(super) fn collapse(
        &mut self,
        task: &Name,
        ids: &[BlockId],
        on: bool,
    ) -> Result<(), EditError> {
        self.have_blocks(task, ids)?;
        self.redraw(task, |drawing| {
            for id in ids {
                match on {
                    true => drawing.collapsed.insert(id.clone()),
                    false => drawing.collapsed.remove(id),
                };
            }
        })
    }

    pub(super) fn collapse_cards(
        &mut self,
        records: &[RecordRef],
        on: bool,
    ) -> Result<(), EditError> {
        for record in records {
            let spelled = self.spelled(record).ok_or_else(|| {
                EditError::new(format!("there is no card of {record} to collapse"))
            })?;
            match on {
                true => self.layout.collapsed_cards.insert(spelled),
                false => self.layout.collapsed_cards.remove(&spelled),
            };
        }
        Ok(())
    }

    /// Whether a method has all of these blocks.
    pub(super) fn have_blocks(&mut self, task: &Name, ids: &[BlockId]) -> Result<(), EditError> {
        let method = &self.compound_task(task)?.method;
        match ids.iter().find(|id| !method.blocks.contains_key(*id)) {
            Some(id) => Err(EditError::new(format!("'{task}' has no block {id}"))),
            None => Ok(()),
        }
    }
}
