//! The claims of actors in a game.

use expect_test::{Expect, expect};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_runtime::{Actor, ByDurations, TickBudget, World};
use testkit::domain::document;

use super::saved::{moved, reloaded};

const SMITHS: &str = "
type person
type tool
object ann: person
object bob: person
object hammer: tool
object tongs: tool
action Forge 4
action Sing 9 by voice
primitive forge(?t: tool) = Forge
  claims ?t
primitive sing(?t: tool) = Sing
  claims ?t
compound both
  block a begin
  block b task forge(hammer)
  block c task sing(tongs)
  wire a.out -> b
  wire a.out -> c
agent smith: person
scenario s
  cast ann as smith
  does both
  cast bob as smith
  does forge(hammer)
";

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

/// A game after some ticks.
struct Game {
    domain: Domain,
    world: World,
    actors: Vec<Actor>,
}

impl Game {
    fn new(ticks: u32) -> Self {
        let domain = Domain::from(&document(SMITHS));
        let mut world = World::new(&domain, &name("s")).expect("a scenario");
        let actor = |number| Actor::new(&mut world, number).expect("an actor");
        let actors = (0..2).map(actor).collect();
        let mut game = Self {
            domain,
            world,
            actors,
        };
        game.play();
        (0..ticks).for_each(|_| game.next());
        game
    }

    fn play(&mut self) {
        for actor in &mut self.actors {
            actor.tick(&mut self.world, &mut ByDurations, TickBudget::unlimited());
        }
    }

    fn next(&mut self) {
        self.world.advance();
        self.play();
    }

    fn claims(&self) -> String {
        let claims = self.world.claims();
        let line = |(object, actor): &(Name, Option<Name>)| match actor {
            Some(actor) => format!("{object} by {actor}"),
            None => format!("{object} by nobody"),
        };
        claims.iter().map(line).collect::<Vec<_>>().join(", ")
    }

    fn check(&self, expected: Expect) {
        let own = |actor: &Actor| {
            let claims: Vec<String> = actor.claims().iter().map(Name::to_string).collect();
            let name = actor.name().unwrap_or("nobody");
            format!(
                "{name} claims [{}]. {}",
                claims.join(", "),
                actor.explain(&self.world)
            )
        };
        let own: Vec<String> = self.actors.iter().map(own).collect();
        let tick = self.world.tick();
        expected.assert_eq(&format!("{tick}: {}\n{}", self.claims(), own.join("\n")));
    }
}

#[test]
fn game_sees_claims_until_the_steps_end() {
    let mut game = Game::new(1);
    game.check(expect![[r#"
        1: hammer by ann, tongs by ann
        ann claims [hammer, tongs]. ann is executing forge(hammer), step 1 of 2 of its plan, to do both, since tick 0, claiming hammer. It also executes sing(tongs), step 2 of 2 of its plan, to do both, since tick 0, claiming tongs. It planned at tick 0 because it had none yet.
        bob claims []. bob does nothing because it has no plan for forge(hammer): no plan exists (tick 0). forge(hammer) is not possible: 'hammer' is claimed by 'ann' until its step ends. 'tongs' is claimed by 'ann' until its step ends. It replans when one of its beliefs changes, or a claim is released."#]]);
    (0..3).for_each(|_| game.next());
    game.check(expect![[r#"
        4: hammer by bob, tongs by ann
        ann claims [tongs]. ann is executing sing(tongs), step 2 of 2 of its plan, to do both, since tick 0, claiming tongs. It planned at tick 0 because it had none yet.
        bob claims [hammer]. bob is executing forge(hammer), step 1 of 1 of its plan, since tick 4, claiming hammer. It planned at tick 4 because something changed."#]]);
    (0..9).for_each(|_| game.next());
    game.check(expect![[r#"
        13: 
        ann claims []. ann does nothing because all its tasks are complete.
        bob claims []. bob does nothing because all its tasks are complete."#]]);
}

#[test]
fn stopping_removing_and_dropping_an_actor_releases_its_claims() {
    for how in ["stop", "remove", "drop"] {
        let mut game = Game::new(1);
        assert_eq!(game.claims(), "hammer by ann, tongs by ann");
        match how {
            "stop" => game.actors[0].orders().stop(),
            "remove" => game.actors[0].orders().remove(),
            _ => drop(game.actors.remove(0)),
        }
        game.next();
        assert_eq!(game.claims(), "hammer by bob", "{how}");
    }
}

#[test]
fn claims_are_saved_with_the_steps_that_hold_them() {
    let mut game = Game::new(1);
    let mut other = Game::new(1);
    for _ in 0..9 {
        let (world, actors) = reloaded(&game.domain, &game.world, &game.actors);
        (game.world, game.actors) = (world, actors);
        assert_eq!(game.claims(), other.claims());
        let explained = |game: &Game| game.actors[1].explain(&game.world);
        assert_eq!(explained(&game), explained(&other));
        game.next();
        other.next();
    }
    // An actor that isn't loaded claims nothing.
    let game = Game::new(1);
    let (world, actors) = reloaded(&game.domain, &game.world, &game.actors[1..]);
    assert_eq!(world.claims(), []);
    drop(actors);
}

#[test]
fn act_of_the_same_tick_is_part_of_a_saved_game() {
    const THIEVES: &str = "
type person
object ann: person
object bob: person
sensor fact taken
action Grab 2
primitive take = Grab
  pre not taken
  eff taken
agent thief: person
  task take
scenario s
  cast ann as thief
  cast bob as thief
";
    let domain = Domain::from(&document(THIEVES));
    let mut world = World::new(&domain, &name("s")).expect("a scenario");
    let actor = |number| Actor::new(&mut world, number).expect("an actor");
    let mut actors: Vec<Actor> = (0..2).map(actor).collect();
    let plays = |world: &mut World, actor: &mut Actor| {
        actor.tick(world, &mut ByDurations, TickBudget::unlimited())
    };
    for _ in 0..2 {
        for actor in &mut actors {
            plays(&mut world, actor);
        }
        world.advance();
    }
    plays(&mut world, &mut actors[0]);
    let reasons = |world: &mut World, actor: &mut Actor| {
        let events = plays(world, actor).events;
        format!("{events:?}").contains("Forestalled")
    };
    let (mut loaded, mut again) = reloaded(&domain, &world, &actors);
    assert!(reasons(&mut world, &mut actors[1]));
    assert!(reasons(&mut loaded, &mut again[1]));
    // What was changed no longer exists, or has another kind.
    for fact in ["sensor number taken", "sensor fact found"] {
        let text = THIEVES.replace("sensor fact taken", fact);
        let text = match fact.contains("number") {
            true => text
                .replace("not taken", "taken < 1")
                .replace("eff taken", "eff taken += 1"),
            false => text
                .replace("not taken", "not found")
                .replace("eff taken", "eff found"),
        };
        let changed = Domain::from(&document(&text));
        let (mut loaded, mut again, _) = moved(&changed, &world, &actors);
        assert!(!reasons(&mut loaded, &mut again[1]));
    }
}
