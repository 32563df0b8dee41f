//! Evaluation of compiled formulas and numbers in a state.

use smallvec::{SmallVec, smallvec};

use super::state::{AtomKey, Payload, State};
use crate::compile::{
    AggregateCode, Conjunct, Flat, Formula, FormulaId, Number, NumberId, Read, Term,
};
use taskloom_document::stop::Stop;
use taskloom_domain::lang::ast::Comparison;

/// The value of an unbound slot, and of an undefined term.
pub const UNDEFINED: u32 = u32::MAX;

/// The maximum number of recorded ground facts that an evaluation reads.
const MAX_SEEN: usize = 64;

/// The frames of variables in use, and the work of evaluating with them.
#[derive(Debug, Default)]
pub struct Frames {
    /// The slots of all frames, one frame after the other.
    pub slots: Vec<u32>,
    /// The number of bodies of quantifiers, aggregates and conditions evaluated so far.
    pub work: u64,
    /// The limit of [`Self::work`] beyond which every evaluation ends at once.
    limit: u64,
    /// Cancels every evaluation at once.
    stop: Stop,
    /// If `true`, every evaluation ends at once, since effects exceeded their memory limit.
    pub is_full: bool,
}

impl Frames {
    /// Starts without frames.
    pub fn new(limit: u64, stop: Stop) -> Self {
        Self {
            slots: vec![],
            work: 0,
            limit,
            stop,
            is_full: false,
        }
    }

    /// Returns `true` if evaluations are cut short, so that their results are meaningless.
    pub fn is_spent(&self) -> bool {
        self.work > self.limit || self.is_full || self.stop.is_cancelled()
    }

    /// Counts a unit of work. Returns `true` if every evaluation has to end.
    #[inline]
    pub fn is_over(&mut self) -> bool {
        self.work += 1;
        self.work > self.limit || self.stop.after(1)
    }
}

/// Evaluates formulas and numbers in a state, with the variables of a frame.
pub struct Evaluation<'a> {
    /// The domain.
    pub flat: &'a Flat,
    /// The state.
    pub state: &'a State,
    /// All frames.
    pub frames: &'a mut Frames,
    /// The start of the frame.
    pub base: usize,
    /// The list that records the first of the ground facts that are read.
    pub saw: Option<&'a mut Vec<AtomKey>>,
}

impl<'a> Evaluation<'a> {
    /// Creates an evaluation that doesn't record what it reads.
    pub fn new(flat: &'a Flat, state: &'a State, frames: &'a mut Frames, base: usize) -> Self {
        Self {
            flat,
            state,
            frames,
            base,
            saw: None,
        }
    }

    fn slot(&self, slot: u32) -> u32 {
        self.frames.slots[self.base + slot as usize]
    }

    fn set_slot(&mut self, slot: u32, object: u32) {
        self.frames.slots[self.base + slot as usize] = object;
    }

    /// Returns the object that a term evaluates to, or [`UNDEFINED`].
    pub fn term(&mut self, term: Term) -> u32 {
        match term {
            Term::Object(object) => object,
            Term::Slot(slot) => self.slot(slot),
            Term::Fact(read) => match self.payload(read) {
                Some(payload) if payload > 0 => (payload - 1) as u32,
                _ => UNDEFINED,
            },
        }
    }

    /// Returns the ground fact that is read; `None` if an argument is undefined.
    pub fn atom(&mut self, read: Read) -> Option<AtomKey> {
        let flat = self.flat;
        let mut key = AtomKey::new();
        key.push(read.fact);
        for term in &flat.code.terms[read.args.range()] {
            let object = self.term(*term);
            if object == UNDEFINED {
                return None;
            }
            key.push(object);
        }
        if let Some(saw) = &mut self.saw
            && saw.len() < MAX_SEEN
            && !saw.contains(&key)
        {
            saw.push(key.clone());
        }
        Some(key)
    }

    fn payload(&mut self, read: Read) -> Option<Payload> {
        let atom = self.atom(read)?;
        Some(self.state.value(&atom))
    }

    /// Evaluates a number; NaN if it is undefined.
    pub fn number(&mut self, number: NumberId) -> f64 {
        match self.flat.code.numbers[number.0 as usize] {
            Number::Constant(value) => value,
            Number::Fact(read) => self.payload(read).map_or(f64::NAN, f64::from_bits),
            Number::Negative(of) => -self.number(of),
            Number::Arithmetic(operator, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                let result = operator.apply(left, right).unwrap_or(f64::NAN);
                if result.is_finite() { result } else { f64::NAN }
            }
            Number::Function(function, left, right) => {
                let numbers = match function.arity() {
                    1 => [self.number(left), 0.0],
                    _ => [self.number(left), self.number(right)],
                };
                if numbers.iter().any(|number| number.is_nan()) {
                    return f64::NAN;
                }
                let applied = function.apply(&numbers[..function.arity()]);
                applied.unwrap_or(f64::NAN)
            }
            Number::Aggregate(which) => self.aggregate(&self.flat.code.aggregates[which as usize]),
        }
    }

