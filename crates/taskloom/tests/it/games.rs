//! The API for games and servers: worlds, actors, and planning in slices.

use taskloom::{
    ActionStatus, Actor, ActorEvent, Atom, Body, Budget, ByDurations, Domain, Dropped, Error, Name,
    Orders, Outcome, Planning, Reason, SavedActor, SavedWorld, Situation, Status, StepRef,
    Strategy, TickBudget, Value, World,
};
use taskloom_document::Document;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain as Meaning;
use taskloom_planner::compile::compile_cancellable;
use taskloom_planner::plan::plan_by;
use taskloom_runtime::TaskState;
use testkit::domain::{EXAMPLES, document, example};

fn situation(file: &str, scenario: &str) -> Situation {
    let domain = Domain::unchecked(example(file));
    domain.situation(scenario, None).expect("a scenario")
}

fn atom(world: &Situation, text: &str) -> Atom {
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

fn planned(world: &Situation, tasks: &[&str]) -> String {
    let planning = world.plan(tasks, Budget::default()).expect("tasks");
    report(&planning.finish().expect("a plan that is right"))
}

#[test]
fn situation_has_the_values_set_by_the_game() {
    let mut world = situation("ball-in-the-box", "case-1-box-open");
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
    let mut world = situation("night-guard", "night-01-quiet");
    let refused = |result: Result<Atom, Error>| result.unwrap_err().to_string();
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
    let domain = Domain::unchecked(example("night-guard"));
    let error = domain.world("day").map(|_| ()).unwrap_err();
    assert_eq!(error, Error::UnknownScenario("day".to_owned()));
    let error = domain.situation("by day!", None).map(|_| ()).unwrap_err();
    assert_eq!(error, Error::UnknownScenario("by day!".to_owned()));
}

#[test]
fn documents_with_mistakes_are_refused() {
    let text = |pre: &str| {
        format!(
            r#"{{ "taskloom": 4, "facts": {{ "tired": {{}} }},
                 "primitive_tasks": {{ "rest": {{ "preconditions": ["{pre}"] }} }} }}"#
        )
    };
    assert!(Domain::read(&text("tired")).is_ok());
    let Err(Error::Mistakes(found)) = Domain::read(&text("tried")) else {
        panic!("there is no fact 'tried'");
    };
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, "unknown-name");
    let said = Error::Mistakes(found).to_string();
    assert!(
        said.starts_with("the document is invalid: error[unknown-name] "),
        "{said}"
    );
    let document = Document::from_json(&text("tried")).expect("a document");
    assert_eq!(
        Domain::new(document.clone())
            .err()
            .map(|error| error.to_string()),
        Some(said)
    );
    assert_eq!(Domain::unchecked(document).check().len(), 1);
}

/// Walks to where its target is at each tick, and notes the action's arguments.
#[derive(Default)]
struct Walker(Vec<String>);

impl Walker {
    fn note(&mut self, what: &str, step: &StepRef) {
        let arg = |arg: &Option<Name>| arg.as_ref().map_or("nothing", Name::as_str).to_owned();
        let args: Vec<String> = step.args.iter().map(arg).collect();
        let (tick, task) = (step.tick, step.task);
        self.0
            .push(format!("{tick} {what} {task}: {}", args.join(", ")));
    }
}

impl Body for Walker {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        self.note("starts", step);
        ActionStatus::Running
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        self.note("continues", step);
        match step.tick {
            3.. => ActionStatus::Succeeded,
            _ => ActionStatus::Running,
        }
    }

    fn stop(&mut self, step: &StepRef, _why: &Reason) {
        self.note("stops", step);
    }
}

#[test]
fn a_step_has_the_arguments_of_its_action() {
    let text = "
type thing
type room
object ann: thing
object tom: thing
object hall: room
object vault: room
value place_of(?t: thing): room
action WalkTo(?r: room, ?t: thing) 9
action Shout 1
primitive chase(?who: thing) = WalkTo(place_of(?who), ?who)
primitive shout = Shout
agent guard: thing
scenario s
  initial place_of(tom) = hall
  cast ann as guard
  does chase(tom)
  does shout
";
    let domain = Domain::new(document(text)).expect("no mistakes");
    let (mut world, mut actors) = domain.play("s").expect("a scenario");
    let place = world.atom("place_of(tom)").expect("a fact");
    let mut body = Walker::default();
    for tick in 0..5 {
        if tick == 1 {
            let vault = Value::Object("vault".parse().ok());
            world.set(&place, vault).expect("a value");
        }
        if tick == 2 {
            world.set(&place, Value::Object(None)).expect("a value");
        }
        for actor in &mut actors {
            actor.tick(&mut world, &mut body, TickBudget::decisions(100));
        }
        world.advance();
    }
    let expected = [
        "0 starts chase(tom): hall, tom",
        "1 continues chase(tom): vault, tom",
        "2 continues chase(tom): nothing, tom",
        "3 continues chase(tom): nothing, tom",
        "3 starts shout: ",
        "4 continues shout: ",
    ];
    assert_eq!(body.0, expected);
}

