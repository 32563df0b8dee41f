//! Reading a log gives the record of the run back.

use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_runtime::{Log, LogEntry, LogFile, LogLevel, Moment, world_at};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::{EXAMPLES, example};

use super::{Sink, logged, simulate_logged};
use crate::runs::random_document;

/// Checks that the log of a run has all of it. Returns the number of lines.
fn check(document: &Document, scenario: &Name, last_tick: u32, context: &str) -> usize {
    let (log, run) = logged(document, scenario, LogLevel::All, last_tick);
    let file = LogFile::read(&log.bytes()).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert!(!file.is_torn, "{context}");
    assert_eq!(file.start.document, document.hash(), "{context}");
    let read = file.run();
    let read = read.unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(read.plans, run.plans, "{context}");
    assert_eq!(read.executed, run.executed, "{context}");
    assert_eq!(read, run, "{context}");
    // Each line is written as it was read.
    for (line, text) in file.entries.iter().zip(log.text().lines().skip(1)) {
        let written = serde_json::to_string(&line.1).expect("a line is JSON");
        assert_eq!(written, text, "{context}");
    }
    file.entries.len()
}

#[test]
fn logs_of_all_shipped_scenarios_give_the_runs_back() {
    let mut lines = 0;
    for file in EXAMPLES {
        let document = example(file);
        for scenario in document.scenarios.keys() {
            lines += check(&document, scenario, 200, &format!("{file}, {scenario}"));
        }
    }
    assert!(lines > 1_500, "{lines} lines");
}

#[test]
fn logs_of_random_runs_give_the_runs_back() {
    let scenario = Name::new("s").expect("a name");
    let cases = seeds(2_000);
    let lines = on_all_cores(cases.clone(), |seed| {
        check(
            &random_document(seed),
            &scenario,
            40,
            &format!("seed {seed}"),
        )
    });
    let (lines, runs) = (lines.into_iter().sum::<usize>(), cases.len());
    assert!(
        is_sample() || lines > 10 * runs,
        "{lines} lines of {runs} runs"
    );
}

#[test]
fn snapshots_have_the_facts_at_the_beginning_of_their_ticks() {
    let (mut snapshots, mut values) = (0, 0);
    for file in EXAMPLES {
        let document = example(file);
        let domain = Domain::from(&document);
        for scenario in document.scenarios.keys() {
            let sink = Sink::default();
            let log = Log::new(&document, sink.clone()).with_snapshot_interval(Some(3));
            let run = simulate_logged(&document, scenario, log, 200);
            let scene = domain.scene(scenario).expect("a scenario");
            let read = LogFile::read(&sink.bytes()).expect("a log");
            for (_, entry) in &read.entries {
                let LogEntry::Snapshot(snapshot) = entry else {
                    continue;
                };
                let moment = match snapshot.tick.checked_sub(1) {
                    Some(before) => Moment::Tick(before),
                    None => Moment::Start,
                };
                let world = world_at(&domain, scene, &run, moment);
                for (atom, value) in world.assigned_atoms() {
                    let logged = snapshot.facts.get(&atom.to_string());
                    let logged = logged.map(|value| value.to_string());
                    let is_default = world.unset(&atom) == value;
                    let text = value.to_string();
                    let (tick, logged) = (snapshot.tick, logged.as_ref());
                    assert!(
                        logged == Some(&text) || is_default && logged.is_none(),
                        "{file}, {scenario}, tick {tick}: {atom} is {logged:?}, not {text}"
                    );
                    values += 1;
                }
                snapshots += 1;
            }
        }
    }
    assert!(snapshots > 150 && values > 2_000, "{snapshots}, {values}");
}
