//! Opens documents and planning files, and reports their errors.

use std::borrow::Cow;
use std::sync::Arc;

use taskloom_document::diagnostic::{Diagnostic, Place, Severity};
use taskloom_document::{Document, Field, FileMistake, FilePlaces, Kind, Name, RecordRef};
use taskloom_domain::Domain;
use taskloom_domain::check::check_cancellable;
use taskloom_hddl::import::{
    ImportNames, SourceDiagnostic, SourceFile, read_planning_files_cancellable,
};
use taskloom_hddl::syntax::with_line_feeds;

use crate::args::InputArgs;
use crate::read::read;
use crate::search::Limits;
use crate::snippet::{Source, report, show_fix, show_message};
use crate::{Failure, say};

/// The files that a command works on.
#[derive(Debug)]
pub struct Files {
    first: Source,
    problem: Option<Source>,
}

/// A document, opened or imported.
#[derive(Debug)]
pub struct Opened<'f> {
    pub document: Arc<Document>,
    /// The scenario imported from a problem file.
    pub imported: Option<(Name, ImportNames)>,
    files: &'f Files,
    findings: Vec<Finding>,
}

/// A diagnostic of a file.
#[derive(Debug)]
enum Finding {
    /// Malformed document.
    Form(FileMistake),
    /// A diagnostic of a document's content.
    Document(Diagnostic),
    /// A diagnostic of a planning file.
    Source(SourceDiagnostic),
}

/// A document and one of its scenarios, without errors.
#[derive(Debug)]
pub struct Situation {
    pub document: Arc<Document>,
    pub domain: Domain,
    pub scenario: Name,
    pub names: ImportNames,
}

impl Files {
    /// Reads the files, or the standard input for `-`.
    pub fn read(input: &InputArgs, limits: &Limits) -> Result<Self, Failure> {
        let problem = input.problem.as_deref();
        let read = |path| -> Result<Source, Failure> {
            let source = read(path, limits)?;
            // Lines are shown and counted by their line feeds.
            Ok(match with_line_feeds(&source.text) {
                Cow::Borrowed(_) => source,
                Cow::Owned(text) => Source::new(&source.name, text),
            })
        };
        Ok(Self {
            first: read(&input.file)?,
            problem: problem.map(read).transpose()?,
        })
    }

