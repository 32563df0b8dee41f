//! Formulas in the subset that most planners support: named conditions are inlined, and quantifiers
//! are expanded over the existing objects.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::full::{AGGREGATE, FUNCTION, TIME};
use super::input::Input;
use super::names::Names;
use super::simplify::{and, not, or};
use super::values::Bindings;
use crate::syntax::ast::{Comparison, Formula, Number};
use taskloom_document::sort::map_of;
use taskloom_document::stop::Stop;
use taskloom_document::{Field, Name, RecordRef};
use taskloom_domain::lang::typed::{
    self, Comparison as Written, FormulaKind, Quantifier, Term as TypedTerm,
};
use taskloom_domain::text::values;

/// The maximum number of formulas and terms written for one problem.
const LARGEST: usize = 500_000;

/// The maximum depth of formulas with inlined named conditions.
const DEEPEST: usize = 300;

/// Lowers typed formulas to HDDL.
pub struct Lowering<'m> {
    /// The parts to export.
    pub input: &'m Input<'m>,
    /// Names in the file.
    pub names: &'m Names,
    /// Checked for cancellation.
    pub stop: &'m Stop,
    written: Cell<usize>,
    depth: Cell<usize>,
    /// The objects mentioned so far.
    pub(super) mentioned: RefCell<BTreeSet<Name>>,
    /// The record and field being written.
    at: RefCell<Option<(RecordRef, Field)>>,
    /// The record and field being written when the limit was exceeded.
    too_large: RefCell<Option<(RecordRef, Field)>>,
    /// The first feature that HDDL can't express, and its location.
    unsupported: RefCell<Option<(RecordRef, Field, &'static str)>>,
}

impl<'m> Lowering<'m> {
    /// Creates a lowering with these names.
    pub fn new(input: &'m Input<'m>, names: &'m Names, stop: &'m Stop) -> Self {
        Self {
            input,
            names,
            stop,
            written: Cell::new(0),
            depth: Cell::new(0),
            mentioned: RefCell::default(),
            at: RefCell::default(),
            too_large: RefCell::default(),
            unsupported: RefCell::default(),
        }
    }

    /// Sets the record and field being written.
    pub fn begin(&self, record: RecordRef, field: Field) {
        *self.at.borrow_mut() = Some((record, field));
    }

    /// Returns the record and field being written when the limit was exceeded.
    pub fn too_large_at(&self) -> Option<(RecordRef, Field)> {
        self.too_large.borrow().clone()
    }

    /// Returns the location of a feature that HDDL can't express, and the feature.
    pub fn unsupported(&self) -> Option<(RecordRef, Field, &'static str)> {
        self.unsupported.borrow().clone()
    }

    fn report_unsupported(&self, what: &'static str) {
        let mut unsupported = self.unsupported.borrow_mut();
        if unsupported.is_none() {
            let at = self.at.borrow().clone();
            *unsupported = at.map(|(record, field)| (record, field, what));
        }
    }

    /// Returns `true` if the limit was exceeded.
    pub fn is_too_large(&self) -> bool {
        self.written.get() > LARGEST
    }

    /// Returns `true` if writing should stop.
    pub fn has_ended(&self) -> bool {
        self.is_too_large() || self.stop.is_cancelled()
    }

    /// Returns the objects that formulas mention.
    pub fn mentioned(&self) -> BTreeSet<Name> {
        self.mentioned.borrow().clone()
    }

    /// Counts one unit of work; returns `false` if work should stop.
    fn count(&self) -> bool {
        self.spend(1)
    }

    /// Counts work before it is done; returns `false` if it exceeds the limit or is cancelled.
    /// Everything that grows faster than the document is counted here.
    pub fn spend(&self, work: usize) -> bool {
        if self.stop.after(work) {
            return false;
        }
        let was_too_large = self.is_too_large();
        self.written.set(self.written.get().saturating_add(work));
        if self.is_too_large() && !was_too_large {
            self.too_large.borrow_mut().clone_from(&self.at.borrow());
        }
        !self.is_too_large()
    }

    /// Returns a formula in HDDL.
    pub fn formula(&self, formula: &typed::Formula, bindings: &Bindings) -> Formula {
        if self.depth.get() >= DEEPEST {
            self.spend(usize::MAX);
        }
        if !self.count() {
            return Formula::FALSE;
        }
        self.depth.set(self.depth.get() + 1);
        let lowered = self.lower(formula, bindings);
        self.depth.set(self.depth.get() - 1);
        lowered
    }

