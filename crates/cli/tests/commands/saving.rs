//! Runs that are saved, and continued from a saved state.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use super::fixture::{check, examples, folder, said, taskloom};

const BALL: &str = "ball-in-the-box.taskloom.json";
const CASE: &str = "case-5-the-box-slams-shut";

/// Returns the names of the examples' files, each with those of its scenarios.
fn scenarios() -> Vec<(String, Vec<String>)> {
    let files = fs::read_dir(examples()).expect("the examples");
    let names = files.map(|file| file.expect("a file").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let documents = names.filter(|name| name.ends_with(".taskloom.json"));
    let scenarios = documents.map(|name| {
        let text = fs::read_to_string(examples().join(&name)).expect("a document");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let scenarios = document["scenarios"].as_object().expect("scenarios");
        (name, scenarios.keys().cloned().collect())
    });
    scenarios.collect()
}

#[test]
fn stopped_run_is_continued_to_the_same_end_in_every_example() {
    let folder = folder("saving-all", &[]);
    let mut count = 0;
    for (file, scenarios) in scenarios() {
        let path = examples().join(&file);
        for scenario in scenarios {
            let run = format!("run {} --scenario {scenario}", path.display());
            let whole = said(&folder, &format!("{run} --format json"));
            let json = whole.split("\nexit").next().expect("a record");
            let record: Value = serde_json::from_str(json).expect("a record");
            let ticks = record["ticks"].as_u64().expect("ticks");
            let stopped = format!("{run} --ticks {} --save state.json", ticks / 2);
            let printed = said(&folder, &stopped);
            assert!(
                printed.contains(" at tick "),
                "{file} {scenario}: {printed}"
            );
            let from = format!("run {} --from state.json --format json", path.display());
            let continued = said(&folder, &from);
            assert!(whole == continued, "{file} {scenario}, tick {}", ticks / 2);
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn stops_after_a_tick_and_continues_in_place() {
    let folder = folder("saving-ball", &[]);
    let file = examples().join(BALL);
    let run = format!("run {}", file.display());
    let text = said(
        &folder,
        &format!("{run} --scenario {CASE} --ticks 3 --save state.json"),
    );
    expect![[r#"
        tick  end  who    what
           0       robot  plans        2 steps, cost 2: walk-to(box); take-ball
           0    3  robot  complete     walk-to(box)
           3       robot  in-progress  take-ball (runs until tick 5)
        stopped at tick 3
        exit 0"#]]
    .assert_eq(&text);
    // A state may be replaced by the one that continues it.
    let text = said(
        &folder,
        &format!("{run} --from state.json --ticks 6 --save state.json"),
    );
    expect![[r#"
        tick  end  who    what
           0       robot  plans        2 steps, cost 2: walk-to(box); take-ball
           0    3  robot  complete     walk-to(box)
           3    4  robot  failed       take-ball (integrity rule of take-ball: box_open)
           4       world  event        box_open: true -> false
           5       robot  plans        take-ball failed: 2 steps, cost 2: open-box; take-ball
           5    6  robot  complete     open-box
           6       robot  in-progress  take-ball (runs until tick 8)
        stopped at tick 6
        exit 0"#]]
    .assert_eq(&text);
    let text = said(
        &folder,
        &format!("{run} --from state.json --save state.json"),
    );
    let whole = said(&folder, &format!("{run} --scenario {CASE}"));
    assert_eq!(text, whole);
    // Nothing is left to continue.
    assert_eq!(said(&folder, &format!("{run} --from state.json")), whole);
}

#[test]
fn log_of_a_continued_run_begins_where_it_continues() {
    let folder = folder("saving-log", &[]);
    let run = format!("run {}", examples().join(BALL).display());
    said(
        &folder,
        &format!("{run} --scenario {CASE} --ticks 5 --save state.json"),
    );
    said(&folder, &format!("{run} --from state.json --log run.jsonl"));
    check(
        &folder,
        "log run.jsonl",
        expect![[r#"
        The ball in the box, scenario case-5-the-box-slams-shut: everything
        tick  who    what
           6  robot  completes  open-box: box_open: false -> true
           6  robot  starts     take-ball
           8  robot  completes  take-ball: ball_in_box: true -> false, has(ball): false -> true
           8  world  end        complete
        exit 0"#]],
    );
}

#[test]
fn reports_what_no_longer_exists_in_a_changed_document() {
    let text = fs::read_to_string(examples().join(BALL)).expect("a document");
    let changed = text.replace("take-ball", "grab-ball");
    let folder = folder(
        "saving-changed",
        &[("ball.json", &text), ("new.json", &changed)],
    );
    said(
        &folder,
        &format!("run ball.json --scenario {CASE} --ticks 3 --save state.json"),
    );
    check(
        &folder,
        "run new.json --from state.json",
        expect![[r#"
        tick  end  who    what
           0       robot  plans     2 steps, cost 2: walk-to(box); take-ball
           0    3  robot  complete  walk-to(box)
           3    4  robot  failed    take-ball (the plan is no longer possible: it no longer exists in the document)
           4       world  event     box_open: true -> false
           4       robot  plans     its beliefs have changed: 2 steps, cost 2: open-box; grab-ball
           4    5  robot  complete  open-box
           5    7  robot  complete  grab-ball
        complete at tick 7
        ! warning: state.json: the plan was dropped: there is no primitive task 'take-ball'
        exit 0"#]],
    );
}

#[test]
fn refuses_states_that_do_not_fit() {
    let text = fs::read_to_string(examples().join(BALL)).expect("a document");
    let other = text.replace(CASE, "another-case");
    let files = [
        ("ball.json", &*text),
        ("other.json", &*other),
        ("bad.json", "{\"version\": 1}"),
    ];
    let folder = folder("saving-refused", &files);
    let run = format!("run ball.json --scenario {CASE}");
    said(&folder, &format!("{run} --ticks 3 --save state.json"));
    let saved = fs::read_to_string(folder.join("state.json")).expect("a state");
    let future = saved.replacen("\"version\":1", "\"version\":99", 1);
    fs::write(folder.join("future.json"), future).expect("a file");
    let lines = [
        "run ball.json --from nothing.json",
        "run ball.json --from bad.json",
        "run ball.json --from future.json",
        "run ball.json --from state.json --scenario case-1-box-open",
        "run other.json --from state.json",
        &format!("{run} --save ball.json"),
        &format!("{run} --save a.json --log a.json"),
        "run ball.json --from state.json --log state.json",
        &format!("{run} --ticks -1"),
        &format!("{run} --save nowhere/state.json --ticks 0"),
    ];
    let said: Vec<String> = lines.iter().map(|line| said(&folder, line)).collect();
    expect![[r#"
        ! error: nothing.json: No such file or directory (os error 2)
        exit 2
        ! error: bad.json: this is not the saved state of a run: missing field `document` at line 1 column 14
        exit 2
        ! error: future.json: the saved game has version 99, but only version 1 can be loaded
        exit 2
        ! error: state.json is a state of scenario 'case-5-the-box-slams-shut', not of 'case-1-box-open': leave out --scenario
        exit 2
        ! error: no scenario 'case-5-the-box-slams-shut': use one of another-case, case-1-box-open, case-2-box-closed, case-3-key-in-the-drawer, case-4-hammer-in-the-shed, case-6-no-way-in
        exit 2
        ! error: ball.json is being read, so it can't be written; choose another file
        exit 2
        ! error: a.json can't be both the log and the saved state; choose another file
        exit 2
        ! error: state.json is being read, so it can't be written; choose another file
        exit 2
        ! error: invalid value '-1' for '--ticks <TICK>': '-1' is not a tick: use a whole number, 0 or more
        ! 
        ! For more information, try '--help'.
        exit 2
        ! error: couldn't write nowhere/state.json: No such file or directory (os error 2)
        exit 4"#]].assert_eq(&said.join("\n"));
}

#[test]
fn run_stopped_by_a_limit_within_a_tick_saves_nothing() {
    let folder = folder("saving-stopped", &[]);
    let line = format!(
        "run {} --scenario {CASE} --save state.json --time-limit 0",
        examples().join(BALL).display()
    );
    let output = taskloom(&folder, &line).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.join("state.json").exists());
}
