//! What is tried with a scenario that its document does not say.

use serde::{Deserialize, Serialize};
use taskloom::document::{Document, Edit, Event, Name, Record, Scenario};
use taskloom::planner::plan::{Atom, Value};

/// What is tried in a run besides what the document says of its scenario; nothing, unless the
/// designer asks for it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Experiment {
    /// What is set by hand, in the order in which it was.
    pub interventions: Vec<Intervention>,
    /// Whether the scenario is also run with the other manner of planning, beside its own.
    pub compares: bool,
}

/// A ground fact that the designer sets while looking at a run: from a tick on, the run is played
/// as if an event had done so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    /// At the start of which tick.
    pub at: u32,
    /// The ground fact.
    pub atom: Atom,
    /// The value that it gets.
    pub value: Value,
}

impl Intervention {
    /// What it does, in the language of effects: `not box_open`, `ammo := 3`.
    pub fn effect(&self) -> String {
        match &self.value {
            Value::Bool(true) => self.atom.to_string(),
            Value::Bool(false) => format!("not {}", self.atom),
            value => format!("{} := {value}", self.atom),
        }
    }

    /// The event that it is played as, and becomes where the designer keeps it.
    pub fn event(&self) -> Event {
        Event {
            at: self.at,
            effect: self.effect(),
            ..Event::default()
        }
    }
}

/// A document in which a scenario has interventions as its last events.
pub fn played(document: Document, scenario: &Name, interventions: &[Intervention]) -> Document {
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
    // A scenario with more events breaks no invariant of the document.
    document.apply(&edit).unwrap_or(document)
}
