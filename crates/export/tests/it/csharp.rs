//! Exported C#, compiled by Mono and run in a small world.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use expect_test::expect_file;
use taskloom_document::{Document, Name, Planning, Policy};
use taskloom_domain::Domain;
use taskloom_export::{Target, export};
use taskloom_planner::plan::{Budget, initial_state, policy};
use taskloom_runtime::{Run, RunEnd, TaskState, simulate};

use super::host::compiled;
use super::tools::root;
use testkit::domain::example;

/// No scenario takes longer.
const TICKS: u32 = 1_000;

/// Returns a host's output for a scenario, whose run provides the events.
fn run(mono: &Path, program: &Path, document: &Document, scenario: &Name, run: &Run) -> String {
    let mut input = format!("ticks {TICKS}\n");
    for (name, object) in &document.scenarios[scenario].objects {
        input += &format!("object {} {name}\n", object.of);
    }
    for (atom, value) in initial_state(&Domain::from(document), scenario) {
        input += &format!("initial {value} {atom}\n");
    }
    for event in &run.events {
        for change in &event.changes {
            input += &format!("event {} {} {}\n", event.tick, change.after, change.atom);
        }
    }
    let mut child = Command::new(mono)
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("mono starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the host reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the host ends");
    assert!(output.status.success(), "the host failed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn check(test: &str, document: &Document, host: &str) {
    let folder = root().join("tests/exports/csharp");
    let read = |file| fs::read_to_string(folder.join(file)).expect("a host is there");
    let extra_files = [("World.cs", &*read("World.cs")), (host, &*read(host))];
    let Some((mono, program)) = compiled(test, &[document], &extra_files, |_, text| text) else {
        return;
    };
    for scenario in document.scenarios.keys() {
        let expected = simulate(&Domain::from(document), scenario, Budget::default(), TICKS);
        let printed = run(&mono, &program, document, scenario, &expected);
        assert_eq!(printed.trim(), as_printed(&expected), "{scenario}");
    }
}

/// Returns the simulator's steps in a scenario, in the host's format.
fn as_printed(run: &Run) -> String {
    let mut lines = vec![];
    for (number, planning) in run.plans.iter().enumerate() {
        let Some(plan) = planning.plan() else {
            continue;
        };
        let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
        lines.push(format!("plan {}", steps.join(", ")));
        for done in run.executed.iter().filter(|done| done.plan == number) {
            let state = match done.state {
                TaskState::Failed => "failed",
                _ => "complete",
            };
            let step = &steps[done.step];
            let end = done.end.unwrap_or(run.ticks);
            lines.push(format!("{state} {step} {} {end}", done.start));
        }
    }
    lines.push(match run.end {
        RunEnd::Complete => "end complete".to_owned(),
        _ => "end failed".to_owned(),
    });
    lines.join("\n")
}

#[test]
fn the_ball_in_the_box_runs_in_mono() {
    check(
        "the_ball_in_the_box_runs_in_mono",
        &example("ball-in-the-box"),
        "BallHost.cs",
    );
}

#[test]
fn the_night_guard_runs_in_mono() {
    check(
        "the_night_guard_runs_in_mono",
        &example("night-guard"),
        "NightGuardHost.cs",
    );
}

#[test]
fn the_night_guard_runs_at_minimum_cost_in_mono() {
    let mut document = example("night-guard");
    for agent in document.agents.values_mut() {
        if let Planning::Decomposition { policy, .. } = &mut Arc::make_mut(agent).planning {
            *policy = Policy::Cheapest;
        }
    }
    let scenarios = document.scenarios.keys();
    let cheapest =
        scenarios.filter(|name| policy(&Domain::from(&document), name, 0) == Policy::Cheapest);
    assert_eq!(cheapest.count(), document.scenarios.len());
    check(
        "the_night_guard_runs_at_minimum_cost_in_mono",
        &document,
        "NightGuardHost.cs",
    );
}

#[test]
fn the_ball_in_the_box_in_csharp() {
    let document = example("ball-in-the-box");
    let export = export(&document, None, Target::CSharp).expect("an export");
    let domain = export.files.first().expect("the domain");
    assert_eq!(domain.path, "TheBallInTheBox.cs");
    expect_file!["../../../../tests/golden/ball-in-the-box/TheBallInTheBox.cs"]
        .assert_eq(&domain.text);
}

#[test]
fn the_night_guard_in_csharp() {
    let document = example("night-guard");
    let export = export(&document, None, Target::CSharp).expect("an export");
    let domain = export.files.first().expect("the domain");
    assert_eq!(domain.path, "TheNightGuard.cs");
    expect_file!["../../../../tests/golden/night-guard/TheNightGuard.cs"].assert_eq(&domain.text);
}

/// Tasks and a condition that refer to `?me`.
const WATCH: &str = "
type person
type guard: person
object ann: guard
fact tired(?p: person)
fact armed(?g: guard)
value post: object
condition fit: armed(?me) and not tired(?me)
action Rest 1
primitive rest = Rest
  pre tired(?me)
  eff not tired(?me)
  eff post := ?me
compound watch
  pre post != ?me
  block a begin
  block b branch fit and armed(?me)
  block c task rest
  wire a.out -> b
  wire b.true -> c
agent guard: guard
  task watch
scenario s
  task watch
";

#[test]
fn exported_agent_parameter_has_its_type() {
    let host = "static class Host { static void Main() { } }";
    let extra_files = [("Host.cs", host)];
    compiled(
        "who-plays",
        &[&testkit::domain::document(WATCH)],
        &extra_files,
        |_, text| text,
    );
}
