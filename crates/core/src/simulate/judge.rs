//! Whether a scenario's expectations are met: a scenario that has some is a test.

use serde::{Deserialize, Serialize};

use super::run::{Run, RunEnd};
use crate::document::{Document, Expectation, Name, Scenario};
use crate::lang::{parse_call, print_reference};
use crate::number::Decimal;
use crate::order::sort_by_key;
use crate::plan::{Change, Outcome, Plan, World};

/// What became of one expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It is met.
    Met,
    /// It is not, and why, in a sentence.
    Missed(String),
    /// Nothing can be said, and why: the search gave up or was stopped.
    Open(String),
}

/// Judges a scenario's expectations, in their order, by its planning and the run of its plan.
///
/// Without a run, nothing is said about its end.
pub fn judge(
    document: &Document,
    scenario: &Name,
    outcome: &Outcome,
    run: Option<&Run>,
) -> Vec<Verdict> {
    let Some(record) = document.scenarios.get(scenario) else {
        return vec![];
    };
    let verdict = |expectation| match outcome {
        Outcome::Plan(plan) => with_plan(document, record, expectation, plan, run),
        Outcome::NoPlan => without_plan(expectation),
        Outcome::GaveUp(_) => Verdict::Open("the planner gave up".to_owned()),
        Outcome::Stopped => Verdict::Open("planning was stopped".to_owned()),
        Outcome::NotPlanned(why) => Verdict::Open(why.to_string()),
    };
    record.expect.iter().map(verdict).collect()
}

fn without_plan(expectation: &Expectation) -> Verdict {
    match expectation {
        Expectation::NoPlan => Verdict::Met,
        _ => Verdict::Missed("there is no plan".to_owned()),
    }
}

fn with_plan(
    document: &Document,
    scenario: &Scenario,
    expectation: &Expectation,
    plan: &Plan,
    run: Option<&Run>,
) -> Verdict {
    let no_run = || Verdict::Open("the plan was not run".to_owned());
    let missed = match expectation {
        Expectation::PlanExists => None,
        Expectation::NoPlan => Some(format!("there is a plan of {} steps", plan.steps.len())),
        Expectation::Plan(steps) => first_difference(steps, plan),
        Expectation::Contains(call) => {
            let wanted = canonical(call);
            let found = plan.nodes.iter().any(|node| {
                // A name alone means the task with whatever arguments.
                let name = node.task.task.as_str();
                name.eq_ignore_ascii_case(&wanted)
                    || node.task.to_string().eq_ignore_ascii_case(&wanted)
            });
            (!found).then(|| format!("'{wanted}' is not in the plan"))
        }
        Expectation::CostAtMost(most) => {
            (plan.cost > *most).then(|| format!("the plan costs {}", Decimal(plan.cost)))
        }
        Expectation::Finally(formula) => {
            let Some(run) = run else { return no_run() };
            let world = final_world(document, scenario, run);
            let violation = world.violation_of_scenario(formula);
            violation.map(|part| format!("at the end of the run this does not hold: {part}"))
        }
        Expectation::Recovers => match run.map(|run| run.end) {
            None => return no_run(),
            Some(RunEnd::Complete) => None,
            Some(RunEnd::Failed) => Some("the run fails".to_owned()),
            Some(RunEnd::OutOfTime) => Some("the run does not end in time".to_owned()),
        },
    };
    missed.map_or(Verdict::Met, Verdict::Missed)
}

/// A call as the printer writes it, so that blanks make no difference; what is no call stays.
fn canonical(call: &str) -> String {
    let parsed = parse_call(call);
    match parsed.value {
        Some(reference) if parsed.errors.is_empty() => print_reference(&reference),
        _ => call.to_owned(),
    }
}

fn first_difference(expected: &[String], plan: &Plan) -> Option<String> {
    for (i, step) in plan.steps.iter().enumerate() {
        let actual = step.task.to_string();
        match expected.get(i) {
            None => return Some(format!("the plan goes on with '{actual}' after {i} steps")),
            Some(call) if !canonical(call).eq_ignore_ascii_case(&actual) => {
                return Some(format!("step {} is '{actual}', not '{call}'", i + 1));
            }
            Some(_) => {}
        }
    }
    let next = expected.get(plan.steps.len())?;
    Some(format!(
        "the plan ends after {} steps, before '{next}'",
        plan.steps.len()
    ))
}

/// The world at the end of a run.
fn final_world<'a>(document: &'a Document, scenario: &'a Scenario, run: &Run) -> World<'a> {
    // Within a tick events come before effects.
    let events = run
        .events
        .iter()
        .map(|(tick, _, changes)| (*tick, 0, changes));
    let steps = run
        .executed
        .iter()
        .map(|execution| (execution.end, 1, &execution.changes));
    let mut history: Vec<(u32, u8, &Vec<Change>)> = events.chain(steps).collect();
    sort_by_key(&mut history, |(tick, order, _)| (*tick, *order));
    let mut world = World::initial(document, scenario);
    for (_, _, changes) in history {
        world.apply(changes);
    }
    world
}
