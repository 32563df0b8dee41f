//! Listings of the values of a world, for display or as a starting point.

use super::{World, default_value};
use crate::ground::{Atom, Value};
use crate::lang::{World as _, with_atom};
use taskloom_document::Name;
use taskloom_document::sort::CompactSort;

/// Maximum number of ground instances of a fact that is listed in full; of others, only the
/// instances that are set are listed.
const LISTED_IN_FULL: usize = 200;

impl World {
    /// Returns every ground fact that is set, in order.
    pub fn assigned_atoms(&self) -> Vec<(Atom, Value)> {
        let held = self
            .values
            .held
            .iter()
            .filter_map(|numbers| self.scene.plain().atom(numbers));
        let held = held.filter(|atom| !self.values.set.contains(atom));
        let mut set: Vec<(Atom, Value)> = held.map(|atom| (atom, Value::Bool(true))).collect();
        set.extend(self.values.set.iter());
        if let Some(memory) = &self.memory {
            set.retain(|(atom, _)| !self.is_memory(&atom.fact));
            set.extend(memory.set.iter());
        }
        set.compact_sort_by(|(a, _), (b, _)| a.cmp(b));
        set
    }

    /// Calls a function with each ground instance of a fact that is set, in no particular order.
    pub fn each_atom_of(&self, fact: &Name, visit: &mut dyn FnMut(&Atom)) {
        let memory = self.memory.as_ref().filter(|_| self.is_memory(fact));
        let values = memory.unwrap_or(&self.values);
        let plain = self.scene.plain();
        with_atom(fact, |atom| {
            for args in values.set.args_of(fact) {
                atom.args.clear();
                atom.args.extend_from_slice(args);
                visit(atom);
            }
            let Some(number) = plain.number(fact).filter(|_| memory.is_none()) else {
                return;
            };
            let of_fact = values
                .held
                .iter()
                .filter(|numbers| numbers.first() == Some(&number));
            for numbers in of_fact {
                if plain.read_args(numbers, atom) && !values.set.contains(atom) {
                    visit(atom);
                }
            }
        });
    }

    /// Returns the default value of a ground fact.
    pub fn unset(&self, atom: &Atom) -> Value {
        default_value(self.document(), &atom.fact)
    }

    /// Returns every ground fact that is set, as the initial values of a scenario.
    pub fn as_initial_values(&self) -> Vec<String> {
        let set = self.assigned_atoms().into_iter();
        set.filter_map(|(atom, value)| as_initial_value(&atom, &value))
            .collect()
    }

    /// Returns ground facts and values for display: all instances of facts with few ground
    /// instances, and of others those that are set.
    pub fn listing(&self) -> Vec<(Atom, Value)> {
        let mut listed = self.assigned_atoms();
        for (name, fact) in &self.document().facts {
            if self.stop.after(LISTED_IN_FULL) {
                break;
            }
            let domains: Vec<Vec<Name>> = fact.params.iter().map(|p| self.objects(&p.of)).collect();
            let count = domains
                .iter()
                .try_fold(1usize, |n, d| n.checked_mul(d.len()));
            if count.is_none_or(|count| count > LISTED_IN_FULL) {
                continue;
            }
            for args in combinations(&domains) {
                let fact = name.clone();
                let atom = Atom { fact, args };
                let is_set = match self.memory.as_ref().filter(|_| self.is_memory(&atom.fact)) {
                    Some(memory) => memory.set.contains(&atom),
                    None => self.values.set.contains(&atom) || self.is_held(&atom),
                };
                if !is_set {
                    listed.push((atom, default_value(self.document(), name)));
                }
            }
        }
        listed.compact_sort_by(|(a, _), (b, _)| a.cmp(b));
        listed
    }
}

/// Returns a ground fact with its value as an initial value of a scenario; `None` if that is the default.
pub fn as_initial_value(atom: &Atom, value: &Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some(atom.to_string()),
        Value::Bool(false) | Value::Object(None) => None,
        Value::Number(_) | Value::Object(Some(_)) => Some(format!("{atom} = {value}")),
    }
}

/// Returns every tuple of one element of each list, the last element changing fastest.
fn combinations(lists: &[Vec<Name>]) -> Vec<Vec<Name>> {
    lists.iter().fold(vec![vec![]], |tuples, list| {
        let longer = tuples.iter().flat_map(|tuple| {
            list.iter().map(|element| {
                let mut tuple = tuple.clone();
                tuple.push(element.clone());
                tuple
            })
        });
        longer.collect()
    })
}
