//! The simulator agrees with the reference interpreter on documents: the shipped examples, those after published
//! descriptions, and those of the tests of the simulator.

use std::sync::Arc;

use taskloom_document::diagnostic::Severity;
use taskloom_document::stop::Stop;
use taskloom_document::{Block, Document, Name};
use taskloom_domain::Domain as Typed;
use taskloom_domain::check::check as findings;
use taskloom_planner::compile::{Problem, compile_cancellable};
use taskloom_planner::plan::{Budget, GroundTask, Outcome, World, plan_by};
use taskloom_runtime::{MAX_PLANS, Run};
use testkit::domain::{EXAMPLES, example};

use super::domain::Domain;
use super::goals::Checked;
use super::record::Asked;
use super::{check_cooldowns, check_worlds, claims, interpreter, reactive, typed};

/// Plans for a character with the beliefs that the interpreter says it has.
fn plan(
    domain: &Domain,
    (problem, start): (&Problem, &World),
    asked: &Asked,
    budget: Budget,
) -> Outcome {
    let mut now = start.clone();
    for atom in domain.atoms() {
        let value = domain.names.value_of(atom, asked.believed.value(atom));
        let set = now.set(&domain.names.written(atom), value);
        set.expect("it can have this value");
    }
    now.set_time(f64::from(asked.tick));
    now.set_claimed(&Arc::new(super::claimed(domain, asked)));
    let tasks = asked.tasks.iter().map(|task| domain.names.planned(*task));
    let tasks: Vec<GroundTask> = tasks.collect();
    let problem = problem.with_state(&now, Some(&tasks));
    let problem = super::problem(domain, problem, asked);
    plan_by(problem.policy(), &problem, budget)
}

/// Checks a simulated run of a scenario.
pub fn check(
    document: &Typed,
    scenario: &Name,
    run: &Run,
    (budget, last_tick): (Budget, u32),
    context: &str,
) {
    let scene = document.scene_or_empty(scenario);
    let domain = typed::read(document, &scene);
    let situations = scene.cast.iter().enumerate().map(|(number, actor)| {
        let problem = compile_cancellable(document, (scenario, number), &Stop::default());
        let start = World::initial(document.executable(), &scene).believed_by(actor.clone());
        (problem.expect("nobody stops it"), start)
    });
    let situations: Vec<(Problem, World)> = situations.collect();
    let mut checked = Checked::default();
    let record = interpreter::run(&domain, last_tick, MAX_PLANS, &mut |asked: Asked| {
        let character = asked.character;
        let (problem, start) = &situations[character];
        let outcome = plan(&domain, (problem, start), &asked, budget);
        check_cooldowns(&domain, &asked, &outcome);
        claims::check(&domain, &asked, &outcome);
        let is_for_goals = domain.tasks_of(character).is_empty();
        if matches!(outcome, Outcome::GaveUp(_)) {
            // Nothing is known about it.
        } else if asked.tasks.is_empty() && is_for_goals {
            checked.check(&domain, &asked, &outcome);
        } else if domain.is_reactive(character) && !asked.tasks.is_empty() {
            reactive::check(&domain, &asked, &outcome);
        }
        outcome
    });
    super::check(&domain, run, &record, context);
    check_worlds(&domain, (document, &scene), run, &record, context);
}

/// The number of objects that are too many for the interpreter.
const MANY: usize = 40;

/// Returns `true` if a document and a scenario have no mistake, no block that asks a game, and not too many
/// objects.
fn is_complete(document: &Typed, scenario: &Name) -> bool {
    let tasks = document.document().compound_tasks.values();
    let mut blocks = tasks.flat_map(|task| task.method.blocks.values());
    let asks =
        blocks.any(|block| matches!(&**block, Block::Bind { query, .. } if !query.is_empty()));
    let mut found = findings(document).into_iter();
    let scene = document.scene(scenario);
    let is_small = scene.is_some_and(|scene| scene.objects().len() < MANY);
    is_small && !asks && found.all(|one| one.severity != Severity::Error)
}

/// Simulates a scenario, and checks the run unless the interpreter can't execute it.
pub fn simulate(document: &Typed, scenario: &Name, budget: Budget, last_tick: u32) -> Run {
    let run = taskloom_runtime::simulate(document, scenario, budget, last_tick);
    if is_complete(document, scenario) {
        let context = format!("{scenario} of {}", document.document().to_json());
        check(document, scenario, &run, (budget, last_tick), &context);
    }
    run
}

/// Checks all scenarios of a document. Returns the number of steps in each.
fn check_all(document: &Document, context: &str) -> Vec<usize> {
    let (domain, budget) = (Typed::from(document), Budget::default());
    let scenarios = document.scenarios.keys();
    let steps = scenarios.map(|scenario| {
        let context = format!("{context}, {scenario}");
        assert!(is_complete(&domain, scenario), "{context}");
        let run = taskloom_runtime::simulate(&domain, scenario, budget, 200);
        check(&domain, scenario, &run, (budget, 200), &context);
        run.executed.len()
    });
    steps.collect()
}

#[test]
fn shipped_scenarios_agree_with_the_reference_interpreter() {
    let all = EXAMPLES
        .iter()
        .flat_map(|file| check_all(&example(file), file));
    let steps: Vec<usize> = all.collect();
    let total: usize = steps.iter().sum();
    assert!(steps.len() >= 48 && total > 500, "{total} steps");
}

#[test]
fn documents_after_published_descriptions_agree_with_the_reference_interpreter() {
    let files = [
        "tests/published/fluid-htn-readme",
        "tests/published/squad",
        "tests/published/trunk-thumper",
        "tests/published/village",
        "crates/taskloom/examples/guards",
    ];
    let all = files.into_iter().flat_map(|file| {
        let root = env!("CARGO_MANIFEST_DIR");
        let path = format!("{root}/../../{file}.taskloom.json");
        let text = std::fs::read_to_string(&path).expect("the file is there");
        check_all(&Document::from_json(&text).expect("a document"), file)
    });
    let total: usize = all.sum();
    assert!(total > 50, "{total} steps");
}
