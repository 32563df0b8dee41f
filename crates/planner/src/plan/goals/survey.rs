//! Analysis of a formula: whether it is static, and which parameters it reads.

use crate::compile::{Flat, Formula, FormulaId, Number, NumberId, Read, Term};

/// The facts and parameters that formulas read.
pub struct Survey<'a> {
    flat: &'a Flat,
    changes: &'a [bool],
    params: u32,
    /// For each parameter, `true` if it is read.
    pub used: Vec<bool>,
    /// `true` if no fact that is read ever changes.
    pub is_static: bool,
}

impl<'a> Survey<'a> {
    /// Starts without formulas, for a task with `params` parameters.
    pub fn new(flat: &'a Flat, changes: &'a [bool], params: u32) -> Self {
        Self {
            flat,
            changes,
            params,
            used: vec![false; params as usize],
            is_static: true,
        }
    }

    fn terms(&mut self, range: std::ops::Range<usize>) {
        for term in &self.flat.code.terms[range] {
            match *term {
                Term::Object(_) => {}
                Term::Slot(slot) if slot < self.params => self.used[slot as usize] = true,
                Term::Slot(_) => {}
                Term::Fact(read) => self.read(read),
            }
        }
    }

    fn read(&mut self, read: Read) {
        self.is_static &= !self.changes[read.fact as usize];
        self.terms(read.args.range());
    }

    fn number(&mut self, number: NumberId) {
        match self.flat.code.numbers[number.0 as usize] {
            Number::Constant(_) => {}
            Number::Fact(read) => self.read(read),
            Number::Negative(of) => self.number(of),
            Number::Arithmetic(_, a, b) | Number::Function(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Number::Aggregate(which) => {
                let code = &self.flat.code.aggregates[which as usize];
                code.of.iter().for_each(|of| self.formula(*of));
                self.number(code.value);
            }
        }
    }

    /// Adds a formula.
    pub fn formula(&mut self, formula: FormulaId) {
        let code = &self.flat.code;
        match code.formulas[formula.0 as usize] {
            Formula::Constant(_) => {}
            Formula::Holds(read) => self.read(read),
            Formula::Not(of) | Formula::Every(_, _, of) | Formula::Some(_, _, of) => {
                self.formula(of);
            }
            Formula::All(list) | Formula::Any(list) => {
                for part in &code.lists[list.range()] {
                    self.formula(*part);
                }
            }
            Formula::Imply(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            Formula::Compare(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Formula::Same(list) => self.terms(list.range()),
            Formula::Condition(number, args) => {
                self.terms(args.range());
                // The slots of its body aren't the task's.
                let params = std::mem::replace(&mut self.params, 0);
                if let Some(body) = code.conditions[number as usize].body {
                    self.formula(body);
                }
                self.params = params;
            }
        }
    }
}
