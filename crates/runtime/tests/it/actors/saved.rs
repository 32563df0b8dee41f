//! Saved games: they continue as before, and load into changed documents as far as possible.

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, Dropped, Error, Reason, SavedActor, SavedWorld, Status,
    StepRef, TickBudget, World,
};
use testkit::domain::{document, example};

/// Returns a game as it is after it was saved as text and loaded.
pub fn reloaded(domain: &Domain, world: &World, actors: &[Actor]) -> (World, Vec<Actor>) {
    let (loaded, again, dropped) = moved(domain, world, actors);
    assert_eq!(dropped, []);
    let text = |actor: &Actor| serde_json::to_string(&actor.save()).expect("JSON");
    for (actor, again) in actors.iter().zip(&again) {
        // What has changed during a search, or between two of them, counts once the last one ends.
        let saved = text(actor);
        if actor.wanted_plan().is_none() && !saved.contains("\"status\":\"Searching\"") {
            assert!(saved == text(again), "{saved}\n{}", text(again));
        }
    }
    (loaded, again)
}

/// Saves a game as text, and loads it into a domain.
pub fn moved(
    domain: &Domain,
    world: &World,
    actors: &[Actor],
) -> (World, Vec<Actor>, Vec<Dropped>) {
    let text = serde_json::to_string(&world.save()).expect("JSON");
    let saved: SavedWorld = serde_json::from_str(&text).expect("a saved world");
    let (mut loaded, mut dropped) = World::load(domain, &saved).expect("the scenario");
    assert_eq!(loaded.tick(), world.tick());
    let actors = actors.iter().map(|actor| {
        let text = serde_json::to_string(&actor.save()).expect("JSON");
        let saved: SavedActor = serde_json::from_str(&text).expect("a saved actor");
        let (actor, parts) = Actor::load(&mut loaded, &saved).expect("the actor");
        dropped.extend(parts);
        actor
    });
    let actors = actors.collect();
    (loaded, actors, dropped)
}

const GUARD: &str = "
type room
object hall: room
object vault: room
memory value place: room
memory fact dark(?room: room)
memory number tired
action Walk 3
primitive walk(?to: room) = Walk
  eff place := ?to
primitive rest = Walk
  eff tired := 0
compound round
  block a begin
  block b task walk(hall)
  block c task walk(vault)
  wire a.out -> b
  wire b.out -> c
scenario night
  initial dark(vault)
  initial tired = 4
  task round
  task rest";

/// A body whose actions never end by themselves, and that records what happens to them.
#[derive(Default)]
struct Recorder(Vec<String>);

impl Body for Recorder {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        self.0.push(format!("start {} {}", step.id, step.task));
        ActionStatus::Running
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        self.0.push(format!("tick {} {}", step.id, step.task));
        ActionStatus::Running
    }

    fn stop(&mut self, step: &StepRef, why: &Reason) {
        self.0
            .push(format!("stop {} {}: {why}", step.id, step.task));
    }
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn domain(text: &str) -> Domain {
    Domain::from(&document(text))
}

/// Returns a game in which a guard walks to the hall, and its body.
fn walking() -> (World, Vec<Actor>, Recorder) {
    let mut world = World::new(&domain(GUARD), &name("night")).expect("a scenario");
    let mut guard = Actor::new(&mut world, 0).expect("an actor");
    let mut body = Recorder::default();
    let status = guard.tick(&mut world, &mut body, TickBudget::unlimited());
    assert_eq!(status.status, Status::Active);
    world.advance();
    (world, vec![guard], body)
}

fn next_tick(world: &mut World, actor: &mut Actor, body: &mut Recorder) -> Vec<ActorEvent> {
    let tick = actor.tick(world, body, TickBudget::unlimited());
    world.advance();
    tick.events
}

#[test]
fn saved_games_are_json_with_facts_by_their_texts() {
    let (world, actors, _) = walking();
    let saved = serde_json::to_value(world.save()).expect("JSON");
    let expected = serde_json::json!({
        "version": 1,
        "scenario": "night",
        "tick": 1,
        "facts": { "dark(vault)": true, "tired": 4.0 },
        "created": 0,
        "existing": {
            "memory": { "dark": false, "place": null, "tired": 0.0 },
            "facts": {},
            "objects": ["hall", "vault"],
        },
    });
    assert_eq!(saved, expected);
    let saved = serde_json::to_value(actors[0].save()).expect("JSON");
    assert_eq!(saved["version"], 1);
    assert_eq!(saved["mind"]["memory"]["dark(vault)"], true);
    assert_eq!(
        saved["mind"]["tasks"]["tasks"],
        serde_json::json!(["round", "rest"])
    );
}

