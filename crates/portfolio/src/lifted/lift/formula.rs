//! Lifts formulas to conditions in negation normal form, replacing facts in argument positions by
//! variables.

use super::super::condition::{Arg, Atom, Condition};
use super::{Lift, MAX_PARTS, MAX_PLACES, Unliftable};
use taskloom_planner::search_kit::{Conjunct, FlatValue, Formula, FormulaId, List, Read, Term};

/// The variables of a rule under construction.
#[derive(Default)]
pub(super) struct RuleFrame {
    /// The arguments that the slots of the flat task's frame stand for.
    pub slots: Vec<Option<Arg>>,
    pub frame: u32,
    /// The variables that replace facts in argument positions, to be bound by accompanying
    /// conjuncts: variable, predicate, arguments.
    pub opened: Vec<(u32, Atom)>,
}

impl RuleFrame {
    pub(super) fn new(params: Vec<u32>, slots: u32) -> Self {
        let count = params.len();
        let mut rule = Self {
            slots: vec![None; slots.max(count as u32) as usize],
            frame: count as u32,
            opened: vec![],
        };
        for n in 0..count {
            rule.slots[n] = Some(Arg::Variable(n as u32));
        }
        rule
    }

    pub(super) fn fresh(&mut self) -> u32 {
        self.frame += 1;
        self.frame - 1
    }

    /// Temporarily assigns a slot a new variable. Returns it and the slot's previous argument.
    pub(super) fn bind(&mut self, slot: u32) -> (u32, Option<Arg>) {
        let variable = self.fresh();
        let before = self.slots[slot as usize].replace(Arg::Variable(variable));
        (variable, before)
    }
}

