//! Plans a scenario and runs it, within limits.

use std::io;
use std::time::{Duration, Instant};

use taskloom_document::Name;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_domain::Domain;
use taskloom_planner::compile::{Problem, compile_cancellable};
use taskloom_planner::plan::{Budget, Outcome, Strategy, validate_cancellable};
use taskloom_runtime::{Dropped, Error, Log, MAX_TICKS, Next, Run, SavedSimulation, Simulation};

use crate::search::Limits;

/// The time between two checks of the limits while a scenario is run, unless a step takes longer.
const ASK_INTERVAL: Duration = Duration::from_millis(1);

/// The options of a run, apart from its limits.
#[derive(Default)]
pub struct RunOptions {
    /// The log that it is written to.
    pub log: Option<Log>,
    /// The tick after which it stops.
    pub last_tick: Option<u32>,
    /// `true` if the state at its end is needed.
    pub keeps_state: bool,
}

/// The result of running a scenario.
#[derive(Debug)]
pub struct RunResult {
    /// The result of planning the initial situation; or the validator's reason to reject the plan,
    /// which is a bug in the planner.
    pub outcome: Result<Outcome, String>,
    /// The run; `None` if the plan was rejected.
    pub executed: Option<Executed>,
}

/// A run.
#[derive(Debug)]
pub struct Executed {
    pub run: Run,
    /// The result of writing its log.
    pub logged: io::Result<()>,
    /// The state at its end, if it is needed; `None` if it was stopped within a tick.
    pub saved: Option<SavedSimulation>,
}

/// Plans a scenario as its agents specify, validates the plan and runs it. If a limit is reached,
/// the run ends there as [stopped](taskloom_runtime::RunEnd::Stopped).
///
/// # Errors
/// If a limit is reached before the run begins.
pub fn run_within_limits(
    domain: &Domain,
    scenario: &Name,
    limits: &Limits,
    options: RunOptions,
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
    let executed = match &outcome {
        Ok(first) => {
            let simulation =
                Simulation::new(domain, scenario, &problem, Some(first.clone()), MAX_TICKS);
            simulation.map(|simulation| run(simulation, options, (limits, &stop)))
        }
        Err(_) => None,
    };
    Ok(RunResult { outcome, executed })
}

/// Continues a run from a saved state, like [`run_within_limits`]. Also returns what no longer exists in the
/// document; or an error if the state can't be loaded.
///
/// # Errors
/// If a limit is reached before the run continues.
pub fn continue_within_limits(
    domain: &Domain,
    saved: SavedSimulation,
    limits: &Limits,
    options: RunOptions,
) -> Result<Result<(Executed, Vec<Dropped>), Error>, Stopped> {
    let scenario = (saved.scenario(), 0);
    let problem = compile_cancellable(domain, scenario, &limits.stop_reading())?;
    let resumed = Simulation::resume(domain, saved, &problem, MAX_TICKS);
    Ok(resumed.map(|(simulation, dropped)| {
        let executed = run(simulation, options, (limits, &limits.stop()));
        (executed, dropped)
    }))
}

/// Runs a simulation to its end.
fn run(
    mut simulation: Simulation,
    options: RunOptions,
    (limits, stop): (&Limits, &Stop),
) -> Executed {
    if let Some(log) = options.log {
        simulation.start_log(log);
    }
    if let Some(tick) = options.last_tick {
        simulation.stop_after(tick);
    }
    if options.keeps_state {
        simulation.keep_state();
    }
    let mut asked = Instant::now();
    let run = loop {
        match simulation.step() {
            Next::More => {}
            Next::Plan(problem) => simulation.planned(plan(&problem, limits), stop),
            Next::Ended(run) => break *run,
        }
        // Reading the CPU time takes longer than most steps, but some steps take much longer.
        if asked.elapsed() >= ASK_INTERVAL {
            if stop.poll() {
                break simulation.stop();
            }
            asked = Instant::now();
        }
    };
    Executed {
        run,
        logged: simulation.stop_log(),
        saved: simulation.take_saved(),
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
