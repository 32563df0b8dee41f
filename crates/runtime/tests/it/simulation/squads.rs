//! Many characters in one world: orders through three tiers of command, roles that are assigned and
//! withdrawn, shared resources, and common goals.

use crate::reference::simulate;
use expect_test::{Expect, expect};
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;

use super::{name, report};

/// A director decides step by step how dangerous it is. A captain assigns roles, by goals of her
/// own. People's goals depend on their roles, and on the available resources.
const CITY: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" }, "recruit": { "parent": "person" }, "place": { "parent": "object" }, "role": { "parent": "object" } },
  "objects": {
    "ann": { "type": "recruit" }, "ben": { "type": "recruit" }, "cora": { "type": "person" }, "dan": { "type": "person" },
    "gate": { "type": "place" }, "mine": { "type": "place" },
    "soldier": { "type": "role" }, "laborer": { "type": "role" }
  },
  "facts": {
    "place_of": { "params": ["?p: person"], "value": { "object": "place" }, "source": "sensor" },
    "ore": { "value": { "number": { "integer": true, "min": 0 } }, "source": "sensor" },
    "vein": { "value": { "number": { "integer": true, "min": 0 } }, "source": "sensor" },
    "load": { "params": ["?p: person"], "value": { "number": {} }, "source": "sensor" },
    "danger": { "value": { "number": {} }, "source": "blackboard" },
    "role_of": { "params": ["?p: person"], "value": { "object": "role" }, "source": "blackboard" }
  },
  "actions": { "Wait": { "duration": "4" }, "Walk": { "duration": "2" }, "Dig": { "duration": "1" } },
  "primitive_tasks": {
    "wait": { "action": "Wait()" },
    "threaten": { "effects": [{ "text": "danger := 1" }] },
    "relent": { "effects": [{ "text": "danger := 0" }] },
    "appoint": { "params": ["?p: recruit", "?r: role"], "preconditions": ["role_of(?p) != ?r"], "effects": [{ "text": "role_of(?p) := ?r" }] },
    "go": { "params": ["?to: place"], "preconditions": ["place_of(?me) != ?to"], "action": "Walk()", "effects": [{ "text": "place_of(?me) := ?to" }] },
    "dig": { "preconditions": ["place_of(?me) = mine", "vein >= 1"], "action": "Dig()", "effects": [{ "text": "vein -= 1" }, { "text": "ore += 1" }, { "text": "load(?me) += 1" }] }
  },
  "goals": {
    "supplied": { "condition": "forall ?p: recruit. role_of(?p) = laborer", "priority": 1, "relevance": "1 - danger" },
    "safe": { "condition": "forall ?p: recruit. role_of(?p) = soldier", "priority": 3, "relevance": "danger" },
    "guarding": { "condition": "place_of(?me) = gate", "priority": 2, "relevance": "count ?r: role. (role_of(?me) = ?r and ?r = soldier)" },
    "working": { "condition": "ore >= 3", "priority": 1, "relevance": "count ?r: role. (role_of(?me) = ?r and ?r = laborer)" },
    "rich": { "condition": "ore >= 4", "priority": 1 }
  },
  "agents": {
    "director": { "type": "person", "uses": ["wait", "threaten", "relent"], "planning": { "reactive": { "tasks": ["wait", "threaten", "wait", "relent"] } } },
    "captain": { "type": "person", "uses": ["appoint"], "planning": { "goals": { "goals": ["supplied", "safe"] } }, "triggers": { "goal": 1 } },
    "unit": { "type": "person", "uses": ["go", "dig"], "planning": { "goals": { "goals": ["guarding", "working"] } }, "triggers": { "goal": 0.5 } },
    "digger": { "type": "person", "uses": ["go", "dig"], "planning": { "goals": { "goals": ["rich"] } }, "triggers": { "goal": 0 } }
  },
  "scenarios": { "s": {
    "initial": ["place_of(ann) = mine", "place_of(ben) = mine", "vein = VEIN"],
    "cast": [CAST]
  } }
}"#;

fn check(vein: u32, cast: &str, expected: Expect) {
    let text = CITY
        .replace("VEIN", &vein.to_string())
        .replace("CAST", cast);
    let document = Document::from_json(&text).unwrap_or_else(|error| panic!("{error}"));
    let found = taskloom_domain::check::check(&Domain::from(&document));
    assert!(found.is_empty(), "{found:#?}");
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 40);
    expected.assert_eq(&report(&run));
}

