//! Logs: what they have, that reading one gives the run's record back, and that a game writes the same log
//! as the simulator.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use expect_test::{Expect, expect, expect_file};
use taskloom_document::stop::Stop;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Log, LogEntry, LogFile, LogLevel, Next, Run, Simulation, default_planner};
use testkit::domain::example;

mod games;
mod read;
mod records;
mod scenario;

/// A file in memory.
#[derive(Clone, Default)]
pub struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    /// Returns what was written.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().expect("no writer panics").clone()
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes()).expect("a log is UTF-8")
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Simulates a scenario with a log. Returns the record of the run.
pub fn simulate_logged(document: &Document, scenario: &Name, log: Log, last_tick: u32) -> Run {
    let domain = Domain::from(document);
    let problem = compile(&domain, scenario);
    let simulation = Simulation::new(&domain, scenario, &problem, None, last_tick);
    let mut simulation = simulation.expect("a scenario");
    simulation.start_log(log);
    let mut plan = default_planner(Budget::default());
    loop {
        match simulation.step() {
            Next::More => {}
            Next::Plan(problem) => simulation.planned(plan(&problem), &Stop::default()),
            Next::Ended(run) => {
                simulation.stop_log().expect("memory doesn't fail");
                return *run;
            }
        }
    }
}

/// Returns the log of a scenario, and the record of the run.
pub fn logged(
    document: &Document,
    scenario: &Name,
    level: LogLevel,
    last_tick: u32,
) -> (Sink, Run) {
    let sink = Sink::default();
    let log = Log::new(document, sink.clone()).with_level(level);
    let run = simulate_logged(document, scenario, log, last_tick);
    (sink, run)
}

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn check(level: LogLevel, expected: Expect) {
    let document = example("ball-in-the-box");
    let scenario = name("case-5-the-box-slams-shut");
    let (log, _) = logged(&document, &scenario, level, 200);
    expected.assert_eq(&log.text().replace(&document.hash(), "HASH"));
}

#[test]
fn log_of_everything_matches_the_golden_file() {
    let document = example("ball-in-the-box");
    let scenario = name("case-5-the-box-slams-shut");
    let (log, _) = logged(&document, &scenario, LogLevel::All, 200);
    expect_file!["case-5-the-box-slams-shut.jsonl"].assert_eq(&log.text());
}

#[test]
fn log_of_decisions_has_plans_and_steps() {
    check(
        LogLevel::Decisions,
        expect![[r#"
        {"entry":"start","format":1,"level":"decisions","title":"The ball in the box","document":"HASH","scenario":"case-5-the-box-slams-shut","tick":0,"actors":[{"number":0,"name":"robot","agent":"robot"}]}
        {"entry":"plan","tick":0,"actor":0,"number":0,"cause":"start","outcome":"plan","plan":{"cost":2,"steps":[{"task":"walk-to(box)","cost":1,"path":[{"task":"get-ball","block":"ajj9z3uc"}]},{"task":"take-ball","cost":1,"after":[0],"path":[{"task":"get-ball","block":"p7kmphat"}]}]}}
        {"entry":"step","tick":0,"actor":0,"state":"started","task":"walk-to(box)","plan":0,"step":0,"start":0}
        {"entry":"step","tick":3,"actor":0,"state":"succeeded","task":"walk-to(box)","plan":0,"step":0,"number":0,"start":0}
        {"entry":"step","tick":3,"actor":0,"state":"started","task":"take-ball","plan":0,"step":1,"start":3}
        {"entry":"step","tick":4,"actor":0,"state":"failed","task":"take-ball","plan":0,"step":1,"number":1,"start":3,"reason":{"kind":"integrity","task":"take-ball","rule":"box_open"}}
        {"entry":"plan","tick":5,"actor":0,"number":1,"cause":"failure","failed_step":1,"outcome":"plan","plan":{"cost":2,"steps":[{"task":"open-box","cost":1,"path":[{"task":"get-ball","block":"iwharp3n"}]},{"task":"take-ball","cost":1,"after":[0],"path":[{"task":"get-ball","block":"fq8a2nik"}]}]}}
        {"entry":"step","tick":5,"actor":0,"state":"started","task":"open-box","plan":1,"step":0,"start":5}
        {"entry":"step","tick":6,"actor":0,"state":"succeeded","task":"open-box","plan":1,"step":0,"number":2,"start":5}
        {"entry":"step","tick":6,"actor":0,"state":"started","task":"take-ball","plan":1,"step":1,"start":6}
        {"entry":"step","tick":8,"actor":0,"state":"succeeded","task":"take-ball","plan":1,"step":1,"number":3,"start":6}
        {"entry":"end","tick":8,"end":"complete"}
    "#]],
    );
}

#[test]
fn nothing_is_written_at_level_off() {
    check(LogLevel::Off, expect![[""]]);
}

#[test]
fn a_log_changes_nothing_and_is_deterministic() {
    let document = example("hunter");
    for scenario in document.scenarios.keys() {
        let (log, run) = logged(&document, scenario, LogLevel::All, 200);
        let (again, same) = logged(&document, scenario, LogLevel::All, 200);
        assert_eq!(log.text(), again.text());
        assert_eq!(run, same);
        let domain = Domain::from(&document);
        let unlogged = taskloom_runtime::simulate(&domain, scenario, Budget::default(), 200);
        assert_eq!(run, unlogged, "{scenario}");
    }
}

#[test]
fn rejected_alternatives_have_their_first_reason_and_the_values_that_were_read() {
    let document = example("ball-in-the-box");
    let (log, _) = logged(&document, &name("case-6-no-way-in"), LogLevel::All, 200);
    let file = LogFile::read(&log.bytes()).expect("a log");
    let rejected = file.entries.iter().find_map(|(_, entry)| match entry {
        LogEntry::Plan(plan) => Some(&plan.rejected),
        _ => None,
    });
    let lines = rejected.expect("a planning").iter().map(|one| {
        let values = one.values.iter();
        let values = values.map(|(fact, value)| format!("{fact} is {value}"));
        let values: Vec<String> = values.collect();
        let task = one.task.as_deref().unwrap_or_default();
        format!("{task}: {} [{}]\n", one.why, values.join(", "))
    });
    expect![[r#"
        get-key: no ?place fits: key_at(box) is false, and 3 more [item_at(key, box) is false, item_at(key, drawer) is false, item_at(key, shed) is false, item_at(key, table) is false]
        get-hammer: no ?place fits: hammer_at(box) is false, and 3 more [item_at(hammer, box) is false, item_at(hammer, drawer) is false, item_at(hammer, shed) is false, item_at(hammer, table) is false]
    "#]]
    .assert_eq(&lines.collect::<String>());
}
