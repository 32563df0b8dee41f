//! Types terms and argument lists.

use taskloom_document::syntax::print_expr;
use taskloom_document::{Name, Param, ValueKind};

use super::super::ast::{Expr, ExprKind, Reference};
use super::super::typed::Term;
use super::Typer;
use super::names::ExpectedKind;

impl Typer<'_> {
    /// Types an object; it must be of the `wanted` type, if any. Also returns its type.
    pub(super) fn term(&mut self, expr: &Expr, wanted: Option<&Name>) -> Option<(Term, Name)> {
        let (term, of) = match &expr.kind {
            ExprKind::Variable(name) => match self.variable(name) {
                Some(Param { name, of }) => (Term::Variable(name.clone()), of.clone()),
                None => match self.scope.me.clone().filter(|_| *name == Name::me()) {
                    Some(me) => (me.object.map_or(Term::Me, Term::Object), me.of),
                    None => {
                        self.unbound(name, expr.span);
                        return None;
                    }
                },
            },
            ExprKind::Reference(reference) => self.term_named(reference, wanted)?,
            ExprKind::Missing => return None,
            ExprKind::Number(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Negative(_)
            | ExprKind::Aggregate(..) => {
                let message = "this is a number, but an object is expected";
                self.error("not-an-object", expr.span, message.into());
                return None;
            }
            _ => {
                let message = "this is true or false, but an object is expected";
                self.error("not-an-object", expr.span, message.into());
                return None;
            }
        };
        if let Some(wanted) = wanted.filter(|wanted| !self.scope.fits(&of, wanted)) {
            let message = format!(
                "'{}' is of type '{of}', but '{wanted}' is expected",
                print_expr(expr)
            );
            let suggestions = self.objects_that_fit(wanted);
            self.error_with("wrong-type", expr.span, message, suggestions);
            return None;
        }
        Some((term, of))
    }

    fn term_named(&mut self, reference: &Reference, wanted: Option<&Name>) -> Option<(Term, Name)> {
        let name = &reference.name;
        let object = self.scope.object(name);
        if let Some((name, object)) = object.filter(|_| reference.args.is_empty()) {
            return Some((Term::Object(name.clone()), object.of.clone()));
        }
        let document = self.scope.document;
        if let Some((name, fact)) = document.facts.get_key_value(name) {
            let args = self.args(reference, &fact.params);
            let what = match &fact.value {
                ValueKind::Object(of) => {
                    return Some((Term::Fact(name.clone(), args?), of.clone()));
                }
                ValueKind::Boolean => "true or false",
                ValueKind::Number { .. } => "a number",
            };
            let message = format!("'{name}' is {what}, but an object is expected");
            self.error("not-an-object", reference.span, message);
        } else if document.conditions.contains_key(name) {
            let message = format!("'{name}' is true or false, but an object is expected");
            self.error("not-an-object", reference.span, message);
            self.loose_args(&reference.args);
        } else if let (None, Some(_)) = (object, self.scope.function(name)) {
            let message = format!("'{name}' is a number, but an object is expected");
            self.error("not-an-object", reference.span, message);
            self.number(&Expr {
                kind: ExprKind::Reference(reference.clone()),
                span: reference.span,
            });
        } else if self.scope.is_time(name) {
            let message = format!("'{name}' is a number, but an object is expected");
            self.error("not-an-object", reference.span, message);
            self.loose_args(&reference.args);
        } else if object.is_some() {
            let message = format!("'{name}' is an object and takes no arguments");
            self.error("wrong-arity", reference.span, message);
            self.loose_args(&reference.args);
        } else {
            self.unknown(name, reference.name_span, ExpectedKind::Object(wanted));
            self.loose_args(&reference.args);
        }
        None
    }

    /// Types the arguments for these parameters.
    pub(super) fn args(&mut self, reference: &Reference, params: &[Param]) -> Option<Vec<Term>> {
        let mut terms = vec![];
        for (i, arg) in reference.args.iter().enumerate() {
            let wanted = params.get(i).map(|param| &param.of);
            terms.push(self.term(arg, wanted).map(|(term, _)| term));
        }
        if reference.args.len() != params.len() {
            let list: Vec<String> = params.iter().map(Param::to_string).collect();
            let takes = match params.len() {
                0 => "no arguments".to_owned(),
                1 => format!("1 argument ({})", list.join(", ")),
                many => format!("{many} arguments ({})", list.join(", ")),
            };
            let given = match reference.args.len() {
                0 => "none is".to_owned(),
                1 => "1 is".to_owned(),
                many => format!("{many} are"),
            };
            let message = format!("'{}' takes {takes}, but {given} given", reference.name);
            self.error("wrong-arity", reference.span, message);
            return None;
        }
        terms.into_iter().collect()
    }

    /// Reports mistakes in the arguments of something unknown.
    pub(super) fn loose_args(&mut self, args: &[Expr]) {
        for arg in args {
            self.term(arg, None);
        }
    }
}
