//! Opens documents and planning files, and says everything that is wrong with them.

use std::fs;
use std::io::Read;

use taskloom_core::check::check;
use taskloom_core::diagnostic::{Diagnostic, Place, Severity, Span};
use taskloom_core::document::{Document, Edit, Field, Kind, Name, RecordRef};
use taskloom_core::import::{ImportNames, SourceDiagnostic, SourceFile, read_planning_files};

use crate::Failure;
use crate::args::InputArgs;
use crate::snippet::{Source, show_message, show_text};

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
        Failure::Input(format!("error: {path}: no UTF-8 text (at byte {at})"))
    })?;
    Ok(Source::new(path, text))
}

/// Opens a document, or imports planning files.
pub fn open(input: &InputArgs) -> Result<Opened, Failure> {
    let first = read(&input.file)?;
    let problem = input.problem.as_deref().map(read).transpose()?;
    let is_document = first
        .text
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if !is_document.starts_with('{') {
        return import(&first, problem.as_ref());
    }
    if let Some(problem) = problem {
        return Err(Failure::Input(format!(
            "error: {} is a document, which holds its scenarios: {} has no place beside it",
            first.name, problem.name
        )));
    }
    let document = Document::from_json(&first.text).map_err(|error| {
        let place = error.position.map(|(line, column)| {
            let at = first.offset(line, column);
            first.show(Severity::Error, &error.message, Span::new(at, at + 1))
        });
        let shown =
            place.unwrap_or_else(|| show_message(Severity::Error, &error.message, &first.name));
        Failure::Input(shown)
    })?;
    let findings = check(&document)
        .iter()
        .map(|diagnostic| of_document(&document, &first, diagnostic))
        .collect();
    Ok(Opened {
        document,
        imported: None,
        findings,
    })
}

fn import(domain: &Source, problem: Option<&Source>) -> Result<Opened, Failure> {
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
    match read_planning_files(&domain.text, problem.map(|problem| problem.text.as_str())) {
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

fn of_document(document: &Document, source: &Source, diagnostic: &Diagnostic) -> Finding {
    let place = &diagnostic.place;
    let record = &place.record;
    let mut about = format!("{} '{}'", record.kind.label(), record.name);
    if let Some(field) = field_label(&place.field) {
        about = format!("{about}, {field}");
    }
    let severity = diagnostic.severity;
    let message = format!("{} [{}]", diagnostic.message, diagnostic.code);
    let path = format!("{}: {about}", source.name);
    let mut text = match document.text(record, &place.field) {
        Some(text) => match span_in_file(document, source, place, text) {
            Some(span) => source.show_about(severity, &message, span, &about),
            None => show_text(severity, &message, &path, text, place.span),
        },
        None => show_message(severity, &message, &path),
    };
    if let Some(fix) = diagnostic.fixes.first() {
        text += &format!("  = {}\n", fix.label);
    }
    Finding {
        severity,
        record: Some(record.clone()),
        text,
    }
}

/// Where in the file a diagnostic's text stands; none where the file is not laid out as the editor writes it.
fn span_in_file(document: &Document, source: &Source, place: &Place, text: &str) -> Option<Span> {
    const MARK: &str = "<<<here>>>";
    let edit = Edit::SetText(place.record.clone(), place.field.clone(), MARK.to_owned());
    let marked = document.apply(&edit).ok()?.to_json();
    let start = marked.find(MARK)?;
    let written = |part: &str| {
        let quoted = serde_json::to_string(part).ok()?;
        let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
        Some(inner.to_owned())
    };
    let is_there = source.text.get(..start) == marked.get(..start);
    if !is_there || !source.text.get(start..)?.starts_with(&written(text)?) {
        return None;
    }
    let range = place.span.map_or(0..text.len(), Span::range);
    let before = written(text.get(..range.start)?)?.len();
    let own = written(text.get(range)?)?.len();
    Some(Span::new(start + before, start + before + own))
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
        Field::Relevance => Some("relevance".to_owned()),
        Field::Method => Some("flowchart".to_owned()),
        Field::Block(block) | Field::BlockText(block) => of_block("", block),
        Field::BlockOrder(block) => of_block("ordering of ", block),
        Field::BlockVariable(block) => of_block("variable of ", block),
        Field::Task(n) => nth("task", n),
        Field::Initial(n) => nth("initial value", n),
        Field::Goal => Some("goal".to_owned()),
        Field::Event(n) => nth("event", n),
        Field::Expectation(n) => nth("expectation", n),
        Field::ExpectedStep(n, step) => Some(format!("expectation {}, step {}", n + 1, step + 1)),
        Field::Object(name) => Some(format!("object '{name}'")),
        Field::Agent(n) => nth("agent", n),
        Field::Sense(n) => nth("sense", n),
        Field::AllowedTask(n) => nth("allowed task", n),
        Field::AgentGoal(n) => nth("goal", n),
        Field::Superior => Some("superior".to_owned()),
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
