//! Replanning from another state and with other tasks than the scenario's.

use std::sync::Arc;

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, GroundTask, Outcome, Progress, Strategy, Value, World};
use testkit::domain::{self, example};

const STRATEGIES: [Strategy; 3] = [Strategy::First, Strategy::Cheapest, Strategy::Fastest];

fn searched(problem: &Problem, strategy: Strategy) -> Outcome {
    let mut search = taskloom_portfolio::search(strategy, problem, Budget::default(), 0);
    while search.step(u64::MAX) == Progress::Running {}
    search.outcome().expect("it has ended")
}

/// Returns the document with a scenario that starts in a world and does these tasks.
fn written(document: &Document, name: &Name, world: &World, tasks: &[GroundTask]) -> Document {
    let mut scenario = (*document.scenarios[name]).clone();
    scenario.initial = world.as_initial_values();
    scenario.tasks = tasks.iter().map(ToString::to_string).collect();
    let mut written = document.clone();
    written.scenarios.insert(name.clone(), Arc::new(scenario));
    written
}

#[test]
fn replanning_matches_planning_an_equivalent_scenario() {
    let (mut plans, mut without) = (0, 0);
    for file in ["ball-in-the-box", "night-guard"] {
        let document = example(file);
        let domain = Domain::from(&document);
        for name in document.scenarios.keys() {
            let problem = compile(&domain, name);
            let Outcome::Plan(plan) = searched(&problem, Strategy::First) else {
                continue;
            };
            let tasks = plan.roots.iter().map(|root| plan.nodes[*root].task.clone());
            let tasks: Vec<GroundTask> = tasks.collect();
            let mut world = World::initial(&domain, domain.scene(name).expect("a scenario"));
            let base = problem.based_on(&world);
            for done in 0..=plan.steps.len() {
                let strategies = if done % 3 == 0 { &STRATEGIES[..] } else { &[] };
                for strategy in strategies.iter().copied() {
                    let outcome = searched(&problem.with_state(&world, Some(&tasks)), strategy);
                    let expected = written(&document, name, &world, &tasks);
                    let expected = searched(&compile(&Domain::from(&expected), name), strategy);
                    assert_eq!(outcome, expected, "{name}, {done} steps done, {strategy:?}");
                    let based = searched(&base.with_state(&world, Some(&tasks)), strategy);
                    assert_eq!(based, expected, "{name}, {done} steps done, {strategy:?}");
                    match outcome {
                        Outcome::Plan(_) => plans += 1,
                        _ => without += 1,
                    }
                }
                if let Some(step) = plan.steps.get(done) {
                    world.apply(&step.changes);
                }
            }
        }
    }
    assert!(
        plans > 30 && without > 3,
        "{plans} with a plan, {without} without"
    );
}

#[test]
fn unknown_tasks_cannot_be_planned() {
    let document = example("ball-in-the-box");
    let domain = Domain::from(&document);
    let name = document.scenarios.keys().next().expect("a scenario");
    let world = World::initial(&domain, domain.scene(name).expect("a scenario"));
    let problem = compile(&domain, name);
    let task = |task: &str, args: &[&str]| {
        let name = |text: &str| Name::new(text).expect("a name");
        let args = args.iter().map(|arg| name(arg)).collect();
        let task = name(task);
        GroundTask { task, args }
    };
    let planned =
        |task: GroundTask| searched(&problem.with_state(&world, Some(&[task])), Strategy::First);
    assert!(matches!(
        planned(task("walk-to", &["box"])),
        Outcome::Plan(_)
    ));
    for wrong in [
        task("fly", &[]),
        task("walk-to", &["moon"]),
        task("walk-to", &[]),
    ] {
        let report = wrong.to_string();
        assert!(matches!(planned(wrong), Outcome::NotPlanned(_)), "{report}");
    }
}

#[test]
fn facts_that_are_read_only_as_objects_are_replanned_from() {
    let name = |text: &str| Name::new(text).expect("a name");
    for rule in ["pre open(at(bob))", "eff goal_of(bob) := at(bob)"] {
        let text = format!(
            "type person\ntype place\nobject bob: person\nobject home: place\nobject mill: place\n\
             value at(?who: person): place\nvalue goal_of(?who: person): place\nfact open(?at: place)\n\
             primitive call\n  {rule}\nscenario s\n  initial at(bob) = home\n  initial open(mill)\n  task call\n"
        );
        let domain = Domain::from(&domain::document(&text));
        let world = World::initial(&domain, domain.scene(&name("s")).expect("a scenario"));
        let problem = compile(&domain, &name("s"));
        let base = problem.based_on(&world);
        let mut moved = world.clone();
        let at = moved.atom("at(bob)").expect("a fact");
        let set = moved.set(&at, Value::Object(Some(name("mill"))));
        assert_eq!(set, Ok(true));
        let call = GroundTask {
            task: name("call"),
            args: vec![],
        };
        let planned = |problem: &Problem, world: &World| {
            searched(
                &problem.with_state(world, Some(std::slice::from_ref(&call))),
                Strategy::First,
            )
        };
        assert_eq!(planned(&base, &moved), planned(&problem, &moved), "{rule}");
        assert_ne!(planned(&base, &moved), planned(&base, &world), "{rule}");
    }
}
