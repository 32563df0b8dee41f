//! Commands on the selected blocks that draw no wire: muting them, extracting a task from them, and
//! inlining a task's method.

use leptos::prelude::*;
use taskloom_document::{Edit, Kind, RecordRef};
use taskloom_domain::refactor;

use super::flow::Method;
use crate::canvas::scene::{blocks, frames as frames_of};
use crate::canvas::surface::Surface;
use crate::diagram::model::counted;
use crate::session::Selection;

impl Method {
    /// Mutes the selected blocks, or unmutes them if all are muted.
    pub(super) fn mute(&self) -> bool {
        let (document, task) = (self.document(), self.task());
        let Some(record) = document.compound_tasks.get(&task) else {
            return false;
        };
        let mut ids = self.chosen();
        ids.retain(|id| record.method.can_mute(id));
        let on = !ids.iter().all(|id| record.method.muted.contains(id));
        let label = counted(if on { "Mute" } else { "Unmute" }, ids.len(), "block");
        !ids.is_empty() && self.session.commit(&label, Edit::Mute(task, ids, on))
    }

    /// Extracts a compound task from the selected blocks, and asks for its name.
    pub(super) fn extract(&self, surface: Surface) -> bool {
        let nodes = surface.whole();
        let frames = self.scene.get_untracked().frames_around_only(&nodes);
        let (blocks, frames) = (blocks(&nodes), frames_of(&frames));
        let fresh = &mut || self.session.fresh_block_id();
        match refactor::extract(&self.document(), &self.task(), &blocks, &frames, fresh) {
            Ok(extracted) => {
                let label = format!("Extract {}", extracted.task);
                if self.session.commit(&label, extracted.edit) {
                    self.session.open.select(Selection::block(extracted.block));
                    let record = RecordRef::new(Kind::CompoundTask, extracted.task);
                    self.session.desk.begin_renaming(record);
                }
            }
            Err(reason) => {
                let text = format!("Couldn't extract a task. {reason}");
                self.session.complain(text);
            }
        }
        true
    }

    /// Replaces the selected block by the method of the task that it calls.
    pub(super) fn inline(&self) -> bool {
        let Some(block) = self.chosen().into_iter().next() else {
            return false;
        };
        let fresh = &mut || self.session.fresh_block_id();
        match refactor::inline(&self.document(), &self.task(), &block, fresh) {
            Ok((edit, blocks)) => {
                if self.session.commit("Inline task", edit) {
                    self.session.open.select(Selection {
                        blocks,
                        ..Selection::default()
                    });
                }
            }
            Err(reason) => self.session.complain(reason),
        }
        true
    }
}
