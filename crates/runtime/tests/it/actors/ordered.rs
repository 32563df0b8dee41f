//! Orders to actors.

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_runtime::{Actor, ActorEvent, ByDurations, TaskState, TickBudget, World};
use testkit::domain::document;

use super::saved::reloaded;

#[test]
fn changes_during_a_search_that_an_order_ended_cause_no_further_planning() {
    let text = "
fact open
fact lit
action Go 2
primitive go = Go
  pre open
scenario s
  task go";
    let domain = Domain::from(&document(text));
    let mut world = World::new(&domain, &Name::new("s").expect("a name")).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    let lit = world.atom("lit").expect("a fact");
    actor.tick(&mut world, &mut ByDurations, TickBudget::decisions(0));
    world.advance();
    world.set(&lit, true).expect("a value");
    actor.orders().assign(&["go"]);
    actor.tick(&mut world, &mut ByDurations, TickBudget::decisions(0));
    let mut plannings = 0;
    for _ in 0..4 {
        world.advance();
        let done = actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
        let planned = |event: &&ActorEvent| matches!(event, ActorEvent::Planned(_));
        plannings += done.events.iter().filter(planned).count();
    }
    assert_eq!(plannings, 1, "there is no plan, and nothing has changed");
}

#[test]
fn other_tasks_wait_for_an_uninterruptible_step_but_a_stop_does_not() {
    let text = "
action Jump 4
action Go 1
primitive jump = Jump
  uninterruptible
primitive go = Go
scenario s
  task jump
  task jump";
    let domain = Domain::from(&document(text));
    let start = |until: u32| {
        let name = Name::new("s").expect("a name");
        let mut world = World::new(&domain, &name).expect("a scenario");
        let mut actor = Actor::new(&mut world, 0).expect("an actor");
        for _ in 0..until {
            actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
            world.advance();
        }
        (world, actor)
    };
    let ended = |world: &mut World, actor: &mut Actor| {
        let done = actor.tick(world, &mut ByDurations, TickBudget::unlimited());
        let states = done.events.iter().filter_map(|event| match event {
            ActorEvent::Ended(execution) => Some(execution.state),
            _ => None,
        });
        states.collect::<Vec<TaskState>>()
    };
    let running = |actor: &Actor| {
        let steps = actor.running_steps();
        let tasks = steps.map(|(step, _)| step.task.to_string());
        tasks.collect::<Vec<String>>()
    };
    let (mut world, mut actor) = start(2);
    actor.orders().assign(&["go"]);
    assert_eq!(ended(&mut world, &mut actor), []);
    assert_eq!(running(&actor), ["jump"], "it is still in the air");
    // The order is part of a saved game.
    let (loaded, mut actors) = reloaded(&domain, &world, &[actor]);
    (world, actor) = (loaded, actors.pop().expect("an actor"));
    world.advance();
    assert_eq!(ended(&mut world, &mut actor), []);
    world.advance();
    assert_eq!(ended(&mut world, &mut actor), [TaskState::Complete]);
    assert!(running(&actor).is_empty(), "the second jump doesn't start");
    world.advance();
    assert_eq!(ended(&mut world, &mut actor), []);
    assert_eq!(running(&actor), ["go"]);
    let (mut world, mut actor) = start(2);
    actor.orders().assign(&["go"]);
    actor.orders().stop();
    assert_eq!(ended(&mut world, &mut actor), [TaskState::Failed]);
    world.advance();
    assert_eq!(ended(&mut world, &mut actor), []);
    assert!(running(&actor).is_empty(), "the stop came last");
}

#[test]
fn an_actor_that_is_given_a_task_that_reads_the_time_plans_by_the_time() {
    let text = "
fact open
action Go 1
primitive rest = Go
  pre open
primitive go = Go
  pre time >= 5
type guard: object
object ann: guard
agent watch: guard
  every 1
scenario s
  cast ann as watch
  TASKS";
    // The same task in the cast, an order, and an order in a game that is saved and loaded.
    for (tasks, is_ordered, is_saved) in [
        ("does go", false, false),
        ("does rest", true, false),
        ("does rest", true, true),
        ("", true, false),
    ] {
        let domain = Domain::from(&document(&text.replace("TASKS", tasks)));
        let mut world = World::new(&domain, &Name::new("s").expect("a name")).expect("a scenario");
        let mut actor = Actor::new(&mut world, 0).expect("an actor");
        if is_ordered {
            actor.orders().assign(&["go"]);
        }
        let mut started = None;
        for tick in 0..10 {
            actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
            if actor.running_steps().next().is_some() {
                started = started.or(Some(tick));
            }
            if is_saved && tick == 2 {
                let (loaded, mut actors) = reloaded(&domain, &world, &[actor]);
                (world, actor) = (loaded, actors.pop().expect("an actor"));
            }
            world.advance();
        }
        assert_eq!(started, Some(5), "{tasks} {is_ordered} {is_saved}");
    }
}
