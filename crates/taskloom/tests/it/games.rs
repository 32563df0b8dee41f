//! The API for games and servers: worlds, planning in slices, characters.

use taskloom::document::stop::Stop;
use taskloom::domain::Domain as Meaning;
use taskloom::planner::compile::compile_cancellable;
use taskloom::planner::plan::plan_by;
use taskloom::runtime::TaskState;
use taskloom::{Atom, Budget, Character, Domain, Outcome, Progress, Strategy, Value, World};
use testkit::domain::{document, example};

const EXAMPLES: [&str; 7] = [
    "ball-in-the-box",
    "hunter",
    "night-guard",
    "office",
    "opening",
    "rts",
    "sentry",
];

fn world(file: &str, scenario: &str) -> World {
    let domain = Domain::new(example(file));
    domain.world(scenario).expect("a scenario")
}

fn atom(world: &World, text: &str) -> Atom {
    world.atom(text).expect("a ground fact")
}

fn report(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Plan(plan) => {
            let steps = plan.steps.iter().map(|step| step.task.to_string());
            steps.collect::<Vec<_>>().join(", ")
        }
        other => format!("{other:?}"),
    }
}

fn planned(world: &World, tasks: &[&str]) -> String {
    let planning = world.plan(tasks, Budget::default()).expect("tasks");
    report(&planning.finish().expect("a plan that is right"))
}

#[test]
fn world_has_the_values_set_by_the_game() {
    let mut world = world("ball-in-the-box", "case-1-box-open");
    assert_eq!(planned(&world, &["get-ball"]), "walk-to(box), take-ball");
    let open = atom(&world, "box_open");
    assert_eq!(world.value(&open), Value::Bool(true));
    assert_eq!(world.set(&open, true), Ok(false));
    let before = world.clone();
    assert_eq!(world.set(&open, false), Ok(true));
    assert_eq!(
        planned(&world, &["get-ball"]),
        "walk-to(box), open-box, take-ball"
    );
    assert_eq!(planned(&before, &["get-ball"]), "walk-to(box), take-ball");
    assert_eq!(world.holds("not box_open"), Ok(true));
    assert!(
        !world
            .facts()
            .iter()
            .any(|(atom, value)| *atom == open && *value != Value::Bool(false))
    );
}

#[test]
fn rejects_invalid_calls_with_a_message() {
    let mut world = world("night-guard", "night-01-quiet");
    let refused = |result: Result<Atom, taskloom::Error>| result.unwrap_err().to_string();
    assert_eq!(refused(world.atom("lit(cellar)")), "'cellar' is not a room");
    assert_eq!(
        refused(world.atom("lit")),
        "wrong number of arguments for 'lit': expected 1, got 0"
    );
    assert_eq!(
        refused(world.atom("glows(hall)")),
        "there is no fact 'glows'"
    );
    assert_eq!(
        refused(world.atom("lit(")),
        "'lit(' is not a fact with objects as arguments"
    );
    let stamina = atom(&world, "stamina");
    let place = atom(&world, "place_of(guard)");
    let set = [
        (&stamina, Value::Number(11.0)),
        (&stamina, Value::Number(0.5)),
        (&stamina, Value::Number(f64::NAN)),
        (&stamina, Value::Bool(true)),
        (&place, Value::Object("radio".parse().ok())),
    ];
    let report = set.map(|(atom, value)| world.set(atom, value).unwrap_err().to_string());
    assert_eq!(
        report,
        [
            "stamina would rise to 11, above its range",
            "stamina would be 0.5, which is not a whole number",
            "'stamina' can't be NaN",
            "'stamina' can't be true",
            "'place_of(guard)' can't be radio",
        ]
    );
    assert_eq!(
        world.set(&place, Value::Object("hall".parse().ok())),
        Ok(true)
    );
    let plan = world.plan(&["sing"], Budget::default());
    assert!(plan.unwrap_err().to_string().contains("'sing'"));
    assert!(Domain::read("{").is_err());
    assert!(Domain::new(example("night-guard")).world("day").is_err());
}

#[test]
fn sliced_planning_matches_planning_at_once() {
    let domain = Domain::new(example("night-guard"));
    let (mut slices, mut plans) = (0, 0);
    for name in domain.document().scenarios.keys() {
        for strategy in [Strategy::First, Strategy::Fastest] {
            let mut world = domain.world(name.as_str()).expect("a scenario");
            let power = atom(&world, "power");
            let tasks = world.scenario().tasks.clone();
            let planning = |world: &World| {
                let planning = world.plan(&tasks, Budget::default()).expect("tasks");
                planning.with_strategy(strategy)
            };
            let expected = planning(&world).finish();
            let mut planning = planning(&world);
            let outcome = loop {
                if let Some(outcome) = planning.step(1) {
                    break outcome;
                }
                slices += 1;
                let Value::Bool(on) = world.value(&power) else {
                    panic!("power is on or off");
                };
                world.set(&power, !on).expect("a value");
            };
            assert_eq!(outcome, expected, "{name}");
            plans += usize::from(matches!(outcome, Ok(Outcome::Plan(_))));
        }
    }
    assert!(
        slices > 1_000 && plans == 20,
        "{slices} slices, {plans} plans"
    );
}

/// Thinks and acts until a tick. Returns the actions.
fn played(guard: &mut Character, world: &mut World, ticks: std::ops::Range<u32>) -> Vec<String> {
    let mut report = vec![];
    for tick in ticks {
        while guard.think(world, 10).expect("a valid plan") {}
        loop {
            match guard.act(world, tick) {
                Progress::Ended { task, execution } => {
                    let failed = execution.state == TaskState::Failed;
                    let word = if failed { "failed" } else { "complete" };
                    report.push(format!("{tick} {task} {word}"));
                }
                Progress::Complete => {
                    report.push(format!("{tick} all complete"));
                    return report;
                }
                Progress::Waiting | Progress::Stopped => break,
            }
        }
    }
    report
}

