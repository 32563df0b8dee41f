//! `taskloom stats`.

use std::fmt::Write;
use std::sync::Arc;

use taskloom_document::{Block, Document, Kind, Scenario};

use crate::args::InputArgs;
use crate::input::Files;
use crate::search::Limits;
use crate::{Exit, Failure, print};

pub fn run(input: &InputArgs, limits: &Limits) -> Result<Exit, Failure> {
    let files = Files::read(input, limits)?;
    let opened = files.open(limits)?;
    let document = &opened.document;
    let mut out = String::new();
    records(document, &mut out);
    flowcharts(document, &mut out);
    for (name, scenario) in &document.scenarios {
        let _ = writeln!(out, "\nscenario {name}");
        situation(document, scenario, &mut out);
    }
    print(&out)?;
    Ok(Exit::Success)
}

fn line(out: &mut String, what: &str, count: impl std::fmt::Display) {
    let _ = writeln!(out, "{what:<28} {count:>8}");
}

fn records(document: &Document, out: &mut String) {
    for kind in Kind::ALL {
        let count = document.names(kind).len();
        line(out, &format!("{}s", kind.label()), count);
    }
    let params = document.facts.values().map(|fact| fact.params.len());
    line(out, "most parameters of a fact", params.max().unwrap_or(0));
    let primitive = document.primitive_tasks.values().map(|t| t.params.len());
    let compound = document.compound_tasks.values().map(|t| t.params.len());
    let most = primitive.chain(compound).max().unwrap_or(0);
    line(out, "most parameters of a task", most);
}

fn flowcharts(document: &Document, out: &mut String) {
    let charts = || document.compound_tasks.values().map(|task| &task.method);
    let blocks = || charts().flat_map(|chart| chart.blocks.values());
    let (mut tasks, mut branches, mut choices, mut bindings) = (0, 0, 0, 0);
    for block in blocks() {
        match **block {
            Block::Begin {} | Block::End {} => {}
            Block::Task { .. } => tasks += 1,
            Block::Branch { .. } => branches += 1,
            Block::Choice { .. } => choices += 1,
            Block::Bind { .. } => bindings += 1,
        }
    }
    let _ = writeln!(out, "\nflowcharts");
    line(out, "blocks", blocks().count());
    line(out, "  tasks", tasks);
    line(out, "  branches", branches);
    line(out, "  choices", choices);
    line(out, "  bindings", bindings);
    line(
        out,
        "wires",
        charts().map(|chart| chart.wires.len()).sum::<usize>(),
    );
    let sizes = document.compound_tasks.iter();
    let sizes = sizes.map(|(name, task)| (task.method.blocks.len(), name));
    // The first by name among equally large ones.
    if let Some((size, name)) = sizes.rev().max_by_key(|(size, _)| *size) {
        line(out, &format!("largest: {name}"), size);
    }
}

fn situation(document: &Document, scenario: &Arc<Scenario>, out: &mut String) {
    let scenario = &*document.expanded(scenario).scenario;
    let objects = scenario.all_objects(&document.objects);
    line(out, "objects", objects.len());
    line(out, "initial values", scenario.initial.len());
    line(out, "tasks", scenario.tasks.len());
    line(out, "goals", usize::from(!scenario.goal.trim().is_empty()));
    line(out, "events", scenario.events.len());
    line(out, "expectations", scenario.expect.len());
}
