//! Objects that a game adds and removes while it runs.

use taskloom_document::{CastMember, Document, Name};
use taskloom_domain::Domain;
use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Dropped, Error, Reason, Status, StepRef,
    TickBudget, World,
};
use testkit::domain::document;

use super::saved::{moved, reloaded};

/// An archer attacks foes in sight, the nearest first, and goes home when there is none.
const WATCH: &str = "
type person
type foe: person
type place
object hall: place
sensor fact seen(?foe: foe)
sensor number distance(?foe: foe)
memory value target: foe
memory fact home
action Shoot 3
action Walk 2
primitive aim(?foe: foe)
  eff target := ?foe
primitive shoot(?foe: foe) = Shoot
  pre seen(?foe)
  claims ?foe
  planned not seen(?foe)
primitive retreat = Walk
  eff home
compound fight(?foe: foe)
  sequence shoot(?foe); retreat
compound watch
  block a begin
  block b bind ?foe: foe where seen(?foe) by distance(?foe)
  block c task aim(?foe)
  block d task fight(?foe)
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
agent archer: person
  task watch
scenario night
  object ann: person
  object rat: foe
  cast ann as archer
";

pub fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// A body that notes what happens to its actions, which take the document's durations.
#[derive(Default)]
struct Notes(Vec<String>);

impl Body for Notes {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        if step.action.is_some() {
            self.0.push(format!("{} start {}", step.tick, step.task));
        }
        ByDurations::status(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        let status = ByDurations::status(step);
        if status != ActionStatus::Running {
            self.0.push(format!("{} end {}", step.tick, step.task));
        }
        status
    }

    fn stop(&mut self, step: &StepRef, why: &Reason) {
        let (tick, task) = (step.tick, step.task);
        self.0.push(format!("{tick} stop {task}: {why}"));
    }
}

struct Game {
    domain: Domain,
    world: World,
    actors: Vec<Actor>,
    body: Notes,
}

impl Game {
    fn new(text: &str) -> Self {
        Self::of(&document(text))
    }

    fn of(document: &Document) -> Self {
        let domain = Domain::from(document);
        let mut world = World::new(&domain, &name("night")).expect("a scenario");
        let cast = domain.scene(&name("night")).expect("a scenario").cast.len();
        let actor = |number| Actor::new(&mut world, number).expect("an actor");
        let actors = (0..cast).map(actor).collect();
        Self {
            domain,
            world,
            actors,
            body: Notes::default(),
        }
    }

    fn set(&mut self, fact: &str, value: bool) {
        let atom = self.world.atom(fact).expect("a fact");
        self.world.set(&atom, value).expect("a value");
    }

    fn add(&mut self, foe: &str, distance: f64) {
        self.world.add(foe, "foe").expect("a name");
        let atom = self.world.atom(&format!("distance({foe})"));
        let atom = atom.expect("a fact");
        self.world.set(&atom, distance).expect("a value");
        self.set(&format!("seen({foe})"), true);
    }

    fn remove(&mut self, object: &str) {
        self.world.remove(object).expect("an object");
    }

    fn save_and_load(&mut self) {
        (self.world, self.actors) = reloaded(&self.domain, &self.world, &self.actors);
    }

    /// Plays some ticks, each in a game that was saved and loaded before and after the turns. Returns the calls
    /// of the body, and the status of the last actor.
    fn play(&mut self, ticks: u32) -> (Vec<String>, Status) {
        let mut status = Status::Waiting;
        for _ in 0..ticks {
            self.save_and_load();
            status = self.turns();
            self.save_and_load();
            self.world.advance();
        }
        (std::mem::take(&mut self.body.0), status)
    }

    /// Gives all actors their turns. Returns the status of the last one.
    fn turns(&mut self) -> Status {
        let Self {
            world,
            actors,
            body,
            ..
        } = self;
        let mut status = Status::Waiting;
        actors.retain_mut(|actor| {
            status = actor.tick(world, body, TickBudget::unlimited()).status;
            status != Status::Removed
        });
        status
    }
}

#[test]
fn actor_without_a_plan_plans_with_an_object_that_was_added() {
    let mut game = Game::new(WATCH);
    assert_eq!(game.play(2).1, Status::Waiting);
    game.world.add("Wolf", "Foe").expect("a name");
    assert_eq!(game.play(1).1, Status::Waiting);
    game.set("seen(wolf)", true);
    let (calls, _) = game.play(6);
    assert_eq!(
        calls,
        [
            "3 start shoot(Wolf)",
            "6 end shoot(Wolf)",
            "6 start retreat",
            "8 end retreat"
        ]
    );
    let objects = game.world.objects().iter();
    let objects: Vec<String> = objects.map(|(name, of)| format!("{name}: {of}")).collect();
    assert_eq!(
        objects,
        ["ann: person", "hall: place", "rat: foe", "Wolf: foe"]
    );
}

