//! Plans and traces as text.

use std::fmt::Write;

use taskloom_planner::explain::no_answer;
use taskloom_planner::plan::{Atom, Plan, Trace, TraceEvent, TraceKind, Value};

/// Returns the steps, one per line, and their cost.
pub fn steps(plan: &Plan) -> String {
    let mut out = String::new();
    let width = plan.steps.len().to_string().len();
    for (number, step) in plan.steps.iter().enumerate() {
        let _ = writeln!(out, "{:>width$}  {}", number + 1, step.task);
    }
    let _ = writeln!(out, "{}, cost {}", count(plan.steps.len()), plan.cost);
    out
}

/// Returns a number of steps in words.
pub fn count(steps: usize) -> String {
    match steps {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    }
}

/// Returns the events of a search, one per line, each indented below its parent.
pub fn trace(trace: &Trace) -> String {
    let mut out = String::new();
    let mut depths: Vec<usize> = vec![];
    for event in &trace.events {
        let above = event.parent.and_then(|parent| depths.get(parent));
        let depth = above.map_or(0, |depth| depth + 1);
        depths.push(depth);
        let indent = "  ".repeat(depth);
        let _ = writeln!(out, "{indent}{}: {}", event.task, describe(event));
    }
    if trace.dropped > 0 {
        let _ = writeln!(out, "and {} more events", trace.dropped);
    }
    out
}

/// Returns the facts that a condition read: `, because box_open is false`.
fn reason(saw: &[(Atom, Value)]) -> String {
    let saw: Vec<String> = saw.iter().map(|(a, v)| format!("{a} is {v}")).collect();
    match saw.as_slice() {
        [] => String::new(),
        saw => format!(", because {}", saw.join(", ")),
    }
}

fn describe(event: &TraceEvent) -> String {
    match &event.kind {
        TraceKind::Task { .. } => format!("next, after {}", count(event.step)),
        TraceKind::Alternative { label, .. } if label.is_empty() => "tries its method".to_owned(),
        TraceKind::Alternative { label, .. } => format!("tries {label}"),
        TraceKind::Failed { conjunct, saw, .. } => format!("fails: {conjunct}{}", reason(saw)),
        TraceKind::Backtrack => "backtracks".to_owned(),
        TraceKind::Inapplicable { why, saw } => format!("fails: {why}{}", reason(saw)),
        TraceKind::NoObject { of, .. } => format!("fails: there is no object of type {of}"),
        TraceKind::NoAnswer { query, of, .. } => format!("fails: {}", no_answer(query, of)),
        TraceKind::GoalFailed { conjunct, saw } => {
            format!(
                "the tasks are done, but the goal is not met: {conjunct}{}",
                reason(saw)
            )
        }
        TraceKind::Pruned { why, .. } => why.to_string(),
    }
}
