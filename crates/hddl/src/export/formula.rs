//! Formulas as few planners need more: named conditions written out, quantifiers
//! over the objects that there are.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::full::{AGGREGATE, FUNCTION, TIME};
use super::names::Names;
use super::simplify::{and, not, or};
use super::values::Bindings;
use crate::syntax::ast::{Comparison, Formula, Number};
use taskloom_document::stop::Stop;
use taskloom_document::{Field, Name, RecordRef};
use taskloom_domain::lang::typed::{
    self, Comparison as Written, FormulaKind, Operator, Quantifier, Term as TypedTerm,
};
use taskloom_domain::model::Model;

/// At most so many formulas and terms may be written out for one problem.
const LARGEST: usize = 500_000;

/// Formulas, named conditions written out, may be so deep.
const DEEPEST: usize = 300;

/// Lowers typed formulas to HDDL's.
pub struct Lowering<'m> {
    /// The document.
    pub model: &'m Model<'m>,
    /// Names in the file.
    pub names: &'m Names,
    /// Asked whether to go on.
    pub stop: &'m Stop,
    written: Cell<usize>,
    depth: Cell<usize>,
    /// The objects that were named.
    pub(super) mentioned: RefCell<BTreeSet<Name>>,
    /// The objects of each type that was asked for.
    pub(super) objects: RefCell<BTreeMap<Name, Rc<[Name]>>>,
    /// What is being written,
    at: RefCell<Option<(RecordRef, Field)>>,
    /// and what was when it became too much.
    too_large: RefCell<Option<(RecordRef, Field)>>,
    /// What was written first that HDDL has no words for, and what those are.
    unsayable: RefCell<Option<(RecordRef, Field, &'static str)>>,
}

impl<'m> Lowering<'m> {
    /// Lowers for a model with these names.
    pub fn new(model: &'m Model<'m>, names: &'m Names, stop: &'m Stop) -> Self {
        Self {
            model,
            names,
            stop,
            written: Cell::new(0),
            depth: Cell::new(0),
            mentioned: RefCell::default(),
            objects: RefCell::default(),
            at: RefCell::default(),
            too_large: RefCell::default(),
            unsayable: RefCell::default(),
        }
    }

    /// Says what is written from now on.
    pub fn begin(&self, record: RecordRef, field: Field) {
        *self.at.borrow_mut() = Some((record, field));
    }

    /// What was being written when there was more to write out than is written out.
    pub fn too_large_at(&self) -> Option<(RecordRef, Field)> {
        self.too_large.borrow().clone()
    }

    /// Where there is something that HDDL cannot say, and what it has no words for.
    pub fn unsayable(&self) -> Option<(RecordRef, Field, &'static str)> {
        self.unsayable.borrow().clone()
    }

    fn cannot_say(&self, what: &'static str) {
        let mut unsayable = self.unsayable.borrow_mut();
        if unsayable.is_none() {
            let at = self.at.borrow().clone();
            *unsayable = at.map(|(record, field)| (record, field, what));
        }
    }

    /// Whether there was more to write out than is written out.
    pub fn is_too_large(&self) -> bool {
        self.written.get() > LARGEST
    }

    /// Whether no more is to be written.
    pub fn has_ended(&self) -> bool {
        self.is_too_large() || self.stop.is_heard()
    }

    /// The objects that formulas name.
    pub fn mentioned(&self) -> BTreeSet<Name> {
        self.mentioned.borrow().clone()
    }

    /// Counts work; false: no more of it.
    fn count(&self) -> bool {
        self.spend(1)
    }

    /// Counts so much work, before it is done; false: it is too much, or nobody wants it
    /// any more. Everything that grows faster than the document passes here.
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

    /// A formula in HDDL.
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

    /// Each of some bindings with each object of a type for one variable more.
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
        let condition = self.model.document.conditions.get(name);
        let (Some(condition), Some(body)) = (condition, self.model.conditions.get(name)) else {
            return Formula::FALSE;
        };
        let own = condition.params.iter().zip(args);
        let own = BTreeMap::from_iter(
            own.map(|(param, arg)| (param.name.clone(), self.term(arg, bindings))),
        );
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
        // Where a side has no value, it differs.
        let has_value = |number| or(self.number(number, bindings).into_iter().map(|(g, _)| g));
        or([compared, not(has_value(a)), not(has_value(b))])
    }

    /// A number, under each condition.
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
                let sign = match operator {
                    Operator::Add => '+',
                    Operator::Subtract => '-',
                    Operator::Multiply => '*',
                    Operator::Divide => '/',
                };
                let mut all = vec![];
                for (when_a, a) in self.number(a, bindings) {
                    for (when_b, b) in self.number(b, bindings) {
                        let guard = and([when_a.clone(), when_b.clone()]);
                        let (a, b) = (Box::new(a.clone()), Box::new(b.clone()));
                        all.push((guard, Number::Arithmetic(sign, a, b)));
                    }
                }
                all
            }
            typed::Number::Aggregate(..) => {
                self.cannot_say(AGGREGATE);
                vec![]
            }
            typed::Number::Function(..) => {
                self.cannot_say(FUNCTION);
                vec![]
            }
            typed::Number::Time => {
                self.cannot_say(TIME);
                vec![]
            }
        }
    }
}
