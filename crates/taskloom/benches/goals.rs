//! How long planning for a goal takes in a domain as a strategy game has it, and which part of the
//! plannings takes how long: `cargo xtask bench goals`.
//!
//! Workers walk between places of a map, gather, build and arm; there are some 50 ground actions,
//! and the situations are random, those among them whose plans have about a dozen steps.

use std::fmt::Write;
use std::time::{Duration, Instant};

use taskloom::document::{Document, Name};
use taskloom::planner::compile::compile;
use taskloom::planner::plan::{Budget, Outcome, Progress, Strategy, World};

const PLACES: [&str; 6] = ["camp", "field", "wood", "mine", "forge", "gate"];

/// A settlement: what is gathered where, and what comes of it.
fn document(heuristic: &str, direction: &str) -> Document {
    let mut objects = String::new();
    for place in PLACES {
        let _ = write!(objects, "\"{place}\": {{ \"type\": \"place\" }}, ");
    }
    let number = r#"{ "value": { "number": { "integer": true, "min": 0, "max": 9 } } }"#;
    let text = format!(
        r#"{{ "taskloom": 2,
        "types": {{ "place": {{ "parent": "object" }} }},
        "objects": {{ {} }},
        "facts": {{
            "place": {{ "value": {{ "object": "place" }} }},
            "road": {{ "params": ["?a: place", "?b: place"] }},
            "food": {number}, "logs": {number}, "ore": {number}, "iron": {number}, "swords": {number},
            "hungry": {{}}, "lit": {{}}, "armed": {{}}, "wall": {{ "params": ["?p: place"] }}, "watched": {{ "params": ["?p: place"] }}
        }},
        "primitive_tasks": {{
            "walk": {{ "params": ["?a: place", "?b: place"], "preconditions": ["place = ?a and road(?a, ?b)"], "effects": [{{ "text": "place := ?b" }}], "cost": "2" }},
            "gather": {{ "preconditions": ["place = field"], "effects": [{{ "text": "food += 1" }}] }},
            "fell": {{ "preconditions": ["place = wood and not hungry"], "effects": [{{ "text": "logs += 1" }}] }},
            "dig": {{ "preconditions": ["place = mine and not hungry"], "effects": [{{ "text": "ore += 1" }}] }},
            "kindle": {{ "preconditions": ["place = forge and logs >= 1 and not lit"], "effects": [{{ "text": "logs -= 1" }}, {{ "text": "lit" }}] }},
            "smelt": {{ "preconditions": ["place = forge and lit and ore >= 2"], "effects": [{{ "text": "ore -= 2" }}, {{ "text": "iron += 1" }}, {{ "text": "not lit" }}], "cost": "3" }},
            "smith": {{ "preconditions": ["place = forge and iron >= 1"], "effects": [{{ "text": "iron -= 1" }}, {{ "text": "swords += 1" }}], "cost": "2" }},
            "take-up": {{ "preconditions": ["swords >= 1"], "effects": [{{ "text": "swords -= 1" }}, {{ "text": "armed" }}] }},
            "eat": {{ "preconditions": ["food >= 1 and hungry"], "effects": [{{ "text": "food -= 1" }}, {{ "text": "not hungry" }}] }},
            "build": {{ "params": ["?p: place"], "preconditions": ["place = ?p and logs >= 2 and not wall(?p)"], "effects": [{{ "text": "logs -= 2" }}, {{ "text": "wall(?p)" }}, {{ "text": "hungry" }}], "cost": "2" }},
            "watch": {{ "params": ["?p: place"], "preconditions": ["place = ?p and armed and wall(?p)"], "effects": [{{ "text": "watched(?p)" }}] }},
            "rest": {{ "params": ["?p: place"], "preconditions": ["place = ?p and wall(?p)"], "effects": [{{ "text": "not hungry" }}], "cost": "9" }}
        }},
        "goals": {{
            "safe": {{ "condition": "watched(gate)", "priority": 3 }},
            "walled": {{ "condition": "wall(camp) and wall(gate) and not hungry", "priority": 2 }},
            "rich": {{ "condition": "swords >= 1 and logs >= 1 and not hungry", "priority": 1 }}
        }},
        "agents": {{ "worker": {{ "planning": {{ "goals": {{ "goals": ["safe", "walled", "rich"],
            "search": {{ "heuristic": "{heuristic}", "direction": "{direction}" }} }} }} }} }},
        "scenarios": {{ "s": {{ "cast": [{{ "agent": "worker" }}] }} }} }}"#,
        objects.trim_end_matches(", ")
    );
    Document::from_json(&text).expect("a document")
}

/// Marsaglia's xorshift64*, as the tests have it.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }
}

/// Values of a random situation, as they are typed.
fn situation(random: &mut Random) -> Vec<String> {
    let mut all = vec![format!("place = {}", PLACES[random.below(6) as usize])];
    let roads = [(0, 1), (0, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 2)];
    for (a, b) in roads {
        for (a, b) in [(a, b), (b, a)] {
            all.push(format!("road({}, {})", PLACES[a], PLACES[b]));
        }
    }
    for number in ["food", "logs", "ore"] {
        all.push(format!("{number} = {}", random.below(3)));
    }
    for (chance, fact) in [(2, "hungry"), (3, "lit"), (5, "armed"), (4, "wall(gate)")] {
        if random.below(chance) == 0 {
            all.push(fact.to_owned());
        }
    }
    // What is not wanted now holds already.
    match random.below(3) {
        0 => {}
        1 => all.push("watched(gate)".to_owned()),
        _ => all.extend(["watched(gate)", "wall(camp)", "wall(gate)"].map(str::to_owned)),
    }
    all
}

fn main() {
    println!("planning for goals: 12 tasks, 6 places; with what is possible found anew each time");
    println!("heuristic, direction: plans, steps on average, states; p50, p99 and longest in ms");
    let scenario: Name = "s".parse().expect("a name");
    for direction in ["forward", "regressive"] {
        for heuristic in ["hmax", "hadd", "ff", "unmet", "blind"] {
            let document = document(heuristic, direction);
            let problem = compile(&document, &scenario);
            let record = &document.scenarios[&scenario];
            let mut random = Random(7);
            let (mut times, mut steps, mut states) = (vec![], 0, 0);
            while times.len() < 300 {
                let mut world = World::initial(&document, record);
                for text in situation(&mut random) {
                    for change in world.event_changes(&effect(&text)).expect("a value") {
                        let _ = world.set(&change.atom, change.after);
                    }
                }
                let problem = problem.anew(&world, Some(&[]));
                let begun = Instant::now();
                let mut search = Strategy::First.search(&problem, Budget::default(), 0);
                while search.step(64) == Progress::Running {}
                let time = begun.elapsed();
                if let Some(Outcome::Plan(plan)) = search.outcome()
                    && (8..=16).contains(&plan.steps.len())
                {
                    times.push(time);
                    steps += plan.steps.len();
                    states += search.statistics().nodes;
                }
            }
            times.sort_unstable();
            let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            println!(
                "{heuristic:6} {direction:10}: {} plans, {:.1} steps, {} states; {:.3}, {:.3}, {:.3}",
                times.len(),
                steps as f64 / times.len() as f64,
                states / times.len() as u64,
                ms(at(0.5)),
                ms(at(0.99)),
                ms(at(1.0)),
            );
        }
    }
}

/// A value as an effect that sets it.
fn effect(value: &str) -> String {
    value.replace(" = ", " := ")
}
