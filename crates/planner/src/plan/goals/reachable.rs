//! The reachability of task instances before their conditions are compiled: a delete relaxation of
//! the literals that they require.

use std::sync::Arc;

use taskloom_document::stop::Stop;

use super::instances::{Instance, Instances};
use crate::compile::{
    Flat, FlatChange, FlatEffect, FlatKind, FlatValue, Formula, FormulaId, Read, Term,
};
use crate::plan::State;
use crate::plan::rows::Rows;
use crate::plan::state::AtomKey;
use crate::plan::table::TupleTable;

/// Task instances, and the ground facts that they require and add.
#[derive(Debug, Default)]
pub struct Reachable {
    /// The ground facts. Those with an object for a value have it as a last argument.
    pub(super) atoms: TupleTable,
    pub(super) requires: Rows,
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

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> u64 {
        let rows = self.requires.memory_use() + self.adds.memory_use();
        2 * rows.bytes + self.atoms.memory_use().bytes
    }
}

impl Instances {
    /// Starts to find those that are reachable from a state.
    pub fn explore(self: &Arc<Self>, flat: &Flat, initial: &State) -> Exploration {
        let Reachable {
            atoms, requires, ..
        } = &self.reachable;
        let numbers = 0..requires.len();
        let missing: Vec<u32> = numbers
            .clone()
            .map(|number| requires.row(number).len() as u32)
            .collect();
        let mut is_reached = vec![false; atoms.len()];
        let mut open = vec![];
        for number in 0..atoms.len() as u32 {
            let atom = atoms.tuple(number);
            let is_true = match (flat.facts[atom[0] as usize].value, atom) {
                (FlatValue::Boolean, atom) => initial.holds(atom),
                (_, [atom @ .., value]) => initial.value(atom) == u64::from(*value) + 1,
                (_, []) => false,
            };
            if is_true {
                is_reached[number as usize] = true;
                open.push(number);
            }
        }
        let size = missing.len() + requires.items() + atoms.len();
        Exploration {
            next: numbers
                .filter(|number| missing[*number as usize] == 0)
                .collect(),
            is_possible: vec![false; missing.len()],
            instances: self.clone(),
            missing,
            is_reached,
            open,
            work: size as u64,
        }
    }
}

/// The exploration of what is reachable, in slices.
#[derive(Debug)]
pub struct Exploration {
    instances: Arc<Instances>,
    /// For each task instance, the number of required facts that aren't reached.
    missing: Vec<u32>,
    is_reached: Vec<bool>,
    /// The facts whose readers have not been visited.
    open: Vec<u32>,
    /// The instances whose facts have not been added.
    next: Vec<u32>,
    is_possible: Vec<bool>,
    /// The work done so far, in facts and task instances.
    pub work: u64,
}

impl Exploration {
    /// Continues until this much work is done. Returns `true` if there is more, unless it was cancelled.
    pub fn step(&mut self, until: u64, stop: &Stop) -> bool {
        while self.work < until {
            if let Some(number) = self.next.pop() {
                self.is_possible[number as usize] = true;
                let adds = self.instances.reachable.adds.row(number);
                self.work += 1 + adds.len() as u64;
                for atom in adds {
                    if !std::mem::replace(&mut self.is_reached[*atom as usize], true) {
                        self.open.push(*atom);
                    }
                }
                continue;
            }
            let Some(atom) = self.open.pop() else {
                return false;
            };
            let readers = self.instances.readers.row(atom);
            self.work += 1 + readers.len() as u64;
            if stop.after(1 + readers.len()) {
                return false;
            }
            for number in readers {
                self.missing[*number as usize] -= 1;
                if self.missing[*number as usize] == 0 {
                    self.next.push(*number);
                }
            }
        }
        true
    }

    /// Returns the reachable instances, and for each task, its conditions that aren't static.
    pub fn finish(self) -> (Vec<Instance>, Vec<Vec<FormulaId>>) {
        let Instances { tuples, late, .. } = &*self.instances;
        let all = tuples.iter().zip(&self.is_possible);
        let reachable = all.filter(|(_, is_possible)| **is_possible);
        let reachable = reachable.map(|(instance, _)| instance.clone());
        (reachable.collect(), late.clone())
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
