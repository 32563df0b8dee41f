//! A compound task's flowchart: its shape, whatever its texts say.

mod around;
mod begin;
mod bindings;
mod dominators;
mod graph;
mod known;
mod outputs;
mod reach;
mod texts;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod reference;

use crate::elaborate::Compound;
use taskloom_document::Block;

use super::findings::Findings;
use graph::Graph;
use known::Known;

pub(super) fn check(findings: &mut Findings, task: &Compound) {
    let record = &*task.record;
    let graph = Graph::new(&record.method, findings.domain.method(task));
    begin::check(findings, &record.method);
    reach::check(findings, &graph);
    outputs::check(findings, &graph);
    let known = Known::new(&graph);
    bindings::check(findings, record, &graph, &known);
    texts::check(findings, task, &graph, &known);
}

/// What a message calls a block.
fn label(block: &Block) -> String {
    let of = |kind: &str, text: &str| match text.trim() {
        "" => format!("the empty {kind} block"),
        text => format!("{kind} '{text}'"),
    };
    match block {
        Block::Begin {} => "Begin".into(),
        Block::Task { call } => of("Task", call),
        Block::Branch { condition } => of("Branch", condition),
        Block::Choice { .. } => "the Choice".into(),
        Block::Bind { variable, .. } => format!("Bind '{variable}'"),
        Block::End {} => "End".into(),
    }
}

/// The label at the start of a sentence.
fn capital(label: String) -> String {
    match label.strip_prefix('t') {
        Some(rest) => format!("T{rest}"),
        None => label,
    }
}
