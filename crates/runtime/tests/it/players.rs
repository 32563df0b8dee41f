//! Characters: `?me`, the tasks of each one, and its repertoire.

use expect_test::{Expect, expect};
use taskloom_document::diagnostic::Severity;
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_domain::check::check as findings;
use taskloom_domain::validate::validate_cancellable;
use taskloom_hddl::export::export;
use taskloom_planner::compile::compile_cancellable;
use taskloom_planner::plan::{Budget, Outcome, plan};
use taskloom_runtime::{RunEnd, simulate};
use testkit::domain;

/// Farmers fetch food from where they stand; the captain has no such task in its repertoire.
const VILLAGE: &str = r#"{
  "taskloom": 4,
  "types": { "person": { "parent": "object" }, "officer": { "parent": "person" }, "place": { "parent": "object" } },
  "objects": {
    "anna": { "type": "person" }, "ben": { "type": "person" }, "cleo": { "type": "officer" },
    "field": { "type": "place" }, "hut": { "type": "place" }
  },
  "facts": {
    "place_of": { "params": ["?p: person"], "value": { "object": "place" }, "source": "sensor" },
    "fed": { "params": ["?p: person"], "source": "memory" },
    "wish": { "params": ["?p: person"], "value": { "number": {} }, "source": "blackboard" }
  },
  "conditions": { "at_home": { "formula": "place_of(?me) = hut" } },
  "primitive_tasks": {
    "walk": { "params": ["?to: place"], "effects": [{ "text": "place_of(?me) := ?to" }] },
    "eat": { "preconditions": ["at_home"], "effects": [{ "text": "fed(?me)" }] },
    "order": { "params": ["?p: person"], "preconditions": ["?p != ?me"], "effects": [{ "text": "wish(?p) += 1" }] }
  },
  "compound_tasks": {
    "live": { "method": {
      "blocks": {
        "a": { "kind": "begin" },
        "b": { "kind": "choice", "alternatives": ["1 orders", "2 meals"] },
        "c": { "kind": "bind", "variable": "?p: person", "condition": "?p != ?me" },
        "d": { "kind": "task", "call": "order(?p)" },
        "e": { "kind": "task", "call": "walk(hut)" },
        "f": { "kind": "task", "call": "eat" }
      },
      "wires": ["a.out -> b", "b.1 -> c", "c.out -> d", "b.2 -> e", "e.out -> f"]
    } }
  },
  "agents": {
    "captain": { "type": "officer", "planning": { "decomposition": { "tasks": ["live"] } }, "uses": ["order"] },
    "farmer": { "type": "person", "planning": { "decomposition": { "tasks": ["live"] } }, "uses": ["walk", "eat"],
      "senses": [{ "fact": "place_of", "every": 1 }] }
  },
  "scenarios": {
    "day": {
      "initial": ["place_of(anna) = field", "place_of(ben) = hut", "place_of(cleo) = field"],
      "cast": [
        { "object": "anna", "agent": "farmer" },
        { "object": "ben", "agent": "farmer", "tasks": ["eat"], "beliefs": ["place_of(?me) = field"] },
        { "object": "cleo", "agent": "captain" },
        { "object": "cleo", "agent": "captain", "tasks": ["walk(hut)"] }
      ]
    }
  }
}"#;

fn village() -> Document {
    Document::from_json(VILLAGE).expect("a document")
}

fn day() -> Name {
    "day".parse().expect("a name")
}

fn check(player: usize, expected: Expect) {
    let document = village();
    let (scenario, stop) = (&day(), Stop::default());
    let problem = compile_cancellable(&Domain::from(&document), (scenario, player), &stop)
        .expect("nothing stops it");
    let report = match plan(&problem, Budget::default()) {
        Outcome::Plan(plan) => {
            let valid =
                validate_cancellable(&Domain::from(&document), (scenario, player), &plan, &stop);
            assert_eq!(valid, Ok(Ok(())));
            let steps = plan.steps.iter().map(|step| {
                let changes = step.changes.iter();
                let changes: Vec<String> = changes
                    .map(|change| format!("{} = {}", change.atom, change.after))
                    .collect();
                format!("{}: {}\n", step.task, changes.join(", "))
            });
            steps.collect()
        }
        outcome => format!("{outcome:?}"),
    };
    expected.assert_eq(&report);
}

