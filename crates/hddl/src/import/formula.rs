//! Formulas, numbers and terms as trees of the expression language.

use std::sync::Arc;

use super::names::legal;
use super::scope::Scope;
use super::types::Guard;
use super::{Importer, Owner, Variable, conjuncts};
use crate::syntax::ast::{Atom, Comparison as Compared, Formula, Ident, Number, Term, Typed};
use crate::syntax::decimal;
use taskloom_document::Name;
use taskloom_document::diagnostic::Span;
use taskloom_document::syntax::ast::{
    Binder, Comparison, Expr, ExprKind, Operator, Quantifier, Reference,
};
use taskloom_document::syntax::print_expr;

/// Returns a variable.
pub fn variable(name: &Name) -> Expr {
    ExprKind::Variable(name.clone()).into()
}

/// Returns a number.
pub fn number(value: f64) -> Expr {
    let size = ExprKind::Number(value.abs()).into();
    match value.is_sign_negative() {
        true => ExprKind::Negative(Box::new(size)).into(),
        false => size,
    }
}

/// Returns the equation of two terms.
pub fn equal(a: Expr, b: Expr) -> Expr {
    ExprKind::Compare(Comparison::Equal, Box::new(a), Box::new(b)).into()
}

fn not(formula: Expr) -> Expr {
    ExprKind::Not(Box::new(formula)).into()
}

/// Returns a conjunction as text; empty without parts.
pub fn text_of(parts: Vec<Expr>) -> String {
    match parts.is_empty() {
        true => String::new(),
        false => print_expr(&Expr::all(parts)),
    }
}

