//! Characters that pursue goals, and reactive characters.

use crate::reference::simulate;
use expect_test::{Expect, expect};
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;

use super::{name, report};

/// A soldier is hungry, or afraid; a captain requests food.
const CAMP: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" }, "place": { "parent": "object" } },
  "objects": {
    "anna": { "type": "person" }, "cleo": { "type": "person" },
    "field": { "type": "place" }, "camp": { "type": "place" }, "den": { "type": "place" }
  },
  "facts": {
    "place_of": { "params": ["?p: person"], "value": { "object": "place" }, "source": "sensor" },
    "hungry": { "params": ["?p: person"], "source": "sensor" },
    "afraid": { "params": ["?p: person"], "source": "sensor" },
    "food": { "value": { "number": { "integer": true, "min": 0, "max": 9 } }, "source": "sensor" },
    "dark": { "source": "sensor" },
    "wish": { "value": { "number": {} }, "source": "blackboard" }
  },
  "actions": { "Walk": { "duration": "2" }, "Work": { "duration": "1" }, "Sleep": { "duration": "4" } },
  "primitive_tasks": {
    "go": { "params": ["?to: place"], "preconditions": ["place_of(?me) != ?to"], "action": "Walk()", "effects": [{ "text": "place_of(?me) := ?to" }], "cost": "2" },
    "gather": { "preconditions": ["place_of(?me) = field"], "action": "Work()", "effects": [{ "text": "food += 1" }] },
    "eat": { "preconditions": ["food >= 2"], "effects": [{ "text": "food -= 2" }, { "text": "not hungry(?me)" }] },
    "hide": { "preconditions": ["place_of(?me) = den", "not dark"], "effects": [{ "text": "not afraid(?me)" }] },
    "sleep": { "action": "Sleep()" },
    "order": { "effects": [{ "text": "wish += 5" }] }
  },
  "compound_tasks": {
    "harvest": { "integrity": ["not afraid(?me)"], "method": { "blocks": {
      "a": { "kind": "begin" }, "b": { "kind": "choice", "alternatives": ["1 done", "2 walk", "3 work"] },
      "c": { "kind": "branch", "condition": "food >= 2" }, "d": { "kind": "task", "call": "eat" },
      "e": { "kind": "branch", "condition": "place_of(?me) != field" }, "f": { "kind": "task", "call": "go(field)" },
      "g": { "kind": "task", "call": "gather" }, "h": { "kind": "task", "call": "harvest" }, "i": { "kind": "task", "call": "harvest" } },
      "wires": ["a.out -> b", "b.1 -> c", "c.true -> d", "b.2 -> e", "e.true -> f", "f.out -> h", "b.3 -> g", "g.out -> i"] } }
  },
  "goals": {
    "fed": { "condition": "not hungry(?me)", "priority": 1, "bias": "wish" },
    "safe": { "condition": "not afraid(?me)", "priority": 3 }
  },
  "agents": {
    "soldier": { "type": "person", "uses": ["go", "gather", "eat", "hide"], "planning": { "goals": { "goals": ["fed", "safe"]SEARCH } }, "triggers": { TRIGGERS } },
    "farmer": { "type": "person", "planning": { "reactive": { "tasks": ["harvest", "sleep"] } } },
    "captain": { "type": "person" },
    "baker": { "type": "person", "planning": { "decomposition": { "tasks": ["harvest", "sleep"] } }, "triggers": { "alternative": true } },
    "cook": { "type": "person", "planning": { "decomposition": { "tasks": ["harvest", "sleep"] } }, "triggers": { "alternative": true, "every": 2 } }
  },
  "scenarios": { "s": {
    "initial": ["place_of(anna) = camp", "place_of(cleo) = camp", "hungry(anna)"],
    SCENARIO
  } }
}"#;

fn check(search: &str, triggers: &str, scenario: &str, expected: Expect) {
    let text = CAMP
        .replace("SEARCH", search)
        .replace("TRIGGERS", triggers)
        .replace("SCENARIO", scenario);
    let document = Document::from_json(&text).unwrap_or_else(|error| panic!("{error}"));
    let found = taskloom_domain::check::check(&Domain::from(&document));
    assert!(found.is_empty(), "{found:#?}");
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 40);
    expected.assert_eq(&report(&run));
}

const SOLDIER: &str = r#""cast": [{ "object": "anna", "agent": "soldier" }]"#;

