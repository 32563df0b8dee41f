//! Makes the vectors in conformance/, whose form is described there. `UPDATE_EXPECT=1` rewrites them, and
//! `TASKLOOM_CONFORMANCE` names a folder to which all vectors are written, with those that aren't stored.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use expect_test::expect_file;
use serde_json::{Value, json};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::log::FactValue;
use taskloom_runtime::{
    ActionStatus, Actor, Body, Log, LogLevel, Reason, Run, StepRef, TickBudget, World, simulate,
};
use testkit::counts::on_all_cores;
use testkit::domain::{EXAMPLES, example};

use crate::actors::Follows;
use crate::logs::Sink;
use crate::runs::random_document;

/// The version of the form of vectors.
const VERSION: u32 = 1;

/// The number of random documents, and that of those whose vectors are stored.
const RANDOM: u64 = 200;
const STORED: u64 = 24;

/// The last tick of a vector.
const LAST_TICK: u32 = 100;
const LAST_TICK_OF_RANDOM: u32 = 30;

/// The path of the examples from the stored vectors.
const EXAMPLES_FROM_HERE: &str = "../public/examples";

/// The maximum size of a stored vector of an example, in bytes.
const MAX_BYTES: usize = 12_000;

/// A vector. Its documentation is conformance/README.md.
struct Vector {
    /// The document, or its path.
    document: Value,
    scenario: Name,
    last_tick: u32,
    /// The values set by the game, each in JSON.
    sets: Vec<String>,
    /// The ends of actions, each in JSON.
    results: Vec<String>,
    /// The lines of the log.
    log: Vec<String>,
}

/// A body that records when its actions are over.
struct Recorder<'s> {
    inner: Follows<'s>,
    actor: usize,
    results: &'s RefCell<Vec<String>>,
}

/// The reason of all failed actions.
const FAILED: &str = "the vector says so";

impl Recorder<'_> {
    fn record(&self, step: &StepRef, status: ActionStatus) -> ActionStatus {
        let result = |failed: bool| {
            let mut result = json!({ "actor": self.actor, "start": step.id, "tick": step.tick });
            if failed {
                result["failed"] = json!(FAILED);
            }
            self.results.borrow_mut().push(result.to_string());
        };
        match status {
            ActionStatus::Running => ActionStatus::Running,
            ActionStatus::Succeeded => {
                result(false);
                ActionStatus::Succeeded
            }
            ActionStatus::Failed(_) => {
                result(true);
                ActionStatus::failed(FAILED)
            }
        }
    }
}

impl Body for Recorder<'_> {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        let status = self.inner.start(step);
        self.record(step, status)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        let status = self.inner.tick(step);
        self.record(step, status)
    }

    fn stop(&mut self, step: &StepRef, why: &Reason) {
        self.inner.stop(step, why);
    }

    fn is_simulated(&self) -> bool {
        true
    }
}

/// Plays a scenario as a game, and returns its vector. `place` is the document or its path.
fn vector(document: &Document, scenario: &Name, place: Value, last_tick: u32) -> Vector {
    let domain = Domain::from(document);
    let run: Run = simulate(&domain, scenario, Budget::default(), last_tick);
    let scene = domain.scene(scenario).expect("a scenario");
    let mut world = World::new(&domain, scenario).expect("a scenario");
    let sink = Sink::default();
    world.start_log(Log::new(document, sink.clone()).with_level(LogLevel::Decisions));
    let cast = 0..scene.cast.len();
    let actors = cast.map(|number| Actor::new(&mut world, number).expect("an actor"));
    let mut actors: Vec<Actor> = actors.collect();
    let results = RefCell::new(vec![]);
    let body = |actor| Recorder {
        inner: Follows::new(&scene.record, actor),
        actor,
        results: &results,
    };
    let mut bodies: Vec<Recorder> = (0..actors.len()).map(body).collect();
    let (mut sets, mut events) = (vec![], run.events.iter().peekable());
    for tick in 0..=run.ticks {
        world.advance_to(tick);
        while let Some(event) = events.next_if(|event| event.tick == tick) {
            for change in &event.changes {
                let set = world.set(&change.atom, change.after.clone());
                set.expect("a value of the fact");
                let value = FactValue::from(&change.after);
                let set = json!({ "tick": tick, "fact": change.atom.to_string(), "value": value });
                sets.push(set.to_string());
            }
        }
        for (actor, body) in actors.iter_mut().zip(&mut bodies) {
            actor.tick(&mut world, body, TickBudget::unlimited());
        }
    }
    drop(bodies);
    let lines = sink.bytes();
    let lines = String::from_utf8(lines).expect("a log is UTF-8");
    Vector {
        document: place,
        scenario: scenario.clone(),
        last_tick: run.ticks,
        sets,
        results: results.into_inner(),
        log: lines.lines().skip(1).map(str::to_owned).collect(),
    }
}

