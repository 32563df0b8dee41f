//! Exports every scenario of the shipped examples in every language of planners: an export costs
//! the same when it is read back, or states why not, or is refused with a reason.

use std::collections::BTreeMap;
use std::fmt::Write;

use expect_test::expect_file;
use taskloom_document::{Document, Name, Policy};
use taskloom_domain::Domain;
use taskloom_export::{Export, Target, export};
use taskloom_hddl::import::read_planning_files;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, plan_by, validate};

use testkit::domain::{EXAMPLES, example};

/// Returns the cost of the cheapest plan within a budget, in words.
fn cost(document: &Document, scenario: &Name) -> String {
    let budget = Budget {
        nodes: 50_000,
        ..Budget::default()
    };
    let problem = compile(&Domain::from(document), scenario);
    match plan_by(Policy::Cheapest, &problem, budget) {
        Outcome::Plan(plan) => {
            assert_eq!(validate(&Domain::from(document), scenario, &plan), Ok(()));
            plan.cost.to_string()
        }
        Outcome::NoPlan => "none".to_owned(),
        other => format!("{other:?}"),
    }
}

fn read_back(export: &Export) -> String {
    let [domain, problem] = export.files.as_slice() else {
        panic!("{} files", export.files.len());
    };
    let imported = read_planning_files(&domain.text, Some(&problem.text)).expect("planning files");
    assert_eq!(
        imported.diagnostics,
        [],
        "{}\n{}",
        domain.text,
        problem.text
    );
    cost(&imported.document, &imported.scenario)
}

#[test]
fn every_scenario_is_exported_or_rejected_with_a_reason() {
    let mut table = String::new();
    let (mut scenarios, mut same) = (0, BTreeMap::new());
    for name in EXAMPLES {
        let document = example(name);
        for scenario in document.scenarios.keys() {
            scenarios += 1;
            let own = cost(&document, scenario);
            let _ = writeln!(table, "{name}: {scenario}: {own}");
            for target in [Target::Hddl, Target::FullHddl, Target::Pddl] {
                let _ = write!(table, "  {target:?}: ");
                let _ = match export(&document, Some(scenario), target) {
                    Ok(export) => {
                        let read = read_back(&export);
                        let warnings = export.warnings.join("\n    ");
                        let says_why = warnings.contains("all costs are omitted");
                        assert!(read == own || says_why, "{scenario}: {read}, {warnings}");
                        *same.entry(format!("{target:?}")).or_insert(0) += 1;
                        writeln!(table, "{read}\n    {warnings}")
                    }
                    Err(reasons) => {
                        assert!(!reasons.is_empty(), "{scenario}: refused without a reason");
                        let reasons: Vec<String> =
                            reasons.iter().map(ToString::to_string).collect();
                        writeln!(table, "refused\n    {}", reasons.join("\n    "))
                    }
                };
            }
        }
    }
    assert_eq!(scenarios, 50);
    let _ = writeln!(table, "{same:?}");
    expect_file!["../../../../tests/golden/shipped-exports.txt"].assert_eq(&table);
}
