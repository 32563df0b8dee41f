//! Fifty actors with plans of ten steps in one world: measures a tick in which each has its turn and
//! one plans, and whether memory use grows: `cargo xtask bench crowd`. Turns are measured in processor
//! time, since other processes interrupt one from time to time.

use std::time::Instant;

use cpu_time::ThreadTime;
use peak_alloc::PeakAlloc;
use taskloom::{Actor, ByDurations, CastMember, Domain, Status, TickBudget};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const ACTORS: usize = 50;
const TICKS: u32 = 100_000;

/// The number of decisions per tick, of one of them in turn.
const DECISIONS: u64 = 64;

/// A village in which everybody has a round of ten errands.
fn village() -> String {
    let persons: Vec<String> = (0..ACTORS)
        .map(|n| format!(r#""p{n}": {{ "type": "person" }}"#))
        .collect();
    let mut blocks = vec![r#""b": { "kind": "begin" }"#.to_owned()];
    let mut wires = vec![];
    let places = ["well", "mill", "inn", "field", "barn"];
    for step in 0..10 {
        let place = places[step % 5];
        blocks.push(format!(
            r#""t{step}": {{ "kind": "task", "call": "walk({place})" }}"#
        ));
        let before = if step == 0 {
            "b".to_owned()
        } else {
            format!("t{}", step - 1)
        };
        wires.push(format!(r#""{before}.out -> t{step}""#));
    }
    format!(
        r#"{{ "taskloom": 3,
        "types": {{ "person": {{ "parent": "object" }}, "place": {{ "parent": "object" }} }},
        "objects": {{ {}, {} }},
        "facts": {{ "place_of": {{ "params": ["?who: person"], "value": {{ "object": "place" }} }} }},
        "actions": {{ "Walk": {{ "duration": "2" }} }},
        "primitive_tasks": {{ "walk": {{ "params": ["?to: place"], "action": "Walk()",
            "preconditions": ["place_of(?me) != ?to"], "integrity": ["exists ?p: place. ?p = ?to"],
            "effects": [{{ "text": "place_of(?me) := ?to" }}] }} }},
        "compound_tasks": {{ "errands": {{ "method": {{ "blocks": {{ {} }}, "wires": [{}] }} }} }},
        "agents": {{ "villager": {{ "type": "person", "planning": {{ "decomposition": {{ "tasks": ["errands"] }} }} }} }},
        "scenarios": {{ "day": {{}} }} }}"#,
        persons.join(", "),
        places
            .map(|place| format!(r#""{place}": {{ "type": "place" }}"#))
            .join(", "),
        blocks.join(", "),
        wires.join(", "),
    )
}

fn main() {
    let domain = Domain::read(&village()).expect("a domain");
    let mut world = domain.world("day").expect("a scenario");
    let mut actor = |number: usize| {
        let villager = CastMember {
            object: format!("p{number}").parse().ok(),
            ..CastMember::playing("villager".parse().expect("a name"))
        };
        Actor::create(&mut world, &villager).expect("an actor")
    };
    let mut crowd: Vec<Actor> = (0..ACTORS).map(&mut actor).collect();
    let mut ticks: Vec<u32> = Vec::with_capacity(TICKS as usize);
    let mut turns: Vec<u32> = Vec::with_capacity(4 << 20);
    let (mut rounds, mut held) = (0, vec![]);
    for tick in 0..TICKS {
        let begun = Instant::now();
        for (number, actor) in crowd.iter_mut().enumerate() {
            let is_next = number == tick as usize % ACTORS;
            let budget = TickBudget::decisions(if is_next { DECISIONS } else { 0 });
            let turn = ThreadTime::now();
            let done = actor.tick(&mut world, &mut ByDurations, budget);
            if is_next && turns.len() < turns.capacity() {
                turns.push(turn.elapsed().as_nanos() as u32);
            }
            if done.status == Status::Complete {
                rounds += 1;
                actor.orders().assign(&["errands"]);
            }
        }
        world.advance();
        ticks.push(begun.elapsed().as_nanos() as u32);
        if tick % 10_000 == 9_999 {
            held.push(MEMORY.current_usage_as_kb());
        }
    }
    let show = |mut times: Vec<u32>, what: &str| {
        times.sort_unstable();
        let at = |part: f64| f64::from(times[((times.len() - 1) as f64 * part) as usize]) / 1e3;
        println!(
            "{what}: {}, p50 {:.1}, p99 {:.1}, p99.9 {:.1}, longest {:.1} microseconds",
            times.len(),
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0)
        );
    };
    println!("{ACTORS} actors, plans of 10 steps, {TICKS} ticks, {rounds} rounds completed");
    show(ticks, "ticks");
    show(turns, "turns that may plan");
    let held: Vec<String> = held.iter().map(|kb| format!("{kb:.0}")).collect();
    println!("memory use every 10,000 ticks, in kB: {}", held.join(" "));
}
