//! Application of a primitive task's effects to a state.

use super::evaluate::{Evaluation, UNDEFINED};
use super::memory::MemoryUse;
use super::state::{AtomKey, State};
use crate::compile::{Flat, FlatChange, FlatEffect};
use taskloom_domain::lang::decimal::rounded;

/// A change whose right-hand side is evaluated.
#[derive(Debug)]
enum Write {
    Unset,
    Set,
    Object(u32),
    Assign(f64),
    Add(f64),
}

/// Changes evaluated in the previous state, to be applied together.
#[derive(Debug)]
pub struct Writes {
    changes: Vec<(AtomKey, Write)>,
    /// The maximum number of changes.
    max_changes: usize,
}

/// The reason why effects can't be applied.
#[derive(Debug)]
pub enum Inapplicable {
    /// A number would leave its range.
    Range(AtomKey, f64),
    /// The right-hand side for this fact is undefined.
    NoValue(AtomKey),
    /// An argument of this fact is undefined.
    NoAtom(u32),
}

impl Writes {
    /// Starts without changes, which may use `memory` bytes.
    pub fn new(memory: u64) -> Self {
        let max_changes = memory / size_of::<(AtomKey, Write)>() as u64;
        Self {
            changes: vec![],
            max_changes: usize::try_from(max_changes).unwrap_or(usize::MAX),
        }
    }

    /// Evaluates effects in a state, with the variables of a frame.
    pub fn read(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        effects: &[FlatEffect],
    ) -> Result<(), Inapplicable> {
        self.changes.clear();
        for effect in effects {
            self.read_every(evaluation, effect, &effect.forall)?;
        }
        Ok(())
    }

    /// Evaluates an effect for every object of its variables. The recursion is as deep as the
    /// effect has variables.
    fn read_every(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        effect: &FlatEffect,
        forall: &[(u32, u32)],
    ) -> Result<(), Inapplicable> {
        let flat = evaluation.flat;
        let Some(((slot, of), rest)) = forall.split_first() else {
            return self.read_one(evaluation, effect);
        };
        for object in &flat.types[*of as usize] {
            if evaluation.frames.is_over() {
                break;
            }
            let slot = evaluation.base + *slot as usize;
            evaluation.frames.slots[slot] = *object;
            self.read_every(evaluation, effect, rest)?;
        }
        Ok(())
    }

    fn read_one(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        effect: &FlatEffect,
    ) -> Result<(), Inapplicable> {
        if effect.when.is_some_and(|when| !evaluation.holds(when)) {
            return Ok(());
        }
        let Some(atom) = evaluation.atom(effect.target) else {
            return Err(Inapplicable::NoAtom(effect.target.fact));
        };
        let mut number = |id| {
            let value = evaluation.number(id);
            if value.is_nan() {
                Err(Inapplicable::NoValue(atom.clone()))
            } else {
                Ok(value)
            }
        };
        let write = match effect.change {
            FlatChange::Unset => Write::Unset,
            FlatChange::Set => Write::Set,
            FlatChange::Assign(id) => Write::Assign(number(id)?),
            FlatChange::Increase(id) => Write::Add(number(id)?),
            FlatChange::Decrease(id) => Write::Add(-number(id)?),
            FlatChange::Object(term) => match evaluation.term(term) {
                UNDEFINED => return Err(Inapplicable::NoValue(atom)),
                object => Write::Object(object),
            },
        };
        if self.changes.len() >= self.max_changes {
            evaluation.frames.is_full = true;
            return Ok(());
        }
        self.changes.push((atom, write));
        Ok(())
    }

    /// Applies the changes: facts are unset first, then set, and numbers are added to last. If it
    /// fails, some of the changes have been applied.
    pub fn apply(&self, flat: &Flat, state: &mut State) -> Result<(), Inapplicable> {
        for (atom, write) in &self.changes {
            if let Write::Unset = write {
                state.set(atom, false);
            }
        }
        for (atom, write) in &self.changes {
            match write {
                Write::Set => {
                    state.set(atom, true);
                }
                Write::Object(object) => {
                    state.assign(atom, u64::from(object.wrapping_add(1)));
                }
                Write::Assign(number) => {
                    state.assign(atom, (number + 0.0).to_bits());
                }
                Write::Unset | Write::Add(_) => {}
            }
        }
        for (atom, write) in &self.changes {
            if let Write::Add(number) = write {
                let sum = rounded(f64::from_bits(state.value(atom)) + number);
                state.assign(atom, (sum + 0.0).to_bits());
            }
        }
        for (atom, write) in &self.changes {
            if let Write::Assign(_) | Write::Add(_) = write {
                let number = f64::from_bits(state.value(atom));
                if !flat.facts[atom[0] as usize].value.allows(number) {
                    return Err(Inapplicable::Range(atom.clone(), number));
                }
            }
        }
        Ok(())
    }

    /// Returns the memory use.
    pub fn memory_use(&self) -> MemoryUse {
        MemoryUse::of_vec(&self.changes)
    }
}
