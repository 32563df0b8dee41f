//! Formulas as few planners need more: named conditions written out, quantifiers
//! over the objects that there are, object facts as predicates whose last
//! argument is the value.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::names::Names;
use crate::syntax::ast::{Atom, Comparison, Formula, Number, Term};
use taskloom_document::{Field, Kind, Name, RecordRef, ValueKind};
use taskloom_domain::lang::typed::{
    self, Comparison as Written, FormulaKind, Operator, Quantifier, Term as TypedTerm,
};
use taskloom_domain::model::Model;

/// At most so many formulas and terms may be written out for one problem.
const LARGEST: usize = 500_000;

/// Parts of lists that are longer are not compared with one another.
const LONGEST: usize = 64;

/// Formulas, named conditions written out, may be so deep.
const DEEPEST: usize = 300;

/// A term and the type of what it stands for.
#[derive(Debug, Clone)]
pub struct Place {
    /// The term.
    pub term: Term,
    /// Its type.
    pub of: Name,
}

/// What a term may stand for: each with the condition under which it does. No
/// two of them hold together; where none holds, the term has no value.
pub type Values = Vec<(Formula, Place)>;

/// What variables stand for.
pub type Bindings = BTreeMap<Name, Values>;

/// Lowers typed formulas to HDDL's.
pub struct Lowering<'m> {
    /// The document.
    pub model: &'m Model<'m>,
    /// Names in the file.
    pub names: &'m Names,
    written: Cell<usize>,
    depth: Cell<usize>,
    mentioned: RefCell<BTreeSet<Name>>,
    /// The objects of each type that was asked for.
    objects: RefCell<BTreeMap<Name, Rc<[Name]>>>,
    /// What is being written,
    at: RefCell<Option<(RecordRef, Field)>>,
    /// and what was when it became too much.
    too_large: RefCell<Option<(RecordRef, Field)>>,
}

/// A conjunction, without what needs no saying.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all = vec![];
    for part in parts {
        match part {
            Formula::And(more) => all.extend(more),
            other if other.is_false() => return Formula::FALSE,
            other => all.push(other),
        }
    }
    dedup(&mut all);
    let denied = |part: &Formula| matches!(part, Formula::Not(inner) if all.contains(inner));
    if all.len() <= LONGEST && all.iter().any(denied) {
        return Formula::FALSE;
    }
    if all.len() == 1
        && let Some(one) = all.pop()
    {
        return one;
    }
    Formula::And(all)
}

/// A disjunction, without what needs no saying.
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all = vec![];
    for part in parts {
        match part {
            Formula::Or(more) => all.extend(more),
            other if other.is_true() => return Formula::TRUE,
            other => all.push(other),
        }
    }
    dedup(&mut all);
    if all.len() == 1
        && let Some(one) = all.pop()
    {
        return one;
    }
    Formula::Or(all)
}

/// The opposite, with its negations at the leaves.
pub fn not(part: Formula) -> Formula {
    match part {
        Formula::Not(inner) => *inner,
        Formula::And(parts) => or(parts.into_iter().map(not)),
        Formula::Or(parts) => and(parts.into_iter().map(not)),
        other => Formula::Not(Box::new(other)),
    }
}

/// Leaves the first of equal parts. Long lists are left as they are: comparing
/// all with all would take longer than it is worth.
fn dedup(parts: &mut Vec<Formula>) {
    if parts.len() > LONGEST {
        return;
    }
    let mut kept: Vec<Formula> = vec![];
    for part in parts.drain(..) {
        if !kept.contains(&part) {
            kept.push(part);
        }
    }
    *parts = kept;
}

/// Every way to take one of each, the first ones first.
fn combinations(each: Vec<Values>) -> Vec<(Formula, Vec<Place>)> {
    let mut all = vec![(Formula::TRUE, vec![])];
    for values in each {
        let mut longer = vec![];
        for (guard, places) in &all {
            for (also, place) in &values {
                let guard = and([guard.clone(), also.clone()]);
                if !guard.is_false() {
                    let mut places: Vec<Place> = places.clone();
                    places.push(place.clone());
                    longer.push((guard, places));
                }
            }
        }
        all = longer;
    }
    all
}

