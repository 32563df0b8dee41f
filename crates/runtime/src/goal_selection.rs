//! A character's selection of goals: the one it pursues, and those that it doesn't try for now.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use taskloom_document::{Name, Planning};
use taskloom_domain::Actor;
use taskloom_planner::plan::{GoalValue, Outcome, Plan};

/// The goal selection of a character.
#[derive(Debug, Default)]
pub struct GoalSelection {
    /// The values of its goals at its last planning.
    pub goal_values: Vec<GoalValue>,
    /// Goals for which there was no plan.
    excluded: Vec<Excluded>,
    /// The number of ticks after which a goal is retried.
    retry: u32,
    /// The margin by which another goal's value must be higher; `None` if it never switches goals.
    margin: Option<f64>,
}

/// A goal for which there was no plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Excluded {
    goal: Name,
    /// The tick from which it may be retried.
    until: u32,
    /// `true` if any belief has changed since: without a change, there would be no plan again.
    is_stale: bool,
}

/// The saved state of a [`GoalSelection`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedGoals {
    goal_values: Vec<GoalValue>,
    excluded: Vec<Excluded>,
}

impl GoalSelection {
    /// Creates the goal selection of a character without a plan.
    pub fn new(actor: &Actor) -> Self {
        let agent = actor.agent.as_ref().map(|(_, agent)| agent);
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

    /// Returns its state.
    pub fn save(&self) -> SavedGoals {
        SavedGoals {
            goal_values: self.goal_values.clone(),
            excluded: self.excluded.clone(),
        }
    }

    /// Restores a saved state, as far as the goals still exist.
    pub fn load(&mut self, saved: SavedGoals, goals: &[Name]) {
        let SavedGoals {
            mut goal_values,
            mut excluded,
        } = saved;
        goal_values.retain(|value| goals.contains(&value.goal));
        excluded.retain(|one| goals.contains(&one.goal));
        (self.goal_values, self.excluded) = (goal_values, excluded);
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
            Outcome::Plan(plan) => plan.target.as_ref().and_then(|target| target.goal.as_ref()),
            Outcome::NoPlan | Outcome::GaveUp(_) => None,
            Outcome::Stopped | Outcome::NotPlanned(_) => return,
        };
        let mut tried: Vec<&GoalValue> = self
            .goal_values
            .iter()
            .filter(|goal_value| goal_value.is_active())
            .collect();
        tried.sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
        let failed = tried
            .into_iter()
            .take_while(|goal_value| Some(&goal_value.goal) != goal);
        for GoalValue { goal, .. } in failed {
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
    pub fn should_switch(&self, plan: &Plan, goal_values: &[GoalValue]) -> bool {
        let pursued = plan.target.as_ref().and_then(|target| target.goal.as_ref());
        let (Some(margin), Some(pursued)) = (self.margin, pursued) else {
            return false;
        };
        let own = goal_values
            .iter()
            .find(|goal_value| goal_value.goal == *pursued);
        let Some(value) = own
            .filter(|goal_value| goal_value.is_active())
            .and_then(|goal_value| goal_value.value)
        else {
            return true;
        };
        let is_excluded =
            |goal_value: &&GoalValue| self.excluded.iter().any(|one| one.goal == goal_value.goal);
        let others = goal_values
            .iter()
            .filter(|goal_value| goal_value.is_active() && !is_excluded(goal_value));
        let mut others = others.filter_map(|goal_value| goal_value.value);
        others.any(|other| other > value + margin)
    }

    /// Returns `true` if one of the retried goals has a higher value than that of a plan.
    pub fn is_better(&self, plan: &Plan, goal_values: &[GoalValue], tried_again: &[Name]) -> bool {
        let pursued = plan.target.as_ref().and_then(|target| target.goal.as_ref());
        let own = goal_values
            .iter()
            .find(|goal_value| Some(&goal_value.goal) == pursued);
        let own = own.and_then(|goal_value| goal_value.value);
        goal_values.iter().any(|goal_value| {
            goal_value.is_active()
                && goal_value.value > own
                && tried_again.contains(&goal_value.goal)
        })
    }
}
