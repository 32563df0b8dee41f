//! Domains for other programs: planners, games.
//!
//! One folder or file an exporter, each with the same shape: a document, perhaps
//! one of its scenarios, to files as text. Same document, same bytes.

use serde::{Deserialize, Serialize};

use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Name, kebab};
use taskloom_hddl::export::Written;

mod archive;
mod csharp;

/// What an export is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// Taskloom's own file, all scenarios in it.
    Json,
    /// Planners that read HDDL: what most of them know of it.
    Hddl,
    /// All of HDDL: what an import makes the same document of.
    FullHddl,
    /// Planners that read PDDL: actions and a goal, without tasks.
    Pddl,
    /// Games in C#, Unity's among them.
    CSharp,
}

/// The files of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Export {
    /// The files, the one to look at first.
    pub files: Vec<File>,
    /// The name of the archive that they come in where no folders can be written; none:
    /// they stand in no folders.
    pub archive: Option<String>,
    /// What the target cannot say, a sentence each.
    pub warnings: Vec<String>,
}

impl Export {
    /// The files by names without folders, and their bytes: all in one archive, or each by
    /// itself.
    ///
    /// # Errors
    /// A sentence where the archive would be too large for its format.
    pub fn packed(self) -> Result<Vec<(String, Vec<u8>)>, String> {
        match self.archive {
            Some(name) => {
                let bytes = archive::zip(&self.files);
                let bytes = bytes.map_err(|error| format!("{name} cannot be written: {error}"))?;
                Ok(vec![(name, bytes)])
            }
            None => {
                let files = self.files.into_iter();
                Ok(files.map(|f| (f.path, f.text.into_bytes())).collect())
            }
        }
    }
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path, with `/`, from where the user wants the files.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// Writes a document for another program; problems and tests are of the scenario.
///
/// # Errors
/// Everything that means nothing and so cannot be written.
pub fn export(
    document: &Document,
    scenario: Option<&Name>,
    target: Target,
) -> Result<Export, Vec<Diagnostic>> {
    write(document, scenario, target, &Stop::default())
}

/// The same, unless it is stopped.
///
/// # Errors
/// Where the stop was heard: then nothing is known of what means nothing.
pub fn export_until(
    document: &Document,
    scenario: Option<&Name>,
    target: Target,
    stop: &Stop,
) -> Result<Result<Export, Vec<Diagnostic>>, Stopped> {
    stop.unless_heard(write(document, scenario, target, stop))
}

/// What it gives means nothing where the stop was heard.
fn write(
    document: &Document,
    scenario: Option<&Name>,
    target: Target,
    stop: &Stop,
) -> Result<Export, Vec<Diagnostic>> {
    match target {
        Target::Json => Ok(Export {
            files: vec![File {
                path: format!("{}.taskloom.json", kebab(&document.info.title, "domain")),
                text: document.to_json(),
            }],
            ..Export::default()
        }),
        Target::Hddl => taskloom_hddl::export::export(document, scenario, stop)
            .map(|written| planning_files(written, "hddl")),
        Target::FullHddl => taskloom_hddl::export::export_full(document, scenario, stop)
            .map(|written| planning_files(written, "hddl")),
        Target::Pddl => taskloom_hddl::export::export_pddl(document, scenario, stop)
            .map(|written| planning_files(written, "pddl")),
        Target::CSharp => csharp::export(document, stop),
    }
}

fn planning_files(written: Written, extension: &str) -> Export {
    let mut files = vec![File {
        path: format!("domain.{extension}"),
        text: written.domain,
    }];
    files.extend(written.problem.map(|text| File {
        path: format!("problem.{extension}"),
        text,
    }));
    Export {
        files,
        archive: None,
        warnings: written.warnings,
    }
}