    /// Opens a document, or imports planning files.
    pub fn open(&self, limits: &Limits) -> Result<Opened<'_>, Failure> {
        let Self { first, problem } = self;
        if !self.is_document() {
            return self.import(limits);
        }
        if let Some(problem) = problem {
            return Err(Failure::Input(format!(
                "error: {} is a document with its own scenarios: leave out {}",
                first.name, problem.name
            )));
        }
        let stop = limits.stop_reading();
        let document = limits.result(Document::from_json_cancellable(&first.text, &stop))?;
        let document = document.map_err(|error| {
            let findings = error.mistakes.into_iter().map(Finding::Form);
            self.refused(&findings.collect::<Vec<_>>())
        })?;
        let document = Arc::new(document);
        let findings = check_cancellable(&Domain::new(document.clone(), &stop));
        let findings = limits.result(findings)?;
        Ok(Opened {
            document,
            imported: None,
            files: self,
            findings: findings.into_iter().map(Finding::Document).collect(),
        })
    }

    /// Returns `true` if the first file is a document, not a planning file.
    fn is_document(&self) -> bool {
        let text = self.first.text.trim_start_matches([' ', '\t', '\r', '\n']);
        text.starts_with('{')
    }

    fn import(&self, limits: &Limits) -> Result<Opened<'_>, Failure> {
        let problem = self.problem.as_ref().map(|problem| problem.text.as_str());
        let read =
            read_planning_files_cancellable(&self.first.text, problem, &limits.stop_reading());
        let found = |diagnostics: Vec<SourceDiagnostic>| -> Vec<Finding> {
            diagnostics.into_iter().map(Finding::Source).collect()
        };
        let imported = match limits.result(read)? {
            Ok(imported) => imported,
            Err(diagnostics) => return Err(self.refused(&found(diagnostics))),
        };
        let document = Arc::new(imported.document);
        let mut findings = found(imported.diagnostics);
        // A document with an error would be planned as something else. Its warnings are about
        // records that the files don't have.
        if !findings.iter().any(Finding::is_error) {
            let domain = Domain::new(document.clone(), &limits.stop_reading());
            let checked = limits.result(check_cancellable(&domain))?.into_iter();
            findings.extend(checked.map(Finding::Document).filter(Finding::is_error));
        }
        Ok(Opened {
            findings,
            document,
            imported: Some((imported.scenario, imported.names)),
            files: self,
        })
    }

    /// Returns the findings as the failure of the command.
    fn refused(&self, findings: &[Finding]) -> Failure {
        Failure::Input(self.report(&findings.iter().collect::<Vec<_>>()))
    }

    fn report(&self, findings: &[&Finding]) -> String {
        let is_document = |finding: &&&Finding| matches!(finding, Finding::Document(_));
        let has_documents = findings.iter().find(is_document).is_some();
        // Skip another pass over the text if there are no diagnostics. Those of an imported
        // document have no places in its files.
        let places = has_documents && self.is_document();
        let places = places.then(|| FilePlaces::of(&self.first.text));
        let show = |finding: &&Finding| match finding {
            Finding::Form(mistake) => match mistake.span {
                Some(span) => self.first.show(Severity::Error, &mistake.message, span),
                None => show_message(Severity::Error, &mistake.message, &self.first.name),
            },
            Finding::Document(diagnostic) => of_document(&self.first, places.as_ref(), diagnostic),
            Finding::Source(diagnostic) => {
                let source = match diagnostic.file {
                    SourceFile::Domain => &self.first,
                    SourceFile::Problem => self.problem.as_ref().unwrap_or(&self.first),
                };
                source.show(diagnostic.severity, &diagnostic.message, diagnostic.span)
            }
        };
        report(findings, |finding| finding.severity(), show)
    }
}

impl Finding {
    fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    fn severity(&self) -> Severity {
        match self {
            Self::Form(_) => Severity::Error,
            Self::Document(diagnostic) => diagnostic.severity,
            Self::Source(diagnostic) => diagnostic.severity,
        }
    }

    /// The record that it is about, in a document.
    fn record(&self) -> Option<&RecordRef> {
        match self {
            Self::Document(diagnostic) => Some(&diagnostic.place.record),
            Self::Form(_) | Self::Source(_) => None,
        }
    }
}

fn of_document(source: &Source, places: Option<&FilePlaces>, diagnostic: &Diagnostic) -> String {
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
    let span = places.and_then(|places| places.span(record, field, *span));
    let mut text = match span {
        Some(span) => source.show_about(severity, &message, span, &about),
        None => show_message(severity, &message, &format!("{}: {about}", source.name)),
    };
    if let Some(fix) = diagnostic.fixes.first() {
        text += &show_fix(&fix.label);
    }
    text
}

