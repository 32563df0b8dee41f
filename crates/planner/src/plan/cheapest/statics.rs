//! What formulas and numbers come to in every state that a search can get into,
//! with some variables known and the others not.
//!
//! A fact that no planned effect changes has its initial value for good, and a
//! number fact stays within its range. Everything else is unknown. Answers are
//! three-valued: one that is given holds in every such state, for every value of
//! the unknown variables.

use crate::compile::{
    AggregateCode, Conjunct, Flat, FlatKind, FlatValue, Formula, FormulaId, Number, NumberId,
    Problem, Read, Term,
};
use taskloom_document::stop::Stop;
use taskloom_domain::lang::ast::Aggregate;

use super::super::evaluate::NOTHING;
use super::super::interval::Interval;
use super::super::state::{AtomKey, State};

/// Some object, or none: which is not known.
pub const ANY: u32 = NOTHING - 1;

/// The facts of a problem, as far as they are known without a state.
#[derive(Debug, Default)]
pub struct Statics {
    /// Ends what is asked: the answer means nothing then.
    pub stop: Stop,
    /// By fact: whether an effect may change it.
    changes: Vec<bool>,
    /// By fact: the ground facts that are not at their default at first.
    initial: Vec<Vec<(AtomKey, u64)>>,
}

/// A ground fact, as far as its arguments are known.
enum Seen {
    /// An argument has no value.
    Nothing,
    /// This one.
    Atom(AtomKey),
    /// One that is like this one where it is not [`ANY`].
    Some(AtomKey),
}

impl Statics {
    /// Looks at all effects of a problem.
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

    /// Bytes held.
    pub fn memory(&self) -> usize {
        let atoms: usize = self.initial.iter().map(Vec::capacity).sum();
        self.changes.capacity() + atoms * size_of::<(AtomKey, u64)>()
    }
}

/// Reads formulas and numbers with the variables of one frame.
pub struct Estimate<'a> {
    /// The domain.
    pub flat: &'a Flat,
    /// The state in which it starts.
    pub initial: &'a State,
    /// What is known of its facts.
    pub statics: &'a Statics,
    /// The frame: objects, [`ANY`] and [`NOTHING`].
    pub slots: &'a [u32],
}

impl Estimate<'_> {
    /// The object that a term stands for, [`ANY`] or [`NOTHING`].
    pub fn term(&self, term: Term) -> u32 {
        match term {
            Term::Object(object) => object,
            Term::Slot(slot) => self.slots.get(slot as usize).copied().unwrap_or(ANY),
            Term::Fact(read) => match self.seen(read) {
                Seen::Nothing => NOTHING,
                Seen::Atom(atom) if !self.statics.changes[read.fact as usize] => {
                    match self.initial.value(&atom) {
                        0 => NOTHING,
                        object => (object - 1) as u32,
                    }
                }
                _ => ANY,
            },
        }
    }

    fn seen(&self, read: Read) -> Seen {
        let mut key = AtomKey::new();
        key.push(read.fact);
        for term in &self.flat.code.terms[read.args.range()] {
            match self.term(*term) {
                NOTHING => return Seen::Nothing,
                object => key.push(object),
            }
        }
        match key[1..].contains(&ANY) {
            true => Seen::Some(key),
            false => Seen::Atom(key),
        }
    }

    /// Initial values of the ground facts that are like this one.
    fn like<'a>(&'a self, atom: &'a AtomKey) -> impl Iterator<Item = u64> + 'a {
        let known = self.statics.initial[atom[0] as usize].iter();
        let fits = |other: &AtomKey| {
            let mut pairs = atom.iter().zip(other);
            pairs.all(|(a, b)| a == b || *a == ANY)
        };
        let known = known.take_while(|_| !self.statics.stop.after(1));
        known.filter(move |(a, _)| fits(a)).map(|(_, value)| *value)
    }

    /// Which numbers an expression may come to.
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

    /// What many objects may come to. The slots of the variables are unknown: what is
    /// known of a number is known of each object's.
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
            Seen::Nothing => return Interval::UNDEFINED,
            Seen::Atom(atom) => (atom, true),
            Seen::Some(atom) => (atom, false),
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

    /// Whether a formula holds; `None` where that depends.
    pub fn holds(&self, formula: FormulaId) -> Option<bool> {
        let code = &self.flat.code;
        match code.formulas[formula.0 as usize] {
            Formula::Constant(value) => Some(value),
            Formula::Holds(read) => {
                let changes = self.statics.changes[read.fact as usize];
                match self.seen(read) {
                    Seen::Nothing => Some(false),
                    _ if changes => None,
                    Seen::Atom(atom) => Some(self.initial.holds(&atom)),
                    Seen::Some(atom) => match self.like(&atom).next() {
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
                    (Some(NOTHING), _) | (_, Some(NOTHING)) => Some(false),
                    (Some(ANY), _) | (_, Some(ANY)) => None,
                    (a, b) => Some(a == b),
                }
            }
            // The variable's slot is unknown: what holds of it holds of each object.
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
                if slots.contains(&NOTHING) {
                    return Some(false);
                }
                let unknown = slots.contains(&ANY);
                let inner = Estimate {
                    slots: &slots,
                    ..*self
                };
                // Without a value for an argument a condition does not hold,
                // whatever its body says.
                inner.holds(body).filter(|holds| !(*holds && unknown))
            }
        }
    }

    /// A disjunction (`value`: true) or a conjunction of these.
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

    /// Whether conjuncts may hold together.
    pub fn may_hold(&self, conjuncts: &[Conjunct]) -> bool {
        conjuncts
            .iter()
            .all(|c| c.formula.is_some_and(|f| self.holds(f) != Some(false)))
    }
}
