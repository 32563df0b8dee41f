//! Logs of runs: writing, printing and converting them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use expect_test::expect;
use serde_json::Value;

use super::fixture::{check, examples, folder, said};

/// Writes the log of a scenario of an example. Returns its folder, in which it is `run.jsonl`.
fn logged(test: &str, example: &str, scenario: &str, level: &str) -> PathBuf {
    let folder = folder(test, &[]);
    let document = examples().join(format!("{example}.taskloom.json"));
    let line = format!(
        "run {} --scenario {scenario} --log run.jsonl --log-level {level}",
        document.display()
    );
    let printed = said(&folder, &line);
    let without = said(
        &folder,
        &format!("run {} --scenario {scenario}", document.display()),
    );
    assert_eq!(printed, without, "a log changes nothing");
    folder
}

#[test]
fn prints_a_log_as_a_table() {
    let case = "case-5-the-box-slams-shut";
    let folder = logged("log-table", "ball-in-the-box", case, "all");
    check(
        &folder,
        "log run.jsonl",
        expect![[r#"
        The ball in the box, scenario case-5-the-box-slams-shut: everything
        tick  who    what
           0  robot  plans      it begins: 2 steps, cost 2: walk-to(box); take-ball
           0  robot  starts     walk-to(box)
           3  robot  completes  walk-to(box): at(box): false -> true, at(table): true -> false
           3  robot  starts     take-ball
           4  world  event      box_open: true -> false
           4  robot  fails      take-ball (integrity rule of take-ball: box_open)
           5  robot  plans      a step failed: 2 steps, cost 2: open-box; take-ball
           5  robot  starts     open-box
           6  robot  completes  open-box: box_open: false -> true
           6  robot  starts     take-ball
           8  robot  completes  take-ball: ball_in_box: true -> false, has(ball): false -> true
           8  world  end        complete
        exit 0"#]],
    );
    let folder = logged("log-decisions", "ball-in-the-box", case, "decisions");
    check(
        &folder,
        "log run.jsonl",
        expect![[r#"
        The ball in the box, scenario case-5-the-box-slams-shut: decisions
        tick  who    what
           0  robot  plans      it begins: 2 steps, cost 2: walk-to(box); take-ball
           0  robot  starts     walk-to(box)
           3  robot  completes  walk-to(box)
           3  robot  starts     take-ball
           4  robot  fails      take-ball (integrity rule of take-ball: box_open)
           5  robot  plans      a step failed: 2 steps, cost 2: open-box; take-ball
           5  robot  starts     open-box
           6  robot  completes  open-box
           6  robot  starts     take-ball
           8  robot  completes  take-ball
           8  world  end        complete
        exit 0"#]],
    );
}

#[test]
fn a_torn_log_is_printed_and_a_damaged_one_is_refused() {
    let case = "case-5-the-box-slams-shut";
    let folder = logged("log-torn", "ball-in-the-box", case, "decisions");
    let text = fs::read(folder.join("run.jsonl")).expect("a log");
    fs::write(folder.join("torn.jsonl"), &text[..text.len() / 2]).expect("a file");
    let printed = said(&folder, "log torn.jsonl");
    assert!(
        printed.ends_with("the last line is torn\nexit 0"),
        "{printed}"
    );
    fs::write(
        folder.join("bad.jsonl"),
        [&text[..], b"{\"entry\":\n"].concat(),
    )
    .expect("a file");
    check(
        &folder,
        "log bad.jsonl",
        expect![[r#"
        ! error: bad.jsonl: line 13: EOF while parsing a value at column 9
        exit 2"#]],
    );
    fs::write(folder.join("foreign.jsonl"), "{\"a\": 1}\n").expect("a file");
    check(
        &folder,
        "log foreign.jsonl",
        expect![[r#"
        ! error: foreign.jsonl: line 1: this is not a log: its first line has no format version
        exit 2"#]],
    );
    check(
        &folder,
        "log nothing.jsonl",
        expect![[r#"
        ! error: nothing.jsonl: No such file or directory (os error 2)
        exit 2"#]],
    );
    let run = format!("run {}/ball-in-the-box.taskloom.json", examples().display());
    check(
        &folder,
        &format!("{run} --scenario {case} --log-level all"),
        expect![[r#"
            ! error: the following required arguments were not provided:
            !   --log <FILE>
            ! 
            ! Usage: taskloom run --log <FILE> --scenario <NAME> --log-level <LOG_LEVEL> <FILE|DOMAIN> [PROBLEM]
            ! 
            ! For more information, try '--help'.
            exit 2"#]],
    );
    let nowhere = format!("{run} --scenario {case} --log nowhere/run.jsonl");
    check(
        &folder,
        &nowhere,
        expect![[r#"
        ! error: couldn't write nowhere/run.jsonl: No such file or directory (os error 2)
        exit 4"#]],
    );
}

/// Returns the events of a log's trace.
fn trace(folder: &PathBuf) -> Vec<Value> {
    assert_eq!(said(folder, "log run.jsonl --perfetto out.json"), "exit 0");
    let text = fs::read_to_string(folder.join("out.json")).expect("a trace");
    let trace: Value = serde_json::from_str(&text).expect("a trace is JSON");
    trace["traceEvents"].as_array().expect("events").clone()
}

/// Returns the slices of a trace by thread, each as its start, its end and its name, in the trace's order.
fn slices(events: &[Value]) -> BTreeMap<u64, Vec<(f64, f64, String)>> {
    let mut slices: BTreeMap<u64, Vec<(f64, f64, String)>> = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] == "X") {
        let start = event["ts"].as_f64().expect("a start");
        let length = event["dur"].as_f64().expect("a duration");
        let name = event["name"].as_str().expect("a name").to_owned();
        let thread = event["tid"].as_u64().expect("a thread");
        slices
            .entry(thread)
            .or_default()
            .push((start, start + length, name));
    }
    slices
}

#[test]
fn a_trace_has_the_steps_of_each_actor_below_their_tasks() {
    let case = "case-5-the-box-slams-shut";
    for level in ["all", "decisions"] {
        let test = format!("log-trace-{level}");
        let folder = logged(&test, "ball-in-the-box", case, level);
        let mut shown = String::new();
        for event in &trace(&folder) {
            let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
            let number = |name: &str| event[name].as_f64().unwrap_or_default();
            shown += &match event["ph"].as_str() {
                Some("M") => format!("{} {}\n", text("name"), event["args"]),
                Some("X") => {
                    let (start, length) = (number("ts"), number("dur"));
                    format!("{start}+{length} {}: {}\n", text("cat"), text("name"))
                }
                _ => format!("{} {}: {}\n", number("ts"), text("cat"), text("name")),
            };
        }
        match level {
            "all" => expect![[r#"
                process_name {"name":"The ball in the box: case-5-the-box-slams-shut"}
                thread_name {"name":"world"}
                thread_sort_index {"sort_index":0}
                thread_name {"name":"robot"}
                thread_sort_index {"sort_index":100}
                0+4000 task: get-ball
                0+3000 step: walk-to(box)
                3000+1000 failed step: take-ball
                5000+3000 task: get-ball
                5000+1000 step: open-box
                6000+2000 step: take-ball
                0 plan: plans: it begins
                4000 event: event 0
                5000 plan: plans: a step failed
            "#]]
            .assert_eq(&shown),
            _ => expect![[r#"
                process_name {"name":"The ball in the box: case-5-the-box-slams-shut"}
                thread_name {"name":"world"}
                thread_sort_index {"sort_index":0}
                thread_name {"name":"robot"}
                thread_sort_index {"sort_index":100}
                0+4000 task: get-ball
                0+3000 step: walk-to(box)
                3000+1000 failed step: take-ball
                5000+3000 task: get-ball
                5000+1000 step: open-box
                6000+2000 step: take-ball
                0 plan: plans: it begins
                5000 plan: plans: a step failed
            "#]]
            .assert_eq(&shown),
        }
    }
}

#[test]
fn slices_of_a_thread_are_nested_or_disjoint_in_all_examples() {
    let (mut scenarios, mut count, mut deepest) = (0, 0, 0);
    let examples = fs::read_dir(examples()).expect("the examples");
    let names = examples.filter_map(|file| {
        let name = file.expect("a file").file_name().into_string().ok()?;
        name.strip_suffix(".taskloom.json").map(str::to_owned)
    });
    for example in names {
        let text = super::fixture::examples().join(format!("{example}.taskloom.json"));
        let text = fs::read_to_string(text).expect("an example");
        let document: Value = serde_json::from_str(&text).expect("an example is JSON");
        let of_document = document["scenarios"].as_object().expect("scenarios");
        // One scenario of each example is enough, and takes less time.
        for scenario in of_document.keys().take(2) {
            let folder = logged(&format!("log-nested-{example}"), &example, scenario, "all");
            for slices in slices(&trace(&folder)).values() {
                let mut open: Vec<&(f64, f64, String)> = vec![];
                for slice in slices {
                    while open
                        .last()
                        .is_some_and(|above| above.1 <= slice.0 && slice.1 > above.1)
                    {
                        open.pop();
                    }
                    if let Some(above) = open.last() {
                        let is_within = above.0 <= slice.0 && slice.1 <= above.1;
                        assert!(is_within, "{example}, {scenario}: {slice:?} in {above:?}");
                    }
                    open.push(slice);
                    deepest = deepest.max(open.len());
                    count += 1;
                }
            }
            scenarios += 1;
        }
    }
    assert!(
        scenarios >= 10 && count > 100 && deepest > 2,
        "{scenarios}, {count}, {deepest}"
    );
}
