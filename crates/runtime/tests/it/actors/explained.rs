//! The explanations that actors give.

use expect_test::{Expect, expect};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Actor, ByDurations, TickBudget, World, simulate};
use testkit::domain::{document, example};

/// Plays a shipped scenario, with the events of a simulated run, until a tick. Returns the explanations of
/// all actors.
fn explained(file: &str, scenario: &str, until: u32) -> String {
    let domain = Domain::from(&example(file));
    let name = Name::new(scenario).expect("a name");
    let simulated = simulate(&domain, &name, Budget::default(), until);
    let mut world = World::new(&domain, &name).expect("a scenario");
    let cast = domain.scene(&name).expect("a scenario").cast.len();
    let actor = |number| Actor::new(&mut world, number).expect("an actor");
    let mut actors: Vec<Actor> = (0..cast).map(actor).collect();
    for tick in 0..=until {
        world.advance_to(tick);
        for event in simulated.events.iter().filter(|event| event.tick == tick) {
            for change in &event.changes {
                world
                    .set(&change.atom, change.after.clone())
                    .expect("a value");
            }
        }
        for actor in &mut actors {
            actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
        }
    }
    let lines = actors.iter().map(|actor| actor.explain(&world));
    lines.collect::<Vec<String>>().join("\n")
}

fn check(file: &str, scenario: &str, until: u32, expected: &Expect) {
    expected.assert_eq(&explained(file, scenario, until));
}

#[test]
fn running_step_is_explained_by_the_tasks_above_it() {
    check(
        "night-guard",
        "night-01-quiet",
        4,
        &expect![
            "guard is executing look-around(vault), step 4 of 13 of its plan, to do check-room(vault) as a part of keep-watch, since tick 4. It planned at tick 0 because it had none yet."
        ],
    );
    check(
        "hunter",
        "case-1-two-keys",
        3,
        &expect![
            "wren is executing walk(library, bedroom), step 3 of 12 of its plan, to do go-to(corridor) as a part of escape, since tick 3. It planned at tick 0 because it had none yet."
        ],
    );
}

#[test]
fn running_step_is_explained_by_its_goal() {
    check(
        "sentry",
        "case-1-a-quiet-night",
        6,
        &expect![
            "gwen is executing inspect(east-wall), step 3 of 7 of its plan for the goal 'rounds-made', since tick 4. It planned at tick 0 because it had none yet."
        ],
    );
}

#[test]
fn replanning_is_explained_by_its_cause() {
    check(
        "night-guard",
        "night-10-lights-out",
        40,
        &expect![
            "guard is executing write-log, step 18 of 18 of its plan, to do report as a part of keep-watch, since tick 39. It planned at tick 6 because look-around(vault) failed: integrity rule of look-around(vault): lit(vault) or has(flashlight) (lit(vault) is false, has(flashlight) is false)."
        ],
    );
}

#[test]
fn idle_actor_says_which_condition_is_false() {
    check(
        "night-guard",
        "night-11-in-the-dark",
        3,
        &expect![
            "guard does nothing because it has no plan for keep-watch: no plan exists (tick 0). make-light(vault) is not possible: power does not hold. It replans when one of its beliefs changes."
        ],
    );
}

#[test]
fn actor_that_is_done_says_so() {
    check(
        "ball-in-the-box",
        "case-1-box-open",
        60,
        &expect!["robot does nothing because all its tasks are complete."],
    );
    check(
        "sentry",
        "case-1-a-quiet-night",
        60,
        &expect![
            "gwen does nothing because none of its goals is active: 'safe' has the value 0, 'intruder-stopped' holds already, 'loaded' holds already, 'rounds-made' holds already."
        ],
    );
}

#[test]
fn removed_and_searching_actors_say_so() {
    let text = "
fact open
action Go 2
primitive go = Go
  eff open
scenario s
  task go";
    let domain = Domain::from(&document(text));
    let mut world = World::new(&domain, &Name::new("s").expect("a name")).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    assert_eq!(
        actor.explain(&world),
        "The actor has no plan yet, and plans at its next turn."
    );
    actor.tick(&mut world, &mut ByDurations, TickBudget::decisions(0));
    assert_eq!(
        actor.explain(&world),
        "The actor has no plan yet. It is searching for one."
    );
    actor.orders().remove();
    world.advance();
    actor.tick(&mut world, &mut ByDurations, TickBudget::decisions(0));
    assert_eq!(
        actor.explain(&world),
        "The actor was removed from the world."
    );
}

/// Every actor has something to say at every tick, in sentences.
#[test]
fn actors_of_all_shipped_scenarios_explain_themselves() {
    let mut count = 0;
    for file in ["hunter", "night-guard", "office", "sentry"] {
        for scenario in example(file).scenarios.keys() {
            for line in explained(file, scenario.as_str(), 9).lines() {
                assert!(line.ends_with('.') && !line.contains("  "), "{line}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count} explanations");
}

/// Plays a scenario `s` written as text until a tick. Returns what its actor explains then.
fn explained_text(text: &str, until: u32) -> String {
    let domain = Domain::from(&document(text));
    let name = Name::new("s").expect("a name");
    let mut world = World::new(&domain, &name).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    for tick in 0..=until {
        world.advance_to(tick);
        actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
    }
    actor.explain(&world)
}

#[test]
fn absence_is_explained() {
    let text = "
type person
object ann: person
sensor fact away(?p: person) absence
action Wait 5
primitive wait = Wait
agent guard: person
scenario s
  cast ann as guard
  does wait
  initial away(ann)";
    expect!["ann does nothing because it is absent: away(ann)."]
        .assert_eq(&explained_text(text, 3));
}

#[test]
fn cooldowns_are_explained() {
    let tasks = "
type person
object ann: person
action Throw 1
primitive throw = Throw
  cooldown 6
agent guard: person
  reactive
scenario s
  cast ann as guard
  does throw
  does throw";
    expect!["ann does nothing because it has no plan for throw: no plan exists (tick 1). throw is not possible: cooling down for 4 more ticks. It replans when one of its beliefs changes, or a task has cooled down."].assert_eq(&explained_text(tasks, 3));
    let goals = "
type person
object ann: person
memory fact thrown
memory fact thirsty
action Throw 1
primitive throw = Throw
  executed thirsty
  eff thrown
primitive drink = Throw
  planned not thirsty
  executed not thrown
goal fight: thrown
  priority 2
  cooldown 9
goal thirst: not thirsty
  priority 1
agent guard: person
  wants fight
  wants thirst
scenario s
  cast ann as guard";
    expect!["ann does nothing because none of its goals is active: 'fight' is cooling down for 5 more ticks, 'thirst' holds already."].assert_eq(&explained_text(goals, 5));
}

#[test]
fn delayed_replanning_is_explained() {
    let text = "
type person
object ann: person
action Dive 9
primitive dive = Dive
  uninterruptible
agent guard: person
  every 2
scenario s
  cast ann as guard
  does dive";
    expect!["ann is executing dive, step 1 of 1 of its plan, since tick 0. It planned at tick 0 because it had none yet."].assert_eq(&explained_text(text, 1));
    expect!["ann is executing dive, step 1 of 1 of its plan, since tick 0. It planned at tick 0 because it had none yet. It replans when dive ends, which is uninterruptible."].assert_eq(&explained_text(text, 3));
}
