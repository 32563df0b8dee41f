//! Reading damaged and foreign logs.

use std::io::{self, Write};

use expect_test::{Expect, expect};
use taskloom_document::Document;
use taskloom_domain::Domain;
use taskloom_runtime::{Actor, ByDurations, Log, LogFile, LogLevel, TickBudget, World};
use testkit::domain::example;

use super::{logged, name};

fn lines() -> Vec<String> {
    let document = example("ball-in-the-box");
    let scenario = name("case-5-the-box-slams-shut");
    let (log, _) = logged(&document, &scenario, LogLevel::All, 200);
    log.text().lines().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_log_that_is_cut_off_anywhere_has_all_its_complete_lines() {
    let text = lines().concat();
    let first = text.find('\n').expect("a line") + 1;
    let whole = LogFile::read(text.as_bytes()).expect("a log");
    let record = whole.run().expect("a run");
    let mut torn = 0;
    let cuts: Vec<usize> = (first..=text.len()).step_by(7).collect();
    for &cut in &cuts {
        let bytes = &text.as_bytes()[..cut];
        let read = LogFile::read(bytes).unwrap_or_else(|error| panic!("{cut}: {error}"));
        assert_eq!(read.entries, whole.entries[..read.entries.len()], "{cut}");
        let breaks = bytes.iter().filter(|byte| **byte == b'\n').count();
        // A line without its line break counts if it is complete.
        let complete = read.entries.len() + 1;
        assert!(complete == breaks || complete == breaks + 1, "{cut}");
        assert!(!read.is_torn || complete == breaks, "{cut}");
        torn += usize::from(read.is_torn);
        let run = read.run().unwrap_or_else(|error| panic!("{cut}: {error}"));
        assert_eq!(run.plans, record.plans[..run.plans.len()], "{cut}");
    }
    assert!(torn > cuts.len() / 2, "{torn} of {}", cuts.len());
}

fn check(text: &str, expected: Expect) {
    let read = LogFile::read(text.as_bytes());
    let error = read.and_then(|file| file.run()).expect_err("an error");
    expected.assert_eq(&error.to_string());
}

#[test]
fn errors_have_their_line_and_a_reason() {
    let lines = lines();
    let start = &lines[0];
    check(
        "",
        expect!["line 1: the first line of the log is missing or torn"],
    );
    check(
        start.trim_end(),
        expect!["line 1: the first line of the log is missing or torn"],
    );
    check(
        "hello\n",
        expect!["line 1: this is not a log: its first line has no format version"],
    );
    check(
        "{\"taskloom\": 2}\n",
        expect!["line 1: this is not a log: its first line has no format version"],
    );
    check(
        &start.replace("\"format\":1", "\"format\":2"),
        expect!["line 1: the log has format 2, but only format 1 can be read"],
    );
    check(
        &format!("{start}\n\n{{}}\n"),
        expect!["line 4: missing field `entry` at column 2"],
    );
    check(
        &format!("{start}{{\"entry\":\"sense\",\"tick\":1}}\n"),
        expect!["line 2: missing field `actor`"],
    );
    check(
        &format!("{start}{{\"entry\":\"sing\",\"tick\":1}}\n"),
        expect![
            "line 2: unknown variant `sing`, expected one of `start`, `actor`, `snapshot`, `actor-snapshot`, `event`, `set`, `object`, `sense`, `plan`, `step`, `refused`, `say`, `end` at column 15"
        ],
    );
    check(
        &format!("{start}{start}"),
        expect!["line 2: another log begins here; split the file before this line"],
    );
    check(
        &format!("{start}\u{fffd}\n"),
        expect!["line 2: expected value at column 1"],
    );
    let line = |entry: &str| {
        let marker = format!("{{\"entry\":\"{entry}\"");
        let line = lines.iter().find(|line| line.starts_with(&marker));
        line.expect("a line of this kind")
    };
    let (plan, step) = (line("plan"), line("step"));
    let damaged = plan.replace("walk-to(box)", "walk-to(box");
    check(
        &format!("{start}{damaged}"),
        expect!["line 2: 'walk-to(box' has no closing parenthesis"],
    );
    let damaged = plan.replace("\"roots\":[0", "\"roots\":[77");
    check(
        &format!("{start}{damaged}"),
        expect!["line 2: a plan is damaged"],
    );
    let damaged = step.replace("\"plan\":0", "\"plan\":7");
    check(
        &format!("{start}{plan}{damaged}"),
        expect!["line 3: actor 0 has no planning 7 before this line"],
    );
    let damaged = step.replace("\"started\"", "\"acted\"");
    check(
        &format!("{start}{plan}{damaged}"),
        expect!["line 3: walk-to(box) hasn't started before this line"],
    );
    check(
        &start.replace("\"all\"", "\"decisions\""),
        expect!["line 1: the log has only decisions; write it with the level 'all'"],
    );
}

/// A file on a full disk.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(bytes.len()) {
            Some(left) => {
                self.0 = left;
                Ok(bytes.len())
            }
            None => Err(io::Error::other("the disk is full")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_game_goes_on_if_its_log_cannot_be_written() {
    let document: Document = example("ball-in-the-box");
    let scenario = name("case-1-box-open");
    let mut world = World::new(&Domain::from(&document), &scenario).expect("a scenario");
    world.start_log(Log::new(&document, Full(2_000)));
    assert!(world.log_error().is_none());
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    for _ in 0..20 {
        actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
        world.advance();
    }
    assert!(world.holds("has(ball)").expect("a fact"));
    let error = world.log_error().map(ToString::to_string);
    assert_eq!(error.as_deref(), Some("the disk is full"));
    let error = world.stop_log().expect_err("the same error");
    assert_eq!(error.to_string(), "the disk is full");
    assert!(world.stop_log().is_ok(), "no log, no error");
}
