//! Scenarios as tests, imports and exports, output and interrupts.

use std::fs;
use std::process::Stdio;

use expect_test::expect;

use super::fixture::{check, delivery, examples, folder, round, said, shown, taskloom};

#[test]
fn scenarios_are_tests() {
    let file = "ball-in-the-box.taskloom.json";
    check(
        &examples(),
        &format!("test {file}"),
        expect![[r#"
        ok     ball-in-the-box.taskloom.json: case-1-box-open
        ok     ball-in-the-box.taskloom.json: case-2-box-closed
        ok     ball-in-the-box.taskloom.json: case-3-key-in-the-drawer
        ok     ball-in-the-box.taskloom.json: case-4-hammer-in-the-shed
        ok     ball-in-the-box.taskloom.json: case-5-the-box-slams-shut
        ok     ball-in-the-box.taskloom.json: case-6-no-way-in
        16 passed, 0 failed, 0 not checked
        exit 0"#]],
    );
    let text = fs::read_to_string(examples().join(file)).expect("the example");
    let text = text.replace("\"take-ball\"\n", "\"open-box\"\n");
    let folder = folder("test", &[(file, &text)]);
    check(
        &folder,
        &format!("test {file}"),
        expect![[r#"
            FAILED ball-in-the-box.taskloom.json: case-1-box-open
                   failed: at the end, has(ball): false at the end of the run: has(ball)
            FAILED ball-in-the-box.taskloom.json: case-2-box-closed
                   failed: at the end, has(ball): false at the end of the run: has(ball)
            FAILED ball-in-the-box.taskloom.json: case-3-key-in-the-drawer
                   failed: at the end, has(ball): false at the end of the run: has(ball)
            FAILED ball-in-the-box.taskloom.json: case-4-hammer-in-the-shed
                   failed: the plan is walk-to(box); walk-to(shed); pick-up(hammer); walk-to(box); smash-box; open-box: there is no plan
                   failed: the plan contains get-hammer: there is no plan
                   failed: the cost is at most 10: there is no plan
                   failed: at the end, has(ball): false at the end of the run: has(ball)
            FAILED ball-in-the-box.taskloom.json: case-5-the-box-slams-shut
                   failed: at the end, has(ball) and box_open: false at the end of the run: has(ball)
            ok     ball-in-the-box.taskloom.json: case-6-no-way-in
            8 passed, 8 failed, 0 not checked
            exit 1"#]],
    );
}

/// Adds the quoted text in the note of a scenario of the ball example to its initial values, and
/// plans it.
fn tried(scenario: &str) -> String {
    let file = "ball-in-the-box.taskloom.json";
    let text = fs::read_to_string(examples().join(file)).expect("the example");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let scenario_of = &mut document["scenarios"][scenario];
    let note = scenario_of["note"].as_str().expect("a note").to_owned();
    let proposed = note.split('\'').nth(1).expect("something in quotes");
    let initial = scenario_of["initial"].as_array_mut().expect("a list");
    initial.push(proposed.into());
    let folder = folder("notes", &[(file, &document.to_string())]);
    said(&folder, &format!("plan {file} --scenario {scenario}"))
}

#[test]
fn commands_suggested_by_notes_work() {
    expect![[r#"
        ! no plan exists: the search space is exhausted
        exit 1"#]]
    .assert_eq(&tried("case-2-box-closed"));
    expect![[r#"
        1  walk-to(box)
        2  walk-to(drawer)
        3  pick-up(key)
        4  walk-to(box)
        5  unlock-box
        6  open-box
        7  take-ball
        7 steps, cost 7
        exit 0"#]]
    .assert_eq(&tried("case-6-no-way-in"));
}

#[test]
fn all_files_are_tested_even_if_one_is_invalid() {
    let file = "ball-in-the-box.taskloom.json";
    let good = fs::read_to_string(examples().join(file)).expect("the example");
    let broken = good.replacen("\"take-ball\"", "\"take-bal\"", 1);
    let folder = folder(
        "several-tests",
        &[
            ("broken.json", "{ \"taskloom\": 4, "),
            ("wrong.json", &broken),
            ("good.json", &good),
            ("empty.json", "{ \"taskloom\": 4 }"),
        ],
    );
    let all = said(&folder, "test broken.json good.json");
    assert!(
        all.contains("FAILED broken.json\n       invalid\nok     good.json: case-1"),
        "{all}"
    );
    assert!(
        all.contains("16 passed, 0 failed, 0 not checked, 1 invalid file\n"),
        "{all}"
    );
    assert!(all.ends_with("exit 2"), "{all}");
    let all = said(&folder, "test broken.json wrong.json good.json");
    assert!(
        all.contains("16 passed, 0 failed, 0 not checked, 2 invalid files\n"),
        "{all}"
    );
    assert!(all.ends_with("exit 2"), "{all}");
    check(
        &folder,
        "test empty.json",
        expect![[r#"
            0 passed, 0 failed, 0 not checked
            ! error: no scenario has an expectation, so nothing was tested
            exit 2"#]],
    );
}

/// Somebody looks for what lies in a room, without knowing at first where anything lies.
const SEARCHER: &str = r#"{
  "taskloom": 4,
  "info": { "title": "searcher" },
  "types": { "person": { "parent": "object" }, "room": { "parent": "object" } },
  "objects": { "ann": { "type": "person" }, "hall": { "type": "room" }, "yard": { "type": "room" } },
  "facts": {
    "lies": { "params": ["?r: room"], "value": "boolean", "source": "sensor" },
    "open": { "value": "boolean", "source": "blackboard" },
    "got": { "value": "boolean", "source": "memory" }
  },
  "primitive_tasks": {
    "take": { "params": ["?r: room"], "preconditions": ["lies(?r)", "not open"], "effects": [{ "text": "got" }] }
  },
  "agents": {
    "blind": {
      "type": "person",
      "planning": { "goals": { "goals": ["g"] } },
      "senses": [{ "fact": "lies", "every": 1, "when": "got", "unknown": true }]
    }
  },
  "goals": { "g": { "condition": "got", "priority": 1 } },
  "scenarios": {
    "unknown": { "initial": ["lies(yard)"], "cast": [{ "object": "ann", "agent": "blind" }] },
    "told": {
      "initial": ["lies(yard)"],
      "cast": [{ "object": "ann", "agent": "blind", "beliefs": ["lies(hall)", "open"] }]
    }
  }
}"#;

#[test]
fn exports_begin_with_what_the_actor_believes() {
    for (scenario, plan) in [("unknown", "no plan exists"), ("told", "1  take(hall)\n")] {
        for target in ["hddl", "pddl"] {
            let folder = folder("believed", &[("searcher.json", SEARCHER)]);
            let own = said(
                &folder,
                &format!("plan searcher.json --scenario {scenario}"),
            );
            assert!(own.contains(plan), "{own}");
            let export =
                format!("export searcher.json --scenario {scenario} --to {target} --output out");
            said(&folder, &export);
            let line = format!("plan out/domain.{target} out/problem.{target}");
            let exported = said(&folder, &line);
            assert!(exported.contains(plan), "{exported}");
            assert!(!exported.contains("yard"), "{exported}");
        }
    }
}

#[test]
fn imports_and_exports_round_trip() {
    let folder = delivery("convert");
    let import = "import domain.hddl problem.hddl --output delivery.taskloom.json";
    check(&folder, import, expect!["exit 0"]);
    assert_eq!(
        said(&folder, "plan delivery.taskloom.json"),
        said(&folder, "plan domain.hddl problem.hddl")
    );
    let export = "export delivery.taskloom.json --to hddl --output hddl";
    check(
        &folder,
        export,
        expect![[r#"
        hddl/domain.hddl
        hddl/problem.hddl
        exit 0"#]],
    );
    check(
        &folder,
        "plan hddl/domain.hddl hddl/problem.hddl",
        expect![[r#"
            1  drive_depot_mill
            2  load(book, mill)
            3  drive_mill_farm
            4  unload(book, farm)
            4 steps, cost 4
            exit 0"#]],
    );
    check(
        &folder,
        "stats delivery.taskloom.json",
        expect![[r#"
        types                               2
        objects                             0
        facts                               3
        conditions                          0
        actions                             3
        primitive tasks                     3
        compound tasks                      2
        goals                               0
        agents                              0
        scenarios                           1
        most parameters of a fact           2
        most parameters of a task           2

        flowcharts
        blocks                             15
          tasks                             6
          branches                          2
          choices                           1
          bindings                          3
        wires                              13
        largest: go                         9

        scenario one-parcel
        objects                             4
        initial values                      4
        tasks                               1
        goals                               0
        events                              0
        expectations                        0
        exit 0"#]],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn fails_when_output_cannot_be_written() {
    let full = fs::File::create("/dev/full").expect("a device that is always full");
    let output = taskloom(&delivery("full"), "plan domain.hddl problem.hddl")
        .stdout(full)
        .output();
    expect![[r#"
        ! error: couldn't write the output: No space left on device (os error 28)
        exit 4"#]]
    .assert_eq(&shown(&output.expect("the program runs")));
}

#[cfg(unix)]
#[test]
fn interrupt_prints_the_cheapest_plan_so_far() {
    use rustix::process::{Pid, Signal, kill_process};
    let (domain, problem) = round(14);
    let folder = folder(
        "interrupt",
        &[("domain.hddl", &domain), ("problem.hddl", &problem)],
    );
    let child = taskloom(&folder, "plan domain.hddl problem.hddl --strategy cheapest")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    std::thread::sleep(std::time::Duration::from_secs(2));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it still searches");
    let output = child.wait_with_output().expect("the program ends");
    let shown = shown(&output);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines.len() > 14 && lines[14].starts_with("14 steps, cost "),
        "{shown}"
    );
    expect![[r#"
        ! stopped; this is the cheapest plan so far; a cheaper one may exist
        exit 0"#]]
    .assert_eq(&lines[15..].join("\n"));
}

/// A chain of types, each the parent of the one before: computing all subtype pairs would take
/// minutes.
#[cfg(unix)]
#[test]
fn interrupt_ends_every_command_that_reads_a_file() {
    use rustix::process::{Pid, Signal, kill_process};
    let types: String = (0..60_000).map(|n| format!("t{n} - t{} ", n + 1)).collect();
    let domain = format!("(define (domain d) (:types {types}))");
    let problem = "(define (problem p) (:domain d))";
    let plan = "==>\nroot\n<==\n";
    let files = [("d.hddl", &*domain), ("p.hddl", problem), ("plan", plan)];
    let folder = folder("interrupted-reading", &files);
    let commands = [
        ("import d.hddl p.hddl --output out", Signal::INT),
        (
            "export d.hddl p.hddl --to full-hddl --output out",
            Signal::TERM,
        ),
        ("validate d.hddl p.hddl plan", Signal::INT),
        ("check d.hddl", Signal::TERM),
        ("stats d.hddl", Signal::INT),
        ("plan d.hddl p.hddl", Signal::TERM),
    ];
    for (line, signal) in commands {
        let child = taskloom(&folder, line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let child = child.expect("the program runs");
        std::thread::sleep(std::time::Duration::from_secs(1));
        kill_process(Pid::from_child(&child), signal).expect("it still reads");
        let output = child.wait_with_output().expect("the program ends");
        let why = match line.starts_with("plan") {
            true => "stopped; a plan may still exist",
            false => "stopped",
        };
        assert_eq!(shown(&output), format!("! {why}\nexit 3"), "{line}");
    }
    assert!(!folder.join("out").exists(), "something was written");
}

#[test]
fn csharp_export_writes_a_file_and_its_runtime_folder() {
    let example = fs::read_to_string(examples().join("ball-in-the-box.taskloom.json"));
    let example = example.expect("the example");
    let folder = folder("csharp", &[("ball.taskloom.json", &example)]);
    check(
        &folder,
        "export ball.taskloom.json --to csharp --output game",
        expect![[r#"
            game/TheBallInTheBox.cs
            game/Taskloom/World.cs
            game/Taskloom/Tasks.cs
            game/Taskloom/Planner.cs
            game/Taskloom/Agent.cs
            ! warning: failures: the agent does the whole task again that failed, with its complete subtasks; the editor plans only what remains of it
            ! warning: agent:robot: not exported: its tasks
            ! warning: scenario:case-1-box-open, scenario:case-2-box-closed, scenario:case-3-key-in-the-drawer and 3 more: not exported: objects, initial values, tasks, events and expectations
            exit 0"#]],
    );
    let domain = fs::read_to_string(folder.join("game/TheBallInTheBox.cs")).expect("the domain");
    assert!(domain.contains("// - agent:robot: not exported: its tasks\n"));
    assert!(folder.join("game/Taskloom/Planner.cs").is_file());
}