#[test]
fn goal_that_was_given_up_is_searched_for_again_with_an_object_that_was_added() {
    let mut game = Game::new(
        "
type person
type stone
fact quiet
fact cracked(?s: stone)
number weight(?s: stone)
action Throw 2
primitive throw(?s: stone) = Throw
  integrity not cracked(?s)
  eff quiet
  cost weight(?s) + 1
compound hush
  goal quiet
compound guard
  block a begin
  block b task hush retry 0
  wire a.out -> b
agent guard: person
  task guard
scenario night
  object ann: person
  object pebble: stone
  initial cracked(pebble)
  initial weight(pebble) = 5
  cast ann as guard
",
    );
    let (calls, status) = game.play(4);
    assert!(calls.is_empty(), "{calls:?}");
    assert_eq!(status, Status::Waiting);
    game.world.add("boulder", "stone").expect("a name");
    let (calls, _) = game.play(4);
    assert_eq!(calls, ["4 start throw(boulder)", "6 end throw(boulder)"]);
}

#[test]
fn step_in_progress_whose_object_is_removed_fails_and_its_actor_replans() {
    let mut game = Game::new(WATCH);
    game.add("wolf", 1.0);
    game.set("seen(rat)", true);
    game.add("boar", 2.0);
    let (calls, _) = game.play(2);
    assert_eq!(calls, ["0 start shoot(rat)"]);
    game.remove("rat");
    let (calls, _) = game.play(3);
    assert_eq!(
        calls,
        [
            "2 stop shoot(rat): 'rat' was removed",
            "3 start shoot(wolf)"
        ]
    );
    // It remembers nothing about it.
    assert_eq!(game.world.holds("exists ?f: foe. target = ?f"), Ok(true));
    assert!(game.world.atom("seen(rat)").is_err());
}

#[test]
fn plan_is_executed_after_the_object_of_its_complete_steps_was_removed() {
    let mut game = Game::new(WATCH);
    game.add("wolf", 1.0);
    let (calls, _) = game.play(4);
    assert_eq!(
        calls,
        [
            "0 start shoot(wolf)",
            "3 end shoot(wolf)",
            "3 start retreat"
        ]
    );
    game.remove("wolf");
    let (calls, status) = game.play(3);
    assert_eq!(calls, ["5 end retreat"]);
    assert_eq!(status, Status::Complete);
    assert_eq!(
        game.world.holds("home and not exists ?f: foe. target = ?f"),
        Ok(true)
    );
}

#[test]
fn actor_replans_if_its_plan_names_a_removed_object_later() {
    let text = WATCH.replace(
        "primitive aim(?foe: foe)\n",
        "primitive aim(?foe: foe) = Walk\n",
    );
    let mut game = Game::new(&text);
    game.add("wolf", 1.0);
    game.add("boar", 2.0);
    assert_eq!(game.play(1).0, ["0 start aim(wolf)"]);
    game.remove("wolf");
    let (calls, _) = game.play(4);
    assert_eq!(
        calls,
        [
            "1 stop aim(wolf): 'wolf' was removed",
            "2 start aim(boar)",
            "4 end aim(boar)",
            "4 start shoot(boar)"
        ]
    );
    // A step that doesn't name it continues if the new plan begins with it.
    let text = "
type foe
sensor fact seen(?foe: foe)
action Walk 3
primitive walk = Walk
primitive shoot(?foe: foe) = Walk
  pre seen(?foe)
compound watch
  block a begin
  block b task walk
  block c bind ?foe: foe where seen(?foe)
  block d task shoot(?foe)
  wire a.out -> c
  wire c.out -> b
  wire b.out -> d
scenario night
  task watch";
    let mut game = Game::new(text);
    game.world.add("boar", "foe").expect("a name");
    game.world.add("wolf", "foe").expect("a name");
    game.set("seen(boar)", true);
    game.set("seen(wolf)", true);
    assert_eq!(game.play(1).0, ["0 start walk"]);
    game.remove("boar");
    let (calls, status) = game.play(4);
    assert_eq!(calls, ["3 end walk", "3 start shoot(wolf)"]);
    assert_eq!(status, Status::Active);
    // Without another plan, it stops.
    let mut game = Game::new(text);
    game.world.add("boar", "foe").expect("a name");
    game.set("seen(boar)", true);
    assert_eq!(game.play(1).0, ["0 start walk"]);
    game.remove("boar");
    let (calls, status) = game.play(1);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(calls[0].starts_with("1 stop walk: the plan is no longer possible"));
    assert_eq!(status, Status::Waiting);
}

