//! The reachability of task instances before their conditions are compiled: a delete relaxation of
//! the literals that they require.

use taskloom_document::stop::Stop;

use crate::compile::{Flat, FlatChange, FlatEffect, FlatKind, Formula, FormulaId, Read, Term};
use crate::plan::State;
use crate::plan::rows::Rows;
use crate::plan::state::AtomKey;
use crate::plan::table::TupleTable;

/// Task instances, and the ground facts that they require and add.
#[derive(Debug, Default)]
pub struct Reachable {
    /// The ground facts. Those with an object for a value have it as a last argument.
    atoms: TupleTable,
    requires: Rows,
    adds: Rows,
    /// For each fact, `true` if effects may add it for objects that aren't known in advance.
    is_open: Vec<bool>,
}

impl Reachable {
    /// Finds the facts that effects change in ways that aren't known in advance.
    pub fn new(flat: &Flat) -> Self {
        let mut is_open = vec![false; flat.facts.len()];
        for task in &flat.tasks {
            let FlatKind::Primitive { effects, .. } = &task.kind else {
                continue;
            };
            for effect in effects {
                let any = AtomKey::from_elem(0, task.params.len());
                let added = added_atom(flat, effect, &any);
                let is_determined =
                    added.is_ok_and(|atom| atom.is_none() || effect.forall.is_empty());
                is_open[effect.target.fact as usize] |= !is_determined;
            }
        }
        Self {
            is_open,
            ..Self::default()
        }
    }

    /// Adds a task instance with these conditions.
    pub fn add(
        &mut self,
        flat: &Flat,
        effects: &[FlatEffect],
        conditions: &[FormulaId],
        objects: &[u32],
    ) {
        let mut required = vec![];
        for condition in conditions {
            self.require(flat, *condition, objects, &mut required);
        }
        let mut adds = vec![];
        for effect in effects {
            if !self.is_open[effect.target.fact as usize]
                && let Ok(Some(atom)) = added_atom(flat, effect, objects)
            {
                adds.push(self.atoms.intern(&atom));
            }
        }
        required.sort_unstable();
        required.dedup();
        self.requires.push(&required);
        self.adds.push(&adds);
    }

    /// Collects the ground facts without which a condition can't hold.
    fn require(&mut self, flat: &Flat, formula: FormulaId, objects: &[u32], into: &mut Vec<u32>) {
        let code = &flat.code;
        let atom = match code.formulas[formula.0 as usize] {
            Formula::Holds(read) => determined_atom(flat, read, objects),
            Formula::Same(list) => {
                let terms = &code.terms[list.range()];
                match *terms {
                    [Term::Fact(read), term] | [term, Term::Fact(read)] => {
                        let atom = determined_atom(flat, read, objects).zip(object(term, objects));
                        atom.map(|(mut atom, value)| {
                            atom.push(value);
                            atom
                        })
                    }
                    _ => None,
                }
            }
            Formula::All(list) => {
                for part in &code.lists[list.range()] {
                    self.require(flat, *part, objects, into);
                }
                None
            }
            _ => None,
        };
        if let Some(atom) = atom.filter(|atom| !self.is_open[atom[0] as usize]) {
            into.push(self.atoms.intern(&atom));
        }
    }

    /// Returns for each task instance, in the order of insertion, `true` if it is reachable.
    pub fn possible(&self, initial: &State, stop: &Stop) -> Vec<bool> {
        let readers = self.requires.transposed(self.atoms.len());
        let mut missing: Vec<u32> = vec![];
        let mut open = vec![];
        let mut is_possible = vec![false; self.requires.len() as usize];
        for number in 0..self.requires.len() {
            missing.push(self.requires.row(number).len() as u32);
        }
        let mut is_reached = vec![false; self.atoms.len()];
        for atom in initial.listing() {
            if let Some(atom) = self.atoms.find(&atom) {
                is_reached[atom as usize] = true;
                open.push(atom);
            }
        }
        let mut next: Vec<u32> = (0..self.requires.len())
            .filter(|number| missing[*number as usize] == 0)
            .collect();
        loop {
            while let Some(number) = next.pop() {
                is_possible[number as usize] = true;
                for atom in self.adds.row(number) {
                    if !std::mem::replace(&mut is_reached[*atom as usize], true) {
                        open.push(*atom);
                    }
                }
            }
            let Some(atom) = open.pop() else {
                return is_possible;
            };
            let readers = readers.row(atom);
            if stop.after(1 + readers.len()) {
                return is_possible;
            }
            for number in readers {
                missing[*number as usize] -= 1;
                if missing[*number as usize] == 0 {
                    next.push(*number);
                }
            }
        }
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> u64 {
        let rows = self.requires.memory_use() + self.adds.memory_use();
        2 * rows.bytes + self.atoms.memory_use().bytes
    }
}

/// Returns the object of a term that is a constant or a parameter of the task.
fn object(term: Term, objects: &[u32]) -> Option<u32> {
    match term {
        Term::Object(object) => Some(object),
        Term::Slot(slot) => objects.get(slot as usize).copied(),
        Term::Fact(_) => None,
    }
}

/// Returns a ground fact if the task's objects determine it.
fn determined_atom(flat: &Flat, read: Read, objects: &[u32]) -> Option<AtomKey> {
    let terms = flat.code.terms[read.args.range()].iter();
    let args = terms.map(|term| object(*term, objects));
    std::iter::once(Some(read.fact)).chain(args).collect()
}

/// Returns the ground fact that an effect adds, if any.
///
/// # Errors
/// Fails if that depends on more than the task's objects.
fn added_atom(flat: &Flat, effect: &FlatEffect, objects: &[u32]) -> Result<Option<AtomKey>, ()> {
    match effect.change {
        FlatChange::Unset
        | FlatChange::Assign(_)
        | FlatChange::Increase(_)
        | FlatChange::Decrease(_) => Ok(None),
        FlatChange::Set => determined_atom(flat, effect.target, objects)
            .map(Some)
            .ok_or(()),
        FlatChange::Object(term) => {
            let mut atom = determined_atom(flat, effect.target, objects).ok_or(())?;
            atom.push(object(term, objects).ok_or(())?);
            Ok(Some(atom))
        }
    }
}
