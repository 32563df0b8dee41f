//! The names and arguments in calls, without typing them.

use rustc_hash::FxHashSet;
use taskloom_document::stop::Stop;
use taskloom_document::syntax::parse_call;
use taskloom_document::{Block, Document, Name};

/// Returns the name of the task or action that a text calls, known or not.
pub fn called(call: &str) -> Option<Name> {
    parse_call(call).value.map(|reference| reference.name)
}

/// Returns the name of the task that a block calls.
pub fn called_task(block: &Block) -> Option<Name> {
    block.call().and_then(|call| called(call))
}

/// Returns the names of the tasks that a block calls: its own, and the one that cleans up after it.
pub fn called_tasks(block: &Block) -> impl Iterator<Item = Name> {
    let calls = [block.call().map(String::as_str), block.on_abort()];
    calls.into_iter().flatten().filter_map(called)
}

/// Returns the tasks that calls lead to, each once: those called, and the tasks of their methods. Ends early
/// if it is stopped.
pub fn tasks_below<'d>(
    document: &'d Document,
    called: impl IntoIterator<Item = Name>,
    stop: &'d Stop,
) -> impl Iterator<Item = Name> + 'd {
    let mut open: Vec<Name> = called.into_iter().collect();
    let mut seen: FxHashSet<Name> = open.iter().cloned().collect();
    std::iter::from_fn(move || {
        let task = open.pop().filter(|_| !stop.after(1))?;
        let method = document.compound_tasks.get(&task).map(|task| &task.method);
        let blocks = method.into_iter().flat_map(|method| method.blocks.values());
        let new = blocks.filter_map(|block| called_task(block));
        open.extend(new.filter(|task| seen.insert(task.clone())));
        Some(task)
    })
}

/// Splits a call into its name and its arguments as written. If a text isn't a call, all of it is
/// the name.
pub fn name_and_arguments(call: &str) -> (&str, &str) {
    let text = call.trim();
    let parsed = parse_call(text).value;
    let end = parsed.and_then(|reference| text.split_at_checked(reference.name_span.end as usize));
    let Some((name, rest)) = end else {
        return (text, "");
    };
    match rest.trim().strip_prefix('(') {
        Some(rest) => (name, rest.strip_suffix(')').unwrap_or(rest).trim()),
        None if rest.is_empty() => (name, ""),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_typed_calls_refer_to_their_task() {
        for text in ["walk-to(box)", " walk-to ( box", "walk-to(", "walk-to"] {
            let name = called(text).map(|name| name.to_string());
            assert_eq!(name.as_deref(), Some("walk-to"), "{text}");
        }
        assert_eq!(called(""), None);
        assert_eq!(called("(box)"), None);
    }

    #[test]
    fn arguments_keep_their_spelling() {
        assert_eq!(
            name_and_arguments("go( ?a, f(b) )"),
            ("go", "?a, f(b)"),
            "the outer brackets alone go"
        );
        assert_eq!(name_and_arguments("go"), ("go", ""));
        assert_eq!(name_and_arguments("go(?a"), ("go", "?a"));
        assert_eq!(name_and_arguments(""), ("", ""));
        assert_eq!(name_and_arguments("3 men"), ("3 men", ""));
        assert_eq!(name_and_arguments("fly home"), ("fly home", ""));
    }
}
