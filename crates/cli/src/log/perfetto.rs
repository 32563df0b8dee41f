//! A log in the trace event format, which Perfetto and Chrome's trace viewer open: a process for the run, a
//! thread for each actor, a slice for each step below those of its compound tasks, and an instant for each
//! planning, observation and event.

mod slices;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use taskloom_runtime::{LogEntry, LogFile};

use super::text::{cause, outcome};
use super::{actors, name};
use slices::{Slice, slices};

/// The length of a tick in microseconds, if the game has not specified a tick rate.
const TICK: f64 = 1_000.0;

/// The thread of the world. Those of the actors follow.
const WORLD: usize = 0;

/// The number of threads of each actor: its steps may run in parallel.
const LANES: usize = 100;

#[derive(Serialize)]
struct Trace {
    #[serde(rename = "traceEvents")]
    events: Vec<Value>,
    #[serde(rename = "displayTimeUnit")]
    unit: &'static str,
}

/// Returns the text of a trace.
pub fn trace(log: &LogFile) -> String {
    let rate = log.start.ticks_per_second;
    let rate = rate.filter(|rate| *rate > 0.0);
    let tick = rate.map_or(TICK, |rate| 1_000_000.0 / rate);
    let time = |at: u32| f64::from(at) * tick;
    let slices = slices(log);
    let mut events = names(log, &slices);
    events.extend(slices.iter().map(|slice| shown(slice, &time)));
    let instants = log
        .entries
        .iter()
        .filter_map(|(_, entry)| instant(entry, &time));
    events.extend(instants);
    let trace = Trace { events, unit: "ms" };
    serde_json::to_string(&trace).unwrap_or_default() + "\n"
}

fn thread(actor: usize, lane: usize) -> usize {
    (actor + 1) * LANES + lane.min(LANES - 1)
}

/// Returns the names of the process and its threads.
fn names(log: &LogFile, slices: &[Slice]) -> Vec<Value> {
    let meta = |kind: &str, thread: usize, args: Value| json!({ "ph": "M", "pid": 1, "tid": thread, "name": kind, "args": args });
    let start = &log.start;
    let title = format!("{}: {}", start.title, start.scenario);
    let title = title.trim_start_matches([':', ' ']);
    let mut threads = BTreeMap::from([(WORLD, "world".to_owned())]);
    let actors = actors(log);
    for number in actors.keys() {
        threads.insert(thread(*number, 0), name(&actors, *number));
    }
    for slice in slices {
        let lane = slice.lane;
        let named = || match lane {
            0 => name(&actors, slice.actor),
            _ => format!("{} ({})", name(&actors, slice.actor), lane + 1),
        };
        threads
            .entry(thread(slice.actor, lane))
            .or_insert_with(named);
    }
    let mut all = vec![meta("process_name", WORLD, json!({ "name": title }))];
    for (thread, name) in threads {
        all.push(meta("thread_name", thread, json!({ "name": name })));
        all.push(meta(
            "thread_sort_index",
            thread,
            json!({ "sort_index": thread }),
        ));
    }
    all
}

fn shown(slice: &Slice, time: &dyn Fn(u32) -> f64) -> Value {
    let (start, end) = (time(slice.start), time(slice.end));
    json!({
        "ph": "X", "pid": 1, "tid": thread(slice.actor, slice.lane), "ts": start, "dur": end - start,
        "name": slice.task, "cat": slice.category, "args": slice.args,
    })
}

/// Returns the instant of a line, if it is shown as one.
fn instant(entry: &LogEntry, time: &dyn Fn(u32) -> f64) -> Option<Value> {
    let (category, name, args) = match entry {
        LogEntry::Plan(plan) => {
            let steps = plan.plan.iter().flat_map(|found| &found.steps);
            let steps: Vec<&str> = steps.map(|step| &*step.task).collect();
            let args = json!({
                "cause": cause(plan), "outcome": outcome(plan), "goals": plan.goals,
                "steps": steps, "rejected": plan.rejected, "effort": plan.effort,
            });
            ("plan", format!("plans: {}", cause(plan)), args)
        }
        LogEntry::Sense(sense) => {
            let facts: Vec<&str> = sense.changes.iter().map(|change| &*change.fact).collect();
            let args = json!({ "changes": sense.changes });
            ("sense", format!("notices {}", facts.join(", ")), args)
        }
        LogEntry::Event(event) => {
            let name = format!("event {}", event.event);
            (
                "event",
                name,
                json!({ "changes": event.changes, "refused": event.refused }),
            )
        }
        LogEntry::Set(set) => (
            "set",
            set.change.to_string(),
            json!({ "changes": [set.change] }),
        ),
        LogEntry::Object(object) => {
            let verb = object.of.as_ref().map_or("removed", |_| "added");
            let args = json!({ "type": object.of, "changes": object.changes });
            ("object", format!("{} {verb}", object.object), args)
        }
        LogEntry::Say(said) => ("say", said.text.clone(), json!({})),
        LogEntry::Refused(refused) => ("refused", refused.text.clone(), json!({})),
        _ => return None,
    };
    let thread = entry.actor().map_or(WORLD, |actor| thread(actor, 0));
    Some(json!({
        "ph": "i", "s": "t", "pid": 1, "tid": thread, "ts": time(entry.tick()),
        "name": name, "cat": category, "args": args,
    }))
}
