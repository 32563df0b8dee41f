//! The shipped examples: without findings, and each scenario as it expects.

use std::fs;
use std::path::{Path, PathBuf};

use taskloom_core::check::check;
use taskloom_core::document::{Document, Expectation, FILE_EXTENSION, Scenario};
use taskloom_core::lang::Env;
use taskloom_core::plan::{Budget, Outcome, Plan, World, validate};
use taskloom_core::simulate::{Run, RunEnd, simulate};

const MOST_TICKS: u32 = 500;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../public/examples");
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("the examples' folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(FILE_EXTENSION))
        .collect();
    found.sort();
    assert!(found.len() >= 2, "the examples were not found");
    found
}

#[test]
fn examples_are_written_as_the_editor_writes_them() {
    for path in examples() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let document = Document::from_json(&text).expect("a document");
        assert!(
            document.to_json() == text,
            "{} would change when saved",
            path.display()
        );
    }
}

#[test]
fn examples_have_nothing_wrong() {
    for path in examples() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let document = Document::from_json(&text).expect("a document");
        let found: Vec<_> = check(&document).iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
    }
}

#[test]
fn scenarios_go_as_they_expect() {
    let mut met = 0;
    for path in examples() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let document = Document::from_json(&text).expect("a document");
        for (name, scenario) in &document.scenarios {
            let run = simulate(&document, name, Budget::default(), MOST_TICKS);
            assert!(!scenario.expect.is_empty(), "{name} expects nothing");
            if let Some((_, Outcome::Plan(plan))) = run.plans.first()
                && let Err(invalid) = validate(&document, name, plan)
            {
                panic!("{}, {name}: {invalid}", path.display());
            }
            for expectation in &scenario.expect {
                if let Err(reason) = meets(&document, scenario, &run, expectation) {
                    panic!("{}, {name}: {reason}", path.display());
                }
                met += 1;
            }
        }
    }
    assert!(met >= 30, "only {met} expectations");
}

/// Whether a run is as an expectation says, or what it is instead.
fn meets(
    document: &Document,
    scenario: &Scenario,
    run: &Run,
    expectation: &Expectation,
) -> Result<(), String> {
    let first = run.plans.first().map(|(_, outcome)| outcome);
    let plan = || match first {
        Some(Outcome::Plan(plan)) => Ok(plan),
        other => Err(format!("there is no plan: {other:?}")),
    };
    let holds = |holds: bool, otherwise: String| holds.then_some(()).ok_or(otherwise);
    match expectation {
        Expectation::PlanExists => plan().map(|_| ()),
        Expectation::NoPlan => holds(
            matches!(first, Some(Outcome::NoPlan)),
            format!("not 'no plan', but {first:?}"),
        ),
        Expectation::Plan(steps) => {
            let made = steps_of(plan()?);
            holds(made == *steps, format!("the plan is {}", made.join(", ")))
        }
        Expectation::Contains(task) => {
            let nodes = &plan()?.nodes;
            let is_it = |n: &str| n == task || n.split('(').next() == Some(task);
            holds(
                nodes.iter().any(|node| is_it(&node.task.to_string())),
                format!("'{task}' is not in the plan"),
            )
        }
        Expectation::CostAtMost(most) => {
            let cost = plan()?.cost;
            holds(cost <= *most, format!("the cost is {cost}"))
        }
        Expectation::Finally(formula) => {
            let world = end(document, scenario, run);
            let held = world.holds(formula, &world.scenario_scope(), &Env::new())?;
            holds(held, format!("'{formula}' does not hold at the end"))
        }
        Expectation::Recovers => holds(
            run.end == RunEnd::Complete && run.plans.len() > 1,
            format!("{:?} after {} plans", run.end, run.plans.len()),
        ),
    }
}

fn steps_of(plan: &Plan) -> Vec<String> {
    plan.steps.iter().map(|s| s.task.to_string()).collect()
}

/// The world when a run has ended: at each tick its events, then what its steps
/// changed.
fn end<'a>(document: &'a Document, scenario: &'a Scenario, run: &Run) -> World<'a> {
    let events = run.events.iter().map(|(tick, _, c)| (*tick, 0, c));
    let steps = run.executed.iter().map(|step| (step.end, 1, &step.changes));
    let mut all: Vec<_> = events.chain(steps).collect();
    all.sort_by_key(|(tick, order, _)| (*tick, *order));
    let mut world = World::initial(document, scenario);
    for (_, _, changes) in all {
        world.apply(changes);
    }
    world
}
