//! Whole runs.

use super::engine::{Next, Simulation};
use super::run::Run;
use taskloom_document::{Document, Name};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, plan_by, policy, validate};

/// Plans a scenario and executes the plan in its world until tick `max_ticks`, planning
/// again where a step fails.
///
/// `budget` is that of each planning. A scenario that does not exist gives a run
/// without plans that has failed.
pub fn simulate(document: &Document, scenario: &Name, budget: Budget, max_ticks: u32) -> Run {
    let mut plan = by_policy(scenario, budget);
    simulate_by(document, scenario, None, &mut plan, max_ticks)
}

/// Plans a scenario as its agents in play want it.
pub fn by_policy(scenario: &Name, budget: Budget) -> impl FnMut(&Document) -> Outcome {
    move |document| {
        let problem = compile(document, scenario).problem;
        plan_by(policy(document, scenario), &problem, budget)
    }
}

/// As [`simulate`], by whichever planner: it is given the document with the scenario
/// as it is at that moment. `first` is what planning the scenario comes to as it
/// stands, validated, where that is known; it is of no use if events change the first tick.
pub fn simulate_by(
    document: &Document,
    scenario: &Name,
    first: Option<Outcome>,
    plan: &mut dyn FnMut(&Document) -> Outcome,
    max_ticks: u32,
) -> Run {
    let Some(mut simulation) = Simulation::new(document, scenario, first, max_ticks) else {
        return Run::default();
    };
    loop {
        match simulation.step() {
            Next::More => {}
            Next::Plan(situation) => {
                simulation.planned(validated(&situation, scenario, plan(&situation)));
            }
            Next::Ended(run) => return *run,
        }
    }
}

/// What planning a scenario came to, its plan validated.
///
/// # Errors
/// Why the validator refuses the plan, which is a fault of the planner's.
pub fn validated(
    document: &Document,
    scenario: &Name,
    outcome: Outcome,
) -> Result<Outcome, String> {
    if let Outcome::Plan(plan) = &outcome {
        validate(document, scenario, plan).map_err(|invalid| invalid.to_string())?;
    }
    Ok(outcome)
}