#[test]
fn orders_pass_through_three_tiers_and_roles_are_reassigned() {
    check(
        9,
        r#"{ "object": "dan", "agent": "director" }, { "object": "cora", "agent": "captain" },
           { "object": "ann", "agent": "unit" }, { "object": "ben", "agent": "unit" }"#,
        expect![[r#"
            0 A plans: wait
            0 A wait Complete acted at 4 ended at 4
            0 B plans: appoint(ann, laborer), appoint(ben, laborer)
            0 B appoint(ann, laborer) Complete acted at 0 ended at 0: role_of(ann) = laborer
            0 B appoint(ben, laborer) Complete acted at 0 ended at 0: role_of(ben) = laborer
            0 C plans: dig, dig, dig
            0 C dig Complete acted at 1 ended at 1: load(ann) = 1, ore = 1, vein = 8
            0 D plans: dig, dig, dig
            0 D dig Complete acted at 1 ended at 1: load(ben) = 1, ore = 2, vein = 7
            1 B goes on
            1 C dig Complete acted at 2 ended at 2: load(ann) = 2, ore = 3, vein = 6
            1 D dig Complete acted at 2 ended at 2: load(ben) = 2, ore = 4, vein = 5
            2 C plans for what is worth more
            2 D plans for what is worth more
            4 A goes on: threaten
            4 A goes on: wait
            4 A threaten Complete acted at 4 ended at 4: danger = 1
            4 A wait Complete acted at 8 ended at 8
            4 B plans after an event: appoint(ann, soldier), appoint(ben, soldier)
            4 B appoint(ann, soldier) Complete acted at 4 ended at 4: role_of(ann) = soldier
            4 B appoint(ben, soldier) Complete acted at 4 ended at 4: role_of(ben) = soldier
            4 C plans after an event: go(gate)
            4 C go(gate) Complete acted at 6 ended at 6: place_of(ann) = gate
            4 D plans after an event: go(gate)
            4 D go(gate) Complete acted at 6 ended at 6: place_of(ben) = gate
            5 B goes on
            7 C goes on
            7 D goes on
            8 A goes on: relent
            8 A relent Complete acted at 8 ended at 8: danger = 0
            8 B plans after an event: appoint(ann, laborer), appoint(ben, laborer)
            8 B appoint(ann, laborer) Complete acted at 8 ended at 8: role_of(ann) = laborer
            8 B appoint(ben, laborer) Complete acted at 8 ended at 8: role_of(ben) = laborer
            9 B goes on
            9 Complete"#]],
    );
}

#[test]
fn taken_objects_are_unavailable_to_others() {
    check(
        3,
        r#"{ "object": "ann", "agent": "digger", "tasks": ["dig", "dig"] },
           { "object": "ben", "agent": "digger", "tasks": ["dig", "dig"] }"#,
        expect![[r#"
            0 A plans: dig, dig
            0 A dig Complete acted at 1 ended at 1: load(ann) = 1, ore = 1, vein = 2
            0 B plans: dig, dig
            0 B dig Complete acted at 1 ended at 1: load(ben) = 1, ore = 2, vein = 1
            1 A dig Complete acted at 2 ended at 2: load(ann) = 2, ore = 3, vein = 0
            1 B dig Failed ended at 2: 'ann' acted first, so a precondition is false: vein >= 1 (vein is 0)
            3 B plans, as dig failed: NoPlan
            3 Failed"#]],
    );
}

#[test]
fn shared_goal_is_reached_by_joint_actions() {
    check(
        9,
        r#"{ "object": "ann", "agent": "digger" }, { "object": "ben", "agent": "digger" }"#,
        expect![[r#"
            0 A plans: dig, dig, dig, dig
            0 A dig Complete acted at 1 ended at 1: load(ann) = 1, ore = 1, vein = 8
            0 B plans: dig, dig, dig, dig
            0 B dig Complete acted at 1 ended at 1: load(ben) = 1, ore = 2, vein = 7
            1 A dig Complete acted at 2 ended at 2: load(ann) = 2, ore = 3, vein = 6
            1 B dig Complete acted at 2 ended at 2: load(ben) = 2, ore = 4, vein = 5
            2 A dig Complete acted at 3 ended at 3: load(ann) = 3, ore = 5, vein = 4
            2 B plans for what is worth more
            3 A plans for what is worth more
            4 Complete"#]],
    );
}
