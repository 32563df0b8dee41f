//! The differences between two worlds of a scenario.

use std::sync::Arc;

use super::{Assigned, World};
use crate::ground::{Atom, Value};
use crate::lang::with_atom;
use taskloom_document::Name;

impl World {
    /// Returns `true` if this and another world result from changes of the same initial world.
    pub fn is_version_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scene, &other.scene)
            && Arc::ptr_eq(&self.values.held, &other.values.held)
            && self.memory.is_some() == other.memory.is_some()
    }

    /// Returns the ground facts whose values differ from those in an earlier version of this world, in
    /// order, with their values here. Takes time in proportion to the ground instances of facts that have
    /// changed. Returns `None` if they aren't [versions](Self::is_version_of) of the same world.
    pub fn differences(&self, from: &Self) -> Option<Vec<(Atom, Value)>> {
        if !self.is_version_of(from) {
            return None;
        }
        let mut differing = vec![];
        let mut compare = |here: &Assigned, there: &Assigned, is_own: bool| {
            for fact in here.facts_that_differ(there) {
                if is_own == (self.memory.is_some() && self.is_memory(fact)) {
                    self.compare(from, (here, there), fact, &mut differing);
                }
            }
        };
        compare(&self.values.set, &from.values.set, false);
        if let Some((here, there)) = self.memory.as_ref().zip(from.memory.as_ref()) {
            compare(&here.set, &there.set, true);
        }
        differing.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Some(differing)
    }

    /// Calls a function with each ground instance of a fact whose value may differ from that in another world
    /// of the same scenario, in no particular order, and some of them twice.
    pub fn each_difference_of(&self, other: &Self, fact: &Name, visit: &mut dyn FnMut(&Atom)) {
        let is_own = |world: &Self| world.memory.is_some() && world.is_memory(fact);
        let has_same_rest = Arc::ptr_eq(&self.values.held, &other.values.held);
        if !has_same_rest || is_own(self) || is_own(other) {
            self.each_atom_of(fact, visit);
            other.each_atom_of(fact, visit);
            return;
        }
        let (here, there) = (&self.values.set, &other.values.set);
        with_atom(fact, |atom| {
            here.each_difference(there, fact, &mut |args| {
                atom.args.clear();
                atom.args.extend_from_slice(args);
                visit(atom);
            });
        });
    }

    /// Adds the ground instances of a fact whose values differ.
    fn compare(
        &self,
        from: &Self,
        (here, there): (&Assigned, &Assigned),
        fact: &Name,
        differing: &mut Vec<(Atom, Value)>,
    ) {
        let mut atom = Atom {
            fact: fact.clone(),
            args: vec![],
        };
        // A value that only one of them has may be the initial one of the other.
        here.each_difference(there, fact, &mut |args| {
            atom.args.clear();
            atom.args.extend_from_slice(args);
            let value = self.present(&atom);
            if value != from.present(&atom) {
                differing.push((atom.clone(), value));
            }
        });
    }
}
