//! Exports domains to other programs: planners and games.
//!
//! Each exporter has a folder or file with the same interface: it turns a document, and perhaps one
//! of its scenarios, into text files. The same document gives the same bytes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use taskloom_document::diagnostic::Diagnostic;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Name, kebab};
use taskloom_domain::Domain;
use taskloom_hddl::export::Written;

mod archive;
mod csharp;

/// The target of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Target {
    /// Taskloom's own format, with all scenarios.
    Json,
    /// HDDL: the subset that most planners support.
    Hddl,
    /// Full HDDL: importing it gives the same document.
    FullHddl,
    /// PDDL: actions and a goal, without tasks.
    Pddl,
    /// C# for games, including Unity.
    CSharp,
}

/// The files of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Export {
    /// The files, the main one first.
    pub files: Vec<File>,
    /// The name of the archive to pack them in where folders can't be written; `None` if they are
    /// in no folders.
    pub archive: Option<String>,
    /// Limitations of the target, one sentence each.
    pub warnings: Vec<String>,
}

impl Export {
    /// Returns the files by name without folders, with their bytes: all in one archive, or each
    /// separately.
    ///
    /// # Errors
    /// A message if the archive is too large for its format.
    pub fn packed(self) -> Result<Vec<(String, Vec<u8>)>, String> {
        match self.archive {
            Some(name) => {
                let bytes = archive::zip(&self.files);
                let bytes = bytes.map_err(|error| format!("couldn't write {name}: {error}"))?;
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
    /// Its path with `/`, relative to the output folder.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// Writes a document for another program; problems and tests are those of the scenario.
///
/// # Errors
/// All errors that prevent the export.
pub fn export(
    document: &Document,
    scenario: Option<&Name>,
    target: Target,
) -> Result<Export, Vec<Diagnostic>> {
    write(document, scenario, target, &Stop::default())
}

/// Like [`export`], but can be stopped.
///
/// # Errors
/// If the stop was requested, before all errors are known.
pub fn export_cancellable(
    document: &Document,
    scenario: Option<&Name>,
    target: Target,
    stop: &Stop,
) -> Result<Result<Export, Vec<Diagnostic>>, Stopped> {
    stop.unless_cancelled(write(document, scenario, target, stop))
}

/// Returns an invalid result if the stop was requested.
fn write(
    document: &Document,
    scenario: Option<&Name>,
    target: Target,
    stop: &Stop,
) -> Result<Export, Vec<Diagnostic>> {
    let domain = || Domain::new(Arc::new(document.clone()), stop);
    match target {
        Target::Json => Ok(Export {
            files: vec![File {
                path: format!("{}.taskloom.json", kebab(&document.info.title, "domain")),
                text: document.to_json(),
            }],
            ..Export::default()
        }),
        Target::Hddl => taskloom_hddl::export::export(&domain(), scenario, stop)
            .map(|written| planning_files(written, "hddl")),
        Target::FullHddl => taskloom_hddl::export::export_full(&domain(), scenario, stop)
            .map(|written| planning_files(written, "hddl")),
        Target::Pddl => taskloom_hddl::export::export_pddl(&domain(), scenario, stop)
            .map(|written| planning_files(written, "pddl")),
        Target::CSharp => csharp::export(&domain(), stop),
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
