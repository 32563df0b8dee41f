//! Translation of formulas, numbers and terms over facts into expressions over variables.

use super::formula::{Case, Cond, Num, Obj, Test, calculate, call, compares};
use super::ground::Grounding;
use crate::compile::{Flat, Formula, FormulaId, List, Number, NumberId, Read, Term};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::state::AtomKey;

impl Grounding {
    pub(super) fn terms(&mut self, flat: &Flat, range: std::ops::Range<usize>) -> Vec<Obj> {
        let terms = flat.code.terms[range].iter();
        terms.map(|term| self.object(flat, *term)).collect()
    }

    pub(super) fn object(&mut self, flat: &Flat, term: Term) -> Obj {
        match term {
            Term::Object(object) => Obj::Object(object),
            Term::Slot(slot) => self.slots[self.base + slot as usize].clone(),
            Term::Fact(read) => {
                let leaf = |this: &mut Self, atom: &[u32]| match this.value(flat, atom) {
                    Ok(0) => Obj::Object(UNDEFINED),
                    Ok(value) => Obj::Object((value - 1) as u32),
                    Err(variable) => Obj::Var(variable),
                };
                let case = |case| Obj::Case(Box::new(case));
                self.read(flat, read, &leaf, &Obj::Object(UNDEFINED), &case)
            }
        }
    }

    pub(super) fn number(&mut self, flat: &Flat, number: NumberId) -> Num {
        match flat.code.numbers[number.0 as usize] {
            Number::Constant(number) => Num::Constant(number),
            Number::Fact(read) => {
                let leaf = |this: &mut Self, atom: &[u32]| match this.value(flat, atom) {
                    Ok(value) => Num::Constant(f64::from_bits(value)),
                    Err(variable) => Num::Var(variable),
                };
                let case = |case| Num::Case(Box::new(case));
                self.read(flat, read, &leaf, &Num::Constant(f64::NAN), &case)
            }
            Number::Negative(of) => negate(self.number(flat, of)),
            Number::Arithmetic(operator, a, b) => {
                match (self.number(flat, a), self.number(flat, b)) {
                    (Num::Constant(a), Num::Constant(b)) => {
                        Num::Constant(calculate(operator, a, b))
                    }
                    both => Num::Arithmetic(operator, Box::new(both)),
                }
            }
            Number::Function(function, a, b) => {
                match (self.number(flat, a), self.number(flat, b)) {
                    (Num::Constant(a), Num::Constant(b)) => Num::Constant(call(function, a, b)),
                    both => Num::Function(function, Box::new(both)),
                }
            }
            Number::Aggregate(which) => {
                let code = &flat.code.aggregates[which as usize];
                let mut parts = vec![];
                self.parts_of(flat, &code.binders, &mut |this| {
                    let of = code.of.map(|of| this.formula(flat, of, true));
                    let of = of.unwrap_or(Cond::Constant(true));
                    if of != Cond::Constant(false) {
                        parts.push((of, this.number(flat, code.value)));
                    }
                });
                Num::aggregate(code.aggregate, parts)
            }
        }
    }

    /// Calls a function for every choice of objects; the last one changes fastest. The recursion is
    /// as deep as there are variables.
    pub(super) fn parts_of(
        &mut self,
        flat: &Flat,
        binders: &[(u32, u32)],
        make: &mut dyn FnMut(&mut Self),
    ) {
        let Some(((slot, of), rest)) = binders.split_first() else {
            return make(self);
        };
        for object in &flat.types[*of as usize] {
            if self.frames.is_over() {
                return;
            }
            let slot = self.base + *slot as usize;
            self.slots[slot] = Obj::Object(*object);
            self.parts_of(flat, rest, make);
        }
    }

    /// Translates a formula, or its negation if it isn't expected to hold.
    pub(super) fn formula(&mut self, flat: &Flat, formula: FormulaId, expected: bool) -> Cond {
        let code = &flat.code;
        match code.formulas[formula.0 as usize] {
            Formula::Constant(value) => Cond::Constant(value == expected),
            Formula::Holds(read) => {
                let leaf = |this: &mut Self, atom: &[u32]| match this.truth(atom) {
                    Ok(value) => Cond::Constant(value == expected),
                    Err(variable) => Cond::Literal(Test::Is(variable, expected)),
                };
                let case = |case| Cond::Literal(Test::Case(Box::new(case)));
                self.read(flat, read, &leaf, &Cond::Constant(!expected), &case)
            }
            Formula::Not(of) => self.formula(flat, of, !expected),
            Formula::All(list) | Formula::Any(list) => {
                let all = matches!(code.formulas[formula.0 as usize], Formula::All(_));
                let parts = code.lists[list.range()].iter();
                let parts: Vec<Cond> = parts
                    .map(|part| self.formula(flat, *part, expected))
                    .collect();
                Cond::join(parts, all == expected)
            }
            Formula::Imply(left, right) => {
                let parts = [
                    self.formula(flat, left, !expected),
                    self.formula(flat, right, expected),
                ];
                Cond::join(parts, !expected)
            }
            Formula::Compare(comparison, a, b) => {
                match (self.number(flat, a), self.number(flat, b)) {
                    (Num::Constant(a), Num::Constant(b)) => {
                        Cond::Constant(compares(comparison, a, b) == expected)
                    }
                    both => Cond::Literal(Test::Compare(comparison, Box::new(both), expected)),
                }
            }
            Formula::Same(list) => {
                let mut terms = self.terms(flat, list.range());
                match (terms.pop(), terms.pop()) {
                    (Some(b), Some(a)) => same(a, b, expected),
                    _ => Cond::Constant(!expected),
                }
            }
            Formula::Every(slot, of, body) | Formula::Some(slot, of, body) => {
                let every = matches!(code.formulas[formula.0 as usize], Formula::Every(..));
                let mut parts = vec![];
                self.parts_of(flat, &[(slot, of)], &mut |this| {
                    parts.push(this.formula(flat, body, expected));
                });
                Cond::join(parts, every == expected)
            }
            Formula::Condition(number, args) => self.named(flat, number, args, expected),
        }
    }