/// Returns the label of a field; `None` for the record itself.
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
        Field::Claim(n) => nth("claim", n),
        Field::Effect(n) => nth("effect", n),
        Field::Cost => Some("cost".to_owned()),
        Field::Duration => Some("duration".to_owned()),
        Field::Relevance => Some("relevance".to_owned()),
        Field::Bias => Some("bias".to_owned()),
        Field::Subgoal(n) => nth("subgoal", n),
        Field::Method => Some("flowchart".to_owned()),
        Field::Block(block) | Field::BlockText(block) => of_block("", block),
        Field::BlockWhile(block) => of_block("while formula of ", block),
        Field::BlockAbort(block) => of_block("cleanup of ", block),
        Field::BlockQuery(block) => of_block("query of ", block),
        Field::BlockOrder(block) => of_block("ordering of ", block),
        Field::BlockScore(block, _) => of_block("score of ", block),
        Field::BlockVariable(block) => of_block("variable of ", block),
        Field::Task(n) => nth("task", n),
        Field::Initial(n) => nth("initial value", n),
        Field::Goal => Some("goal".to_owned()),
        Field::Event(n) => nth("event", n),
        Field::EventWhen(n) => nth("condition of event", n),
        Field::Failure(n) => nth("failure", n),
        Field::Expectation(n) => nth("expectation", n),
        Field::ExpectedStep(n, step) => Some(format!("expectation {}, step {}", n + 1, step + 1)),
        Field::Object(name) => Some(format!("object '{name}'")),
        Field::Cast(n) | Field::CastObject(n) => nth("actor", n),
        Field::CastTask(n, task) => Some(format!("actor {}, task {}", n + 1, task + 1)),
        Field::Belief(n, belief) => Some(format!("actor {}, belief {}", n + 1, belief + 1)),
        Field::Crowd(n) => nth("crowd", n),
        Field::CrowdInitial(n, value) => {
            Some(format!("crowd {}, initial value {}", n + 1, value + 1))
        }
        Field::CrowdTask(n, task) => Some(format!("crowd {}, task {}", n + 1, task + 1)),
        Field::CrowdBelief(n, belief) => Some(format!("crowd {}, belief {}", n + 1, belief + 1)),
        Field::Sense(n) => nth("sense", n),
        Field::Uses(n) => nth("task of the repertoire", n),
        Field::AgentGoal(n) => nth("goal", n),
    }
}

impl Opened<'_> {
    /// Returns the document with one of its scenarios: the requested one, or the only one. Ignores
    /// errors in other scenarios.
    pub fn situation(self, requested: Option<&str>) -> Result<Situation, Failure> {
        let scenario = match (&self.imported, requested) {
            (Some((own, _)), None) => own.clone(),
            _ => self.scenario(requested)?,
        };
        self.refuse_errors(|record| record.kind != Kind::Scenario || record.name == scenario)?;
        let domain = Domain::from(self.document.clone());
        let names = match self.imported {
            Some((_, names)) => names,
            None => ImportNames::of(domain.executable().document(), &scenario),
        };
        Ok(Situation {
            domain,
            document: self.document,
            scenario,
            names,
        })
    }

    /// Fails if a record that matters has an error.
    pub fn refuse_errors(&self, matters: impl Fn(&RecordRef) -> bool) -> Result<(), Failure> {
        let findings = self.findings.iter();
        let findings = findings.filter(|finding| finding.record().is_none_or(&matters));
        let findings: Vec<&Finding> = findings.collect();
        match findings.iter().any(|finding| finding.is_error()) {
            true => Err(Failure::Input(self.files.report(&findings))),
            false => Ok(()),
        }
    }

    /// Fails if there is an error; reports warnings.
    pub fn check(&self) -> Result<(), Failure> {
        self.refuse_errors(|_| true)?;
        let warnings = self.files.report(&self.findings.iter().collect::<Vec<_>>());
        if !warnings.is_empty() {
            say(&warnings);
        }
        Ok(())
    }

    fn scenario(&self, requested: Option<&str>) -> Result<Name, Failure> {
        let scenarios = &self.document.scenarios;
        let known = || {
            let names: Vec<&str> = scenarios.keys().map(Name::as_str).collect();
            match names.as_slice() {
                [] => "the document has no scenarios".to_owned(),
                names => format!("use one of {}", names.join(", ")),
            }
        };
        match requested {
            Some(requested) => {
                let mut names = scenarios.keys();
                let found = names.find(|name| name.as_str().eq_ignore_ascii_case(requested));
                found.cloned().ok_or_else(|| {
                    Failure::Input(format!("error: no scenario '{requested}': {}", known()))
                })
            }
            None => match scenarios.len() {
                1 => Ok(scenarios.keys().next().cloned()),
                _ => Err(Failure::Input(format!(
                    "error: --scenario NAME is required: {}",
                    known()
                ))),
            }?
            .ok_or_else(|| Failure::Input("error: the document has no scenario".to_owned())),
        }
    }
}