#[test]
fn running_actions_continue_in_a_loaded_game() {
    let (world, actors, mut body) = walking();
    let (mut world, mut actors) = reloaded(&domain(GUARD), &world, &actors);
    assert_eq!(next_tick(&mut world, &mut actors[0], &mut body), []);
    assert_eq!(body.0, ["start 0 walk(hall)", "tick 0 walk(hall)"]);
}

#[test]
fn orders_that_were_not_followed_are_saved() {
    let (world, actors, mut body) = walking();
    actors[0].orders().assign(&["rest"]);
    let (mut world, mut actors) = reloaded(&domain(GUARD), &world, &actors);
    next_tick(&mut world, &mut actors[0], &mut body);
    next_tick(&mut world, &mut actors[0], &mut body);
    let mut started = body.0.iter().filter(|line| line.starts_with("start"));
    assert_eq!(
        started.next_back().map(String::as_str),
        Some("start 1 rest")
    );
}

/// Loads the game into a changed document. Returns what was dropped, what the body was told at the next
/// tick, and the texts of the actor's plan.
fn changed(from: &str, to: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
    let text = GUARD.replace(from, to);
    assert_ne!(text, GUARD);
    let (world, actors, mut body) = walking();
    let (mut world, mut actors, dropped) = moved(&domain(&text), &world, &actors);
    body.0.clear();
    let events = next_tick(&mut world, &mut actors[0], &mut body);
    let ends = |event: &&ActorEvent| matches!(event, ActorEvent::Ended(_));
    let stops = body.0.iter().filter(|line| line.starts_with("stop"));
    assert_eq!(events.iter().filter(ends).count(), stops.count());
    let steps = actors[0].plan().into_iter().flat_map(|plan| &plan.steps);
    (
        dropped.iter().map(ToString::to_string).collect(),
        body.0,
        steps.map(|step| step.task.to_string()).collect(),
    )
}

#[test]
fn plan_is_kept_in_a_document_with_more_in_it() {
    let (dropped, body, plan) = changed(
        "object vault: room",
        "object vault: room
object yard: room
memory fact open",
    );
    assert_eq!(dropped, [""; 0]);
    assert_eq!(body, ["tick 0 walk(hall)"]);
    assert_eq!(plan, ["walk(hall)", "walk(vault)", "rest"]);
}

#[test]
fn new_initial_values_count_for_what_is_new() {
    let text = "
type room
object hall: room
sensor fact lit(?room: room)
sensor fact alarm
sensor number level
memory fact seen(?room: room)
memory value goal: room
action Walk 9
primitive walk = Walk
agent guard: room
  sense lit 1 when time > 50
  task walk
scenario night
  cast hall as guard
  initial level = 2";
    let changed = text.replace(
        "object hall: room",
        "object hall: room\nobject yard: room\nsensor fact wet\nmemory fact tired",
    ) + "
  initial lit(hall)
  initial lit(yard)
  initial alarm
  initial level = 5
  initial wet
  initial seen(hall)
  initial seen(yard)
  initial goal = hall
  initial tired";
    let mut world = World::new(&domain(text), &name("night")).expect("the scenario");
    let mut actors = vec![Actor::new(&mut world, 0).expect("an actor")];
    next_tick(&mut world, &mut actors[0], &mut Recorder::default());
    let domain = domain(&changed);
    let (world, actors, dropped) = moved(&domain, &world, &actors);
    assert_eq!(dropped, []);
    let (world, actors, _) = moved(&domain, &world, &actors);
    for (fact, value) in [
        ("lit(hall)", false),
        ("lit(yard)", true),
        ("alarm", false),
        ("level = 2", true),
        ("wet", true),
    ] {
        assert_eq!(world.holds(fact), Ok(value), "{fact}");
    }
    let saved = serde_json::to_value(actors[0].save()).expect("JSON");
    let memory = &saved["mind"]["memory"];
    assert_eq!(memory["seen(hall)"], false);
    assert_eq!(memory["seen(yard)"], true);
    assert_eq!(memory["goal"], serde_json::Value::Null);
    assert_eq!(memory["tired"], true);
    let beliefs = &saved["mind"]["beliefs"];
    assert_eq!(beliefs["lit(hall)"], false);
    assert_eq!(beliefs["lit(yard)"], true);
}

