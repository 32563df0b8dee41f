//! Plans and traces as text.

use std::fmt::Write;

use taskloom_core::plan::{Plan, Trace, TraceEvent, TraceKind};

/// The steps, one a line, and their cost.
pub fn steps(plan: &Plan) -> String {
    let mut out = String::new();
    let width = plan.steps.len().to_string().len();
    for (number, step) in plan.steps.iter().enumerate() {
        let _ = writeln!(out, "{:>width$}  {}", number + 1, step.task);
    }
    let steps = match plan.steps.len() {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    let _ = writeln!(out, "{steps}, cost {}", plan.cost);
    out
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

fn happened(event: &TraceEvent) -> String {
    match &event.kind {
        TraceKind::Task => format!("next, after {} steps", event.step),
        TraceKind::Alternative { label, .. } if label.is_empty() => "tries its method".to_owned(),
        TraceKind::Alternative { label, .. } => format!("tries {label}"),
        TraceKind::Failed { conjunct, saw, .. } => {
            let saw: Vec<String> = saw.iter().map(|(a, v)| format!("{a} is {v}")).collect();
            match saw.as_slice() {
                [] => format!("fails: {conjunct}"),
                saw => format!("fails: {conjunct}, for {}", saw.join(", ")),
            }
        }
        TraceKind::Backtrack => "goes back".to_owned(),
        TraceKind::Pruned => "is cut off".to_owned(),
    }
}
