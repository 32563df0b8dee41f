//! Analysis of formulas: whether they are static, and which parameters they read.

use super::ground::effects_of;
use crate::compile::{Flat, FlatKind, Formula, FormulaId, Number, NumberId, Read, Term};

/// The facts on which the instances of a domain's tasks depend.
#[derive(Debug)]
pub struct Statics {
    /// For each fact, `true` if an action changes it.
    pub changes: Vec<bool>,
    /// For each fact, `true` if a static precondition of an action reads it.
    pub reads: Vec<bool>,
}

impl Statics {
    /// Finds the facts of a domain.
    pub fn of(flat: &Flat) -> Self {
        let mut changes = vec![false; flat.facts.len()];
        for effect in flat.tasks.iter().flat_map(effects_of) {
            changes[effect.target.fact as usize] = true;
        }
        let mut reads = vec![false; flat.facts.len()];
        let is_primitive = |kind: &FlatKind| matches!(kind, FlatKind::Primitive { .. });
        for task in flat.tasks.iter().filter(|task| is_primitive(&task.kind)) {
            for formula in task.preconditions.iter().filter_map(|one| one.formula) {
                let mut survey = Survey::new(flat, &changes, task.params.len() as u32);
                survey.formula(formula);
                let facts = survey.facts.iter().filter(|_| survey.is_static);
                facts.for_each(|fact| reads[*fact as usize] = true);
            }
        }
        Self { changes, reads }
    }
}

/// The facts and parameters that formulas read.
pub struct Survey<'a> {
    flat: &'a Flat,
    changes: &'a [bool],
    params: u32,
    /// For each parameter, `true` if it is read.
    pub used: Vec<bool>,
    /// The facts that are read.
    facts: Vec<u32>,
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
            facts: vec![],
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
        self.facts.push(read.fact);
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
