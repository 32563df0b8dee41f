//! `taskloom import` and `taskloom export`.

use std::fs;
use std::path::{Path, PathBuf};

use taskloom_document::{Document, Kind, Name};
use taskloom_export::{self, Target};

use crate::args::{ExportArgs, ExportTarget, InputArgs};
use crate::input::Files;
use crate::output::{check_may_write, print_exactly, refused, write_files};
use crate::search::Limits;
use crate::{Exit, Failure, print, say};

pub fn import(
    input: &InputArgs,
    output: Option<&str>,
    force: bool,
    limits: &Limits,
) -> Result<Exit, Failure> {
    let files = Files::read(input, limits)?;
    let opened = files.open(limits)?;
    opened.check()?;
    if let Some(path) = output {
        let text = opened.document.to_json();
        check_may_write(Path::new(path), &text, input.files(), force)?;
    }
    deliver(&opened.document, output)
}

/// Writes a document to a file, or to the standard output.
pub fn deliver(document: &Document, output: Option<&str>) -> Result<Exit, Failure> {
    let text = document.to_json();
    match output {
        Some(path) => write_files([(Path::new(path), &*text)])?,
        None => print_exactly(&text)?,
    }
    Ok(Exit::Success)
}

pub fn export(args: &ExportArgs) -> Result<Exit, Failure> {
    let limits = Limits::new(&args.limits);
    let (to, scenario) = (args.to, args.scenario.as_deref());
    let files = Files::read(&args.input, &limits)?;
    let opened = files.open(&limits)?;
    let wants_problem = match to {
        ExportTarget::Hddl | ExportTarget::FullHddl | ExportTarget::Pddl => true,
        ExportTarget::Json | ExportTarget::Csharp => false,
    };
    let (document, scenario) = if wants_problem || scenario.is_some() {
        let situation = opened.situation(scenario)?;
        (situation.document, Some(situation.scenario))
    } else {
        opened.refuse_errors(|record| record.kind != Kind::Scenario)?;
        (opened.document, None::<Name>)
    };
    let target = match to {
        ExportTarget::Json => Target::Json,
        ExportTarget::Hddl => Target::Hddl,
        ExportTarget::FullHddl => Target::FullHddl,
        ExportTarget::Pddl => Target::Pddl,
        ExportTarget::Csharp => Target::CSharp,
    };
    let written =
        taskloom_export::export_cancellable(&document, scenario.as_ref(), target, &limits.stop());
    let export = limits.result(written)?.map_err(|mistakes| {
        let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        Failure::Input(lines.join("\n"))
    })?;
    for warning in &export.warnings {
        say(&format!("warning: {warning}"));
    }
    let files = export.files;
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|file| Path::new(&args.output).join(&file.path))
        .collect();
    for (path, file) in paths.iter().zip(&files) {
        check_may_write(path, &file.text, args.input.files(), args.force)?;
    }
    for parent in paths.iter().filter_map(|path| path.parent()) {
        fs::create_dir_all(parent).map_err(|error| refused(parent, &error))?;
    }
    let texts = files.iter().map(|file| &*file.text);
    write_files(paths.iter().map(PathBuf::as_path).zip(texts))?;
    for path in &paths {
        print(&format!("{}\n", path.display()))?;
    }
    Ok(Exit::Success)
}
