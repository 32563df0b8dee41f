//! Checks a scenario's expectations: a scenario with expectations is a test.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chance::canonical;
use super::history::{Moment, world_at};
use super::run::{MAX_PLANS, Run, RunEnd};
use super::thrashing::Thrashing;
use taskloom_document::{Expectation, Name};
use taskloom_domain::{Domain, Scene};
use taskloom_planner::plan::{Outcome, Plan};

/// The result of checking one expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The expectation is met.
    Met,
    /// The expectation is not met, with the reason.
    Missed(String),
    /// Undecided, with the reason: for example, the search gave up or was stopped.
    Open(String),
}

/// Checks a scenario's expectations, in their order: those about the plan by the outcome of
/// planning the initial situation, those about the run by `run`. `outcome` is an error with the
/// reason if the validator rejected the plan.
///
/// Without a run, expectations about the run are undecided.
pub fn check_expectations(
    domain: &Domain,
    scenario: &Name,
    outcome: Result<&Outcome, &str>,
    run: Option<&Run>,
) -> Vec<Verdict> {
    let Some(scene) = domain.scene(scenario) else {
        return vec![];
    };
    let verdict = |(number, expectation): (usize, &Expectation)| match (expectation, run) {
        (Expectation::Contains(text) | Expectation::Finally(text), _) if text.trim().is_empty() => {
            Verdict::Open(INCOMPLETE.to_owned())
        }
        (Expectation::Finally(_) | Expectation::Recovers, Some(run)) => {
            of_run(domain, scene, number, run)
        }
        _ => match outcome {
            Ok(Outcome::Plan(plan)) if plan.is_partial() => Verdict::Open(PARTIAL.to_owned()),
            Ok(Outcome::Plan(plan)) => of_plan(expectation, plan),
            Ok(Outcome::NoPlan) => without_plan(expectation),
            Ok(Outcome::GaveUp(_)) => Verdict::Open(GAVE_UP.to_owned()),
            Ok(Outcome::Stopped) => Verdict::Open(STOPPED.to_owned()),
            Ok(Outcome::NotPlanned(why)) => Verdict::Open(why.to_string()),
            Err(reason) => refused(reason),
        },
    };
    let expected = scene.record.expect.iter().enumerate();
    expected.map(verdict).collect()
}

const GAVE_UP: &str = "the planner gave up";
const PARTIAL: &str = "the planner gave up: its plan doesn't reach the goal";
const STOPPED: &str = "planning was stopped";
const INCOMPLETE: &str = "the expectation is empty";

fn refused(reason: &str) -> Verdict {
    Verdict::Open(format!(
        "internal error: the planner produced an invalid plan: {reason}"
    ))
}

fn without_plan(expectation: &Expectation) -> Verdict {
    match expectation {
        Expectation::NoPlan => Verdict::Met,
        _ => Verdict::Missed("there is no plan".to_owned()),
    }
}

fn of_plan(expectation: &Expectation, plan: &Plan) -> Verdict {
    let missed = match expectation {
        Expectation::PlanExists => None,
        Expectation::NoPlan => Some(format!("a plan exists, with {}", count(plan.steps.len()))),
        Expectation::Plan(steps) => first_difference(steps, plan),
        Expectation::Contains(call) => {
            let wanted = canonical(call);
            let found = plan.nodes.iter().any(|node| {
                // A name alone matches the task with any arguments.
                let name = node.task.task.as_str();
                name.eq_ignore_ascii_case(&wanted)
                    || node.task.to_string().eq_ignore_ascii_case(&wanted)
            });
            (!found).then(|| format!("'{wanted}' is not in the plan"))
        }
        Expectation::CostAtMost(most) => {
            (plan.cost > *most).then(|| format!("the plan costs {}", plan.cost))
        }
        Expectation::Finally(_) | Expectation::Recovers => {
            return Verdict::Open("the plan was not run".to_owned());
        }
    };
    missed.map_or(Verdict::Met, Verdict::Missed)
}

/// Checks an expectation about the run, by its number.
fn of_run(domain: &Domain, scene: &Arc<Scene>, number: usize, run: &Run) -> Verdict {
    // A run that failed without a plan decides nothing, unless the planner has proved that
    // there is none.
    match (&run.end, run.plans.last().map(|last| &last.outcome)) {
        (RunEnd::Stopped, _) => return Verdict::Open(STOPPED.to_owned()),
        (RunEnd::Failed, Some(Ok(Outcome::GaveUp(_)))) => {
            return Verdict::Open(GAVE_UP.to_owned());
        }
        (RunEnd::Failed, Some(Err(reason))) => return refused(reason),
        _ => {}
    }
    let missed = match scene.finally(domain.texts(), number) {
        Some(formula) => {
            let world = world_at(domain, scene, run, Moment::Tick(run.ticks));
            let violation = world.violation(formula);
            violation.map(|part| format!("false at the end of the run: {part}"))
        }
        None => match &run.end {
            RunEnd::Complete | RunEnd::Stopped => None,
            RunEnd::Endless => Some("the run never completes: it goes on endlessly".to_owned()),
            RunEnd::GoalMissed(part) => {
                Some(format!("the goal is false at the end of the run: {part}"))
            }
            RunEnd::Failed => Some("the run fails: there is no plan".to_owned()),
            RunEnd::OutOfTicks => Some(match run.oscillating_goals() {
                Some([one, other]) => format!(
                    "the run was cut off at tick {}: the goals '{one}' and '{other}' undo each other",
                    run.ticks
                ),
                None => {
                    let why = run.thrashing().map(|thrashing| why(&thrashing, scene));
                    format!(
                        "the run was cut off at tick {}{}",
                        run.ticks,
                        why.unwrap_or_default()
                    )
                }
            }),
            RunEnd::OutOfPlans => Some(format!(
                "the run was cut off: {MAX_PLANS} plans made no progress"
            )),
        },
    };
    missed.map_or(Verdict::Met, Verdict::Missed)
}

/// Returns the reason why a run made no progress, as a suffix of the message.
fn why(thrashing: &Thrashing, scene: &Scene) -> String {
    let name = |character: usize| {
        let name = scene.cast.get(character).and_then(|actor| actor.name());
        name.map_or_else(|| "the actor".to_owned(), |name| format!("'{name}'"))
    };
    match thrashing {
        Thrashing::Alternates(character, [one, other]) => format!(
            ": {} keeps switching between the goals '{one}' and '{other}'",
            name(*character)
        ),
        Thrashing::Switches(character) => format!(
            ": {} keeps replanning without completing a step",
            name(*character)
        ),
        Thrashing::Undoes([one, other], atom) => format!(
            ": {} and {} change {atom} back and forth",
            name(*one),
            name(*other)
        ),
    }
}

fn first_difference(expected: &[String], plan: &Plan) -> Option<String> {
    for (i, step) in plan.steps.iter().enumerate() {
        let actual = step.task.to_string();
        match expected.get(i) {
            None => {
                return Some(format!(
                    "the plan continues with '{actual}' after {}",
                    count(i)
                ));
            }
            Some(call) if !canonical(call).eq_ignore_ascii_case(&actual) => {
                return Some(format!("step {} is '{actual}', not '{call}'", i + 1));
            }
            Some(_) => {}
        }
    }
    let next = expected.get(plan.steps.len())?;
    Some(format!(
        "the plan ends after {}, before '{next}'",
        count(plan.steps.len())
    ))
}

/// Returns a number of steps in words.
fn count(steps: usize) -> String {
    match steps {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    }
}
