//! Plans a scenario and runs it, within limits.

use std::io;
use std::time::{Duration, Instant};

use taskloom::document::Name;
use taskloom::document::stop::{Stop, Stopped};
use taskloom::domain::Domain;
use taskloom::planner::compile::{Problem, compile_cancellable};
use taskloom::planner::plan::{Budget, Outcome, Strategy, validate_cancellable};
use taskloom::runtime::{Log, MAX_TICKS, Next, Run, Simulation};

use crate::search::Limits;

/// The time between two checks of the limits while a scenario is run, unless a step takes longer.
const ASK_INTERVAL: Duration = Duration::from_millis(1);

/// The result of running a scenario.
#[derive(Debug)]
pub struct RunResult {
    /// The result of planning the initial situation; or the validator's reason to reject the plan,
    /// which is a bug in the planner.
    pub outcome: Result<Outcome, String>,
    /// The run; `None` if the plan was rejected.
    pub run: Option<Run>,
    /// The result of writing its log.
    pub logged: io::Result<()>,
}

/// Plans a scenario as its agents specify, validates the plan and runs it. If a limit is reached,
/// the run ends there as [stopped](taskloom::runtime::RunEnd::Stopped). The run is written to the log, if
/// there is one.
///
/// # Errors
/// If a limit is reached before the run begins.
pub fn run_within_limits(
    domain: &Domain,
    scenario: &Name,
    limits: &Limits,
    log: Option<Log>,
) -> Result<RunResult, Stopped> {
    let problem = compile_cancellable(domain, (scenario, 0), &limits.stop_reading())?;
    let stop = limits.stop();
    let outcome = match plan(&problem, limits) {
        Outcome::Plan(plan) => match validate_cancellable(domain, (scenario, 0), &plan, &stop)? {
            Ok(()) => Ok(Outcome::Plan(plan)),
            Err(invalid) => Err(invalid.to_string()),
        },
        outcome => Ok(outcome),
    };
    if stop.poll() {
        return Err(Stopped);
    }
    let run = match &outcome {
        Ok(first) => {
            let simulation =
                Simulation::new(domain, scenario, &problem, Some(first.clone()), MAX_TICKS);
            simulation.map(|simulation| run(simulation, log, (limits, &stop)))
        }
        Err(_) => None,
    };
    let (run, logged) = run.unzip();
    Ok(RunResult {
        outcome,
        run,
        logged: logged.unwrap_or(Ok(())),
    })
}

/// Runs a simulation to its end. Returns the record, and the first error of writing the log.
fn run(
    mut simulation: Simulation,
    log: Option<Log>,
    (limits, stop): (&Limits, &Stop),
) -> (Run, io::Result<()>) {
    if let Some(log) = log {
        simulation.start_log(log);
    }
    let mut asked = Instant::now();
    loop {
        match simulation.step() {
            Next::More => {}
            Next::Plan(problem) => simulation.planned(plan(&problem, limits), stop),
            Next::Ended(run) => return (*run, simulation.stop_log()),
        }
        // Reading the CPU time takes longer than most steps, but some steps take much longer.
        if asked.elapsed() >= ASK_INTERVAL {
            if stop.poll() {
                return (simulation.stop(), simulation.stop_log());
            }
            asked = Instant::now();
        }
    }
}

/// Returns the kind of plan that the character's agent specifies, or the best found before a budget
/// or a limit ends the search.
fn plan(problem: &Problem, limits: &Limits) -> Outcome {
    let budget = Budget::default();
    let budget = Budget {
        memory: budget.memory.min(limits.memory()),
        ..budget
    };
    let mut engine = Strategy::from(problem.policy()).search(problem, budget, 0);
    match (limits.search(&mut *engine), engine.best()) {
        (Outcome::GaveUp(_), Some(best)) => Outcome::Plan(best.clone()),
        (outcome, _) => outcome,
    }
}
