//! What goals are worth (semantics, section 4).

use serde::{Deserialize, Serialize};
use taskloom_document::Name;

use crate::compile::{FlatGoal, NumberId, Problem};
use crate::plan::evaluate::{Evaluation, Frames, NOTHING};

/// A goal of an agent's in a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Want {
    /// Which.
    pub goal: Name,
    /// Priority times relevance and bias; none where that has no value.
    pub worth: Option<f64>,
    /// Whether it holds already.
    pub holds: bool,
}

impl Want {
    /// Whether it is to be reached: it does not hold, and is worth more than nothing.
    pub fn is_wanted(&self) -> bool {
        !self.holds && self.worth > Some(0.0)
    }
}

impl Problem {
    /// What the goals of the agent that plays are worth where the problem starts.
    pub fn wants(&self) -> Vec<Want> {
        let goals = self.flat().goals.iter();
        let wants = goals.filter_map(|goal| {
            let name = goal.name.clone()?;
            let mut worth = Worth::of(self, goal);
            Some(Want {
                goal: name,
                worth: worth.value(),
                holds: worth.holds(),
            })
        });
        wants.collect()
    }

    /// The goals that are to be reached, the worthiest first: the scenario's, or those of the
    /// agent's that do not hold and are worth more than nothing.
    pub(super) fn wanted(&self) -> Vec<&FlatGoal> {
        let goals = self.flat().goals.iter();
        let goals = goals.filter_map(|goal| {
            let mut worth = Worth::of(self, goal);
            let value = worth.value()?;
            let is_wanted = goal.name.is_none() || value > 0.0 && !worth.holds();
            is_wanted.then_some((value, goal))
        });
        let mut goals: Vec<(f64, &FlatGoal)> = goals.collect();
        goals.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        goals.into_iter().map(|(_, goal)| goal).collect()
    }

    /// Whether there are no plans for a goal now.
    pub(super) fn bars(&self, goal: &FlatGoal) -> bool {
        let name = goal.name.as_ref();
        name.is_some_and(|name| self.barred().contains(name))
    }
}

/// A goal where a problem starts.
struct Worth<'a> {
    problem: &'a Problem,
    goal: &'a FlatGoal,
    frames: Frames,
}

impl<'a> Worth<'a> {
    fn of(problem: &'a Problem, goal: &'a FlatGoal) -> Self {
        let mut frames = Frames::new(u64::MAX, problem.stop().clone());
        frames.slots.resize(goal.frame as usize, NOTHING);
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
        let worth = self.goal.priority * self.number(relevance) + self.number(bias);
        worth.is_finite().then_some(worth)
    }

    /// Whether what is to hold in the end does.
    fn holds(&mut self) -> bool {
        let (flat, state) = (self.problem.flat(), self.problem.initial());
        let last = self.goal.stages.last();
        let mut evaluation = Evaluation::new(flat, state, &mut self.frames, 0);
        last.is_some_and(|last| evaluation.first_failing(last).is_none())
    }
}
