//! The current values of a character's goals, and whether they make it look for another plan.

use taskloom_document::Name;
use taskloom_domain::lang::typed::Number;
use taskloom_domain::lang::{Env, eval_number};
use taskloom_domain::records::Goal;
use taskloom_domain::text::TypedText;
use taskloom_planner::plan::{GoalValue, Plan};

use super::Mind;
use crate::run::Cause;

impl Mind {
    /// Returns `true` if its goals make it look for another plan; `is_new` if any of its beliefs has
    /// changed.
    pub(super) fn weigh(&mut self, is_new: bool, tried_again: &[Name]) -> bool {
        let has_trigger = is_new && self.goal_selection.has_trigger();
        let Some((plan, _)) = self
            .character
            .plan()
            .filter(|_| has_trigger || !tried_again.is_empty())
        else {
            return false;
        };
        let goal_values = self.goal_values();
        if has_trigger && self.goal_selection.should_switch(plan, &goal_values) {
            self.character.reconsider(Cause::Goal);
        } else if self
            .goal_selection
            .is_better(plan, &goal_values, tried_again)
        {
            self.character.reconsider(Cause::Retry);
        } else {
            return false;
        }
        true
    }

    /// Returns the current values of its goals, if it pursues any.
    pub(super) fn goal_values(&self) -> Vec<GoalValue> {
        if !self.has_goals {
            return vec![];
        }
        let world = self.believed();
        let domain = world.domain();
        let number = |read: &Option<TypedText<Number>>, default: f64| {
            let Some(read) = read else {
                return Some(default);
            };
            let number = read.value.as_ref();
            let number = number.filter(|number| domain.number_is_readable(number))?;
            eval_number(number, world, &Env::new()).ok()
        };
        let goal_value = |(name, goal): (&Name, &Goal)| {
            let value = || {
                let priority = f64::from(goal.record.priority);
                let value = priority * number(&goal.relevance, 1.0)? + number(&goal.bias, 0.0)?;
                value.is_finite().then_some(value)
            };
            GoalValue {
                goal: name.clone(),
                value: value(),
                holds: world.holds(&goal.condition, &Env::new()) == Ok(true),
            }
        };
        let goals = self.actor.goals().iter();
        let goals = goals.filter_map(|name| Some((name, domain.goal(name)?)));
        goals.map(goal_value).collect()
    }

    /// Returns the tick from which its goals may make it look for another plan, if nobody else changes
    /// anything.
    pub(super) fn goals_due_at(&self) -> Option<u32> {
        if !self.has_goals || self.character.plan().is_none() {
            return None;
        }
        let is_new = self.news.by_itself;
        let has_trigger = (is_new && self.goal_selection.has_trigger()).then_some(0);
        let until = self.goal_selection.committed_until();
        let retries = || self.goal_selection.next_tick(is_new || self.plans_by_time);
        has_trigger.or(until).or_else(retries)
    }

    /// Records the goal of the plan that it executes from now on.
    pub fn pursue(&mut self, plan: &Plan, tick: u32) {
        let target = plan.target.as_ref();
        let goal = target.and_then(|target| target.goal.as_ref());
        let continues = self.character.plan().is_some();
        self.goal_selection.pursue(goal, tick, continues);
    }

    /// Returns the goal to which it is committed while it executes a plan for that.
    pub(super) fn committed(&self) -> Option<&Name> {
        self.character.plan()?;
        self.goal_selection.committed()
    }
}
