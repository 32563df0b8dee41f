//! `taskloom run`.

mod record;
mod text;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use taskloom::document::Document;
use taskloom::runtime::{Log, RunEnd};

use crate::args::{LogLevel, RunArgs, RunFormat};
use crate::input::Files;
use crate::output::{print_exactly, refused};
use crate::running::run_within_limits;
use crate::search::Limits;
use crate::{Exit, Failure, print, say};
use record::Record;

pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let limits = Limits::new(&args.limits);
    let files = Files::read(&args.input, &limits)?;
    let situation = files.open(&limits)?.situation(args.scenario.as_deref())?;
    let (domain, name) = (&situation.domain, &situation.scenario);
    let log = args.log.as_deref().map(Path::new);
    let sink = log.map(|path| log_to(path, &situation.document, args.log_level));
    let result = run_within_limits(domain, name, &limits, sink.transpose()?);
    let result = limits.result(result)?;
    let (Some(run), Some(scene)) = (result.run, domain.scene(name)) else {
        let why = result.outcome.err().unwrap_or_default();
        return Err(Failure::Internal(format!(
            "a bug in Taskloom: the planner's plan is invalid: {why}"
        )));
    };
    if let (Some(path), Err(error)) = (log, &result.logged) {
        return Err(refused(path, error));
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
        RunEnd::Failed | RunEnd::GoalMissed(_) | RunEnd::OutOfTicks | RunEnd::OutOfPlans => {
            Exit::Refuted
        }
        RunEnd::Stopped => {
            say(&limits.stopped());
            Exit::GaveUp
        }
    })
}

/// Creates a log that is written to a file.
fn log_to(path: &Path, document: &Document, level: LogLevel) -> Result<Log, Failure> {
    let file = File::create(path).map_err(|error| refused(path, &error))?;
    Ok(Log::new(document, BufWriter::new(file)).with_level(level.into()))
}
