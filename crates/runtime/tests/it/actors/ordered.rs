//! Orders to actors.

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_runtime::{Actor, ActorEvent, ByDurations, TickBudget, World};
use testkit::domain::document;

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
