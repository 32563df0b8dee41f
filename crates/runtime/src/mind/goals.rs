//! The current values of a character's goals, and whether they make it look for another plan.

use std::rc::Rc;

use smallvec::SmallVec;
use taskloom_document::Name;
use taskloom_domain::lang::typed::Number;
use taskloom_domain::lang::{Env, eval_number};
use taskloom_domain::records::Goal;
use taskloom_domain::text::{TypedText, values};
use taskloom_planner::compile::Problem;
use taskloom_planner::plan::{GoalValue, Plan, World};

use super::Mind;
use crate::access::AccessSet;
use crate::run::Cause;

/// Returns the facts that the values of the acting character's goals depend on.
pub fn goal_reads(world: &World) -> AccessSet {
    let mut reads = AccessSet::default();
    let domain = world.domain();
    for goal in world.actor().goals() {
        let Some(goal) = domain.goal(goal) else {
            continue;
        };
        if let Some(formula) = &goal.condition.value {
            reads.formula(world, formula, &Rc::default());
        }
        for number in values(goal.relevance.iter().chain(&goal.bias)) {
            reads.number(world, number, &Rc::default());
        }
    }
    reads
}

impl Mind {
    /// Returns `true` if its goals make it look for another plan; `is_new` if any of its beliefs has
    /// changed.
    pub(super) fn weigh(&mut self, tick: u32, is_new: bool, tried_again: &[Name]) -> bool {
        let has_trigger = is_new && self.goal_selection.has_trigger();
        let Some((plan, _)) = self
            .character
            .plan()
            .filter(|_| has_trigger || !tried_again.is_empty())
        else {
            return false;
        };
        let goal_values = self.goal_values(tick);
        self.news.concerns_goals &= !has_trigger;
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

    /// Returns the values of its goals at a tick, if it pursues any.
    pub(super) fn goal_values(&self, tick: u32) -> SmallVec<[GoalValue; 8]> {
        if !self.has_goals {
            return SmallVec::new();
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
                cooldown: self.goal_selection.cooldowns.of(name, tick),
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

    /// Returns the tick from which a task or a goal that is cooling down now may make it plan.
    pub(super) fn cooled_at(&self) -> Option<u32> {
        let goals = self.goal_selection.cooldowns.first_end();
        let goals = goals.map(|end| match self.committed() {
            Some(_) => end.max(self.goal_selection.committed_until().unwrap_or(0)),
            None => end,
        });
        let tasks = self.character.cooldowns.first_end();
        let tasks = tasks.filter(|_| !self.character.is_complete());
        goals
            .into_iter()
            .chain(tasks)
            .min()
            .filter(|_| self.observes())
    }

    /// Returns a problem without the tasks and goals that are cooling down at a tick.
    pub fn cooling_down(&self, problem: Problem, tick: u32) -> Problem {
        let tasks = self.character.cooldowns.remaining(tick);
        let goals = self.goal_selection.cooldowns.remaining(tick);
        problem.cooling_down(&tasks, &goals)
    }

    /// Records the goal of the plan that it executes from now on.
    pub fn pursue(&mut self, plan: &Plan, tick: u32) {
        let target = plan.target.as_ref();
        let goal = target.and_then(|target| target.goal.as_ref());
        let continues = self.character.plan().is_some();
        let given_up = self.goal_selection.pursue(goal, tick, continues);
        self.cool_down_goal(given_up, tick);
    }

    /// Records that it has no plan any more: it gives up the goal that it pursued.
    pub fn give_up_goal(&mut self, tick: u32) {
        let given_up = self.goal_selection.pursue(None, tick, false);
        self.cool_down_goal(given_up, tick);
    }

    /// Records the goal that its plan has just reached, if any.
    pub fn note_reached(&mut self, tick: u32) {
        if self.character.take_reached().is_some() {
            self.give_up_goal(tick);
        }
    }

    /// Starts the cooldown of a goal that was reached or given up.
    fn cool_down_goal(&mut self, goal: Option<Name>, tick: u32) {
        let Some(goal) = goal else { return };
        self.news.concerns_goals = true;
        let read = self.world.domain().goal(&goal);
        let cooldown = read.map_or(0, |read| read.record.cooldown);
        self.goal_selection.cooldowns.start(goal, tick, cooldown);
    }

    /// Returns the goal to which it is committed while it executes a plan for that.
    pub(super) fn committed(&self) -> Option<&Name> {
        self.character.plan()?;
        self.goal_selection.committed()
    }
}
