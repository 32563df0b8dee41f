//! The current values of a character's goals, and whether they make it look for another plan.

use std::sync::Arc;

use taskloom_document::{Goal, Name};
use taskloom_domain::Player;
use taskloom_domain::elaborate::TypedText;
use taskloom_domain::lang::typed::{Formula, Number};
use taskloom_domain::lang::{Env, eval_number, read_formula, read_number};
use taskloom_planner::plan::{GoalValue, World};

use super::Member;
use crate::run::Cause;

/// A goal of its agent, with parsed texts.
pub(super) struct PursuedGoal {
    goal: Name,
    condition: TypedText<Formula>,
    priority: f64,
    relevance: TypedText<Number>,
    bias: TypedText<Number>,
}

impl PursuedGoal {
    /// Returns the goals of a character.
    pub(super) fn all(world: &World, player: Player) -> Vec<Self> {
        let scope = world.scenario_scope();
        let domain = world.domain();
        let goals = player.goals().iter();
        let goals = goals.filter_map(|name| Some((name, world.document().goals.get(name)?)));
        let goal = |(name, goal): (&Name, &Arc<Goal>)| Self {
            goal: name.clone(),
            condition: domain.read(&goal.condition, &scope, read_formula),
            priority: f64::from(goal.priority),
            relevance: domain.read(&goal.relevance, &scope, read_number),
            bias: domain.read(&goal.bias, &scope, read_number),
        };
        goals.map(goal).collect()
    }
}

impl Member<'_> {
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

    /// Returns the current values of its goals.
    pub(super) fn goal_values(&self) -> Vec<GoalValue> {
        let world = self.believed();
        let domain = world.domain();
        let number = |read: &TypedText<Number>, default: f64| {
            if read.text.trim().is_empty() {
                return Some(default);
            }
            let number = read.value.as_ref();
            let number = number.filter(|number| domain.number_is_readable(number))?;
            eval_number(number, world, &Env::new()).ok()
        };
        let goal_value = |goal: &PursuedGoal| {
            let value = || {
                let value =
                    goal.priority * number(&goal.relevance, 1.0)? + number(&goal.bias, 0.0)?;
                value.is_finite().then_some(value)
            };
            GoalValue {
                goal: goal.goal.clone(),
                value: value(),
                holds: world.holds(&goal.condition, &Env::new()) == Ok(true),
            }
        };
        self.goals.iter().map(goal_value).collect()
    }

    /// Returns the tick from which its goals may make it look for another plan, if nobody else changes
    /// anything.
    pub(super) fn goals_due_at(&self) -> Option<u32> {
        if !self.has_goals || self.character.plan().is_none() {
            return None;
        }
        let is_new = self.has_changed_itself;
        let has_trigger = (is_new && self.goal_selection.has_trigger()).then_some(0);
        has_trigger.or_else(|| self.goal_selection.next_tick(is_new || self.plans_by_time))
    }
}
