//! Waiting for all to be written.

use super::{Input, Saver};
use crate::session::ending::Ending;

/// How long one waits at most for what is unsaved to be written, in milliseconds.
const PATIENCE: u32 = 4_000;

impl Saver {
    /// Writes all that is unsaved. Returns `true` if it is on the disk now.
    pub async fn flush(&self) -> bool {
        let ending = Ending::default();
        let too_late = ending.clone();
        let clock = self.platform().clock;
        clock.after(PATIENCE, Box::new(move || too_late.end()));
        self.0.borrow_mut().waiting.push(ending.clone());
        self.hear(Input::Flush);
        ending.ended().await;
        self.0.borrow().machine.is_written()
    }
}
