//! Solving small planning files.

use taskloom_document::diagnostic::Severity;
use taskloom_domain::Domain;
use taskloom_domain::check::check;
use taskloom_hddl::import::{Imported, read_planning_files};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, validate};

/// Returns the document of files without errors.
pub fn read(domain: &str, problem: &str) -> Imported {
    let imported = read_planning_files(domain, Some(problem)).expect("a document");
    let errors = imported.diagnostics.iter();
    let errors: Vec<_> = errors.filter(|d| d.severity == Severity::Error).collect();
    assert_eq!(errors, Vec::<&_>::new());
    let found = check(&Domain::from(&imported.document)).into_iter();
    let errors: Vec<_> = found.filter(|d| d.severity == Severity::Error).collect();
    assert_eq!(errors, []);
    imported
}

/// Returns the steps of a plan of minimum cost, and its cost, or "no plan". The fastest search has
/// to agree that there is a plan.
pub fn steps(domain: &str, problem: &str) -> String {
    let imported = read(domain, problem);
    let compiled = compile(&Domain::from(&imported.document), &imported.scenario);
    let solve = |strategy| {
        let mut engine = taskloom_portfolio::search(strategy, &compiled, Budget::default(), 0);
        while engine.step(u64::MAX) == Progress::Running {}
        match engine.outcome() {
            Some(Outcome::Plan(plan)) => {
                let valid = validate(&Domain::from(&imported.document), &imported.scenario, &plan);
                valid.expect("a valid plan");
                Some(plan)
            }
            Some(Outcome::NoPlan) => None,
            other => panic!("{other:?}"),
        }
    };
    let any = solve(Strategy::Fastest);
    let Some(plan) = solve(Strategy::Cheapest) else {
        assert!(any.is_none());
        return "no plan".to_owned();
    };
    assert!(any.is_some());
    let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
    format!("{}: cost {}", steps.join(", "), plan.cost)
}
