//! What an answer contains: the scenario's plan, and those that its run made.

use taskloom::planner::plan::{Outcome, Plan};

use super::message::Answer;

impl Answer {
    /// Returns one of the run's plans, by index, or the scenario's plan.
    pub fn plan_at(&self, plan: Option<usize>) -> Option<&Plan> {
        match (plan, &self.outcome) {
            (Some(plan), _) => self.run.as_ref()?.plans.get(plan)?.plan(),
            (None, Outcome::Plan(plan)) => Some(plan),
            (None, _) => None,
        }
    }

    /// Returns one of the run's plans, by index, or otherwise the scenario's plan.
    pub fn plan_at_or_own(&self, plan: Option<usize>) -> Option<&Plan> {
        self.plan_at(plan).or_else(|| self.plan_at(None))
    }

    /// Returns the plan of the first character: the answer's own, or the run's first one.
    pub fn plan_of_first(&self) -> Option<&Plan> {
        if self.character == 0 {
            return self.plan_at(None);
        }
        let mut plans = self.run.as_ref()?.plans.iter();
        plans.find(|planning| planning.character == 0)?.plan()
    }

    /// Returns `true` if one of the run's plans differs from the scenario's plan.
    pub fn is_another_plan(&self, plan: usize) -> bool {
        let plans = self.run.as_ref().map_or(&[][..], |run| &run.plans);
        let first = plans.iter().position(|p| p.character == self.character);
        Some(plan) != first || self.plan_at(Some(plan)) != self.plan_at(None)
    }

    /// Returns the tick at which the longer of its runs ended.
    pub fn last_tick(&self) -> u32 {
        let runs = self.run.iter().chain(&self.compared);
        runs.map(|run| run.ticks).max().unwrap_or(0)
    }
}