#[test]
fn errors_have_a_kind_and_the_place_of_the_mistake() {
    let error = Domain::read("{\n  \"taskloom\": 4,\n  \"fact\": {}\n}")
        .map(|_| ())
        .unwrap_err();
    let Error::Document(error) = error else {
        panic!("the text is no document: {error}");
    };
    assert_eq!(error.mistakes[0].position, Some((3, 3)));
    let (world, _) = Domain::unchecked(example("night-guard"))
        .play("night-01-quiet")
        .expect("a scenario");
    let Err(Error::InvalidText { text, span, .. }) = world.holds("power and lit(cellar)") else {
        panic!("there is no cellar");
    };
    assert_eq!(span.map(|span| &text[span.range()]), Some("cellar"));
}

#[test]
fn sliced_planning_matches_planning_at_once() {
    let domain = Domain::unchecked(example("night-guard"));
    let (mut slices, mut plans) = (0, 0);
    for name in domain.document().scenarios.keys() {
        for strategy in [Strategy::First, Strategy::Fastest] {
            let world = domain.situation(name.as_str(), None);
            let mut world = world.expect("a scenario");
            let power = atom(&world, "power");
            let tasks = world.scenario().tasks.clone();
            let planning = |world: &Situation| {
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

/// Gives an actor its turns of some ticks, until all is complete. Returns what has happened.
fn played(actor: &mut Actor, world: &mut World, ticks: u32) -> Vec<String> {
    let mut report = vec![];
    for _ in 0..ticks {
        let tick = world.tick();
        let done = actor.tick(world, &mut ByDurations, TickBudget::decisions(10));
        for event in &done.events {
            match event {
                ActorEvent::Planned(planning) => match &planning.outcome {
                    Ok(Outcome::Plan(_)) => report.push(format!("{tick} plans")),
                    other => report.push(format!("{tick} plans in vain: {other:?}")),
                },
                ActorEvent::Ended(step) => {
                    let failed = step.state == TaskState::Failed;
                    let word = if failed { "failed" } else { "complete" };
                    report.push(format!("{tick} step {word}"));
                }
                ActorEvent::Refused(why) => report.push(format!("{tick} refused: {why}")),
                // What it perceives, and what a later version may report.
                _ => {}
            }
        }
        world.advance();
        if done.status == Status::Complete {
            report.push(format!("{tick} all complete"));
            return report;
        }
    }
    report
}

#[test]
fn an_actor_without_a_plan_waits_until_its_world_changes() {
    let text = "
fact open
fact lit
action Go 2
primitive go = Go
  pre open
  integrity open
scenario s
  task go";
    let (mut world, mut actors) = Domain::unchecked(document(text))
        .play("s")
        .expect("a scenario");
    let guard = &mut actors[0];
    let [open, lit] = ["open", "lit"].map(|text| world.atom(text).expect("a ground fact"));
    assert_eq!(
        played(guard, &mut world, 3),
        ["0 plans in vain: Ok(NoPlan)"]
    );
    // It may be that this helps.
    world.set(&lit, true).expect("a value");
    assert_eq!(
        played(guard, &mut world, 1),
        ["3 plans in vain: Ok(NoPlan)"]
    );
    world.set(&open, true).expect("a value");
    assert_eq!(played(guard, &mut world, 2), ["4 plans"]);
    let running = guard.running_steps().map(|(step, _)| step.task.to_string());
    assert_eq!(running.collect::<Vec<_>>(), ["go"]);
    world.set(&open, false).expect("a value");
    let lines = played(guard, &mut world, 2);
    assert_eq!(lines, ["6 step failed", "7 plans in vain: Ok(NoPlan)"]);
    world.set(&open, true).expect("a value");
    let lines = played(guard, &mut world, 20);
    assert_eq!(lines, ["8 plans", "10 step complete", "10 all complete"]);
    guard.orders().assign(&["go", "go"]);
    played(guard, &mut world, 1);
    let lines = played(guard, &mut world, 20);
    assert_eq!(
        lines,
        [
            "12 plans",
            "14 step complete",
            "16 step complete",
            "16 all complete"
        ]
    );
    guard.orders().assign(&["fly"]);
    let lines = played(guard, &mut world, 1);
    assert!(lines[0].starts_with("17 refused: "), "{lines:?}");
}

/// Every actor of every example is planned for in its situation with the same result as by the planner
/// alone.
#[test]
fn every_actor_of_the_examples_gets_a_plan() {
    let (mut planned, mut steps) = (0, 0);
    for name in EXAMPLES {
        let document = example(name);
        let domain = Domain::unchecked(document.clone());
        let meaning = Meaning::from(&document);
        for scenario in document.scenarios.keys() {
            let scene = meaning.scene(scenario).expect("a scenario");
            for (number, actor) in scene.cast.iter().enumerate() {
                let problem = compile_cancellable(&meaning, (scenario, number), &Stop::default());
                let problem = problem.expect("nothing stops it");
                let own = plan_by(problem.policy(), &problem, Budget::default());
                let who = actor.name().map_or("", |name| name.as_str());
                let who_plans = Some(who).filter(|who| !who.is_empty());
                let world = domain.situation(scenario.as_str(), who_plans);
                let world = world.expect("an actor");
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

/// An actor that has neither a plan nor all its goals achieved waits, and says so.
#[test]
fn actors_of_the_examples_are_busy_or_say_why_not() {
    let mut complete = 0;
    for name in EXAMPLES {
        let domain = Domain::unchecked(example(name));
        for scenario in domain.document().scenarios.keys() {
            let (mut world, mut actors) = domain.play(scenario.as_str()).expect("a scenario");
            for _ in 0..60 {
                for actor in &mut actors {
                    let done = actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
                    let is_busy = actor.plan().is_some();
                    match done.status {
                        Status::Active => assert!(is_busy, "{name}: {scenario}"),
                        Status::Waiting | Status::Complete => assert!(!is_busy),
                        other => panic!("{name}: {scenario}: {other:?}"),
                    }
                    complete += usize::from(done.status == Status::Complete);
                }
                world.advance();
            }
        }
    }
    assert!(complete > 20, "{complete} are complete");
}

#[test]
fn cast_actors_have_their_own_tasks_goals_and_me() {
    let domain = Domain::unchecked(example("sentry"));
    let (mut world, mut actors) = domain.play("case-1-a-quiet-night").expect("a scenario");
    assert_eq!(actors[0].name(), Some("gwen"));
    let lines = played(&mut actors[0], &mut world, 60);
    assert!(
        lines
            .last()
            .is_some_and(|line| line.ends_with("all complete")),
        "{lines:?}"
    );
    let refused = |scenario: &str, who: &str| {
        let situation = domain.situation(scenario, Some(who));
        situation.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        refused("case-1-a-quiet-night", "nobody"),
        "scenario 'case-1-a-quiet-night' has no actor 'nobody'; its cast is gwen"
    );
    assert_eq!(refused("nowhere", "gwen"), "there is no scenario 'nowhere'");
}

#[test]
fn saved_game_is_loaded_without_actors_that_no_longer_exist() {
    let domain = Domain::unchecked(example("sentry"));
    let (world, actors) = domain.play("case-1-a-quiet-night").expect("a scenario");
    let saved: Vec<SavedActor> = actors.iter().map(Actor::save).collect();
    let (_, loaded, dropped) = domain.load(&world.save(), &saved).expect("the scenario");
    assert_eq!((loaded.len(), dropped), (actors.len(), vec![]));
    let mut changed = domain.document().clone();
    let name = world.scenario();
    let scenario = changed.scenarios.get_mut(name).expect("the scenario");
    std::sync::Arc::make_mut(scenario).cast[0].object = None;
    let (_, loaded, dropped) = Domain::unchecked(changed)
        .load(&world.save(), &saved)
        .expect("the scenario");
    assert_eq!(loaded.len(), actors.len() - 1);
    assert!(
        matches!(&dropped[..], [Dropped::Actor { .. }]),
        "{dropped:?}"
    );
}

/// A body that counts its calls, to show that one can be a trait object.
struct Counts(usize);

impl Body for Counts {
    fn start(&mut self, _step: &StepRef) -> ActionStatus {
        self.0 += 1;
        ActionStatus::failed("it never works")
    }

    fn tick(&mut self, _step: &StepRef) -> ActionStatus {
        ActionStatus::Running
    }

    fn stop(&mut self, _step: &StepRef, _why: &Reason) {}
}

#[test]
fn action_that_fails_in_the_game_is_reported_with_its_reason() {
    let domain = Domain::unchecked(example("ball-in-the-box"));
    let (mut world, mut actors) = domain.play("case-1-box-open").expect("a scenario");
    let mut body: Box<dyn Body> = Box::new(Counts(0));
    let done = actors[0].tick(&mut world, &mut *body, TickBudget::unlimited());
    let reasons = done.events.iter().filter_map(|event| match event {
        ActorEvent::Ended(step) => step.reason.as_ref().map(ToString::to_string),
        _ => None,
    });
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        ["the action has failed: it never works"]
    );
}

#[test]
fn types_are_send_and_sync() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<(Domain, World, Actor, Situation, Planning, Orders)>();
    is_shared::<(SavedWorld, SavedActor, Dropped, Error, ActorEvent)>();
}
