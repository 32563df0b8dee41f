//! The limits of Task blocks in a game: they are kept in saved games, and explained.

use expect_test::{Expect, expect};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_runtime::{
    ActionStatus, Actor, ActorEvent, Body, ByDurations, Reason, SavedActor, SavedWorld, Status,
    StepRef, TickBudget, World,
};
use testkit::domain::document;

use super::saved::reloaded;

const COURIER: &str = "
type person
object ann: person
sensor fact signed
action Walk 3
action Ring 1
primitive walk = Walk
primitive ring = Ring
  done signed
compound hand-over
  block a begin
  block b task walk
  block c task ring
  wire a.out -> b
  wire b.out -> c
compound deliver
  block a begin
  block b task hand-over timeout 5
  wire a.out -> b
agent courier: person
scenario s
  cast ann as courier
  does deliver
";

/// A game after some ticks.
pub struct Game {
    pub domain: Domain,
    pub world: World,
    pub actor: Actor,
}

impl Game {
    pub fn new(text: &str, ticks: u32) -> Self {
        let domain = Domain::from(&document(text));
        let name = Name::new("s").expect("a name");
        let mut world = World::new(&domain, &name).expect("a scenario");
        let actor = Actor::new(&mut world, 0).expect("an actor");
        let mut game = Self {
            domain,
            world,
            actor,
        };
        game.play();
        (0..ticks).for_each(|_| game.next());
        game
    }

    fn play(&mut self) {
        self.actor
            .tick(&mut self.world, &mut ByDurations, TickBudget::unlimited());
    }

    pub fn next(&mut self) {
        self.world.advance();
        self.play();
    }

    fn explained(&self) -> String {
        format!("{}: {}", self.world.tick(), self.actor.explain(&self.world))
    }

    pub fn check(&self, expected: Expect) {
        expected.assert_eq(&self.explained());
    }

    /// Saves the game and loads it again, in the same document.
    pub fn reload(&mut self) {
        let actors = std::slice::from_ref(&self.actor);
        let (world, mut actors) = reloaded(&self.domain, &self.world, actors);
        self.world = world;
        self.actor = actors.pop().expect("the actor");
    }
}

impl Game {
    /// Saves the game and loads it into another document.
    fn load_into(&mut self, text: &str) {
        self.domain = Domain::from(&document(text));
        let text = serde_json::to_string(&self.world.save()).expect("JSON");
        let saved: SavedWorld = serde_json::from_str(&text).expect("a saved world");
        let (mut world, _) = World::load(&self.domain, &saved).expect("the scenario");
        let text = serde_json::to_string(&self.actor.save()).expect("JSON");
        let saved: SavedActor = serde_json::from_str(&text).expect("a saved actor");
        let (actor, dropped) = Actor::load(&mut world, &saved).expect("the actor");
        assert_eq!(dropped, []);
        (self.world, self.actor) = (world, actor);
    }
}

/// Checks that a game that is saved and loaded at every tick equals another one.
pub fn check_saved(text: &str, ticks: u32) {
    let (mut game, mut other) = (Game::new(text, 0), Game::new(text, 0));
    for _ in 0..ticks {
        game.reload();
        assert_eq!(game.explained(), other.explained());
        game.next();
        other.next();
    }
}

#[test]
fn clock_goes_on_in_a_loaded_game() {
    check_saved(COURIER, 16);
    let mut game = Game::new(COURIER, 4);
    game.check(expect!["4: ann is executing ring, step 2 of 2 of its plan, to do hand-over as a part of deliver, since tick 3, with a timeout at tick 6, and waits until signed. It planned at tick 0 because it had none yet."]);
    game.reload();
    game.next();
    game.next();
    game.check(expect!["6: ann waits until tick 7, and then plans, because ring failed: hand-over timed out after 5 ticks."]);
}

#[test]
fn game_that_is_loaded_into_another_document_has_its_timeout() {
    let mut game = Game::new(COURIER, 4);
    game.load_into(&COURIER.replace("timeout 5", "timeout 8"));
    (0..4).for_each(|_| game.next());
    game.check(expect!["8: ann is executing ring, step 2 of 2 of its plan, to do hand-over as a part of deliver, since tick 3, with a timeout at tick 9, and waits until signed. It planned at tick 0 because it had none yet."]);
    game.next();
    game.check(expect!["9: ann waits until tick 10, and then plans, because ring failed: hand-over timed out after 8 ticks."]);
}

const LOCK: &str = "
type person
object ann: person
blackboard fact open
sensor fact dark
sensor fact light(?p: person)
action Pick
primitive pick = Pick
  pre not dark
  eff open
  done light(?me)
