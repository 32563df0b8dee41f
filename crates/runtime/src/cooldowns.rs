//! Tasks or goals that are cooling down: after they have ended, an actor doesn't plan them for a while.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use taskloom_document::Name;

/// The names of a few tasks or goals. A turn without planning allocates nothing for them.
pub type Names = SmallVec<[Name; 8]>;

/// The tasks or goals of an actor that are cooling down.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cooldowns {
    /// The tick from which each may be planned again.
    until: BTreeMap<Name, u32>,
}

impl Cooldowns {
    /// Starts the cooldown of a task or goal that has ended at a tick.
    pub fn start(&mut self, name: Name, tick: u32, cooldown: u32) {
        if cooldown > 0 {
            self.until.insert(name, tick.saturating_add(cooldown));
        }
    }

    /// Takes those that have cooled down by a tick.
    pub fn take_over(&mut self, tick: u32) -> Names {
        let over = self.until.extract_if(.., |_, until| *until <= tick);
        over.map(|(name, _)| name).collect()
    }

    /// Returns those that are cooling down, each with the number of ticks until it may be planned again.
    pub fn remaining(&self, tick: u32) -> Vec<(Name, u32)> {
        let remaining = self.until.iter();
        let remaining = remaining.map(|(name, until)| (name.clone(), until.saturating_sub(tick)));
        remaining.filter(|(_, ticks)| *ticks > 0).collect()
    }

    /// Returns the number of ticks until one of them may be planned again.
    pub fn of(&self, name: &Name, tick: u32) -> u32 {
        let until = self.until.get(name);
        until.map_or(0, |until| until.saturating_sub(tick))
    }

    /// Returns the tick at which the first one has cooled down.
    pub fn first_end(&self) -> Option<u32> {
        self.until.values().copied().min()
    }

    /// Keeps only those that exist.
    pub fn retain(&mut self, exists: impl Fn(&Name) -> bool) {
        self.until.retain(|name, _| exists(name));
    }
}
