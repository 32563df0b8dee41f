//! Checks of Task blocks in the background.
//!
//! ```text
//! every task in the background          none of them is
//! one executor for it and the others    they take turns
//! ```

use std::collections::BTreeSet;

use crate::Domain;
use crate::calls::{called_task, tasks_below};
use taskloom_document::sort::set_of;
use taskloom_document::{Block, BlockId, Edit, Field, Name};

use super::super::findings::Findings;
use super::graph::Graph;

pub(super) fn check(findings: &mut Findings, graph: &Graph) {
    let reached = (0..graph.blocks.len()).filter(|block| graph.is_reached(*block));
    let calls = reached.map(|block| graph.blocks[block]);
    let (background, main): (Vec<_>, Vec<_>) = calls
        .filter(|(_, block)| block.call().is_some())
        .partition(|(_, block)| block.is_background());
    let Some((id, block)) = background.first() else {
        return;
    };
    if main.is_empty() {
        let message = "Every task of the method is in the background, so none is stopped. \
                       Take one out of it.";
        let edit = Edit::SetBlock(
            findings.record.name.clone(),
            (*id).clone(),
            block.with_background(false),
        );
        findings
            .warning(
                "no-main-branch",
                Field::Block((*id).clone()),
                message.into(),
            )
            .fix("Take it out of the background", edit);
        return;
    }
    let domain = findings.domain;
    let main = main.iter().map(|(_, block)| executors(domain, block));
    let main = set_of(main.flatten());
    for (id, block) in background {
        check_executor(findings, id, block, &main);
    }
}

/// Checks that a task in the background has another executor than the rest of the method, if both have
/// just one.
fn check_executor(findings: &mut Findings, id: &BlockId, block: &Block, main: &BTreeSet<String>) {
    let own = executors(findings.domain, block);
    if own.len() != 1 || own != *main {
        return;
    }
    let task = called_task(block).map(|name| name.to_string());
    let task = task.unwrap_or_default();
    let message = format!(
        "{task} has the same executor as the rest of the method, so they take turns. Give its \
         action another one."
    );
    findings.warning("same-executor", Field::Block(id.clone()), message);
}

/// Returns the executors of the actions below the task that a block calls, in lowercase.
fn executors(domain: &Domain, block: &Block) -> BTreeSet<String> {
    let tasks = tasks_below(domain.document(), called_task(block), domain.stop());
    let executor = |task: Name| {
        let rules = domain.execution_rules(domain.primitive(&task)?);
        let call = rules.action.as_ref()?.value.as_ref()?;
        let action = domain.document().actions.get(&call.name)?;
        Some(action.executor.trim().to_lowercase())
    };
    set_of(tasks.filter_map(executor))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture::{check, check_method};

    #[test]
    fn reports_a_method_without_a_main_branch() {
        check_method(
            "b: begin
             t: task rest | background
             u: task rest | background
             b.out -> t
             b.out -> u",
            expect![[r#"
                warning[no-main-branch] compound:go block t: Every task of the method is in the background, so none is stopped. Take one out of it.
                    Take it out of the background
            "#]],
        );
        check_method(
            "b: begin
             t: task rest | background
             u: task rest
             b.out -> t
             b.out -> u",
            expect![[""]],
        );
    }

    #[test]
    fn reports_a_task_that_takes_turns_with_the_main_branch() {
        check(
            r#"{
                "actions": { "Walk": {}, "Sing": { "executor": "Voice" }, "Hum": { "executor": "voice " } },
                "primitive_tasks": {
                    "walk": { "action": "Walk" }, "sing": { "action": "Sing" }, "hum": { "action": "Hum" },
                    "think": {}
                },
                "compound_tasks": {
                    "concert": { "method": {
                        "blocks": {
                            "b": { "kind": "begin" },
                            "t": { "kind": "task", "call": "hum", "background": true },
                            "u": { "kind": "task", "call": "song" }
                        },
                        "wires": ["b.out -> t", "t.out -> u"]
                    } },
                    "song": { "method": {
                        "blocks": {
                            "b": { "kind": "begin" },
                            "t": { "kind": "task", "call": "sing" },
                            "u": { "kind": "task", "call": "think" }
                        },
                        "wires": ["b.out -> t", "t.out -> u"]
                    } },
                    "stroll": { "method": {
                        "blocks": {
                            "b": { "kind": "begin" },
                            "t": { "kind": "task", "call": "song", "background": true },
                            "u": { "kind": "task", "call": "walk" }
                        },
                        "wires": ["b.out -> t", "t.out -> u"]
                    } }
                },
                "agents": {
                    "singer": { "planning": { "reactive": { "tasks": ["stroll"] } } },
                    "walker": { "planning": { "reactive": { "tasks": ["walk"] } } }
                }
            }"#,
            expect![[r#"
                warning[same-executor] compound:concert block t: hum has the same executor as the rest of the method, so they take turns. Give its action another one.
                warning[reactive-background] agent:singer whole: 'singer' is reactive and does one step at a time, so it does 'song' of 'stroll' in turn with the other tasks. Let it plan ahead.
            "#]],
        );
    }
}
