//! What always holds of a document, however wrong its designer's domain is.
//!
//! Mistakes that a designer can make while working (an unknown name, a formula
//! that does not parse) break no invariant; `check` reports them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::flowchart::{Block, BlockId, Flowchart};
use super::record::{RecordRef, RecordView};
use super::world::ValueKind;
use super::{Document, Expectation, Kind, Name};

impl Document {
    /// Whether the document's own invariants hold: names are unique in their
    /// namespaces and no reserved words, flowcharts are acyclic graphs whose
    /// wires join blocks and outputs that exist, with one Begin block at most,
    /// numbers are finite, and the layout mentions only what there is.
    ///
    /// # Errors
    /// The first that does not hold, in a sentence for the designer.
    pub fn invariants(&self) -> Result<(), String> {
        for record in self.records() {
            name_is_free_of_reserved_words(&record)?;
            let others = record.kind.namespace().iter();
            for &kind in others.filter(|&&kind| kind != record.kind) {
                if self.contains(&RecordRef::new(kind, record.name.clone())) {
                    return Err(format!(
                        "'{}' is both a {} and a {}",
                        record.name,
                        kind.label(),
                        record.kind.label()
                    ));
                }
            }
            if let Some(view) = self.view(&record) {
                view.invariants().map_err(|reason| {
                    format!("In {} '{}', {reason}", record.kind.label(), record.name)
                })?;
            }
        }
        for record in self.layout.board.keys() {
            if !self.contains(record) {
                return Err(format!(
                    "the layout mentions {record}, which does not exist"
                ));
            }
        }
        for (task, points) in &self.layout.methods {
            let method = self.compound_tasks.get(task).map(|task| &task.method);
            let blocks = method.map(|method| &method.blocks);
            let lost = |id: &&BlockId| !blocks.is_some_and(|blocks| blocks.contains_key(*id));
            if blocks.is_none() {
                return Err(format!("the layout mentions {task}, which does not exist"));
            }
            if let Some(id) = points.keys().find(lost) {
                return Err(format!(
                    "the layout mentions block {id} of {task}, which does not exist"
                ));
            }
        }
        for record in &self.layout.collapsed_cards {
            if !self.contains(record) {
                return Err(format!(
                    "the layout mentions {record}, which does not exist"
                ));
            }
        }
        for (task, drawing) in &self.layout.drawings {
            let method = self.compound_tasks.get(task).map(|task| &task.method);
            if !method.is_some_and(|method| drawing.fits(method)) {
                return Err(format!(
                    "the drawing of {task} mentions what does not exist"
                ));
            }
        }
        Ok(())
    }

    /// Drops from the layout what does not exist.
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
    }
}

/// No reserved word, and no type called `object`, the root that is no record.
pub(super) fn name_is_free_of_reserved_words(record: &RecordRef) -> Result<(), String> {
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
    format!("'{name}' is a word of the formula language and cannot be a name")
}

impl RecordView<'_> {
    pub(super) fn invariants(self) -> Result<(), String> {
        match self {
            Self::Fact(fact) => match fact.value {
                ValueKind::Number { min, max, .. } => {
                    let mut limits = min.iter().chain(&max);
                    finite(limits.all(|n| n.is_finite()), "a limit")
                }
                _ => Ok(()),
            },
            Self::CompoundTask(task) => task.method.invariants(),
            Self::Goal(goal) => finite(goal.bias.is_finite(), "the bias"),
            Self::Scenario(scenario) => {
                for expectation in &scenario.expect {
                    if let Expectation::CostAtMost(cost) = expectation {
                        finite(cost.is_finite(), "an expected cost")?;
                    }
                }
                let mut objects = scenario.objects.keys();
                match objects.find(|name| name.is_reserved()) {
                    Some(name) => Err(reserved(name)),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

fn finite(holds: bool, what: &str) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(format!("{what} is no finite number")),
    }
}

impl Flowchart {
    /// Whether it is an acyclic graph whose wires join what exists, without a
    /// wire drawn twice, with one Begin block at most.
    ///
    /// # Errors
    /// The first that does not hold, as the end of a sentence.
    pub fn invariants(&self) -> Result<(), String> {
        let is_begin = |block: &&Arc<Block>| matches!(***block, Block::Begin {});
        if self.blocks.values().filter(is_begin).count() > 1 {
            return Err("the flowchart has two Begin blocks".to_owned());
        }
        for (id, block) in &self.blocks {
            let mut ports = FxHashSet::default();
            if let Some(twice) = block.ports().into_iter().find(|port| !ports.insert(*port)) {
                return Err(format!("block {id} has two alternatives {twice}"));
            }
        }
        let mut drawn = FxHashSet::default();
        for wire in &self.wires {
            self.wire_fits(wire)?;
            if !drawn.insert(wire) {
                return Err(format!("the wire {wire} is drawn twice"));
            }
        }
        if let Some(id) = self.muted.iter().find(|id| !self.can_mute(id)) {
            return Err(format!("block {id} is muted, and cannot be"));
        }
        match self.order() {
            Some(_) => Ok(()),
            None => Err("the wires of the flowchart form a cycle".to_owned()),
        }
    }

    /// All blocks so that every wire leads forward (Kahn 1962; by id where the
    /// wires leave it open); none where the wires form a cycle.
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
