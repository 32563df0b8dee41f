//! Types formulas and numbers.

use taskloom_document::diagnostic::Span;
use taskloom_document::{Param, ValueKind};

use super::super::absence;
use super::super::ast::{Binder, Comparison, Expr, ExprKind, Function, Quantifier, Reference};
use super::super::typed::{Formula, FormulaKind, Number};
use super::Typer;
use super::names::{ExpectedKind, change_to};
use taskloom_document::syntax::{print_expr, print_reference};

/// The kind of an operand of `=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Number,
    Object,
    Formula,
    /// The operand is missing, or its name is unknown.
    Unclear,
}

/// Types each item, so that all mistakes are reported, and returns all of them or `None`.
pub(super) fn every<T, U>(items: &[T], mut each: impl FnMut(&T) -> Option<U>) -> Option<Vec<U>> {
    let all: Vec<Option<U>> = items.iter().map(&mut each).collect();
    all.into_iter().collect()
}

impl Typer<'_> {
    pub(super) fn formula(&mut self, expr: &Expr) -> Option<Formula> {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Bool(value) => FormulaKind::Constant(*value),
            ExprKind::Reference(reference) => self.formula_named(reference)?,
            ExprKind::Not(inner) => FormulaKind::Not(Box::new(self.formula(inner)?)),
            ExprKind::And(parts) => FormulaKind::And(every(parts, |part| self.formula(part))?),
            ExprKind::Or(parts) => FormulaKind::Or(every(parts, |part| self.formula(part))?),
            ExprKind::Imply(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                FormulaKind::Imply(Box::new(a?), Box::new(b?))
            }
            ExprKind::Compare(comparison, a, b) => {
                return self.compared(*comparison, a, b, span);
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body)?
            }
            ExprKind::Aggregate(..) => {
                self.report_number(expr, "this");
                return None;
            }
            ExprKind::Number(_) | ExprKind::Arithmetic(..) | ExprKind::Negative(_) => {
                let message = "this is a number, but a formula is expected: compare it, \
                               as in 'ammo > 0'";
                self.error("not-a-formula", span, message.into());
                return None;
            }
            ExprKind::Variable(name) => {
                let message = format!(
                    "'?{name}' is an object, but a formula is expected: compare it with '=', \
                     or pass it to a fact"
                );
                self.error("not-a-formula", span, message);
                return None;
            }
            ExprKind::Missing => return None,
        };
        Some(Formula { kind, span })
    }

    fn formula_named(&mut self, reference: &Reference) -> Option<FormulaKind> {
        let document = self.scope.document;
        let name = &reference.name;
        if let Some((name, fact)) = document.facts.get_key_value(name) {
            let args = self.args(reference, &fact.params);
            let text = print_reference(reference);
            match &fact.value {
                ValueKind::Boolean => return Some(FormulaKind::Fact(name.clone(), args?)),
                ValueKind::Number { .. } => {
                    let message = format!(
                        "'{name}' is a number, but a formula is expected: compare it, \
                         as in '{text} > 0'"
                    );
                    let fix = vec![change_to(format!("{text} > 0"))];
                    self.error_with("not-a-formula", reference.span, message, fix);
                }
                ValueKind::Object(of) => {
                    let message = format!(
                        "'{name}' is an object ({of}), but a formula is expected: compare it \
                         with '=', as in '{text} = ...'"
                    );
                    self.error("not-a-formula", reference.span, message);
                }
            }
            return None;
        }
        if let Some((name, condition)) = document.conditions.get_key_value(name) {
            let args = self.args(reference, &condition.params)?;
            return Some(FormulaKind::Condition(name.clone(), args));
        }
        if self.scope.function(name).is_some() || self.scope.is_time(name) {
            let kind = ExprKind::Reference(reference.clone());
            let span = reference.span;
            self.report_number(&Expr { kind, span }, &format!("'{name}'"));
            return None;
        }
        self.unknown(name, reference.name_span, ExpectedKind::Formula);
        self.loose_args(&reference.args);
        None
    }

    fn compared(
        &mut self,
        comparison: Comparison,
        a: &Expr,
        b: &Expr,
        span: Span,
    ) -> Option<Formula> {
        let (left, right) = (self.side(a), self.side(b));
        if left == Side::Formula || right == Side::Formula {
            self.compared_formulas(comparison, (a, left), (b, right), span);
            return None;
        }
        let of_objects = comparison.of_different();
        let of_objects = of_objects.filter(|_| left != Side::Number && right != Side::Number);
        let Some(of_different) = of_objects else {
            let (a, b) = (self.number(a), self.number(b));
            let kind = FormulaKind::Compare(comparison, a?, b?);
            return Some(Formula { kind, span });
        };
        let (a, b) = (self.term(a, None), self.term(b, None));
        let ((a, of_a), (b, of_b)) = (a?, b?);
        if !self.scope.fits(&of_a, &of_b) && !self.scope.fits(&of_b, &of_a) {
            let message = format!(
                "no object has both type '{of_a}' and type '{of_b}': this is always {of_different}"
            );
            self.warning("unrelated-types", span, message);
        }
        let same = Formula {
            kind: FormulaKind::Same(a, b),
            span,
        };
        if of_different {
            let kind = FormulaKind::Not(Box::new(same));
            return Some(Formula { kind, span });
        }
        Some(same)
    }

    /// Reports a comparison of true-or-false values, and the mistakes inside it.
    fn compared_formulas(
        &mut self,
        comparison: Comparison,
        (a, left): (&Expr, Side),
        (b, right): (&Expr, Side),
        span: Span,
    ) {
        for (expr, side) in [(a, left), (b, right)] {
            if side == Side::Formula {
                self.formula(expr);
            }
        }
        // `has(key) = true` is the same as `has(key)`.
        let meant = match (&a.kind, &b.kind) {
            (ExprKind::Bool(value), ExprKind::Reference(r))
            | (ExprKind::Reference(r), ExprKind::Bool(value)) => {
                let equals = comparison.of_different() == Some(false);
                let not = if *value == equals { "" } else { "not " };
                Some(change_to(format!("{not}{}", print_reference(r))))
            }
            _ => None,
        };
        let which = if left == right {
            "both sides are"
        } else {
            "one side is"
        };
        let message = format!(
            "'{}' compares {}, but {which} true or false",
            comparison.sign(),
            match comparison.of_different() {
                Some(_) => "numbers or objects",
                None => "numbers",
            }
        );
        let suggestions = meant.into_iter().collect();
        self.error_with("compared-formula", span, message, suggestions);
    }

    fn side(&self, expr: &Expr) -> Side {
        let document = self.scope.document;
        match &expr.kind {
            ExprKind::Number(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Negative(_)
            | ExprKind::Aggregate(..) => Side::Number,
            ExprKind::Variable(_) => Side::Object,
            ExprKind::Missing => Side::Unclear,
            ExprKind::Reference(Reference { name, args, .. }) => {
                if args.is_empty() && self.scope.object(name).is_some() {
                    return Side::Object;
                }
                match document.facts.get(name).map(|fact| &fact.value) {
                    Some(ValueKind::Boolean) => Side::Formula,
                    Some(ValueKind::Number { .. }) => Side::Number,
                    Some(ValueKind::Object(_)) => Side::Object,
                    None if document.conditions.contains_key(name) => Side::Formula,
                    None if self.scope.function(name).is_some() => Side::Number,
                    None if self.scope.is_time(name) => Side::Number,
                    None => Side::Unclear,
                }
            }
            _ => Side::Formula,
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &Expr,
    ) -> Option<FormulaKind> {
        let before = self.bound.len();
        let params = self.bind(binders);
        let body = self.formula(body);
        self.bound.truncate(before);
        let body = absence::restricted(self.scope.document, quantifier, &params, body?);
        Some(FormulaKind::Quantified(quantifier, params, Box::new(body)))
    }

    /// Puts the variables of a quantifier or an aggregate in scope. Mistakes are reported, but
    /// don't keep a variable out of scope.
    pub(super) fn bind(&mut self, binders: &[Binder]) -> Vec<Param> {
        let mut params = vec![];
        for Binder {
            param,
            name_span,
            type_span,
        } in binders
        {
            if self.variable(&param.name).is_some() {
                let message = format!("'?{}' is already bound: choose another name", param.name);
                self.error("duplicate-variable", *name_span, message);
            }
            let declared = self.scope.document.types.get_key_value(&param.of);
            if declared.is_none() && param.of != "object" {
                self.unknown(&param.of, *type_span, ExpectedKind::Type);
            }
            let of = declared.map_or(&param.of, |(name, _)| name).clone();
            let name = param.name.clone();
            params.push(Param { name, of });
            self.bound.extend(params.last().cloned());
        }
        params
    }

    pub(super) fn number(&mut self, expr: &Expr) -> Option<Number> {
        match &expr.kind {
            ExprKind::Number(value) => Some(Number::Constant(*value)),
            ExprKind::Arithmetic(operator, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                let number = Number::Arithmetic(*operator, Box::new(a?), Box::new(b?));
                self.warn_if_undefined(expr, &number);
                Some(number)
            }
            ExprKind::Negative(a) => Some(Number::Negative(Box::new(self.number(a)?))),
            ExprKind::Reference(reference) => self.number_named(reference),
            ExprKind::Aggregate(aggregate, binders, body, of) => {
                self.aggregate(expr, (*aggregate, binders), body, of.as_deref())
            }
            ExprKind::Missing => None,
            ExprKind::Variable(name) => {
                let message = format!("'?{name}' is an object, but a number is expected");
                self.error("not-a-number", expr.span, message);
                None
            }
            _ => {
                let message = "this is true or false, but a number is expected";
                self.error("not-a-number", expr.span, message.into());
                None
            }
        }
    }

    /// Warns about arithmetic that is undefined in every state.
    pub(super) fn warn_if_undefined(&mut self, expr: &Expr, number: &Number) {
        let why = match number {
            Number::Arithmetic(operator, _, b)
                if constant(b).is_some_and(|b| operator.apply(1.0, b).is_none()) =>
            {
                "division by 0"
            }
            Number::Function(Function::Sqrt, of)
                if of.first().and_then(constant).is_some_and(|of| of < 0.0) =>
            {
                "square root of a negative number"
            }
            _ if constant(number).is_some_and(|value| !value.is_finite()) => {
                "the result is too large"
            }
            _ => return,
        };
        let message = format!("'{}' is always undefined: {why}", print_expr(expr));
        self.warning("no-value", expr.span, message);
    }

    fn number_named(&mut self, reference: &Reference) -> Option<Number> {
        let document = self.scope.document;
        let name = &reference.name;
        let found = document.facts.get_key_value(name);
        let Some((name, fact)) = found else {
            if let Some(function) = self.scope.function(name) {
                return self.function_call(function, reference);
            }
            if self.scope.is_time(name) {
                return self.time(reference);
            }
            if document.conditions.contains_key(name) {
                let message = format!("'{name}' is true or false, but a number is expected");
                self.error("not-a-number", reference.span, message);
            } else {
                self.unknown(name, reference.name_span, ExpectedKind::Number);
            }
            self.loose_args(&reference.args);
            return None;
        };
        let args = self.args(reference, &fact.params);
        let what = match &fact.value {
            ValueKind::Number { .. } => return Some(Number::Fact(name.clone(), args?)),
            ValueKind::Boolean => "true or false".to_owned(),
            ValueKind::Object(of) => format!("an object ({of})"),
        };
        let message = format!("'{name}' is {what}, but a number is expected");
        self.error("not-a-number", reference.span, message);
        None
    }
}

impl Typer<'_> {
    /// Types `time`, the current tick.
    fn time(&mut self, reference: &Reference) -> Option<Number> {
        if reference.args.is_empty() {
            return Some(Number::Time);
        }
        let message = "'time' is the current tick and takes no arguments";
        self.error("wrong-arity", reference.span, message.to_owned());
        None
    }
}

/// Returns the value of a number that is the same in every state, or `None` if it depends on the
/// state or a part of it is undefined.
pub(super) fn constant(number: &Number) -> Option<f64> {
    let finite = |number| constant(number).filter(|value| value.is_finite());
    match number {
        Number::Constant(value) => Some(*value),
        Number::Negative(a) => Some(-finite(a)?),
        Number::Fact(..) | Number::Aggregate(..) | Number::Time => None,
        Number::Function(function, numbers) => {
            let numbers: Option<Vec<f64>> = numbers.iter().map(finite).collect();
            function.apply(&numbers?)
        }
        Number::Arithmetic(operator, a, b) => operator.apply(finite(a)?, finite(b)?),
    }
}
