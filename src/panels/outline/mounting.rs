//! The rows of a document that has just been opened, mounted over several frames.

use leptos::prelude::*;

use crate::session::Session;
use crate::ui::more::ROWS;

/// The number of rows of each group in the first frame.
const FIRST: usize = 30;
/// The number of rows that each group gets per frame.
const PER_FRAME: usize = 10;

/// Limits the rows of each group, so that a large document is shown before all of its rows exist.
#[derive(Clone, Copy)]
pub struct Mounting {
    session: Session,
    /// The document that is being mounted, and the rows that each group has by now.
    reached: RwSignal<(u32, usize)>,
}

impl Mounting {
    /// Begins again whenever a document is opened.
    pub fn new(session: Session) -> Self {
        let opened = session.storage.opened.get_untracked();
        let mounting = Self {
            session,
            reached: RwSignal::new((opened, FIRST)),
        };
        Effect::new(move || {
            let opened = session.storage.opened.get();
            mounting.reached.set((opened, FIRST));
            // The first frame shows the document.
            request_animation_frame(move || mounting.continue_in_next_frame(opened));
        });
        mounting
    }

    fn continue_in_next_frame(self, of: u32) {
        request_animation_frame(move || {
            let (opened, rows) = self.reached.get_untracked();
            if opened != of {
                return;
            }
            let rows = rows + PER_FRAME;
            match rows < ROWS {
                true => {
                    self.reached.set((of, rows));
                    self.continue_in_next_frame(of);
                }
                false => self.reached.set((of, usize::MAX)),
            }
        });
    }

    /// Returns the number of rows that a group may have.
    pub fn most(self) -> usize {
        let opened = self.session.storage.opened.get();
        match self.reached.get() {
            (of, rows) if of == opened => rows,
            _ => FIRST,
        }
    }
}
