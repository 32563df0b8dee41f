//! A run as a table in chronological order.

use std::fmt::Write;

use taskloom_runtime::{Entry, Run};

use super::record::{ChangeRecord, PlanningRecord, Record, StepRecord};
use crate::show::count;
use crate::visible::escaped;

/// A line of the table.
struct Line {
    tick: String,
    end: String,
    who: String,
    what: &'static str,
    text: String,
}

const HEADS: [&str; 4] = ["tick", "end", "who", "what"];

/// Returns the table and the end of the run.
pub fn table(record: &Record, run: &Run) -> String {
    let mut lines = vec![];
    for entry in run.entries() {
        add(entry, record, &mut lines);
    }
    let widest = |head: &str, cell: fn(&Line) -> &str| {
        let cells = lines.iter().map(|line| cell(line).chars().count());
        cells.chain([head.len()]).max().unwrap_or(0)
    };
    let [tick, end, who, what] = HEADS;
    let (tick, end, who, what) = (
        widest(tick, |line| &line.tick),
        widest(end, |line| &line.end),
        widest(who, |line| &line.who),
        widest(what, |line| line.what),
    );
    let mut out = String::new();
    let mut row = |cells: [&str; 4], text: &str| {
        let [a, b, c, d] = cells;
        let row = format!("{a:>tick$}  {b:>end$}  {c:<who$}  {d:<what$}  {text}");
        let _ = writeln!(out, "{}", row.trim_end());
    };
    row(HEADS, "");
    for line in &lines {
        row([&line.tick, &line.end, &line.who, line.what], &line.text);
    }
    let _ = writeln!(out, "{}", ended(record));
    out
}

fn add(entry: Entry, record: &Record, lines: &mut Vec<Line>) {
    let name = |character: usize| {
        let character = record.characters.get(character);
        let name = character.and_then(|character| character.name.clone());
        name.unwrap_or_else(|| "-".to_owned())
    };
    let line = |tick: u32, who: String, what, text: String| Line {
        tick: tick.to_string(),
        end: String::new(),
        who,
        what,
        text: escaped(&text),
    };
    match entry {
        Entry::Event(at) => {
            let Some(event) = record.events.get(at) else {
                return;
            };
            let text = match &event.refused {
                Some(why) => format!("{}, which can't occur: {why}", event.effect),
                None if event.changes.is_empty() => {
                    format!("{}, which changes nothing", event.effect)
                }
                None => shown(&event.changes),
            };
            lines.push(line(event.tick, "world".to_owned(), "event", text));
        }
        Entry::Perception(at) => {
            if let Some(seen) = record.observations.get(at) {
                let text = shown(&seen.changes);
                lines.push(line(seen.tick, name(seen.character), "notices", text));
            }
        }
        Entry::Planning(at) => {
            if let Some(planning) = record.plannings.get(at) {
                let text = planned(planning, record);
                lines.push(line(planning.tick, name(planning.character), "plans", text));
            }
        }
        Entry::Step(at) => {
            if let Some(step) = record.steps.get(at) {
                let mut first = line(step.start, name(step.character), step.state, done(step));
                first.end = step.end.map(|end| end.to_string()).unwrap_or_default();
                lines.push(first);
                if !step.learned.is_empty() {
                    let mut learned = line(0, name(step.character), "learns", shown(&step.learned));
                    learned.tick = step.end.unwrap_or(step.start).to_string();
                    lines.push(learned);
                }
            }
        }
    }
}

fn shown(changes: &[ChangeRecord]) -> String {
    let changes: Vec<String> = changes.iter().map(ChangeRecord::shown).collect();
    changes.join(", ")
}

fn done(step: &StepRecord) -> String {
    match &step.reason {
        Some(reason) => format!("{} ({reason})", step.task),
        None => step.task.clone(),
    }
}

/// Returns the reason and the result of a planning.
fn planned(planning: &PlanningRecord, record: &Record) -> String {
    let failed = planning.failed_step.and_then(|step| record.steps.get(step));
    let why = match planning.cause {
        "start" => String::new(),
        "failure" => failed.map_or_else(String::new, |step| format!("{} failed: ", step.task)),
        "change" => "its beliefs have changed: ".to_owned(),
        "again" => "it begins again: ".to_owned(),
        "observation" => match &planning.noticed {
            Some(fact) => format!("it noticed {fact}: "),
            None => "it noticed a change: ".to_owned(),
        },
        "periodic" => "it replans periodically: ".to_owned(),
        "onward" => "it continues: ".to_owned(),
        "goal" => "its goals' values have changed: ".to_owned(),
        "retry" => "it retries a goal or a task: ".to_owned(),
        "background" => "its plan needs a task that was stopped: ".to_owned(),
        _ => "a higher-priority alternative is available: ".to_owned(),
    };
    let found = match (&planning.plan, planning.cost) {
        (Some(plan), Some(cost)) => {
            let partial = match planning.outcome {
                "partial-plan" => "a partial plan of ",
                _ => "",
            };
            let steps = count(plan.len());
            format!("{partial}{steps}, cost {cost}: {}", plan.join("; "))
        }
        _ => match (planning.outcome, &planning.reason) {
            ("no-plan", _) => "no plan exists".to_owned(),
            ("gave-up", Some(budget)) => format!("gave up: {budget} limit reached"),
            ("invalid", Some(why)) => {
                format!("internal error: the planner's plan is invalid: {why}")
            }
            (_, Some(why)) => why.clone(),
            (outcome, None) => outcome.to_owned(),
        },
    };
    why + found.trim_end_matches([':', ' '])
}

/// Returns the end of the run in words.
fn ended(record: &Record) -> String {
    let ticks = record.ticks;
    match (record.end, &record.missed) {
        ("complete", _) => format!("complete at tick {ticks}"),
        ("endless", _) => format!("endless: still going at tick {ticks}"),
        ("goal-missed", Some(part)) => {
            format!("all tasks are complete at tick {ticks}, but the goal is not met: {part}")
        }
        ("failed", _) => format!("failed at tick {ticks}: no plan"),
        ("out-of-ticks", _) => format!("cut off at tick {ticks}"),
        ("out-of-plans", _) => format!("cut off at tick {ticks}: too many plans made no progress"),
        (end, _) => format!("{end} at tick {ticks}"),
    }
}
