//! Exported HDDL, read by unified-planning and solved by aries.

use std::fs;
use std::process::Command;

use expect_test::expect_file;
use taskloom_core::compile::compile;
use taskloom_core::document::{Document, Expectation, Name};
use taskloom_core::export::{Target, export};
use taskloom_core::plan::{Budget, Outcome, plan, validate};

use super::tools::{example, folder, output, program, root};

/// Seconds that the planner gets. Where there is a plan it needs a few at most;
/// where there is none it goes on decomposing recursive tasks.
const SECONDS: &str = "60";
const SECONDS_IN_VAIN: &str = "3";

fn files(document: &Document, scenario: &Name) -> (String, String) {
    match export(document, Some(scenario), Target::Hddl) {
        Ok(export) => match <[_; 2]>::try_from(export.files) {
            Ok([domain, problem]) => (domain.text, problem.text),
            Err(files) => panic!("{} files", files.len()),
        },
        Err(errors) => {
            let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
            panic!("{}", lines.join("\n"));
        }
    }
}

/// The task that each action stands for, from the line above it, with objects
/// for its variables: `walk-to_box` with nothing is `walk-to(box)`.
fn task_of(domain: &str, action: &str) -> String {
    let mut words = action.split_whitespace();
    let name = words.next().unwrap_or_default();
    let lines: Vec<&str> = domain.lines().map(str::trim).collect();
    let at = lines
        .iter()
        .position(|line| *line == format!("(:action {name}"))
        .unwrap_or_else(|| panic!("no action {name}"));
    let call = lines[at - 1].trim_start_matches("; ");
    let mut call = match call.find([':', ')']) {
        Some(end) if call[end..].starts_with(')') => call[..=end].to_owned(),
        Some(end) => call[..end].to_owned(),
        None => call.to_owned(),
    };
    let params = lines[at + 1]
        .trim_start_matches(":parameters (")
        .trim_end_matches(')');
    let variables = params
        .split_whitespace()
        .filter(|word| word.starts_with('?'));
    for (variable, object) in variables.zip(words) {
        call = call.replace(variable, object);
    }
    call
}

/// Solves every scenario of an example and replays each plan in our own terms.
fn check(test: &str, name: &str) {
    let Some(python) = program("TASKLOOM_PYTHON", test) else {
        return;
    };
    let document = example(name);
    let mut command = Command::new(&python);
    command.arg(root().join("tests/exports/solve.py"));
    let mut domains = vec![];
    for (scenario, record) in &document.scenarios {
        let (domain, problem) = files(&document, scenario);
        let folder = folder(&format!("hddl-{name}-{scenario}"));
        let (at_domain, at_problem) = (folder.join("domain.hddl"), folder.join("problem.hddl"));
        fs::write(&at_domain, &domain).expect("a file can be written");
        fs::write(&at_problem, &problem).expect("a file can be written");
        let solvable = !record.expect.contains(&Expectation::NoPlan);
        command.args([&at_domain, &at_problem]);
        command.arg(if solvable { SECONDS } else { SECONDS_IN_VAIN });
        domains.push((scenario, solvable, domain));
    }
    let answers = output(&mut command);
    let mut answers = answers.split("\n\n");
    for (scenario, solvable, domain) in domains {
        let answer = answers.next().unwrap_or_default();
        let mut lines = answer.lines();
        let found = lines.next() == Some("plan");
        assert_eq!(found, solvable, "{scenario}: {answer}");
        let steps: Vec<String> = lines.map(|action| task_of(&domain, action)).collect();
        if solvable {
            replay(&document, scenario, steps);
        }
    }
}

/// Whether our own planner can do just these steps in the scenario.
fn replay(document: &Document, scenario: &Name, steps: Vec<String>) {
    let mut document = document.clone();
    let mut record = (*document.scenarios[scenario]).clone();
    record.tasks = steps.clone();
    document.scenarios.insert(scenario.clone(), record.into());
    let outcome = plan(&compile(&document, scenario).problem, Budget::default());
    let Outcome::Plan(plan) = outcome else {
        panic!(
            "{scenario}: {} cannot be done: {outcome:?}",
            steps.join(", ")
        );
    };
    validate(&document, scenario, &plan).expect("a valid plan");
    let replayed: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
    assert_eq!(replayed, steps, "{scenario}");
}

#[test]
fn the_ball_in_the_box_is_solved_by_aries() {
    check("the_ball_in_the_box_is_solved_by_aries", "ball-in-the-box");
}

#[test]
fn the_night_guard_is_solved_by_aries() {
    check("the_night_guard_is_solved_by_aries", "night-guard");
}

#[test]
fn the_ball_in_the_box_in_hddl() {
    let document = example("ball-in-the-box");
    let scenario = Name::new("case-3-key-in-the-drawer").expect("a name");
    let (domain, problem) = files(&document, &scenario);
    expect_file!["../../../../tests/golden/ball-in-the-box/domain.hddl"].assert_eq(&domain);
    expect_file!["../../../../tests/golden/ball-in-the-box/problem.hddl"].assert_eq(&problem);
}

#[test]
fn the_night_guard_in_hddl() {
    let document = example("night-guard");
    let scenario = Name::new("night-08-armed-thief").expect("a name");
    let (domain, problem) = files(&document, &scenario);
    expect_file!["../../../../tests/golden/night-guard/domain.hddl"].assert_eq(&domain);
    expect_file!["../../../../tests/golden/night-guard/problem.hddl"].assert_eq(&problem);
}
