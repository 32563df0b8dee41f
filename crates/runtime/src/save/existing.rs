//! The facts and objects that existed when a game was saved. If one of these facts isn't in the saved values, it had
//! its default value, whatever the initial value in the document into which the game is loaded.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use taskloom_document::{Name, Source};
use taskloom_planner::plan::{Atom, Change, World as Facts};

use super::SavedFacts;
use super::facts::SavedValue;

/// The facts and objects of a saved game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Existing {
    /// The default values of the memory facts.
    memory: BTreeMap<Name, SavedValue>,
    /// The default values of the others.
    facts: BTreeMap<Name, SavedValue>,
    objects: BTreeSet<Name>,
}

impl Existing {
    /// Returns those of a world.
    pub fn of(facts: &Facts) -> Self {
        let all = facts.document().facts.iter();
        let default = |name: &Name| {
            let atom = Atom {
                fact: name.clone(),
                args: vec![],
            };
            (name.clone(), facts.unset(&atom).into())
        };
        let (memory, others): (Vec<_>, Vec<_>) =
            all.partition(|(_, fact)| fact.source == Source::Memory);
        let scene = facts.scene();
        Self {
            memory: memory.into_iter().map(|(name, _)| default(name)).collect(),
            facts: others.into_iter().map(|(name, _)| default(name)).collect(),
            objects: scene
                .objects()
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
        }
    }

    /// Returns the same without facts that weren't memory.
    pub fn in_memory(&self) -> Self {
        Self {
            facts: BTreeMap::new(),
            ..self.clone()
        }
    }

    /// Gives those ground facts their default values that have others and existed, but aren't among the saved
    /// values.
    pub fn reset(&self, facts: &mut Facts, saved: &SavedFacts) {
        let unset = facts
            .assigned_atoms()
            .into_iter()
            .filter_map(|(atom, before)| {
                let default = facts.unset(&atom);
                let known = self.memory.get(&atom.fact).or(self.facts.get(&atom.fact))?;
                let had_default = *known == default.clone().into()
                    && atom.args.iter().all(|arg| self.objects.contains(arg))
                    && !saved.contains_key(&atom.to_string());
                had_default.then_some(Change {
                    atom,
                    before,
                    after: default,
                })
            });
        let unset: Vec<Change> = unset.collect();
        facts.apply(&unset);
    }
}
