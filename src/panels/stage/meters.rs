//! The numbers that things on the stage have.

use taskloom_document::{Document, Name, ValueKind};
use taskloom_planner::plan::{Atom, Change, Value};

use super::maps::Map;
use super::play::State;

/// The maximum number of numbers that are drawn per thing.
const MOST: usize = 3;

/// A fact that gives things a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Meter {
    /// The fact.
    pub fact: Name,
    /// The type of the things that have the number.
    pub of: Name,
    /// The number at which its bar is empty.
    pub least: f64,
    /// The number at which it is full.
    pub most: f64,
}

/// A meter's reading for one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// In words: `stamina 3 of 10`.
    pub text: String,
    /// The fill level of its bar, from 0 to 1.
    pub part: f64,
}

impl Meter {
    /// Returns the number of a thing in a state.
    pub fn level(&self, state: &State, thing: &Name) -> Level {
        let atom = Atom {
            fact: self.fact.clone(),
            args: vec![thing.clone()],
        };
        let number = number(state.get(&atom)).unwrap_or(0.0);
        let range = self.most - self.least;
        let part = (number - self.least) / range;
        Level {
            text: format!("{} {number} of {}", self.fact, self.most),
            part: if range > 0.0 {
                part.clamp(0.0, 1.0)
            } else {
                0.0
            },
        }
    }
}

/// Returns the first numbers that things of a map have. If a fact has no bounds, they are its
/// minimum and maximum at any time, and 0.
pub fn meters(
    document: &Document,
    map: &Map,
    initial: &[(Atom, Value)],
    changes: &[&Change],
) -> Vec<Meter> {
    let facts = document.facts.iter().filter_map(|(name, fact)| {
        let (ValueKind::Number { min, max, .. }, [param]) = (&fact.value, fact.params.as_slice())
        else {
            return None;
        };
        let fits = document.is_kind_of(&param.of, &map.things)
            || document.is_kind_of(&map.things, &param.of);
        fits.then_some((name, &param.of, *min, *max))
    });
    let meter = |(fact, of, min, max): (&Name, &Name, Option<f64>, Option<f64>)| {
        let set = initial.iter().map(|(atom, value)| (atom, value));
        let set = set.chain(changes.iter().map(|change| (&change.atom, &change.after)));
        let numbers = set.filter(|(atom, _)| atom.fact == *fact);
        let numbers = numbers.filter_map(|(_, value)| number(Some(value)));
        let (least, most) = numbers.fold((0.0_f64, 0.0_f64), |(least, most), number| {
            (least.min(number), most.max(number))
        });
        Meter {
            fact: fact.clone(),
            of: of.clone(),
            least: min.unwrap_or(least),
            most: max.unwrap_or(most),
        }
    };
    facts.map(meter).take(MOST).collect()
}

fn number(value: Option<&Value>) -> Option<f64> {
    match value {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    }
}
