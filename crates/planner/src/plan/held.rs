//! How much memory a search holds at most.

/// The bytes held, from one look to the next.
///
/// A table that has no room left moves to one of twice its size, and for a moment there
/// are both. So what has come since the last look is taken to have moved, and counts for
/// the old table, too.
#[derive(Debug, Clone, Copy, Default)]
pub struct Held {
    now: u64,
    most: u64,
}

impl Held {
    /// Notes the bytes held at a look.
    pub fn look(&mut self, now: u64) {
        let come = now.saturating_sub(self.now);
        self.most = self.most.max(now + come);
        self.now = now;
    }

    /// The most that was held at any time, with `now` held at the moment.
    pub fn most(mut self, now: u64) -> u64 {
        self.look(now);
        self.most
    }
}
