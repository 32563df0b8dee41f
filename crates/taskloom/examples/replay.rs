//! Replays a conformance vector and prints the log: `cargo run --example replay -- FILE`. The vectors are
//! described in conformance/README.md.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use serde_json::Value as Json;
use taskloom::{
    ActionStatus, Body, Document, Domain, Log, LogLevel, Name, Reason, StepRef, TickBudget, Value,
};

/// A body whose actions end as the vector says.
struct Recorded {
    /// By the number of the start: the tick at which the action ends, and why it fails, if it does.
    results: BTreeMap<u64, (u64, Option<String>)>,
    is_simulated: bool,
}

impl Body for Recorded {
    fn start(&mut self, step: &StepRef) -> ActionStatus {
        self.tick(step)
    }

    fn tick(&mut self, step: &StepRef) -> ActionStatus {
        match self.results.get(&step.id) {
            Some((tick, why)) if *tick <= step.tick.into() => match why {
                Some(why) => ActionStatus::failed(why),
                None => ActionStatus::Succeeded,
            },
            _ => ActionStatus::Running,
        }
    }

    fn stop(&mut self, _step: &StepRef, _why: &Reason) {}

    fn is_simulated(&self) -> bool {
        self.is_simulated
    }
}

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        memory.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Replays the vector in a file. Returns the lines of the log after the first one.
pub fn replay(path: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let vector: Json = serde_json::from_str(&fs::read_to_string(path)?)?;
    if vector["conformance"] != 1 {
        return Err("the vector has another version".into());
    }
    let text = match &vector["document"] {
        Json::String(file) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::read_to_string(folder.join(file))?
        }
        document => document.to_string(),
    };
    // Vectors have mistakes, too: all runtimes do the same in spite of them.
    let domain = Domain::unchecked(Document::from_json(&text)?);
    let scenario = vector["scenario"].as_str().ok_or("a scenario is missing")?;
    let (mut world, mut actors) = domain.play(scenario)?;
    let memory = Memory::default();
    let log = Log::new(domain.document(), memory.clone());
    world.start_log(log.with_level(LogLevel::Decisions));

    let list = |name: &str| vector[name].as_array().cloned().unwrap_or_default();
    let is_simulated = vector["simulated"] == true;
    let mut bodies: Vec<Recorded> = actors
        .iter()
        .map(|_| Recorded {
            results: BTreeMap::new(),
            is_simulated,
        })
        .collect();
    for result in list("results") {
        let number = |name: &str| result[name].as_u64().ok_or("a number is missing");
        let actor = usize::try_from(number("actor")?)?;
        let body = bodies.get_mut(actor).ok_or("there is no such actor")?;
        let why = result["failed"].as_str().map(str::to_owned);
        body.results
            .insert(number("start")?, (number("tick")?, why));
    }

    let sets = list("sets");
    let mut sets = sets.iter().peekable();
    let last = vector["last_tick"]
        .as_u64()
        .ok_or("the last tick is missing")?;
    while u64::from(world.tick()) <= last {
        while let Some(set) = sets.next_if(|set| set["tick"] == world.tick()) {
            let fact = world.atom(set["fact"].as_str().ok_or("a fact is missing")?)?;
            world.set(&fact, value(&set["value"])?)?;
        }
        for (actor, body) in actors.iter_mut().zip(&mut bodies) {
            actor.tick(&mut world, body, TickBudget::unlimited());
        }
        world.advance();
    }
    world.stop_log()?;
    let bytes = memory.0.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8(bytes.clone())?;
    Ok(text.lines().skip(1).map(str::to_owned).collect())
}

fn value(json: &Json) -> Result<Value, Box<dyn Error>> {
    Ok(match json {
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(value) => Value::Number(value.as_f64().ok_or("a number is too large")?),
        Json::String(name) => Value::Object(Some(Name::new(name)?)),
        _ => Value::Object(None),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("name the file of a vector")?;
    for line in replay(Path::new(&path))? {
        println!("{line}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replayed_vectors_have_the_expected_logs() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
        let mut replayed = 0;
        for file in fs::read_dir(folder).expect("the vectors") {
            let path = file.expect("a file").path();
            if path.extension().is_none_or(|of| of != "json") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a vector");
            let vector: Json = serde_json::from_str(&text).expect("a vector is JSON");
            let expected = vector["log"].as_array().expect("a log");
            let lines = replay(&path);
            let lines = lines.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(lines.len(), expected.len(), "{}", path.display());
            for (line, expected) in lines.iter().zip(expected) {
                let line: Json = serde_json::from_str(line).expect("a line is JSON");
                assert_eq!(line, *expected, "{}", path.display());
            }
            replayed += 1;
        }
        assert!(replayed > 50, "{replayed} vectors");
    }

    #[test]
    fn a_missing_file_is_an_error() {
        assert!(replay(Path::new("nowhere.json")).is_err());
    }
}
