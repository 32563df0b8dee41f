//! Reading any kind of file within limits.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use expect_test::expect;

use super::fixture::{check, folder, said, shown, taskloom};

const GAVE_UP: &str = "gave up: memory limit reached (see --memory-limit)";

#[cfg(target_os = "linux")]
#[test]
fn stops_reading_endless_devices_at_a_limit() {
    let folder = folder("endless-devices", &[]);
    let zero = "plan /dev/zero";
    let unknown = "; a plan may still exist\nexit 3";
    for (limit, budget) in [
        ("--memory-limit 20M", "memory"),
        ("--time-limit 0.1", "time"),
    ] {
        let option = limit.split(' ').next().unwrap_or_default();
        let expected = format!("! gave up: {budget} limit reached (see {option}){unknown}");
        assert_eq!(said(&folder, &format!("{zero} {limit}")), expected);
    }
    for command in ["check", "import", "stats", "run", "export --to json"] {
        let line = format!("{command} /dev/zero --memory-limit 20M");
        assert_eq!(
            said(&folder, &line),
            format!("! {GAVE_UP}\nexit 3"),
            "{line}"
        );
    }
    let random = said(&folder, "check /dev/urandom");
    assert!(
        random.starts_with("! error: /dev/urandom: not UTF-8 text (at byte "),
        "{random}"
    );
}

#[cfg(unix)]
#[test]
fn rejects_files_that_are_too_large() {
    let folder = folder("large", &[]);
    let large = fs::File::create(folder.join("large.json")).expect("a file");
    large.set_len(20 << 30).expect("a file with a hole");
    check(
        &folder,
        "check large.json",
        expect![[r#"
            ! error: large.json: larger than the limit of 1 GiB
            exit 2"#]],
    );
    fs::remove_file(folder.join("large.json")).expect("it is there");
}

/// Waiting for a pipe without a writer uses no CPU time.
#[cfg(unix)]
#[test]
fn time_limit_includes_waiting_for_a_pipe() {
    let folder = folder("pipe", &[]);
    let pipe = folder.join("pipe");
    let _ = fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let begun = Instant::now();
    let line = "plan pipe --time-limit 0.2";
    let opened = said(&folder, line);
    assert!(begun.elapsed() >= Duration::from_millis(200));
    let expected = "! gave up: time limit reached (see --time-limit); \
        a plan may still exist\nexit 3";
    assert_eq!(opened, expected);
    let silent = taskloom(&folder, "plan - --time-limit 0.2")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut silent = silent.expect("the program runs");
    let stdin = silent.stdin.take();
    let output = silent.wait_with_output().expect("the program ends");
    drop(stdin);
    assert_eq!(shown(&output), expected);
}

/// Returns many objects of one type, in a document and in planning files.
fn crowd(objects: usize) -> [(&'static str, String); 3] {
    let members = (0..objects).map(|n| format!(r#""o{n}": {{ "type": "thing" }}"#));
    let members = members.collect::<Vec<_>>().join(", ");
    let document = format!(
        r#"{{ "taskloom": 4, "types": {{ "thing": {{ "parent": "object" }} }},
        "objects": {{ {members} }} }}"#
    );
    let names: String = (0..objects).map(|n| format!("o{n} ")).collect();
    let domain = "(define (domain d) (:types thing) (:predicates (p ?x - thing))
        (:action a :parameters (?x - thing) :precondition () :effect (p ?x)))";
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {names}- thing) (:init) (:goal (p o0)))"
    );
    [
        ("crowd.json", document),
        ("d.hddl", domain.to_owned()),
        ("p.hddl", problem),
    ]
}

#[cfg(target_os = "linux")]
#[test]
fn memory_limit_includes_parsed_files() {
    let files = crowd(60_000);
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let folder = folder("crowd", &files);
    for line in ["check crowd.json", "check d.hddl p.hddl"] {
        let limited = format!("{line} --memory-limit 20M");
        assert_eq!(
            said(&folder, &limited),
            format!("! {GAVE_UP}\nexit 3"),
            "{line}"
        );
        assert_eq!(said(&folder, line), "exit 0");
    }
    let line = "check crowd.json --time-limit 0.05";
    let time = "! gave up: time limit reached (see --time-limit)\nexit 3";
    assert_eq!(said(&folder, line), time);
}

/// Each word between definitions is an error, and so is each unmatched parenthesis.
#[test]
fn shows_only_the_first_of_many_errors() {
    let files = [
        ("d.hddl", &*"(".repeat(100_000)),
        ("p.hddl", &*") x ".repeat(100_000)),
    ];
    let folder = folder("mistakes", &files);
    let said = said(&folder, "check d.hddl p.hddl");
    assert!(said.len() < 100_000, "{} bytes", said.len());
    let count = said.lines().filter(|line| line.starts_with("! error: "));
    assert_eq!(count.count(), 100);
    let last = said.lines().nth_back(1).unwrap_or_default();
    assert!(last.ends_with(" errors; 100 shown"), "{last}");
}

/// Errors are shown even after many warnings.
#[test]
fn errors_are_shown_before_warnings() {
    let scenarios = (0..150).map(|n| format!(r#""s{n}": {{}}"#));
    let scenarios = scenarios.collect::<Vec<_>>().join(", ");
    let text = format!(
        r#"{{ "taskloom": 4, "conditions": {{ "wrong": {{ "formula": "nosuch" }} }},
        "scenarios": {{ {scenarios}, "wrong": {{ "goal": "nosuch" }} }} }}"#
    );
    let folder = folder("warnings-and-an-error", &[("w.json", &*text)]);
    let said = said(&folder, "check w.json");
    let shown = |what: &str| said.lines().filter(|line| line.starts_with(what)).count();
    assert_eq!(
        (shown("! error: "), shown("! warning: ")),
        (2, 98),
        "{said}"
    );
    assert!(
        said.ends_with("! 2 errors and 150 warnings; 100 shown\nexit 2"),
        "{said}"
    );
}
