//! Formulas, numbers and terms as text in the expression language.

use std::sync::Arc;

use super::names::{Namespace, legal};
use super::types::Guard;
use super::{Importer, Variable, conjuncts};
use crate::syntax::ast::{Atom, Comparison, Formula, Ident, Number, Term, Typed};
use taskloom_document::diagnostic::Span;

/// The variables that a text may use, inner ones last.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    variables: Vec<Variable>,
    names: Namespace,
}

impl Scope {
    /// Creates the scope of a task's parameters.
    pub fn of(params: &[Variable]) -> Self {
        let mut scope = Self::default();
        for param in params {
            scope.names.take(param.name.as_str());
            scope.variables.push(param.clone());
        }
        scope
    }

    /// Reserves a name, so that no variable gets it.
    pub fn take(&mut self, name: &str) {
        self.names.take(name);
    }

    /// Brings a variable into scope.
    pub fn push(&mut self, variable: Variable) {
        self.names.take(variable.name.as_str());
        self.variables.push(variable);
    }

    /// Returns a name that no variable in scope has.
    pub fn fresh(&self, preferred: &str) -> taskloom_document::Name {
        self.names.free(preferred, "")
    }

    /// Returns the number of variables.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Returns the innermost variable of a name.
    pub fn get(&self, original: &str) -> Option<&Variable> {
        let mut inner = self.variables.iter().rev();
        inner.find(|variable| *variable.original == *original)
    }
}

/// The precedence of a formula's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Around {
    /// Nothing: it is the whole text.
    Nothing,
    /// `imply`
    Imply,
    /// `or`
    Or,
    /// `and`
    And,
    /// `not`
    Not,
}

fn parentheses(text: String, needed: bool) -> String {
    match needed {
        true => format!("({text})"),
        false => text,
    }
}

/// Returns a conjunction of texts that are parts of one; a single one needs no parentheses.
pub fn all_of(parts: &[String]) -> String {
    match parts {
        [one] => without_parentheses(one).to_owned(),
        parts => parts.join(" and "),
    }
}

/// Returns a text without enclosing parentheses.
fn without_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let Some(inner) = inner else {
        return text;
    };
    let mut open = 0usize;
    for byte in inner.bytes() {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => return text,
            b')' => open -= 1,
            _ => {}
        }
    }
    inner
}