impl Lift<'_> {
    pub(super) fn is_object(&self, fact: u32) -> bool {
        matches!(self.flat.facts[fact as usize].value, FlatValue::Object)
    }

    pub(super) fn conjuncts(
        &self,
        rule: &mut RuleFrame,
        conjuncts: &[Conjunct],
    ) -> Result<Vec<Condition>, Unliftable> {
        let mut parts = vec![];
        for conjunct in conjuncts {
            self.conjunct(rule, conjunct, true)?.flatten(&mut parts);
        }
        Ok(parts)
    }

    pub(super) fn conjunct(
        &self,
        rule: &mut RuleFrame,
        conjunct: &Conjunct,
        positive: bool,
    ) -> Result<Condition, Unliftable> {
        match conjunct.formula {
            Some(formula) => self.formula(rule, formula, positive),
            None => Ok(Condition::any(vec![])),
        }
    }

    /// Lifts a formula, or its negation. Recurses as deep as formulas are, which compiling limits.
    pub(super) fn formula(
        &self,
        rule: &mut RuleFrame,
        formula: FormulaId,
        positive: bool,
    ) -> Result<Condition, Unliftable> {
        self.parts.set(self.parts.get() + 1);
        if self.stop.after(1) {
            return Err(Unliftable::Stopped);
        } else if self.parts.get() > MAX_PARTS {
            return Err(Unliftable::TooLong);
        }
        let code = &self.flat.code;
        Ok(match code.formulas[formula.0 as usize] {
            Formula::Constant(value) if value == positive => Condition::truth(),
            Formula::Constant(_) => Condition::falsehood(),
            Formula::Holds(read) => {
                let outer = std::mem::take(&mut rule.opened);
                let atom = self.open_atom(rule, read)?;
                let cond = self.close(rule, Condition::Atom(atom, positive), positive);
                rule.opened = outer;
                cond
            }
            Formula::Same(list) => {
                let outer = std::mem::take(&mut rule.opened);
                let args = self.args(rule, list)?;
                let (Some(a), Some(b)) = (args.first(), args.get(1)) else {
                    return Ok(Condition::any(vec![]));
                };
                let cond = self.close(rule, Condition::Same(*a, *b, positive), positive);
                rule.opened = outer;
                cond
            }
            Formula::Not(of) => self.formula(rule, of, !positive)?,
            Formula::All(list) => self.parts(rule, list, positive, positive)?,
            Formula::Any(list) => self.parts(rule, list, positive, !positive)?,
            Formula::Imply(a, b) => {
                let parts = vec![
                    self.formula(rule, a, !positive)?,
                    self.formula(rule, b, positive)?,
                ];
                Condition::join(parts, !positive)
            }
            Formula::Compare(..) => return Err(Unliftable::Numbers),
            Formula::Every(slot, of, body) => {
                self.quantified(rule, slot, of, body, positive, positive)?
            }
            Formula::Some(slot, of, body) => {
                self.quantified(rule, slot, of, body, positive, !positive)?
            }
            Formula::Condition(number, args) => self.named(rule, number, args, positive)?,
        })
    }

    /// Lifts a call of a named condition, or its negation.
    fn named(
        &self,
        rule: &mut RuleFrame,
        number: u32,
        args: List,
        positive: bool,
    ) -> Result<Condition, Unliftable> {
        let condition = self.flat.code.conditions[number as usize];
        let Some(body) = condition.body else {
            return Ok(Condition::join(vec![], !positive));
        };
        let outer = std::mem::take(&mut rule.opened);
        let args = self.args(rule, args)?;
        let opened = std::mem::take(&mut rule.opened);
        let mut frame = vec![None; (condition.frame as usize).max(args.len())];
        for (slot, arg) in frame.iter_mut().zip(args.iter()) {
            *slot = Some(*arg);
        }
        let slots = std::mem::replace(&mut rule.slots, frame);
        let cond = self.formula(rule, body, positive);
        rule.slots = slots;
        rule.opened = opened;
        let cond = self.close(rule, cond?, positive);
        rule.opened = outer;
        Ok(cond)
    }

    pub(super) fn parts(
        &self,
        rule: &mut RuleFrame,
        list: List,
        positive: bool,
        conjunction: bool,
    ) -> Result<Condition, Unliftable> {
        let parts = self.flat.code.lists[list.range()].iter();
        let parts: Result<Vec<Condition>, _> =
            parts.map(|f| self.formula(rule, *f, positive)).collect();
        Ok(Condition::join(parts?, conjunction))
    }

    pub(super) fn quantified(
        &self,
        rule: &mut RuleFrame,
        slot: u32,
        ty: u32,
        body: FormulaId,
        positive: bool,
        every: bool,
    ) -> Result<Condition, Unliftable> {
        let (variable, before) = rule.bind(slot);
        let body = self.formula(rule, body, positive)?;
        rule.slots[slot as usize] = before;
        Ok(Condition::quantified(every, variable, ty, body))
    }

    /// Quantifies the variables of facts in argument positions: a condition holds if they have
    /// values for which it does, and its negation holds otherwise.
    pub(super) fn close(&self, rule: &mut RuleFrame, cond: Condition, positive: bool) -> Condition {
        let opened = std::mem::take(&mut rule.opened);
        opened
            .into_iter()
            .rev()
            .fold(cond, |cond, (variable, atom)| {
                let parts = vec![Condition::Atom(atom, positive), cond];
                match positive {
                    true => Condition::some(variable, self.every, Condition::all(parts)),
                    false => Condition::every(variable, self.every, Condition::any(parts)),
                }
            })
    }

    pub(super) fn open_atom(&self, rule: &mut RuleFrame, read: Read) -> Result<Atom, Unliftable> {
        if let FlatValue::Number { .. } = self.flat.facts[read.fact as usize].value {
            return Err(Unliftable::Numbers);
        }
        if read.args.range().len() > MAX_PLACES {
            return Err(Unliftable::TooManyPlaces);
        }
        Ok(Atom {
            predicate: read.fact,
            args: self.args(rule, read.args)?,
        })
    }

    pub(super) fn args(&self, rule: &mut RuleFrame, list: List) -> Result<Box<[Arg]>, Unliftable> {
        let terms = self.flat.code.terms[list.range()].iter();
        terms.map(|term| self.arg(rule, *term)).collect()
    }

    pub(super) fn arg(&self, rule: &mut RuleFrame, term: Term) -> Result<Arg, Unliftable> {
        Ok(match term {
            Term::Object(object) => Arg::Object(object),
            // Type checking ensures that the slot is bound.
            Term::Slot(slot) => rule.slots[slot as usize].unwrap_or(Arg::Object(u32::MAX)),
            Term::Fact(read) => {
                let mut atom = self.open_atom(rule, read)?;
                let variable = rule.fresh();
                let mut args = atom.args.to_vec();
                args.push(Arg::Variable(variable));
                atom.args = args.into();
                rule.opened.push((variable, atom));
                Arg::Variable(variable)
            }
        })
    }
}
