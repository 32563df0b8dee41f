//! Types aggregates and numeric functions.

use super::super::absence;
use super::super::ast::{Aggregate, Binder, Expr, ExprKind, Function, Reference};
use super::super::typed::{Formula, Number};
use super::Typer;
use super::formula::every;
use super::names::change_to;
use taskloom_document::ValueKind;
use taskloom_document::syntax::print_expr;

impl Typer<'_> {
    pub(super) fn aggregate(
        &mut self,
        expr: &Expr,
        (aggregate, binders): (Aggregate, &[Binder]),
        body: &Expr,
        of: Option<&Expr>,
    ) -> Option<Number> {
        let before = self.bound.len();
        let params = self.bind(binders);
        let is_meant = self.report_wrong_aggregate(expr, aggregate, body);
        let (value, of) = match aggregate {
            _ if is_meant => (None, None),
            Aggregate::Count => (
                Some(Number::Constant(1.0)),
                self.parenthesized(body).map(Some),
            ),
            Aggregate::Sum | Aggregate::Min | Aggregate::Max => {
                let value = self.number(body);
                let of = match of {
                    Some(of) => self.parenthesized(of).map(Some),
                    None => Some(None),
                };
                (value, of)
            }
        };
        self.bound.truncate(before);
        let (value, of) = (value?, of?);
        let of = absence::counted(self.scope.document, &params, &value, of).map(Box::new);
        Some(Number::Aggregate(aggregate, params, Box::new(value), of))
    }

    /// Reports a `count` of numbers, or a `sum`, `min` or `max` of true-or-false values, if the
    /// other aggregate would make sense.
    fn report_wrong_aggregate(&mut self, expr: &Expr, aggregate: Aggregate, body: &Expr) -> bool {
        let ExprKind::Aggregate(_, binders, _, of) = &expr.kind else {
            return false;
        };
        let is_number = match &body.kind {
            ExprKind::Reference(reference) => {
                let fact = self.scope.document.facts.get(&reference.name);
                match fact.map(|fact| &fact.value) {
                    Some(ValueKind::Number { .. }) => true,
                    Some(ValueKind::Boolean) => false,
                    Some(ValueKind::Object(_)) | None => return false,
                }
            }
            _ => return false,
        };
        let word = aggregate.word();
        let (meant, message) = match (aggregate, is_number) {
            (Aggregate::Count, true) => (
                Aggregate::Sum,
                format!("'{word}' counts objects that satisfy a formula, but this is a number"),
            ),
            (Aggregate::Sum | Aggregate::Min | Aggregate::Max, false) => (
                Aggregate::Count,
                format!("'{word}' takes a number for each object, but this is true or false"),
            ),
            _ => return false,
        };
        // There is no simple fix for a `count` with an 'of'.
        let fix = of.is_none().then(|| {
            let body = Box::new(body.clone());
            change_to(print_expr(&Expr {
                kind: ExprKind::Aggregate(meant, binders.clone(), body, None),
                span: expr.span,
            }))
        });
        let message = match &fix {
            Some(fix) => format!("{message}; did you mean '{}'?", fix.text),
            None => message,
        };
        let span = if fix.is_some() { expr.span } else { body.span };
        let fixes = fix.into_iter().collect();
        let code = match aggregate {
            Aggregate::Count => "not-a-formula",
            Aggregate::Sum | Aggregate::Min | Aggregate::Max => "not-a-number",
        };
        self.error_with(code, span, message, fixes);
        true
    }

    /// Types a formula in a position where operators need parentheses, and puts parentheses around
    /// suggested fixes too.
    fn parenthesized(&mut self, expr: &Expr) -> Option<Formula> {
        let before = self.mistakes.len();
        let formula = self.formula(expr);
        let mut innermost = expr;
        while let ExprKind::Not(inner) = &innermost.kind {
            innermost = inner;
        }
        for mistake in self.mistakes.iter_mut().skip(before) {
            if mistake.span == innermost.span && mistake.code == "not-a-formula" {
                for fix in &mut mistake.suggestions {
                    *fix = change_to(format!("({})", fix.text));
                }
            }
        }
        formula
    }

    /// Reports a number where a formula is expected, and the mistakes inside it.
    pub(super) fn report_number(&mut self, expr: &Expr, what: &str) {
        let before = self.mistakes.len();
        self.number(expr);
        if self.mistakes.len() > before {
            return;
        }
        let text = format!("{} > 0", print_expr(expr));
        let message =
            format!("{what} is a number, but a formula is expected: compare it, as in '{text}'");
        self.error_with("not-a-formula", expr.span, message, vec![change_to(text)]);
    }

    /// Types the application of a function to as many numbers as it takes.
    pub(super) fn function_call(&mut self, function: Function, call: &Reference) -> Option<Number> {
        let numbers = every(&call.args, |arg| self.number(arg));
        if call.args.len() != function.arity() {
            let takes = match function.arity() {
                1 => "1 number".to_owned(),
                many => format!("{many} numbers"),
            };
            let given = match call.args.len() {
                0 => "none is".to_owned(),
                1 => "1 is".to_owned(),
                many => format!("{many} are"),
            };
            let word = function.word();
            let or = match Aggregate::of_word(word) {
                Some(_) => format!("; over objects, write '{word} ?x: object. ...'"),
                None => String::new(),
            };
            let message = format!("'{word}' takes {takes}, but {given} given{or}");
            self.error("wrong-arity", call.span, message);
            return None;
        }
        let number = Number::Function(function, numbers?);
        let kind = ExprKind::Reference(call.clone());
        let span = call.span;
        self.warn_if_undefined(&Expr { kind, span }, &number);
        Some(number)
    }
}
