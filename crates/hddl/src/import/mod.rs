//! Imports planning files: a domain and a problem in HDDL or PDDL become one [`Document`] with the
//! same meaning, with one scenario and a laid out diagram.
//!
//! A method becomes an output of its task's Choice block: Bind blocks for its variables, a Branch
//! for conditions on the task's parameters alone, and Task blocks in its partial order. Each
//! condition is placed at the first Bind block where all its variables are known, where it prunes
//! most. Original names are kept as titles and labels, so that [`ImportNames`] can be read from the
//! document, even after saving and opening it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::ast::{Domain, Formula, Ident, Problem, Typed};
use crate::syntax::{self, SyntaxError};
use taskloom_document::diagnostic::{Severity, Span};
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::{Stop, Stopped};
use taskloom_document::{Document, Info, Name, Param};

mod actions;
mod binding;
mod chart;
mod costs;
mod declarations;
mod facts;
mod formula;
mod methods;
mod metric;
mod names;
mod order;
mod original;
mod plan;
mod ranges;
mod scenario;
mod scope;
mod sums;
mod types;
mod world;

use facts::Facts;
use metric::{Costs, Ignored};
use names::{Namespace, title};
pub use original::{ImportNames, MethodNames};
pub use plan::{file_of_plan, plan_of_file, plan_of_file_cancellable};
use types::{Range, Types};

/// One of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceFile {
    /// The domain's.
    Domain,
    /// The problem's.
    Problem,
}

/// An error or warning in a planning file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceDiagnostic {
    /// The file, in the order in which they were given.
    pub file: SourceFile,
    /// The span in bytes; [`syntax::position`] gives line and column.
    pub span: Span,
    /// Error if something had to be omitted.
    pub severity: Severity,
    /// The expected and the actual text, in a sentence.
    pub message: String,
}

/// The result of importing planning files.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Imported {
    /// The domain, with the problem as its one scenario.
    pub document: Document,
    /// The scenario.
    pub scenario: Name,
    /// The names of records and methods in the files.
    pub names: ImportNames,
    /// The errors and warnings, by file and position.
    pub diagnostics: Vec<SourceDiagnostic>,
}

/// Reads a domain and a problem, which may be in one text, or exchanged. Without a problem the
/// scenario is empty.
///
/// # Errors
/// The errors, if there is no domain at all.
pub fn read_planning_files(
    domain: &str,
    problem: Option<&str>,
) -> Result<Imported, Vec<SourceDiagnostic>> {
    let never = Stop::default();
    read_files(domain, problem, &never).unwrap_or_else(|Stopped| Err(vec![]))
}

/// Like [`read_planning_files`], but can be stopped.
///
/// # Errors
/// If stopped, before any errors are known.
pub fn read_planning_files_cancellable(
    domain: &str,
    problem: Option<&str>,
    stop: &Stop,
) -> Result<Result<Imported, Vec<SourceDiagnostic>>, Stopped> {
    let read = read_files(domain, problem, stop)?;
    stop.unless_cancelled(read)
}

fn read_files(
    domain: &str,
    problem: Option<&str>,
    stop: &Stop,
) -> Result<Result<Imported, Vec<SourceDiagnostic>>, Stopped> {
    let mut diagnostics = vec![];
    let mut note = |file, errors: Vec<SyntaxError>| {
        diagnostics.extend(errors.into_iter().map(|error| SourceDiagnostic {
            file,
            span: error.span,
            severity: Severity::Error,
            message: error.message,
        }));
    };
    let first = syntax::read_cancellable(domain, stop)?;
    note(SourceFile::Domain, first.errors);
    let mut tree = first.problem;
    let mut problem_file = SourceFile::Domain;
    if let Some(text) = problem {
        let second = syntax::read_cancellable(text, stop)?;
        if first.domain.is_none() && tree.is_some() && second.domain.is_some() {
            return exchanged(domain, text, stop);
        }
        note(SourceFile::Problem, second.errors);
        problem_file = SourceFile::Problem;
        if second.problem.is_none() {
            note(
                SourceFile::Problem,
                vec![SyntaxError {
                    span: Span::default(),
                    message: "expected '(define (problem ...', found none".to_owned(),
                }],
            );
        }
        tree = second.problem;
    }
    let texts = [domain, problem.unwrap_or(domain)];
    let Some(domain) = first.domain else {
        note(
            SourceFile::Domain,
            vec![SyntaxError {
                span: Span::default(),
                message: "expected '(define (domain ...', found none".to_owned(),
            }],
        );
        return Ok(Err(diagnostics));
    };
    let problem = tree.as_ref();
    let mut importer = Importer::new(texts, &domain, problem, problem_file, diagnostics, stop);
    let (document, scenario) = importer.document();
    let mut diagnostics = importer.diagnostics;
    // Diagnostics of a partial document are useless.
    stop.unless_cancelled(())?;
    diagnostics.compact_sort_by_key(|d| (d.file, d.span.start));
    // An amount that is an effect and a cost is read twice.
    diagnostics.dedup();
    Ok(Ok(Imported {
        names: ImportNames::of(&document, &scenario),
        document,
        scenario,
        diagnostics,
    }))
}

/// Reads a problem and a domain that were given in the wrong order.
fn exchanged(
    problem: &str,
    domain: &str,
    stop: &Stop,
) -> Result<Result<Imported, Vec<SourceDiagnostic>>, Stopped> {
    let mut imported = match read_files(domain, Some(problem), stop)? {
        Ok(imported) => imported,
        Err(diagnostics) => return Ok(Err(diagnostics)),
    };
    for found in &mut imported.diagnostics {
        found.file = match found.file {
            SourceFile::Domain => SourceFile::Problem,
            SourceFile::Problem => SourceFile::Domain,
        };
    }
    Ok(Ok(imported))
}

