//! Turns syntax trees into [`typed`] trees: resolves names, checks arguments and values, and
//! reports all mistakes at once.
//!
//! In the position of a formula, a name is a fact, or else a condition. As an argument or an
//! operand of `=` it is an object, or else a fact whose value is an object or a number.

use taskloom_document::diagnostic::{Severity, Span};
use taskloom_document::sort::CompactSort;
use taskloom_document::{Document, Name, Object, Param, Scenario};

use super::ast::{EffectExpr, Expr, Function, Initial, Parsed};
use super::typed::{self, Call, Effect, Formula, Number, Query, Term};
use super::{TextRole, parse_call, parse_effect, parse_expr, parse_initial};

mod aggregate;
mod change;
mod condition;
mod formula;
mod names;
mod near;
mod term;

#[cfg(test)]
mod tests;

pub use condition::{condition_calls, recursive_condition};
pub use near::Near;

/// `?me`: the acting character.
#[derive(Debug, Clone)]
pub struct Me {
    /// Its type.
    pub of: Name,
    /// The object that the character is, if texts are read for one character only.
    pub object: Option<Name>,
}

impl Me {
    /// Any object of a type.
    pub fn any(of: Name) -> Self {
        Self { of, object: None }
    }
}

/// The names visible in a text.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    /// The document.
    pub document: &'a Document,
    /// The scenario whose objects are visible in addition to the domain's.
    pub scenario: Option<&'a Scenario>,
    /// The parameters of the record, and the variables of Bind blocks.
    pub variables: Vec<Param>,
    /// The meaning of `?me`, if a character acts.
    pub me: Option<Me>,
    /// A shared index of similar names, if many texts are read.
    pub near: Option<&'a Near>,
}

/// A mistake in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The severity.
    pub severity: Severity,
    /// A stable identifier of the kind of mistake: `syntax`, `empty`, `unknown-name`.
    pub code: &'static str,
    /// The affected part of the text.
    pub span: Span,
    /// A sentence for the designer: what is wrong and why.
    pub message: String,
    /// Replacements for the affected part, the most likely first.
    pub suggestions: Vec<Suggestion>,
}

/// A replacement for the part of a text where a [`Mistake`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The label of the button: `Change to 'box_open'`.
    pub label: String,
    /// The replacement.
    pub text: String,
}

/// The result of typing a text: its meaning, if it has one, and all mistakes in the order of the
/// text. A value may come with warnings; without a value there is at least one error.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed<T> {
    /// The meaning of the text.
    pub value: Option<T>,
    /// The mistakes.
    pub mistakes: Vec<Mistake>,
}

/// Reads a formula.
pub fn read_formula(text: &str, scope: &Scope) -> Typed<Formula> {
    read(parse_expr(text), |expr| type_formula(expr, scope))
}

/// Reads a numeric expression.
pub fn read_number(text: &str, scope: &Scope) -> Typed<Number> {
    read(parse_expr(text), |expr| type_number(expr, scope))
}

/// Reads an object.
pub fn read_object(text: &str, scope: &Scope) -> Typed<Term> {
    read(parse_expr(text), |expr| {
        typed_by(scope, |typer| Some(typer.term(expr, None)?.0))
    })
}

/// Reads an effect.
pub fn read_effect(text: &str, scope: &Scope) -> Typed<Effect> {
    read(parse_effect(text), |effect| type_effect(effect, scope))
}

/// Reads a call of a primitive or compound task.
pub fn read_task_call(text: &str, scope: &Scope) -> Typed<Call> {
    read(parse_call(text), |call| {
        typed_by(scope, |typer| typer.task_call(call.as_ref()?))
    })
}

/// Reads a query of a Bind block.
pub fn read_query(text: &str, scope: &Scope) -> Typed<Query> {
    read(parse_call(text), |call| {
        typed_by(scope, |typer| typer.query(call.as_ref()?))
    })
}

/// Reads a call of an action.
pub fn read_action_call(text: &str, scope: &Scope) -> Typed<Call> {
    read(parse_call(text), |call| {
        typed_by(scope, |typer| typer.action_call(call.as_ref()?))
    })
}

/// Reads an initial value.
pub fn read_initial(text: &str, scope: &Scope) -> Typed<typed::Initial> {
    read(parse_initial(text), |initial| type_initial(initial, scope))
}

/// Returns the mistakes of a text in any role.
pub fn mistakes(text: &str, role: TextRole, scope: &Scope) -> Vec<Mistake> {
    match role {
        TextRole::Formula => read_formula(text, scope).mistakes,
        TextRole::Number => read_number(text, scope).mistakes,
        TextRole::Object => read_object(text, scope).mistakes,
        TextRole::Effect => read_effect(text, scope).mistakes,
        TextRole::TaskCall => read_task_call(text, scope).mistakes,
        TextRole::ActionCall => read_action_call(text, scope).mistakes,
        TextRole::Query => read_query(text, scope).mistakes,
        TextRole::Initial => read_initial(text, scope).mistakes,
    }
}

/// Types a parsed formula.
pub fn type_formula(expr: &Expr, scope: &Scope) -> Typed<Formula> {
    typed_by(scope, |typer| typer.formula(expr))
}

/// Types a parsed numeric expression.
pub fn type_number(expr: &Expr, scope: &Scope) -> Typed<Number> {
    typed_by(scope, |typer| typer.number(expr))
}

/// Types a parsed effect.
pub fn type_effect(effect: &EffectExpr, scope: &Scope) -> Typed<Effect> {
    typed_by(scope, |typer| typer.effect(effect))
}

