//! `taskloom plan`.

use serde::Serialize;
use taskloom_document::stop::Stopped;
use taskloom_hddl::import::file_of_plan;
use taskloom_hddl::syntax::write_plan;
use taskloom_planner::compile::compile_cancellable;
use taskloom_planner::plan::{
    self, Budget, Engine, Node, NodeKind, Outcome, Plan, Statistics, Trace, validate_cancellable,
};

use crate::args::{Format, PlanArgs, Strategy};
use crate::input::{Files, Situation};
use crate::output::print_exactly;
use crate::search::{Limits, budget_of, gave_up};
use crate::{Exit, Failure, clock, memory, print, say, show};

/// The answer as JSON.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    /// `plan`, `no-plan`, `gave-up`, `stopped` or `not-planned`.
    outcome: &'static str,
    /// The budget that ran out.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    /// A lower bound on the cost of every plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a Plan>,
    statistics: Statistics,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a Trace>,
}

pub fn run(args: &PlanArgs) -> Result<Exit, Failure> {
    if args.trace > 0 && args.strategy == Some(Strategy::Fastest) {
        return Err(Failure::Input(
            "error: the strategy 'any' records no trace: omit --trace, or choose another strategy"
                .to_owned(),
        ));
    }
    let format = args.format;
    let limits = Limits::new(&args.limits);
    let stopped = || {
        let outcome = limits.why();
        answer(format, &outcome, None, None, None)?;
        conclude(&outcome, None)
    };
    let files = match Files::read(&args.input, &limits) {
        Err(Failure::Stopped(_)) => return stopped(),
        files => files?,
    };
    let situation = match files.open(&limits) {
        Err(Failure::Stopped(_)) => return stopped(),
        opened => opened?.situation(args.scenario.as_deref())?,
    };
    let read = clock::seconds();
    let problem = compile_cancellable(
        &situation.domain,
        (&situation.scenario, 0),
        &limits.stop_reading(),
    );
    let Ok(problem) = problem else {
        return stopped();
    };
    let compiled = clock::seconds();
    let budget = Budget {
        nodes: args.node_limit,
        depth: args.depth_limit,
        memory: args.limits.memory_limit,
    };
    let strategy = match args.strategy {
        Some(strategy) => plan::Strategy::from(strategy),
        None => plan::policy(&situation.domain, &situation.scenario, 0).into(),
    };
    let mut engine = taskloom_portfolio::search(strategy, &problem, budget, args.trace);
    let outcome = limits.search(&mut *engine);
    let searched = clock::seconds();

    let plan = match &outcome {
        Outcome::Plan(plan) => Some(&**plan),
        _ => engine.best().map(|plan| &**plan),
    };
    if let Some(plan) = plan
        && let Err(Stopped) = validate(&situation, plan, &limits)?
    {
        say("a plan was found, but there was no time left to validate it");
        let outcome = limits.why();
        answer(format, &outcome, None, Some(&*engine), None)?;
        return conclude(&outcome, None);
    }
    if args.statistics {
        let used = engine.statistics();
        say(&statistics(&used, [read, compiled, searched]));
    }
    let trace = engine.trace().filter(|_| args.trace > 0);
    if format != Format::Json {
        print(&trace.map(show::trace).unwrap_or_default())?;
    }
    if let (Format::Ipc, Some(plan)) = (format, plan) {
        if let Some(why) = incomplete(plan) {
            let message = format!("error: the format 'ipc' is for whole plans, but {why}");
            return Err(Failure::Input(message));
        }
        print_exactly(&write_plan(&file_of_plan(plan, &situation.names)))?;
    }
    answer(format, &outcome, plan, Some(&*engine), trace)?;
    let exit = conclude(&outcome, plan)?;
    // The program ends here: dropping these would waste time.
    std::mem::forget((situation, problem, engine));
    Ok(exit)
}

/// Describes a plan that is only the beginning of one.
fn incomplete(plan: &Plan) -> Option<&'static str> {
    let is_pending = |node: &Node| node.kind == NodeKind::Pending;
    if plan.nodes.iter().any(is_pending) {
        return Some("the agent is reactive: only --strategy cheapest plans beyond its next step");
    }
    let target = plan.target.as_ref()?;
    let remaining = target.remaining_estimate;
    remaining.map(|_| "the plan gets closer to its goal without reaching it")
}