impl Vector {
    /// Returns its text: one line for each input and each line of the log.
    fn text(&self) -> String {
        let list = |lines: &[String]| match lines {
            [] => "[]".to_owned(),
            lines => format!("[\n{}\n]", lines.join(",\n")),
        };
        let members = [
            ("conformance", VERSION.to_string()),
            ("document", self.document.to_string()),
            ("scenario", json!(self.scenario).to_string()),
            ("last_tick", self.last_tick.to_string()),
            ("simulated", "true".to_owned()),
            ("sets", list(&self.sets)),
            ("results", list(&self.results)),
            ("log", list(&self.log)),
        ];
        let members = members.map(|(name, value)| format!("\"{name}\": {value}"));
        format!("{{\n{}\n}}\n", members.join(",\n"))
    }
}

/// Returns the vectors of all example scenarios, and those of random documents, by their names.
fn vectors() -> Vec<(String, String)> {
    let mut all = vec![];
    for file in EXAMPLES {
        let document = example(file);
        for scenario in document.scenarios.keys() {
            let place = json!(format!("{EXAMPLES_FROM_HERE}/{file}.taskloom.json"));
            let text = vector(&document, scenario, place, LAST_TICK).text();
            all.push((format!("{file}.{scenario}"), text));
        }
    }
    let scenario = Name::new("s").expect("a name");
    let random = on_all_cores(0..RANDOM, |seed| {
        let document = random_document(seed);
        let place = serde_json::from_str(&document.to_json()).expect("a document is JSON");
        let text = vector(&document, &scenario, place, LAST_TICK_OF_RANDOM).text();
        (format!("random.{seed:03}"), text)
    });
    all.extend(random);
    all
}

/// Returns `true` if a vector is stored: the others are made when they are needed.
fn is_stored(name: &str, text: &str) -> bool {
    match name.strip_prefix("random.") {
        Some(seed) => seed.parse::<u64>().is_ok_and(|seed| seed < STORED),
        None => text.len() <= MAX_BYTES,
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

#[test]
fn stored_vectors_are_current() {
    let vectors = vectors();
    let mut stored = BTreeSet::new();
    for (name, text) in &vectors {
        if is_stored(name, text) {
            let file = format!("{name}.json");
            expect_file![folder().join(&file)].assert_eq(text);
            stored.insert(file);
        }
    }
    for file in fs::read_dir(folder()).expect("the folder") {
        let name = file.expect("a file").file_name();
        let name = name.to_string_lossy().into_owned();
        let is_known = name == "README.md" || stored.contains(&name);
        assert!(
            is_known,
            "conformance/{name} is not made by this test; delete it"
        );
    }
    let size: usize = vectors
        .iter()
        .filter(|(name, text)| is_stored(name, text))
        .map(|(_, text)| text.len())
        .sum();
    assert!(stored.len() > 50, "{} vectors", stored.len());
    assert!(size < 600_000, "the stored vectors have {size} bytes");
    if let Some(folder) = env::var_os("TASKLOOM_CONFORMANCE") {
        write_all(Path::new(&folder), &vectors);
    }
}

fn write_all(target: &Path, vectors: &[(String, String)]) {
    fs::create_dir_all(target).expect("the folder can be created");
    let examples = fs::canonicalize(folder().join(EXAMPLES_FROM_HERE)).expect("the examples");
    let examples = examples.display().to_string().replace('\\', "/");
    for (name, text) in vectors {
        // The folder may be anywhere.
        let text = text.replacen(EXAMPLES_FROM_HERE, &examples, 1);
        let written = fs::write(target.join(format!("{name}.json")), text);
        written.expect("the vector can be written");
    }
}

/// The random documents have what a runtime has to support.
#[test]
fn random_documents_have_all_features() {
    let documents = (0..RANDOM).map(random_document);
    let mut counts = [0; 9];
    for document in documents {
        let text = document.to_json();
        let words = [
            "\"goals\":",
            "\"senses\":",
            "\"beliefs\":",
            "\"triggers\":",
            "\"cheapest\"",
            "\"reactive\"",
            "\"random\"",
            "\"executor\":",
            "\"crowds\":",
        ];
        for (count, word) in counts.iter_mut().zip(words) {
            *count += usize::from(text.contains(word));
        }
    }
    assert!(counts.iter().all(|count| *count >= 10), "{counts:?}");
}
