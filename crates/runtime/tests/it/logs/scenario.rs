//! A log is read as the run of one of a document's scenarios, which may have been edited since.

use std::sync::Arc;

use expect_test::{Expect, expect};
use taskloom_document::{CastMember, Document};
use taskloom_domain::Domain;
use taskloom_planner::plan::Value;
use taskloom_runtime::{
    Actor, ByDurations, Log, LogFile, LogLevel, Moment, Run, ScenarioRun, TickBudget, World,
    world_at,
};
use testkit::domain::{EXAMPLES, document, example};

use super::{Sink, logged, name};

#[test]
fn runs_of_all_shipped_scenarios_fit_their_documents() {
    for file in EXAMPLES {
        let document = example(file);
        let domain = Domain::from(&document);
        for scenario in document.scenarios.keys() {
            let (log, run) = logged(&document, scenario, LogLevel::All, 200);
            let read = LogFile::read(&log.bytes()).expect("a log");
            let read = read.run_in(&domain);
            let expected = ScenarioRun {
                scenario: scenario.clone(),
                run,
                others: vec![],
            };
            assert_eq!(read, Ok(expected), "{file}, {scenario}");
        }
    }
}

#[test]
fn facts_that_were_set_before_the_log_began_are_set_at_its_first_tick() {
    let document = example("ball-in-the-box");
    let domain = Domain::from(&document);
    let scenario = name("case-1-box-open");
    let mut world = World::new(&domain, &scenario).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    let set = |world: &mut World, fact: &str, value: bool| {
        let fact = world.atom(fact).expect("a fact");
        world.set(&fact, value).expect("a boolean");
    };
    set(&mut world, "box_open", false);
    set(&mut world, "at(shed)", true);
    set(&mut world, "at(table)", false);
    let sink = Sink::default();
    world.start_log(Log::new(&document, sink.clone()));
    actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
    let file = LogFile::read(&sink.bytes()).expect("a log");
    let run = file.run_in(&domain).expect("a run").run;
    let changes = run.events[0].changes.iter();
    let changes =
        changes.map(|change| format!("{}: {} -> {}", change.atom, change.before, change.after));
    assert_eq!(run.events[0].event, Run::SET_BY_GAME);
    expect![[r#"
        at(shed): false -> true
        at(table): true -> false
        box_open: true -> false"#]]
    .assert_eq(&changes.collect::<Vec<_>>().join("\n"));
    let scene = domain.scene(&scenario).expect("a scenario");
    let after = world_at(&domain, scene, &run, Moment::Tick(0));
    for (fact, value) in [
        ("at(shed)", true),
        ("at(table)", false),
        ("box_open", false),
    ] {
        let fact = world.atom(fact).expect("a fact");
        assert_eq!(
            taskloom_domain::lang::World::value(&after, &fact),
            Value::Bool(value),
            "{fact}"
        );
    }
}

/// Checks the error for a log of "The box slams shut" and a document that was edited.
fn check(edit: impl FnOnce(&mut Document), expected: Expect) {
    let mut document = example("ball-in-the-box");
    let scenario = name("case-5-the-box-slams-shut");
    let (log, _) = logged(&document, &scenario, LogLevel::All, 200);
    edit(&mut document);
    let read = LogFile::read(&log.bytes()).expect("a log");
    let read = read.run_in(&Domain::from(&document));
    let text = read.map_or_else(|error| error.to_string(), |_| "a run".to_owned());
    expected.assert_eq(&text);
}

#[test]
fn a_log_fits_a_document_with_the_same_scenario_and_cast() {
    let scenario = name("case-5-the-box-slams-shut");
    check(|_| {}, expect!["a run"]);
    check(
        |document| Arc::make_mut(&mut document.info).title = "Edited".to_owned(),
        expect!["a run"],
    );
    check(
        |document| {
            document.scenarios.remove(&scenario);
        },
        expect!["line 1: the document has no scenario 'case-5-the-box-slams-shut'"],
    );
    check(
        |document| {
            let record = document.scenarios.get_mut(&scenario).expect("a scenario");
            let record = Arc::make_mut(record);
            record.cast.push(CastMember::playing(name("robot")));
        },
        expect![
            "line 1: the document has another cast for the scenario 'case-5-the-box-slams-shut'"
        ],
    );
}

#[test]
fn what_actors_outside_the_cast_change_is_set_by_the_game() {
    let document = document(
        "
type person
object ann: person
blackboard number level
memory fact tired
sensor fact lit
action Work 2
primitive work = Work
  eff level += 1
  eff tired
  eff lit
  done level >= 3
agent smith: person
  task work
scenario day
  cast ann as smith",
    );
    let domain = Domain::from(&document);
    let scenario = name("day");
    let mut world = World::new(&domain, &scenario).expect("a scenario");
    let mut ann = Actor::new(&mut world, 0).expect("an actor");
    let sink = Sink::default();
    world.start_log(Log::new(&document, sink.clone()));
    world.add("iris", "person").expect("a new name");
    let newcomer = CastMember {
        object: Some(name("iris")),
        ..document.scenarios[&scenario].cast[0].clone()
    };
    let mut iris = Actor::create(&mut world, &newcomer).expect("an actor");
    for tick in 0..5 {
        world.advance_to(tick);
        for actor in [&mut ann, &mut iris] {
            actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
        }
        if tick == 3 {
            let level = world.atom("level").expect("a fact");
            world.set(&level, 3.0).expect("a number");
        }
    }
    let file = LogFile::read(&sink.bytes()).expect("a log");
    let read = file.run_in(&domain).expect("a run");
    assert_eq!(read.others, ["iris"]);
    let steps = read.run.executed.iter();
    assert_eq!(steps.map(|step| step.plan).collect::<Vec<_>>(), [0]);
    let events = read.run.events.iter().map(|event| {
        let changes = event.changes.iter();
        let changes = changes.map(|change| format!("{} = {}", change.atom, change.after));
        format!("{}: {}", event.tick, changes.collect::<Vec<_>>().join(", "))
    });
    expect![[r#"
        3: level = 2
        3: level = 3"#]]
    .assert_eq(&events.collect::<Vec<_>>().join("\n"));
    let scene = domain.scene(&scenario).expect("a scenario");
    let after = world_at(&domain, scene, &read.run, Moment::Tick(4));
    for fact in ["level", "lit"] {
        let atom = after.atom(fact).expect("a fact");
        let value = world.facts().into_iter().find(|(other, _)| *other == atom);
        assert_eq!(
            value,
            Some((
                atom.clone(),
                taskloom_domain::lang::World::value(&after, &atom)
            )),
            "{fact}"
        );
    }
}
