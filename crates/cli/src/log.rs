//! `taskloom log`.

mod perfetto;
mod text;

use std::collections::BTreeMap;
use std::path::Path;

use taskloom_runtime::log::LoggedActor;
use taskloom_runtime::{LogEntry, LogFile};

use crate::args::LogArgs;
use crate::output::{check_is_not_input, write_files};
use crate::read::read_bytes;
use crate::search::Limits;
use crate::{Exit, Failure, print};

pub fn run(args: &LogArgs) -> Result<Exit, Failure> {
    let bytes = read_bytes(&args.file, &Limits::new(&args.limits))?;
    let log = LogFile::read(&bytes);
    let log = log.map_err(|error| Failure::Input(format!("error: {}: {error}", args.file)))?;
    match &args.perfetto {
        Some(path) => {
            let path = Path::new(path);
            check_is_not_input(path, [args.file.as_str()])?;
            write_files([(path, &*perfetto::trace(&log))])?;
        }
        None => print(&text::table(&log))?,
    }
    Ok(Exit::Success)
}

/// Returns the actors of a log, by their numbers.
fn actors(log: &LogFile) -> BTreeMap<usize, &LoggedActor> {
    let later = log.entries.iter().filter_map(|(_, entry)| match entry {
        LogEntry::Actor(entry) => Some(&entry.actor),
        _ => None,
    });
    let all = log.start.actors.iter().chain(later);
    all.map(|actor| (actor.number, actor)).collect()
}

/// Returns the name of an actor.
fn name(actors: &BTreeMap<usize, &LoggedActor>, number: usize) -> String {
    let actor = actors.get(&number);
    let name = actor.and_then(|actor| actor.name.clone());
    name.unwrap_or_else(|| "-".to_owned())
}