#[test]
fn facts_that_no_longer_exist_are_reported() {
    let (dropped, body, _) = changed("memory number tired", "memory number weary");
    // The scenario's own value of it is a mistake of the document.
    assert_eq!(
        dropped[..2],
        ["the value of tired was dropped: there is no fact 'tired'"; 2]
    );
    assert_eq!(body, ["tick 0 walk(hall)"]);
    let (dropped, ..) = changed(
        "memory fact dark(?room: room)",
        "memory number dark(?room: room)",
    );
    assert_eq!(
        dropped,
        ["the value of dark(vault) was dropped: 'dark(vault)' can't be true"; 2]
    );
}

#[test]
fn plan_with_a_block_that_no_longer_exists_is_replaced() {
    let (dropped, body, plan) = changed(
        "block c task walk(vault)\n  wire a.out -> b\n  wire b.out -> c",
        "wire a.out -> b",
    );
    assert_eq!(
        dropped,
        ["the plan was dropped: the flowchart of 'round' has changed"]
    );
    assert_eq!(
        body,
        [
            "stop 0 walk(hall): the plan is no longer possible: it no longer exists in the document",
            "start 1 walk(hall)",
        ]
    );
    assert_eq!(plan, ["walk(hall)", "rest"]);
}

#[test]
fn running_step_whose_task_no_longer_exists_is_stopped_and_its_task_dropped() {
    let text = GUARD
        .replace("compound round", "compound patrol")
        .replace("task round", "task patrol");
    let (world, actors, mut body) = walking();
    let (mut world, mut actors, dropped) = moved(&domain(&text), &world, &actors);
    assert!(
        matches!(&dropped[..], [Dropped::Task { task, .. }, Dropped::Plan { .. }] if task == "round"),
        "{dropped:?}"
    );
    body.0.clear();
    next_tick(&mut world, &mut actors[0], &mut body);
    assert!(body.0[0].starts_with("stop 0 walk(hall)"));
    assert_eq!(body.0[1..], ["start 1 rest"]);
}

#[test]
fn goals_that_have_changed_are_compared_after_loading() {
    const GOALS: &str = "
sensor fact fed
sensor fact warm
sensor fact lit
type person
object ann: person
action Slow 9
primitive eat = Slow
  eff fed
primitive burn = Slow
  eff warm
goal meal: fed
  priority 1
goal heat: warm
  priority 3
agent one: person
  uses eat
  uses burn
  wants meal
  wants heat
  margin 0
scenario night
  cast ann as one";
    let mut world = World::new(&domain(GOALS), &name("night")).expect("a scenario");
    let mut actors = [Actor::new(&mut world, 0).expect("an actor")];
    // A tick with a change that no goal depends on.
    let flicker = |world: &mut World, actors: &mut [Actor], is_lit: bool| {
        let lit = world.atom("lit").expect("a fact");
        world.set(&lit, is_lit).expect("a value");
        let mut body = Recorder::default();
        next_tick(world, &mut actors[0], &mut body);
        body.0
    };
    assert_eq!(flicker(&mut world, &mut actors, true), ["start 0 burn"]);
    assert_eq!(flicker(&mut world, &mut actors, false), ["tick 0 burn"]);
    let (mut same, mut loaded, _) = moved(&domain(GOALS), &world, &actors);
    assert_eq!(flicker(&mut same, &mut loaded, true), ["tick 0 burn"]);
    let hungry = domain(&GOALS.replace("priority 1", "priority 4"));
    let (mut other, mut loaded, dropped) = moved(&hungry, &world, &actors);
    assert_eq!(dropped, []);
    let calls = flicker(&mut other, &mut loaded, true);
    assert_eq!(calls.last().map(String::as_str), Some("start 1 eat"));
}