/// Types a parsed initial value.
pub fn type_initial(initial: &Initial, scope: &Scope) -> Typed<typed::Initial> {
    typed_by(scope, |typer| typer.initial(initial))
}

/// Combines the syntax errors of a text with the result of typing its tree.
fn read<T, U>(parsed: Parsed<T>, typing: impl FnOnce(&T) -> Typed<U>) -> Typed<U> {
    let code = if parsed.empty { "empty" } else { "syntax" };
    let Typed {
        value,
        mistakes: found,
    } = typing(&parsed.value);
    let value = value.filter(|_| parsed.errors.is_empty());
    let mut mistakes: Vec<Mistake> = parsed
        .errors
        .into_iter()
        .map(|error| Mistake {
            severity: Severity::Error,
            code,
            span: error.span,
            message: error.message,
            suggestions: vec![],
        })
        .collect();
    mistakes.extend(found);
    sort_by_place(&mut mistakes);
    Typed { value, mistakes }
}

/// Sorts mistakes by their place in the text.
pub(crate) fn sort_by_place(mistakes: &mut [Mistake]) {
    mistakes.compact_sort_by_key(|mistake| mistake.span.start);
}

fn typed_by<'a, T>(
    scope: &'a Scope<'a>,
    typing: impl FnOnce(&mut Typer<'a>) -> Option<T>,
) -> Typed<T> {
    let mut typer = Typer {
        scope,
        bound: vec![],
        mistakes: vec![],
    };
    let value = typing(&mut typer);
    let grave = typer.mistakes.iter().any(|m| m.severity == Severity::Error);
    let mut mistakes = typer.mistakes;
    sort_by_place(&mut mistakes);
    Typed {
        value: value.filter(|_| !grave),
        mistakes,
    }
}

/// A walk through a tree, with the mistakes so far. Its methods return `None` if they, or the
/// parser, reported an error.
struct Typer<'a> {
    scope: &'a Scope<'a>,
    /// The variables of the enclosing quantifiers and aggregates.
    bound: Vec<Param>,
    mistakes: Vec<Mistake>,
}

impl<'a> Typer<'a> {
    fn error(&mut self, code: &'static str, span: Span, message: String) {
        self.error_with(code, span, message, vec![]);
    }

    fn error_with(
        &mut self,
        code: &'static str,
        span: Span,
        message: String,
        suggestions: Vec<Suggestion>,
    ) {
        self.mistakes.push(Mistake {
            severity: Severity::Error,
            code,
            span,
            message,
            suggestions,
        });
    }

    fn warning(&mut self, code: &'static str, span: Span, message: String) {
        self.mistakes.push(Mistake {
            severity: Severity::Warning,
            code,
            span,
            message,
            suggestions: vec![],
        });
    }

    /// Returns a variable in scope, with its type.
    fn variable(&self, name: &Name) -> Option<&Param> {
        let all = self.scope.variables.iter().chain(&self.bound);
        all.rev().find(|param| param.name == *name)
    }
}

impl<'a> Scope<'a> {
    /// Returns the scope of a text outside any scenario.
    pub fn of_domain(document: &'a Document, variables: Vec<Param>) -> Self {
        Self {
            document,
            scenario: None,
            variables,
            me: document.type_of_me().map(Me::any),
            near: None,
        }
    }

    /// Returns the scope of a scenario's text.
    pub fn of_scenario(document: &'a Document, scenario: &'a Scenario) -> Self {
        Self {
            document,
            scenario: Some(scenario),
            variables: vec![],
            me: None,
            near: None,
        }
    }

    /// Returns the same scope for an acting character of this type.
    pub fn played_by(self, of: Name) -> Self {
        Self {
            me: Some(Me::any(of)),
            ..self
        }
    }

    /// Returns the same scope with a shared index of similar names.
    pub fn with(self, near: &'a Near) -> Self {
        Self {
            near: Some(near),
            ..self
        }
    }

    /// Finds an object by name, the scenario's before the domain's.
    pub fn object(&self, name: &Name) -> Option<(&'a Name, &'a Object)> {
        let own = self.scenario.and_then(|s| s.objects.get_key_value(name));
        let found = own.or_else(|| self.document.objects.get_key_value(name));
        found.map(|(name, object)| (name, &**object))
    }

    /// Returns all objects by name.
    pub fn objects(&self) -> Vec<(&'a Name, &'a Object)> {
        let domain = &self.document.objects;
        match self.scenario {
            Some(scenario) => scenario
                .all_objects(domain)
                .into_iter()
                .map(|(name, object)| (name, &**object))
                .collect(),
            None => domain.iter().map(|(n, o)| (n, &**o)).collect(),
        }
    }

    /// Returns the function of this name, unless a fact or condition has the same name.
    pub(super) fn function(&self, name: &Name) -> Option<Function> {
        let document = self.document;
        let is_taken = document.facts.contains_key(name) || document.conditions.contains_key(name);
        Function::named(name).filter(|_| !is_taken)
    }

    /// Returns `true` if a name means the current tick, because no fact, condition or object has
    /// it.
    pub(in crate::lang) fn is_time(&self, name: &Name) -> bool {
        let document = self.document;
        *name == "time"
            && !document.facts.contains_key(name)
            && !document.conditions.contains_key(name)
            && self.object(name).is_none()
    }

    fn knows_type(&self, of: &Name) -> bool {
        *of == "object" || self.document.types.contains_key(of)
    }

    /// Returns `true` if an object of one type can be used where another is expected. Unknown types
    /// fit everywhere, since they are reported where they are named.
    pub(super) fn fits(&self, of: &Name, wanted: &Name) -> bool {
        !self.knows_type(of) || !self.knows_type(wanted) || self.document.is_kind_of(of, wanted)
    }
}
