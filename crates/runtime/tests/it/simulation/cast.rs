//! Several characters: the order of their turns, their memories, observations and beliefs, and
//! their reasons to replan.

use crate::reference::simulate;
use expect_test::{Expect, expect};
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_domain::lang::read_formula;
use taskloom_domain::world::World;
use taskloom_planner::plan::Budget;
use taskloom_planner::plan::Change;
use taskloom_runtime::{Moment, believed_at_first, world_at};

use super::{name, report};

fn holds(world: &World, formula: &str) -> bool {
    let scope = world.scenario_scope();
    let formula = world.domain().read(formula, &scope, read_formula);
    world.violation(&formula).is_none()
}

/// Guards walk and look; anybody in the vault is chased. The thief takes what is there.
const HOUSE: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" }, "room": { "parent": "object" } },
  "objects": {
    "anna": { "type": "person" }, "ben": { "type": "person" },
    "hall": { "type": "room" }, "vault": { "type": "room" }, "cellar": { "type": "room" }
  },
  "facts": {
    "place_of": { "params": ["?p: person"], "value": { "object": "room" }, "source": "sensor" },
    "gold": { "params": ["?r: room"], "source": "sensor" },
    "tired": { "source": "memory" },
    "alarm": { "source": "blackboard" },
    "rounds": { "value": { "number": {} }, "source": "blackboard" }
  },
  "actions": { "Walk": { "params": ["?to: room"], "duration": "2" }, "Take": { "duration": "1" }, "Wait": { "duration": "5" } },
  "primitive_tasks": {
    "walk": { "params": ["?to: room"], "action": "Walk(?to)", "effects": [{ "text": "place_of(?me) := ?to" }] },
    "take": { "action": "Take()", "preconditions": ["gold(place_of(?me))"], "effects": [{ "text": "not gold(place_of(?me))" }] },
    "wait": { "action": "Wait()" },
    "doze": { "effects": [{ "text": "tired" }, { "text": "rounds += 1" }] },
    "cry": { "preconditions": ["tired"], "effects": [{ "text": "alarm" }] },
    "chase": { "params": ["?p: person"], "preconditions": ["place_of(?p) = place_of(?me)"] }
  },
  "compound_tasks": {
    "steal": { "params": ["?r: room"], "method": { "blocks": {
      "a": { "kind": "begin" }, "b": { "kind": "task", "call": "walk(?r)" }, "c": { "kind": "task", "call": "take" } },
      "wires": ["a.out -> b", "b.out -> c"] } },
    "watch": { "method": { "blocks": {
      "a": { "kind": "begin" }, "b": { "kind": "branch", "condition": "alarm" },
      "c": { "kind": "task", "call": "walk(vault)" }, "d": { "kind": "task", "call": "wait" } },
      "wires": ["a.out -> b", "b.true -> c", "b.false -> d"] } }
  },
  "agents": {
    "thief": { "type": "person" },
    "guard": { "type": "person" SENSES TRIGGERS }
  },
  "scenarios": { "s": {
    "initial": ["place_of(anna) = hall", "place_of(ben) = cellar", "gold(vault)"],
    SCENARIO
  } }
}"#;

