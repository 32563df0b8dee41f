//! The costs of actions: what they add to the functions of a metric.

use super::formula::number;
use super::metric::may_be;
use super::scope::Scope;
use super::sums::constant;
use super::{Importer, Owner};
use crate::syntax::ast::{Action, Atom, Change, Effect, Ident, Number, Signature, Term};
use taskloom_document::diagnostic::Severity;
use taskloom_document::syntax::ast::{Expr, ExprKind, Initial, Operator};

/// The values of the quantified variables of an effect.
type Values<'a> = Vec<(&'a Ident, &'a Term)>;

impl Importer<'_> {
    /// Adds a number fact for each function of objects that actions change for their parameters: the
    /// weight of the function for these objects, which is 0 for those that the metric doesn't have.
    pub fn add_weights(&mut self) {
        let domain = self.domain;
        for (atom, _) in self.costs.weights.clone() {
            let key = (atom.name.text().clone(), atom.args.len());
            let is_changed = |action: &Action| {
                let mut effects = action.effects.iter();
                effects.any(|effect| {
                    let changed = effect.change.target();
                    may_be(changed, &atom) && changed.args.iter().any(|arg| is_free(effect, arg))
                })
            };
            let mut functions = domain.functions.iter();
            let function = functions
                .find(|function| function.name == atom.name && function.params.len() == key.1);
            let Some(function) = function else { continue };
            if self.costs.facts.contains_key(&key) || !domain.actions.iter().any(is_changed) {
                continue;
            }
            let name = self.facts.new_name(&format!("{}-weight", atom.name));
            let params = self.params(&function.params, Severity::Warning);
            let signature = Signature {
                name: Ident::from(name),
                params: function.params.clone(),
            };
            self.facts.add(&signature, params, true);
            self.costs.facts.insert(key, signature.name);
        }
    }

    /// Returns the initial values of the weights.
    pub fn initial_weights(&mut self) -> Vec<Initial> {
        let mut initial = vec![];
        for (atom, weight) in self.costs.weights.clone() {
            let key = (atom.name.text().clone(), atom.args.len());
            if let Some(name) = self.costs.facts.get(&key).cloned() {
                let weight_of = Atom { name, ..atom };
                let weight_of = self.call(&weight_of, &Scope::default());
                initial.push(Initial::Value(weight_of, number(weight)));
            }
        }
        initial
    }

    /// Returns the cost of an action; `None` if each step costs 1.
    pub fn cost(&mut self, action: &Action, scope: &Scope) -> Option<Expr> {
        if !self.costs.are_given() {
            return None;
        }
        let mut fixed = self.costs.per_step;
        let mut parts = vec![];
        let weights = self.costs.weights.clone();
        for effect in &action.effects {
            let (by, sign) = match &effect.change {
                Change::Increase(_, by) => (by, 1.0),
                Change::Decrease(_, by) => (by, -1.0),
                Change::Add(_) | Change::Delete(_) | Change::Assign(..) => continue,
            };
            let changed = effect.change.target();
            let is_of_parameters = changed.args.iter().any(|arg| is_free(effect, arg));
            let mut weighed: Vec<Values> = vec![];
            for (atom, weight) in &weights {
                if self.stop.after(1) || !may_be(changed, atom) {
                    continue;
                }
                let Some(values) = self.values(effect, atom) else {
                    continue;
                };
                if is_of_parameters {
                    if !weighed.contains(&values) {
                        weighed.push(values);
                    }
                    continue;
                }
                match constant(by) {
                    Some(by) => fixed += weight * sign * by,
                    None => {
                        let amount = self.amount(by, &values, scope);
                        parts.push(times(number(weight * sign), amount));
                    }
                }
            }
            let key = (changed.name.text().clone(), changed.args.len());
            let Some(name) = self.costs.facts.get(&key).cloned() else {
                continue;
            };
            let weight_of = Number::Function(Atom {
                name,
                args: changed.args.clone(),
            });
            for values in &weighed {
                let weight = self.amount(&weight_of, values, scope);
                let amount = self.amount(by, values, scope);
                parts.push(times(times(number(sign), amount), weight));
            }
        }
        if fixed != 0.0 || parts.is_empty() {
            parts.insert(0, number(fixed));
        }
        let add = |a: Expr, b| ExprKind::Arithmetic(Operator::Add, a.into(), Box::new(b)).into();
        parts.into_iter().reduce(add)
    }

    /// Returns the values of an effect's quantified variables with which it changes a function of
    /// the metric; `None` if it never does.
    fn values<'t>(&mut self, effect: &'t Effect, atom: &'t Atom) -> Option<Values<'t>> {
        let mut values: Values = vec![];
        for (own, wanted) in effect.change.target().args.iter().zip(&atom.args) {
            let (Term::Variable(name), Term::Constant(object)) = (own, wanted) else {
                continue;
            };
            let mut quantified = effect.forall.iter().rev();
            let Some(typed) = quantified.find(|typed| typed.name == *name) else {
                continue;
            };
            let of = self.objects.get(object.text())?.of;
            let is_other = |(known, value): &(&Ident, &Term)| *known == name && *value != wanted;
            if !self.range(typed).set.contains(of) || values.iter().any(is_other) {
                return None;
            }
            values.push((name, wanted));
        }
        Some(values)
    }

    /// Returns an amount with values in place of variables.
    fn amount(&mut self, by: &Number, values: &Values, scope: &Scope) -> Expr {
        let by = substituted(by, values);
        self.for_problem(|importer| importer.number(&by, scope))
    }

    /// Reads a part of the problem that becomes a part of the domain.
    fn for_problem(&mut self, read: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let owner = std::mem::replace(&mut self.owner, Owner::DomainForProblem);
        let found = read(self);
        self.owner = owner;
        found
    }
}

/// Returns `true` if a term is a variable that an effect doesn't quantify.
fn is_free(effect: &Effect, term: &Term) -> bool {
    match term {
        Term::Variable(name) => !effect.forall.iter().any(|typed| typed.name == *name),
        Term::Constant(_) => false,
    }
}

/// Returns a product; factors of 1 are left out.
fn times(a: Expr, b: Expr) -> Expr {
    let is_one = |factor: &Expr| factor.kind == ExprKind::Number(1.0);
    match (is_one(&a), is_one(&b)) {
        (true, _) => b,
        (_, true) => a,
        _ => ExprKind::Arithmetic(Operator::Multiply, Box::new(a), Box::new(b)).into(),
    }
}

/// Returns a number with values in place of variables.
fn substituted(of: &Number, values: &Values) -> Number {
    let term = |own: &Term| {
        let mut values = values.iter();
        let value = values.find(|(name, _)| matches!(own, Term::Variable(own) if own == *name));
        value.map_or(own, |(_, value)| *value).clone()
    };
    match of {
        Number::Constant(_) => of.clone(),
        Number::Function(atom) => Number::Function(Atom {
            name: atom.name.clone(),
            args: atom.args.iter().map(term).collect(),
        }),
        Number::Arithmetic(sign, a, b) => {
            let (a, b) = (substituted(a, values), substituted(b, values));
            Number::Arithmetic(*sign, Box::new(a), Box::new(b))
        }
        Number::Negative(a) => Number::Negative(Box::new(substituted(a, values))),
    }
}
