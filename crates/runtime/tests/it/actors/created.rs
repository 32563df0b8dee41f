//! Actors that a game creates, which are not in the scenario's cast.

use taskloom_document::{CastMember, Name};
use taskloom_domain::Domain;
use taskloom_runtime::{Actor, ByDurations, Error, Status, TickBudget, World};
use testkit::domain::document;

use super::saved::reloaded;

const FARM: &str = "
type person
type field
object anna: person
object bert: person
object meadow: field
object acre: field
sensor fact mown(?field: field)
memory value own(?who: person): field
action Mow 2
primitive mow(?field: field) = Mow
  pre own(?me) = ?field
  eff mown(?field)
agent farmer: person
  task mow(own(?me))
scenario day
  initial own(anna) = meadow
  initial own(bert) = acre
  cast anna as farmer";

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn farm() -> (Domain, World) {
    let domain = Domain::from(&document(FARM));
    let world = World::new(&domain, &name("day")).expect("a scenario");
    (domain, world)
}

fn farmer(object: &str, tasks: &[&str]) -> CastMember {
    CastMember {
        object: Some(name(object)),
        tasks: tasks.iter().map(|task| (*task).to_owned()).collect(),
        ..CastMember::playing(name("farmer"))
    }
}

#[test]
fn created_actor_has_its_object_and_the_tasks_of_its_agent() {
    let (domain, mut world) = farm();
    let anna = Actor::new(&mut world, 0).expect("an actor");
    let bert = Actor::create(&mut world, &farmer("bert", &[])).expect("an actor");
    assert_eq!(bert.name(), Some("bert"));
    let mut actors = vec![anna, bert];
    for _ in 0..5 {
        for actor in &mut actors {
            actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
        }
        world.advance();
        (world, actors) = reloaded(&domain, &world, &actors);
    }
    assert_eq!(world.holds("mown(meadow) and mown(acre)"), Ok(true));
    let again = Actor::create(&mut world, &farmer("bert", &["mow(acre)"]));
    let status =
        again
            .expect("an actor")
            .tick(&mut world, &mut ByDurations, TickBudget::unlimited());
    assert_eq!(status.status, Status::Active);
}

#[test]
fn invalid_actors_are_refused_with_the_kind_and_the_place_of_the_error() {
    let (_, mut world) = farm();
    let mut refused = |member| Actor::create(&mut world, &member).map(|_| ()).unwrap_err();
    assert_eq!(
        refused(CastMember::playing(name("smith"))),
        Error::UnknownAgent("smith".to_owned())
    );
    let error = refused(farmer("acre", &[]));
    assert!(matches!(error, Error::InvalidObject { .. }));
    assert_eq!(error.to_string(), "'acre' is not a person");
    assert_eq!(
        refused(farmer("carl", &[])).to_string(),
        "there is no object 'carl'"
    );
    let Error::InvalidText { text, span, .. } = refused(farmer("bert", &["mow(anna)"])) else {
        panic!("the task is invalid");
    };
    assert_eq!(span.map(|span| &text[span.range()]), Some("anna"));
    let Err(Error::InvalidText { span, .. }) = world.holds("mown(barn)") else {
        panic!("the formula is invalid");
    };
    assert_eq!(span.map(|span| span.range()), Some(5..9));
    assert!(matches!(world.atom("mown"), Err(Error::InvalidFact { .. })));
    let mown = world.atom("mown(acre)").expect("a fact");
    assert!(matches!(
        world.set(&mown, 3.0),
        Err(Error::InvalidValue { .. })
    ));
}