#[test]
fn actor_whose_object_is_removed_leaves_the_world() {
    let mut game = Game::new(WATCH);
    game.add("wolf", 1.0);
    let bert = CastMember {
        object: Some(name("bert")),
        ..CastMember::playing(name("archer"))
    };
    let error = Actor::create(&mut game.world, &bert)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(error.to_string(), "there is no object 'bert'");
    game.world.add("bert", "person").expect("a name");
    let actor = Actor::create(&mut game.world, &bert).expect("an actor");
    game.actors.push(actor);
    // He waits, since she claims the wolf.
    assert_eq!(game.play(1).0, ["0 start shoot(wolf)"]);
    game.remove("ann");
    let (calls, _) = game.play(1);
    assert_eq!(
        calls,
        [
            "1 stop shoot(wolf): 'ann' was removed",
            "1 start shoot(wolf)"
        ]
    );
    assert_eq!(game.actors.len(), 1);
    game.remove("bert");
    let (calls, status) = game.play(1);
    assert_eq!(calls, ["2 stop shoot(wolf): 'bert' was removed"]);
    assert_eq!(status, Status::Removed);
    assert!(game.actors.is_empty() && game.world.claims().is_empty());
}

#[test]
fn given_tasks_that_name_a_removed_object_are_dropped() {
    let mut game = Game::new(WATCH);
    game.add("wolf", 1.0);
    game.actors[0].orders().assign(&["fight(wolf)", "retreat"]);
    game.play(1);
    assert_eq!(game.play(1).0, ["1 start shoot(wolf)"]);
    game.remove("wolf");
    let (calls, _) = game.play(1);
    assert_eq!(
        calls,
        ["2 stop shoot(wolf): 'wolf' was removed", "2 start retreat"]
    );
    game.actors[0].orders().assign(&["fight(wolf)"]);
    let tick = game.actors[0].tick(&mut game.world, &mut game.body, TickBudget::unlimited());
    assert!(
        matches!(&tick.events[..], [.., ActorEvent::Refused(_)]),
        "{:?}",
        tick.events
    );
}

#[test]
fn object_of_the_name_of_a_removed_one_is_another() {
    let mut game = Game::new(&WATCH.replace(
        "  cast ann as archer",
        "  initial seen(rat)\n  cast ann as archer\n  believes target = rat",
    ));
    assert_eq!(game.play(1).0, ["0 start shoot(rat)"]);
    game.remove("rat");
    game.world.add("rat", "foe").expect("a name");
    assert_eq!(game.world.holds("seen(rat)"), Ok(false));
    let (calls, status) = game.play(3);
    assert_eq!(calls, ["1 stop shoot(rat): 'rat' was removed"]);
    assert_eq!(status, Status::Waiting);
    game.set("seen(rat)", true);
    assert_eq!(game.play(1).0, ["4 start shoot(rat)"]);
}

#[test]
fn memory_of_other_objects_is_kept() {
    // What everybody remembers at first isn't what she remembers now.
    let mut game = Game::new(&WATCH.replace(
        "  cast ann as archer",
        "  initial target = rat\n  cast ann as archer",
    ));
    game.add("wolf", 1.0);
    game.turns();
    game.remove("rat");
    game.turns();
    let saved = serde_json::to_value(game.actors[0].save()).expect("JSON");
    assert_eq!(saved["mind"]["memory"]["target"], "wolf");
}

#[test]
fn search_goes_on_while_objects_come_and_go() {
    let mut game = Game::new(WATCH);
    game.set("seen(rat)", true);
    let mut searching = 0;
    let mut play = |game: &mut Game, remove: Option<&str>| {
        for tick in 0.. {
            let (actor, budget) = (&mut game.actors[0], TickBudget::decisions(1));
            let done = actor.tick(&mut game.world, &mut game.body, budget);
            game.world.advance();
            if done.status != Status::Searching {
                return done.status;
            }
            searching += 1;
            assert!(tick < 100, "the search never ends");
            game.world
                .add(&format!("x{}", game.world.tick()), "foe")
                .expect("a new name");
            if tick == 2
                && let Some(object) = remove
            {
                game.remove(object);
            }
        }
        Status::Searching
    };
    assert_eq!(play(&mut game, None), Status::Active);
    assert!(game.body.0[0].ends_with("start shoot(rat)"));
    game.actors[0].orders().assign(&["watch"]);
    game.actors[0].tick(&mut game.world, &mut game.body, TickBudget::unlimited());
    game.body.0.clear();
    // The plan that it finds is for nobody any more.
    assert_eq!(play(&mut game, Some("rat")), Status::Waiting);
    assert!(game.body.0.is_empty(), "{:?}", game.body.0);
    assert_eq!(game.play(20).1, Status::Waiting);
    assert!(game.body.0.is_empty(), "{:?}", game.body.0);
    assert!(searching > 10, "{searching} ticks");
}

