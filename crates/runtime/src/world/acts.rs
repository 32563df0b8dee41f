//! The changes that actors have made at the current tick: the first of several actors whose steps act at the same
//! tick may have made the preconditions of the others false.

use serde::{Deserialize, Serialize};
use taskloom_document::Name;
use taskloom_domain::lang::World as _;
use taskloom_planner::plan::{Atom, Change, World as Facts};

use super::World;

/// The changes of one actor's step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Act {
    /// The actor's number.
    by: usize,
    /// The actor's name, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Name>,
    /// The changes of facts that all actors share.
    pub(crate) changes: Vec<Change>,
}

/// The acts of all actors but one.
pub(crate) struct OthersActs<'w> {
    all: &'w [Act],
    number: usize,
}

impl<'w> OthersActs<'w> {
    fn acts(&self) -> impl Iterator<Item = &'w Act> {
        let number = self.number;
        self.all.iter().filter(move |act| act.by != number)
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.acts().next().is_none()
    }

    /// Returns the facts with the values from before these acts.
    pub fn undone(&self, facts: &Facts) -> Facts {
        let mut undone = facts.clone();
        // The first change of each ground fact comes last.
        let changes = self.acts().flat_map(|act| &act.changes);
        for change in Vec::from_iter(changes).into_iter().rev() {
            let back = Change {
                atom: change.atom.clone(),
                before: undone.value(&change.atom),
                after: change.before.clone(),
            };
            undone.apply(&[back]);
        }
        undone
    }

    /// Returns the name of the first actor that changed one of these ground facts.
    pub fn first_to_change(&self, atoms: &[Atom]) -> Option<Name> {
        let is_of = |act: &&Act| act.changes.iter().any(|one| atoms.contains(&one.atom));
        self.acts().find(is_of)?.name.clone()
    }
}

impl World {
    /// Records what an actor has changed, if there are others.
    pub(crate) fn record_act(&mut self, by: usize, name: Option<&Name>, changes: &[Change]) {
        if self.actors.len() < 2 {
            return;
        }
        let shared = changes.iter();
        let shared = shared.filter(|change| !self.facts.is_memory(&change.atom.fact));
        let changes = Vec::from_iter(shared.cloned());
        if !changes.is_empty() {
            let name = name.cloned();
            self.acts.push(Act { by, name, changes });
        }
    }

    /// Returns what all others have changed at this tick.
    pub(crate) fn acts_of_others(&self, number: usize) -> OthersActs<'_> {
        OthersActs {
            all: &self.acts,
            number,
        }
    }
}