impl Importer<'_> {
    /// Returns a formula as text.
    pub fn formula(&mut self, formula: &Formula, scope: &mut Scope, around: Around) -> String {
        if self.stop.after(1 + scope.variables.len() / 8) {
            return String::new();
        }
        match formula {
            Formula::Atom(atom) => {
                self.known_fact(atom, false);
                self.call(atom, scope)
            }
            Formula::Equal(a, b) => self.equal(a, b, "=", scope),
            Formula::Compare(comparison, a, b) => {
                let sign = match comparison {
                    Comparison::Equal => "=",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => ">=",
                };
                let a = self.number(a, scope, false);
                format!("{a} {sign} {}", self.number(b, scope, false))
            }
            Formula::Not(inner) => match &**inner {
                Formula::Equal(a, b) => self.equal(a, b, "!=", scope),
                Formula::Not(twice) => self.formula(twice, scope, around),
                other => {
                    let text = self.formula(other, scope, Around::Not);
                    parentheses(format!("not {text}"), around > Around::Not)
                }
            },
            Formula::And(_) => {
                let parts: Vec<&Formula> = conjuncts(formula);
                match parts.as_slice() {
                    [] => "true".to_owned(),
                    [one] => self.formula(one, scope, around),
                    parts => {
                        let parts: Vec<_> = parts
                            .iter()
                            .map(|part| self.formula(part, scope, Around::And))
                            .collect();
                        parentheses(parts.join(" and "), around >= Around::And)
                    }
                }
            }
            Formula::Or(parts) => match parts.as_slice() {
                [] => "false".to_owned(),
                [one] => self.formula(one, scope, around),
                parts => {
                    let parts: Vec<_> = parts
                        .iter()
                        .map(|part| self.formula(part, scope, Around::Or))
                        .collect();
                    parentheses(parts.join(" or "), around >= Around::Or)
                }
            },
            Formula::Imply(a, b) => {
                let a = self.formula(a, scope, Around::Imply);
                let b = self.formula(b, scope, Around::Imply);
                parentheses(format!("{a} imply {b}"), around >= Around::Imply)
            }
            Formula::Forall(variables, body) => {
                self.quantified("forall", variables, body, scope, around)
            }
            Formula::Exists(variables, body) => {
                self.quantified("exists", variables, body, scope, around)
            }
            Formula::OfType(term, types) => {
                let types = self.type_numbers(types);
                let of = self.term_type(term, scope);
                let range = self.types.range(&types);
                if of.is_some_and(|of| self.types.kinds(of).is_subset(&range.set)) {
                    return "true".to_owned();
                }
                let term = self.term(term, scope);
                let text = self.one_of(&types, &term);
                parentheses(text, types.len() > 1 && around >= Around::Or)
            }
        }
    }

    fn quantified(
        &mut self,
        quantifier: &str,
        variables: &[Typed],
        body: &Formula,
        scope: &mut Scope,
        around: Around,
    ) -> String {
        let outer = scope.clone();
        let (binders, guards) = self.binders(variables, scope);
        let body_around = match (guards.is_empty(), quantifier) {
            (true, _) => Around::Nothing,
            (_, "forall") => Around::Imply,
            _ => Around::And,
        };
        let body = self.formula(body, scope, body_around);
        let body = match (guards.is_empty(), quantifier) {
            (true, _) => body,
            (_, "forall") => format!("{} imply {body}", guards.join(" and ")),
            _ => format!("{} and {body}", guards.join(" and ")),
        };
        *scope = outer;
        parentheses(
            format!("{quantifier} {binders}. {body}"),
            around > Around::Nothing,
        )
    }

    /// Brings variables into scope; returns `?p: place, ?q: place`, and the additional guards on
    /// them.
    pub fn binders(&mut self, variables: &[Typed], scope: &mut Scope) -> (String, Vec<String>) {
        let mut binders = vec![];
        let mut guards = vec![];
        for typed in variables {
            let range = self.range(typed);
            let variable = Variable {
                original: typed.name.text().clone(),
                name: scope.fresh(&typed.name),
                of: self.types.cover(&range.set).unwrap_or_default(),
                range,
            };
            binders.push(self.param(&variable).to_string());
            guards.extend(self.guards(&variable));
            scope.push(variable);
        }
        (binders.join(", "), guards)
    }

    /// Returns the guards on a variable, apart from its type.
    pub fn guards(&mut self, variable: &Variable) -> Vec<String> {
        let guards = self.types.guards(&variable.range, variable.of);
        let term = format!("?{}", variable.name);
        guards.iter().map(|g| self.guard(g, &term)).collect()
    }

    /// Returns a guard in a form suitable for a conjunction.
    pub fn guard(&mut self, guard: &Guard, term: &str) -> String {
        match guard {
            Guard::OneOf(types) => parentheses(self.one_of(types, term), types.len() > 1),
            Guard::Not(of) => format!("not {}", self.one_of(&[*of], term)),
        }
    }

    fn one_of(&mut self, types: &[usize], term: &str) -> String {
        let mut parts = vec![];
        for of in types {
            let type_name = self.type_name(*of);
            let fact = self.facts.membership(*of, &type_name);
            parts.push(format!("{fact}({term})"));
        }
        match parts.is_empty() {
            true => "false".to_owned(),
            false => parts.join(" or "),
        }
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

    fn equal(&mut self, a: &Term, b: &Term, sign: &str, scope: &Scope) -> String {
        let a = self.term(a, scope);
        format!("{a} {sign} {}", self.term(b, scope))
    }

    /// Returns a number as text.
    pub fn number(&mut self, number: &Number, scope: &Scope, inner: bool) -> String {
        match number {
            Number::Constant(value) => parentheses(value.to_string(), inner && *value < 0.0),
            Number::Function(atom) => {
                self.known_fact(atom, true);
                self.call(atom, scope)
            }
            Number::Arithmetic(operator, a, b) => {
                let a = self.number(a, scope, true);
                let b = self.number(b, scope, true);
                parentheses(format!("{a} {operator} {b}"), inner)
            }
            Number::Negative(a) => parentheses(format!("-{}", self.number(a, scope, true)), inner),
        }
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
                    None => format!("no {what} is called '{name}'"),
                };
                self.error(name.span, message);
            }
        }
    }

    /// Returns a fact with its arguments as text.
    pub fn call(&mut self, atom: &Atom, scope: &Scope) -> String {
        let arity = atom.args.len();
        let name = match self.facts.get(atom.name.text(), arity) {
            Some(fact) => fact.name.to_string(),
            None => legal(&atom.name, "fact"),
        };
        let mut args = vec![];
        for (at, arg) in atom.args.iter().enumerate() {
            if let Some(of) = self.term_type(arg, scope) {
                self.facts.seen(atom.name.text(), arity, at, of);
            }
            args.push(self.term(arg, scope));
        }
        applied(&name, &args)
    }

    /// Returns the type, in the tree, of a term's value.
    pub fn term_type(&self, term: &Term, scope: &Scope) -> Option<usize> {
        match term {
            Term::Variable(name) => scope.get(name).map(|variable| variable.of),
            Term::Constant(name) => self.objects.get(name.text()).map(|object| object.of),
        }
    }

    /// Returns a term as text; reports unknown names.
    pub fn term(&mut self, term: &Term, scope: &Scope) -> String {
        match term {
            Term::Variable(name) => match scope.get(name) {
                Some(variable) => format!("?{}", variable.name),
                None => {
                    self.unknown(name, "variable", "?");
                    format!("?{}", legal(name, ""))
                }
            },
            Term::Constant(name) => match self.objects.get(name.text()) {
                Some(object) => object.name.to_string(),
                None => {
                    self.unknown(name, "object", "");
                    legal(name, "object")
                }
            },
        }
    }

    fn unknown(&mut self, name: &Ident, what: &str, mark: &str) {
        let message = format!("no {what} is called '{mark}{name}' here");
        self.error(name.span, message);
    }

    /// Reports an object of the wrong type.
    pub fn wrong_type(&mut self, span: Span, object: &Arc<str>, expected: usize) {
        let expected = self.type_name(expected);
        let message = format!("expected an object of type '{expected}', found '{object}'");
        self.error(span, message);
    }
}

/// Returns `name(a, b)`, or the name alone.
pub fn applied(name: &str, args: &[String]) -> String {
    // A planning problem has a hundred thousand of them: each text is allocated once.
    let length = args.iter().map(|arg| arg.len() + ", ".len()).sum::<usize>();
    let mut text = String::with_capacity(name.len() + length);
    text.push_str(name);
    for (at, arg) in args.iter().enumerate() {
        text.push_str(if at == 0 { "(" } else { ", " });
        text.push_str(arg);
    }
    if !args.is_empty() {
        text.push(')');
    }
    text
}

/// Returns a count such as `2 arguments`.
pub fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
