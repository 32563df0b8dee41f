//! A camp to be pitched, warmed and fed: numbers, object-valued facts and conditional effects.

use fastrand::Rng;
use serde_json::{Value, json};

use crate::errands::text;
use crate::{Input, Problem};

/// Returns a camp of `count` objects: places, tents, fires and settlers. Lighting a fire dries the
/// tents at its place; cooking feeds everybody there.
pub fn camp(random: &mut Rng, count: usize) -> Problem {
    let tents = count * 3 / 10;
    let fires = count / 5;
    let settlers = count / 5;
    let places = count - tents - fires - settlers;
    let mut objects = json!({});
    let mut initial = vec![];
    for place in 0..places {
        objects[format!("p{place}")] = json!({ "type": "place" });
    }
    let place = |random: &mut Rng| random.usize(..places);
    for fire in 0..fires {
        objects[format!("f{fire}")] = json!({ "type": "fire" });
        initial.push(format!("site(f{fire}) = p{}", fire % places));
    }
    for tent in 0..tents {
        objects[format!("t{tent}")] = json!({ "type": "tent" });
        // Next to a fire, so that it can be dried.
        let site = random.usize(..fires) % places;
        initial.push(format!("site(t{tent}) = p{site}"));
        if random.bool() {
            initial.push(format!("wet(t{tent})"));
        }
    }
    for settler in 0..settlers {
        objects[format!("s{settler}")] = json!({ "type": "settler" });
        initial.push(format!("at(s{settler}) = p{}", place(random)));
        if random.usize(..3) > 0 {
            initial.push(format!("hungry(s{settler})"));
        }
    }
    for (fact, every) in [("forest", 3), ("meadow", 4)] {
        let first = place(random);
        for n in 0..places.div_ceil(every) {
            initial.push(format!("{fact}(p{})", (first + n * every) % places));
        }
    }
    Problem {
        name: format!("camp-{count:02}"),
        input: Input::Document(text(&document(count, objects, initial))),
        optimal: None,
        target: None,
    }
}

/// Returns the document of a camp of `count` objects.
fn document(count: usize, objects: Value, initial: Vec<String>) -> Value {
    let number = |most: usize| json!({ "number": { "integer": true, "min": 0, "max": most } });
    let effects =
        |texts: &[&str]| -> Vec<_> { texts.iter().map(|t| json!({ "text": t })).collect() };
    json!({
        "taskloom": 4,
        "info": { "title": format!("A camp of {count}") },
        "types": {
            "place": { "parent": "object" }, "settler": { "parent": "object" },
            "fixture": { "parent": "object" }, "tent": { "parent": "fixture" }, "fire": { "parent": "fixture" },
        },
        "objects": objects,
        "facts": {
            "at": { "params": ["?s: settler"], "value": { "object": "place" } },
            "site": { "params": ["?f: fixture"], "value": { "object": "place" } },
            "forest": { "params": ["?p: place"] },
            "meadow": { "params": ["?p: place"] },
            "wood": { "params": ["?s: settler"], "value": number(3) },
            "stock": { "value": number(99) },
            "food": { "value": number(9) },
            "lit": { "params": ["?f: fire"] },
            "pitched": { "params": ["?t: tent"] },
            "wet": { "params": ["?t: tent"] },
            "hungry": { "params": ["?s: settler"] },
        },
        "primitive_tasks": {
            "walk": {
                "params": ["?s: settler", "?to: place"], "preconditions": ["at(?s) != ?to"],
                "effects": effects(&["at(?s) := ?to"]), "cost": "2",
            },
            "fell": {
                "params": ["?s: settler"], "preconditions": ["forest(at(?s))", "wood(?s) <= 2"],
                "effects": effects(&["wood(?s) += 1"]),
            },
            "store": {
                "params": ["?s: settler"], "preconditions": ["at(?s) = p0", "wood(?s) >= 1"],
                "effects": effects(&["stock += wood(?s)", "wood(?s) := 0"]),
            },
            "gather": {
                "params": ["?s: settler"], "preconditions": ["meadow(at(?s))", "food <= 8"],
                "effects": effects(&["food += 1"]),
            },
            "light": {
                "params": ["?s: settler", "?f: fire"],
                "preconditions": ["at(?s) = site(?f)", "wood(?s) >= 1", "not lit(?f)"],
                "effects": effects(&[
                    "wood(?s) -= 1", "lit(?f)", "forall ?t: tent. not wet(?t) when site(?t) = site(?f)",
                ]),
            },
            "pitch": {
                "params": ["?s: settler", "?t: tent"],
                "preconditions": ["at(?s) = site(?t)", "stock >= 1", "not pitched(?t)"],
                "effects": effects(&["stock -= 1", "pitched(?t)"]),
            },
            "cook": {
                "params": ["?s: settler", "?f: fire"],
                "preconditions": ["at(?s) = site(?f)", "lit(?f)", "food >= 2"],
                "effects": effects(&[
                    "food -= 2", "forall ?o: settler. not hungry(?o) when at(?o) = at(?s)",
                ]),
                "cost": "3",
            },
        },
        "goals": {
            "settled": {
                "condition": "(forall ?t: tent. (pitched(?t) and not wet(?t))) and (forall ?f: fire. lit(?f)) \
                              and (forall ?s: settler. not hungry(?s))",
                "priority": 1,
            },
        },
        "agents": { "leader": { "planning": { "goals": { "goals": ["settled"] } } } },
        "scenarios": { "s": { "initial": initial, "cast": [{ "agent": "leader" }] } },
    })
}
