//! Waiting until everything is written.

use super::{Input, Saver};
use crate::session::ending::Ending;

/// The maximum time to wait for unsaved changes to be written, in milliseconds.
const PATIENCE: u32 = 4_000;

impl Saver {
    /// Writes all unsaved changes. Returns `true` if everything is saved now.
    pub async fn flush(&self) -> bool {
        let ending = Ending::default();
        let too_late = ending.clone();
        let clock = self.platform().clock;
        clock.after(PATIENCE, Box::new(move || too_late.end()));
        self.0.borrow_mut().waiting.push(ending.clone());
        self.handle(Input::Flush);
        ending.ended().await;
        self.0.borrow().machine.is_written()
    }
}
