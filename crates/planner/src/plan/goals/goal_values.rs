//! The values of goals (semantics, section 4).

use serde::{Deserialize, Serialize};
use taskloom_document::Name;

use crate::compile::{FlatGoal, NumberId, Problem};
use crate::plan::evaluate::{Evaluation, Frames, UNDEFINED};
use taskloom_domain::lang::decimal::rounded;

/// The value of one of an agent's goals in a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GoalValue {
    /// The name of the goal.
    pub goal: Name,
    /// The value: priority times relevance, plus bias; `None` if it is undefined.
    pub value: Option<f64>,
    /// `true` if the goal holds already.
    pub holds: bool,
    /// The number of ticks until it may be pursued again; 0 if it isn't cooling down.
    #[serde(default)]
    pub cooldown: u32,
}

impl GoalValue {
    /// Returns `true` if the goal should be reached: it doesn't hold, its value is positive, and it
    /// isn't cooling down.
    pub fn is_active(&self) -> bool {
        !self.holds && self.value > Some(0.0) && self.cooldown == 0
    }
}

impl Problem {
    /// Returns the values of the acting agent's goals in the initial state.
    pub fn goal_values(&self) -> Vec<GoalValue> {
        let goals = self.flat().goals.iter();
        let goal_values = goals.filter_map(|goal| {
            let name = goal.name.clone()?;
            let mut evaluation = GoalEvaluation::of(self, goal);
            Some(GoalValue {
                cooldown: self.goal_cooldown(&name),
                goal: name,
                value: evaluation.value(),
                holds: evaluation.holds(),
            })
        });
        goal_values.collect()
    }

    /// Returns the goals to reach, in order of descending value: the scenario's, or those of the
    /// agent's that don't hold, have a positive value, and aren't cooling down. Each comes with its index.
    pub(super) fn active_goals(&self) -> Vec<(usize, &FlatGoal)> {
        let goals = self.flat().goals.iter().enumerate();
        let goals = goals.filter_map(|(number, goal)| {
            let mut evaluation = GoalEvaluation::of(self, goal);
            let value = evaluation.value()?;
            let cooldown = goal.name.as_ref().map(|name| self.goal_cooldown(name));
            let is_active =
                cooldown.is_none_or(|ticks| ticks == 0 && value > 0.0 && !evaluation.holds());
            is_active.then_some((value, (number, goal)))
        });
        let mut goals: Vec<(f64, (usize, &FlatGoal))> = goals.collect();
        goals.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        goals.into_iter().map(|(_, goal)| goal).collect()
    }

    /// Returns the names of the acting agent's goals that should be reached, in order of descending value.
    pub fn goals_to_reach(&self) -> Vec<Name> {
        let goals = self.active_goals().into_iter();
        goals.filter_map(|(_, goal)| goal.name.clone()).collect()
    }

    /// Returns `true` if a goal is currently excluded from planning.
    pub(super) fn is_excluded(&self, goal: &FlatGoal) -> bool {
        let name = goal.name.as_ref();
        name.is_some_and(|name| self.excluded_goals().contains(name))
    }
}

/// A goal in the initial state.
struct GoalEvaluation<'a> {
    problem: &'a Problem,
    goal: &'a FlatGoal,
    frames: Frames,
}

impl<'a> GoalEvaluation<'a> {
    fn of(problem: &'a Problem, goal: &'a FlatGoal) -> Self {
        let mut frames = Frames::new(u64::MAX, problem.stop().clone());
        frames.slots.resize(goal.frame as usize, UNDEFINED);
        Self {
            problem,
            goal,
            frames,
        }
    }

    fn number(&mut self, number: NumberId) -> f64 {
        let (flat, state) = (self.problem.flat(), self.problem.initial());
        Evaluation::new(flat, state, &mut self.frames, 0).number(number)
    }

    fn value(&mut self) -> Option<f64> {
        let relevance = self.goal.relevance?;
        let bias = self.goal.bias?;
        let product = rounded(self.goal.priority * self.number(relevance));
        let value = rounded(product + self.number(bias));
        value.is_finite().then_some(value)
    }

    /// Returns `true` if the goal's final condition holds.
    fn holds(&mut self) -> bool {
        let (flat, state) = (self.problem.flat(), self.problem.initial());
        let last = self.goal.stages.last();
        let mut evaluation = Evaluation::new(flat, state, &mut self.frames, 0);
        last.is_some_and(|last| evaluation.first_failing(last).is_none())
    }
}
