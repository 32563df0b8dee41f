//! Whether an outcome keeps what a scenario expects.

use taskloom_core::document::{Document, Expectation, Scenario};
use taskloom_core::plan::{Change, Outcome, Plan, World};
use taskloom_core::simulate::{Run, RunEnd};

use super::message::Verdict;

/// Judges every expectation of a scenario, in its order.
pub fn verdicts(
    document: &Document,
    scenario: &Scenario,
    outcome: &Outcome,
    run: Option<&Run>,
) -> Vec<Verdict> {
    let plan = match outcome {
        Outcome::Plan(plan) => Some(plan),
        Outcome::NoPlan => None,
        Outcome::GaveUp(_) | Outcome::Stopped => {
            return vec![Verdict::Unknown; scenario.expect.len()];
        }
    };
    let judge = |expectation: &Expectation| match expectation {
        Expectation::PlanExists => plan.is_some(),
        Expectation::NoPlan => plan.is_none(),
        Expectation::Plan(steps) => plan.is_some_and(|plan| is(plan, steps)),
        Expectation::Contains(task) => plan.is_some_and(|plan| contains(plan, task)),
        Expectation::CostAtMost(cost) => plan.is_some_and(|plan| plan.cost <= *cost),
        Expectation::Recovers => run.is_some_and(|run| run.end == RunEnd::Complete),
        Expectation::Finally(formula) => {
            run.is_some_and(|run| holds_finally(document, scenario, run, formula))
        }
    };
    let verdict = |kept: bool| if kept { Verdict::Kept } else { Verdict::Broken };
    scenario.expect.iter().map(judge).map(verdict).collect()
}

fn is(plan: &Plan, steps: &[String]) -> bool {
    plan.steps.len() == steps.len()
        && plan
            .steps
            .iter()
            .zip(steps)
            .all(|(step, text)| same(&step.task.to_string(), text))
}

/// A name alone means the task with whatever arguments.
fn contains(plan: &Plan, task: &str) -> bool {
    plan.nodes
        .iter()
        .any(|node| same(&node.task.to_string(), task) || same(node.task.task.as_str(), task))
}

fn holds_finally(document: &Document, scenario: &Scenario, run: &Run, formula: &str) -> bool {
    // At one tick the world's events come first, then what ends.
    let events = run
        .events
        .iter()
        .map(|(tick, _, changes)| (*tick, 0, changes));
    let ends = run.executed.iter().map(|e| (e.end, 1, &e.changes));
    let mut happened: Vec<(u32, u8, &Vec<Change>)> = events.chain(ends).collect();
    taskloom_core::order::sort_by_key(&mut happened, |(tick, order, _)| (*tick, *order));
    let mut world = World::initial(document, scenario);
    for (_, _, changes) in happened {
        world.apply(changes);
    }
    world.violation(formula, &[], &[]).is_none()
}

/// Equal but for blanks and capitals, which say nothing.
fn same(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    letters(a) == letters(b)
}
