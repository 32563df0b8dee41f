//! Documents in which one character has many similar errands: parcels to fetch, lamps to light.

use serde_json::{Value, json};

use crate::{Input, Problem};

/// Parcels at four places, which a person brings home, two at a time.
pub fn parcels(count: usize, target: f64) -> Problem {
    const PLACES: usize = 5;
    let mut objects = json!({ "ann": { "type": "person" } });
    let mut initial = vec!["at(ann) = p0".to_owned()];
    let mut at_place = [0; PLACES];
    for place in 0..PLACES {
        objects[format!("p{place}")] = json!({ "type": "place" });
    }
    for parcel in 0..count {
        let place = 1 + parcel % (PLACES - 1);
        at_place[place] += 1;
        objects[format!("b{parcel}")] = json!({ "type": "parcel" });
        initial.push(format!("at(b{parcel}) = p{place}"));
    }
    // One round trip for two parcels of one place; one more move for two of different places.
    let pairs: usize = at_place.iter().map(|at| at / 2).sum();
    let single = count - 2 * pairs;
    let ways = 2 * pairs + 3 * (single / 2) + 2 * (single % 2);
    let document = json!({
        "taskloom": 4,
        "info": { "title": format!("{count} parcels") },
        "types": {
            "place": { "parent": "object" }, "parcel": { "parent": "object" }, "person": { "parent": "object" },
        },
        "objects": objects,
        "facts": {
            "at": { "params": ["?x: object"], "value": { "object": "place" } },
            "holds": { "params": ["?b: parcel"] },
            "carried": { "value": { "number": { "integer": true, "min": 0, "max": 2 } } },
        },
        "primitive_tasks": {
            "go": {
                "params": ["?to: place"], "preconditions": ["at(?me) != ?to"],
                "effects": [{ "text": "at(?me) := ?to" }], "cost": "2",
            },
            "load": {
                "params": ["?b: parcel"],
                "preconditions": ["at(?b) = at(?me)", "not holds(?b)", "carried <= 1", "at(?b) != p0"],
                "effects": [{ "text": "holds(?b)" }, { "text": "carried += 1" }],
            },
            "drop": {
                "params": ["?b: parcel"], "preconditions": ["holds(?b)"],
                "effects": [
                    { "text": "not holds(?b)" }, { "text": "carried -= 1" }, { "text": "at(?b) := at(?me)" },
                ],
            },
        },
        "goals": { "all": { "condition": "forall ?b: parcel. (at(?b) = p0 and not holds(?b))", "priority": 1 } },
        "agents": { "porter": { "type": "person", "planning": { "goals": { "goals": ["all"] } } } },
        "scenarios": { "s": { "initial": initial, "cast": [{ "object": "ann", "agent": "porter" }] } },
    });
    Problem {
        name: format!("parcels-{count:02}"),
        input: Input::Document(text(&document)),
        optimal: Some((2 * ways + 2 * count) as f64),
        target: Some(target),
    }
}

/// Lamps, each of which has to be lit by a separate step.
pub fn lamps(count: usize, heuristic: &str) -> Problem {
    let mut objects = json!({});
    for lamp in 0..count {
        objects[format!("l{lamp}")] = json!({ "type": "lamp" });
    }
    let document = json!({
        "taskloom": 4,
        "info": { "title": format!("{count} lamps") },
        "types": { "lamp": { "parent": "object" } },
        "objects": objects,
        "facts": { "lit": { "params": ["?l: lamp"] } },
        "primitive_tasks": {
            "light": {
                "params": ["?l: lamp"], "preconditions": ["not lit(?l)"], "effects": [{ "text": "lit(?l)" }],
            },
        },
        "goals": { "bright": { "condition": "forall ?l: lamp. lit(?l)", "priority": 1 } },
        "agents": {
            "lighter": {
                "planning": { "goals": { "goals": ["bright"], "search": { "heuristic": heuristic } } },
            },
        },
        "scenarios": { "s": { "cast": [{ "agent": "lighter" }] } },
    });
    Problem {
        name: format!("lamps-{count:02}-{heuristic}"),
        input: Input::Document(text(&document)),
        optimal: Some(count as f64),
        target: Some(0.1),
    }
}

pub(crate) fn text(document: &Value) -> String {
    format!("{document:#}\n")
}