    /// Evaluates an aggregate; NaN if it is a minimum or maximum of nothing, or if the number of an
    /// object is undefined.
    fn aggregate(&mut self, code: &'a AggregateCode) -> f64 {
        let flat = self.flat;
        let objects = |of: u32| &flat.types[of as usize];
        let mut so_far = code.aggregate.start();
        let is_empty = code.binders.iter().any(|(_, of)| objects(*of).is_empty());
        let mut chosen: SmallVec<[u32; 4]> = smallvec![0; code.binders.len()];
        let mut has_next = !is_empty;
        while has_next {
            if self.frames.is_over() {
                return f64::NAN;
            }
            for ((slot, of), chosen) in code.binders.iter().zip(&chosen) {
                self.set_slot(*slot, objects(*of)[*chosen as usize]);
            }
            if code.of.is_none_or(|of| self.holds(of)) {
                let value = self.number(code.value);
                if value.is_nan() {
                    return value;
                }
                so_far = code.aggregate.with(so_far, value);
            }
            // After the last object of a variable, the variable before it advances.
            let mut indices = chosen.iter_mut().zip(&code.binders).rev();
            has_next = indices.any(|(chosen, (_, of))| {
                *chosen += 1;
                let fits = (*chosen as usize) < objects(*of).len();
                if !fits {
                    *chosen = 0;
                }
                fits
            });
        }
        if so_far.is_finite() { so_far } else { f64::NAN }
    }

    /// Returns `true` if a formula holds.
    pub fn holds(&mut self, formula: FormulaId) -> bool {
        let flat = self.flat;
        let code = &flat.code;
        match code.formulas[formula.0 as usize] {
            Formula::Constant(value) => value,
            Formula::Holds(read) => self.atom(read).is_some_and(|a| self.state.holds(&a)),
            Formula::Not(of) => !self.holds(of),
            Formula::All(list) => code.lists[list.range()].iter().all(|f| self.holds(*f)),
            Formula::Any(list) => code.lists[list.range()].iter().any(|f| self.holds(*f)),
            Formula::Imply(left, right) => !self.holds(left) || self.holds(right),
            Formula::Compare(comparison, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                match comparison {
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                    Comparison::Less => left < right,
                    Comparison::LessOrEqual => left <= right,
                    Comparison::Greater => left > right,
                    Comparison::GreaterOrEqual => left >= right,
                }
            }
            Formula::Same(list) => {
                let mut terms = code.terms[list.range()].iter().map(|t| self.term(*t));
                matches!((terms.next(), terms.next()), (Some(a), Some(b)) if a == b && a != UNDEFINED)
            }
            Formula::Every(slot, of, body) => self.every(slot, of, body, true),
            Formula::Some(slot, of, body) => !self.every(slot, of, body, false),
            Formula::Condition(number, args) => {
                let condition = code.conditions[number as usize];
                let Some(body) = condition.body else {
                    return false;
                };
                if self.frames.is_over() {
                    return false;
                }
                let base = self.frames.slots.len();
                for term in &code.terms[args.range()] {
                    let object = self.term(*term);
                    if object == UNDEFINED {
                        self.frames.slots.truncate(base);
                        return false;
                    }
                    self.frames.slots.push(object);
                }
                self.frames
                    .slots
                    .resize(base + condition.frame as usize, UNDEFINED);
                let outer = std::mem::replace(&mut self.base, base);
                let holds = self.holds(body);
                self.base = outer;
                self.frames.slots.truncate(base);
                holds
            }
        }
    }

    /// Returns `true` if the body evaluates to `value` for every object.
    fn every(&mut self, slot: u32, ty: u32, body: FormulaId, value: bool) -> bool {
        let flat = self.flat;
        flat.types[ty as usize].iter().all(|object| {
            if self.frames.is_over() {
                return false;
            }
            self.set_slot(slot, *object);
            self.holds(body) == value
        })
    }

    /// Returns the first of these conjuncts that doesn't hold.
    pub fn first_failing<'c>(&mut self, conjuncts: &'c [Conjunct]) -> Option<&'c Conjunct> {
        conjuncts.iter().find(|c| !self.conjunct(c))
    }

    /// Returns `true` if a conjunct holds. An unreadable one doesn't.
    pub fn conjunct(&mut self, conjunct: &Conjunct) -> bool {
        conjunct.formula.is_some_and(|formula| self.holds(formula))
    }
}
