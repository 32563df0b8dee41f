//! Fifty characters with plans of ten steps in one world: measures a tick in which each has its
//! turn and one plans a slice, and whether memory use grows: `cargo xtask bench crowd`. Slices are
//! measured in processor time, since other processes interrupt one from time to time.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use peak_alloc::PeakAlloc;
use taskloom::{Budget, Character, Domain, Progress};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const CHARACTERS: usize = 50;
const TICKS: u32 = 100_000;

/// The time per tick that may be spent on planning.
const PLANNING: Duration = Duration::from_micros(200);

/// A village in which everybody has a round of ten errands.
fn village() -> String {
    let persons: Vec<String> = (0..CHARACTERS)
        .map(|n| format!(r#""p{n}": {{ "type": "person" }}"#))
        .collect();
    let mut blocks = vec![r#""b": { "kind": "begin" }"#.to_owned()];
    let mut wires = vec![];
    let places = ["well", "mill", "inn", "field", "barn"];
    for step in 0..10 {
        let place = places[step % 5];
        blocks.push(format!(
            r#""t{step}": {{ "kind": "task", "call": "walk(?who, {place})" }}"#
        ));
        let before = if step == 0 {
            "b".to_owned()
        } else {
            format!("t{}", step - 1)
        };
        wires.push(format!(r#""{before}.out -> t{step}""#));
    }
    format!(
        r#"{{ "taskloom": 2,
        "types": {{ "person": {{ "parent": "object" }}, "place": {{ "parent": "object" }} }},
        "objects": {{ {}, {} }},
        "facts": {{ "place_of": {{ "params": ["?who: person"], "value": {{ "object": "place" }} }} }},
        "actions": {{ "Walk": {{ "duration": "2" }} }},
        "primitive_tasks": {{ "walk": {{ "params": ["?who: person", "?to: place"], "action": "Walk()",
            "preconditions": ["place_of(?who) != ?to"], "integrity": ["exists ?p: place. ?p = ?to"],
            "effects": [{{ "text": "place_of(?who) := ?to" }}] }} }},
        "compound_tasks": {{ "errands": {{ "params": ["?who: person"], "method": {{ "blocks": {{ {} }}, "wires": [{}] }} }} }},
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
    let tasks: Vec<[String; 1]> = (0..CHARACTERS)
        .map(|n| [format!("errands(p{n})")])
        .collect();
    let mut crowd: Vec<Character> = tasks
        .iter()
        .map(|tasks| Character::new(&world, tasks, Budget::default()).expect("tasks"))
        .collect();
    let mut ticks: Vec<u32> = Vec::with_capacity(TICKS as usize);
    let mut slices: Vec<u32> = Vec::with_capacity(4 << 20);
    let mut next = 0;
    let (mut rounds, mut held) = (0, vec![]);
    for tick in 0..TICKS {
        let begun = Instant::now();
        // Planning is spread over the ticks, with the characters in turn.
        for _ in 0..CHARACTERS {
            if begun.elapsed() >= PLANNING / 2 {
                break;
            }
            let slice = ThreadTime::now();
            let thinks = crowd[next].needs_plan().is_some();
            if crowd[next].think(&world, 64) != Ok(true) {
                next = (next + 1) % CHARACTERS;
            }
            if thinks && slices.len() < slices.capacity() {
                slices.push(slice.elapsed().as_nanos() as u32);
            }
        }
        for (character, tasks) in crowd.iter_mut().zip(&tasks) {
            loop {
                match character.act(&mut world, tick) {
                    Progress::Ended { .. } => {}
                    Progress::Complete => {
                        rounds += 1;
                        character.assign(&world, tasks).expect("tasks");
                        break;
                    }
                    Progress::Waiting | Progress::Stopped => break,
                }
            }
        }
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
    println!(
        "{CHARACTERS} characters, plans of 10 steps, {TICKS} ticks, {rounds} rounds completed"
    );
    show(ticks, "ticks");
    show(slices, "planning slices");
    let held: Vec<String> = held.iter().map(|kb| format!("{kb:.0}")).collect();
    println!("memory use every 10,000 ticks, in kB: {}", held.join(" "));
}
