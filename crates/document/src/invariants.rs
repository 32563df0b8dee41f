//! The invariants of a document, which hold however wrong its designer's domain is.
//!
//! Mistakes that a designer can make while working (an unknown name, a formula that does not parse)
//! break no invariant; `check` reports them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::Block;
use super::file::table_of_kind;
use super::flowchart::Flowchart;
use super::json::Step;
use super::record::{RecordRef, RecordView};
use super::wire::BlockId;
use super::world::ValueKind;
use super::{Document, Expectation, Kind, Name};

impl Document {
    /// Checks the document's own invariants: names are unique in their namespaces and not reserved,
    /// flowcharts are acyclic graphs whose wires join existing blocks and outputs, with at most one
    /// Begin block, numbers are finite, and the layout refers only to what exists.
    ///
    /// # Errors
    /// Returns the first violation, in a sentence for the designer.
    pub fn invariants(&self) -> Result<(), String> {
        match self.broken_invariants().into_iter().next() {
            Some((_, reason)) => Err(reason),
            None => Ok(()),
        }
    }

    /// Returns all violated invariants, in sentences for the designer, with the path in the file to
    /// each cause.
    pub(super) fn broken_invariants(&self) -> Vec<(Vec<Step>, String)> {
        let mut broken = vec![];
        for (record, view) in self.views() {
            let path = || vec![key(&table_of_kind(record.kind)), key(record.name.as_str())];
            if let Err(reason) = check_not_reserved(&record) {
                broken.push((path(), reason));
            }
            let others = record.kind.namespace().iter();
            for &kind in others.take_while(|&&kind| kind != record.kind) {
                if self.contains(&RecordRef::new(kind, record.name.clone())) {
                    let (one, other) = (kind.label(), record.kind.label());
                    let reason = format!("'{}' is both a {one} and a {other}", record.name);
                    broken.push((path(), reason));
                }
            }
            let inside = view.broken_invariants().into_iter();
            broken.extend(inside.map(|(inside, reason)| {
                let label = record.kind.label();
                let reason = format!("In {label} '{}', {reason}", record.name);
                ([path(), inside].concat(), reason)
            }));
        }
        broken.extend(
            self.broken_layout()
                .map(|reason| (vec![key("layout")], reason)),
        );
        broken
    }

    /// Returns the first reference of the layout to something that does not exist.
    fn broken_layout(&self) -> Option<String> {
        let layout = &self.layout;
        let method = |task| self.compound_tasks.get(task).map(|task| &task.method);
        let cards = layout.board.keys().chain(&layout.collapsed_cards);
        let mut lost = cards.filter(|record| !self.contains(record));
        if let Some(record) = lost.next() {
            return Some(format!(
                "the layout refers to {record}, which does not exist"
            ));
        }
        for (task, points) in &layout.methods {
            let Some(method) = method(task) else {
                return Some(format!("the layout refers to {task}, which does not exist"));
            };
            if let Some(id) = points.keys().find(|id| !method.blocks.contains_key(*id)) {
                return Some(format!(
                    "the layout refers to block {id} of {task}, which does not exist"
                ));
            }
        }
        if let Some(lost) = self.missing_in_stage() {
            return Some(format!("the layout refers to {lost}, which does not exist"));
        }
        let mut drawings = layout.drawings.iter();
        let (task, _) = drawings
            .find(|(task, drawing)| !method(task).is_some_and(|method| drawing.fits(method)))?;
        Some(format!(
            "the drawing of {task} refers to blocks or wires that do not exist"
        ))
    }

    /// Drops from the layout everything that does not exist.
    pub(super) fn prune_layout(&mut self) {
        let mut layout = std::mem::take(&mut self.layout);
        layout.board.retain(|record, _| self.contains(record));
        layout
            .collapsed_cards
            .retain(|record| self.contains(record));
        layout.drawings.retain(|task, drawing| {
            let Some(task) = self.compound_tasks.get(task) else {
                return false;
            };
            if !drawing.fits(&task.method) {
                Arc::make_mut(drawing).prune(&task.method);
            }
            !drawing.is_empty()
        });
        layout.methods.retain(|task, points| {
            let Some(task) = self.compound_tasks.get(task) else {
                return false;
            };
            let exists = |id: &BlockId| task.method.blocks.contains_key(id);
            if !points.keys().all(exists) {
                Arc::make_mut(points).retain(|id, _| exists(id));
            }
            !points.is_empty()
        });
        self.layout = layout;
        self.prune_stage();
    }
}

/// Checks that a name is not reserved, and that no type is called `object`, the root, which is not
/// a record.
pub(super) fn check_not_reserved(record: &RecordRef) -> Result<(), String> {
    let RecordRef { kind, name } = record;
    if name.is_reserved() {
        return Err(reserved(name));
    }
    if *kind == Kind::Type && *name == "object" {
        return Err("'object' is the root of all types and cannot be defined".to_owned());
    }
    Ok(())
}

fn reserved(name: &Name) -> String {
    format!("'{name}' is a reserved word and cannot be a name")
}

/// The violations in a record or a flowchart: the path from there, and the reason, as the end of a
/// sentence.
type Broken = Vec<(Vec<Step>, String)>;