#[test]
fn values_and_claims_of_a_removed_object_are_gone() {
    let mut game = Game::new(
        "
type person
type tool
object ann: person
sensor value tool_of(?who: person): tool
blackboard value best: tool
sensor fact sharp(?tool: tool)
action Work 4
primitive work = Work
  claims tool_of(?me)
agent smith: person
  task work
scenario night
  object axe: tool
  initial tool_of(ann) = axe
  initial best = axe
  initial sharp(axe)
  cast ann as smith",
    );
    assert_eq!(game.play(1).0, ["0 start work"]);
    assert_eq!(game.world.claims(), [(name("axe"), Some(name("ann")))]);
    game.remove("axe");
    assert!(game.world.claims().is_empty());
    let (loaded, actors) = reloaded(&game.domain, &game.world, &game.actors);
    assert_eq!((loaded.claims(), actors.len()), (vec![], 1));
    let facts = game.world.facts().into_iter();
    let facts: Vec<String> = facts
        .map(|(atom, value)| format!("{atom} = {value}"))
        .collect();
    assert_eq!(facts, ["best = none", "tool_of(ann) = none"]);
    assert_eq!(game.play(4).0, ["4 end work"]);
}

#[test]
fn objects_that_are_unknown_or_needed_are_errors() {
    let mut game = Game::new(&WATCH.replace(
        "  cast ann as archer",
        "  cast ann as archer\n  does fight(rat)",
    ));
    let world = &mut game.world;
    let mut added = |object: &str, of: &str| world.add(object, of).unwrap_err();
    assert_eq!(
        added("wolf", "beast"),
        Error::UnknownType("beast".to_owned())
    );
    assert_eq!(added("Rat", "foe"), Error::ObjectExists("Rat".to_owned()));
    assert_eq!(added("hall", "foe"), Error::ObjectExists("hall".to_owned()));
    assert!(matches!(
        added("2 wolves", "foe"),
        Error::InvalidObject { .. }
    ));
    assert_eq!(
        added("and", "foe").to_string(),
        "'and' is a word of the language"
    );
    let error = world
        .add_all([("wolf", "foe"), ("Wolf", "foe")])
        .unwrap_err();
    assert_eq!(error, Error::ObjectExists("Wolf".to_owned()));
    assert_eq!(world.objects().len(), 3);
    let mut removed = |object: &str| world.remove(object).unwrap_err();
    assert_eq!(removed("wolf").to_string(), "there is no object 'wolf'");
    assert!(matches!(removed("hall"), Error::ObjectNeeded { .. }));
    assert_eq!(
        removed("hall").to_string(),
        "'hall' belongs to the domain; mark it as absent instead"
    );
    assert_eq!(
        removed("rat").to_string(),
        "'rat' is named by 'fight(rat)'; mark it as absent instead"
    );
}

#[test]
fn saved_objects_are_loaded_into_a_changed_document() {
    let mut game = Game::new(WATCH);
    game.add("wolf", 1.0);
    game.remove("rat");
    game.play(2);
    let saved = serde_json::to_value(game.world.save()).expect("JSON");
    let expected = serde_json::json!({ "added": { "wolf": "foe" }, "removed": ["rat"] });
    assert_eq!(saved["objects"], expected);
    // The document lists the wolf now.
    let listed = WATCH.replace("object rat: foe", "object rat: foe\n  object wolf: foe");
    let (world, _, dropped) = moved(&Domain::from(&document(&listed)), &game.world, &game.actors);
    assert_eq!(dropped, []);
    let names = world.objects().iter().map(|(name, _)| name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["ann", "hall", "wolf"]);
    // A wolf isn't a foe any more.
    let other = WATCH.replace("object rat: foe", "object rat: foe\n  object wolf: place");
    let (mut world, mut actors, dropped) =
        moved(&Domain::from(&document(&other)), &game.world, &game.actors);
    let Some(Dropped::Object { object, why }) = dropped.first() else {
        panic!("{dropped:?}");
    };
    assert_eq!(
        (object.as_str(), why.as_str()),
        ("wolf", "there is an object 'wolf' already")
    );
    actors[0].tick(&mut world, &mut game.body, TickBudget::unlimited());
    assert_eq!(game.body.0.len(), 1, "{:?}", game.body.0);
}