impl Importer<'_> {
    /// Returns a formula.
    pub fn formula(&mut self, formula: &Formula, scope: &mut Scope) -> Expr {
        if self.stop.after(1 + scope.len() / 8) {
            return ExprKind::Missing.into();
        }
        match formula {
            Formula::Atom(atom) => ExprKind::Reference(self.fact(atom, scope)).into(),
            Formula::Equal(a, b) => self.equation(Comparison::Equal, a, b, scope),
            Formula::Compare(comparison, a, b) => {
                let comparison = match comparison {
                    Compared::Equal => Comparison::Equal,
                    Compared::Less => Comparison::Less,
                    Compared::LessOrEqual => Comparison::LessOrEqual,
                    Compared::Greater => Comparison::Greater,
                    Compared::GreaterOrEqual => Comparison::GreaterOrEqual,
                };
                let a = Box::new(self.number(a, scope));
                let b = Box::new(self.number(b, scope));
                ExprKind::Compare(comparison, a, b).into()
            }
            Formula::Not(inner) => match &**inner {
                Formula::Equal(a, b) => self.equation(Comparison::NotEqual, a, b, scope),
                Formula::Not(twice) => self.formula(twice, scope),
                other => not(self.formula(other, scope)),
            },
            Formula::And(_) => {
                let parts = conjuncts(formula).into_iter();
                Expr::all(parts.map(|part| self.formula(part, scope)).collect())
            }
            Formula::Or(parts) => {
                let parts = parts.iter();
                Expr::any(parts.map(|part| self.formula(part, scope)).collect())
            }
            Formula::Imply(a, b) => {
                let a = Box::new(self.formula(a, scope));
                let b = Box::new(self.formula(b, scope));
                ExprKind::Imply(a, b).into()
            }
            Formula::Forall(variables, body) => {
                self.quantified(Quantifier::Forall, variables, body, scope)
            }
            Formula::Exists(variables, body) => {
                self.quantified(Quantifier::Exists, variables, body, scope)
            }
            Formula::OfType(term, types) => {
                let types = self.type_numbers(types);
                let of = self.term_type(term, scope);
                let range = self.types.range(&types);
                if of.is_some_and(|of| self.types.kinds(of).is_subset(&range.set)) {
                    return ExprKind::Bool(true).into();
                }
                let term = self.term(term, scope);
                self.one_of(&types, &term)
            }
        }
    }

    /// Compares two terms. Two words that are numbers and name no objects are numbers.
    fn equation(&mut self, comparison: Comparison, a: &Term, b: &Term, scope: &Scope) -> Expr {
        let (own, other) = (self.plain_number(a), self.plain_number(b));
        let is_number = |of: Option<f64>, term: &Term| match of {
            Some(_) => true,
            // The missing parentheses are reported, not the other side.
            None => matches!(term, Term::Constant(name) if self.is_function(name)),
        };
        let are_numbers = is_number(own, a) && is_number(other, b);
        let mut side = |of: Option<f64>, term| match of {
            Some(of) if are_numbers => number(of),
            _ => self.term(term, scope),
        };
        let (a, b) = (side(own, a), side(other, b));
        ExprKind::Compare(comparison, Box::new(a), Box::new(b)).into()
    }

    /// Returns the number that a word is, unless it names an object.
    fn plain_number(&self, term: &Term) -> Option<f64> {
        match term {
            Term::Constant(name) if !self.objects.contains_key(name.text()) => decimal(name),
            Term::Constant(_) | Term::Variable(_) => None,
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variables: &[Typed],
        body: &Formula,
        scope: &mut Scope,
    ) -> Expr {
        let outer = scope.clone();
        let (binders, mut guards) = self.binders(variables, scope);
        let body = self.formula(body, scope);
        *scope = outer;
        let body = match quantifier {
            Quantifier::Forall if !guards.is_empty() => {
                ExprKind::Imply(Box::new(Expr::all(guards)), Box::new(body)).into()
            }
            _ => {
                guards.push(body);
                Expr::all(guards)
            }
        };
        ExprKind::Quantified(quantifier, binders, Box::new(body)).into()
    }

    /// Brings variables into scope; returns their binders, and the additional guards on them.
    pub fn binders(&mut self, variables: &[Typed], scope: &mut Scope) -> (Vec<Binder>, Vec<Expr>) {
        let mut binders = vec![];
        let mut guards = vec![];
        scope.reserve(variables.iter().map(|typed| typed.name.as_str()));
        for typed in variables {
            let range = self.range(typed);
            let variable = Variable {
                original: typed.name.text().clone(),
                name: scope.fresh(&typed.name),
                of: self.types.cover(&range.set).unwrap_or_default(),
                range,
            };
            binders.push(Binder::from(self.param(&variable)));
            guards.extend(self.guards(&variable));
            scope.push(variable);
        }
        (binders, guards)
    }

    /// Returns the guards on a variable, apart from its type.
    pub fn guards(&mut self, of: &Variable) -> Vec<Expr> {
        let guards = self.types.guards(&of.range, of.of);
        let term = variable(&of.name);
        guards.iter().map(|g| self.guard(g, &term)).collect()
    }

    /// Returns a guard on a term.
    pub fn guard(&mut self, guard: &Guard, term: &Expr) -> Expr {
        match guard {
            Guard::OneOf(types) => self.one_of(types, term),
            Guard::Not(of) => not(self.one_of(&[*of], term)),
        }
    }

    fn one_of(&mut self, types: &[usize], term: &Expr) -> Expr {
        let types = types.iter().map(|of| {
            let type_name = self.type_name(*of);
            let fact = self.facts.membership(*of, &type_name);
            ExprKind::Reference(Reference::new(fact, vec![term.clone()])).into()
        });
        Expr::any(types.collect())
    }

    /// Returns `true` if a formula states that two terms differ that can't be equal.
    pub fn is_sure(&self, formula: &Formula, scope: &Scope) -> bool {
        let Formula::Not(inner) = formula else {
            return false;
        };
        let Formula::Equal(a, b) = &**inner else {
            return false;
        };
        let types = (self.term_type(a, scope), self.term_type(b, scope));
        matches!(types, (Some(a), Some(b)) if self.types.are_apart(a, b))
    }

    /// Returns a number.
    pub fn number(&mut self, value: &Number, scope: &Scope) -> Expr {
        match value {
            Number::Constant(value) => number(*value),
            Number::Function(atom) => ExprKind::Reference(self.function(atom, scope)).into(),
            Number::Arithmetic(sign, a, b) => {
                let operator = match sign {
                    '+' => Operator::Add,
                    '-' => Operator::Subtract,
                    '*' => Operator::Multiply,
                    _ => Operator::Divide,
                };
                let a = Box::new(self.number(a, scope));
                let b = Box::new(self.number(b, scope));
                ExprKind::Arithmetic(operator, a, b).into()
            }
            Number::Negative(a) => ExprKind::Negative(Box::new(self.number(a, scope))).into(),
        }
    }

    /// Returns a predicate with its arguments; reports an unknown one.
    pub fn fact(&mut self, atom: &Atom, scope: &Scope) -> Reference {
        self.known_fact(atom, false);
        self.call(atom, scope)
    }

    /// Returns a function with its arguments; reports an unknown one.
    pub fn function(&mut self, atom: &Atom, scope: &Scope) -> Reference {
        self.known_fact(atom, true);
        self.call(atom, scope)
    }

    /// Reports an unknown predicate or function.
    pub fn known_fact(&mut self, atom: &Atom, is_number: bool) {
        let what = if is_number { "function" } else { "predicate" };
        let name = &atom.name;
        match self.facts.get(name.text(), atom.args.len()) {
            Some(fact) if fact.is_number == is_number => {}
            Some(_) => {
                let message = format!("'{name}' is not a {what}");
                self.error(name.span, message);
            }
            None => {
                let message = match self.facts.named(name) {
                    Some(fact) => format!(
                        "'{name}' takes {}, found {}",
                        arguments(fact.params.len()),
                        atom.args.len()
                    ),
                    None if !is_number && self.types.number(name).is_some() => format!(
                        "no predicate is called '{name}': it is a type, and types are not \
                         supported as predicates"
                    ),
                    None => format!("no {what} is called '{name}'"),
                };
                self.error(name.span, message);
            }
        }
    }

    /// Returns a fact with its arguments.
    pub fn call(&mut self, atom: &Atom, scope: &Scope) -> Reference {
        let arity = atom.args.len();
        let name = match self.facts.get(atom.name.text(), arity) {
            Some(fact) => fact.name.clone(),
            None => legal(&atom.name, "fact"),
        };
        let mut args = Vec::with_capacity(arity);
        for (at, arg) in atom.args.iter().enumerate() {
            if let Some(of) = self.term_type(arg, scope) {
                self.facts.seen(atom.name.text(), arity, at, of);
            }
            args.push(self.term(arg, scope));
        }
        Reference::new(name, args)
    }

    /// Returns the type, in the tree, of a term's value.
    pub fn term_type(&self, term: &Term, scope: &Scope) -> Option<usize> {
        match term {
            Term::Variable(name) => scope.get(name).map(|variable| variable.of),
            Term::Constant(name) => self.objects.get(name.text()).map(|object| object.of),
        }
    }

    /// Returns a term; reports unknown names.
    pub fn term(&mut self, term: &Term, scope: &Scope) -> Expr {
        match term {
            Term::Variable(name) => match scope.get(name) {
                Some(known) => variable(&known.name),
                None => {
                    self.unknown(name, "variable", "?");
                    variable(&legal(name, ""))
                }
            },
            Term::Constant(name) => {
                let object = self.object(name).unwrap_or_else(|| {
                    self.unknown(name, "object", "");
                    legal(name, "object")
                });
                ExprKind::Reference(Reference::new(object, vec![])).into()
            }
        }
    }

    /// Returns the name of an object that a text mentions. The domain's records can't mention
    /// objects of a scenario, so such an object becomes one of the domain. Other planners also
    /// accept that.
    fn object(&mut self, name: &Ident) -> Option<Name> {
        let owner = self.owner;
        let object = self.objects.get_mut(name.text())?;
        let found = object.name.clone();
        if owner != Owner::Scenario && !object.is_of_domain {
            object.is_of_domain = true;
            if owner == Owner::Domain {
                let message = format!(
                    "'{name}' is not declared in ':constants' of the domain, only in the \
                     problem's ':objects'"
                );
                self.warning(name.span, message);
            }
        }
        Some(found)
    }

    fn is_function(&self, name: &Ident) -> bool {
        let mut functions = self.domain.functions.iter();
        functions.any(|function| function.name == *name)
    }

    fn unknown(&mut self, name: &Ident, what: &str, mark: &str) {
        let mut message = format!("no {what} is called '{mark}{name}' here");
        if mark.is_empty() && self.is_function(name) {
            message += &format!(": a function is written '({name})'");
        }
        self.error(name.span, message);
    }

    /// Reports an object of the wrong type.
    pub fn wrong_type(&mut self, span: Span, object: &Arc<str>, expected: usize) {
        let expected = self.type_name(expected);
        let message = format!("expected an object of type '{expected}', found '{object}'");
        self.error(span, message);
    }
}

/// Returns a count such as `2 arguments`.
pub fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
