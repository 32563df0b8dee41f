//! The goals that a character pursues: which, and which it does not try for now.

use std::cmp::Ordering;

use taskloom_document::{Name, Planning};
use taskloom_domain::Player;
use taskloom_planner::plan::{Outcome, Plan, Want};

/// What a character with goals is about.
#[derive(Debug, Default)]
pub struct Pursuit {
    /// What its goals were worth when it last planned.
    pub wants: Vec<Want>,
    /// Goals for which there was no plan.
    barred: Vec<Barred>,
    /// How many ticks later that is.
    retry: u32,
    /// By how much another goal has to be worth more; none: it keeps to the one it pursues.
    margin: Option<f64>,
}

/// A goal for which there was no plan.
#[derive(Debug)]
struct Barred {
    goal: Name,
    /// The tick from which on it may be tried again.
    until: u32,
    /// Whether anything that is believed has changed since: with nothing new, there is no plan
    /// again.
    is_stale: bool,
}

impl Pursuit {
    /// That of somebody who has no plan yet.
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

    /// The number of ticks after which a goal is tried again, or a task that has failed.
    pub fn retry(&self) -> u32 {
        self.retry
    }

    /// The goals that are not tried now.
    pub fn barred(&self) -> Vec<Name> {
        self.barred.iter().map(|one| one.goal.clone()).collect()
    }

    /// What planning came to: the goals that were tried before the one that there is a plan for had
    /// none.
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
            if self.barred.iter().all(|barred| barred.goal != *goal) {
                self.barred.push(Barred {
                    goal: goal.clone(),
                    until: tick.saturating_add(self.retry),
                    is_stale: false,
                });
            }
        }
    }

    /// Something that is believed has changed.
    pub fn stir(&mut self) {
        self.barred.iter_mut().for_each(|one| one.is_stale = true);
    }

    /// The goals that may be tried again from this tick on for which there was no plan.
    pub fn try_again(&mut self, tick: u32) -> Vec<Name> {
        let is_time = |one: &mut Barred| one.is_stale && one.until <= tick;
        let lifted = self.barred.extract_if(.., is_time);
        lifted.map(|one| one.goal).collect()
    }

    /// Goals may be tried again if anything that is believed has changed since there was no plan.
    pub fn lift_stale(&mut self) {
        self.barred.retain(|one| !one.is_stale);
    }

    /// All goals may be tried again.
    pub fn lift_all(&mut self) {
        self.barred.clear();
    }

    /// The next tick at which a goal may be tried again, where anything that is believed `is_new`.
    pub fn next_tick(&self, is_new: bool) -> Option<u32> {
        let stale = self.barred.iter().filter(|one| is_new || one.is_stale);
        stale.map(|one| one.until).min()
    }

    /// Whether it minds what its goals are worth while it follows a plan.
    pub fn minds(&self) -> bool {
        self.margin.is_some()
    }

    /// Whether another goal is to be pursued than that of a plan, by what they are worth now.
    pub fn turns(&self, plan: &Plan, wants: &[Want]) -> bool {
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
        let is_barred = |want: &&Want| self.barred.iter().any(|one| one.goal == want.goal);
        let others = wants
            .iter()
            .filter(|want| want.is_wanted() && !is_barred(want));
        let mut others = others.filter_map(|want| want.worth);
        others.any(|other| other > worth + margin)
    }

    /// Whether one of the goals that may be tried again is worth more than that of a plan.
    pub fn is_better(&self, plan: &Plan, wants: &[Want], tried_again: &[Name]) -> bool {
        let pursued = plan.aim.as_ref().and_then(|aim| aim.goal.as_ref());
        let own = wants.iter().find(|want| Some(&want.goal) == pursued);
        let own = own.and_then(|want| want.worth);
        wants
            .iter()
            .any(|want| want.is_wanted() && want.worth > own && tried_again.contains(&want.goal))
    }
}
