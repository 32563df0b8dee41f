//! The costs that can be exported, and the cost of a step in one case.

use super::effects::{Before, Made, with};
use super::form::Form;
use super::input::{Input, effects};
use super::values::{Bindings, Place};
use crate::syntax::ast::{self, Atom, Formula};
use taskloom_document::Name;
use taskloom_domain::lang::typed::{Change, Effect, Number, Term};
use taskloom_domain::records::Primitive;
use taskloom_domain::text::values;

/// Returns `true` if steps have costs in the file, and the warning about it.
pub fn costs(input: &Input, form: Form) -> (bool, Option<String>) {
    let has_costs = input.primitives.iter().any(|(_, p)| p.cost.is_some());
    let Some((name, primitive)) = input.primitives.iter().find(|(_, p)| !is_cost(input, p)) else {
        return (has_costs, None);
    };
    if form == Form::Hddl {
        let warning = format!(
            "the cost of {name} depends on the state, which PDDL action costs can't: \
             all costs are omitted"
        );
        return (false, Some(warning));
    }
    let mut all = input.primitives.iter();
    match all.find(|(_, p)| !values(&p.cost).all(is_expressible)) {
        Some((name, _)) => {
            let warning = format!(
                "the cost of {name} uses aggregates, functions or the time, which PDDL can't \
                 express: all costs are omitted"
            );
            (false, Some(warning))
        }
        None => {
            let depends = match values(&primitive.cost).next() {
                Some(Number::Fact(..)) => "depends on the state",
                _ => "is computed from numbers",
            };
            let warning = format!(
                "the cost of {name} {depends}: planners that support only action costs can't \
                 read it"
            );
            (true, Some(warning))
        }
    }
}

/// Returns `true` if PDDL can express a number.
fn is_expressible(number: &Number) -> bool {
    match number {
        Number::Constant(_) | Number::Fact(..) => true,
        Number::Negative(of) => is_expressible(of),
        Number::Arithmetic(_, a, b) => is_expressible(a) && is_expressible(b),
        Number::Aggregate(..) | Number::Function(..) | Number::Time => false,
    }
}

/// Returns `true` if PDDL's action costs can express the cost of a task: a constant, or a number
/// fact that nothing changes.
fn is_cost(input: &Input, primitive: &Primitive) -> bool {
    let changes = |effect: &Effect, fact: &Name| match &effect.change {
        Change::Number(_, changed, ..) => changed == fact,
        Change::Set(..) | Change::Unset(..) | Change::Object(..) => false,
    };
    match values(&primitive.cost).next() {
        None | Some(Number::Constant(_)) => true,
        Some(Number::Fact(fact, _)) => {
            let mut all = input.primitives.iter().flat_map(|(_, p)| effects(p));
            !all.any(|(_, effect)| changes(effect, fact))
        }
        Some(
            Number::Arithmetic(..)
            | Number::Negative(_)
            | Number::Aggregate(..)
            | Number::Function(..)
            | Number::Time,
        ) => false,
    }
}

/// The reason why there is no cost.
enum Unpriced {
    /// It is undefined.
    Nothing,
    /// A choice is still open.
    Undecided,
}

impl Made<'_> {
    /// Adds the task's cost. The value of an object fact that it reads becomes an extra parameter,
    /// so that the cost is one unconditional number.
    pub fn cost(&mut self, primitive: &Primitive, bindings: &Bindings) {
        let total = Atom {
            name: "total-cost".into(),
            args: vec![],
        };
        let cost = match values(&primitive.cost).next() {
            Some(cost) => self.price(cost, bindings),
            None => Err(Unpriced::Nothing),
        };
        let cost = match cost {
            Ok(cost) => cost,
            Err(Unpriced::Nothing) => ast::Number::Constant(1.0),
            Err(Unpriced::Undecided) => {
                self.is_decided = false;
                return;
            }
        };
        self.push(Formula::TRUE, ast::Change::Increase(total, cost));
    }

    fn price(&mut self, number: &Number, bindings: &Bindings) -> Result<ast::Number, Unpriced> {
        Ok(match number {
            Number::Constant(value) => ast::Number::Constant(*value),
            Number::Fact(fact, args) => {
                let args = self.all(args, bindings)?;
                ast::Number::Function(self.lowering.predicate(fact, args))
            }
            Number::Negative(of) => ast::Number::Negative(Box::new(self.price(of, bindings)?)),
            Number::Arithmetic(operator, a, b) => {
                let (a, b) = (self.price(a, bindings)?, self.price(b, bindings)?);
                ast::Number::Arithmetic(operator.sign(), Box::new(a), Box::new(b))
            }
            // These are rejected before anything is written.
            Number::Aggregate(..) | Number::Function(..) | Number::Time => {
                return Err(Unpriced::Nothing);
            }
        })
    }

    fn all(&mut self, terms: &[Term], bindings: &Bindings) -> Result<Vec<Place>, Unpriced> {
        terms.iter().map(|term| self.one(term, bindings)).collect()
    }

    /// Returns the value of a term in this case.
    fn one(&mut self, term: &Term, bindings: &Bindings) -> Result<Place, Unpriced> {
        let (fact, args) = match term {
            Term::Variable(name) => {
                let values = bindings.get(name).and_then(|values| values.first());
                return values
                    .map(|(_, place)| place.clone())
                    .ok_or(Unpriced::Nothing);
            }
            Term::Object(name) => return Ok(self.lowering.object(name)),
            Term::Me => return Err(Unpriced::Nothing),
            Term::Fact(fact, args) => (fact, args),
        };
        let target = {
            let args = self.all(args, bindings)?;
            self.lowering.predicate(fact, args)
        };
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == target) {
            return known.clone().ok_or(Unpriced::Nothing);
        }
        let of = self.lowering.value_type(fact).ok_or(Unpriced::Nothing)?;
        let place = match self.choices.next().ok_or(Unpriced::Undecided)? {
            Before::Another => {
                let place = self.another("value", of);
                self.needs.push(Formula::Atom(with(&target, &place)));
                Some(place)
            }
            // This is the same as a different object: nothing is changed.
            Before::Same => {
                self.needs.push(Formula::FALSE);
                None
            }
            Before::Nothing => {
                self.need_nothing(of, fact, &target);
                None
            }
        };
        self.known.push((target, place.clone()));
        place.ok_or(Unpriced::Nothing)
    }
}
