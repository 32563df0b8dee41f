//! Checks of how firmly actors keep to tasks and goals.

use std::sync::Arc;

use taskloom_document::{Edit, Field, PrimitiveTask, Record};

use super::findings::Findings;

/// Checks that an uninterruptible task takes time: otherwise there is nothing to interrupt.
pub(super) fn check_primitive(findings: &mut Findings, task: &PrimitiveTask) {
    let takes_time = !task.action.trim().is_empty() || !task.completion.is_empty();
    if !task.uninterruptible || takes_time {
        return;
    }
    let mended = PrimitiveTask {
        uninterruptible: false,
        ..task.clone()
    };
    let name = findings.record.name.clone();
    let message = "A task without an action takes no time, so nothing can interrupt it.";
    findings
        .warning("uninterruptible-instant", Field::Whole, message.into())
        .fix(
            "Make it interruptible",
            Edit::Replace(name, Record::PrimitiveTask(Arc::new(mended))),
        );
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::check;

    #[test]
    fn reports_uninterruptible_tasks_that_take_no_time() {
        check(
            r#"{
                "facts": { "done": {} },
                "actions": { "Dive": { "duration": "2" } },
                "primitive_tasks": {
                    "dive": { "action": "Dive", "uninterruptible": true },
                    "note": { "uninterruptible": true },
                    "wait": { "completion": ["done"], "uninterruptible": true }
                }
            }"#,
            expect![[r#"
                warning[uninterruptible-instant] primitive:note whole: A task without an action takes no time, so nothing can interrupt it.
                    Make it interruptible
            "#]],
        );
    }
}
