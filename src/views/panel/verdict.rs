//! Whether an answer keeps what a scenario expects.

use taskloom_core::document::Expectation;
use taskloom_core::plan::{Outcome, Plan};
use taskloom_core::simulate::RunEnd;

use crate::job::Answer;

/// What is known of an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The answer keeps it.
    Kept,
    /// It does not.
    Broken,
    /// There is no answer, or the search was not ended.
    Unknown,
}

/// Judges one expectation by the newest answer for its scenario.
pub fn verdict(expectation: &Expectation, answer: Option<&Answer>) -> Verdict {
    let Some(answer) = answer else {
        return Verdict::Unknown;
    };
    let plan = match &answer.outcome {
        Outcome::Plan(plan) => Some(plan),
        Outcome::NoPlan => None,
        Outcome::GaveUp(_) | Outcome::Stopped => return Verdict::Unknown,
    };
    let kept = match expectation {
        Expectation::PlanExists => plan.is_some(),
        Expectation::NoPlan => plan.is_none(),
        Expectation::Plan(steps) => plan.is_some_and(|plan| {
            plan.steps.len() == steps.len()
                && plan
                    .steps
                    .iter()
                    .zip(steps)
                    .all(|(step, text)| same(&step.task.to_string(), text))
        }),
        Expectation::Contains(task) => plan.is_some_and(|plan| contains(plan, task)),
        Expectation::CostAtMost(cost) => plan.is_some_and(|plan| plan.cost <= *cost),
        Expectation::Recovers => answer
            .run
            .as_ref()
            .is_some_and(|run| run.end == RunEnd::Complete),
        Expectation::Finally(_) => return Verdict::Unknown,
    };
    if kept { Verdict::Kept } else { Verdict::Broken }
}

/// A name alone means the task with whatever arguments.
fn contains(plan: &Plan, task: &str) -> bool {
    plan.nodes
        .iter()
        .any(|node| same(&node.task.to_string(), task) || same(node.task.task.as_str(), task))
}

fn same(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    letters(a) == letters(b)
}
