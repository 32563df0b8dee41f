//! The propositions of a delete relaxation: a variable has a value, or a condition holds.

use super::domains::Domains;
use super::formula::Values;
use super::literals::Literal;
use super::task::{Kind, Task};
use crate::plan::rows::NONE;

/// The propositions and the literals that they represent.
#[derive(Debug, Default)]
pub struct Propositions {
    /// The values that variables can have.
    pub domains: Domains,
    /// For each boolean variable, the propositions that it is false and true.
    pub(super) booleans: Vec<[u32; 2]>,
    /// For each variable, the start of its values in `values`.
    pub(super) first: Vec<u32>,
    /// For each variable and object, with the undefined one first, the proposition.
    pub(super) values: Vec<u32>,
    /// For each proposition, the literal that it represents.
    pub literals: Vec<Option<Literal>>,
}

impl Propositions {
    /// Returns the number of propositions.
    pub fn len(&self) -> usize {
        self.literals.len()
    }

    /// Returns the proposition that a boolean variable has a value.
    pub fn boolean(&self, variable: u32, expected: bool) -> u32 {
        self.booleans[variable as usize][usize::from(expected)]
    }

    /// Returns the proposition that a variable is an object, or undefined.
    pub fn object(&self, variable: u32, object: u32) -> u32 {
        self.values[(self.first[variable as usize] + object.wrapping_add(1)) as usize]
    }

    /// Returns the proposition of a literal; [`NONE`] if nothing reads it.
    pub fn of(&self, literal: Literal) -> u32 {
        match literal {
            Literal::Is(variable, expected) => self.boolean(variable, expected),
            Literal::Object(variable, object) => self.object(variable, object),
        }
    }

    /// Returns the propositions of a variable's values.
    pub fn values_of(&self, variable: u32) -> Vec<u32> {
        let objects = self.domains.of(variable).iter();
        objects
            .map(|object| self.object(variable, *object))
            .collect()
    }

    /// Calls `note` for the proposition of each literal that holds in a state.
    pub fn of_state(&self, task: &Task, state: Values<'_>, note: &mut dyn FnMut(u32)) {
        for (variable, propositions) in (0..).zip(&self.booleans) {
            let proposition = propositions[usize::from(state.is(variable))];
            if proposition != NONE {
                note(proposition);
            }
        }
        for (variable, kind) in (0..).zip(&task.kinds) {
            if *kind == Kind::Object {
                let proposition = self.object(variable, state.object(variable));
                if proposition != NONE {
                    note(proposition);
                }
            }
        }
    }

    /// Adds what determines the value of a variable: its number, or propositions.
    pub fn note(
        &self,
        task: &Task,
        variable: u32,
        is_boolean: bool,
        numbers: &mut Vec<u32>,
        values: &mut Vec<u32>,
    ) {
        if is_boolean {
            values.extend([false, true].map(|expected| self.boolean(variable, expected)));
        } else if task.kinds[variable as usize] == Kind::Object {
            let objects = self.domains.of(variable).iter();
            values.extend(objects.map(|object| self.object(variable, *object)));
        } else {
            numbers.push(variable);
        }
        values.retain(|proposition| *proposition != NONE);
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        self.booleans.capacity() * size_of::<[u32; 2]>()
            + self.literals.capacity() * size_of::<Option<Literal>>()
            + (self.first.capacity() + self.values.capacity()) * size_of::<u32>()
            + self.domains.memory()
    }
}