#[test]
fn stopped_before_its_first_turn_a_loaded_actor_still_ends_its_steps() {
    let (world, actors, mut body) = walking();
    let text = GUARD
        .replace("block c task", "block d task")
        .replace("-> c", "-> d");
    let (mut world, mut actors, _) = moved(&domain(&text), &world, &actors);
    actors[0].orders().remove();
    actors[0].tick(&mut world, &mut body, TickBudget::unlimited());
    let stops = body.0.iter().filter(|line| line.starts_with("stop"));
    assert_eq!(
        stops.count(),
        body.0
            .iter()
            .filter(|line| line.starts_with("start"))
            .count()
    );
}

#[test]
fn what_cannot_be_loaded_is_an_error() {
    let (world, actors, _) = walking();
    let other = domain(&GUARD.replace("scenario night", "scenario day"));
    let error = World::load(&other, &world.save()).map(|_| ()).unwrap_err();
    assert_eq!(error, Error::UnknownScenario("night".to_owned()));
    let mut saved = serde_json::to_value(world.save()).expect("JSON");
    saved["version"] = 2.into();
    let saved: SavedWorld = serde_json::from_value(saved).expect("a saved world");
    let error = World::load(&domain(GUARD), &saved).map(|_| ()).unwrap_err();
    assert_eq!(error, Error::SavedVersion { found: 2, known: 1 });
    let text = format!(
        "{}\n  cast hall as guard",
        GUARD.replace("scenario night", "agent guard: room\nscenario night")
    );
    let (mut world, _) = World::load(&domain(&text), &world.save()).expect("the scenario");
    let error = Actor::load(&mut world, &actors[0].save())
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(error, Error::UnknownActor { .. }), "{error}");
}

#[test]
fn damaged_plans_are_dropped() {
    let (world, actors, mut body) = walking();
    let text = serde_json::to_string(&actors[0].save()).expect("JSON");
    let mut damaged = 0;
    for (at, _) in text.match_indices(|c: char| c.is_ascii_digit()) {
        let mut other = text.clone();
        other.replace_range(at..=at, "7");
        let Ok(saved) = serde_json::from_str::<SavedActor>(&other) else {
            continue;
        };
        let (mut world, _) = World::load(&domain(GUARD), &world.save()).expect("the scenario");
        let Ok((mut actor, dropped)) = Actor::load(&mut world, &saved) else {
            continue;
        };
        damaged += usize::from(!dropped.is_empty());
        for _ in 0..3 {
            next_tick(&mut world, &mut actor, &mut body);
        }
    }
    assert!(damaged > 5, "{damaged} were dropped");
}

/// An actor of every shipped scenario can be loaded into every other version of its document that lacks one
/// task or fact.
#[test]
fn shipped_games_load_into_documents_with_less_in_them() {
    let (mut loads, mut kept) = (0, 0);
    for file in ["hunter", "office", "sentry"] {
        let document = example(file);
        let domain = Domain::from(&document);
        let scenario = document.scenarios.keys().next().expect("a scenario");
        let mut world = World::new(&domain, scenario).expect("a scenario");
        let cast = domain.scene(scenario).expect("a scenario").cast.len();
        let actor = |number| Actor::new(&mut world, number).expect("an actor");
        let mut actors: Vec<Actor> = (0..cast).map(actor).collect();
        for _ in 0..4 {
            for actor in &mut actors {
                next_tick(&mut world, actor, &mut Recorder::default());
            }
        }
        for changed in with_less(&document) {
            let domain = Domain::from(&changed);
            let (mut world, mut actors, dropped) = moved(&domain, &world, &actors);
            kept += usize::from(dropped.is_empty());
            for actor in &mut actors {
                next_tick(&mut world, actor, &mut Recorder::default());
            }
            loads += 1;
        }
    }
    assert!(loads > 50 && kept > 5, "{loads} loads, {kept} of all");
}

/// Returns the versions of a document that lack a fact or a task.
fn with_less(document: &Document) -> Vec<Document> {
    let mut all = vec![];
    for name in document.facts.keys() {
        let mut less = document.clone();
        less.facts.remove(name);
        all.push(less);
    }
    for name in document.primitive_tasks.keys() {
        let mut less = document.clone();
        less.primitive_tasks.remove(name);
        all.push(less);
    }
    for name in document.compound_tasks.keys() {
        let mut less = document.clone();
        less.compound_tasks.remove(name);
        all.push(less);
    }
    all
}