#[test]
fn a_character_without_a_plan_waits_until_its_world_changes() {
    let text = "
fact open
fact lit
action Go 2
primitive go = Go
  pre open
  integrity open
scenario s";
    let mut world = Domain::new(document(text)).world("s").expect("a scenario");
    let (open, lit) = (atom(&world, "open"), atom(&world, "lit"));
    let mut guard = Character::new(&world, &["go"], Budget::default()).expect("a task");
    assert_eq!(played(&mut guard, &mut world, 0..3), [""; 0]);
    assert!(guard.is_stuck());
    assert_eq!(guard.outcome(), Some(&Ok(Outcome::NoPlan)));
    // Nothing has changed, so there is nothing to think about.
    assert_eq!(guard.think(&world, 10), Ok(false));
    world.set(&lit, true).expect("a value");
    assert_eq!(
        guard.think(&world, 10),
        Ok(true),
        "it may be that this helps"
    );
    assert_eq!(played(&mut guard, &mut world, 3..4), [""; 0]);
    assert!(guard.is_stuck());
    world.set(&open, true).expect("a value");
    assert_eq!(played(&mut guard, &mut world, 4..6), [""; 0]);
    assert_eq!(
        guard
            .current_step()
            .map(|(step, _)| step.task.to_string())
            .as_deref(),
        Some("go")
    );
    world.set(&open, false).expect("a value");
    assert_eq!(played(&mut guard, &mut world, 6..7), ["6 go failed"]);
    world.set(&open, true).expect("a value");
    assert_eq!(
        played(&mut guard, &mut world, 7..20),
        ["9 go complete", "9 all complete"]
    );
    guard.assign(&world, &["go", "go"]).expect("tasks");
    assert_eq!(
        played(&mut guard, &mut world, 20..30),
        ["22 go complete", "24 go complete", "24 all complete"]
    );
}

/// Every character of every example is planned for in its world with the same result as by the
/// planner alone.
#[test]
fn every_character_of_the_examples_gets_a_plan() {
    let (mut planned, mut steps) = (0, 0);
    for name in EXAMPLES {
        let document = example(name);
        let domain = Domain::new(document.clone());
        let meaning = Meaning::from(&document);
        for scenario in document.scenarios.keys() {
            let scene = meaning.scene(scenario).expect("a scenario");
            for (number, actor) in scene.cast.iter().enumerate() {
                let problem = compile_cancellable(&meaning, (scenario, number), &Stop::default());
                let problem = problem.expect("nothing stops it");
                let own = plan_by(problem.policy(), &problem, Budget::default());
                let who = actor.name().map_or("", |name| name.as_str());
                let world = domain
                    .world_of(scenario.as_str(), who)
                    .expect("a character");
                let planning = world.plan(world.tasks(), Budget::default()).expect("tasks");
                let found = planning.finish().expect("a plan that is right");
                assert_eq!(report(&found), report(&own), "{name}: {scenario}: {who}");
                planned += 1;
                if let Outcome::Plan(plan) = found {
                    steps += plan.steps.len();
                }
            }
        }
    }
    assert!(
        planned > 80 && steps > 300,
        "{planned} plans of {steps} steps"
    );
}

/// A character that has neither a plan nor all its goals achieved either plans or reports that it
/// is stuck.
#[test]
fn waiting_characters_of_the_examples_have_a_reason() {
    let mut complete = 0;
    for name in EXAMPLES {
        let document = example(name);
        let domain = Domain::new(document.clone());
        for scenario in document.scenarios.keys() {
            let mut world = domain.world(scenario.as_str()).expect("a scenario");
            let character = Character::new(&world, world.tasks(), Budget::default());
            let mut character = character.expect("tasks");
            let mut is_complete = false;
            for tick in 0..60 {
                while character.think(&world, 1_000).expect("a valid plan") {}
                let state = (
                    character.plan().is_some(),
                    character.is_stuck(),
                    is_complete,
                );
                assert_ne!(
                    state,
                    (false, false, false),
                    "{name}: {scenario}: tick {tick}"
                );
                while let Progress::Ended { .. } = character.act(&mut world, tick) {}
                is_complete = character.act(&mut world, tick) == Progress::Complete;
            }
            complete += usize::from(is_complete);
        }
    }
    assert!(complete > 20, "{complete} are complete");
}

#[test]
fn cast_characters_have_their_own_tasks_goals_and_me() {
    let domain = Domain::new(example("sentry"));
    let mut world = domain.world("case-1-a-quiet-night").expect("a scenario");
    assert_eq!(world.tasks(), [""; 0]);
    let mut gwen = Character::new(&world, world.tasks(), Budget::default()).expect("goals");
    let lines = played(&mut gwen, &mut world, 0..60);
    assert_eq!(
        lines.first().map(String::as_str),
        Some("2 walk(yard) complete")
    );
    assert!(
        lines
            .last()
            .is_some_and(|line| line.ends_with("all complete")),
        "{lines:?}"
    );
    let refused = |scenario: &str, who: &str| {
        domain
            .world_of(scenario, who)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused("case-1-a-quiet-night", "nobody"),
        "scenario 'case-1-a-quiet-night' has no actor 'nobody'; its cast is gwen"
    );
    assert_eq!(refused("nowhere", "gwen"), "there is no scenario 'nowhere'");
}

#[test]
fn types_are_send_and_sync() {
    fn goes<T: Send>() {}
    fn is_shared<T: Sync>() {}
    goes::<(Domain, World, taskloom::Planning, Character)>();
    is_shared::<(Domain, World)>();
}
