//! A character's selection of goals: the one it pursues, and those that it doesn't try for now.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use taskloom_document::sort::CompactSort;
use taskloom_document::{Name, Planning};
use taskloom_domain::Actor;
use taskloom_domain::lang::decimal::rounded;
use taskloom_planner::plan::{GoalValue, Outcome, Plan};

use super::cooldowns::{Cooldowns, Names};

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
    /// The minimum number of ticks before it switches to another goal.
    commitment: u32,
    /// The goal of its current plan, or of the last one.
    pursuit: Option<Pursuit>,
    /// Its goals that are cooling down.
    pub cooldowns: Cooldowns,
    /// The only goal that its last search was for; `None` if it was for all.
    only: Option<Name>,
}

/// A goal that is pursued.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Pursuit {
    goal: Name,
    /// The tick of the planning with which it began.
    since: u32,
    /// `true` until the minimum number of ticks is over.
    is_committed: bool,
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
    #[serde(default)]
    pursuit: Option<Pursuit>,
    #[serde(default)]
    cooldowns: Cooldowns,
}

impl GoalSelection {
    /// Creates the goal selection of a character without a plan.
    pub fn new(actor: &Actor) -> Self {
        let agent = actor.agent.as_ref().map(|(_, agent)| agent);
        let (retry, commitment) = match agent.map(|agent| &agent.planning) {
            Some(Planning::Goals { search, .. }) => (search.retry.max(1), search.commitment),
            _ => (1, 0),
        };
        Self {
            retry,
            commitment,
            margin: agent.and_then(|agent| agent.triggers.goal),
            ..Self::default()
        }
    }

    /// Returns its state.
    pub fn save(&self) -> SavedGoals {
        SavedGoals {
            goal_values: self.goal_values.clone(),
            excluded: self.excluded.clone(),
            pursuit: self.pursuit.clone(),
            cooldowns: self.cooldowns.clone(),
        }
    }

    /// Restores a saved state, as far as the goals still exist.
    pub fn load(&mut self, saved: SavedGoals, goals: &[Name]) {
        let SavedGoals {
            mut goal_values,
            mut excluded,
            pursuit,
            mut cooldowns,
        } = saved;
        cooldowns.retain(|goal| goals.contains(goal));
        self.cooldowns = cooldowns;
        goal_values.retain(|value| goals.contains(&value.goal));
        excluded.retain(|one| goals.contains(&one.goal));
        (self.goal_values, self.excluded) = (goal_values, excluded);
        self.pursuit = pursuit.filter(|pursuit| goals.contains(&pursuit.goal));
    }

    /// Records that it executes a plan for this goal from now on. If it `continues`, the plan replaces
    /// another one of an actor that executes it; for the same goal, the pursuit goes on. Returns the goal
    /// that it gives up for this one.
    pub fn pursue(&mut self, goal: Option<&Name>, tick: u32, continues: bool) -> Option<Name> {
        let pursued = self.pursuit.as_ref().map(|pursuit| &pursuit.goal);
        if continues && pursued == goal {
            return None;
        }
        let new = goal.map(|goal| Pursuit {
            goal: goal.clone(),
            since: tick,
            is_committed: self.commitment > 0,
        });
        let old = std::mem::replace(&mut self.pursuit, new)?;
        Some(old.goal).filter(|old| Some(old) != goal)
    }

    /// Returns the goal to which it is committed, if it executes a plan for that.
    pub fn committed(&self) -> Option<&Name> {
        let pursuit = self.pursuit.as_ref().filter(|one| one.is_committed);
        pursuit.map(|pursuit| &pursuit.goal)
    }

    /// Returns the tick from which it may switch to another goal, if it is committed to one.
    pub fn committed_until(&self) -> Option<u32> {
        let pursuit = self.pursuit.as_ref().filter(|one| one.is_committed)?;
        Some(pursuit.since.saturating_add(self.commitment))
    }

    /// Begins a turn. Returns `true` if its commitment has ended since the last one.
    pub fn end_commitment(&mut self, tick: u32) -> bool {
        let is_over = self.committed_until().is_some_and(|until| until <= tick);
        if let Some(pursuit) = self.pursuit.as_mut().filter(|_| is_over) {
            pursuit.is_committed = false;
        }
        is_over
    }

    /// Returns the number of ticks after which a goal, or a task that has failed, is retried.
    pub fn retry(&self) -> u32 {
        self.retry
    }

    /// Returns the goals that are excluded from the next search. It is for `only` one of them, if given.
    pub fn excluded(&mut self, only: Option<Name>) -> Vec<Name> {
        let excluded = self.excluded.iter().map(|one| one.goal.clone());
        let mut excluded: Vec<Name> = excluded.collect();
        if only.is_some() {
            let others = self.goal_values.iter().map(|value| value.goal.clone());
            excluded.extend(others.filter(|goal| Some(goal) != only.as_ref()));
        }
        self.only = only;
        excluded
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
            .filter(|value| self.only.as_ref().is_none_or(|only| value.goal == *only))
            .collect();
        tried.compact_sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
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
    pub fn take_retries(&mut self, tick: u32) -> Names {
        let is_time = |one: &mut Excluded| one.is_stale && one.until <= tick;
        let retries = self.excluded.extract_if(.., is_time);
        retries.map(|one| one.goal).collect()
    }

    /// Takes the goals that have cooled down by a tick.
    pub fn take_cooled(&mut self, tick: u32) -> Names {
        self.cooldowns.take_over(tick)
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
        if self.committed().is_some() {
            return false;
        }
        let is_excluded =
            |goal_value: &&GoalValue| self.excluded.iter().any(|one| one.goal == goal_value.goal);
        let others = goal_values
            .iter()
            .filter(|goal_value| goal_value.is_active() && !is_excluded(goal_value));
        let mut others = others.filter_map(|goal_value| goal_value.value);
        others.any(|other| other > rounded(value + margin))
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
