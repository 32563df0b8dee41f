//! Types effects, calls and initial values.

use super::super::absence;
use super::super::ast::{self, EffectExpr, Expr, ExprKind, Reference};
use super::super::typed::{Assignment, Call, Callee, Change, Effect, Initial, Query, Term};
use super::Typer;
use super::formula::constant;
use super::names::{ExpectedKind, change_to};
use crate::ground::{Atom, Value};
use taskloom_document::diagnostic::Span;
use taskloom_document::syntax::print_reference;
use taskloom_document::{Fact, Name, ValueKind};

impl<'a> Typer<'a> {
    pub(super) fn effect(&mut self, effect: &EffectExpr) -> Option<Effect> {
        let forall = self.bind(&effect.forall);
        let change = self.change(&effect.change);
        let when = match &effect.when {
            Some(when) => self.formula(when).map(Some),
            None => Some(None),
        };
        let effect = Effect {
            forall,
            change: change?,
            when: when?,
            span: effect.span,
        };
        Some(absence::limited(self.scope.document, effect))
    }

    fn change(&mut self, change: &ast::Change) -> Option<Change> {
        match change {
            ast::Change::Set(reference) => {
                let (name, args) = self.boolean_fact(reference, "")?;
                Some(Change::Set(name, args))
            }
            ast::Change::Unset(reference) => {
                let (name, args) = self.boolean_fact(reference, "not ")?;
                Some(Change::Unset(name, args))
            }
            ast::Change::Assign(assignment, reference, value) => {
                self.assigned(*assignment, reference, value)
            }
            ast::Change::Missing => None,
        }
    }

    /// Types a fact that is changed or given an initial value; returns its declared name.
    fn fact(&mut self, reference: &Reference) -> Option<(&'a Name, &'a Fact, Vec<Term>)> {
        let document = self.scope.document;
        if let Some((name, fact)) = document.facts.get_key_value(&reference.name) {
            let args = self.args(reference, &fact.params)?;
            return Some((name, fact, args));
        }
        let name = &reference.name;
        if document.conditions.contains_key(name) {
            let message = format!(
                "'{name}' is a condition, which is derived from facts: change a fact instead"
            );
            self.error("condition-changed", reference.span, message);
        } else {
            self.unknown(name, reference.name_span, ExpectedKind::Fact);
        }
        self.loose_args(&reference.args);
        None
    }

    /// Types a fact where a boolean one is set or unset.
    fn boolean_fact(&mut self, reference: &Reference, not: &str) -> Option<(Name, Vec<Term>)> {
        let (name, fact, args) = self.fact(reference)?;
        let what = match &fact.value {
            ValueKind::Boolean => return Some((name.clone(), args)),
            ValueKind::Number { .. } => "a number".to_owned(),
            ValueKind::Object(of) => format!("an object ({of})"),
        };
        let text = print_reference(reference);
        let message = match not {
            "" => format!("'{name}' is {what}: assign a value, as in '{text} := ...'"),
            _ => format!("'{name}' is {what}: 'not' works only with facts that are true or false"),
        };
        self.error("wrong-value", reference.span, message);
        None
    }

    fn assigned(
        &mut self,
        assignment: Assignment,
        reference: &Reference,
        value: &Expr,
    ) -> Option<Change> {
        let Some((name, fact, args)) = self.fact(reference) else {
            self.loose_value(value);
            return None;
        };
        match &fact.value {
            ValueKind::Number { .. } => {
                let number = self.number(value)?;
                if assignment.replaces()
                    && let Some(constant) = constant(&number).filter(|value| value.is_finite())
                {
                    self.in_range(name, fact, constant, value.span)?;
                }
                Some(Change::Number(assignment, name.clone(), args, number))
            }
            ValueKind::Object(of) => {
                let term = self.term(value, Some(of));
                if !assignment.replaces() {
                    let message = format!("'{name}' is an object ({of}): assign it with ':='");
                    self.error("wrong-value", reference.span, message);
                    return None;
                }
                let (term, _) = term?;
                Some(Change::Object(name.clone(), args, term))
            }
            ValueKind::Boolean => {
                self.report_boolean_assignment(reference, value, "as an effect");
                None
            }
        }
    }

    /// Reports an assignment of true or false: `box_open := true`.
    fn report_boolean_assignment(&mut self, reference: &Reference, value: &Expr, place: &str) {
        let text = print_reference(reference);
        let fix = match value.kind {
            ExprKind::Bool(false) => format!("not {text}"),
            _ => text.clone(),
        };
        let message = format!(
            "'{}' is true or false: write '{text}' or 'not {text}' {place}",
            reference.name
        );
        let span = reference.span.to(value.span);
        self.error_with("wrong-value", span, message, vec![change_to(fix)]);
    }

