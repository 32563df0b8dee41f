//! The simulator agrees with the reference interpreter on the scenarios of the shipped examples.

use std::sync::Arc;

use taskloom_document::Name;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain as Document;
use taskloom_planner::compile::{Problem, compile_cancellable};
use taskloom_planner::plan::{Budget, GroundTask, Outcome, World, plan_by};
use taskloom_runtime::{MAX_PLANS, simulate};
use testkit::domain::{EXAMPLES, example};

use super::domain::Domain;
use super::goals::Checked;
use super::record::Asked;
use super::{check_cooldowns, check_worlds, claims, interpreter, reactive, typed};

const LAST_TICK: u32 = 200;

/// Plans for a character with the beliefs that the interpreter says it has.
fn plan(domain: &Domain, (problem, start): (&Problem, &World), asked: &Asked) -> Outcome {
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
    plan_by(problem.policy(), &problem, Budget::default())
}

/// Compares the simulated run of a scenario with that of the interpreter. Returns the number of its steps.
fn compare(document: &Document, scenario: &Name, context: &str) -> usize {
    let run = simulate(document, scenario, Budget::default(), LAST_TICK);
    let scene = document.scene_or_empty(scenario);
    let domain = typed::read(document, &scene);
    let situations = scene.cast.iter().enumerate().map(|(number, actor)| {
        let problem = compile_cancellable(document, (scenario, number), &Stop::default());
        let start = World::initial(document.executable(), &scene).believed_by(actor.clone());
        (problem.expect("nobody stops it"), start)
    });
    let situations: Vec<(Problem, World)> = situations.collect();
    let mut checked = Checked::default();
    checked.is_large = true;
    let record = interpreter::run(&domain, LAST_TICK, MAX_PLANS, &mut |asked: Asked| {
        let character = asked.character;
        let (problem, start) = &situations[character];
        let outcome = plan(&domain, (problem, start), &asked);
        check_cooldowns(&domain, &asked, &outcome);
        claims::check(&domain, &asked, &outcome);
        if asked.tasks.is_empty() {
            checked.check(&domain, &asked, &outcome);
        } else if domain.is_reactive(character) {
            reactive::check(&domain, &asked, &outcome);
        }
        outcome
    });
    super::check(&domain, &run, &record, context);
    check_worlds(&domain, (document, &scene), &run, &record, context);
    record.steps.len()
}

#[test]
fn shipped_scenarios_agree_with_the_reference_interpreter() {
    let (mut scenarios, mut steps) = (0, 0);
    for file in EXAMPLES {
        let document = example(file);
        let domain = Document::from(&document);
        for scenario in document.scenarios.keys() {
            scenarios += 1;
            steps += compare(&domain, scenario, &format!("{file}, {scenario}"));
        }
    }
    assert!(
        scenarios >= 48 && steps > 500,
        "{scenarios} scenarios of {steps} steps"
    );
}