#[test]
fn pursues_goals_in_turn_until_all_hold() {
    check(
        "",
        "",
        &format!(r#"{SOLDIER}, "events": [{{ "at": 1, "effect": "afraid(anna)" }}]"#),
        expect![[r#"
            0 plans: go(field), gather, gather, eat
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            1 event 0: afraid(anna) = true
            2 gather Complete acted at 3 ended at 3: food = 1
            3 gather Complete acted at 4 ended at 4: food = 2
            4 eat Complete acted at 4 ended at 4: food = 0, hungry(anna) = false
            5 goes on: go(den), hide
            5 go(den) Complete acted at 7 ended at 7: place_of(anna) = den
            7 hide Complete acted at 7 ended at 7: afraid(anna) = false
            8 goes on
            8 Complete"#]],
    );
}

#[test]
fn switches_to_a_goal_of_higher_value_by_the_margin() {
    check(
        "",
        r#""goal": 1.5"#,
        &format!(r#"{SOLDIER}, "events": [{{ "at": 3, "effect": "afraid(anna)" }}]"#),
        expect![[r#"
            0 plans: go(field), gather, gather, eat
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            2 gather Complete acted at 3 ended at 3: food = 1
            3 event 0: afraid(anna) = true
            3 plans for what is worth more: go(den), hide
            3 go(den) Complete acted at 5 ended at 5: place_of(anna) = den
            5 hide Complete acted at 5 ended at 5: afraid(anna) = false
            6 goes on: go(field), gather, eat
            6 go(field) Complete acted at 8 ended at 8: place_of(anna) = field
            8 gather Complete acted at 9 ended at 9: food = 2
            9 eat Complete acted at 9 ended at 9: food = 0, hungry(anna) = false
            10 goes on
            10 Complete"#]],
    );
    check(
        "",
        r#""goal": 4"#,
        &format!(r#"{SOLDIER}, "events": [{{ "at": 3, "effect": "afraid(anna)" }}]"#),
        expect![[r#"
            0 plans: go(field), gather, gather, eat
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            2 gather Complete acted at 3 ended at 3: food = 1
            3 event 0: afraid(anna) = true
            3 gather Complete acted at 4 ended at 4: food = 2
            4 eat Complete acted at 4 ended at 4: food = 0, hungry(anna) = false
            5 goes on: go(den), hide
            5 go(den) Complete acted at 7 ended at 7: place_of(anna) = den
            7 hide Complete acted at 7 ended at 7: afraid(anna) = false
            8 goes on
            8 Complete"#]],
    );
}

#[test]
fn captain_commands_through_the_blackboard() {
    check(
        "",
        r#""goal": 1"#,
        r#""cast": [
            { "object": "cleo", "agent": "captain", "tasks": ["go(field)", "order"] },
            { "object": "anna", "agent": "soldier" }
        ], "events": [{ "at": 0, "effect": "afraid(anna)" }]"#,
        expect![[r#"
            0 event 0: afraid(anna) = true
            0 A plans: go(field), order
            0 A go(field) Complete acted at 2 ended at 2: place_of(cleo) = field
            0 B plans: go(den), hide
            0 B go(den) Complete acted at 2 ended at 2: place_of(anna) = den
            2 A order Complete acted at 2 ended at 2: wish = 5
            2 B plans for what is worth more: go(field), gather, gather, eat
            2 B go(field) Complete acted at 4 ended at 4: place_of(anna) = field
            4 B gather Complete acted at 5 ended at 5: food = 1
            5 B gather Complete acted at 6 ended at 6: food = 2
            6 B eat Complete acted at 6 ended at 6: food = 0, hungry(anna) = false
            7 B goes on: go(den), hide
            7 B go(den) Complete acted at 9 ended at 9: place_of(anna) = den
            9 B hide Complete acted at 9 ended at 9: afraid(anna) = false
            10 B goes on
            10 Complete"#]],
    );
}

#[test]
fn executes_a_partial_plan_and_continues_planning() {
    check(
        r#", "search": { "depth": 2 }"#,
        "",
        SOLDIER,
        expect![[r#"
            0 plans: go(field), gather
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            2 gather Complete acted at 3 ended at 3: food = 1
            4 goes on: gather, eat
            4 gather Complete acted at 5 ended at 5: food = 2
            5 eat Complete acted at 5 ended at 5: food = 0, hungry(anna) = false
            6 goes on
            6 Complete"#]],
    );
}

#[test]
fn pursues_the_next_goal_until_an_impossible_one_is_retried() {
    check(
        r#", "search": { "retry": 3 }"#,
        "",
        &format!(
            r#"{SOLDIER}, "events": [
                {{ "at": 0, "effect": "afraid(anna)" }}, {{ "at": 0, "effect": "dark" }}, {{ "at": 4, "effect": "not dark" }}
            ]"#
        ),
        expect![[r#"
            0 event 0: afraid(anna) = true
            0 event 1: dark = true
            0 plans: go(field), gather, gather, eat
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            2 gather Complete acted at 3 ended at 3: food = 1
            3 gather Complete acted at 4 ended at 4: food = 2
            4 event 2: dark = false
            4 eat Complete acted at 4 ended at 4: food = 0, hungry(anna) = false
            5 goes on: go(den), hide
            5 go(den) Complete acted at 7 ended at 7: place_of(anna) = den
            7 hide Complete acted at 7 ended at 7: afraid(anna) = false
            8 goes on
            8 Complete"#]],
    );
}

#[test]
fn reactive_characters_decide_each_step_in_turn() {
    check(
        "",
        "",
        r#""cast": [{ "object": "anna", "agent": "farmer" }],
           "events": [{ "at": 2, "effect": "food += 1" }]"#,
        expect![[r#"
            0 plans: go(field)
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            2 event 0: food = 1
            2 goes on: gather
            2 gather Complete acted at 3 ended at 3: food = 2
            3 goes on: eat
            3 goes on: sleep
            3 eat Complete acted at 3 ended at 3: food = 0, hungry(anna) = false
            3 sleep Complete acted at 7 ended at 7
            7 Complete"#]],
    );
    // The rule of the task above a step applies to each of them.
    check(
        "",
        "",
        r#""cast": [{ "object": "anna", "agent": "farmer" }],
           "events": [{ "at": 3, "effect": "afraid(anna)" }, { "at": 6, "effect": "not afraid(anna)" }]"#,
        expect![[r#"
            0 plans: go(field)
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            2 goes on: gather
            2 gather Failed ended at 3: integrity rule of harvest: not afraid(?me) (afraid(anna) is true)
            3 event 0: afraid(anna) = true
            4 plans, as gather failed: NoPlan
            6 event 1: afraid(anna) = false
            6 plans after an event: gather
            6 gather Complete acted at 7 ended at 7: food = 1
            7 goes on: gather
            7 gather Complete acted at 8 ended at 8: food = 2
            8 goes on: eat
            8 goes on: sleep
            8 eat Complete acted at 8 ended at 8: food = 0, hungry(anna) = false
            8 sleep Complete acted at 12 ended at 12
            12 Complete"#]],
    );
}

#[test]
fn switches_to_an_earlier_alternative_that_becomes_possible() {
    let baker = |events: &str| {
        format!(r#""cast": [{{ "object": "anna", "agent": "baker" }}], "events": [{events}]"#)
    };
    // She walks, which is the second of three alternatives, since there is no food; and then there
    // is.
    check(
        "",
        "",
        &baker(r#"{ "at": 1, "effect": "food := 2" }"#),
        expect![[r#"
            0 plans: go(field), gather, gather, eat, sleep
            0 go(field) Failed ended at 1: interrupted by a new plan
            1 event 0: food = 2
            1 plans, as something better is possible: eat, sleep
            1 eat Complete acted at 1 ended at 1: food = 0, hungry(anna) = false
            1 sleep Complete acted at 5 ended at 5
            5 Complete"#]],
    );
    // A change that makes no alternative possible changes nothing.
    check(
        "",
        "",
        &baker(r#"{ "at": 1, "effect": "food := 1" }, { "at": 1, "effect": "dark" }"#),
        expect![[r#"
            0 plans: go(field), gather, gather, eat, sleep
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            1 event 0: food = 1
            1 event 1: dark = true
            1 plans, as something better is possible: go(field), gather, eat, sleep
            2 gather Complete acted at 3 ended at 3: food = 2
            3 eat Complete acted at 3 ended at 3: food = 0, hungry(anna) = false
            3 sleep Complete acted at 7 ended at 7
            7 Complete"#]],
    );
}

#[test]
fn alternative_trigger_still_replans_over_time() {
    // The change at tick 2 makes no earlier alternative possible, but steps that it makes
    // unnecessary are still dropped.
    let scenario = r#""cast": [{ "object": "anna", "agent": "cook" }],
        "events": [{ "at": 2, "effect": "food := 1" }]"#;
    check(
        "",
        "",
        scenario,
        expect![[r#"
            0 plans: go(field), gather, gather, eat, sleep
            0 go(field) Complete acted at 2 ended at 2: place_of(anna) = field
            2 event 0: food = 1
            2 plans as time goes by: gather, eat, sleep
            2 gather Complete acted at 3 ended at 3: food = 2
            3 eat Complete acted at 3 ended at 3: food = 0, hungry(anna) = false
            3 sleep Complete acted at 7 ended at 7
            7 Complete"#]],
    );
}
