//! Values of facts in a saved game, by their texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use taskloom_document::Name;
use taskloom_document::sort::map_of;
use taskloom_domain::lang::World as _;
use taskloom_planner::plan::{Atom, Change, Value, World as Facts};

use super::Dropped;

/// The values of ground facts, by the facts' texts.
pub type SavedFacts = BTreeMap<String, SavedValue>;

/// A value, in JSON as itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SavedValue {
    Bool(bool),
    Number(f64),
    Object(Option<Name>),
}

impl From<Value> for SavedValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Bool(value) => Self::Bool(value),
            Value::Number(value) => Self::Number(value),
            Value::Object(value) => Self::Object(value),
        }
    }
}

impl From<SavedValue> for Value {
    fn from(value: SavedValue) -> Self {
        match value {
            SavedValue::Bool(value) => Self::Bool(value),
            SavedValue::Number(value) => Self::Number(value),
            SavedValue::Object(value) => Self::Object(value),
        }
    }
}

/// Returns the values of the facts that were set and are included.
pub fn write(facts: &Facts, is_included: impl Fn(&Name) -> bool) -> SavedFacts {
    let set = facts.assigned_atoms().into_iter();
    let set = set.filter(|(atom, _)| is_included(&atom.fact));
    map_of(set.map(|(atom, value)| (atom.to_string(), value.into())))
}

/// Sets facts to saved values. Reports those that don't exist, or can't have their values.
pub fn read(saved: &SavedFacts, facts: &mut Facts, dropped: &mut Vec<Dropped>) {
    for (text, value) in saved {
        if let Err(why) = set(facts, text, value.clone().into()) {
            let fact = text.clone();
            dropped.push(Dropped::Fact { fact, why });
        }
    }
}

fn set(facts: &mut Facts, text: &str, value: Value) -> Result<(), String> {
    let atom = facts.atom(text)?;
    // A value that the document gives it itself may be outside its range.
    if facts.value(&atom) != value {
        facts.set(&atom, value.clone())?;
    }
    // It counts as set, even if it has its default value.
    facts.apply(&[Change {
        atom,
        before: value.clone(),
        after: value,
    }]);
    Ok(())
}

/// Drops the changes of facts that no longer exist, or that can't have the values from before.
pub fn retain_changes(changes: &mut Vec<Change>, facts: &Facts) {
    let mut facts = facts.clone();
    changes.retain(|change| {
        let text = change.atom.to_string();
        set(&mut facts, &text, change.before.clone()).is_ok()
    });
}

/// Returns the ground facts that still exist.
pub fn parse<'t>(facts: &Facts, texts: impl IntoIterator<Item = &'t String>) -> Vec<Atom> {
    let texts = texts.into_iter();
    texts.filter_map(|text| facts.atom(text).ok()).collect()
}
