//! Opens documents and planning files, and says everything that is wrong with them.

use std::fs;
use std::io::Read;

use taskloom::document::diagnostic::{Diagnostic, Place, Severity};
use taskloom::document::stop::Stop;
use taskloom::document::{
    Document, Field, FileError, FileMistake, FilePlaces, Kind, Name, RecordRef,
};
use taskloom::domain::check::check_until;
use taskloom::hddl::import::{
    ImportNames, SourceDiagnostic, SourceFile, read_planning_files_until,
};

use crate::Failure;
use crate::args::InputArgs;
use crate::snippet::{Source, show_fix, show_message};

/// The files that a command works on.
#[derive(Debug)]
pub struct Files {
    first: Source,
    problem: Option<Source>,
}

/// A document, opened or imported.
#[derive(Debug)]
pub struct Opened {
    pub document: Document,
    /// The scenario that a problem file became.
    pub imported: Option<(Name, ImportNames)>,
    /// What is wrong, ready to print.
    pub findings: Vec<Finding>,
}

/// Something wrong, ready to print.
#[derive(Debug)]
pub struct Finding {
    pub severity: Severity,
    /// The record that it is about, in a document.
    record: Option<RecordRef>,
    pub text: String,
}

/// A document and one of its scenarios, without errors.
#[derive(Debug)]
pub struct Situation {
    pub document: Document,
    pub scenario: Name,
    pub names: ImportNames,
}

