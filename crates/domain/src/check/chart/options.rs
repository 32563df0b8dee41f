//! Checks of the options of Task blocks.
//!
//! ```text
//! repeat 0        mute the block instead
//! repeat 500      more than a method can repeat
//! retry 5000      no limit in practice
//! timeout 5       of a task that takes no time, or always takes more than 5 ticks
//! ```

use crate::Domain;
use crate::calls::called_task;
use crate::records::Primitive;
use taskloom_document::{Block, BlockId, Edit, Field};

use super::super::findings::Findings;
use super::super::texts::constant;
use super::graph::Graph;

/// The maximum number of retries that counts as a limit.
const MAX_RETRY: u32 = 1_000;

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    for &(id, block) in &graph.blocks {
        let Block::Task {
            repeat,
            timeout,
            retry,
            ..
        } = block
        else {
            continue;
        };
        if let Some(times) = retry.filter(|times| *times > MAX_RETRY) {
            let message =
                format!("{times} retries are no limit in practice. Use up to {MAX_RETRY}.");
            let edit = Edit::SetBlock(
                findings.record.name.clone(),
                id.clone(),
                block.with_retry(None),
            );
            findings
                .warning("retry", Field::Block(id.clone()), message)
                .fix("Remove the limit", edit);
        }
        if let Some(times) = *repeat {
            check_repeat(findings, id, block, times);
        }
        if let Some(ticks) = *timeout {
            check_timeout(findings, id, block, ticks);
        }
    }
}

fn check_repeat(findings: &mut Findings, id: &BlockId, block: &Block, times: u32) {
    let most = Block::MAX_REPEAT;
    let (message, label, repeat) = match times {
        0 => (
            "A task can't be done 0 times. Mute the block instead.".to_owned(),
            "Do it once",
            None,
        ),
        times if times > most => (
            format!("A block can repeat its task up to {most} times, not {times}."),
            "Repeat 100 times",
            Some(most),
        ),
        _ => return,
    };
    let mended = block.with_repeat(repeat);
    let edit = Edit::SetBlock(findings.record.name.clone(), id.clone(), mended);
    findings
        .error("repeat", Field::Block(id.clone()), message)
        .fix(label, edit);
}

fn check_timeout(findings: &mut Findings, id: &BlockId, block: &Block, ticks: u32) {
    let without = |findings: &Findings| {
        let task = findings.record.name.clone();
        Edit::SetBlock(task, id.clone(), block.with_timeout(None))
    };
    let field = || Field::Block(id.clone());
    let domain = findings.domain;
    let called = called_task(block).and_then(|name| domain.primitive(&name));
    let Some((task, duration)) =
        called.and_then(|task| Some((task, constant_duration(domain, task)?)))
    else {
        return;
    };
    let name = called_task(block)
        .map(|name| name.to_string())
        .unwrap_or_default();
    let is_instant = duration <= 0.0 && domain.execution_rules(task).completion.is_empty();
    let message = match is_instant {
        true => format!("{name} takes no time, so it never times out."),
        false if duration > f64::from(ticks) => {
            format!("{name} always takes {duration} ticks, so it always times out.")
        }
        false => return,
    };
    let edit = without(findings);
    findings
        .warning("timeout", field(), message)
        .fix("Remove the timeout", edit);
}

/// Returns the duration of a primitive task in whole ticks, if it is the same in every state.
fn constant_duration(domain: &Domain, task: &Primitive) -> Option<f64> {
    let Some(action) = &domain.execution_rules(task).action else {
        return Some(0.0);
    };
    let action = &action.value.as_ref()?.name;
    if domain
        .document()
        .actions
        .get(action)?
        .duration
        .trim()
        .is_empty()
    {
        return Some(0.0);
    }
    Some(constant(domain.duration(action)?.value.as_ref()?)?.ceil())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::{check, check_method};

    #[test]
    fn checks_how_often_a_block_repeats_and_is_retried() {
        check_method(
            "b: begin
             t: task rest | repeat 0
             u: task rest | repeat 101
             v: task rest | repeat 1
             w: task rest | repeat 100 | retry 0
             x: task rest | retry 1001
             b.out -> t
             t.out -> u
             u.out -> v
             v.out -> w
             w.out -> x",
            expect![[r#"
                error[repeat] compound:go block t: A task can't be done 0 times. Mute the block instead.
                    Do it once
                error[repeat] compound:go block u: A block can repeat its task up to 100 times, not 101.
                    Repeat 100 times
                warning[retry] compound:go block x: 1001 retries are no limit in practice. Use up to 1000.
                    Remove the limit
            "#]],
        );
    }

    #[test]
    fn checks_timeouts_of_tasks_whose_duration_is_known() {
        check(
            r#"{
                "facts": { "pace": { "value": { "number": {} } }, "dry": {} },
                "actions": { "Walk": { "duration": "2 * 3" }, "Swim": { "duration": "pace" }, "Wave": {} },
                "primitive_tasks": {
                    "walk": { "action": "Walk" }, "swim": { "action": "Swim" }, "wave": { "action": "Wave" },
                    "rest": { "completion": ["dry"] }
                },
                "compound_tasks": { "go": { "method": {
                    "blocks": {
                        "b": { "kind": "begin" },
                        "c": { "kind": "task", "call": "walk", "timeout": 0 },
                        "d": { "kind": "task", "call": "walk", "timeout": 5 },
                        "e": { "kind": "task", "call": "walk", "timeout": 6 },
                        "f": { "kind": "task", "call": "swim", "timeout": 1 },
                        "g": { "kind": "task", "call": "wave", "timeout": 1 },
                        "h": { "kind": "task", "call": "rest", "timeout": 1 },
                        "i": { "kind": "task", "call": "go", "timeout": 1 }
                    },
                    "wires": ["b.out -> c", "c.out -> d", "d.out -> e", "e.out -> f", "f.out -> g", "g.out -> h",
                              "h.out -> i"]
                } } }
            }"#,
            expect![[r#"
                warning[timeout] compound:go block c: walk always takes 6 ticks, so it always times out.
                    Remove the timeout
                warning[timeout] compound:go block d: walk always takes 6 ticks, so it always times out.
                    Remove the timeout
                warning[timeout] compound:go block g: wave takes no time, so it never times out.
                    Remove the timeout
            "#]],
        );
    }
}