#[test]
fn me_is_the_character_that_plans() {
    check(
        0,
        expect![[r#"
        walk(hut): place_of(anna) = hut
        eat: fed(anna) = true
    "#]],
    );
    check(1, expect!["NoPlan"]);
    check(
        2,
        expect![[r#"
        order(anna): wish(anna) = 1
    "#]],
    );
}

#[test]
fn plans_stay_within_the_repertoire() {
    check(3, expect!["NoPlan"]);
    let document = village();
    let (scenario, stop) = (&day(), Stop::default());
    let problem = compile_cancellable(&Domain::from(&document), (scenario, 0), &stop)
        .expect("nothing stops it");
    let Outcome::Plan(plan) = plan(&problem, Budget::default()) else {
        panic!("anna has a plan");
    };
    let refused = validate_cancellable(&Domain::from(&document), (scenario, 2), &plan, &stop);
    let refused = refused
        .expect("nothing stops it")
        .expect_err("cleo does not eat");
    expect!["step 1: 'walk' is not in the repertoire"].assert_eq(&refused.to_string());
}

#[test]
fn reports_invalid_casts() {
    let text = VILLAGE
        .replace(
            r#"{ "object": "anna", "agent": "farmer" }"#,
            r#"{ "object": "field", "agent": "farmer" }, { "object": "anne", "agent": "farmr" }"#,
        )
        .replace("fed(?me)", "fed(?mee)")
        .replace(
            r#""type": "person", "planning""#,
            r#""type": "place", "planning""#,
        );
    let document = Document::from_json(&text).expect("a document");
    let report: Vec<String> = findings(&Domain::from(&document))
        .iter()
        .map(|d| format!("{d}\n"))
        .collect();
    expect![[r#"
        error[wrong-type] condition:at_home: '?me' is of type 'object', but 'person' is expected.
        error[unknown-variable] primitive:eat: Variable '?mee' isn't bound here.
        error[wrong-type] primitive:walk: '?me' is of type 'place', but 'person' is expected.
        error[unknown-agent] scenario:day: There is no agent 'farmr'; did you mean 'farmer'?
        error[unknown-object] scenario:day: There is no object 'anne'; did you mean 'anna'?
        error[wrong-type] scenario:day: 'ben' is of type 'person', but its agent requires type 'place'.
        error[duplicate-character] scenario:day: 'cleo' is already an actor.
    "#]].assert_eq(&report.concat());
}

#[test]
fn me_is_undefined_without_an_agent() {
    let text = r#"{ "taskloom": 4, "facts": { "fed": { "params": ["?p: object"] } },
        "primitive_tasks": { "eat": { "effects": [{ "text": "fed(?me)" }] } } }"#;
    let document = Document::from_json(text).expect("a document");
    let report: Vec<String> = findings(&Domain::from(&document))
        .iter()
        .map(|d| format!("{d}\n"))
        .collect();
    expect![[r#"
        error[unknown-variable] primitive:eat: Variable '?me' isn't bound here.
    "#]]
    .assert_eq(&report.concat());
}

#[test]
fn hddl_export_replaces_me_by_the_object() {
    let document = village();
    let written =
        export(&Domain::from(&document), Some(&day()), &Stop::default()).expect("it can be said");
    let text = written.domain + &written.problem.expect("a problem");
    assert!(text.contains("(place_of anna hut)"), "{text}");
    assert!(!text.contains("?me"), "{text}");
}

/// Soldiers get hungry, drones run out of power. `fed` is a soldier's goal, `eat` a soldier's task.
const GARRISON: &str = "
type human
type machine
object ann: human
object bolt: machine
fact hungry(?h: human)
fact flat(?m: machine)
action Work 1
primitive eat = Work
  pre hungry(?me)
  integrity hungry(?me)
  eff not hungry(?me)
primitive charge = Work
  pre flat(?me)
  eff not flat(?me)
compound dine
  block a begin
  block b branch hungry(?me)
  block c task eat
  wire a.out -> b
  wire b.true -> c
goal fed: not hungry(?me)
  priority 1
  relevance count ?h: human. (?h = ?me)
goal charged: not flat(?me)
  priority 2
agent soldier: human
  uses eat
  uses dine
  wants fed
agent drone: machine
  uses charge
  uses rest
  wants charged
compound rest
  sequence charge
scenario s
  initial hungry(ann)
  initial flat(bolt)
  cast ann as soldier
  cast bolt as drone
";

/// Returns the diagnostics of a garrison, one per line.
fn wrong(text: &str) -> Vec<String> {
    let found = findings(&Domain::from(&domain::document(text))).into_iter();
    let found = found.filter(|found| found.severity == Severity::Error);
    found
        .map(|found| format!("{}: {}", found.place.record, found.message))
        .collect()
}

#[test]
fn me_has_the_common_type_of_its_agents() {
    assert_eq!(wrong(GARRISON), Vec::<String>::new());
    let run = simulate(
        &Domain::from(&domain::document(GARRISON)),
        &Name::new("s").unwrap(),
        Budget::default(),
        20,
    );
    assert_eq!(run.end, RunEnd::Complete);
    // If both have the goal or the task, or nobody has it, the character may be either.
    let goal = GARRISON.replace("  wants charged", "  wants charged\n  wants fed");
    let task = GARRISON.replace("  uses charge\n", "  uses charge\n  uses eat\n");
    let nobody = GARRISON.replace("  uses eat\n", "  uses charge\n");
    expect![[r#"
        goal:fed: '?me' is of type 'object', but 'human' is expected.

        primitive:eat: '?me' is of type 'object', but 'human' is expected.
        primitive:eat: '?me' is of type 'object', but 'human' is expected.
        primitive:eat: '?me' is of type 'object', but 'human' is expected.

        primitive:charge: '?me' is of type 'object', but 'machine' is expected.
        primitive:charge: '?me' is of type 'object', but 'machine' is expected.
        primitive:eat: '?me' is of type 'object', but 'human' is expected.
        primitive:eat: '?me' is of type 'object', but 'human' is expected.
        primitive:eat: '?me' is of type 'object', but 'human' is expected."#]]
    .assert_eq(
        &[goal, task, nobody]
            .map(|text| wrong(&text).join("\n"))
            .join("\n\n"),
    );
}
