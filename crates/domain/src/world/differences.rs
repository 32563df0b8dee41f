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

    /// Calls a function with each ground fact whose value differs from that in an earlier version of this world,
    /// and with its value here, in no particular order. Of some facts, `relevant` lists the ground instances that
    /// count. Takes time in proportion to these, and to the ground instances of other facts that have changed.
    /// Returns `false` if they aren't [versions](Self::is_version_of) of the same world.
    pub fn each_change_since<'r>(
        &self,
        from: &Self,
        relevant: &dyn Fn(&Name) -> Option<&'r [Atom]>,
        visit: &mut dyn FnMut(&Atom, &Value),
    ) -> bool {
        if !self.is_version_of(from) {
            return false;
        }
        let mut compare = |here: &Assigned, there: &Assigned, is_own: bool| {
            for fact in here.facts_that_differ(there) {
                if is_own != (self.memory.is_some() && self.is_memory(fact)) {
                    continue;
                }
                if let Some(atoms) = relevant(fact) {
                    for atom in atoms {
                        let value = self.present(atom);
                        if value != from.present(atom) {
                            visit(atom, &value);
                        }
                    }
                } else {
                    each_difference(fact, (here, there), &mut |atom, value| {
                        if let Some(value) = value {
                            return visit(atom, value);
                        }
                        // A value that only one of them has may be the initial one of the other.
                        let value = self.present(atom);
                        if value != from.present(atom) {
                            visit(atom, &value);
                        }
                    });
                }
            }
        };
        compare(&self.values.set, &from.values.set, false);
        if let Some((here, there)) = self.memory.as_ref().zip(from.memory.as_ref()) {
            compare(&here.set, &there.set, true);
        }
        true
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
        each_difference(
            fact,
            (&self.values.set, &other.values.set),
            &mut |atom, _| visit(atom),
        );
    }
}

/// Calls a function with each ground instance of a fact whose values differ, and with the value here if both have
/// one.
fn each_difference(
    fact: &Name,
    (here, there): (&Assigned, &Assigned),
    visit: &mut dyn FnMut(&Atom, Option<&Value>),
) {
    with_atom(fact, |atom| {
        here.each_difference(there, fact, &mut |args, value| {
            atom.args.clear();
            atom.args.extend_from_slice(args);
            visit(atom, value);
        });
    });
}
