//! Runs scenarios to their end.

use super::run::Run;
use super::simulation::{Next, Simulation};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, Outcome, plan_by};

/// Plans a scenario and executes the plan in its world until tick `max_ticks`, replanning
/// if a step fails.
///
/// `budget` applies to each planning. For a scenario that does not exist, the result is a
/// failed run without plans.
pub fn simulate(document: &Document, scenario: &Name, budget: Budget, max_ticks: u32) -> Run {
    let mut plan = default_planner(budget);
    simulate_by(document, scenario, None, &mut plan, max_ticks)
}

/// Returns a planner that uses the agent's policy.
pub fn default_planner(budget: Budget) -> impl FnMut(&Problem) -> Outcome + use<> {
    move |problem| plan_by(problem.policy(), problem, budget)
}

/// Runs a scenario like [`simulate`], with any planner, which is called with the scenario's
/// state at that moment. `first` is the validated outcome of planning the scenario as it
/// stands, if known; it is ignored if events change the first tick.
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

/// Runs a scenario that is already compiled.
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