    /// Translates a call of a named condition, or its negation. It holds only for defined objects.
    fn named(&mut self, flat: &Flat, number: u32, args: List, expected: bool) -> Cond {
        let condition = flat.code.conditions[number as usize];
        let Some(body) = condition.body else {
            return Cond::Constant(!expected);
        };
        if self.frames.is_over() {
            return Cond::Constant(false);
        }
        let args = self.terms(flat, args.range());
        let are_defined = args.iter().map(|arg| match expected {
            true => is_defined(arg.clone()),
            false => same(arg.clone(), arg.clone(), false),
        });
        let are_defined: Vec<Cond> = are_defined.collect();
        let base = self.slots.len();
        self.slots.extend(args);
        let frame = base + condition.frame as usize;
        self.slots.resize(frame, Obj::Object(UNDEFINED));
        let outer = std::mem::replace(&mut self.base, base);
        let body = self.formula(flat, body, expected);
        self.base = outer;
        self.slots.truncate(base);
        Cond::join(are_defined.into_iter().chain([body]), expected)
    }

    /// Translates a fact with these arguments.
    fn read<T: Clone>(
        &mut self,
        flat: &Flat,
        read: Read,
        leaf: &dyn Fn(&mut Self, &[u32]) -> T,
        nothing: &T,
        case: &dyn Fn(Case<T>) -> T,
    ) -> T {
        let args = self.terms(flat, read.args.range());
        let mut atom = AtomKey::from_slice(&[read.fact]);
        self.read_of(flat, &mut atom, &args, leaf, nothing, case)
    }

    fn read_of<T: Clone>(
        &mut self,
        flat: &Flat,
        atom: &mut AtomKey,
        args: &[Obj],
        leaf: &dyn Fn(&mut Self, &[u32]) -> T,
        nothing: &T,
        case: &dyn Fn(Case<T>) -> T,
    ) -> T {
        let Some((arg, rest)) = args.split_first() else {
            return leaf(self, atom);
        };
        match arg {
            Obj::Object(UNDEFINED) => nothing.clone(),
            Obj::Object(object) => {
                atom.push(*object);
                let read = self.read_of(flat, atom, rest, leaf, nothing, case);
                atom.pop();
                read
            }
            of => {
                let mut by = Vec::with_capacity(flat.objects.len() + 1);
                for object in 0..flat.objects.len() as u32 {
                    if self.frames.is_over() {
                        break;
                    }
                    self.parts += 1;
                    atom.push(object);
                    by.push(self.read_of(flat, atom, rest, leaf, nothing, case));
                    atom.pop();
                }
                by.push(nothing.clone());
                let selector = of.clone();
                case(Case { selector, by })
            }
        }
    }

    /// Returns the value of a static ground fact, or the variable of one that changes.
    fn truth(&mut self, atom: &[u32]) -> Result<bool, u32> {
        if self.problem.flat().statics().changes[atom[0] as usize] {
            Err(self.booleans.intern(atom))
        } else {
            Ok(self.problem.initial().holds(atom))
        }
    }

    /// Returns the value of a static ground fact that isn't boolean, or the variable of one that
    /// changes.
    fn value(&mut self, _: &Flat, atom: &[u32]) -> Result<u64, u32> {
        if self.problem.flat().statics().changes[atom[0] as usize] {
            Err(self.valued.intern(atom))
        } else {
            Ok(self.problem.initial().value(atom))
        }
    }
}

/// Returns the condition that an object is defined.
pub(super) fn is_defined(object: Obj) -> Cond {
    match object {
        Obj::Object(object) => Cond::Constant(object != UNDEFINED),
        object => Cond::Literal(Test::IsDefined(object)),
    }
}

/// Returns the condition that two objects are equal or, if that isn't expected, that they aren't.
pub(super) fn same(a: Obj, b: Obj, expected: bool) -> Cond {
    match (a, b) {
        (Obj::Object(UNDEFINED), _) | (_, Obj::Object(UNDEFINED)) => Cond::Constant(!expected),
        (Obj::Object(a), Obj::Object(b)) => Cond::Constant((a == b) == expected),
        both => Cond::Literal(Test::Same(Box::new(both), expected)),
    }
}

/// Returns the negation of a number.
pub(super) fn negate(number: Num) -> Num {
    match number {
        Num::Constant(number) => Num::Constant(-number),
        number => Num::Negative(Box::new(number)),
    }
}
