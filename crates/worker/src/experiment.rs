//! Experiments with a scenario that its document doesn't contain.

use serde::{Deserialize, Serialize};
use taskloom_document::{Document, Edit, Event, Name, Record, Scenario};
use taskloom_planner::plan::{Atom, Value};

/// An experiment with a run that goes beyond the document's scenario; empty unless the user asks
/// for it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Experiment {
    /// The overrides, in the order in which they were made.
    pub interventions: Vec<Intervention>,
    /// If `true`, the scenario is also run in the other planning mode.
    pub compares: bool,
}

/// An override of a ground fact by the user: from a tick on, the run proceeds as if an event had
/// set it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    /// The tick at whose start it takes effect.
    pub at: u32,
    /// The ground fact.
    pub atom: Atom,
    /// The new value.
    pub value: Value,
}

impl Intervention {
    /// Returns its effect, in the language of effects: `not box_open`, `ammo := 3`.
    pub fn effect(&self) -> String {
        match &self.value {
            Value::Bool(true) => self.atom.to_string(),
            Value::Bool(false) => format!("not {}", self.atom),
            value => format!("{} := {value}", self.atom),
        }
    }

    /// Returns the equivalent event, which also replaces it if the user keeps it.
    pub fn event(&self) -> Event {
        Event {
            at: self.at,
            effect: self.effect(),
            ..Event::default()
        }
    }
}

/// Returns a document in which the overrides are the last events of a scenario.
pub fn with_interventions(
    document: Document,
    scenario: &Name,
    interventions: &[Intervention],
) -> Document {
    let Some(record) = document.scenarios.get(scenario) else {
        return document;
    };
    if interventions.is_empty() {
        return document;
    }
    let mut record = Scenario::clone(record);
    let events = interventions.iter().map(Intervention::event);
    record.events.extend(events);
    let edit = Edit::Replace(scenario.clone(), Record::Scenario(record.into()));
    // Additional events break no invariant of the document.
    document.apply(&edit).unwrap_or(document)
}
