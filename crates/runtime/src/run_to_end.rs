//! Runs scenarios to their end.

use super::run::Run;
use super::simulation::{Next, Simulation};
use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, Outcome, plan_by};

/// Plans a scenario and executes the plan in its world until tick `max_ticks`, replanning
/// if a step fails.
///
/// `budget` applies to each planning. For a scenario that does not exist, the result is a
/// failed run without plans.
pub fn simulate(domain: &Domain, scenario: &Name, budget: Budget, max_ticks: u32) -> Run {
    let mut plan = default_planner(budget);
    simulate_by(domain, scenario, None, &mut plan, max_ticks)
}

/// Returns a planner that uses the agent's policy.
pub fn default_planner(budget: Budget) -> impl FnMut(&Problem) -> Outcome + use<> {
    move |problem| plan_by(problem.policy(), problem, budget)
}

/// Runs a scenario like [`simulate`], with any planner, which is called with the scenario's state
/// at that moment. `first` is the validated outcome of planning the initial situation, if known; it
/// is ignored if events change the first tick.
pub fn simulate_by(
    domain: &Domain,
    scenario: &Name,
    first: Option<Outcome>,
    plan: &mut dyn FnMut(&Problem) -> Outcome,
    max_ticks: u32,
) -> Run {
    let problem = compile(domain, scenario);
    simulate_problem(domain, scenario, &problem, first, plan, max_ticks)
}

/// Runs a scenario that is already compiled.
pub(crate) fn simulate_problem(
    domain: &Domain,
    scenario: &Name,
    problem: &Problem,
    first: Option<Outcome>,
    plan: &mut dyn FnMut(&Problem) -> Outcome,
    max_ticks: u32,
) -> Run {
    let Some(mut simulation) = Simulation::new(domain, scenario, problem, first, max_ticks) else {
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
