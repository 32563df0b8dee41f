//! Planning for goals in a domain like that of a strategy game: workers walk between places of a
//! map, gather, build and arm. There are some 50 ground actions, and the situations are random,
//! limited to those whose plans have about a dozen steps.

use std::fmt::Write;

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_domain::lang::read_effect;
use taskloom_planner::compile::{Problem, compile};
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, World};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::*;

/// The number of situations.
const SITUATIONS: usize = 300;

const PLACES: [&str; 6] = ["camp", "field", "wood", "mine", "forge", "gate"];

/// Returns the domain of a settlement: what is gathered where, and what is made from it.
fn document(heuristic: &str, direction: &str) -> Document {
    let mut objects = String::new();
    for place in PLACES {
        let _ = write!(objects, "\"{place}\": {{ \"type\": \"place\" }}, ");
    }
    let number = r#"{ "value": { "number": { "integer": true, "min": 0, "max": 9 } } }"#;
    let text = format!(
        r#"{{ "taskloom": 4,
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

/// Marsaglia's xorshift64*, as in the tests.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }
}

/// Returns a random situation.
fn situation(domain: &Domain, random: &mut Random) -> World {
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
    // Goals not needed here already hold.
    match random.below(3) {
        0 => {}
        1 => all.push("watched(gate)".to_owned()),
        _ => all.extend(["watched(gate)", "wall(camp)", "wall(gate)"].map(str::to_owned)),
    }
    let mut world = World::initial(domain, &domain.scene_or_empty(&scenario()));
    for value in all {
        let effect = value.replace(" = ", " := ");
        let effect = domain.read(&effect, &world.scenario_scope(), read_effect);
        for change in world.event_writes(&effect).expect("a value") {
            let _ = world.set(&change.atom, change.after);
        }
    }
    world
}

/// A worker in many situations, with goals.
#[derive(Debug)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct Settlement(Vec<Problem>);

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Settlement {
    /// Creates the situations for a heuristic and a direction, named as in files.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen(constructor))]
    pub fn new(heuristic: &str, direction: &str) -> Self {
        // The fastest search determines which plans are long enough.
        let (quick, _) = problem("hadd", "forward");
        let (measured, domain) = problem(heuristic, direction);
        let mut random = Random(7);
        let mut all = vec![];
        while all.len() < SITUATIONS {
            let world = situation(&domain, &mut random);
            if (8..=16).contains(&steps(&quick.with_state(&world, Some(&[])))) {
                all.push(measured.with_state(&world, Some(&[])));
            }
        }
        Self(all)
    }

    /// Returns the number of situations.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Plans in one of them and returns the number of steps. Reachable actions are recomputed each
    /// time.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
    pub fn plan(&self, situation: usize) -> i32 {
        steps(&self.0[situation])
    }
}

fn problem(heuristic: &str, direction: &str) -> (Problem, Domain) {
    let domain = Domain::from(&document(heuristic, direction));
    (compile(&domain, &scenario()), domain)
}

fn scenario() -> Name {
    "s".parse().expect("a name")
}

fn steps(problem: &Problem) -> i32 {
    let mut search = Strategy::First.search(problem, Budget::default(), 0);
    while search.step(64) == Progress::Running {}
    crate::length(&search.outcome().unwrap_or(Outcome::Stopped))
}
