//! A character's selection of goals: the one it pursues, and those that it doesn't try for now.

use std::cmp::Ordering;

use taskloom_document::{Name, Planning};
use taskloom_domain::Player;
use taskloom_planner::plan::{Outcome, Plan, Want};

/// The goal selection of a character.
#[derive(Debug, Default)]
pub struct Pursuit {
    /// The values of its goals at its last planning.
    pub wants: Vec<Want>,
    /// Goals for which there was no plan.
    excluded: Vec<Excluded>,
    /// The number of ticks after which a goal is retried.
    retry: u32,
    /// The margin by which another goal's value must be higher; `None` if it keeps to the pursued goal.
    margin: Option<f64>,
}

/// A goal for which there was no plan.
#[derive(Debug)]
struct Excluded {
    goal: Name,
    /// The tick from which it may be retried.
    until: u32,
    /// `true` if any belief has changed since: without a change, there would be no plan again.
    is_stale: bool,
}

impl Pursuit {
    /// Creates the goal selection of a character without a plan.
    pub fn new(player: &Player) -> Self {
        let agent = player.agent.map(|(_, agent)| agent);
        let retry = match agent.map(|agent| &agent.planning) {
            Some(Planning::Goals { search, .. }) => search.retry.max(1),
            _ => 1,
        };
        Self {
            retry,
            margin: agent.and_then(|agent| agent.triggers.goal),
            ..Self::default()
        }
    }

    /// Returns the number of ticks after which a goal, or a task that has failed, is retried.
    pub fn retry(&self) -> u32 {
        self.retry
    }

    /// Returns the goals that are excluded for now.
    pub fn excluded(&self) -> Vec<Name> {
        self.excluded.iter().map(|one| one.goal.clone()).collect()
    }

    /// Receives the outcome of planning: the goals that were tried before the one with a plan had no
    /// plan.
    pub fn planned(&mut self, outcome: &Outcome, tick: u32) {
        let goal = match outcome {
            Outcome::Plan(plan) => plan.aim.as_ref().and_then(|aim| aim.goal.as_ref()),
            Outcome::NoPlan | Outcome::GaveUp(_) => None,
            Outcome::Stopped | Outcome::NotPlanned(_) => return,
        };
        let mut tried: Vec<&Want> = self.wants.iter().filter(|want| want.is_wanted()).collect();
        tried.sort_by(|a, b| b.worth.partial_cmp(&a.worth).unwrap_or(Ordering::Equal));
        let failed = tried
            .into_iter()
            .take_while(|want| Some(&want.goal) != goal);
        for Want { goal, .. } in failed {
            if self.excluded.iter().all(|excluded| excluded.goal != *goal) {
                self.excluded.push(Excluded {
                    goal: goal.clone(),
                    until: tick.saturating_add(self.retry),
                    is_stale: false,
                });
            }
        }
    }

    /// Records that a belief has changed.
    pub fn beliefs_changed(&mut self) {
        self.excluded.iter_mut().for_each(|one| one.is_stale = true);
    }

    /// Takes the excluded goals that may be retried from this tick on.
    pub fn take_retries(&mut self, tick: u32) -> Vec<Name> {
        let is_time = |one: &mut Excluded| one.is_stale && one.until <= tick;
        let retries = self.excluded.extract_if(.., is_time);
        retries.map(|one| one.goal).collect()
    }

    /// Allows retrying the goals for which a belief has changed since there was no plan.
    pub fn clear_stale(&mut self) {
        self.excluded.retain(|one| !one.is_stale);
    }

    /// Allows retrying all goals.
    pub fn clear_all(&mut self) {
        self.excluded.clear();
    }

    /// Returns the next tick at which a goal may be retried; `is_new` if any belief has changed.
    pub fn next_tick(&self, is_new: bool) -> Option<u32> {
        let stale = self.excluded.iter().filter(|one| is_new || one.is_stale);
        stale.map(|one| one.until).min()
    }

    /// Returns `true` if it has a goal trigger: it compares its goals' values while it has a plan.
    pub fn has_trigger(&self) -> bool {
        self.margin.is_some()
    }

    /// Returns `true` if it should switch to another goal than that of a plan, by the current values.
    pub fn should_switch(&self, plan: &Plan, wants: &[Want]) -> bool {
        let pursued = plan.aim.as_ref().and_then(|aim| aim.goal.as_ref());
        let (Some(margin), Some(pursued)) = (self.margin, pursued) else {
            return false;
        };
        let own = wants.iter().find(|want| want.goal == *pursued);
        let Some(worth) = own
            .filter(|want| want.is_wanted())
            .and_then(|want| want.worth)
        else {
            return true;
        };
        let is_excluded = |want: &&Want| self.excluded.iter().any(|one| one.goal == want.goal);
        let others = wants
            .iter()
            .filter(|want| want.is_wanted() && !is_excluded(want));
        let mut others = others.filter_map(|want| want.worth);
        others.any(|other| other > worth + margin)
    }

    /// Returns `true` if one of the retried goals has a higher value than that of a plan.
    pub fn is_better(&self, plan: &Plan, wants: &[Want], tried_again: &[Name]) -> bool {
        let pursued = plan.aim.as_ref().and_then(|aim| aim.goal.as_ref());
        let own = wants.iter().find(|want| Some(&want.goal) == pursued);
        let own = own.and_then(|want| want.worth);
        wants
            .iter()
            .any(|want| want.is_wanted() && want.worth > own && tried_again.contains(&want.goal))
    }
}
