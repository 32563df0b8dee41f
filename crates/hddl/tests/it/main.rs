//! The import of planning files.

mod broken;
mod competition;
mod constants;
mod drawing;
mod examples;
mod goals;
mod messages;
mod metrics;
mod mutated;
mod names;
mod plans;
mod round_trip;
mod scopes;
mod shuffled;
mod solved;
mod step_lists;

use std::fs;
use std::time::{Duration, Instant};

use taskloom_document::diagnostic::Severity;
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_hddl::import::{file_of_plan, plan_of_file, read_planning_files};
use taskloom_hddl::syntax::{read_plan, write_plan};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, plan, validate};
use testkit::random::Random;

/// Every file of the competition is read without a diagnostic, and compiles to a problem. Shows the
/// time of the slowest one.
#[test]
fn every_competition_file_becomes_a_document() {
    let pairs = competition::pairs();
    if pairs.is_empty() {
        println!("no files of the competition here: nothing was read");
    }
    let mut slowest: Vec<(Duration, String)> = vec![];
    let mut wrong = vec![];
    let mut longest = (Duration::ZERO, String::new());
    let mut warnings = 0;
    for pair in pairs {
        let domain = fs::read_to_string(&pair.domain).expect("a domain");
        let problem = fs::read_to_string(&pair.problem).expect("a problem");
        let start = Instant::now();
        let imported = match read_planning_files(&domain, Some(&problem)) {
            Ok(imported) => imported,
            Err(errors) => {
                wrong.push(format!("{}: {errors:?}", pair.name));
                continue;
            }
        };
        let read = start.elapsed();
        compile(&Domain::from(&imported.document), &imported.scenario);
        let all = start.elapsed();
        slowest.push((
            all,
            format!(
                "{} ({} bytes): {read:?} to import, {all:?} in all",
                pair.name,
                problem.len()
            ),
        ));
        // Some problems use another name for their domain than the domain itself, or declare an
        // object twice.
        let is_known = |message: &str| {
            message.starts_with("this problem is for the domain")
                || message == "the object 'colourfragments' is declared twice"
        };
        let start = Instant::now();
        let findings = check(&Domain::from(&imported.document));
        longest = longest.max((start.elapsed(), pair.name.clone()));
        for found in findings
            .iter()
            .filter(|f| f.severity == Severity::Error)
            .take(3)
        {
            wrong.push(format!("{}: {found}", pair.name));
        }
        warnings += findings.len();
        for found in &imported.diagnostics {
            if is_known(&found.message) {
                continue;
            }
            wrong.push(format!("{}: {found:?}", pair.name));
        }
        if let Err(reason) = imported.document.invariants() {
            wrong.push(format!("{}: {reason}", pair.name));
        }
    }
    slowest.sort();
    for (_, line) in slowest.iter().rev().take(8) {
        println!("{line}");
    }
    println!(
        "{} problems, {warnings} warnings of the check",
        slowest.len()
    );
    println!("longest check: {longest:?}");
    assert!(
        wrong.is_empty(),
        "{} findings:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Plans for those problems that a depth-first search solves quickly, all of them valid.
#[test]
fn competition_problems_have_plans() {
    let mut solved = 0;
    let mut random = Random(6);
    for pair in competition::pairs() {
        let domain = fs::read_to_string(&pair.domain).expect("a domain");
        let problem = fs::read_to_string(&pair.problem).expect("a problem");
        if problem.len() > 20_000 {
            continue;
        }
        let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
        let problem = compile(&Domain::from(&imported.document), &imported.scenario);
        let budget = Budget {
            nodes: 4_000,
            depth: 200,
            ..Budget::default()
        };
        if let Outcome::Plan(found) = plan(&problem, budget) {
            validate(
                &Domain::from(&imported.document),
                &imported.scenario,
                &found,
            )
            .unwrap_or_else(|wrong| panic!("{}: {wrong}", pair.name));
            // Written in the competition's format and read again in any order, it is a plan.
            let file = file_of_plan(&found, &imported.names);
            for other in [file.clone(), shuffled::shuffled(&file, &mut random)] {
                let text = write_plan(&other);
                let read = read_plan(&text);
                assert_eq!(read.errors, []);
                let (document, scenario) = (&imported.document, &imported.scenario);
                let again = plan_of_file(
                    &read.plan,
                    &Domain::from(document),
                    scenario,
                    &imported.names,
                )
                .unwrap_or_else(|wrong| panic!("{}: {wrong}\n{text}", pair.name));
                assert_eq!(again.steps.len(), found.steps.len());
            }
            solved += 1;
        } else {
            let is_feature = pair.name.contains("feature-tests");
            assert!(!is_feature, "{} has a plan", pair.name);
        }
    }
    println!("{solved} problems solved");
}

/// Plans of other planners for the feature tests.
#[test]
fn plans_of_the_feature_tests_are_valid() {
    let pairs = competition::pairs();
    for (name, file) in competition::plans() {
        let pair = pairs.iter().find(|pair| pair.name.ends_with(&name));
        let pair = pair.unwrap_or_else(|| panic!("no problem for {name}"));
        let domain = fs::read_to_string(&pair.domain).expect("a domain");
        let problem = fs::read_to_string(&pair.problem).expect("a problem");
        let imported = read_planning_files(&domain, Some(&problem)).expect("a document");
        let read = read_plan(&fs::read_to_string(&file).expect("a plan"));
        assert_eq!(read.errors, [], "{name}");
        let (document, scenario) = (&imported.document, &imported.scenario);
        plan_of_file(
            &read.plan,
            &Domain::from(document),
            scenario,
            &imported.names,
        )
        .unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    }
}
