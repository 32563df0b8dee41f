//! Each tick of an actor does at most the work of its budget, and one indivisible step.

use std::sync::atomic::{AtomicU32, Ordering};

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::Outcome;
use taskloom_runtime::{Actor, ActorEvent, ByDurations, Status, TickBudget, World};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::{EXAMPLES, document, example};
use testkit::random::Random;

use crate::runs::random_document;

/// The decisions of an indivisible step in these documents, none of which has more than a few hundred ground
/// actions, or plans of more than some 30 steps.
const STEP: u64 = 450;

/// The ticks after which an actor has to have planned.
const TICKS: u32 = 2_000_000;

/// Lets an actor plan, alone in a world in which nothing else happens. Returns the outcome of its first
/// planning, unless it has nothing to plan, and the decisions taken in each tick.
fn first_planning(
    domain: &Domain,
    (scenario, number): (&Name, usize),
    budget: TickBudget,
) -> (Option<Outcome>, Vec<u64>) {
    let mut world = World::new(domain, scenario).expect("a scenario");
    let mut actor = Actor::new(&mut world, number).expect("an actor");
    let mut decisions = vec![];
    loop {
        let tick = actor.tick(&mut world, &mut ByDurations, budget);
        decisions.push(tick.decisions);
        let planned = tick.events.into_iter().find_map(|event| match event {
            ActorEvent::Planned(planning) => Some(planning.outcome),
            _ => None,
        });
        if planned.is_some() || tick.status != Status::Searching {
            let outcome = planned.map(|outcome| outcome.expect("a valid plan"));
            return (outcome, decisions);
        }
        world.advance();
        assert!(world.tick() < TICKS, "{scenario}: it never ends");
    }
}

/// Checks that an actor plans the same with small budgets as with an unlimited one, and keeps to them.
/// Returns the number of ticks in which it searched.
fn check(domain: &Domain, at: (&Name, usize), context: &str) -> usize {
    let (expected, all) = first_planning(domain, at, TickBudget::unlimited());
    let mut ticks = 0;
    for budget in [1, 16, 200] {
        let (outcome, decisions) = first_planning(domain, at, TickBudget::decisions(budget));
        assert_eq!(outcome, expected, "budget {budget}, {context}");
        let mut sum = 0;
        for (tick, spent) in (1..).zip(&decisions) {
            assert!(
                *spent <= budget + STEP,
                "{spent} decisions with a budget of {budget}, {context}"
            );
            sum += spent;
            assert!(
                sum <= tick * budget + STEP,
                "{sum} decisions in {tick} ticks with a budget of {budget}, {context}"
            );
        }
        // The same work is done, in pieces, of which a check counts as one decision at least. With an
        // unlimited budget, more may follow in the same tick.
        let all = all.iter().sum::<u64>() + 1;
        assert!(
            sum <= all,
            "{sum} instead of {all} decisions with a budget of {budget}, {context}"
        );
        ticks += decisions.len() - 1;
    }
    ticks
}

fn check_all(document: &Document, context: &str) -> usize {
    let domain = Domain::from(document);
    let scenarios = document.scenarios.keys();
    let ticks = scenarios.map(|scenario| {
        let scene = domain.scene(scenario).expect("a scenario");
        let numbers = 0..scene.cast.len();
        let checked = numbers.map(|number| check(&domain, (scenario, number), context));
        checked.sum::<usize>()
    });
    ticks.sum()
}

#[test]
fn examples_keep_to_their_budgets() {
    for file in EXAMPLES {
        let ticks = check_all(&example(file), file);
        assert!(ticks > 0, "{file} needs more than one tick");
    }
}

#[test]
fn random_documents_keep_to_their_budgets() {
    let documents = seeds(2_000);
    let ticks = on_all_cores(documents.clone(), |seed| {
        check_all(&random_document(seed), &format!("seed {seed}"))
    });
    assert!(is_sample() || ticks.iter().sum::<usize>() > documents.len() / 2);
}

