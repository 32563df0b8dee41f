//! Cleanups in a game: after orders, in saved games, and as they are explained.

use expect_test::expect;
use taskloom_domain::Domain;
use taskloom_runtime::{Actor, Dropped, SavedActor, SavedWorld, World};
use testkit::domain::document;

use super::limits::{Game, check_saved};

const SMITH: &str = "
type thing
object hammer: thing
object ann: thing
sensor fact alarm
sensor fact stuck
blackboard fact holding(?t: thing)
action Take 2
action Work 4
action Put 4
primitive take(?t: thing) = Take
  eff holding(?t)
primitive work = Work
  integrity not alarm
primitive put-down(?t: thing) = Put
  pre not stuck
  eff not holding(?t)
primitive flee = Work
primitive rest = Work
compound use(?t: thing)
  block a begin
  block b task take(?t)
  block c task work
  wire a.out -> b
  wire b.out -> c
compound job
  block a begin
  block b choice use, flee
  block c task use(hammer) abort put-down(hammer)
  block d branch alarm
  block e task flee
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
  wire d.true -> e
agent smith: thing
scenario s
  cast ann as smith
  does job
";

#[test]
fn actor_with_other_tasks_cleans_up_first() {
    let mut game = Game::new(SMITH, 2);
    game.actor.orders().assign(&["rest"]);
    game.next();
    game.next();
    game.check(expect!["4: ann is executing put-down(hammer), step 1 of 2 of its plan, to clean up after use(hammer), which was aborted, since tick 4. It planned at tick 4 because it had none yet."]);
    // Another order stops the cleanup, which begins again.
    game.next();
    game.actor.orders().assign(&["flee"]);
    game.next();
    game.check(expect![
        "6: ann has no plan yet, and plans at its next turn."
    ]);
    game.next();
    game.check(expect!["7: ann is executing put-down(hammer), step 1 of 2 of its plan, to clean up after use(hammer), which was aborted, since tick 7. It planned at tick 7 because it had none yet."]);
}

#[test]
fn actor_that_is_stopped_cleans_up_nothing() {
    let mut game = Game::new(SMITH, 2);
    game.actor.orders().stop();
    game.next();
    game.check(expect![
        "3: ann does nothing because all its tasks are complete."
    ]);
    game.actor.orders().assign(&["rest"]);
    game.next();
    game.next();
    game.check(expect!["5: ann is executing rest, step 1 of 1 of its plan, since tick 5. It planned at tick 5 because it had none yet."]);
}

#[test]
fn cleanups_go_on_in_a_loaded_game() {
    let alarm = SMITH.replace("  does job\n", "  does job\n  initial alarm\n");
    check_saved(&alarm, 16);
    let stuck = alarm.replace("  initial alarm\n", "  initial alarm\n  initial stuck\n");
    check_saved(&stuck, 12);
    let mut game = Game::new(&stuck, 4);
    game.check(expect!["4: ann is executing take(hammer), step 1 of 2 of its plan, to do use(hammer) as a part of job, since tick 3. It planned at tick 3 because work failed: integrity rule of work: not alarm. It aborts use(hammer) and skips put-down(hammer), since no plan includes it."]);
    game.reload();
    game.check(expect!["4: ann is executing take(hammer), step 1 of 2 of its plan, to do use(hammer) as a part of job, since tick 3. It planned at tick 3 because work failed: integrity rule of work: not alarm. It aborts use(hammer) and skips put-down(hammer), since no plan includes it."]);
}

#[test]
fn cleanup_of_a_plan_that_no_longer_exists_comes_first() {
    let game = Game::new(SMITH, 3);
    // The blocks of the method have other names.
    let changed = SMITH.replace("  block c task work\n", "  block z task work\n");
    let changed = changed.replace(
        "  wire b.out -> c\ncompound job",
        "  wire b.out -> z\ncompound job",
    );
    let domain = Domain::from(&document(&changed));
    let text = serde_json::to_string(&game.world.save()).expect("JSON");
    let saved: SavedWorld = serde_json::from_str(&text).expect("a saved world");
    let (mut world, _) = World::load(&domain, &saved).expect("the scenario");
    let text = serde_json::to_string(&game.actor.save()).expect("JSON");
    let saved: SavedActor = serde_json::from_str(&text).expect("a saved actor");
    let (actor, dropped) = Actor::load(&mut world, &saved).expect("the actor");
    assert!(
        matches!(&dropped[..], [Dropped::Plan { .. }]),
        "{dropped:?}"
    );
    let mut game = Game {
        domain,
        world,
        actor,
    };
    game.next();
    game.check(expect!["4: ann is executing put-down(hammer), step 1 of 3 of its plan, to clean up after use(hammer), which was aborted, since tick 4. It planned at tick 4 because something changed."]);
}
