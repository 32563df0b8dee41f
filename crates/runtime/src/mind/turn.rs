//! A character's triggers at the beginning of a turn, and the next tick that matters to it.

use std::mem;

use taskloom_planner::plan::GoalValue;

use super::Mind;
use crate::cooldowns::Names;
use crate::run::Cause;

impl Mind {
    /// Begins its turn of a tick, and starts planning if there is a reason to. The first reason counts.
    pub fn begin_turn(&mut self, tick: u32) {
        self.character.wake(tick);
        let has_changed = mem::take(&mut self.news.by_others);
        if has_changed {
            self.forget_plan();
        }
        let is_new = mem::take(&mut self.news.by_itself) || has_changed;
        let passes = self.plans_by_time;
        let failed = self.failed.len();
        self.failed
            .retain(|one| one.until.is_none_or(|until| tick < until));
        let have_cooled = !self.character.cooldowns.take_over(tick).is_empty();
        let may_retry = self.failed.len() < failed || have_cooled;
        if is_new || passes || may_retry {
            self.goal_selection.beliefs_changed();
        }
        let is_time = self.replans_at(tick);
        let may_switch = self.goal_selection.end_commitment(tick);
        let (mut tried_again, mut cooled) = (Names::new(), Names::new());
        if self.committed().is_none() {
            tried_again = self.goal_selection.take_retries(tick);
            cooled = self.goal_selection.take_cooled(tick);
        }
        if may_retry || !cooled.is_empty() {
            self.character.replan(Cause::Retry);
        }
        // If nothing has changed that their values depend on, comparing goals leads to the same result.
        self.news.concerns_goals |=
            may_switch || !tried_again.is_empty() || !cooled.is_empty() || self.goal_reads.time;
        let has_new_values = is_new && self.news.concerns_goals;
        let is_activated = has_new_values || passes && is_time || !cooled.is_empty();
        tried_again.append(&mut cooled);
        if self.news.noticed.is_some() {
            self.character.reconsider(Cause::Perception);
        } else if is_time
            && (self.character.may_reconsider() || passes && self.character.is_waiting())
        {
            self.character.reconsider(Cause::Every);
            if passes {
                // Since time has passed, there may be a plan now.
                self.character.replan(Cause::Every);
            }
        } else if self.character.has_no_active_goal() {
            if is_activated {
                self.news.concerns_goals = false;
                if self.goal_values(tick).iter().any(GoalValue::is_active) {
                    self.character.request_plan();
                }
            }
        } else if !self.weigh(tick, has_new_values || passes || may_switch, &tried_again)
            && self.triggers.alternative
            && (has_changed || passes || have_cooled)
        {
            self.character.reconsider(Cause::Alternative);
        }
    }

    /// Returns `true` if its interval makes it replan at this tick.
    fn replans_at(&self, tick: u32) -> bool {
        let every = self.triggers.every;
        tick > 0 && every.is_some_and(|every| tick.is_multiple_of(every.max(1)))
    }

    /// Returns `true` if it has no plan, and there may be one once time has passed.
    fn may_try(&self) -> bool {
        self.plans_by_time && (self.character.is_waiting() || self.character.has_no_active_goal())
    }

    /// Returns the next tick at which it has anything to do, if nobody else changes the world.
    pub fn next_tick(&self, tick: u32, changed_at: u32) -> Option<u32> {
        let own = self.character.next_tick(tick);
        let interval = self
            .triggers
            .every
            .filter(|_| self.character.may_reconsider() || self.may_try());
        let interval =
            interval.and_then(|every| tick.checked_add(every.max(1) - tick % every.max(1)));
        let senses = self.belief.as_ref().and_then(|(_, senses)| {
            let next = tick.checked_add(1)?;
            (next <= changed_at.saturating_add(senses.patience())).then_some(next)
        });
        let senses = senses.filter(|_| self.observes());
        let goals = self.goals_due_at().map(|at| at.max(tick.saturating_add(1)));
        let retries = self.failed.iter().filter_map(|one| one.until).min();
        let retries = retries.filter(|_| !self.character.is_complete());
        let retries = retries.map(|at| at.max(tick.saturating_add(1)));
        let cooled = self.cooled_at().map(|at| at.max(tick.saturating_add(1)));
        [own, interval, senses, goals, retries, cooled]
            .into_iter()
            .flatten()
            .min()
    }
}