    /// Reports mistakes in a value whose expected type is unknown.
    fn loose_value(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Arithmetic(..) | ExprKind::Negative(_) | ExprKind::Aggregate(..) => {
                self.number(value);
            }
            ExprKind::Variable(_) => {
                self.term(value, None);
            }
            _ => {}
        }
    }

    /// Reports a number that is outside the fact's range or should be a whole number.
    fn in_range(&mut self, name: &Name, fact: &Fact, number: f64, span: Span) -> Option<()> {
        let ValueKind::Number { integer, min, max } = &fact.value else {
            return None;
        };
        let message = if *integer && number.fract() != 0.0 {
            format!("'{name}' only takes whole numbers")
        } else if let Some(min) = min.filter(|min| number < *min) {
            format!("'{name}' can't be less than {min}")
        } else if let Some(max) = max.filter(|max| number > *max) {
            format!("'{name}' can't be more than {max}")
        } else {
            return Some(());
        };
        self.error("out-of-range", span, message);
        None
    }

    pub(super) fn task_call(&mut self, call: &Reference) -> Option<Call> {
        let document = self.scope.document;
        let (name, callee, params) =
            if let Some((name, task)) = document.primitive_tasks.get_key_value(&call.name) {
                (name, Callee::PrimitiveTask, &task.params)
            } else if let Some((name, task)) = document.compound_tasks.get_key_value(&call.name) {
                (name, Callee::CompoundTask, &task.params)
            } else {
                self.unknown(&call.name, call.name_span, ExpectedKind::Task);
                self.loose_args(&call.args);
                return None;
            };
        Some(Call {
            callee,
            name: name.clone(),
            args: self.args(call, params)?,
            span: call.span,
        })
    }

    /// Types a query: whatever a game knows may be its name.
    pub(super) fn query(&mut self, call: &Reference) -> Option<Query> {
        let args = call.args.iter();
        let args: Vec<Option<Term>> = args
            .map(|arg| self.term(arg, None).map(|(term, _)| term))
            .collect();
        Some(Query {
            name: call.name.clone(),
            args: args.into_iter().collect::<Option<_>>()?,
        })
    }

    pub(super) fn action_call(&mut self, call: &Reference) -> Option<Call> {
        let document = self.scope.document;
        let Some((name, action)) = document.actions.get_key_value(&call.name) else {
            self.unknown(&call.name, call.name_span, ExpectedKind::Action);
            self.loose_args(&call.args);
            return None;
        };
        Some(Call {
            callee: Callee::Action,
            name: name.clone(),
            args: self.args(call, &action.params)?,
            span: call.span,
        })
    }

    pub(super) fn initial(&mut self, initial: &ast::Initial) -> Option<Initial> {
        let (reference, value) = match initial {
            ast::Initial::Missing => return None,
            ast::Initial::True(reference) | ast::Initial::False(reference) => {
                let holds = matches!(initial, ast::Initial::True(_));
                let (name, args) = self.boolean_fact(reference, if holds { "" } else { "not " })?;
                let atom = self.ground(&name, args, reference.span)?;
                let value = Value::Bool(holds);
                return Some(Initial { atom, value });
            }
            ast::Initial::Value(reference, value) => (reference, value),
        };
        let Some((name, fact, args)) = self.fact(reference) else {
            self.loose_value(value);
            return None;
        };
        let atom = self.ground(name, args, reference.span);
        let value = match &fact.value {
            ValueKind::Number { .. } => {
                let number = self.number(value)?;
                let number = constant(&number).filter(|value| value.is_finite());
                let Some(number) = number else {
                    let message = "an initial value must be a finite number that reads no facts";
                    self.error("not-constant", value.span, message.into());
                    return None;
                };
                self.in_range(name, fact, number, value.span)?;
                Value::Number(number)
            }
            ValueKind::Object(of) => match self.term(value, Some(of))? {
                (Term::Object(object), _) => Value::Object(Some(object)),
                _ => {
                    let message = "an initial value must be the name of an object";
                    self.error("not-constant", value.span, message.into());
                    return None;
                }
            },
            ValueKind::Boolean => {
                self.report_boolean_assignment(reference, value, "as an initial value");
                return None;
            }
        };
        Some(Initial { atom: atom?, value })
    }

    fn ground(&mut self, fact: &Name, args: Vec<Term>, span: Span) -> Option<Atom> {
        let objects: Option<Vec<Name>> = args
            .into_iter()
            .map(|arg| match arg {
                Term::Object(object) => Some(object),
                _ => None,
            })
            .collect();
        if objects.is_none() {
            let message = "the arguments of an initial value must be names of objects";
            self.error("not-constant", span, message.into());
        }
        Some(Atom {
            fact: fact.clone(),
            args: objects?,
        })
    }
}