#[test]
fn random_goals_keep_to_their_budgets() {
    let documents = seeds(500);
    let ticks = on_all_cores(documents.clone(), |seed| {
        let text = testkit::goals::domain(&mut Random(seed + 1));
        check_all(&document(&text), &format!("seed {seed}\n{text}"))
    });
    assert!(is_sample() || ticks.iter().sum::<usize>() > documents.len() / 2);
}

/// The document of a guard with goals, in the first example that has one.
fn night() -> (Domain, Name) {
    let document = example("night-guard");
    let first = document.scenarios.keys().next();
    let scenario = first.expect("a scenario").clone();
    (Domain::from(&document), scenario)
}

#[test]
fn without_planning_nothing_is_decided() {
    let (domain, scenario) = night();
    let mut world = World::new(&domain, &scenario).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    for _ in 0..5 {
        let tick = actor.tick(&mut world, &mut ByDurations, TickBudget::without_planning());
        assert_eq!(tick.decisions, 0);
        assert!(actor.plan().is_none() && actor.wanted_plan().is_none());
        world.advance();
    }
    actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
    assert!(actor.plan().is_some());
}

#[test]
fn deadlines_end_the_planning_of_a_tick() {
    let (domain, scenario) = night();
    let (expected, all) = first_planning(&domain, (&scenario, 0), TickBudget::unlimited());
    // A clock that passes the deadline at every third look.
    let looks = AtomicU32::new(1);
    let is_over = || looks.fetch_add(1, Ordering::Relaxed).is_multiple_of(3);
    let (outcome, decisions) = first_planning(&domain, (&scenario, 0), TickBudget::until(&is_over));
    assert_eq!(outcome, expected);
    assert_eq!(decisions.iter().sum::<u64>(), all.iter().sum::<u64>());
    assert!(decisions.len() > 2, "{decisions:?}");
    let over = || true;
    let mut world = World::new(&domain, &scenario).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    let budget = TickBudget::decisions(100).or_until(&over);
    assert_eq!(
        actor.tick(&mut world, &mut ByDurations, budget).decisions,
        0
    );
}

/// Returns the ticks at which actors begin to plan, if they think every 4 ticks.
fn thinking_ticks(reloads_at: Option<u32>) -> Vec<Vec<u32>> {
    let text = "type person\nobject a: person\nobject b: person\nobject c: person\nfact done\n\
        action Wait 100\nprimitive wait = Wait()\n  eff done\nagent one: person\n  uses wait\n\
        scenario s\n  cast a as one\n  cast b as one\n  cast c as one\n  task wait\n";
    let document = document(text);
    let domain = Domain::from(&document);
    let scenario = "s".parse().expect("a name");
    let mut world = World::new(&domain, &scenario).expect("a scenario");
    let actor = |number| Actor::new(&mut world, number).expect("an actor");
    let mut actors: Vec<Actor> = (0..3).map(actor).collect();
    actors.iter_mut().for_each(|actor| actor.think_every(4));
    let mut planned = vec![vec![]; 3];
    for tick in 0..12 {
        for (actor, planned) in actors.iter_mut().zip(&mut planned) {
            let done = actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
            let plans = |event: &ActorEvent| matches!(event, ActorEvent::Planned(_));
            planned.extend(done.events.iter().any(plans).then_some(tick));
            if tick == 4 {
                actor.orders().assign(&["wait"]);
            }
        }
        if reloads_at == Some(tick) {
            (world, actors) = super::saved::reloaded(&domain, &world, &actors);
        }
        world.advance();
    }
    planned
}

#[test]
fn actors_take_turns_to_begin_planning() {
    // The orders that they get at tick 4 and follow at tick 5 make them plan again.
    let expected = [vec![0, 8], vec![1, 9], vec![2, 6]];
    assert_eq!(thinking_ticks(None), expected);
    for tick in 0..12 {
        assert_eq!(thinking_ticks(Some(tick)), expected, "reloaded at {tick}");
    }
}
