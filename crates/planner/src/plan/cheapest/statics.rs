//! Evaluates formulas and numbers over all states that a search can reach, with some variables
//! known and others not.
//!
//! A fact that no planned effect changes keeps its initial value, and a number fact stays within
//! its range. Everything else is unknown. Results are three-valued: a definite one holds in every
//! such state, for every value of the unknown variables.

use crate::compile::{
    AggregateCode, Conjunct, Flat, FlatKind, FlatValue, Formula, FormulaId, Number, NumberId,
    Problem, Read, Term,
};
use taskloom_document::stop::Stop;
use taskloom_domain::lang::ast::Aggregate;

use super::super::evaluate::UNDEFINED;
use super::super::interval::Interval;
use super::super::state::{AtomKey, State};

/// An unknown object, or none.
pub const ANY: u32 = UNDEFINED - 1;

/// The facts of a problem, as far as they are known without a state.
#[derive(Debug, Default)]
pub struct Statics {
    /// Cancels evaluation, whose result is then meaningless.
    pub stop: Stop,
    /// By fact: `true` if an effect may change it.
    changes: Vec<bool>,
    /// By fact: the ground facts that do not have their default value initially.
    initial: Vec<Vec<(AtomKey, u64)>>,
}

/// A ground fact, as far as its arguments are known.
enum PartialAtom {
    /// An argument is undefined.
    Nothing,
    /// This one.
    Atom(AtomKey),
    /// One that matches this one except where it is [`ANY`].
    Some(AtomKey),
}

impl Statics {
    /// Analyzes all effects of a problem.
    pub fn new(problem: &Problem) -> Self {
        let (flat, stop) = (problem.flat(), problem.stop());
        let mut statics = Self {
            stop: stop.clone(),
            changes: vec![false; flat.facts.len()],
            initial: vec![vec![]; flat.facts.len()],
        };
        for task in &flat.tasks {
            if let FlatKind::Primitive { effects, .. } = &task.kind {
                for effect in effects {
                    statics.changes[effect.target.fact as usize] = true;
                }
            }
        }
        for (atom, value) in problem.initial().atoms() {
            if stop.after(1) {
                break;
            }
            statics.initial[atom[0] as usize].push((AtomKey::from_slice(atom), value));
        }
        statics
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        let atoms: usize = self.initial.iter().map(Vec::capacity).sum();
        self.changes.capacity() + atoms * size_of::<(AtomKey, u64)>()
    }
}

/// Evaluates formulas and numbers with the variables of one frame.
pub struct Estimate<'a> {
    /// The domain.
    pub flat: &'a Flat,
    /// The initial state.
    pub initial: &'a State,
    /// The facts as far as they are known.
    pub statics: &'a Statics,
    /// The frame: objects, [`ANY`] and [`UNDEFINED`].
    pub slots: &'a [u32],
}