/// A task of either kind.
#[derive(Debug, Clone)]
struct Task {
    name: Name,
    params: Vec<Variable>,
}

/// A variable that a text may use.
#[derive(Debug, Clone)]
struct Variable {
    /// Its name in the file.
    original: Arc<str>,
    /// Its name in the document.
    name: Name,
    range: Range,
    /// Its type in the tree.
    of: usize,
}

/// An object, of the domain or the problem.
#[derive(Debug, Clone)]
struct Constant {
    name: Name,
    /// The record's title.
    title: String,
    of: usize,
    is_of_domain: bool,
}

struct Importer<'a> {
    /// The texts of the domain and the problem.
    texts: [&'a str; 2],
    domain: &'a Domain,
    problem: Option<&'a Problem>,
    problem_file: SourceFile,
    /// The file being read.
    file: SourceFile,
    diagnostics: Vec<SourceDiagnostic>,
    types: Types,
    type_names: Vec<Name>,
    objects: FxHashMap<Arc<str>, Constant>,
    facts: Facts,
    tasks: FxHashMap<Arc<str>, Task>,
    task_names: Namespace,
    costs: Costs,
    ignored_metric: Option<Ignored>,
    /// The owner of the records being written.
    owner: Owner,
    stop: &'a Stop,
}

/// The owner of the records being written, which decides whose objects they may mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The domain, for texts of the domain's file.
    Domain,
    /// The domain, for the problem's initial task network or metric.
    DomainForProblem,
    /// The scenario.
    Scenario,
}

impl<'a> Importer<'a> {
    fn new(
        texts: [&'a str; 2],
        domain: &'a Domain,
        problem: Option<&'a Problem>,
        problem_file: SourceFile,
        diagnostics: Vec<SourceDiagnostic>,
        stop: &'a Stop,
    ) -> Self {
        Self {
            stop,
            texts,
            domain,
            problem,
            problem_file,
            file: SourceFile::Domain,
            diagnostics,
            types: Types::new(stop.clone()),
            type_names: vec![],
            objects: FxHashMap::default(),
            facts: Facts::default(),
            tasks: FxHashMap::default(),
            task_names: Namespace::default(),
            costs: Costs::default(),
            ignored_metric: None,
            owner: Owner::Domain,
        }
    }

    fn report(&mut self, severity: Severity, span: Span, message: String) {
        self.diagnostics.push(SourceDiagnostic {
            file: self.file,
            span,
            severity,
            message,
        });
    }

    /// Returns a name as spelled in the file being read.
    fn spelled<'i>(&self, ident: &'i Ident) -> &'i str
    where
        'a: 'i,
    {
        let text = match self.file {
            SourceFile::Domain => self.texts[0],
            SourceFile::Problem => self.texts[1],
        };
        let spelled = text.get(ident.span.range());
        let same = spelled.filter(|spelled| spelled.eq_ignore_ascii_case(ident));
        same.unwrap_or(ident)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Severity::Error, span, message.into());
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.report(Severity::Warning, span, message.into());
    }

    fn document(&mut self) -> (Document, Name) {
        let mut document = Document {
            info: Arc::new(Info {
                title: self.domain.name.to_string(),
                note: String::new(),
            }),
            ..Document::default()
        };
        self.read_types();
        self.read_metric();
        self.read_facts();
        self.read_objects();
        self.read_tasks();
        self.file = SourceFile::Domain;
        self.read_actions(&mut document);
        self.read_compounds(&mut document);
        self.file = self.problem_file;
        self.owner = Owner::Scenario;
        let (name, scenario) = self.read_scenario(&mut document);
        self.write_world(&mut document, &name, scenario);
        (document, name)
    }

    fn type_name(&self, of: usize) -> Name {
        self.type_names.get(of).cloned().unwrap_or_else(Name::root)
    }

    fn param(&self, variable: &Variable) -> Param {
        Param {
            name: variable.name.clone(),
            of: self.type_name(variable.of),
        }
    }

    /// Returns parameters with unique names. `twice` is the severity of a duplicate name: those of
    /// predicates are unused.
    fn params(&mut self, typed: &[Typed], twice: Severity) -> Vec<Variable> {
        let mut names = Namespace::default();
        names.reserve(typed.iter().map(|typed| typed.name.as_str()));
        let mut seen: FxHashSet<&Arc<str>> = FxHashSet::default();
        let mut params = vec![];
        for typed in typed {
            if self.stop.after(1 + self.types.len() / 64) {
                break;
            }
            if !seen.insert(typed.name.text()) {
                let message = format!("duplicate parameter '?{}'", typed.name);
                self.report(twice, typed.name.span, message);
            }
            params.push(self.variable(typed, &mut names));
        }
        params
    }

    fn variable(&mut self, typed: &Typed, names: &mut Namespace) -> Variable {
        let range = self.range(typed);
        Variable {
            original: typed.name.text().clone(),
            name: names.give(&typed.name, ""),
            of: self.types.cover(&range.set).unwrap_or_default(),
            range,
        }
    }
}

/// Returns a scenario's name: scenarios have a separate namespace.
fn legal_scenario(preferred: &str) -> Name {
    Namespace::default().give(preferred, "scenario")
}

/// Returns the parts of a conjunction, without those that are always true.
fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    let mut parts = vec![];
    let mut left = vec![formula];
    while let Some(formula) = left.pop() {
        match formula {
            Formula::And(inner) => left.extend(inner.iter().rev()),
            other => parts.push(other),
        }
    }
    parts
}
