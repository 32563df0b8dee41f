//! Exported HDDL, read by unified-planning and solved by aries.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use expect_test::expect_file;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Expectation, Info, Name, Scenario};
use taskloom_domain::Domain;
use taskloom_export::{Target, export};
use taskloom_hddl::export::export_full;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, plan, validate};

use super::domains::DOMAINS;
use super::tools::{folder, output, program, root};
use testkit::charts;
use testkit::domain::document;
use testkit::domain::example;

/// The planner's time in seconds. If there is a plan it needs a few at most; if there is none, it
/// decomposes recursive tasks endlessly.
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

/// Returns the task of each action, from the comment above it, with objects for its variables:
/// `walk-to_box` without arguments is `walk-to(box)`.
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

/// A scenario to solve, and whether it is solvable.
struct Task {
    document: Document,
    scenario: Name,
    solvable: bool,
}

/// Solves problems and replays each plan in our own names.
fn check(test: &str, tasks: &[Task]) {
    let Some(python) = program("TASKLOOM_PYTHON", test) else {
        return;
    };
    let mut command = Command::new(&python);
    command.arg(root().join("tests/exports/solve.py"));
    let mut domains = vec![];
    for (number, task) in tasks.iter().enumerate() {
        let (domain, problem) = files(&task.document, &task.scenario);
        let folder = folder(&format!("{test}-{number}"));
        let (at_domain, at_problem) = (folder.join("domain.hddl"), folder.join("problem.hddl"));
        fs::write(&at_domain, &domain).expect("a file can be written");
        fs::write(&at_problem, &problem).expect("a file can be written");
        command.args([&at_domain, &at_problem]);
        command.arg(if task.solvable {
            SECONDS
        } else {
            SECONDS_IN_VAIN
        });
        domains.push(domain);
    }
    let answers = output(&mut command);
    let mut answers = answers.split("\n\n");
    for (task, domain) in tasks.iter().zip(domains) {
        let answer = answers.next().unwrap_or_default();
        let title = format!("{}, {}", task.document.info.title, task.scenario);
        let mut lines = answer.lines();
        let found = lines.next() == Some("plan");
        assert_eq!(found, task.solvable, "{title}: {answer}");
        let steps: Vec<String> = lines.map(|action| task_of(&domain, action)).collect();
        if task.solvable {
            replay(&task.document, &task.scenario, steps);
        }
    }
}

fn check_example(test: &str, name: &str) {
    let document = example(name);
    let task = |(scenario, record): (&Name, &Arc<Scenario>)| Task {
        document: document.clone(),
        scenario: scenario.clone(),
        solvable: !record.expect.contains(&Expectation::NoPlan),
    };
    let tasks: Vec<Task> = document.scenarios.iter().map(task).collect();
    check(test, &tasks);
}

/// Returns `true` if our own planner can do exactly these steps in the scenario.
fn replay(document: &Document, scenario: &Name, steps: Vec<String>) {
    let mut document = document.clone();
    let mut record = (*document.scenarios[scenario]).clone();
    record.tasks = steps.clone();
    document.scenarios.insert(scenario.clone(), record.into());
    let outcome = plan(
        &compile(&Domain::from(&document), scenario),
        Budget::default(),
    );
    let Outcome::Plan(plan) = outcome else {
        panic!(
            "{scenario}: {} cannot be done: {outcome:?}",
            steps.join(", ")
        );
    };
    validate(&Domain::from(&document), scenario, &plan).expect("a valid plan");
    let replayed: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
    assert_eq!(replayed, steps, "{scenario}");
}

#[test]
fn the_ball_in_the_box_is_solved_by_aries() {
    check_example("the_ball_in_the_box_is_solved_by_aries", "ball-in-the-box");
}

#[test]
fn the_night_guard_is_solved_by_aries() {
    check_example("the_night_guard_is_solved_by_aries", "night-guard");
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

#[test]
fn actors_of_crowds_are_objects_with_initial_values_in_hddl() {
    let document = document(
        "
type place
type person
object hall: place
value place_of(?p: person): place
primitive walk(?to: place)
  eff place_of(?me) := ?to
agent clerk: person
  task walk(hall)
scenario s
  crowd 2 clerk as clerk
  starts place_of(?me) = hall
",
    );
    let (domain, problem) = files(&document, &Name::new("s").expect("a name"));
    // The first actor, who plans, is named in the domain.
    assert!(domain.contains("clerk-1 - person"), "{domain}");
    for part in ["clerk-2 - person", "clerk-1 hall", "clerk-2 hall"] {
        assert!(problem.contains(part), "{problem}");
    }
}

#[test]
fn absence_is_a_condition_in_hddl() {
    let document = document(
        "
type soldier
object ann: soldier
object ben: soldier
sensor fact dead(?s: soldier) absence
fact praised(?s: soldier)
primitive praise(?s: soldier)
  eff praised(?s)
compound praise-one
  block a begin
  block b bind ?s: soldier
  block c task praise(?s)
  wire a.out -> b
  wire b.out -> c
scenario s
  initial dead(ann)
  task praise-one
",
    );
    let name = Name::new("s").expect("a name");
    let (domain, _) = files(&document, &name);
    let action = &domain[domain.find("(:action praise").expect("the task")..];
    assert!(action.contains("(not (dead ?s))"), "{domain}");
    let method = &domain[domain.find("(:method praise-one").expect("the method")..];
    assert!(method.contains("(not (dead ?s))"), "{domain}");
    // Imported again, it would be a fact like any other.
    let refused = export_full(&Domain::from(&document), Some(&name), &Stop::default());
    let errors = refused.expect_err("it isn't the same document");
    let message = "full HDDL can't express facts that make objects absent";
    assert_eq!(errors[0].message, message);
}

/// A test domain for which aries should find a plan.
fn solvable(title: &str, text: &str) -> Task {
    let mut document = document(text);
    document.info = Arc::new(Info {
        title: title.to_owned(),
        note: String::new(),
    });
    Task {
        document,
        scenario: Name::new("s").expect("a name"),
        solvable: true,
    }
}

#[test]
fn aries_solves_all_supported_features() {
    let tasks: Vec<Task> = DOMAINS
        .iter()
        // Aries computes with integers and doesn't divide.
        .filter(|(title, _)| *title != "Figures")
        .map(|(title, text)| solvable(title, text))
        .collect();
    check("aries_solves_all_supported_features", &tasks);
}

#[test]
fn aries_solves_random_flowcharts() {
    let tasks: Vec<Task> = (0..400)
        .map(|number| solvable(&format!("random-{number}"), &charts::domain(number)))
        .filter(|task| {
            let budget = Budget {
                nodes: 3_000,
                ..Budget::default()
            };
            let problem = compile(&Domain::from(&task.document), &task.scenario);
            matches!(plan(&problem, budget), Outcome::Plan(plan) if plan.steps.len() > 2)
        })
        .filter(|task| export(&task.document, Some(&task.scenario), Target::Hddl).is_ok())
        .take(20)
        .collect();
    check("aries_solves_random_flowcharts", &tasks);
}
