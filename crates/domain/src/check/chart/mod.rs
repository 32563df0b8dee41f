//! Checks of a compound task's flowchart: its shape, regardless of its texts.

mod background;
mod begin;
mod bindings;
mod bypass;
mod definite_assignment;
mod dominators;
mod graph;
mod options;
mod outputs;
mod reach;
mod texts;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod reference;

use crate::records::Compound;
use taskloom_document::{Block, BlockText};

use super::findings::Findings;
use definite_assignment::Known;
use graph::Graph;

pub(super) fn check(findings: &mut Findings, task: &Compound) {
    let record = &*task.record;
    let graph = Graph::new(&record.method, findings.domain.method(task));
    if task.goal.is_none() || findings.domain.ways(task).is_some() {
        begin::check(findings, &record.method);
    }
    reach::check(findings, &graph);
    outputs::check(findings, &graph);
    options::check(findings, &graph);
    background::check(findings, &graph);
    let known = Known::new(&graph);
    bindings::check(findings, record, &graph, &known);
    texts::check(findings, task, &graph, &known);
}

/// Returns the name of a block in messages.
fn label(block: &Block) -> String {
    let kind = block.kind();
    let title = kind.title();
    if let Some(variable) = block.binds() {
        return format!("{title} '{variable}'");
    }
    match block.text(BlockText::Main).map(|text| text.trim()) {
        Some("") => format!("the empty {title} block"),
        Some(text) => format!("{title} '{text}'"),
        None if kind.decides() => format!("the {title}"),
        None => title.to_owned(),
    }
}

/// Capitalises a label for the start of a sentence.
fn capital(label: String) -> String {
    match label.strip_prefix('t') {
        Some(rest) => format!("T{rest}"),
        None => label,
    }
}
