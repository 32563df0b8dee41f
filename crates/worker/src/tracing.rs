//! The search for a later plan of a run, repeated with a trace, which the run itself doesn't record.

use std::sync::Arc;

use taskloom_domain::Domain;
use taskloom_planner::compile::Compilation;
use taskloom_planner::plan::StartSearch;
use taskloom_runtime::{MAX_TICKS, Next, Simulation};

use crate::answer::SearchReport;
use crate::attempt::{AGAIN, Attempt, until};
use crate::experiment::with_interventions;
use crate::message::Wanted;

/// The time limit, in milliseconds.
const LIMIT: f64 = 15_000.0;

/// Runs a scenario as for a request, up to the planning with this index in the run. Returns the
/// search of that planning; `None` if it needed no search.
///
/// # Errors
/// Returns the reason why the planning isn't reached.
pub fn traced(
    wanted: &Wanted,
    planning: usize,
    start: StartSearch,
    now: fn() -> f64,
) -> Result<Option<SearchReport>, String> {
    let deadline = now() + LIMIT;
    let late = || match now() >= deadline {
        true => Err("it takes too long".to_owned()),
        false => Ok(()),
    };
    let document = wanted.document.read(None);
    let document = document.ok_or("the document can't be read")?;
    let scenario = &wanted.scenario;
    let document = with_interventions(document, scenario, &wanted.experiment.interventions);
    let domain = Domain::from(Arc::new(document));
    let mut compiling = Compilation::new(&domain, (scenario, 0), &until(now, deadline));
    let problem = loop {
        late()?;
        if let Some(problem) = compiling.step() {
            break problem;
        }
    };
    let strategy = wanted.is_for_all.then_some(wanted.strategy);
    let mut report = None;
    let Some(mut simulation) = Simulation::new(&domain, scenario, &problem, None, MAX_TICKS) else {
        return Ok(None);
    };
    while simulation.planning_count() <= planning {
        late()?;
        let problem = match simulation.step() {
            Next::More => continue,
            Next::Plan(problem) => problem,
            Next::Ended(_) => break,
        };
        let is_it = simulation.planning_count() == planning;
        let trace_bound = if is_it { wanted.trace_bound } else { 0 };
        let strategy = strategy.unwrap_or_else(|| problem.policy().into());
        let begun = now();
        let mut attempt = Attempt::traced(&problem, strategy, start, trace_bound, now);
        let outcome = loop {
            if let Some(outcome) = attempt.step() {
                break outcome;
            }
        };
        if is_it {
            report = Some(attempt.report(((now() - begun) * 1000.0) as u64));
        }
        simulation.planned(outcome, &until(now, now() + AGAIN));
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, SentDocument};
    use taskloom_planner::plan::{Strategy, TraceKind};

    const BALL: &str = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");

    fn trace(planning: usize) -> Result<Option<SearchReport>, String> {
        let wanted = Wanted {
            revision: 1,
            document: SentDocument::Whole(BALL.to_owned()),
            scenario: "case-5-the-box-slams-shut".parse().unwrap(),
            character: 0,
            strategy: Strategy::First,
            is_for_all: false,
            experiment: Experiment::default(),
            millis: 1_000,
            trace_bound: 1_000,
        };
        traced(&wanted, planning, Strategy::search, || 0.0)
    }

    #[test]
    fn later_plannings_of_a_run_are_traced() {
        let tasks = |planning| {
            let report = trace(planning).unwrap().unwrap();
            assert!(report.statistics.nodes > 0);
            let events = report.trace.events.into_iter();
            let tasks = events.filter(|event| matches!(event.kind, TraceKind::Task { .. }));
            tasks
                .map(|event| event.task.to_string())
                .collect::<Vec<_>>()
        };
        let (first, second) = (tasks(0), tasks(1));
        let opens = |tasks: &[String]| tasks.iter().any(|task| task == "open-box");
        assert!(!opens(&first), "the box is open: {first:?}");
        assert!(opens(&second), "it has slammed shut: {second:?}");
    }

    #[test]
    fn runs_end_before_plannings_that_they_do_not_have() {
        assert_eq!(trace(9), Ok(None));
    }
}
