//! Short messages that report what just happened, or why it failed.

use std::rc::Rc;

use leptos::prelude::*;

use super::Kept;
use super::link::LinkedText;
use crate::web::platform::Clock;

/// The maximum number of characters shown of a message; longer text might freeze the page.
const MAX_SHOWN: usize = 400;

/// The number of messages on the screen at a time.
const MAX_COUNT: usize = 3;

/// A message that disappears automatically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// The unique id of the message.
    pub id: u64,
    /// One sentence.
    pub text: LinkedText,
    /// `true` if it reports a failure.
    pub failed: bool,
    /// The offered action.
    pub offer: Option<Offer>,
}

impl Toast {
    /// Creates a message from a text of any length.
    pub fn new(id: u64, text: LinkedText, failed: bool, offer: Option<Offer>) -> Self {
        Self {
            id,
            text: text.shortened(MAX_SHOWN),
            failed,
            offer,
        }
    }
}

/// The action of a message's button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Undoes the step that the message reports. The offer is withdrawn when another step is made.
    Undo,
    /// Reopens the document that was replaced.
    BringBack,
}

/// The messages on the screen.
#[derive(Clone, Copy)]
pub struct Messages {
    /// All of them, the latest last.
    pub shown: Kept<RwSignal<Vec<Toast>>>,
    /// Never reused: the timer of one message must not close another.
    next_id: StoredValue<u64>,
    clock: StoredValue<Rc<dyn Clock>, LocalStorage>,
}

impl Messages {
    /// Creates an empty screen, whose messages end by this clock.
    pub(super) fn new(clock: Rc<dyn Clock>) -> Self {
        Self {
            shown: Kept::new(vec![]),
            next_id: StoredValue::new(0),
            clock: StoredValue::new_local(clock),
        }
    }

    /// Shows a message for a few seconds, in place of those with the same text or offer, and of those
    /// that only tell what was done: they would cover the work, and the next one makes them old.
    pub fn show(&self, text: LinkedText, failed: bool, offer: Option<Offer>) {
        let id = self.next_id.get_value();
        self.next_id.set_value(id + 1);
        let toast = Toast::new(id, text, failed, offer);
        self.shown.update(|shown| {
            shown.retain(|t| {
                let offers_more = t.offer.is_some() && t.offer != toast.offer;
                t.text != toast.text && (t.failed || offers_more)
            });
            shown.push(toast);
            if shown.len() > MAX_COUNT {
                shown.remove(0);
            }
        });
        let shown = self.shown.0;
        let seconds = if failed { 12 } else { 8 };
        let end = move || {
            shown.try_update(|shown| shown.retain(|t| t.id != id));
        };
        let clock = self.clock.get_value();
        clock.after(seconds * 1000, Box::new(end));
    }

    /// Closes a message.
    pub fn close(&self, id: u64) {
        self.shown.update(|shown| shown.retain(|t| t.id != id));
    }

    /// Closes the messages about the last step, which is being undone.
    pub(super) fn close_undone(&self) {
        let offers = |toast: &Toast| toast.offer == Some(Offer::Undo);
        if self.shown.with_untracked(|shown| shown.iter().any(offers)) {
            self.shown
                .update(|shown| shown.retain(|toast| !offers(toast)));
        }
    }

    /// Withdraws the Undo offers: the document has changed, so the step they refer to is no longer
    /// the last one.
    pub(super) fn withdraw_undo(&self) {
        let offers = |toast: &Toast| toast.offer == Some(Offer::Undo);
        if self.shown.with_untracked(|shown| shown.iter().any(offers)) {
            self.shown.update(|shown| {
                for toast in shown.iter_mut().filter(|toast| offers(toast)) {
                    toast.offer = None;
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_truncated() {
        let toast = Toast::new(1, "x".repeat(50_000_000).into(), true, None);
        assert_eq!(toast.text.to_string().chars().count(), MAX_SHOWN + 1);
    }
}
