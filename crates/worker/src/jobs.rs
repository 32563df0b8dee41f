//! The work that only the program for jobs does: exports, imports, layouts and logs.

use taskloom_document::{Document, Name};

use crate::attempt::until;
use crate::message::{Event, Exported, Format, Request};

/// The time limit of an export, in milliseconds.
const EXPORT: f64 = 30_000.0;

/// Performs a request, unless the planner's program can do it, too. `now` returns the time in
/// milliseconds.
pub fn perform(request: Request, now: fn() -> f64) -> Option<Event> {
    Some(match request {
        Request::Export {
            document,
            scenario,
            format,
        } => Event::Exported(export(&document, scenario, format, now)),
        Request::Layout { graph, at, movable } => {
            Event::LaidOut(taskloom_layout::tidy(&graph, &at, &movable))
        }
        Request::Import { domain, problem } => {
            Event::Imported(crate::import::import(&domain, problem.as_ref()))
        }
        Request::ReadLog { document, log } => {
            Event::LogRead(crate::logs::read_log(&document, &log).map(Box::new))
        }
        Request::Plan(_)
        | Request::Stop
        | Request::Check { .. }
        | Request::Trace { .. }
        | Request::Ping(_) => return None,
    })
}

fn export(
    document: &str,
    scenario: Option<Name>,
    format: Format,
    now: fn() -> f64,
) -> Result<Exported, String> {
    let document = Document::from_json(document).map_err(|error| error.to_string())?;
    let stop = until(now, now() + EXPORT);
    crate::export::export(&document, scenario, format, &stop)
}
