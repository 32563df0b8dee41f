//! The plan format of classical planners: one action per line, as Fast Downward and VAL write it.
//!
//! ```text
//! (pick-up b1)
//! 1.000: (stack b1 b2) [1.000]     with a time and a duration
//! ; cost = 2 (unit cost)
//! ```

use super::SyntaxError;
use super::ast::Ident;
use super::plan_file::{PlannedAction, ReadPlan};
use taskloom_document::diagnostic::Span;
use taskloom_document::sort::CompactSort;
use taskloom_document::stop::Stop;

/// A line's text without its comment, and its offset.
type Line<'t> = (usize, &'t str);

fn lines(text: &str) -> impl Iterator<Item = (Line<'_>, bool)> {
    let mut at = 0;
    text.split_inclusive(['\n', '\r']).map(move |line| {
        let start = at;
        at += line.len();
        let code = line.split(';').next().unwrap_or_default();
        let trimmed = code.trim_start();
        let start = start + code.len() - trimmed.len();
        ((start, trimmed.trim_end()), line.contains(';'))
    })
}

/// Returns the time before an action, and the length of its text with the colon.
fn time(code: &str) -> Option<(f64, usize)> {
    let (time, _) = code.split_once(':')?;
    let value = time.trim().parse::<f64>().ok()?;
    value.is_finite().then_some((value, time.len() + 1))
}

/// Returns `true` if a text is a plan in this format: its first line that isn't blank or a comment
/// is an action, or it has only comments.
pub fn is_step_list(text: &str, stop: &Stop) -> bool {
    let mut has_comment = false;
    for ((_, code), is_commented) in lines(text) {
        if stop.after(1) {
            return false;
        }
        has_comment |= is_commented;
        if !code.is_empty() {
            let from = time(code).map_or(0, |(_, length)| length);
            let rest = code.get(from..).unwrap_or_default();
            return rest.trim_start().starts_with('(');
        }
    }
    has_comment
}

/// Reads a plan in this format. Its actions are numbered, and all are initial tasks. Actions with
/// times are sorted by them.
pub fn read_step_list(text: &str, stop: &Stop) -> ReadPlan {
    let mut read = ReadPlan {
        is_step_list: true,
        ..ReadPlan::default()
    };
    let mut steps: Vec<(f64, Vec<Ident>)> = vec![];
    for ((start, code), _) in lines(text) {
        if stop.after(1 + code.len() / 16) {
            break;
        }
        if code.is_empty() {
            continue;
        }
        let (at, length) = time(code).unwrap_or_else(|| {
            // Without a time, an action follows the previous one.
            (steps.last().map_or(0.0, |(at, _)| *at), 0)
        });
        let rest = code.get(length..).unwrap_or_default();
        match action(rest, start + length) {
            Ok(task) => steps.push((at, task)),
            Err(error) => read.errors.push(error),
        }
    }
    steps.compact_sort_by(|a, b| a.0.total_cmp(&b.0));
    read.plan.steps = (0..)
        .zip(steps)
        .map(|(id, (_, task))| PlannedAction { id, task })
        .collect();
    read.plan.roots = read.plan.steps.iter().map(|step| step.id).collect();
    read
}

/// Reads `(name arguments)` with an optional duration in brackets.
fn action(code: &str, start: usize) -> Result<Vec<Ident>, SyntaxError> {
    let error = |from: usize, length: usize, message: String| SyntaxError {
        span: Span::new(start + from, start + from + length),
        message,
    };
    let open = code.len() - code.trim_start().len();
    let expected = |from: usize, what: &str| {
        let rest = code.get(from..).unwrap_or_default();
        let found = rest
            .split_whitespace()
            .next()
            .unwrap_or("the end of the line");
        let at = from + rest.len() - rest.trim_start().len();
        let shown = if rest.trim().is_empty() {
            found.to_owned()
        } else {
            format!("'{found}'")
        };
        error(
            at,
            found.len().min(code.len() - at),
            format!("expected {what}, found {shown}"),
        )
    };
    if code.get(open..).is_none_or(|rest| !rest.starts_with('(')) {
        return Err(expected(open, "an action such as '(drive truck depot)'"));
    }
    let Some(close) = code.find(')') else {
        return Err(expected(code.len(), "')'"));
    };
    let inner = code.get(open + 1..close).unwrap_or_default();
    let mut words = vec![];
    let mut at = open + 1;
    for word in inner.split_inclusive(char::is_whitespace) {
        let name = word.trim();
        if name.contains('(') {
            return Err(expected(at, "a name"));
        }
        if !name.is_empty() {
            let span = Span::new(start + at, start + at + name.len());
            words.push(Ident::new(name.into(), span));
        }
        at += word.len();
    }
    if words.is_empty() {
        return Err(expected(close, "the name of an action"));
    }
    let rest = code.get(close + 1..).unwrap_or_default().trim();
    let is_duration = rest.starts_with('[') && rest.ends_with(']');
    if !rest.is_empty() && !is_duration {
        return Err(expected(
            close + 1,
            "a duration such as '[1.0]' or the end of the line",
        ));
    }
    Ok(words)
}
