//! The end of a tick: the next tick, or the end of the run.

use super::Member;
use super::{MAX_TICKS_OF_ENDLESS, Next, Phase, Simulation};
use crate::run::RunEnd;

impl Simulation {
    /// Advances to the next tick at which anything can happen.
    pub(super) fn advance_tick(&mut self) -> Next {
        if let Some(end) = self.part.over.take() {
            return self.end(end);
        }
        if self.changes.at_tick {
            self.changes.last = self.world.tick();
        }
        let next = self.next_tick();
        let is_idle = |member: &Member| {
            let character = &member.mind().character;
            character.is_waiting() || character.is_complete() || self.rests(member)
        };
        if next.is_none() && self.members.iter().all(is_idle) {
            let mut present = self.members.iter().filter(|member| !self.is_absent(member));
            let end = match present.all(|member| member.mind().character.is_complete()) {
                true => self.finish(),
                false => RunEnd::Failed,
            };
            return self.end_between(end, self.world.tick());
        }
        let (end, last) = self.latest_end();
        let Some(next) = next.filter(|next| *next <= last) else {
            return self.end_between(end, last.max(self.world.tick()));
        };
        self.phase = Phase::Events;
        self.changes.is_document_new = false;
        self.world.advance_to(next);
        Next::More
    }

    /// Returns how it ends if it goes on as it is now, and its last tick.
    fn latest_end(&self) -> (RunEnd, u32) {
        if let Some(last) = self.part.last_tick {
            return (RunEnd::Stopped, last);
        }
        let mut members = self.members.iter();
        let is_done =
            |member: &Member| member.mind().is_endless() || member.mind().character.is_complete();
        if self.members.iter().all(is_done)
            && members.any(|member| member.mind().is_endless())
            && !self.schedule.awaits(self.world.tick())
        {
            let last = self.max_ticks.min(MAX_TICKS_OF_ENDLESS);
            return (RunEnd::Endless, last);
        }
        (RunEnd::OutOfTicks, self.max_ticks)
    }

    /// Ends the run between two ticks, so that it may continue in a changed document. Nothing happens until
    /// this tick.
    fn end_between(&mut self, end: RunEnd, tick: u32) -> Next {
        self.remember(None);
        self.world.advance_to(tick);
        Next::Ended(Box::new(self.ended(end)))
    }

    /// Returns the next tick at which anything can happen.
    pub(super) fn next_tick(&self) -> Option<u32> {
        let mut members = self.members.iter();
        if self.changes.is_document_new || members.any(|member| member.actor.has_abandoned()) {
            return self.world.tick().checked_add(1);
        }
        let event = self
            .schedule
            .next_tick(self.world.tick(), self.changes.at_tick);
        if self.members.len() > 1 && self.changes.at_tick {
            // For a character that had its turn before the change, rules or conditions may differ now.
            return self.world.tick().checked_add(1);
        }
        let members = self.members.iter().filter(|member| !self.rests(member));
        let own = members.filter_map(|member| {
            member
                .mind()
                .next_tick(self.world.tick(), self.changes.last)
        });
        // The passing of time may violate a rule, or make a condition true.
        let is_busy = |member: &Member| member.mind().is_busy() && !self.rests(member);
        let busy = self.members.iter().any(is_busy);
        let timed = (self.clock.runs && busy).then(|| self.world.tick().saturating_add(1));
        let next = own.chain(event).chain(timed).min()?;
        // Forgetting needs the time of each observation.
        let forgets = self.members.iter().any(|member| member.mind().forgets());
        Some(if forgets {
            self.world.tick().saturating_add(1)
        } else {
            next
        })
    }

    pub(super) fn is_complete(&self) -> bool {
        let mut members = self.members.iter();
        members.all(|member| member.mind().character.is_complete())
    }

    /// Returns `true` if a member is absent, so that nothing more is expected of it.
    fn is_absent(&self, member: &Member) -> bool {
        self.world.facts.is_absent(&member.mind().actor)
    }

    /// Returns `true` if a member does nothing until it is present again.
    fn rests(&self, member: &Member) -> bool {
        member.actor.rests(&self.world)
    }

    /// Returns the end of a run in which all tasks are complete.
    pub(super) fn finish(&self) -> RunEnd {
        let missed = self.members.iter().find_map(|member| {
            let goal = member
                .mind()
                .actor
                .goal_formula(self.world.facts.domain().texts())?;
            let mut world = member.mind().world.clone();
            world.swap_values(&mut self.world.facts.clone());
            world.violation(goal)
        });
        missed.map_or(RunEnd::Complete, RunEnd::GoalMissed)
    }
}
