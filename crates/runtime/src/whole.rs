//! Whole runs.

use super::run::Run;
use super::simulation::{Next, Simulation};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, Outcome, plan_by};

/// Plans a scenario and executes the plan in its world until tick `max_ticks`, planning
/// again where a step fails.
///
/// `budget` is that of each planning. A scenario that does not exist gives a run
/// without plans that has failed.
pub fn simulate(document: &Document, scenario: &Name, budget: Budget, max_ticks: u32) -> Run {
    let mut plan = by_policy(budget);
    simulate_by(document, scenario, None, &mut plan, max_ticks)
}

/// Plans as the agent wants it that plays.
pub fn by_policy(budget: Budget) -> impl FnMut(&Problem) -> Outcome + use<> {
    move |problem| plan_by(problem.policy(), problem, budget)
}

/// As [`simulate`], by whichever planner: it is given the scenario as it is at that
/// moment. `first` is what planning the scenario comes to as it stands, validated, where
/// that is known; it is of no use if events change the first tick.
pub fn simulate_by(
    document: &Document,
    scenario: &Name,
    first: Option<Outcome>,
    plan: &mut dyn FnMut(&Problem) -> Outcome,
    max_ticks: u32,
) -> Run {
    let problem = compile(document, scenario);
    simulate_problem(document, scenario, &problem, first, plan, max_ticks)
}

/// The same of a scenario that is compiled already.
pub(crate) fn simulate_problem(
    document: &Document,
    scenario: &Name,
    problem: &Problem,
    first: Option<Outcome>,
    plan: &mut dyn FnMut(&Problem) -> Outcome,
    max_ticks: u32,
) -> Run {
    let document = &*document.without_muted();
    let Some(mut simulation) = Simulation::new(document, scenario, problem, first, max_ticks)
    else {
        return Run::default();
    };
    loop {
        match simulation.step() {
            Next::More => {}
            Next::Plan(problem) => simulation.planned(plan(&problem), &Stop::default()),
            Next::Ended(run) => return *run,
        }
    }
}