fn house(senses: &str, triggers: &str, scenario: &str) -> Document {
    let part = |key: &str, text: &str| match text {
        "" => String::new(),
        text => format!(", \"{key}\": {text}"),
    };
    let text = HOUSE
        .replace("SENSES", &part("senses", senses))
        .replace("TRIGGERS", &part("triggers", triggers))
        .replace("SCENARIO", scenario);
    Document::from_json(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn check(document: &Document, expected: Expect) {
    let found = taskloom_domain::check::check(&Domain::from(document));
    assert!(found.is_empty(), "{found:#?}");
    let run = simulate(&Domain::from(document), &name("s"), Budget::default(), 30);
    expected.assert_eq(&report(&run));
}

const BOTH: &str = r#""cast": [
    { "object": "anna", "agent": "guard", "tasks": ["watch"] },
    { "object": "ben", "agent": "thief", "tasks": ["steal(vault)"] }
]"#;

#[test]
fn characters_act_concurrently_on_their_own_tasks() {
    check(
        &house("", "", BOTH),
        expect![[r#"
        0 A plans: wait
        0 A wait Complete acted at 5 ended at 5
        0 B plans: walk(vault), take
        0 B walk(vault) Complete acted at 2 ended at 2: place_of(ben) = vault
        2 B take Complete acted at 3 ended at 3: gold(vault) = false
        5 Complete"#]],
    );
}

#[test]
fn memory_is_private_and_the_blackboard_shared() {
    let cast = r#""cast": [
        { "object": "anna", "agent": "guard", "tasks": ["doze", "cry"] },
        { "object": "ben", "agent": "thief", "tasks": ["doze", "wait", "watch"] },
        { "object": "ben", "agent": "thief", "tasks": ["cry"] }
    ]"#;
    let cast = cast.replace(
        r#"{ "object": "ben", "agent": "thief", "tasks": ["cry"] }"#,
        r#"{ "object": "cleo", "agent": "thief", "tasks": ["cry"] }"#,
    );
    let objects = r#""objects": { "cleo": { "type": "person" } }, "#;
    let document = house("", "", &format!("{objects}{cast}"));
    check(
        &document,
        expect![[r#"
        0 A plans: doze, cry
        0 A doze Complete acted at 0 ended at 0: rounds = 1, tired = true
        0 A cry Complete acted at 0 ended at 0: alarm = true
        0 B plans: doze, wait, walk(vault)
        0 B doze Complete acted at 0 ended at 0: rounds = 2, tired = true
        0 B wait Complete acted at 5 ended at 5
        0 C plans: NoPlan
        5 B walk(vault) Complete acted at 7 ended at 7: place_of(ben) = vault
        7 C plans after an event: NoPlan
        8 Failed"#]],
    );
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 30);
    let domain = Domain::from(&document);
    let scene = domain.scene_or_empty(&name("s"));
    let world = world_at(&domain, &scene, &run, Moment::Tick(30));
    assert!(holds(&world, "rounds = 2"));
}

#[test]
fn observation_trigger_replans_at_that_tick() {
    let rings = format!(r#"{BOTH}, "events": [{{ "at": 3, "effect": "alarm" }}]"#);
    check(
        &house("", r#"{ "perception": true }"#, &rings),
        expect![[r#"
        0 A plans: wait
        0 A wait Failed ended at 3: interrupted by a new plan
        0 B plans: walk(vault), take
        0 B walk(vault) Complete acted at 2 ended at 2: place_of(ben) = vault
        2 B take Complete acted at 3 ended at 3: gold(vault) = false
        3 event 0: alarm = true
        3 A plans, noticing alarm: walk(vault)
        3 A walk(vault) Complete acted at 5 ended at 5: place_of(anna) = vault
        5 Complete"#]],
    );
    check(
        &house("", "", &rings),
        expect![[r#"
        0 A plans: wait
        0 A wait Complete acted at 5 ended at 5
        0 B plans: walk(vault), take
        0 B walk(vault) Complete acted at 2 ended at 2: place_of(ben) = vault
        2 B take Complete acted at 3 ended at 3: gold(vault) = false
        3 event 0: alarm = true
        5 Complete"#]],
    );
}

#[test]
fn acts_on_false_beliefs_and_learns_from_failure() {
    let cast = r#""cast": [{ "object": "anna", "agent": "guard", "tasks": ["steal(cellar)"],
        "beliefs": ["gold(cellar)"] }]"#;
    let own_place = r#"[{ "fact": "place_of", "every": 1, "when": "?p = ?me" },
        { "fact": "gold", "every": 1, "when": "false" }]"#;
    check(
        &house(own_place, "", cast),
        expect![[r#"
        0 plans: walk(cellar), take
        0 walk(cellar) Complete acted at 2 ended at 2: place_of(anna) = cellar
        2 take Failed ended at 2: precondition is false in the world: gold(place_of(?me)) (place_of(anna) is cellar, gold(cellar) is false); learns gold(cellar) = false
        3 plans, as take failed: NoPlan
        3 Failed"#]],
    );
}

#[test]
fn senses_observe_periodically_and_observations_are_forgotten() {
    let senses = r#"[
        { "fact": "place_of", "every": 2, "when": "place_of(?p) = place_of(?me)", "forget": 4 },
        { "fact": "gold", "every": 3 }
    ]"#;
    let cast = r#""cast": [
        { "object": "anna", "agent": "guard", "tasks": ["wait", "wait"] },
        { "object": "ben", "agent": "thief", "tasks": ["walk(hall)", "walk(vault)", "take"] }
    ]"#;
    check(
        &house(senses, "", cast),
        expect![[r#"
        0 A plans: wait, wait
        0 A wait Complete acted at 5 ended at 5
        0 B plans: walk(hall), walk(vault), take
        0 B walk(hall) Complete acted at 2 ended at 2: place_of(ben) = hall
        2 B walk(vault) Complete acted at 4 ended at 4: place_of(ben) = vault
        4 A perceives: place_of(ben) = hall
        4 B take Complete acted at 5 ended at 5: gold(vault) = false
        5 A wait Complete acted at 10 ended at 10
        6 A perceives: gold(vault) = false
        8 A perceives: place_of(ben) = none
        10 Complete"#]],
    );
}

#[test]
fn waits_after_failure_and_repeats_when_complete() {
    let cast = r#""cast": [{ "object": "anna", "agent": "guard", "tasks": ["take", "doze"] }],
        "failures": [{ "task": "take", "time": 1 }],
        "events": [{ "at": 0, "effect": "gold(hall)" }, { "at": 0, "every": 6, "effect": "gold(hall)" }]"#;
    let triggers = r#"{ "failure": 3, "complete": "again" }"#;
    check(
        &house("", triggers, cast),
        expect![[r#"
        0 event 0: gold(hall) = true
        0 event 1
        0 plans: take, doze
        0 take Failed ended at 1: the scenario makes this action fail
        4 plans, as take failed: take, doze
        4 take Complete acted at 5 ended at 5: gold(hall) = false
        5 doze Complete acted at 5 ended at 5: rounds = 1, tired = true
        6 event 1: gold(hall) = true
        6 plans again: take, doze
        6 take Complete acted at 7 ended at 7: gold(hall) = false
        7 doze Complete acted at 7 ended at 7: rounds = 2
        8 plans again: NoPlan
        12 event 1: gold(hall) = true
        12 plans after an event: take, doze
        12 take Complete acted at 13 ended at 13: gold(hall) = false
        13 doze Complete acted at 13 ended at 13: rounds = 3
        14 plans again: NoPlan
        18 event 1: gold(hall) = true
        18 plans after an event: take, doze
        18 take Complete acted at 19 ended at 19: gold(hall) = false
        19 doze Complete acted at 19 ended at 19: rounds = 4
        20 plans again: NoPlan
        24 event 1: gold(hall) = true
        24 plans after an event: take, doze
        24 take Complete acted at 25 ended at 25: gold(hall) = false
        25 doze Complete acted at 25 ended at 25: rounds = 5
        26 plans again: NoPlan
        30 event 1: gold(hall) = true
        30 plans after an event: take, doze
        30 take InProgress: runs until tick 31
        30 Endless"#]],
    );
    let never = r#"{ "failure": null, "every": 4 }"#;
    check(
        &house("", never, cast),
        expect![[r#"
            0 event 0: gold(hall) = true
            0 event 1
            0 plans: take, doze
            0 take Failed ended at 1: the scenario makes this action fail
            4 plans as time goes by: take, doze
            4 take Complete acted at 5 ended at 5: gold(hall) = false
            5 doze Complete acted at 5 ended at 5: rounds = 1, tired = true
            5 Complete"#]],
    );
}

#[test]
fn record_reconstructs_beliefs_at_every_moment() {
    let senses = r#"[{ "fact": "place_of", "every": 2, "when": "place_of(?p) = place_of(?me)" },
        { "fact": "gold", "every": 1, "when": "false" }]"#;
    let cast = r#""cast": [
        { "object": "anna", "agent": "guard", "tasks": ["walk(cellar)", "take"], "beliefs": ["gold(cellar)"] },
        { "object": "ben", "agent": "thief", "tasks": ["wait", "walk(vault)", "doze"] }
    ], "events": [{ "at": 1, "effect": "alarm" }, { "at": 1, "effect": "not gold(vault)" }]"#;
    let document = house(senses, r#"{ "failure": 1 }"#, cast);
    let run = simulate(&Domain::from(&document), &name("s"), Budget::default(), 8);
    let report = |change: &Change| format!("{} = {}", change.atom, change.after);
    let mut known = 0;
    let mut lines = vec![];
    let ticks = (2..=8).map(Moment::Tick);
    let moments = [Moment::Start, Moment::Tick(1), Moment::StepEnd(0)];
    for moment in moments.into_iter().chain(ticks) {
        let changes = run.believed_until(&document, 0, moment);
        let new: Vec<String> = changes[known..]
            .iter()
            .map(|change| report(change))
            .collect();
        known = changes.len();
        lines.push(
            format!("{moment:?} {}", new.join(", "))
                .trim_end()
                .to_owned(),
        );
    }
    expect![[r#"
        Start
        Tick(1) alarm = true
        StepEnd(0) place_of(anna) = cellar
        Tick(2) gold(cellar) = false
        Tick(3)
        Tick(4)
        Tick(5)
        Tick(6)
        Tick(7) rounds = 1
        Tick(8)"#]]
    .assert_eq(&lines.join("\n"));
    let domain = Domain::from(&document);
    let scene = domain.scene_or_empty(&name("s"));
    let first = believed_at_first(&domain, &scene, 0).expect("she has senses");
    assert!(holds(&first, "gold(cellar)"));
    assert!(
        believed_at_first(&domain, &scene, 1).is_none(),
        "he sees everything"
    );
}
