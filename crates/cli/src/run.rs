//! `taskloom run`.

mod record;
mod text;

use taskloom::runtime::RunEnd;

use crate::args::{RunArgs, RunFormat};
use crate::input::Files;
use crate::output::print_exactly;
use crate::running::run_within_limits;
use crate::search::Limits;
use crate::{Exit, Failure, print, say};
use record::Record;

pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let limits = Limits::new(&args.limits);
    let files = Files::read(&args.input, &limits)?;
    let situation = files.open(&limits)?.situation(args.scenario.as_deref())?;
    let (domain, name) = (&situation.domain, &situation.scenario);
    let result = limits.result(run_within_limits(domain, name, &limits))?;
    let (Some(run), Some(scene)) = (result.run, domain.scene(name)) else {
        let why = result.outcome.err().unwrap_or_default();
        return Err(Failure::Internal(format!(
            "a bug in Taskloom: the planner's plan is invalid: {why}"
        )));
    };
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