    fn lower(&self, formula: &typed::Formula, bindings: &Bindings) -> Formula {
        match &formula.kind {
            FormulaKind::Constant(true) => Formula::TRUE,
            FormulaKind::Constant(false) => Formula::FALSE,
            FormulaKind::Fact(name, args) => {
                let atoms = self.atoms(name, args, bindings).into_iter();
                or(atoms.map(|(guard, atom)| and([guard, Formula::Atom(atom)])))
            }
            FormulaKind::Condition(name, args) => self.condition(name, args, bindings),
            FormulaKind::Compare(comparison, a, b) => self.compare(*comparison, a, b, bindings),
            FormulaKind::Same(a, b) => self.same_value(a, b, bindings),
            FormulaKind::Not(part) => not(self.formula(part, bindings)),
            FormulaKind::And(parts) => and(parts.iter().map(|p| self.formula(p, bindings))),
            FormulaKind::Or(parts) => or(parts.iter().map(|p| self.formula(p, bindings))),
            FormulaKind::Imply(a, b) => {
                or([not(self.formula(a, bindings)), self.formula(b, bindings)])
            }
            FormulaKind::Quantified(quantifier, params, body) => {
                let mut all = vec![bindings.clone()];
                for param in params {
                    all = self.every_binding(all, &param.name, &param.of);
                }
                let parts = all.iter().map(|bindings| self.formula(body, bindings));
                match quantifier {
                    Quantifier::Forall => and(parts),
                    Quantifier::Exists => or(parts),
                }
            }
        }
    }

    /// Extends each of some bindings with each object of a type for one more variable.
    pub fn every_binding(&self, all: Vec<Bindings>, name: &Name, of: &Name) -> Vec<Bindings> {
        let mut more = vec![];
        let objects = self.objects_of(of);
        if !self.spend(all.len().saturating_mul(objects.len())) {
            return vec![];
        }
        for bindings in all {
            for object in objects.iter().cloned() {
                let mut bindings = bindings.clone();
                bindings.insert(name.clone(), vec![(Formula::TRUE, object)]);
                more.push(bindings);
            }
        }
        more
    }

    fn condition(&self, name: &Name, args: &[TypedTerm], bindings: &Bindings) -> Formula {
        let condition = self.input.document.conditions.get(name);
        let body = values(self.input.domain.condition(name)).next();
        let (Some(condition), Some(body)) = (condition, body) else {
            return Formula::FALSE;
        };
        let own = condition.params.iter().zip(args);
        let own = map_of(own.map(|(param, arg)| (param.name.clone(), self.term(arg, bindings))));
        self.formula(body, &own)
    }

    fn compare(
        &self,
        comparison: Written,
        a: &typed::Number,
        b: &typed::Number,
        bindings: &Bindings,
    ) -> Formula {
        let mut parts = vec![];
        for (when_a, a) in self.number(a, bindings) {
            for (when_b, b) in self.number(b, bindings) {
                let compared = match (comparison, &a, &b) {
                    (_, Number::Constant(a), Number::Constant(b)) => {
                        let holds = match comparison {
                            Written::Equal => a == b,
                            Written::NotEqual => a != b,
                            Written::Less => a < b,
                            Written::LessOrEqual => a <= b,
                            Written::Greater => a > b,
                            Written::GreaterOrEqual => a >= b,
                        };
                        if holds { Formula::TRUE } else { Formula::FALSE }
                    }
                    (Written::NotEqual, _, _) => {
                        not(Formula::Compare(Comparison::Equal, a.clone(), b.clone()))
                    }
                    _ => {
                        let comparison = match comparison {
                            Written::Equal | Written::NotEqual => Comparison::Equal,
                            Written::Less => Comparison::Less,
                            Written::LessOrEqual => Comparison::LessOrEqual,
                            Written::Greater => Comparison::Greater,
                            Written::GreaterOrEqual => Comparison::GreaterOrEqual,
                        };
                        Formula::Compare(comparison, a.clone(), b.clone())
                    }
                };
                parts.push(and([when_a.clone(), when_b.clone(), compared]));
            }
        }
        let compared = or(parts);
        if comparison != Written::NotEqual {
            return compared;
        }
        // If a side is undefined, the two differ.
        let has_value = |number| or(self.number(number, bindings).into_iter().map(|(g, _)| g));
        or([compared, not(has_value(a)), not(has_value(b))])
    }

    /// Returns the possible values of a number, each with its condition.
    pub fn number(&self, number: &typed::Number, bindings: &Bindings) -> Vec<(Formula, Number)> {
        if !self.count() {
            return vec![];
        }
        match number {
            typed::Number::Constant(value) => vec![(Formula::TRUE, Number::Constant(*value))],
            typed::Number::Fact(name, args) => {
                let atoms = self.atoms(name, args, bindings).into_iter();
                atoms
                    .map(|(guard, atom)| (guard, Number::Function(atom)))
                    .collect()
            }
            typed::Number::Negative(inner) => {
                let inner = self.number(inner, bindings).into_iter();
                inner
                    .map(|(guard, n)| (guard, Number::Negative(Box::new(n))))
                    .collect()
            }
            typed::Number::Arithmetic(operator, a, b) => {
                let mut all = vec![];
                for (when_a, a) in self.number(a, bindings) {
                    for (when_b, b) in self.number(b, bindings) {
                        let guard = and([when_a.clone(), when_b.clone()]);
                        let (a, b) = (Box::new(a.clone()), Box::new(b.clone()));
                        all.push((guard, Number::Arithmetic(operator.sign(), a, b)));
                    }
                }
                all
            }
            typed::Number::Aggregate(..) => {
                self.report_unsupported(AGGREGATE);
                vec![]
            }
            typed::Number::Function(..) => {
                self.report_unsupported(FUNCTION);
                vec![]
            }
            typed::Number::Time => {
                self.report_unsupported(TIME);
                vec![]
            }
        }
    }
}
