//! Domains for other programs: planners, games.
//!
//! One folder or file an exporter, each with the same shape: a document, perhaps
//! one of its scenarios, to files as text. Same document, same bytes.

use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;
use crate::document::{Document, Name};

mod csharp;
mod hddl;
mod model;
mod variables;

/// What an export is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// Taskloom's own file, all scenarios in it.
    Json,
    /// Planners that read HDDL: what most of them know of it.
    Hddl,
    /// All of HDDL: what an import makes the same document of.
    FullHddl,
    /// Games in C#, Unity's among them.
    CSharp,
}

/// The C# run-time part, which is the same for every domain.
pub const RUNTIME: [&str; 4] = [
    "Taskloom/World.cs",
    "Taskloom/Tasks.cs",
    "Taskloom/Planner.cs",
    "Taskloom/Agent.cs",
];

/// The files of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Export {
    /// The files, the one to look at first.
    pub files: Vec<File>,
    /// Files of [`RUNTIME`] that they need. The editor has them beside the page, not
    /// in its program; others take them by [`Export::with_runtime`].
    pub runtime: &'static [&'static str],
    /// What the target cannot say, a sentence each.
    pub warnings: Vec<String>,
}

impl Export {
    /// All files, those of the run-time part as well.
    pub fn with_runtime(self) -> Vec<File> {
        let texts = [
            include_str!("Taskloom/World.cs"),
            include_str!("Taskloom/Tasks.cs"),
            include_str!("Taskloom/Planner.cs"),
            include_str!("Taskloom/Agent.cs"),
        ];
        let shared = RUNTIME.iter().zip(texts);
        let needed = shared.filter(|(path, _)| self.runtime.contains(path));
        let files = needed.map(|(path, text)| File {
            path: (*path).to_owned(),
            text: text.to_owned(),
        });
        self.files.into_iter().chain(files).collect()
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
    match target {
        Target::Json => Ok(Export {
            files: vec![File {
                path: format!("{}.taskloom.json", kebab(&document.info.title, "domain")),
                text: document.to_json(),
            }],
            ..Export::default()
        }),
        Target::Hddl => hddl::export(document, scenario),
        Target::FullHddl => hddl::export_full(document, scenario),
        Target::CSharp => csharp::export(document),
    }
}

/// A title as a file's or a domain's name: `The ball!` is `the-ball`.
fn kebab(title: &str, otherwise: &str) -> String {
    let words: Vec<String> = title
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let name = words.join("-");
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        otherwise.to_owned()
    }
}
