//! Runs of scenarios, as text and as JSON, and scenarios as tests within limits.

use std::fmt::Write;
use std::fs;

use expect_test::expect;
use serde_json::{Value, json};

use super::fixture::{check, examples, folder, said, taskloom};

const BALL: &str = "run ball-in-the-box.taskloom.json --scenario";

#[test]
fn prints_a_run_as_a_chronological_table() {
    check(
        &examples(),
        &format!("{BALL} case-5-the-box-slams-shut"),
        expect![[r#"
            tick  end  who    what
               0       robot  plans     2 steps, cost 2: walk-to(box); take-ball
               0    3  robot  complete  walk-to(box)
               3    4  robot  failed    take-ball (integrity rule of take-ball: box_open)
               4       world  event     box_open: true -> false
               5       robot  plans     take-ball failed: 2 steps, cost 2: open-box; take-ball
               5    6  robot  complete  open-box
               6    8  robot  complete  take-ball
            complete at tick 8
            exit 0"#]],
    );
    check(
        &examples(),
        &format!("{BALL} case-6-no-way-in"),
        expect![[r#"
        tick  end  who    what
           0       robot  plans  no plan exists
        failed at tick 0: no plan
        exit 1"#]],
    );
    check(
        &examples(),
        "run hunter.taskloom.json --scenario case-2-the-wrong-room",
        expect![[r#"
            tick  end  who   what
               0       rook  plans     3 steps, cost 3: walk(library, hall); walk(hall, kitchen); catch(wren, kitchen)
               0    2  rook  complete  walk(library, hall)
               0       wren  plans     6 steps, cost 7: walk(bedroom, corridor); take(iron-key, corridor); walk(corridor, hall); unlock(garden, iron-key); walk(hall, garden); slip-out
               0    2  wren  complete  walk(bedroom, corridor)
               2    4  rook  complete  walk(hall, kitchen)
               2    3  wren  complete  take(iron-key, corridor)
               3    5  wren  complete  walk(corridor, hall)
               4    4  rook  failed    catch(wren, kitchen) (precondition is false in the world: at(wren, kitchen))
               4       rook  learns    at(wren, kitchen): true -> false
               5       rook  plans     catch(wren, kitchen) failed: 14 steps, cost 24: walk(kitchen, hall); walk(hall, corridor); walk(corridor, bedroom); search(bedroom); walk(bedroom, library); search(library); walk(library, hall); search(hall); walk(hall, kitchen); search(kitchen); walk(kitchen, hall); walk(hall, corridor); search(corridor); go-home
               5    7  rook  complete  walk(kitchen, hall)
               5    7  wren  complete  unlock(garden, iron-key)
               6       rook  notices   at(wren, hall): false -> true
               6       rook  plans     it noticed at(wren, hall): 2 steps, cost 2: walk(kitchen, hall); catch(wren, hall)
               7    8  rook  complete  catch(wren, hall)
               7       wren  notices   at(rook, hall): false -> true
               7       wren  plans     it noticed at(rook, hall): 2 steps, cost 2: walk(hall, garden); slip-out
               7    8  wren  failed    walk(hall, garden) (interrupted by a new plan)
               8       rook  notices   locked(garden): true -> false
               8       wren  plans     it noticed caught(wren): 0 steps, cost 0
            complete at tick 8
            exit 0"#]],
    );
    check(
        &examples(),
        "run ball-in-the-box.taskloom.json",
        expect![[r#"
        ! error: --scenario NAME is required: use one of case-1-box-open, case-2-box-closed, case-3-key-in-the-drawer, case-4-hammer-in-the-shed, case-5-the-box-slams-shut, case-6-no-way-in
        exit 2"#]],
    );
}

#[test]
fn prints_a_run_as_json() {
    check(
        &examples(),
        &format!("{BALL} case-5-the-box-slams-shut --format json"),
        expect![[r#"
            {
              "format": 1,
              "scenario": "case-5-the-box-slams-shut",
              "characters": [
                {
                  "name": "robot",
                  "agent": "robot"
                }
              ],
              "end": "complete",
              "ticks": 8,
              "plannings": [
                {
                  "character": 0,
                  "tick": 0,
                  "cause": "start",
                  "outcome": "plan",
                  "cost": 2.0,
                  "plan": [
                    "walk-to(box)",
                    "take-ball"
                  ]
                },
                {
                  "character": 0,
                  "tick": 5,
                  "cause": "failure",
                  "failed_step": 1,
                  "outcome": "plan",
                  "cost": 2.0,
                  "plan": [
                    "open-box",
                    "take-ball"
                  ]
                }
              ],
              "steps": [
                {
                  "character": 0,
                  "planning": 0,
                  "step": 0,
                  "task": "walk-to(box)",
                  "start": 0,
                  "acted": 3,
                  "end": 3,
                  "state": "complete",
                  "changes": [
                    {
                      "fact": "at(box)",
                      "before": false,
                      "after": true
                    },
                    {
                      "fact": "at(table)",
                      "before": true,
                      "after": false
                    }
                  ]
                },
                {
                  "character": 0,
                  "planning": 0,
                  "step": 1,
                  "task": "take-ball",
                  "start": 3,
                  "acted": null,
                  "end": 4,
                  "state": "failed",
                  "reason": "integrity rule of take-ball: box_open"
                },
                {
                  "character": 0,
                  "planning": 1,
                  "step": 0,
                  "task": "open-box",
                  "start": 5,
                  "acted": 6,
                  "end": 6,
                  "state": "complete",
                  "changes": [
                    {
                      "fact": "box_open",
                      "before": false,
                      "after": true
                    }
                  ]
                },
                {
                  "character": 0,
                  "planning": 1,
                  "step": 1,
                  "task": "take-ball",
                  "start": 6,
                  "acted": 8,
                  "end": 8,
                  "state": "complete",
                  "changes": [
                    {
                      "fact": "ball_in_box",
                      "before": true,
                      "after": false
                    },
                    {
                      "fact": "has(ball)",
                      "before": false,
                      "after": true
                    }
                  ]
                }
              ],
              "events": [
                {
                  "tick": 4,
                  "event": 0,
                  "effect": "not box_open",
                  "changes": [
                    {
                      "fact": "box_open",
                      "before": true,
                      "after": false
                    }
                  ]
                }
              ],
              "observations": []
            }
            exit 0"#]],
    );
}

/// Collects the path and the kind of each value, objects in lists once.
fn outline(value: &Value, path: &str, out: &mut Vec<String>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(items) => {
            for item in items {
                outline(item, &format!("{path}[]"), out);
            }
            return;
        }
        Value::Object(members) => {
            for (key, member) in members {
                outline(member, &format!("{path}.{key}"), out);
            }
            return;
        }
    };
    out.push(format!("{path} {kind}"));
}

/// docs/run.md describes exactly the fields that occur in the records of all example scenarios.
#[test]
fn documentation_lists_every_json_field() {
    let mut found = vec![];
    for file in fs::read_dir(examples()).expect("the examples") {
        let path = file.expect("a file").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if !name.ends_with(".taskloom.json") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a document");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        for scenario in document["scenarios"].as_object().expect("scenarios").keys() {
            let line = format!("run {name} --scenario {scenario} --format json");
            let output = taskloom(&examples(), &line)
                .output()
                .expect("the program runs");
            let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
            outline(&record, "", &mut found);
        }
    }
    let paths = found.iter().filter_map(|line| line.split(' ').next());
    let names = paths.flat_map(|path| path.split('.').skip(1));
    let mut named: Vec<&str> = names.map(|name| name.trim_end_matches("[]")).collect();
    named.sort_unstable();
    named.dedup();
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/run.md");
    let docs = fs::read_to_string(docs).expect("the documentation");
    let rows = docs
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut described: Vec<&str> = rows.collect();
    described.sort_unstable();
    described.dedup();
    let lacks: Vec<_> = named
        .iter()
        .filter(|name| !described.contains(name))
        .collect();
    assert!(lacks.is_empty(), "docs/run.md lacks {lacks:?}");
    // Fields that no example needs.
    let rare = [
        "aborted",
        "claims",
        "cleanup",
        "cooldown",
        "gave_up",
        "is_dropped",
        "missed",
        "refused",
        "reason",
    ];
    let extra = described
        .iter()
        .filter(|name| !named.contains(name) && !rare.contains(name));
    assert_eq!(
        extra.count(),
        0,
        "docs/run.md: {described:?}, found: {named:?}"
    );
}

const OUT_OF_TIME: &str = "! gave up: time limit reached (see --time-limit)\nexit 3";

/// A document with three scenarios. Two are complete at once. The goal of the third is the solution of a
/// 15-puzzle that has none, since two tiles are swapped. A search for it takes many seconds, and an event
/// makes the character replan at each of 10,000 ticks: that takes hours on any machine.
fn slow() -> String {
    const SIDE: usize = 4;
    let cell = |number: usize| format!("cell{number}");
    let tile = |number: usize| format!("tile{number}");
    let last = SIDE * SIDE - 1;
    let cells = (0..=last).map(|n| (cell(n), json!({ "type": "cell" })));
    let tiles = (0..last).map(|n| (tile(n), json!({ "type": "tile" })));
    let mut initial = vec![format!("gap = {}", cell(last))];
    for number in 0..=last {
        if (number + 1) % SIDE != 0 {
            initial.push(format!("beside({}, {})", cell(number), cell(number + 1)));
        }
        if number + SIDE <= last {
            initial.push(format!("beside({}, {})", cell(number), cell(number + SIDE)));
        }
    }
    let swapped = |number: usize| if number < 2 { 1 - number } else { number };
    initial.extend((0..last).map(|n| format!("at({}) = {}", tile(n), cell(swapped(n)))));
    let goal: Vec<String> = (0..last)
        .map(|n| format!("at({}) = {}", tile(n), cell(n)))
        .collect();
    let document = json!({
        "taskloom": 4,
        "types": { "cell": { "parent": "object" }, "tile": { "parent": "object" } },
        "objects": cells.chain(tiles).collect::<serde_json::Map<_, _>>(),
        "facts": {
            "at": { "params": ["?tile: tile"], "value": { "object": "cell" }, "source": "memory" },
            "gap": { "value": { "object": "cell" }, "source": "memory" },
            "beside": { "params": ["?a: cell", "?b: cell"], "source": "memory" },
            "done": { "source": "memory" },
            "seconds": { "value": { "number": {} }, "source": "sensor" }
        },
        "actions": { "Act": {} },
        "primitive_tasks": {
            "quick": { "action": "Act", "effects": [{ "text": "done" }] },
            "slide": {
                "params": ["?tile: tile", "?from: cell", "?to: cell"],
                "action": "Act",
                "preconditions": [
                    "at(?tile) = ?from",
                    "gap = ?to",
                    "beside(?from, ?to) or beside(?to, ?from)"
                ],
                "effects": [{ "text": "at(?tile) := ?to" }, { "text": "gap := ?from" }]
            }
        },
        "scenarios": {
            "a": { "tasks": ["quick"], "expect": ["plan_exists"] },
            "b": {
                "initial": initial,
                "goal": goal.join(" and "),
                "events": [{ "at": 1, "every": 1, "effect": "seconds += 1" }],
                "expect": ["plan_exists"]
            },
            "c": { "tasks": ["quick"], "expect": ["plan_exists"] }
        }
    });
    document.to_string()
}

#[test]
fn a_time_limit_ends_tests_and_runs() {
    let folder = folder("slow", &[("slow.json", &slow())]);
    check(
        &folder,
        "test slow.json --time-limit 0.5",
        expect![[r#"
        ok     slow.json: a
        FAILED slow.json: b
               unfinished
        1 passed, 0 failed, 0 not checked, the rest unfinished
        ! gave up: time limit reached (see --time-limit)
        exit 3"#]],
    );
    // If the first search ends within the limit, a table precedes the message.
    let run = said(&folder, "run slow.json --scenario b --time-limit 0.5");
    assert!(run.ends_with(OUT_OF_TIME), "{run}");
    let run = said(&folder, "run slow.json --scenario a --time-limit 0");
    assert_eq!(run, OUT_OF_TIME);
}

/// The limit is processor time, so the number of ticks does not depend on what else the machine does.
#[test]
fn a_time_limit_ends_runs_of_slow_ticks() {
    let objects = (0..40).map(|n| (format!("o{n}"), json!({ "type": "thing" })));
    let variables = (0..4).fold(String::new(), |mut text, n| {
        let _ = write!(text, "forall ?x{n}: thing. ");
        text
    });
    // 2.5 million combinations at each tick.
    let condition = format!("{variables}(?x0 = ?x1 or not alarm)");
    let document = json!({
        "taskloom": 4,
        "types": { "thing": { "parent": "object" } },
        "objects": objects.collect::<serde_json::Map<_, _>>(),
        "facts": { "alarm": {} },
        "actions": { "Watch": { "duration": "10000" } },
        "primitive_tasks": { "watch": { "action": "Watch" } },
        "scenarios": {
            "night": {
                "tasks": ["watch"],
                "events": [{ "at": 0, "every": 1, "effect": "alarm", "when": condition }],
                "expect": ["plan_exists"]
            }
        }
    });
    let folder = folder("slow-ticks", &[("watch.json", &document.to_string())]);
    check(
        &folder,
        "test watch.json --time-limit 0.5",
        expect![[r#"
            FAILED watch.json: night
                   unfinished
            0 passed, 0 failed, 0 not checked, the rest unfinished
            ! gave up: time limit reached (see --time-limit)
            exit 3"#]],
    );
    let run = said(&folder, "run watch.json --time-limit 0.5");
    assert!(run.ends_with(OUT_OF_TIME), "{run}");
    let stopped = run
        .lines()
        .find_map(|line| line.strip_prefix("stopped at tick "));
    let tick: u32 = stopped.expect("a tick").parse().expect("a number");
    assert!(tick < 30, "{run}");
}

/// Reading all scenarios for each of them would take minutes.
#[test]
fn tests_many_scenarios_one_by_one() {
    let mut document: Value = serde_json::from_str(&slow()).expect("JSON");
    let quick = document["scenarios"]["a"].clone();
    let scenarios = (0..3_000).map(|n| (format!("s{n}"), quick.clone()));
    document["scenarios"] = scenarios.collect::<serde_json::Map<_, _>>().into();
    let folder = folder("many", &[("many.json", &document.to_string())]);
    let said = said(&folder, "test many.json --time-limit 30");
    assert!(
        said.ends_with("3000 passed, 0 failed, 0 not checked\nexit 0"),
        "{}",
        said.lines().last().unwrap_or_default()
    );
}