impl Estimate<'_> {
    /// Returns the object that a term denotes, or [`ANY`] or [`UNDEFINED`].
    pub fn term(&self, term: Term) -> u32 {
        match term {
            Term::Object(object) => object,
            Term::Slot(slot) => self.slots.get(slot as usize).copied().unwrap_or(ANY),
            Term::Fact(read) => match self.seen(read) {
                PartialAtom::Nothing => UNDEFINED,
                PartialAtom::Atom(atom) if !self.statics.changes[read.fact as usize] => {
                    match self.initial.value(&atom) {
                        0 => UNDEFINED,
                        object => (object - 1) as u32,
                    }
                }
                _ => ANY,
            },
        }
    }

    fn seen(&self, read: Read) -> PartialAtom {
        let mut key = AtomKey::new();
        key.push(read.fact);
        for term in &self.flat.code.terms[read.args.range()] {
            match self.term(*term) {
                UNDEFINED => return PartialAtom::Nothing,
                object => key.push(object),
            }
        }
        match key[1..].contains(&ANY) {
            true => PartialAtom::Some(key),
            false => PartialAtom::Atom(key),
        }
    }

    /// Returns the initial values of the ground facts that match this one.
    fn like<'a>(&'a self, atom: &'a AtomKey) -> impl Iterator<Item = u64> + 'a {
        let known = self.statics.initial[atom[0] as usize].iter();
        let fits = |other: &AtomKey| {
            let mut pairs = atom.iter().zip(other);
            pairs.all(|(a, b)| a == b || *a == ANY)
        };
        let known = known.take_while(|_| !self.statics.stop.after(1));
        known.filter(move |(a, _)| fits(a)).map(|(_, value)| *value)
    }

    /// Returns the range of an expression.
    pub fn number(&self, number: NumberId) -> Interval {
        match self.flat.code.numbers[number.0 as usize] {
            Number::Constant(value) => Interval::of(value),
            Number::Fact(read) => self.value(read),
            Number::Negative(of) => self.number(of).negated(),
            Number::Arithmetic(operator, left, right) => {
                Interval::calculate(operator, self.number(left), self.number(right))
            }
            Number::Function(function, left, right) => {
                Interval::call(function, self.number(left), self.number(right))
            }
            Number::Aggregate(which) => self.aggregate(&self.flat.code.aggregates[which as usize]),
        }
    }

    /// Returns the range of an aggregate. The slots of its variables are unknown, so what is known
    /// of the number applies to every object.
    fn aggregate(&self, code: &AggregateCode) -> Interval {
        let objects = code.binders.iter();
        let objects = objects.map(|(_, of)| self.flat.types[*of as usize].len() as f64);
        let most: f64 = objects.product();
        let chosen = match code.of {
            Some(of) if most > 0.0 => self.holds(of),
            _ => Some(most > 0.0),
        };
        if chosen == Some(false) {
            return match code.aggregate {
                Aggregate::Count | Aggregate::Sum => Interval::of(0.0),
                Aggregate::Min | Aggregate::Max => Interval::UNDEFINED,
            };
        }
        let each = self.number(code.value);
        match code.aggregate {
            Aggregate::Count | Aggregate::Sum => Interval::sum(each, most, chosen.is_some()),
            Aggregate::Min | Aggregate::Max => Interval {
                may_be_undefined: each.may_be_undefined || chosen.is_none(),
                ..each
            },
        }
    }

    fn value(&self, read: Read) -> Interval {
        let (atom, known) = match self.seen(read) {
            PartialAtom::Nothing => return Interval::UNDEFINED,
            PartialAtom::Atom(atom) => (atom, true),
            PartialAtom::Some(atom) => (atom, false),
        };
        let first = match known {
            true => Interval::of(f64::from_bits(self.initial.value(&atom))),
            false => self.like(&atom).fold(Interval::of(0.0), |range, value| {
                range.or(Interval::of(f64::from_bits(value)))
            }),
        };
        let range = match self.flat.facts[read.fact as usize].value {
            FlatValue::Number { min, max, .. } if self.statics.changes[read.fact as usize] => {
                first.or(Interval::new(min, max))
            }
            _ => first,
        };
        Interval {
            may_be_undefined: !known,
            ..range
        }
    }

    /// Returns `true` or `false` if a formula is known to hold or not, and `None` if that depends.
    pub fn holds(&self, formula: FormulaId) -> Option<bool> {
        let code = &self.flat.code;
        match code.formulas[formula.0 as usize] {
            Formula::Constant(value) => Some(value),
            Formula::Holds(read) => {
                let changes = self.statics.changes[read.fact as usize];
                match self.seen(read) {
                    PartialAtom::Nothing => Some(false),
                    _ if changes => None,
                    PartialAtom::Atom(atom) => Some(self.initial.holds(&atom)),
                    PartialAtom::Some(atom) => match self.like(&atom).next() {
                        None => Some(false),
                        Some(_) => None,
                    },
                }
            }
            Formula::Not(of) => self.holds(of).map(|holds| !holds),
            Formula::All(list) => self.list(
                code.lists[list.range()].iter().map(|f| self.holds(*f)),
                false,
            ),
            Formula::Any(list) => self.list(
                code.lists[list.range()].iter().map(|f| self.holds(*f)),
                true,
            ),
            Formula::Imply(left, right) => {
                let left = self.holds(left).map(|holds| !holds);
                self.list([left, self.holds(right)].into_iter(), true)
            }
            Formula::Compare(comparison, left, right) => {
                Interval::compare(comparison, self.number(left), self.number(right))
            }
            Formula::Same(list) => {
                let mut terms = code.terms[list.range()].iter().map(|t| self.term(*t));
                match (terms.next(), terms.next()) {
                    (Some(UNDEFINED), _) | (_, Some(UNDEFINED)) => Some(false),
                    (Some(ANY), _) | (_, Some(ANY)) => None,
                    (a, b) => Some(a == b),
                }
            }
            // The variable's slot is unknown, so a result for it applies to every object.
            Formula::Every(_, of, body) => match self.flat.types[of as usize].is_empty() {
                true => Some(true),
                false => self.holds(body),
            },
            Formula::Some(_, of, body) => match self.flat.types[of as usize].is_empty() {
                true => Some(false),
                false => self.holds(body),
            },
            Formula::Condition(number, args) => {
                let condition = code.conditions[number as usize];
                let Some(body) = condition.body else {
                    return Some(false);
                };
                if self.statics.stop.after(1) {
                    return None;
                }
                let terms = code.terms[args.range()].iter();
                let slots: Vec<u32> = terms.map(|t| self.term(*t)).collect();
                if slots.contains(&UNDEFINED) {
                    return Some(false);
                }
                let unknown = slots.contains(&ANY);
                let inner = Estimate {
                    slots: &slots,
                    ..*self
                };
                // A condition with an undefined argument does not hold, whatever its body is.
                inner.holds(body).filter(|holds| !(*holds && unknown))
            }
        }
    }

    /// Evaluates a disjunction (if `value` is `true`) or a conjunction.
    fn list(&self, parts: impl Iterator<Item = Option<bool>>, value: bool) -> Option<bool> {
        let mut all = Some(!value);
        for part in parts {
            match part {
                Some(part) if part == value => return Some(value),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    /// Returns `true` if the conjuncts may hold together.
    pub fn may_hold(&self, conjuncts: &[Conjunct]) -> bool {
        conjuncts
            .iter()
            .all(|c| c.formula.is_some_and(|f| self.holds(f) != Some(false)))
    }
}