compound enter
  block a begin
  block b task pick retry 1 timeout 0
  wire a.out -> b
agent thief: person
scenario s
  cast ann as thief
  does enter
";

#[test]
fn failures_are_counted_in_a_loaded_game_and_what_is_given_up_is_explained() {
    check_saved(LOCK, 12);
    let mut game = Game::new(LOCK, 1);
    game.reload();
    game.next();
    game.reload();
    game.next();
    game.check(expect!["3: ann waits until tick 4, and then plans, because pick failed: pick timed out after 0 ticks."]);
    game.reload();
    let light = game.world.atom("light(ann)").expect("a fact");
    game.world.set(&light, true).expect("a value");
    game.next();
    game.check(expect![
        "4: ann does nothing because all its tasks are complete."
    ]);
}

/// Ann walks and sings; the main branch is complete at tick 4.
const SINGER: &str = "
type person
object ann: person
action Walk 4 by legs
action Sing 9 by voice
primitive walk = Walk
primitive sing = Sing
compound stroll
  block a begin
  block b task sing background
  block c task walk
  wire a.out -> b
  wire b.out -> c
agent singer: person
scenario s
  cast ann as singer
  does stroll
  does walk
";

#[test]
fn background_is_stopped_in_a_loaded_game() {
    check_saved(SINGER, 10);
    let mut game = Game::new(SINGER, 3);
    game.check(expect!["3: ann is executing sing, step 1 of 3 of its plan, to do stroll, since tick 0. It also executes walk, step 2 of 3 of its plan, to do stroll, since tick 0. It planned at tick 0 because it had none yet."]);
    game.reload();
    game.next();
    game.check(expect!["4: ann is executing walk, step 3 of 3 of its plan, since tick 4. It planned at tick 0 because it had none yet."]);
}

#[test]
fn plan_of_a_game_that_is_loaded_into_another_document_keeps_its_background() {
    let mut game = Game::new(SINGER, 2);
    game.load_into(&SINGER.replace(" background", ""));
    (0..2).for_each(|_| game.next());
    game.check(expect!["4: ann is executing walk, step 3 of 3 of its plan, since tick 4. It planned at tick 0 because it had none yet."]);
}

/// A body whose actions fail, until they don't.
struct Failing(bool);

impl Body for Failing {
    fn start(&mut self, _: &StepRef) -> ActionStatus {
        match self.0 {
            true => ActionStatus::failed("it is stuck"),
            false => ActionStatus::Succeeded,
        }
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        self.start(step)
    }

    fn stop(&mut self, _: &StepRef, _: &Reason) {}
}

#[test]
fn actor_that_gets_no_further_waits_until_something_changes() {
    let text = "
type person
object ann: person
sensor fact dark
blackboard fact open
action Push
primitive push = Push
  eff open
agent porter: person
scenario s
  cast ann as porter
  does push
";
    let domain = Domain::from(&document(text));
    let mut world = World::new(&domain, &"s".parse().expect("a name")).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    let mut body = Failing(true);
    let mut plans = 0;
    let mut turn = |world: &mut World, actor: &mut Actor, body: &mut Failing| {
        let tick = actor.tick(world, body, TickBudget::unlimited());
        world.advance();
        let planned = |event: &&ActorEvent| matches!(event, ActorEvent::Planned(_));
        plans += tick.events.iter().filter(planned).count();
        (tick.status, plans)
    };
    for _ in 0..20 {
        assert_eq!(turn(&mut world, &mut actor, &mut body).0, Status::Waiting);
    }
    for _ in 0..50 {
        assert_eq!(
            turn(&mut world, &mut actor, &mut body),
            (Status::OutOfPlans, 20)
        );
    }
    let text = actor.explain(&world);
    expect!["ann waits because it has made the same plan 20 times without completing it. It replans when others change what it believes, or when it gets other tasks."].assert_eq(&text);
    // A saved game knows it, too.
    let (saved_world, saved) = (world.save(), actor.save());
    let (mut loaded, _) = World::load(&domain, &saved_world).expect("a world");
    let (mut again, _) = Actor::load(&mut loaded, &saved).expect("an actor");
    assert_eq!(
        turn(&mut loaded, &mut again, &mut body),
        (Status::OutOfPlans, 20)
    );
    let dark = world.atom("dark").expect("a fact");
    world.set(&dark, true).expect("a value");
    body.0 = false;
    assert_eq!(
        turn(&mut world, &mut actor, &mut body),
        (Status::Complete, 21)
    );
}
