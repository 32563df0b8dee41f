//! An object that a game adds is like one that was there before, or that was absent.

use std::sync::Arc;

use taskloom_document::{Document, Name, Object, Planning};
use taskloom_domain::Domain;
use taskloom_planner::plan::Value;
use taskloom_runtime::{Actor, ActorEvent, Log, StepExecution, TickBudget, World};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;

use super::arrivals::{TICKS, set_some, types};
use super::objects::name;
use super::protocol::{Erratic, budget};
use crate::logs::Sink;
use crate::runs::random_document;

/// Returns a document whose scenario has objects in addition.
fn with_objects(document: &Document, objects: &[(Name, Name)]) -> Document {
    let mut document = document.clone();
    let scenario = document.scenarios.get_mut(&name("s")).expect("a scenario");
    let scenario = Arc::make_mut(scenario);
    scenario.objects.extend(objects.iter().map(|(name, of)| {
        let object = Object {
            of: of.clone(),
            title: String::new(),
            note: String::new(),
        };
        (name.clone(), Arc::new(object))
    }));
    document
}

/// Returns the lines of a game in which facts are set at random, except for those that differ between a
/// document with more objects and one to which they are added.
fn log_of(
    document: &Document,
    added: &[(Name, Name)],
    comes_first: bool,
    seed: u64,
) -> Vec<String> {
    let domain = Domain::from(document);
    let mut world = World::new(&domain, &name("s")).expect("a scenario");
    let log = Sink::default();
    world.start_log(Log::new(document, log.clone()).with_snapshot_interval(Some(7)));
    let add = |world: &mut World| {
        let all = added.iter().map(|(name, of)| (name.as_str(), of.as_str()));
        world.add_all(all).expect("new names");
    };
    if comes_first {
        add(&mut world);
    }
    let cast = domain.scene(&name("s")).expect("a scenario").cast.len();
    let actor = |number| {
        let actor = Actor::new(&mut world, number).expect("an actor");
        let random = Random(seed + 1 + ((number as u64 + 1) << 32));
        let body = Erratic::new(random, &actor, &[], &[]);
        (actor, body)
    };
    let mut actors: Vec<(Actor, Erratic)> = (0..cast).map(actor).collect();
    if !comes_first {
        add(&mut world);
    }
    let (mut random, mut budgets) = (Random(seed + 1), Random(seed + 2));
    for tick in 0..TICKS {
        world.advance_to(tick);
        if random.below(3) == 0 {
            set_some(&mut world, &mut random, document);
        }
        for (actor, body) in &mut actors {
            actor.tick(&mut world, body, budget(&mut budgets));
        }
    }
    let log = String::from_utf8(log.bytes()).expect("text");
    let lines = log.lines().skip(1);
    let lines = lines.filter(|line| !line.contains(r#""entry":"object""#));
    lines.map(str::to_owned).collect()
}

#[test]
fn object_that_is_added_before_the_first_tick_is_like_one_of_the_document() {
    let games = seeds(2_000);
    let lines = on_all_cores(games.clone(), |seed| {
        let document = random_document(seed);
        let mut random = Random(seed);
        let types = types(&document);
        let object = |object| (name(object), random.pick(&types).clone());
        let objects: Vec<(Name, Name)> = ["m", "zz"].map(object).to_vec();
        let listed = log_of(&with_objects(&document, &objects), &[], true, seed);
        let added = log_of(&document, &objects, seed.is_multiple_of(2), seed);
        assert_eq!(listed, added, "seed {seed}");
        listed.iter().filter(|line| line.contains("(m)")).count()
    });
    assert!(is_sample() || lines.iter().sum::<usize>() > games.len());
}

/// Returns the plans and steps of a game in which an object comes at a tick, by `come`.
fn decisions(
    document: &Document,
    (object, at): (&Name, u32),
    come: &dyn Fn(&mut World),
    seed: u64,
) -> Vec<String> {
    let domain = Domain::from(document);
    let mut world = World::new(&domain, &name("s")).expect("a scenario");
    let cast = &domain.scene(&name("s")).expect("a scenario").cast;
    let actors = cast.iter().enumerate().map(|(number, _)| {
        let actor = Actor::new(&mut world, number).expect("an actor");
        let random = Random(seed + 1 + ((number as u64 + 1) << 32));
        let body = Erratic::new(random, &actor, &[], &[]);
        (actor, body)
    });
    let mut actors: Vec<(Actor, Erratic)> = actors.collect();
    let mut random = Random(seed + 1);
    let mut lines = vec![];
    for tick in 0..TICKS {
        world.advance_to(tick);
        if tick == at {
            come(&mut world);
        }
        let facts = document.facts.keys();
        let facts: Vec<&Name> = facts.filter(|fact| fact.as_str() != UNBORN).collect();
        let fact = *random.pick(&facts);
        let is_of_object = tick >= at && random.below(2) == 0;
        let about = if is_of_object { object.as_str() } else { "o0" };
        let text = match document.facts[fact].params.len() {
            0 => fact.to_string(),
            _ => format!("{fact}({about})"),
        };
        if let Ok(atom) = world.atom(&text)
            && let Value::Bool(is) = world.value(&atom)
        {
            world.set(&atom, !is).expect("a value");
        }
        for (number, (actor, body)) in actors.iter_mut().enumerate() {
            let done = actor.tick(&mut world, body, TickBudget::unlimited());
            lines.extend(done.events.iter().map(|event| match event {
                ActorEvent::Planned(planning) => {
                    let steps = planning.plan().map(|plan| {
                        let steps = plan.steps.iter().map(|step| step.task.to_string());
                        steps.collect::<Vec<_>>()
                    });
                    format!("{tick} {number} {:?}: {steps:?}", planning.cause)
                }
                ActorEvent::Ended(step) => {
                    let StepExecution {
                        step, start, state, ..
                    } = &**step;
                    format!("{tick} {number} step {step} of {start}: {state:?}")
                }
                ActorEvent::Perceived(changes) => format!("{tick} {number} {changes:?}"),
                ActorEvent::Refused(why) => format!("{tick} {number} {why}"),
                event => panic!("an event without a line: {event:?}"),
            }));
        }
    }
    lines
}

/// The fact that says that an object hasn't come yet.
const UNBORN: &str = "unborn";

/// An independent proof: an object that is added is like one whose absence ends, except that its coming is no
/// change of a fact, which triggers could notice.
#[test]
fn object_that_is_added_is_like_one_whose_absence_ends() {
    let games = seeds(4_000);
    let counts = on_all_cores(games.clone(), |seed| {
        let mut document = random_document(seed);
        let mut has_goals = false;
        for agent in document.agents.values_mut() {
            let agent = Arc::make_mut(agent);
            agent.triggers.perception = false;
            has_goals |= matches!(agent.planning, Planning::Goals { .. });
        }
        // The search for goals has another order with other facts.
        if has_goals {
            return (0, 0);
        }
        let mut random = Random(seed);
        let of = random.pick(&types(&document)).clone();
        let object = name(if random.below(2) == 0 { "m" } else { "zz" });
        let at = random.below(5) as u32;
        let add = |world: &mut World| world.add(object.as_str(), of.as_str()).expect("a new name");
        let added = decisions(&document, (&object, at), &add, seed);
        let mut absent = with_objects(&document, &[(object.clone(), of.clone())]);
        let fact = testkit::domain::document(&format!("sensor fact {UNBORN}(?o: object) absence"));
        absent.facts.extend(fact.facts);
        let scenario = absent.scenarios.get_mut(&name("s")).expect("a scenario");
        let unborn = format!("{UNBORN}({object})");
        Arc::make_mut(scenario).initial.push(unborn.clone());
        let bear = |world: &mut World| {
            let atom = world.atom(&unborn).expect("a fact");
            world.set(&atom, false).expect("a value");
        };
        let born = decisions(&absent, (&object, at), &bear, seed);
        assert_eq!(added, born, "seed {seed}, {object} at {at}");
        let nothing = decisions(&document, (&object, at), &|_| (), seed);
        (added.len(), usize::from(added != nothing))
    });
    let lines: usize = counts.iter().map(|(lines, _)| lines).sum();
    let differing: usize = counts.iter().map(|(_, differs)| differs).sum();
    let games = games.len();
    assert!(
        is_sample() || lines > games && differing > games / 40,
        "{differing} of {games} games, with {lines} lines"
    );
}
