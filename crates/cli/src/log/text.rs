//! A log as a table, one row for each of its lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use taskloom_runtime::log::{
    EndEntry, FactChange, LoggedActor, LoggedEnd, PlanCause, PlanEntry, PlanOutcome, StepEntry,
    StepState,
};
use taskloom_runtime::{LogEntry, LogFile, LogLevel};

use super::{actors, name};
use crate::show::count;
use crate::visible::escaped;

/// A row of the table.
struct Row {
    tick: String,
    who: String,
    what: &'static str,
    text: String,
}

/// Returns the table. Lines about the log itself, such as snapshots, have no row.
pub fn table(log: &LogFile) -> String {
    let start = &log.start;
    let level = match start.level {
        LogLevel::Off => "nothing",
        LogLevel::Decisions => "decisions",
        LogLevel::All => "everything",
    };
    let title = match start.title.is_empty() {
        true => "untitled",
        false => &*start.title,
    };
    let mut out = format!("{}, scenario {}: {level}\n", escaped(title), start.scenario);
    let actors = actors(log);
    let rows: Vec<Row> = log
        .entries
        .iter()
        .filter_map(|(_, entry)| row(entry, &actors))
        .collect();
    let widest = |head: &str, cell: fn(&Row) -> &str| {
        let cells = rows.iter().map(|row| cell(row).chars().count());
        cells.chain([head.len()]).max().unwrap_or(0)
    };
    let tick = widest("tick", |row| &row.tick);
    let who = widest("who", |row| &row.who);
    let what = widest("what", |row| row.what);
    let _ = writeln!(out, "{:>tick$}  {:<who$}  what", "tick", "who");
    for row in &rows {
        let Row {
            tick: at,
            who: name,
            what: does,
            text,
        } = row;
        let line = format!(
            "{at:>tick$}  {name:<who$}  {does:<what$}  {}",
            escaped(text)
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if log.is_torn {
        out.push_str("the last line is torn\n");
    }
    out
}

fn row(entry: &LogEntry, actors: &BTreeMap<usize, &LoggedActor>) -> Option<Row> {
    let (what, text) = match entry {
        LogEntry::Start(_) | LogEntry::Snapshot(_) | LogEntry::ActorSnapshot(_) => return None,
        LogEntry::Actor(_) => ("appears", String::new()),
        LogEntry::Event(event) => (
            "event",
            match &event.refused {
                Some(why) => format!("event {} can't occur: {why}", event.event),
                None => changes(&event.changes),
            },
        ),
        LogEntry::Set(set) => ("set", set.change.to_string()),
        LogEntry::Object(object) => match &object.of {
            Some(of) => ("added", format!("{}: {of}", object.object)),
            None => ("removed", object.object.clone()),
        },
        LogEntry::Sense(sense) => ("notices", changes(&sense.changes)),
        LogEntry::Plan(plan) => ("plans", planned(plan)),
        LogEntry::Step(step) => stepped(step),
        LogEntry::Refused(refused) => ("refuses", refused.text.clone()),
        LogEntry::Say(said) => ("says", said.text.clone()),
        LogEntry::End(end) => ("end", ended(end)),
    };
    Some(Row {
        tick: entry.tick().to_string(),
        who: match entry.actor() {
            Some(number) => name(actors, number),
            None => "world".to_owned(),
        },
        what,
        text,
    })
}

fn changes(changes: &[FactChange]) -> String {
    let changes: Vec<String> = changes.iter().map(FactChange::to_string).collect();
    changes.join(", ")
}

/// Returns the cause of a planning in words.
pub fn cause(plan: &PlanEntry) -> String {
    match (plan.cause, &plan.noticed) {
        (PlanCause::Start, _) => "it begins".to_owned(),
        (PlanCause::Failure, _) => "a step failed".to_owned(),
        (PlanCause::Change, _) => "its beliefs have changed".to_owned(),
        (PlanCause::Again, _) => "it begins again".to_owned(),
        (PlanCause::Observation, Some(fact)) => format!("it noticed {fact}"),
        (PlanCause::Observation, None) => "it noticed a change".to_owned(),
        (PlanCause::Periodic, _) => "it replans periodically".to_owned(),
        (PlanCause::Onward, _) => "it continues".to_owned(),
        (PlanCause::Goal, _) => "its goals' values have changed".to_owned(),
        (PlanCause::Retry, _) => "it retries a goal or a task".to_owned(),
        (PlanCause::Alternative, _) => "a higher-priority alternative is available".to_owned(),
        (PlanCause::Background, _) => "its plan needs a task that was stopped".to_owned(),
    }
}

/// Returns the result of a planning in words.
pub fn outcome(plan: &PlanEntry) -> String {
    let why = plan.why.as_deref().unwrap_or("unknown");
    match (plan.outcome, &plan.plan) {
        (PlanOutcome::Plan, Some(found)) => {
            let steps: Vec<&str> = found.steps.iter().map(|step| &*step.task).collect();
            let text = format!(
                "{}, cost {}: {}",
                count(steps.len()),
                found.cost,
                steps.join("; ")
            );
            text.trim_end_matches([':', ' ']).to_owned()
        }
        (PlanOutcome::Plan, None) => "a plan".to_owned(),
        (PlanOutcome::NoPlan, _) => "no plan exists".to_owned(),
        (PlanOutcome::GaveUp, _) => format!("gave up: {why} limit reached"),
        (PlanOutcome::Stopped, _) => "stopped".to_owned(),
        (PlanOutcome::NotPlanned, _) => "a task is invalid, so nothing was planned".to_owned(),
        (PlanOutcome::Invalid, _) => {
            format!("internal error: the planner's plan is invalid: {why}")
        }
    }
}

fn planned(plan: &PlanEntry) -> String {
    let mut text = format!("{}: {}", cause(plan), outcome(plan));
    for goal in plan.goals.iter().filter(|goal| !goal.is_true) {
        if let Some(value) = goal.value {
            let _ = write!(text, " [{} = {value}]", goal.goal);
        }
    }
    if let Some(effort) = plan.effort {
        let (decisions, time) = (effort.decisions, effort.microseconds);
        let _ = write!(text, " ({decisions} decisions, {time} µs)");
    }
    text
}

fn stepped(step: &StepEntry) -> (&'static str, String) {
    let what = match step.state {
        StepState::Started => "starts",
        StepState::Acted => "acts",
        StepState::Running => "continues",
        StepState::Succeeded => "completes",
        StepState::Failed => "fails",
        StepState::Stopped => "stops",
    };
    let mut text = step.task.clone();
    if let Some(reason) = &step.reason {
        let reason = reason.read().map(|reason| reason.to_string());
        let _ = write!(text, " ({})", reason.unwrap_or_else(|why| why));
    }
    // What it changed at an earlier tick has a row of its own.
    let is_news = step.acted == Some(step.tick) && step.state != StepState::Running;
    let parts = [
        (is_news, &step.changes),
        (is_news || step.acted.is_none(), &step.learned),
    ];
    let parts = parts.into_iter().filter(|(is_news, _)| *is_news);
    let parts: Vec<String> = parts
        .flat_map(|(_, all)| all)
        .map(FactChange::to_string)
        .collect();
    if !parts.is_empty() {
        let _ = write!(text, ": {}", parts.join(", "));
    }
    (what, text)
}

fn ended(end: &EndEntry) -> String {
    match (end.end, &end.missed) {
        (LoggedEnd::Complete, _) => "complete".to_owned(),
        (LoggedEnd::GoalMissed, Some(part)) => format!("the goal is not met: {part}"),
        (LoggedEnd::GoalMissed, None) => "the goal is not met".to_owned(),
        (LoggedEnd::Failed, _) => "failed: no plan".to_owned(),
        (LoggedEnd::OutOfTicks, _) => "cut off".to_owned(),
        (LoggedEnd::OutOfPlans, _) => "cut off: too many plans made no progress".to_owned(),
        (LoggedEnd::Endless, _) => "endless: still going".to_owned(),
        (LoggedEnd::Stopped, _) => "stopped".to_owned(),
    }
}