/// Formats the statistics of a search; the times are those at which its stages ended.
fn statistics(used: &Statistics, [read, compiled, searched]: [f64; 3]) -> String {
    format!(
        "statistics: decisions {}, backtracks {}, depth {}, memory {}, resident {}, \
         read {read:.3}, compile {:.3}, search {:.3}, validate {:.3}",
        used.nodes,
        used.backtracks,
        used.depth,
        used.memory,
        memory::peak(),
        compiled - read,
        searched - compiled,
        clock::seconds() - searched
    )
}

/// Checks a plan with the validator.
fn validate(
    situation: &Situation,
    plan: &Plan,
    limits: &Limits,
) -> Result<Result<(), Stopped>, Failure> {
    let scenario = (&situation.scenario, 0);
    let stop = limits.stop_validating();
    match validate_cancellable(&situation.domain, scenario, plan, &stop) {
        Ok(Ok(())) => Ok(Ok(())),
        Ok(Err(invalid)) => Err(Failure::Internal(format!(
            "a bug in Taskloom: the planner's plan is invalid: {invalid}"
        ))),
        Err(Stopped) => Ok(Err(Stopped)),
    }
}

/// Prints the plan as text, or the whole answer as JSON.
fn answer(
    format: Format,
    outcome: &Outcome,
    plan: Option<&Plan>,
    engine: Option<&dyn Engine>,
    trace: Option<&Trace>,
) -> Result<(), Failure> {
    match format {
        Format::Text => print(&plan.map(show::steps).unwrap_or_default()),
        Format::Ipc => Ok(()),
        Format::Json => {
            let bound = engine.and_then(|engine| engine.bound());
            let answer = Answer {
                outcome: word(outcome),
                limit: match outcome {
                    Outcome::GaveUp(limit) => Some(budget_of(*limit).0),
                    _ => None,
                },
                bound: bound.filter(|bound| bound.is_finite()),
                plan,
                statistics: engine.map(|engine| engine.statistics()).unwrap_or_default(),
                trace,
            };
            let text = serde_json::to_string_pretty(&answer)
                .map_err(|error| Failure::Internal(error.to_string()))?;
            print_exactly(&(text + "\n"))
        }
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Plan(plan) if plan.is_partial() => "partial-plan",
        Outcome::Plan(_) => "plan",
        Outcome::NoPlan => "no-plan",
        Outcome::GaveUp(_) => "gave-up",
        Outcome::Stopped => "stopped",
        Outcome::NotPlanned(_) => "not-planned",
    }
}

/// The estimated cost from the end of a plan to its goal, if it is a partial one.
fn remaining(plan: Option<&Plan>) -> Option<f64> {
    plan.and_then(|plan| plan.target.as_ref()?.remaining_estimate)
}

/// Reports what the plan alone doesn't tell, and returns the exit status.
fn conclude(outcome: &Outcome, plan: Option<&Plan>) -> Result<Exit, Failure> {
    let why = match outcome {
        Outcome::Plan(_) => {
            if let Some(cost) = remaining(plan) {
                say(&format!(
                    "this is a partial plan; the estimated remaining cost is {cost}"
                ));
                return Ok(Exit::GaveUp);
            }
            return Ok(Exit::Success);
        }
        Outcome::NoPlan => {
            say("no plan exists: the search space is exhausted");
            return Ok(Exit::Refuted);
        }
        Outcome::GaveUp(limit) => gave_up(Some(*limit)),
        Outcome::Stopped => gave_up(None),
        Outcome::NotPlanned(why) => return Err(Failure::Input(format!("error: {why}"))),
    };
    if let Some(cost) = remaining(plan) {
        say(&format!(
            "{why}; this is a partial plan; the estimated remaining cost is {cost}"
        ));
        return Ok(Exit::GaveUp);
    }
    if plan.is_some() {
        say(&format!(
            "{why}; this is the cheapest plan so far; a cheaper one may exist"
        ));
        return Ok(Exit::Success);
    }
    say(&format!("{why}; a plan may still exist"));
    Ok(Exit::GaveUp)
}