/// Reads a file, or the standard input for `-`.
pub fn read(path: &str) -> Result<Source, Failure> {
    let bytes = if path == "-" {
        let mut bytes = vec![];
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| Failure::Input(format!("error: {path}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::Input(format!("error: {path}: not UTF-8 text (at byte {at})"))
    })?;
    // A byte order mark belongs to no line.
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(Source::new(path, text))
}

impl Files {
    /// Reads the files, or the standard input for `-`.
    pub fn read(input: &InputArgs) -> Result<Self, Failure> {
        Ok(Self {
            first: read(&input.file)?,
            problem: input.problem.as_deref().map(read).transpose()?,
        })
    }

    /// Opens a document, or imports planning files.
    pub fn open(&self, stop: &Stop) -> Result<Opened, Failure> {
        let Self { first, problem } = self;
        let is_document = first.text.trim_start_matches([' ', '\t', '\r', '\n']);
        if !is_document.starts_with('{') {
            return import(first, problem.as_ref(), stop);
        }
        if let Some(problem) = problem {
            return Err(Failure::Input(format!(
                "error: {} is a document, which holds its scenarios: {} has no place beside it",
                first.name, problem.name
            )));
        }
        let document =
            Document::from_json(&first.text).map_err(|error| malformed(first, &error))?;
        let places = FilePlaces::of(&first.text);
        let findings = check_until(&document, stop)?
            .iter()
            .map(|diagnostic| of_document(first, &places, diagnostic))
            .collect();
        Ok(Opened {
            document,
            imported: None,
            findings,
        })
    }
}

fn import(domain: &Source, problem: Option<&Source>, stop: &Stop) -> Result<Opened, Failure> {
    let shown = |diagnostic: &SourceDiagnostic| {
        let source = match diagnostic.file {
            SourceFile::Domain => domain,
            SourceFile::Problem => problem.unwrap_or(domain),
        };
        Finding {
            severity: diagnostic.severity,
            record: None,
            text: source.show(diagnostic.severity, &diagnostic.message, diagnostic.span),
        }
    };
    let problem_text = problem.map(|problem| problem.text.as_str());
    match read_planning_files_until(&domain.text, problem_text, stop)? {
        Ok(imported) => Ok(Opened {
            findings: imported.diagnostics.iter().map(shown).collect(),
            document: imported.document,
            imported: Some((imported.scenario, imported.names)),
        }),
        Err(diagnostics) => {
            let findings: Vec<Finding> = diagnostics.iter().map(shown).collect();
            Err(refused(&findings.iter().collect::<Vec<_>>()))
        }
    }
}

/// Everything wrong, as the reason why nothing is done.
fn refused(findings: &[&Finding]) -> Failure {
    let errors = findings.iter().filter(|f| f.severity == Severity::Error);
    let errors = errors.count();
    let mut text = String::new();
    for finding in findings {
        text += &finding.text;
        text.push('\n');
    }
    text += &match errors {
        1 => "1 error".to_owned(),
        errors => format!("{errors} errors"),
    };
    Failure::Input(text)
}

/// Everything that is wrong with a document's form.
fn malformed(source: &Source, error: &FileError) -> Failure {
    let severity = Severity::Error;
    let shown = |mistake: &FileMistake| match mistake.span {
        Some(span) => source.show(severity, &mistake.message, span),
        None => show_message(severity, &mistake.message, &source.name),
    };
    let finding = |mistake| Finding {
        severity,
        record: None,
        text: shown(mistake),
    };
    let findings: Vec<Finding> = error.mistakes.iter().map(finding).collect();
    refused(&findings.iter().collect::<Vec<_>>())
}

fn of_document(source: &Source, places: &FilePlaces, diagnostic: &Diagnostic) -> Finding {
    let Place {
        record,
        field,
        span,
    } = &diagnostic.place;
    let mut about = format!("{} '{}'", record.kind.label(), record.name);
    if let Some(field) = field_label(field) {
        about = format!("{about}, {field}");
    }
    let severity = diagnostic.severity;
    let message = format!("{} [{}]", diagnostic.message, diagnostic.code);
    let mut text = match places.span(record, field, *span) {
        Some(span) => source.show_about(severity, &message, span, &about),
        None => show_message(severity, &message, &format!("{}: {about}", source.name)),
    };
    if let Some(fix) = diagnostic.fixes.first() {
        text += &show_fix(&fix.label);
    }
    Finding {
        severity,
        record: Some(record.clone()),
        text,
    }
}

/// Where in a record; none for the record itself.
fn field_label(field: &Field) -> Option<String> {
    let nth = |what: &str, n: &usize| Some(format!("{what} {}", n + 1));
    let of_block = |what: &str, block: &dyn std::fmt::Display| Some(format!("{what}block {block}"));
    match field {
        Field::Whole => None,
        Field::Type => Some("type".to_owned()),
        Field::Param(n) => nth("parameter", n),
        Field::Formula => Some("formula".to_owned()),
        Field::Action => Some("action".to_owned()),
        Field::Precondition(n) => nth("precondition", n),
        Field::Integrity(n) => nth("integrity rule", n),
        Field::Completion(n) => nth("completion condition", n),
        Field::Effect(n) => nth("effect", n),
        Field::Cost => Some("cost".to_owned()),
        Field::Duration => Some("duration".to_owned()),
        Field::Relevance => Some("relevance".to_owned()),
        Field::Bias => Some("bias".to_owned()),
        Field::Subgoal(n) => nth("subgoal", n),
        Field::Method => Some("flowchart".to_owned()),
        Field::Block(block) | Field::BlockText(block) => of_block("", block),
        Field::BlockOrder(block) => of_block("ordering of ", block),
        Field::BlockScore(block, _) => of_block("score of ", block),
        Field::BlockVariable(block) => of_block("variable of ", block),
        Field::Task(n) => nth("task", n),
        Field::Initial(n) => nth("initial value", n),
        Field::Goal => Some("goal".to_owned()),
        Field::Event(n) => nth("event", n),
        Field::EventWhen(n) => nth("moment of event", n),
        Field::Failure(n) => nth("failure", n),
        Field::Expectation(n) => nth("expectation", n),
        Field::ExpectedStep(n, step) => Some(format!("expectation {}, step {}", n + 1, step + 1)),
        Field::Object(name) => Some(format!("object '{name}'")),
        Field::Cast(n) | Field::CastObject(n) => nth("character", n),
        Field::CastTask(n, task) => Some(format!("character {}, task {}", n + 1, task + 1)),
        Field::Belief(n, belief) => Some(format!("character {}, belief {}", n + 1, belief + 1)),
        Field::Sense(n) => nth("sense", n),
        Field::Uses(n) => nth("task of the repertoire", n),
        Field::AgentGoal(n) => nth("goal", n),
    }
}

impl Opened {
    /// The document with one of its scenarios: the one named, or the only one.
    ///
    /// What is wrong with other scenarios does not matter.
    pub fn situation(self, wanted: Option<&str>) -> Result<Situation, Failure> {
        let scenario = match (&self.imported, wanted) {
            (Some((own, _)), None) => own.clone(),
            _ => self.scenario(wanted)?,
        };
        self.refuse_errors(|record| record.kind != Kind::Scenario || record.name == scenario)?;
        let names = match self.imported {
            Some((_, names)) => names,
            None => ImportNames::of(&self.document, &scenario),
        };
        Ok(Situation {
            document: self.document,
            scenario,
            names,
        })
    }

    /// Fails where there is an error in a record that matters.
    pub fn refuse_errors(&self, matters: impl Fn(&RecordRef) -> bool) -> Result<(), Failure> {
        let findings = self.findings.iter();
        let findings = findings.filter(|f| f.record.as_ref().is_none_or(&matters));
        let findings: Vec<&Finding> = findings.collect();
        match findings.iter().any(|f| f.severity == Severity::Error) {
            true => Err(refused(&findings)),
            false => Ok(()),
        }
    }

    fn scenario(&self, wanted: Option<&str>) -> Result<Name, Failure> {
        let scenarios = &self.document.scenarios;
        let known = || {
            let names: Vec<&str> = scenarios.keys().map(Name::as_str).collect();
            match names.as_slice() {
                [] => "the document has none".to_owned(),
                names => format!("it is one of {}", names.join(", ")),
            }
        };
        match wanted {
            Some(wanted) => {
                let mut names = scenarios.keys();
                let found = names.find(|name| name.as_str().eq_ignore_ascii_case(wanted));
                found.cloned().ok_or_else(|| {
                    Failure::Input(format!("error: no scenario '{wanted}': {}", known()))
                })
            }
            None => match scenarios.len() {
                1 => Ok(scenarios.keys().next().cloned()),
                _ => Err(Failure::Input(format!(
                    "error: --scenario NAME is needed: {}",
                    known()
                ))),
            }?
            .ok_or_else(|| Failure::Input("error: the document has no scenario".to_owned())),
        }
    }
}
