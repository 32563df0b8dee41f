//! Trees to [`typed`] trees: names looked up, arguments and values checked, all
//! mistakes reported at once.
//!
//! A name in the place of a formula is a fact or else a condition; in an argument
//! or beside `=` it is an object, or else a fact that has an object or a number
//! for its value.

use taskloom_document::diagnostic::{Severity, Span};
use taskloom_document::{Document, Name, Object, Param, Scenario};

use super::ast::{EffectExpr, Expr, Function, Initial, Parsed};
use super::typed::{self, Call, Effect, Formula, Number};
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

/// `?me`: the character that plays.
#[derive(Debug, Clone)]
pub struct Me {
    /// Its type.
    pub of: Name,
    /// The object that it is, where texts are read for one alone.
    pub object: Option<Name>,
}

impl Me {
    /// Whichever object of a type plays.
    pub fn any(of: Name) -> Self {
        Self { of, object: None }
    }
}

/// What can be named in a text.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    /// The document.
    pub document: &'a Document,
    /// The scenario whose objects count besides the domain's.
    pub scenario: Option<&'a Scenario>,
    /// Parameters of the record, and the variables of Bind blocks.
    pub variables: Vec<Param>,
    /// What `?me` is, where a character plays.
    pub me: Option<Me>,
    /// What looks for names that may have been meant, where many texts are read.
    pub near: Option<&'a Near>,
}

/// Something wrong in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// How grave it is.
    pub severity: Severity,
    /// A stable word for the kind of mistake: `syntax`, `empty`, `unknown-name`.
    pub code: &'static str,
    /// The part of the text.
    pub span: Span,
    /// What is wrong and why, in a sentence for the designer.
    pub message: String,
    /// What could stand in the place of the part, the likeliest first.
    pub suggestions: Vec<Suggestion>,
}

/// Another text for the part where a [`Mistake`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What the designer reads on the button: `Change to 'box_open'`.
    pub label: String,
    /// The text.
    pub text: String,
}

/// What typing gives: what the text means, where it means something, and all
/// mistakes in the order of the text. There may be warnings beside a value, and
/// there is an error where there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed<T> {
    /// What it means.
    pub value: Option<T>,
    /// What is wrong.
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

/// All mistakes of a text, whatever it is for.
pub fn mistakes(text: &str, role: TextRole, scope: &Scope) -> Vec<Mistake> {
    match role {
        TextRole::Formula => read_formula(text, scope).mistakes,
        TextRole::Number => read_number(text, scope).mistakes,
        TextRole::Effect => read_effect(text, scope).mistakes,
        TextRole::TaskCall => read_task_call(text, scope).mistakes,
        TextRole::ActionCall => read_action_call(text, scope).mistakes,
        TextRole::Initial => read_initial(text, scope).mistakes,
    }
}

/// Types a formula that has been parsed.
pub fn type_formula(expr: &Expr, scope: &Scope) -> Typed<Formula> {
    typed_by(scope, |typer| typer.formula(expr))
}

/// Types a numeric expression that has been parsed.
pub fn type_number(expr: &Expr, scope: &Scope) -> Typed<Number> {
    typed_by(scope, |typer| typer.number(expr))
}

/// Types an effect that has been parsed.
pub fn type_effect(effect: &EffectExpr, scope: &Scope) -> Typed<Effect> {
    typed_by(scope, |typer| typer.effect(effect))
}

/// Types an initial value that has been parsed.
pub fn type_initial(initial: &Initial, scope: &Scope) -> Typed<typed::Initial> {
    typed_by(scope, |typer| typer.initial(initial))
}

/// The syntax errors of a text together with what typing its tree gives.
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
    mistakes.sort_by_key(|mistake| mistake.span.start);
    Typed { value, mistakes }
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
    mistakes.sort_by_key(|mistake| mistake.span.start);
    Typed {
        value: value.filter(|_| !grave),
        mistakes,
    }
}

/// A walk through a tree, and what was wrong so far. Its methods give `None`
/// where they reported an error, or the parser has.
struct Typer<'a> {
    scope: &'a Scope<'a>,
    /// Variables of the quantifiers and aggregates around.
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

    /// The variable's type.
    fn variable(&self, name: &Name) -> Option<&Param> {
        let all = self.scope.variables.iter().chain(&self.bound);
        all.rev().find(|param| param.name == *name)
    }
}

impl<'a> Scope<'a> {
    /// The scope of a text outside of any scenario.
    pub fn of_domain(document: &'a Document, variables: Vec<Param>) -> Self {
        Self {
            document,
            scenario: None,
            variables,
            me: document.type_of_me().map(Me::any),
            near: None,
        }
    }

    /// The scope of a scenario's text.
    pub fn of_scenario(document: &'a Document, scenario: &'a Scenario) -> Self {
        Self {
            document,
            scenario: Some(scenario),
            variables: vec![],
            me: None,
            near: None,
        }
    }

    /// The same scope where one of this type plays.
    pub fn played_by(self, of: Name) -> Self {
        Self {
            me: Some(Me::any(of)),
            ..self
        }
    }

    /// The same scope, with what looks for names in all texts of a check.
    pub fn with(self, near: &'a Near) -> Self {
        Self {
            near: Some(near),
            ..self
        }
    }

    /// An object by name, the scenario's own before the domain's.
    pub fn object(&self, name: &Name) -> Option<(&'a Name, &'a Object)> {
        let own = self.scenario.and_then(|s| s.objects.get_key_value(name));
        let found = own.or_else(|| self.document.objects.get_key_value(name));
        found.map(|(name, object)| (name, &**object))
    }

    /// All objects by name.
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

    /// The function of this name, unless a fact or condition is called so.
    pub(super) fn function(&self, name: &Name) -> Option<Function> {
        let document = self.document;
        let is_taken = document.facts.contains_key(name) || document.conditions.contains_key(name);
        Function::named(name).filter(|_| !is_taken)
    }

    /// Whether a name is the word for the tick: nothing that could stand there is called so.
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

    /// Whether an object of one type may stand where another is wanted. Of types
    /// that do not exist, which is reported where they are named, nothing is known.
    pub(super) fn fits(&self, of: &Name, wanted: &Name) -> bool {
        !self.knows_type(of) || !self.knows_type(wanted) || self.document.is_kind_of(of, wanted)
    }
}