impl<'m> Lowering<'m> {
    /// Lowers for a model with these names.
    pub fn new(model: &'m Model<'m>, names: &'m Names) -> Self {
        Self {
            model,
            names,
            written: Cell::new(0),
            depth: Cell::new(0),
            mentioned: RefCell::default(),
            objects: RefCell::default(),
            at: RefCell::default(),
            too_large: RefCell::default(),
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

    /// Whether there was more to write out than is written out.
    pub fn is_too_large(&self) -> bool {
        self.written.get() > LARGEST
    }

    /// The objects that formulas name.
    pub fn mentioned(&self) -> BTreeSet<Name> {
        self.mentioned.borrow().clone()
    }

    /// Counts work; false: no more of it.
    fn count(&self) -> bool {
        self.spend(1)
    }

    /// Counts so much work, before it is done; false: it is too much. Everything that
    /// grows faster than the document passes here, so whoever has to be asked whether
    /// to go on can be asked here.
    pub fn spend(&self, work: usize) -> bool {
        let was_too_large = self.is_too_large();
        self.written.set(self.written.get().saturating_add(work));
        if self.is_too_large() && !was_too_large {
            self.too_large.borrow_mut().clone_from(&self.at.borrow());
        }
        !self.is_too_large()
    }

    /// The objects of a type, by name.
    fn names_of(&self, of: &Name) -> Rc<[Name]> {
        let mut known = self.objects.borrow_mut();
        let own = known
            .entry(of.clone())
            .or_insert_with(|| self.model.objects_of(of).cloned().collect());
        own.clone()
    }

    /// An object, which the domain thereby names.
    pub fn object(&self, name: &Name) -> Place {
        self.mentioned.borrow_mut().insert(name.clone());
        let of = self.model.objects.get(name);
        Place {
            term: Term::Constant(self.names.of(Kind::Object, name)),
            of: match of {
                Some(of) => (*of).clone(),
                None => name.clone(),
            },
        }
    }

    /// All objects of a type as values.
    pub fn objects_of(&self, of: &Name) -> Vec<Place> {
        let names = self.names_of(of);
        names.iter().map(|name| self.object(name)).collect()
    }

    /// A fact as an atom.
    pub fn predicate(&self, fact: &Name, args: impl IntoIterator<Item = Place>) -> Atom {
        Atom {
            name: self.names.of(Kind::Fact, fact),
            args: args.into_iter().map(|place| place.term).collect(),
        }
    }

    /// What a term may stand for.
    pub fn term(&self, term: &TypedTerm, bindings: &Bindings) -> Values {
        match term {
            TypedTerm::Variable(name) => bindings.get(name).cloned().unwrap_or_default(),
            TypedTerm::Object(name) => vec![(Formula::TRUE, self.object(name))],
            TypedTerm::Fact(name, args) => {
                let Some(of) = self.value_type(name) else {
                    return vec![];
                };
                let mut values = vec![];
                let all = self.terms(args, bindings);
                let objects = self.objects_of(of);
                if !self.spend(all.len().saturating_mul(objects.len())) {
                    return vec![];
                }
                for (guard, args) in all {
                    for object in objects.iter().cloned() {
                        let args = args.iter().cloned().chain([object.clone()]);
                        let holds = Formula::Atom(self.predicate(name, args));
                        values.push((and([guard.clone(), holds]), object));
                    }
                }
                values
            }
        }
    }

    /// What arguments may stand for together.
    pub fn terms(&self, terms: &[TypedTerm], bindings: &Bindings) -> Vec<(Formula, Vec<Place>)> {
        let each: Vec<Values> = terms.iter().map(|t| self.term(t, bindings)).collect();
        let count = each
            .iter()
            .try_fold(1usize, |count, values| count.checked_mul(values.len()));
        let count = count.unwrap_or(usize::MAX);
        if count > 1 && !self.spend(count) {
            return vec![];
        }
        combinations(each)
    }

    /// A fact with arguments, under each condition.
    pub fn atoms(
        &self,
        fact: &Name,
        args: &[TypedTerm],
        bindings: &Bindings,
    ) -> Vec<(Formula, Atom)> {
        let atom = |(guard, args): (Formula, Vec<Place>)| (guard, self.predicate(fact, args));
        self.terms(args, bindings).into_iter().map(atom).collect()
    }

    /// Whether two terms stand for the same object.
    pub fn same(&self, a: &Place, b: &Place) -> Formula {
        if a.term == b.term {
            return Formula::TRUE;
        }
        let document = self.model.document;
        let related = document.is_kind_of(&a.of, &b.of) || document.is_kind_of(&b.of, &a.of);
        let both_named = matches!((&a.term, &b.term), (Term::Constant(_), Term::Constant(_)));
        let constant_fits = |constant: &Place, variable: &Place| {
            !matches!(
                (&constant.term, &variable.term),
                (Term::Constant(_), Term::Variable(_))
            ) || document.is_kind_of(&constant.of, &variable.of)
        };
        if both_named || !related || !constant_fits(a, b) || !constant_fits(b, a) {
            return Formula::FALSE;
        }
        Formula::Equal(a.term.clone(), b.term.clone())
    }

    /// Whether two terms have the same value.
    fn same_value(&self, a: &TypedTerm, b: &TypedTerm, bindings: &Bindings) -> Formula {
        let mut parts = vec![];
        // An object fact says by itself whether a term is its value.
        let (fact, other) = match (a, b) {
            (TypedTerm::Fact(..), TypedTerm::Fact(..)) => (None, b),
            (TypedTerm::Fact(..), _) => (Some(a), b),
            (_, TypedTerm::Fact(..)) => (Some(b), a),
            _ => (None, b),
        };
        if let Some(TypedTerm::Fact(name, args)) = fact
            && let Some(of) = self.value_type(name)
            && let [(_, place)] = self.term(other, bindings).as_slice()
            && self.model.document.is_kind_of(&place.of, of)
        {
            for (guard, args) in self.terms(args, bindings) {
                let args = args.into_iter().chain([place.clone()]);
                let holds = Formula::Atom(self.predicate(name, args));
                parts.push(and([guard, holds]));
            }
            return or(parts);
        }
        for (when_a, a) in self.term(a, bindings) {
            for (when_b, b) in self.term(b, bindings) {
                let same = self.same(&a, &b);
                parts.push(and([when_a.clone(), when_b.clone(), same]));
            }
        }
        or(parts)
    }

    /// Whether an object fact has a value for all arguments, whatever happens: it
    /// has one at the start, and nothing ever takes it away.
    pub fn always_has_value(&self, fact: &Name) -> bool {
        let Some(params) = self.model.fact(fact).map(|fact| &fact.params) else {
            return false;
        };
        let count = params.iter().try_fold(1usize, |count, param| {
            count.checked_mul(self.model.objects_of(&param.of).count())
        });
        let initial = self.model.initial.iter();
        let set = BTreeSet::from_iter(initial.filter(|i| i.atom.fact == *fact).map(|i| &i.atom));
        count == Some(set.len())
    }

    /// What values the fact takes that an atom is of; none for the total cost.
    pub fn value_of(&self, atom: &Atom) -> Option<&'m ValueKind> {
        let mut facts = self.model.document.facts.iter();
        let fact = facts.find(|(name, _)| self.names.of(Kind::Fact, name) == atom.name);
        fact.map(|(_, fact)| &fact.value)
    }

    /// The type of an object fact's values.
    pub fn value_type(&self, fact: &Name) -> Option<&'m Name> {
        match &self.model.fact(fact)?.value {
            ValueKind::Object(of) => Some(of),
            _ => None,
        }
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
        }
    }
}
