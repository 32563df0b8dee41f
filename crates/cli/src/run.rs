//! `taskloom run`.

mod record;
mod saved;
mod text;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_runtime::{Log, RunEnd};

use crate::args::{LogLevel, RunArgs, RunFormat};
use crate::input::Files;
use crate::output::{check_is_not_input, print_exactly, refused};
use crate::running::{Executed, RunOptions, run_within_limits};
use crate::search::Limits;
use crate::{Exit, Failure, print, say};
use record::Record;

pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let limits = Limits::new(&args.limits);
    let files = Files::read(&args.input, &limits)?;
    let from = args.from.as_deref();
    let from = from.map(|path| saved::read_state(path, args.scenario.as_deref(), &limits));
    let from = from.transpose()?;
    let scenario = from.as_ref().map(|from| from.scenario().as_str());
    let scenario = args.scenario.as_deref().or(scenario);
    let situation = files.open(&limits)?.situation(scenario)?;
    let (domain, name) = (&situation.domain, &situation.scenario);
    let log = args.log.as_deref().map(Path::new);
    let save = args.save.as_deref().map(Path::new);
    check_outputs(args, [log, save])?;
    let sink = log.map(|path| log_to(path, &situation.document, args.log_level));
    let options = RunOptions {
        log: sink.transpose()?,
        last_tick: args.ticks,
        // A state shows that the run has reached the tick.
        keeps_state: save.is_some() || args.ticks.is_some(),
    };
    let executed = match (from, &args.from) {
        (Some(from), Some(path)) => saved::continue_run(domain, (from, path), &limits, options),
        _ => execute(domain, name, &limits, options),
    }?;
    let (Executed { run, logged, saved }, Some(scene)) = (executed, domain.scene(name)) else {
        return Err(Failure::Internal(format!("there is no scenario '{name}'")));
    };
    if let (Some(path), Err(error)) = (log, &logged) {
        return Err(refused(path, error));
    }
    let is_between_ticks = saved.is_some();
    if let Some(path) = save {
        saved::write_state(path, saved)?;
    }
    let record = Record::of((name, scene), &run);
    match args.format {
        RunFormat::Text => print(&text::table(&record, &run))?,
        RunFormat::Json => {
            let text = serde_json::to_string_pretty(&record)
                .map_err(|error| Failure::Internal(error.to_string()))?;
            print_exactly(&(text + "\n"))?;
        }
    }
    Ok(match run.end {
        RunEnd::Complete | RunEnd::Endless => Exit::Success,
        RunEnd::Stopped if is_between_ticks => Exit::Success,
        RunEnd::Failed | RunEnd::GoalMissed(_) | RunEnd::OutOfTicks | RunEnd::OutOfPlans => {
            Exit::Refuted
        }
        RunEnd::Stopped => {
            say(&limits.stopped());
            Exit::GaveUp
        }
    })
}

/// Checks that no file is written that is read, or written twice. The state that a run continues from is
/// read completely before the new one is written in its place.
fn check_outputs(args: &RunArgs, [log, save]: [Option<&Path>; 2]) -> Result<(), Failure> {
    let inputs = [Some(&args.input.file), args.input.problem.as_ref()];
    let inputs = || inputs.into_iter().flatten().map(String::as_str);
    if let Some(save) = save {
        check_is_not_input(save, inputs())?;
        if log == Some(save) {
            let name = save.display();
            return Err(Failure::Input(format!(
                "error: {name} can't be both the log and the saved state; choose another file"
            )));
        }
    }
    let from = args.from.as_deref();
    log.map_or(Ok(()), |log| check_is_not_input(log, inputs().chain(from)))
}

/// Plans the scenario and runs it.
fn execute(
    domain: &Domain,
    scenario: &Name,
    limits: &Limits,
    options: RunOptions,
) -> Result<Executed, Failure> {
    let result = limits.result(run_within_limits(domain, scenario, limits, options))?;
    result.executed.ok_or_else(|| {
        let why = result.outcome.err().unwrap_or_default();
        Failure::Internal(format!(
            "a bug in Taskloom: the planner's plan is invalid: {why}"
        ))
    })
}

/// Creates a log that is written to a file.
fn log_to(path: &Path, document: &Document, level: LogLevel) -> Result<Log, Failure> {
    let file = File::create(path).map_err(|error| refused(path, &error))?;
    Ok(Log::new(document, BufWriter::new(file)).with_level(level.into()))
}