fn key(key: &str) -> Step {
    Step::Key(key.to_owned())
}

impl RecordView<'_> {
    pub(super) fn invariants(self) -> Result<(), String> {
        first(self.broken_invariants())
    }

    fn broken_invariants(self) -> Broken {
        match self {
            Self::Fact(fact) => match fact.value {
                ValueKind::Number { min, max, .. } => {
                    let mut limits = min.iter().chain(&max);
                    finite(limits.all(|n| n.is_finite()), "value", "a limit")
                }
                _ => vec![],
            },
            Self::CompoundTask(task) => {
                let inside = |(path, reason)| ([vec![key("method")], path].concat(), reason);
                let broken = task.method.broken_invariants().into_iter();
                broken.map(inside).collect()
            }
            Self::Agent(agent) => {
                let is_finite = agent.triggers.goal.is_none_or(f64::is_finite);
                finite(is_finite, "triggers", "the margin of a goal")
            }
            Self::Scenario(scenario) => {
                let is_finite = |expectation: &Expectation| match expectation {
                    Expectation::CostAtMost(cost) => cost.is_finite(),
                    _ => true,
                };
                let are_finite = scenario.expect.iter().all(is_finite);
                let mut broken = finite(are_finite, "expect", "an expected cost");
                let mut chances = scenario
                    .failures
                    .iter()
                    .filter_map(|failure| failure.chance);
                broken.extend(finite(chances.all(f64::is_finite), "failures", "a chance"));
                let names = scenario.objects.keys().filter(|name| name.is_reserved());
                broken.extend(
                    names.map(|name| (vec![key("objects"), key(name.as_str())], reserved(name))),
                );
                broken
            }
            _ => vec![],
        }
    }
}

fn finite(holds: bool, field: &str, what: &str) -> Broken {
    if holds {
        vec![]
    } else {
        vec![(vec![key(field)], format!("{what} is not a finite number"))]
    }
}

fn first(broken: Broken) -> Result<(), String> {
    match broken.into_iter().next() {
        Some((_, reason)) => Err(reason),
        None => Ok(()),
    }
}

impl Flowchart {
    /// Checks that it is an acyclic graph whose wires join existing blocks and outputs, without
    /// duplicate wires, and with at most one Begin block.
    ///
    /// # Errors
    /// Returns the first violation, as the end of a sentence.
    pub fn invariants(&self) -> Result<(), String> {
        first(self.broken_invariants())
    }

    fn broken_invariants(&self) -> Broken {
        let mut broken = vec![];
        let block = |id: &BlockId| vec![key("blocks"), key(&id.to_string())];
        let begins = self.blocks.iter();
        let begins = begins.filter(|(_, block)| block.kind().starts());
        for (id, _) in begins.skip(1) {
            let reason = "the flowchart has two Begin blocks".to_owned();
            broken.push((block(id), reason));
        }
        let mut outputs = FxHashSet::default();
        for (id, of) in &self.blocks {
            let ports = of.ports().into_iter();
            for twice in ports.filter(|port| !outputs.insert((id, *port))) {
                broken.push((
                    block(id),
                    format!("block {id} has two alternatives {twice}"),
                ));
            }
        }
        let mut drawn = FxHashSet::default();
        for (number, wire) in self.wires.iter().enumerate() {
            let has_output = |_: &Block| outputs.contains(&(&wire.from, wire.port));
            let fault = match self.wire_fits_where(wire, has_output) {
                Ok(()) if drawn.insert(wire) => continue,
                Ok(()) => format!("the wire {wire} is drawn twice"),
                Err(reason) => reason,
            };
            broken.push((vec![key("wires"), Step::Item(number)], fault));
        }
        for id in self.muted.iter().filter(|id| !self.can_mute(id)) {
            broken.push((vec![key("muted")], format!("block {id} cannot be muted")));
        }
        if broken.is_empty() && self.order().is_none() {
            let reason = "the wires of the flowchart form a cycle".to_owned();
            broken.push((vec![key("wires")], reason));
        }
        broken
    }

    /// Returns all blocks in topological order (Kahn 1962; ties by id); none if the wires form a
    /// cycle.
    pub fn order(&self) -> Option<Vec<&BlockId>> {
        let mut waiting: FxHashMap<&BlockId, usize> = FxHashMap::default();
        let mut following: FxHashMap<&BlockId, Vec<&BlockId>> = FxHashMap::default();
        for wire in &self.wires {
            *waiting.entry(&wire.to).or_default() += 1;
            following.entry(&wire.from).or_default().push(&wire.to);
        }
        let is_first = |id: &&BlockId| !waiting.contains_key(*id);
        let mut order: Vec<&BlockId> = self.blocks.keys().filter(is_first).collect();
        let mut next = 0;
        while let Some(id) = order.get(next) {
            next += 1;
            for to in following.remove(*id).unwrap_or_default() {
                if let Some(count) = waiting.get_mut(to) {
                    *count -= 1;
                    if *count == 0 {
                        order.push(to);
                    }
                }
            }
        }
        (order.len() == self.blocks.len()).then_some(order)
    }
}
