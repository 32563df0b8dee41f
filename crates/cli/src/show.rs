//! Plans and traces as text.

use std::fmt::Write;

use taskloom::planner::plan::{Atom, Plan, Trace, TraceEvent, TraceKind, Value};

/// The steps, one a line, and their cost.
pub fn steps(plan: &Plan) -> String {
    let mut out = String::new();
    let width = plan.steps.len().to_string().len();
    for (number, step) in plan.steps.iter().enumerate() {
        let _ = writeln!(out, "{:>width$}  {}", number + 1, step.task);
    }
    let _ = writeln!(out, "{}, cost {}", count(plan.steps.len()), plan.cost);
    out
}

/// So many steps, in words.
pub fn count(steps: usize) -> String {
    match steps {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    }
}

/// What a search did, one event a line, indented below the event in whose course it happened.
pub fn trace(trace: &Trace) -> String {
    let mut out = String::new();
    let mut depths: Vec<usize> = vec![];
    for event in &trace.events {
        let above = event.parent.and_then(|parent| depths.get(parent));
        let depth = above.map_or(0, |depth| depth + 1);
        depths.push(depth);
        let indent = "  ".repeat(depth);
        let _ = writeln!(out, "{indent}{}: {}", event.task, happened(event));
    }
    if trace.dropped > 0 {
        let _ = writeln!(out, "and {} more events", trace.dropped);
    }
    out
}

/// What a condition read: `, for box_open is false`.
fn seen(saw: &[(Atom, Value)]) -> String {
    let saw: Vec<String> = saw.iter().map(|(a, v)| format!("{a} is {v}")).collect();
    match saw.as_slice() {
        [] => String::new(),
        saw => format!(", for {}", saw.join(", ")),
    }
}

fn happened(event: &TraceEvent) -> String {
    match &event.kind {
        TraceKind::Task => format!("next, after {}", count(event.step)),
        TraceKind::Alternative { label, .. } if label.is_empty() => "tries its method".to_owned(),
        TraceKind::Alternative { label, .. } => format!("tries {label}"),
        TraceKind::Failed { conjunct, saw, .. } => format!("fails: {conjunct}{}", seen(saw)),
        TraceKind::Backtrack => "goes back".to_owned(),
        TraceKind::Inapplicable { why, saw } => format!("fails: {why}{}", seen(saw)),
        TraceKind::NoObject { of, .. } => format!("fails: there is no object of type {of}"),
        TraceKind::GoalFailed { conjunct, saw } => {
            format!(
                "the tasks are done, but the goal does not hold: {conjunct}{}",
                seen(saw)
            )
        }
        TraceKind::Pruned(why) => why.to_string(),
    }
}
