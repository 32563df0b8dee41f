//! A task of which only the same task remains: only the inner one is under way then.

use taskloom_document::BlockId;

use super::domain::Domain;
use super::names::Ground;
use super::open::Left;
use super::options::options;

/// A task directly below another one: it is under way, or open.
#[derive(Clone, PartialEq)]
struct Below {
    id: (usize, usize),
    task: Ground,
    block: Option<BlockId>,
    is_open: bool,
}

fn below(left: &Left, depth: usize) -> Below {
    match left.above.get(depth) {
        Some(link) => Below {
            id: link.id,
            task: link.task,
            block: link.block.clone(),
            is_open: false,
        },
        None => Below {
            id: left.id,
            task: left.task,
            block: left.block.clone(),
            is_open: true,
        },
    }
}

/// Returns open tasks without the tasks above them of which only the same task remains.
pub fn collapsed(domain: &Domain, mut all: Vec<Left>) -> Vec<Left> {
    let mut depth = 0;
    while all.iter().any(|left| left.above.len() > depth) {
        let at_depth = all.iter().filter_map(|left| left.above.get(depth));
        let mut ids: Vec<(usize, usize)> = at_depth.map(|link| link.id).collect();
        ids.dedup();
        for id in ids {
            let is_part = |left: &Left| left.above.get(depth).is_some_and(|link| link.id == id);
            let parts: Vec<&Left> = all.iter().filter(|left| is_part(left)).collect();
            let last = last_alike(domain, &parts, depth);
            for left in all.iter_mut().filter(|left| is_part(left)) {
                leave_out(left, depth, last);
            }
        }
        depth += 1;
    }
    all
}

/// Returns the depth of the lowest task that is all that remains of the one at a depth above these open
/// tasks, and the same task.
fn last_alike(domain: &Domain, parts: &[&Left], depth: usize) -> usize {
    let first = parts[0];
    let task = first.above[depth].task;
    let options_at = |depth: usize| {
        let parent = first.above.get(depth.checked_sub(1)?)?;
        Some(options(
            domain,
            parent.task,
            below(first, depth).block.as_ref()?,
        ))
    };
    let mut found = depth;
    if options_at(depth).is_some_and(|options| options.on_abort.is_some()) {
        return found;
    }
    for lower in depth + 1.. {
        let only = below(first, lower);
        if parts.iter().any(|part| below(part, lower) != only) {
            break;
        }
        let has_limits = options_at(lower).is_some_and(|options| {
            let is_limited = options.timeout.is_some() || options.retry.is_some();
            is_limited || options.on_abort.is_some()
        });
        if has_limits {
            break;
        }
        if only.task == task {
            found = lower;
        } else if !domain.tasks[only.task.task].integrity.is_empty() {
            break;
        }
        if only.is_open {
            break;
        }
    }
    found
}

/// Leaves out the tasks above an open one from a depth on to another. The block and the start are those of
/// the first one.
fn leave_out(left: &mut Left, depth: usize, last: usize) {
    if depth == last {
        return;
    }
    let outer = left.above[depth].clone();
    match left.above.get_mut(last) {
        Some(inner) => {
            inner.block = outer.block;
            inner.start = outer.start;
        }
        None => left.block = outer.block,
    }
    left.above.drain(depth..last.min(left.above.len()));
}
