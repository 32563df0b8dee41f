//! A run's own lines in its log: the scenario's events, and the end.

use super::{Phase, Simulation};
use crate::log::{EndEntry, EventEntry, LogEntry, LogLevel, changes, logged_end};
use crate::run::RunEnd;

impl Simulation {
    /// Writes the events of the record from this index on.
    pub(super) fn log_events(&mut self, from: usize) {
        if self.world.log_level() != LogLevel::All {
            return;
        }
        for event in &self.run.events[from..] {
            let entry = EventEntry {
                tick: event.tick,
                event: event.event,
                changes: changes(&event.changes),
                refused: event.refused.clone(),
            };
            self.world.write_log(&LogEntry::Event(entry));
        }
    }

    /// Writes the lines of a turn that is cut off, the steps in progress, and the end.
    pub(super) fn log_end(&mut self, end: &RunEnd) {
        if self.world.log_level() == LogLevel::Off || matches!(self.phase, Phase::Over) {
            return;
        }
        if let Phase::Turn = self.phase
            && let Some(member) = self.members.get_mut(self.turn)
        {
            member.actor.write_log(&mut self.world);
        }
        for member in &mut self.members {
            member.actor.log_running(&mut self.world);
        }
        let (end, missed) = logged_end(end);
        let tick = self.world.tick();
        let entry = EndEntry { tick, end, missed };
        self.world.write_log(&LogEntry::End(entry));
    }
}
