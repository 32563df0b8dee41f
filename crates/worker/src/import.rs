//! Importing planning files as documents.

use taskloom_document::diagnostic::Severity;
use taskloom_hddl::import::{SourceDiagnostic, SourceFile, read_planning_files};
use taskloom_hddl::syntax::{position, with_line_feeds};

use crate::message::{Finding, Findings, Imported, TextFile};

/// The maximum number of reported findings.
const MAX_FINDINGS: usize = 100;
/// The maximum number of characters shown of a line, and how many of them precede the finding.
const SNIPPET: usize = 110;
const BEFORE: usize = 60;

/// Returns `true` if a text is a planning file rather than a document.
pub fn is_planning_file(file: &TextFile) -> bool {
    let name = file.name.to_ascii_lowercase();
    name.ends_with(".hddl") || name.ends_with(".pddl") || skip_comments(&file.text).starts_with('(')
}

/// Returns `true` if a text begins with a problem: `(define (problem`.
pub fn states_problem(text: &str) -> bool {
    let mut rest = text;
    for token in ["(", "define", "(", "problem"] {
        rest = skip_comments(rest);
        let start = rest.get(..token.len()).unwrap_or_default();
        if !start.eq_ignore_ascii_case(token) {
            return false;
        }
        rest = rest.get(token.len()..).unwrap_or_default();
    }
    true
}

fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with(';') {
        rest = rest.find('\n').and_then(|at| rest.get(at..)).unwrap_or("");
        rest = rest.trim_start();
    }
    rest
}

/// Returns the document, or all errors with their locations. Runs in the worker.
pub fn import(domain: &TextFile, problem: Option<&TextFile>) -> Result<Imported, Findings> {
    let to_findings = |found: &[SourceDiagnostic]| Findings {
        rows: found
            .iter()
            .take(MAX_FINDINGS)
            .map(|one| match one.file {
                SourceFile::Domain => finding(domain, one),
                SourceFile::Problem => finding(problem.unwrap_or(domain), one),
            })
            .collect(),
        more: found.len().saturating_sub(MAX_FINDINGS),
    };
    let problem_text = problem.map(|problem| problem.text.as_str());
    let imported =
        read_planning_files(&domain.text, problem_text).map_err(|found| to_findings(&found))?;
    let (wrong, doubtful): (Vec<_>, Vec<_>) = imported
        .diagnostics
        .into_iter()
        .partition(|found| found.severity == Severity::Error);
    if !wrong.is_empty() {
        return Err(to_findings(&wrong));
    }
    Ok(Imported {
        document: imported.document.to_json(),
        doubts: to_findings(&doubtful),
    })
}

/// Returns a finding with its line of the file, cut to the surroundings of its location.
fn finding(file: &TextFile, found: &SourceDiagnostic) -> Finding {
    let at = position(&file.text, found.span.start as usize);
    let text = with_line_feeds(&file.text);
    let line = text.lines().nth(at.line - 1).unwrap_or_default();
    let from = (at.column - 1).saturating_sub(BEFORE);
    let indented = line.chars().skip(from).take(SNIPPET);
    let indented = indented.map(|c| if c == '\t' { ' ' } else { c });
    let snippet: String = indented.collect();
    let blank = snippet.len() - snippet.trim_start().len();
    Finding {
        place: format!("{}:{}:{}", file.name, at.line, at.column),
        message: found.message.clone(),
        caret: (at.column - 1 - from).saturating_sub(blank),
        snippet: snippet.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> TextFile {
        TextFile {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn problem_files_are_recognized_by_their_first_words() {
        assert!(states_problem("; of 2020\n(define\t( PROBLEM p )"));
        assert!(!states_problem("(define (domain problem))"));
        assert!(!states_problem("; (define (problem p))"));
        assert!(is_planning_file(&file("p", "; a comment\n(define")));
        assert!(is_planning_file(&file("P.HDDL", "")));
        assert!(!is_planning_file(&file("x.json", " {")));
    }

    fn shown(findings: &Findings) -> String {
        let rows = findings.rows.iter();
        let rows = rows.map(|row| {
            let (place, message, snippet) = (&row.place, &row.message, &row.snippet);
            format!("{place}: {message}\n{snippet}\n{}^", " ".repeat(row.caret))
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn errors_have_file_line_column_reason_and_snippet() {
        let domain = file("d.hddl", "(define (domain d) (:predicates (p)))");
        let problem = file(
            "p.hddl",
            "(define (problem p) (:domain d)\n\t(:init (p) (q)))",
        );
        let found = import(&domain, Some(&problem)).unwrap_err();
        assert_eq!(
            shown(&found),
            "p.hddl:2:14: no predicate is called 'q'\n(:init (p) (q)))\n            ^",
        );
    }

    #[test]
    fn long_lines_are_shortened_around_the_error() {
        let domain = file("d.hddl", "(define (domain d) (:predicates (p)))");
        let init = format!("(:init {} (q) {})", "(p) ".repeat(500), "(p) ".repeat(500));
        let problem = file(
            "p.hddl",
            &format!("(define (problem p) (:domain d) {init})"),
        );
        let found = import(&domain, Some(&problem)).unwrap_err();
        let row = &found.rows[0];
        assert!(row.snippet.len() <= SNIPPET, "{row:?}");
        assert!(row.snippet[row.caret..].starts_with("q)"), "{row:?}");
    }

    #[test]
    fn reports_truncated_text() {
        let domain = file(
            "d.hddl",
            "(define (domain d)\n  (:predicates (p ?x - thing))\n  (:action",
        );
        let found = import(&domain, None).unwrap_err();
        assert!(found.rows[0].place.starts_with("d.hddl:3:"), "{found:?}");
    }
}
